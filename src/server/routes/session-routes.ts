/** Routes about sessions: what they are, what they are told, and what they answered. */
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Static, Type } from "typebox";
import { writeParquet } from "../../database/duckdb/write-parquet.ts";
import { toCsv } from "../../protocol/csv.ts";
import {
  CreatedSession,
  CreateSession,
  FindSessions,
  GateAnswer,
  GateAnswered,
  LedgerView,
  PatchSession,
  QueryResult,
  Reopen,
  Resumed,
  SessionList,
  SessionView,
  ThothError,
  Words,
} from "../../protocol/index.ts";
import { eventStreamHeaders } from "../event-streams.ts";
import { version } from "../project.ts";
import { defaultRows, mostRows, readResult } from "../read-result.ts";
import { toHtml, toMarkdown } from "../report/render-report.ts";
import { reportRows, toReport } from "../report/report.ts";
import { alreadySent } from "./already-sent.ts";
import { defineRoute, type Route, type RouteParts, type RouteRequest } from "./route.ts";

const unknownSession = "session-unknown";

export const sessionRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "/api/sessions",
    summary: "Sessions, those that wait for the reviewer first; all of them, or those that hold every word of a text.",
    query: FindSessions,
    answer: SessionList,
    handle: ({ query }, parts) => parts.sessions.list(query),
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions",
    summary: "Starts a session with a question.",
    body: CreateSession,
    checkBody: refuseEmptyQuestion,
    status: 201,
    answer: CreatedSession,
    errors: ["question-empty", "question-too-long", "workspace-unknown"],
    handle: (request, parts) => parts.sessions.create(request.body),
  }),
  defineRoute({
    method: "GET",
    path: "/api/sessions/:id",
    summary: "One session as it stands.",
    answer: SessionView,
    errors: [unknownSession],
    handle: (request, parts) => parts.sessions.view(request.param("id")),
  }),
  defineRoute({
    method: "PATCH",
    path: "/api/sessions/:id",
    summary: "Changes a session's name, model or thinking level.",
    body: PatchSession,
    answer: SessionView,
    errors: [unknownSession],
    async handle(request, parts) {
      await parts.sessions.patch(request.param("id"), request.body);
      return parts.sessions.view(request.param("id"));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "/api/sessions/:id",
    summary: "Removes a session; for thirty days it can be restored.",
    answer: CreatedSession,
    errors: [unknownSession],
    async handle(request, parts) {
      await parts.sessions.remove(request.param("id"));
      return { id: request.param("id") };
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/restore",
    summary: "Brings a removed session back.",
    answer: SessionView,
    errors: [unknownSession],
    async handle(request, parts) {
      await parts.sessions.restore(request.param("id"));
      return parts.sessions.view(request.param("id"));
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/resume",
    summary: "Keeps a running session as it is, or starts its model again. Refused: 409 with every problem found.",
    answer: Resumed,
    errors: [unknownSession, "resume-refused"],
    handle: (request, parts) => parts.sessions.resume(request.param("id")),
  }),
  ...(["prompt", "steer"] as const).map((verb) =>
    defineRoute({
      method: "POST",
      path: `/api/sessions/:id/${verb}`,
      summary:
        verb === "prompt"
          ? "A follow-up question or words to go on with."
          : "Words for the model while it works or waits.",
      body: Words,
      checkBody: refuseEmptyText,
      answer: SessionView,
      errors: [unknownSession, "text-missing"],
      async handle(request, parts) {
        await parts.sessions[verb](request.param("id"), request.body.text);
        return parts.sessions.view(request.param("id"));
      },
    }),
  ),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/abort",
    summary: "Stops what the model does.",
    answer: SessionView,
    errors: [unknownSession],
    async handle(request, parts) {
      await parts.sessions.abort(request.param("id"));
      return parts.sessions.view(request.param("id"));
    },
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/reopen",
    summary: "Goes back to an earlier phase; what came after is superseded.",
    body: Reopen,
    answer: SessionView,
    errors: [unknownSession],
    async handle(request, parts) {
      await parts.sessions.reopen(request.param("id"), request.body.phase);
      return parts.sessions.view(request.param("id"));
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/sessions/:id/ledger",
    summary: "Everything that was decided, in order.",
    answer: LedgerView,
    errors: [unknownSession],
    handle: (request, parts) => parts.sessions.ledger(request.param("id")),
  }),
  defineRoute({
    method: "POST",
    path: "/api/sessions/:id/gates/:gateId",
    summary: "The reviewer's answer to a gate.",
    body: GateAnswer,
    answer: GateAnswered,
    errors: [
      unknownSession,
      "gate-unknown",
      "gate-conflict",
      "gate-hash",
      "gate-gone",
      "deviation-open",
      "text-missing",
      "sql-refused",
      "sql-unchanged",
      "sql-misplaced",
    ],
    handle: (request, parts) => parts.sessions.answer(request.param("id"), request.param("gateId"), request.body),
  }),
  defineRoute({
    method: "GET",
    path: "/api/sessions/:id/events",
    summary:
      "The session's live stream (Server-Sent Events); stays open. Header Last-Event-ID continues an earlier one.",
    answerTypes: ["text/event-stream"],
    errors: [unknownSession],
    async handle(request, parts) {
      // Without this a HEAD request would leave a subscriber behind that nobody reads.
      if (request.method === "HEAD") {
        await parts.sessions.view(request.param("id"));
        return new Response(null, { headers: eventStreamHeaders });
      }
      if (!request.outgoing) throw new Error("A stream needs a socket.");
      await parts.streams.open(parts.sessions, request.param("id"), request.header("last-event-id"), request.outgoing);
      return alreadySent();
    },
  }),
  defineRoute({
    method: "GET",
    path: "/api/sessions/:id/result",
    summary: "The rows of the accepted SQL.",
    query: Type.Object({
      format: Type.Optional(Type.Union([Type.Literal("json"), Type.Literal("csv"), Type.Literal("parquet")])),
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostRows })),
    }),
    answer: QueryResult,
    answerTypes: ["text/csv", "application/vnd.apache.parquet"],
    errors: [unknownSession, "no-result-yet", "result-timeout", "export-failed"],
    handle: answerResult,
  }),
  defineRoute({
    method: "GET",
    path: "/api/sessions/:id/report",
    summary: "The session's report, to keep or hand on.",
    query: Type.Object({ format: Type.Optional(Type.Union([Type.Literal("html"), Type.Literal("md")])) }),
    answerTypes: ["text/html", "text/markdown"],
    errors: [unknownSession],
    handle: answerReport,
  }),
];

