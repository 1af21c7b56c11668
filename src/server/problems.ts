/** Errors as a client sees them: one shape, a status per code, and never the raw text of something unexpected. */
import { type ErrorBody, type Problem, ThothError } from "../protocol/index.ts";
import { toSystemFault } from "./system-fault.ts";

const codesByStatus: readonly (readonly [number, readonly string[]])[] = [
  [401, ["no-access"]],
  [403, ["origin-refused", "cross-site-refused"]],
  [
    404,
    [
      "route-unknown",
      "session-unknown",
      "provider-unknown",
      "gate-unknown",
      "workspace-unknown",
      "table-unknown",
      "suggestion-unknown",
      "piece-unknown",
    ],
  ],
  [405, ["method-not-allowed"]],
  [
    409,
    [
      "gate-conflict",
      "gate-hash",
      "deviation-open",
      "no-result-yet",
      "resume-refused",
      "workspace-exists",
      "provider-exists",
      "session-owned",
      "phase-not-reached",
      "child-differs",
      "description-changed",
      "piece-exists",
      "catalog-changed",
      "knowledge-changed",
    ],
  ],
  [410, ["gate-gone"]],
  [413, ["body-too-large", "question-too-long"]],
  [415, ["content-type-not-json"]],
  [421, ["host-not-allowed"]],
  [
    422,
    [
      "sql-refused",
      "workspace-broken",
      "descriptions-broken",
      "knowledge-broken",
      "piece-invalid",
      "manifest-damaged",
      "ledger-damaged",
      "lock-damaged",
      "secret-missing",
      "secret-open",
      "keys-damaged",
      "models-damaged",
      "endpoint-unreachable",
      "endpoint-key",
      "endpoint-unknown",
      "endpoint-empty",
    ],
  ],
  [500, ["internal", "export-failed", "disk-read-only", "disk-fault"]],
  [507, ["disk-full"]],
  [503, ["too-many-files", "page-not-built", "server-closing", "ledger-locked", "child-start", "models-unknown"]],
  [504, ["result-timeout"]],
];
const statuses = new Map(codesByStatus.flatMap(([status, codes]) => codes.map((code) => [code, status])));

/** A database that can't be read is the workspace's state, neither the request's fault nor the server's: 422. */
export function toStatus(code: string): number {
  return statuses.get(code) ?? (code.startsWith("database-") ? 422 : 400);
}

export const unexpected: Problem = {
  code: "internal",
  message: "Something went wrong inside ThothII.",
  action: "Try again; the server's log says more (start it with THOTH_LOG=debug).",
};

/** The problem to show for any thrown value; only an expected fault keeps its own words, and the machine's have ours. */
export function toProblem(error: unknown): Problem {
  const fault = toSystemFault(error);
  if (fault) return fault;
  return error instanceof ThothError ? error.toProblem() : unexpected;
}

/** `problems`: everything that was found, for an error that carries more than one. */
export function toErrorResponse(
  problem: Problem,
  headers: Record<string, string> = {},
  problems?: Problem[],
): Response {
  const body: ErrorBody = { error: problem, ...(problems ? { problems } : {}) };
  return Response.json(body, { status: toStatus(problem.code), headers });
}
