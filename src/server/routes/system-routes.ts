/** Routes about the server itself. */
import { Type } from "typebox";
import { checkStatement } from "../../evidence/check/check-statement.ts";
import { CheckedStatement, CheckStatement, Health, Readiness } from "../../protocol/index.ts";
import { openWorkspace } from "../../workspace/workspaces.ts";
import { version } from "../project.ts";
import { defineRoute, type Route } from "./route.ts";

export const Code = Type.Object({
  /** Opens the page once, within ten minutes. */
  address: Type.String(),
});

const metricsType = "text/plain";

export const systemRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/health",
    open: true,
    summary: "Whether the server answers at all.",
    answer: Health,
    handle: async () => ({ status: "ok" as const, version }),
  }),
  defineRoute({
    method: "GET",
    path: "/api/readiness",
    summary: "Whether everything that a session needs is there; each problem with what to do about it.",
    answer: Readiness,
    async handle(_request, parts) {
      const problems = await parts.readiness();
      return { ready: problems.length === 0, problems };
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/metrics",
    summary: "Figures for a monitor in Prometheus' text format: sessions, children, streams, gates, problems, memory.",
    answerTypes: [metricsType],
    async handle(_request, { metrics, sessions, streams }) {
      const text = metrics.toText({ ...(await sessions.count()), streams: streams.size });
      return new Response(text, { headers: { "Content-Type": `${metricsType}; version=0.0.4; charset=utf-8` } });
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/codes",
    summary: "A fresh address with a one-time code, for a browser.",
    status: 201,
    answer: Code,
    handle: async (_request, parts) => ({ address: `${parts.address}/?code=${parts.access.createCode()}` }),
  }),
  defineRoute({
    method: "POST",
    path: "/api/check",
    summary:
      "The evidence for any SQL, without a session: what is wrong with it, and what in the question it passes over.",
    body: CheckStatement,
    answer: CheckedStatement,
    errors: ["workspace-unknown", "workspace-broken"],
    async handle({ body }, parts) {
      const { connection } = await openWorkspace(parts.home, body.workspace);
      const { database, opened } = await parts.catalogs.open(connection);
      return await checkStatement(database, opened.catalog, opened.values, body.sql, body.question);
    },
  }),
];
