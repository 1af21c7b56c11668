/**
 * The HTTP server of ThothII and the one place that wires everything together: routes, access, streams and the built
 * page (`app.ts`), the sessions behind them (`sessions/`) and the start and stop of it all (`serve.ts`). `createApp` is
 * built from parts, so that a test needs no socket.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import { type Context, Hono } from "hono";
import { type Problem, ThothError } from "../protocol/index.ts";
import { type Catalogs, createCatalogs } from "./catalogs.ts";
import {
  entryScript,
  entryScriptPath,
  noAccess,
  toEntryResponse,
  toNoAccessResponse,
  usedCode,
} from "./entry-pages.ts";
import type { Hosts } from "./hosts.ts";
import { createMetrics } from "./metrics.ts";
import { toOpenApi } from "./openapi.ts";
import { toErrorResponse, toProblem } from "./problems.ts";
import { parseBody, readJson, refuseLarge, requireJson } from "./read-body.ts";
import { parseQuery } from "./routes/parse-query.ts";
import type { Route, RouteParts } from "./routes/route.ts";
import { routes } from "./routes/routes.ts";
import { securityHeaders } from "./security-headers.ts";
import { ResumeRefusedError } from "./sessions/sessions.ts";
import { createWorkspaceStates } from "./workspace-states.ts";

/** Answers GET for everything that isn't a route; null when there is nothing of that name. */
export type Page = (path: string, context: AppContext) => Promise<Response | null>;
export type AppContext = Context<AppEnvironment>;
/** Given by the server, absent when the app is called in memory. */
type AppEnvironment = { Bindings: { incoming?: IncomingMessage; outgoing?: ServerResponse } };

export interface AppParts extends Omit<RouteParts, "workspaces" | "catalogs" | "metrics"> {
  /** Its own when absent. */
  catalogs?: Catalogs;
  hosts: Hosts;
  page: Page;
}

export type App = ReturnType<typeof createApp>;

export function createApp(given: AppParts) {
  const parts = {
    ...given,
    workspaces: createWorkspaceStates(given.home, given.log),
    catalogs: given.catalogs ?? createCatalogs(given.home),
    metrics: createMetrics(),
  };
  const app = new Hono<AppEnvironment>();

  app.onError((error, context) => {
    if (!(error instanceof ThothError)) {
      parts.log.error({ path: context.req.path, detail: error.stack ?? String(error) }, "A request failed.");
    }
    const problem = toProblem(error);
    parts.metrics.countProblem(problem.code);
    return toErrorResponse(problem, {}, error instanceof ResumeRefusedError ? error.problems : undefined);
  });
  app.notFound(() => toErrorResponse(unknownRoute));

  app.use(async (context, next) => {
    await next();
    parts.metrics.countAnswer(context.res.status);
    for (const [name, value] of Object.entries(securityHeaders)) context.res.headers.set(name, value);
    if (!context.res.headers.has("Cache-Control")) context.res.headers.set("Cache-Control", "no-store");
  });
  app.use(async (context, next) => {
    if (!parts.hosts.allowsHost(context.req.header("host"))) return toErrorResponse(wrongHost);
    return next();
  });

  for (const route of routes) if (route.open) register(app, route, parts);
  app.get("/", async (context, next) => {
    const code = context.req.query("code");
    // A HEAD request comes here too and must not use the code up.
    if (code === undefined || context.req.raw.method !== "GET") return next();
    if (parts.access.redeemCode(code)) return toEntryResponse(parts.access.setCookie);
    return hasAccess(context, parts) ? toEntryResponse(null) : toNoAccessResponse("text/html", usedCode);
  });
  app.use(async (context, next) => {
    if (!hasAccess(context, parts)) return toNoAccessResponse(context.req.header("accept") ?? null, noAccess);
    const changes = !["GET", "HEAD", "OPTIONS"].includes(context.req.method);
    // A browser keeps other sites from reading an answer; that they make the server work is for us to prevent.
    if (changes || context.req.path.startsWith("/api/")) refuseForeign(context, parts);
    if (changes) requireJson(context.req.raw, context.env?.outgoing !== undefined);
    refuseLarge(context.req.raw);
    return next();
  });

  const document = toOpenApi(routes);
  app.get("/api/openapi.json", () => Response.json(document));
  for (const route of routes) if (!route.open) register(app, route, parts);
  for (const path of new Set(routes.map((route) => route.path))) {
    app.all(path, () => {
      const allowed = routes
        .filter((route) => route.path === path)
        .map((route) => route.method)
        .join(", ");
      return toErrorResponse(
        {
          code: "method-not-allowed",
          message: "This address doesn't take that method.",
          action: `It takes ${allowed}.`,
        },
        { Allow: allowed },
      );
    });
  }
  app.all("/api/*", () => toErrorResponse(unknownRoute));
  app.get(
    entryScriptPath,
    () => new Response(entryScript, { headers: { "Content-Type": "text/javascript; charset=utf-8" } }),
  );
  app.get("*", async (context) => (await parts.page(context.req.path, context)) ?? toErrorResponse(unknownRoute));
  return app;
}

const unknownRoute: Problem = {
  code: "route-unknown",
  message: "There is nothing at this address.",
  action: "See /api/openapi.json for what there is, or open / for the page.",
};
export const wrongHost: Problem = {
  code: "host-not-allowed",
  message: "This server doesn't answer under that name.",
  action: "Use the address it printed, or start it with --allow-host and the name.",
};

function hasAccess(context: AppContext, parts: AppParts): boolean {
  return parts.access.allows(context.req.header("authorization"), context.req.header("cookie"));
}

/**
 * A request comes from our own page or from a program, never from another site. Nor from another port of this machine:
 * to a browser that is the same site, so that even a strict cookie goes along.
 */
function refuseForeign(context: AppContext, parts: AppParts): void {
  const action = "Send it from ThothII's own page, or from a program without an Origin header.";
  const origin = context.req.header("origin");
  if (origin !== undefined && !parts.hosts.allowsOrigin(origin)) {
    throw new ThothError("origin-refused", "Requests from another site aren't taken.", action);
  }
  if (["cross-site", "same-site"].includes(context.req.header("sec-fetch-site") ?? "")) {
    throw new ThothError("cross-site-refused", "Requests from another site aren't taken.", action);
  }
}

function register(app: Hono<AppEnvironment>, route: Route, parts: RouteParts): void {
  app.on(route.method, route.path, async (context) => {
    let body: unknown;
    if (route.body) {
      const parsed = await readJson(context.req.raw);
      route.checkBody?.(parsed);
      body = parseBody(route.body, parsed, `${route.method} ${route.path}`);
    }
    const answer = await route.handle(
      {
        param: (name) => context.req.param(name) ?? "",
        query: route.query ? parseQuery(route.query, context.req.query()) : {},
        body,
        header: (name) => context.req.header(name),
        signal: context.req.raw.signal,
        method: context.req.raw.method,
        outgoing: context.env?.outgoing,
      },
      parts,
    );
    return answer instanceof Response ? answer : Response.json(answer, { status: route.status ?? 200 });
  });
}
