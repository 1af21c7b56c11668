/** The durable, sequenced record of one session. Entries are never changed or removed; later entries supersede. */
import { type Static, Type } from "typebox";
import { Decision } from "./decisions.ts";
import { GateKindSchema } from "./gates.ts";
import { PhaseId } from "./phases.ts";
import { PhaseSummary } from "./summaries.ts";
import { Budget, Usage } from "./usage.ts";

const by = Type.Union([
  Type.Literal("reviewer"),
  Type.Literal("policy"),
  Type.Literal("system"),
  Type.Literal("model"),
  /** A verified query of the same question, named in the gate's answer. */
  Type.Literal("verified"),
]);

/** What a caller appends: `seq` and `at` are given under the lock. */
export const entryTypes = {
  /** A question or follow-up that started work; a follow-up supersedes earlier decisions. */
  prompt: Type.Object({
    type: Type.Literal("prompt"),
    text: Type.String(),
    kind: Type.Union([Type.Literal("question"), Type.Literal("follow-up"), Type.Literal("steer")]),
    /** Of the prompts that the model worked by. */
    promptVersion: Type.Optional(Type.String()),
  }),
  "gate-opened": Type.Object({
    type: Type.Literal("gate-opened"),
    gateId: Type.String(),
    kind: GateKindSchema,
    phase: PhaseId,
    tool: Type.String(),
    payload: Type.Unknown(),
    hash: Type.String(),
    /** Of the canonical {phase, kind, proposal} without evidence and prose: recognises the same proposal. */
    proposalHash: Type.String(),
  }),
  "gate-answered": Type.Object({
    type: Type.Literal("gate-answered"),
    gateId: Type.String(),
    phase: PhaseId,
    answerId: Type.String(),
    answer: Type.Union([Type.Literal("continue"), Type.Literal("other")]),
    text: Type.Optional(Type.String()),
    choice: Type.Optional(Type.String()),
    acceptedDeviations: Type.Optional(Type.Array(Type.String())),
    /** The reviewer's own SQL instead of the one shown. */
    sql: Type.Optional(Type.String()),
    /** Closed the phase; the next one begins. */
    closes: Type.Boolean(),
    by,
    /** With `by: "verified"`: the file of the verified query, and the entry that accepted it. */
    verified: Type.Optional(
      Type.Object({
        file: Type.String(),
        origin: Type.Object({ session: Type.String(), seq: Type.Integer() }),
      }),
    ),
  }),
  "gate-closed": Type.Object({
    type: Type.Literal("gate-closed"),
    gateId: Type.String(),
    phase: PhaseId,
    reason: Type.Union([
      Type.Literal("superseded"),
      Type.Literal("stopped"),
      Type.Literal("failed"),
      Type.Literal("reopened"),
    ]),
  }),
  /** The child has the answer. An answered gate without this is delivered again on resume. */
  "gate-delivered": Type.Object({ type: Type.Literal("gate-delivered"), gateId: Type.String() }),
  decision: Type.Object({
    type: Type.Literal("decision"),
    phase: PhaseId,
    gateId: Type.String(),
    decision: Decision,
    by,
  }),
  summary: Type.Object({
    type: Type.Literal("summary"),
    phase: PhaseId,
    gateId: Type.String(),
    summary: PhaseSummary,
    by,
  }),
  superseded: Type.Object({
    type: Type.Literal("superseded"),
    seqs: Type.Array(Type.Integer()),
    reason: Type.String(),
    phase: PhaseId,
  }),
  /** A query the model ran through a tool; SQL stays on the server. */
  query: Type.Object({
    type: Type.Literal("query"),
    tool: Type.String(),
    sql: Type.String(),
    ok: Type.Boolean(),
    rowCount: Type.Integer(),
    ms: Type.Number(),
  }),
  /** One answer of a model, or its shortening of the conversation; a failed attempt that was counted has one too. */
  usage: Type.Object({
    type: Type.Literal("usage"),
    provider: Type.String(),
    model: Type.String(),
    ...Usage.properties,
  }),
  /** From now on this is the session's limit; null takes it away. */
  budget: Type.Object({ type: Type.Literal("budget"), budget: Type.Union([Budget, Type.Null()]), by }),
  /** What became of the reviewer's words, or of an accepted SQL, beyond this session. */
  knowledge: Type.Object({
    type: Type.Literal("knowledge"),
    /** The entry that holds them. */
    of: Type.Integer({ minimum: 1 }),
    /** The piece in the workspace's folder; null when the reviewer dropped it. */
    piece: Type.Union([Type.String(), Type.Null()]),
    by,
  }),
  outcome: Type.Object({
    type: Type.Literal("outcome"),
    outcome: Type.Union([Type.Literal("answered"), Type.Literal("cannot-answer")]),
    missing: Type.Optional(Type.String()),
    reason: Type.Optional(Type.String()),
  }),
} as const;
export type NewEntry = Static<(typeof entryTypes)[keyof typeof entryTypes]>;
export type EntryType = NewEntry["type"];
export const stamp = Type.Object({ seq: Type.Integer({ minimum: 1 }), at: Type.String() });
export type LedgerEntry = NewEntry & Static<typeof stamp>;

/** The file. `entries[i].seq === i + 1`. Checked entry by entry (look `type` up first), so old files stay readable. */
export const LedgerFile = Type.Object({
  version: Type.Literal(1),
  sessionId: Type.String(),
  entries: Type.Array(Type.Unknown()),
});
export type Ledger = { version: 1; sessionId: string; entries: LedgerEntry[] };
