/** Tools that put a question before the reviewer, and tell how far it is. Gates are the reviewer's alone. */
import { setTimeout as pause } from "node:timers/promises";
import { type Static, Type } from "typebox";
import {
  Cell,
  CreatedSession,
  GateKindSchema,
  maxQuestion,
  Outcome,
  PhaseId,
  phaseTitles,
  QueryResult,
  ResultColumn,
  SessionView,
  ThothError,
  TurnState,
} from "../protocol/index.ts";
import { toAskedText } from "./asked-text.ts";
import { capRows, capText } from "./cap.ts";
import { Notes, WorkspaceName } from "./catalog-tools.ts";
import { withoutPaths } from "./plain-words.ts";
import { defineTool, type McpTool, type StartedSessions, type ThothApi, type ToolCall } from "./tool.ts";

const closed = { additionalProperties: false } as const;
/** Clients give up after sixty seconds. */
const mostWaitSeconds = 50;
const firstGateSeconds = 25;
const pollMs = 300;
/** A turn that is idle without an outcome for this long won't go on by itself. */
const idleGraceMs = 2_000;
/** Sessions from here that may wait for the reviewer or work at once: each holds a process and somebody's attention. */
const mostOpen = 10;
const mostSql = 20_000;

const SessionState = Type.Object({
  session: Type.String(),
  workspace: Type.String(),
  question: Type.String(),
  turn: TurnState,
  phase: PhaseId,
  phaseTitle: Type.String(),
  /** The open gate; null when nothing is asked. */
  gate: Type.Union([Type.Object({ kind: GateKindSchema, asked: Type.String() }), Type.Null()]),
  outcome: Outcome,
  /** Only once the reviewer has accepted the final SQL. */
  answer: Type.Union([
    Type.Object({
      sql: Type.String(),
      explanation: Type.String(),
      columns: Type.Array(ResultColumn),
      rows: Type.Array(Type.Array(Cell)),
    }),
    Type.Null(),
  ]),
  cannotAnswer: Type.Union([Type.Object({ missing: Type.String(), reason: Type.String() }), Type.Null()]),
  failure: Type.Union([Type.Object({ message: Type.String(), action: Type.String() }), Type.Null()]),
  /** Where the reviewer sees and answers it. */
  page: Type.String(),
  /** What happens now, and who has to do it. */
  next: Type.String(),
  notes: Notes,
});
type SessionState = Static<typeof SessionState>;

const ask = defineTool({
  name: "ask",
  title: "Ask a question",
  description:
    "Starts a session that works the question out phase by phase, and returns at the first gate. A person must answer each gate on the page at `page`: show that address to your user, then look with session_status. You cannot answer a gate.",
  fix: `Give workspace, as list_workspaces names it, and question with 1 to ${maxQuestion} characters, in plain words.`,
  startsWork: true,
  input: Type.Object(
    {
      workspace: WorkspaceName,
      question: Type.String({ minLength: 1, maxLength: maxQuestion, description: "in plain words" }),
    },
    closed,
  ),
  output: SessionState,
  async run({ workspace, question }, call) {
    const id = await start(call, { workspace, question });
    const view = await waitFor(call, id, firstGateSeconds, (now) => now.turn !== "running");
    return await toState(call.api, view);
  },
});

const sessionStatus = defineTool({
  name: "session_status",
  title: "State of a session",
  description:
    "How far a session is: phase, what the open gate asks, and, once the reviewer has accepted the final SQL, that SQL with the first rows. `waitSeconds` waits for the next change.",
  fix: `Give id, the session that ask returned, and waitSeconds from 0 to ${mostWaitSeconds} or not at all.`,
  input: Type.Object(
    {
      id: Type.String({ pattern: "^[a-z0-9]{8,40}$", description: "the session that ask returned" }),
      waitSeconds: Type.Optional(Type.Integer({ minimum: 0, maximum: mostWaitSeconds })),
    },
    closed,
  ),
  output: SessionState,
  async run({ id, waitSeconds = 0 }, call) {
    let before: string | undefined;
    const view = await waitFor(call, id, waitSeconds, (now) => {
      const mark = JSON.stringify([now.turn, now.outcome, now.openGate?.gateId ?? null]);
      before ??= mark;
      return now.turn === "idle" || now.turn === "failed" || (now.turn === "waiting" && mark !== before);
    });
    return await toState(call.api, view);
  },
});