async function answerResult(
  request: RouteRequest<unknown, { format?: "json" | "csv" | "parquet"; limit?: number }>,
  parts: RouteParts,
): Promise<Static<typeof QueryResult> | Response> {
  const { format = "json", limit } = request.query;
  const id = request.param("id");
  const maxRows = limit ?? (format === "json" ? defaultRows : mostRows);
  const result = await readResult(parts.sessions, id, { maxRows, signal: request.signal, log: parts.log });
  if (format === "json") return result;
  const body = format === "csv" ? toCsv(result) : await toParquet(result, request.signal);
  return new Response(body, {
    headers: {
      "Content-Type": format === "csv" ? "text/csv; charset=utf-8; header=present" : "application/vnd.apache.parquet",
      "Content-Disposition": `attachment; filename="${fileName(id)}.${format}"`,
      "Thoth-Row-Count": String(result.rowCount),
      "Thoth-Truncated": String(result.truncated),
    },
  });
}

/** DuckDB writes to a file only: it lies in a folder of its own until it has been read. */
async function toParquet(result: QueryResult, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
  const folder = await mkdtemp(join(tmpdir(), "thoth-parquet-"));
  try {
    const file = join(folder, "result.parquet");
    await writeParquet(result, file, signal);
    return new Uint8Array(await readFile(file));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function answerReport(
  request: RouteRequest<unknown, { format?: "html" | "md" }>,
  parts: RouteParts,
): Promise<Response> {
  const id = request.param("id");
  const [view, record] = await Promise.all([parts.sessions.view(id), parts.sessions.record(id)]);
  let result: QueryResult | null = null;
  let problem: string | undefined;
  if (view.outcome === "answered") {
    try {
      result = await readResult(parts.sessions, id, { maxRows: reportRows, signal: request.signal, log: parts.log });
    } catch (error) {
      // The rest of the report is worth having without its rows.
      if (!(error instanceof ThothError)) throw error;
      problem = error.message;
    }
  }
  const now = new Date().toISOString();
  const blocks = toReport({ view, ...record, version, result, now, ...(problem ? { problem } : {}) });
  const markdown = request.query.format === "md";
  return new Response(markdown ? toMarkdown(blocks) : toHtml(blocks, view.question), {
    headers: {
      "Content-Type": `text/${markdown ? "markdown" : "html"}; charset=utf-8`,
      "Content-Disposition": `inline; filename="${fileName(id)}.${markdown ? "md" : "html"}"`,
    },
  });
}

const fileName = (id: string) => `thoth-${id.replace(/[^A-Za-z0-9_-]/g, "")}`;

/** The schema would say "must not have fewer than 1 characters", and lets blanks pass. */
function refuseEmptyQuestion(body: unknown): void {
  if (isBlank(body, "question"))
    throw new ThothError("question-empty", "The question is empty.", "Write the question in plain words.");
}

function refuseEmptyText(body: unknown): void {
  if (isBlank(body, "text"))
    throw new ThothError("text-missing", "There are no words in it.", "Write what the model should know or do.");
}

function isBlank(body: unknown, field: string): boolean {
  const value = typeof body === "object" && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  return typeof value === "string" && value.trim() === "";
}
