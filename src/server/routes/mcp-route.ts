/**
 * The Model Context Protocol for other agents, behind the same access as every route, and the route that its tools need
 * beside the page's. A tool reaches the other routes as a program would, only without a socket.
 */
import type { Static, TSchema } from "typebox";
import { Type } from "typebox";
import type { McpServerOptions } from "../../mcp/mcp-server.ts";
import type { StartedSessions, ThothApi } from "../../mcp/tool.ts";
import { FindVerified, findVerified, VerifiedList } from "../../mcp/verified-list.ts";
import { readKnowledge } from "../../workspace/read-knowledge.ts";
import { openWorkspace, workspaceDir } from "../../workspace/workspaces.ts";
import { version } from "../project.ts";
import { parseBody } from "../read-body.ts";
import { parseQuery } from "./parse-query.ts";
import { defineRoute, type Route, type RouteParts, type RouteRequest } from "./route.ts";
import { sessionRoutes } from "./session-routes.ts";
import { systemRoutes } from "./system-routes.ts";
import { workspaceRoutes } from "./workspace-routes.ts";

const verifiedRoute = defineRoute({
  method: "GET",
  path: "/api/workspaces/:name/verified",
  summary: "Questions with the SQL that a reviewer accepted for them, the nearest to a text first.",
  query: FindVerified,
  answer: VerifiedList,
  errors: ["workspace-unknown", "workspace-broken"],
  async handle({ param, query }, { home }) {
    const { name } = await openWorkspace(home, param("name"));
    return findVerified((await readKnowledge(workspaceDir(home, name))).verified, query);
  },
});

/** What the transport makes of it is its own affair; batches, which newer versions of the protocol forbid, are none. */
const Message = Type.Object({ jsonrpc: Type.Literal("2.0") });

const mcpRoute = defineRoute({
  method: "POST",
  path: "/mcp",
  summary: "Model Context Protocol (Streamable HTTP without sessions) for other agents; see docs/mcp.md.",
  body: Message,
  answerTypes: ["application/json"],
  async handle(request, parts) {
    // Most programs never speak it: its library is loaded with the first who does.
    const { answerMcp } = await import("../../mcp/answer-http.ts");
    return await answerMcp(toOptions(request, parts), {
      message: request.body,
      accept: request.header("accept"),
      protocolVersion: request.header("mcp-protocol-version"),
    });
  },
});

export const mcpRoutes: Route[] = [verifiedRoute, mcpRoute];

/** Sessions started by other agents, for each running server. */
const started = new WeakMap<RouteParts, StartedSessions>();

function toOptions(request: RouteRequest<unknown, unknown>, parts: RouteParts): McpServerOptions {
  const known = started.get(parts) ?? { ids: new Set(), starting: 0 };
  started.set(parts, known);
  const api = createInnerApi(parts, toPage(request.header("host"), parts.address), request.signal);
  return {
    version,
    open: async () => api,
    started: known,
    signal: request.signal,
    onFault: (error) => parts.log.error({ detail: toDetail(error) }, "A tool of another agent failed."),
  };
}

const toDetail = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** The name the agent used is one its user can use too; one without a port stands before a proxy. */
function toPage(host: string | undefined, address: string): string {
  if (host === undefined || host === new URL(address).host) return address;
  return /:\d+$/.test(host) ? `http://${host}` : `https://${host}`;
}

const reachable = [...systemRoutes, ...workspaceRoutes, ...sessionRoutes, verifiedRoute];

function createInnerApi(parts: RouteParts, page: string, signal: AbortSignal): ThothApi {
  const call = async <S extends TSchema>(
    method: string,
    address: string,
    sent: unknown,
    schema: S,
  ): Promise<Static<S>> => {
    const { pathname, searchParams } = new URL(address, page);
    const found = reachable.flatMap((route) => {
      const given = route.method === method ? matchPath(route.path, pathname) : null;
      return given ? [{ route, given }] : [];
    })[0];
    if (found?.route.answer !== schema) throw new Error(`No route gives that: ${method} ${pathname}`);
    const { route, given } = found;
    route.checkBody?.(sent);
    const answer = await route.handle(
      {
        param: (name) => given.get(name) ?? "",
        query: route.query ? parseQuery(route.query, Object.fromEntries(searchParams)) : {},
        body: route.body ? parseBody(route.body, sent, `${method} ${route.path}`) : undefined,
        header: () => undefined,
        signal,
        method,
        outgoing: undefined,
      },
      parts,
    );
    // The route's own types say that it fits `schema`, which is the very one it names.
    return answer as Static<S>;
  };
  return {
    page,
    get: (path, schema) => call("GET", path, undefined, schema),
    post: (path, body, schema) => call("POST", path, body, schema),
  };
}

/** Parameters by name, or null when it is another path. */
function matchPath(pattern: string, path: string): Map<string, string> | null {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const found = new Map<string, string>();
  for (const [at, part] of wanted.entries()) {
    const text = given[at] ?? "";
    if (part.startsWith(":")) found.set(part.slice(1), decodeURIComponent(text));
    else if (part !== text) return null;
  }
  return found;
}