export const sessionTools: readonly McpTool[] = [ask, sessionStatus];

const sessionPath = (id: string): string => `/api/sessions/${encodeURIComponent(id)}`;

/** Resolves with the first view that is `enough`, or with the one there is after `seconds`. */
async function waitFor(
  { api, signal }: ToolCall,
  id: string,
  seconds: number,
  enough: (view: SessionView) => boolean,
): Promise<SessionView> {
  const until = performance.now() + seconds * 1000;
  let restsSince: number | null = null;
  for (;;) {
    const view = await api.get(sessionPath(id), SessionView);
    const now = performance.now();
    const rests = view.turn === "idle" && view.outcome === null && view.openGate === null;
    restsSince = rests ? (restsSince ?? now) : null;
    const settled = restsSince === null || now - restsSince >= idleGraceMs;
    if ((settled && enough(view)) || now + pollMs > until) return view;
    await pause(pollMs, undefined, { signal });
  }
}

/** Counted before it is there, so that many that are asked for at once count too. */
async function start({ api, started }: ToolCall, wish: { workspace: string; question: string }): Promise<string> {
  started.starting += 1;
  try {
    await refuseTooMany(api, started);
    const { id } = await api.post("/api/sessions", wish, CreatedSession);
    started.ids.add(id);
    return id;
  } finally {
    started.starting -= 1;
  }
}

async function refuseTooMany(api: ThothApi, started: StartedSessions): Promise<void> {
  if (started.ids.size + started.starting <= mostOpen) return;
  for (const id of started.ids) {
    // A removed session is nobody's work any more.
    const view = await api.get(sessionPath(id), SessionView).catch(() => null);
    if (!view || (view.turn !== "running" && view.turn !== "waiting")) started.ids.delete(id);
  }
  if (started.ids.size + started.starting <= mostOpen) return;
  throw new ThothError(
    "sessions-open",
    `${mostOpen} sessions that were asked for here still work or wait for the reviewer.`,
    `Let the reviewer answer or stop some of them at ${api.page} before asking more.`,
  );
}

async function toState(api: ThothApi, view: SessionView): Promise<SessionState> {
  const notes: string[] = [];
  const page = `${api.page}/s/${encodeURIComponent(view.id)}`;
  const question = view.followUp ?? view.question;
  if (question.length > 2_000) notes.push("The question is cut.");
  return {
    session: view.id,
    workspace: view.workspace,
    question: capText(question, 2_000),
    turn: view.turn,
    phase: view.phase,
    phaseTitle: phaseTitles[view.phase],
    gate: view.openGate && { kind: view.openGate.kind, asked: toAskedText(view.openGate) },
    outcome: view.outcome,
    answer: await toAnswer(api, view, notes),
    cannotAnswer: view.outcome === "cannot-answer" ? view.cannotAnswer : null,
    failure: view.failure && { message: view.failure.message, action: view.failure.action },
    page,
    next: toNext(view, page),
    notes,
  };
}

async function toAnswer(api: ThothApi, view: SessionView, notes: string[]): Promise<SessionState["answer"]> {
  if (view.outcome !== "answered" || view.sql === null) return null;
  if (view.sql.length > mostSql) notes.push("The SQL is cut; the page has all of it.");
  const said = { sql: capText(view.sql, mostSql), explanation: capText(view.explanation ?? "", 2_000) };
  try {
    const result = await api.get(`${sessionPath(view.id)}/result?format=json`, QueryResult);
    return { ...said, ...capRows(result, notes) };
  } catch (error) {
    // The SQL is worth having without its rows.
    if (!(error instanceof ThothError)) throw error;
    notes.push(withoutPaths(`The rows can't be shown: ${error.message} ${error.action ?? ""}`.trim()));
    return { ...said, columns: [], rows: [] };
  }
}

function toNext({ turn, outcome, openGate, failure }: SessionView, page: string): string {
  if (openGate)
    return `The reviewer must answer at ${page} (if that page asks for access: \`thoth open\` on the machine it runs on). Nobody else can; look again with session_status.`;
  if (turn === "running") return "The model works. Look again with session_status.";
  if (outcome === "answered") return "Done: the reviewer accepted this SQL.";
  if (outcome === "cannot-answer") return "Done: the data to answer it isn't there.";
  if (failure || turn === "failed") return `It stopped. The reviewer can resume it at ${page}.`;
  return `It rests without an answer. The reviewer can go on at ${page}.`;
}
