/**
 * The session folder holds everything the page knows about one session and how it gets it: the HTTP client, the
 * event stream, the fold from frames to state, the store React reads and the hook that ties them together.
 * This file is the HTTP client: the cookie gives access, every fault is an `ApiProblem`.
 */
import type { Static } from "typebox";
import type {
  AddWorkspace,
  CatalogView,
  ConnectionTest,
  ConnectionWish,
  CreateSession,
  Describe,
  FindSessions,
  FirstQuestions,
  GateAnswered,
  LedgerView,
  ModelList,
  PatchSession,
  SessionList,
  SessionView,
  WorkspaceItem,
  WorkspaceList,
} from "../../protocol/api.ts";
import type { Problem } from "../../protocol/errors.ts";
import type { GateAnswer } from "../../protocol/gates.ts";
import type { PhaseId } from "../../protocol/phases.ts";
import type { QueryResult } from "../../protocol/results.ts";

/** Nothing answered: ThothII is not running, or the network is gone. */
export const offline = "offline";

/** What the server said was wrong. `status` is 0 when nothing answered; `problems` holds all faults of a refused resume. */
export class ApiProblem extends Error {
  readonly status: number;
  readonly code: string;
  readonly action: string | undefined;
  readonly problems: Problem[];
  constructor(status: number, problem: Problem, problems: Problem[] = []) {
    super(problem.message);
    this.name = "ApiProblem";
    this.status = status;
    this.code = problem.code;
    this.action = problem.action;
    this.problems = problems;
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function toProblem(value: unknown): Problem | null {
  if (!isRecord(value) || typeof value.message !== "string") return null;
  return {
    code: typeof value.code === "string" ? value.code : "unknown",
    message: value.message,
    ...(typeof value.action === "string" ? { action: value.action } : {}),
  };
}

function toApiProblem(status: number, body: unknown): ApiProblem {
  const error = isRecord(body) ? toProblem(body.error) : null;
  const all =
    isRecord(body) && Array.isArray(body.problems) ? body.problems.map(toProblem).filter((one) => one !== null) : [];
  return new ApiProblem(status, error ?? { code: "unexpected", message: `The server answered with ${status}.` }, all);
}

/** Any thrown value as something that can be shown. */
export function asProblem(cause: unknown): ApiProblem {
  if (cause instanceof ApiProblem) return cause;
  console.error(cause);
  return new ApiProblem(0, { code: "page", message: "The page met an unexpected fault.", action: "Reload the page." });
}

export async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      keepalive: method === "DELETE",
      headers: { accept: "application/json", ...(body === undefined ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiProblem(0, {
      code: offline,
      message: "ThothII is not running.",
      action: "Start it again; the session goes on from the ledger.",
    });
  }
  const text = await response.text();
  let parsed: unknown = null;
  try {
    parsed = text === "" ? null : JSON.parse(text);
  } catch {
    if (response.ok)
      throw new ApiProblem(response.status, { code: "unexpected", message: "The server’s answer could not be read." });
  }
  if (!response.ok) throw toApiProblem(response.status, parsed);
  return parsed as T;
}

const session = (id: string) => `/api/sessions/${encodeURIComponent(id)}`;
const workspace = (name: string) => `/api/workspaces/${encodeURIComponent(name)}`;
const toQuery = (values: Record<string, string | number | undefined>): string =>
  new URLSearchParams(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();

export const api = {
  sessions: (wish: FindSessions) => request<SessionList>("GET", `/api/sessions?${toQuery(wish)}`),
  session: (id: string) => request<SessionView>("GET", session(id)),
  create: (body: CreateSession) => request<{ id: string }>("POST", "/api/sessions", body),
  change: (id: string, body: PatchSession) => request<unknown>("PATCH", session(id), body),
  remove: (id: string) => request<unknown>("DELETE", session(id)),
  restore: (id: string) => request<SessionView>("POST", `${session(id)}/restore`, {}),
  resume: (id: string) => request<{ resumed: "kept" | "cold"; epoch: string }>("POST", `${session(id)}/resume`, {}),
  prompt: (id: string, text: string) => request<unknown>("POST", `${session(id)}/prompt`, { text }),
  steer: (id: string, text: string) => request<unknown>("POST", `${session(id)}/steer`, { text }),
  abort: (id: string) => request<unknown>("POST", `${session(id)}/abort`, {}),
  reopen: (id: string, phase: PhaseId) => request<unknown>("POST", `${session(id)}/reopen`, { phase }),
  answer: (id: string, gateId: string, body: GateAnswer) =>
    request<GateAnswered>("POST", `${session(id)}/gates/${encodeURIComponent(gateId)}`, body),
  ledger: (id: string) => request<LedgerView>("GET", `${session(id)}/ledger`),
  result: (id: string, limit: number) => request<QueryResult>("GET", resultPath(id, "json", limit)),
  workspaces: () => request<Static<typeof WorkspaceList>>("GET", "/api/workspaces"),
  addWorkspace: (body: AddWorkspace) => request<WorkspaceItem>("POST", "/api/workspaces", body),
  testConnection: (body: ConnectionWish) => request<ConnectionTest>("POST", "/api/workspaces/test", body),
  firstQuestions: (name: string) => request<Static<typeof FirstQuestions>>("GET", `${workspace(name)}/questions`),
  catalog: (name: string) => request<CatalogView>("GET", `${workspace(name)}/catalog`),
  describe: (name: string, body: Describe) => request<CatalogView>("PUT", `${workspace(name)}/descriptions`, body),
  firstRows: (name: string, table: string) =>
    request<QueryResult>("GET", `${workspace(name)}/rows?${toQuery({ table })}`),
  models: () => request<Static<typeof ModelList>>("GET", "/api/models"),
};

export const eventsPath = (id: string) => `${session(id)}/events`;
export const resultPath = (id: string, format: "json" | "csv" | "parquet", limit?: number) =>
  `${session(id)}/result?format=${format}${limit === undefined ? "" : `&limit=${limit}`}`;
export const reportPath = (id: string, format: "html" | "md" = "html") => `${session(id)}/report?format=${format}`;
