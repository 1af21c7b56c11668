/**
 * The gates: one entry per kind with what is shown and what is proposed. Look `kind` up first and then check
 * that one schema: errors of a union blame the wrong branch.
 */
import { type Static, type TSchema, Type } from "typebox";
import {
  ColumnDecision,
  CteDecision,
  FilterDecision,
  InterpretationDecision,
  JoinDecision,
  TableDecision,
} from "./decisions.ts";
import {
  Check,
  Chip,
  Conformance,
  FilterEvidence,
  Finding,
  JoinSetEvidence,
  StepEvidence,
  TableEvidence,
} from "./evidence.ts";
import { PhaseId } from "./phases.ts";
import { QueryResult } from "./results.ts";
import { PhaseSummary } from "./summaries.ts";
import { Budget, Usage } from "./usage.ts";

/** A piece of the workspace's knowledge beside a proposal: what it says, and the file in which a person can change it. */
export const RestsOnKnowledge = Type.Object({
  kind: Type.Enum(["description", "relation", "synonym", "evidence", "verified", "directive"]),
  title: Type.String({ maxLength: 300 }),
  /** Relative to the workspace's folder. */
  file: Type.String({ maxLength: 1000 }),
  line: Type.Optional(Type.Integer({ minimum: 1 })),
  /** What stands there, shortened. */
  excerpt: Type.String({ maxLength: 2000 }),
  /** Why it was found: `the question says “revenue”`. */
  why: Type.String({ maxLength: 500 }),
});
export type RestsOnKnowledge = Static<typeof RestsOnKnowledge>;

/** Earlier decisions by number, or a piece of knowledge (then without numbers). */
export const RestsOnItem = Type.Object({
  seqs: Type.Array(Type.Integer()),
  label: Type.String(),
  knowledge: Type.Optional(RestsOnKnowledge),
});
export type RestsOnItem = Static<typeof RestsOnItem>;

/** What every widget shows around its own content, in this order: asked, evidence, consequence. */
export const GateFrame = Type.Object({
  /** A plain question, e.g. `Are these five joins right?` */
  title: Type.String({ maxLength: 300 }),
  intro: Type.String({ maxLength: 2000 }),
  findings: Type.Array(Finding),
  /** Lines of `What Continue writes`. */
  writes: Type.Array(Type.String({ maxLength: 2000 })),
  /** Dock sentence, e.g. `Writes all 5 joins as one set. Next: F4 Filters.` */
  consequence: Type.String({ maxLength: 400 }),
  /** Dock sentence while `Other — specify` is open. */
  otherConsequence: Type.String({ maxLength: 400 }),
  chips: Type.Array(Type.Object({ group: Type.String(), chips: Type.Array(Chip) })),
  restsOn: Type.Array(RestsOnItem),
  /** The very question was verified before, and this is what was accepted then: the gate answers itself. */
  verifiedBy: Type.Optional(
    Type.Object({
      file: Type.String({ maxLength: 1000 }),
      origin: Type.Object({ session: Type.String({ maxLength: 100 }), seq: Type.Integer() }),
    }),
  ),
  /** When present, Continue also closes the phase with this summary. */
  summary: Type.Optional(PhaseSummary),
  /** Closing gates still to come after this one. */
  gatesLeft: Type.Integer({ minimum: 0 }),
});
export type GateFrame = Static<typeof GateFrame>;

export const PhaseSummaryPayload = Type.Object({ frame: GateFrame, summary: PhaseSummary });
export const QuestionPayload = Type.Object({
  frame: GateFrame,
  /** Names the ambiguity, so that its answer is found again: the same topic is not asked twice. */
  topic: Type.String({ maxLength: 200 }),
  question: Type.String({ maxLength: 2000 }),
  /** `proposed` is what Continue without a choice means; exactly one option has it. */
  options: Type.Array(
    Type.Object({
      id: Type.String({ maxLength: 100 }),
      label: Type.String({ maxLength: 400 }),
      detail: Type.Optional(Type.String({ maxLength: 1000 })),
      proposed: Type.Optional(Type.Boolean()),
    }),
  ),
  /** Set when Continue ends the session: the data isn't there. */
  cannotAnswer: Type.Optional(Type.Object({ missing: Type.String(), reason: Type.String() })),
  /** Set when the session's budget is used up: `raised` is what the option `raise` makes it. */
  budget: Type.Optional(Type.Object({ used: Usage, limit: Budget, raised: Budget })),
});
export const DecisionReviewPayload = Type.Object({
  frame: GateFrame,
  decisions: Type.Array(Type.Union([InterpretationDecision, TableDecision, ColumnDecision, FilterDecision])),
  tables: Type.Optional(Type.Array(TableEvidence)),
  filters: Type.Optional(Type.Array(FilterEvidence)),
});
export const JoinReviewPayload = Type.Object({
  frame: GateFrame,
  decisions: Type.Array(JoinDecision),
  evidence: JoinSetEvidence,
});
export const CteReviewPayload = Type.Object({
  frame: GateFrame,
  decisions: Type.Array(CteDecision),
  /** The whole text that was run, byte for byte. */
  sql: Type.String(),
  steps: Type.Array(StepEvidence),
  /** Tables the steps read, drawn above the first step that reads them. */
  checks: Type.Array(Check),
});
export const SqlReviewPayload = Type.Object({
  frame: GateFrame,
  sql: Type.String(),
  explanation: Type.String(),
  conformance: Conformance,
  /** First rows of the result of exactly `sql`, at most 50, cells of at most 200 characters. */
  result: QueryResult,
  ms: Type.Number(),
  checks: Type.Array(Check),
  /** Set when the reviewer wrote this SQL. */
  by: Type.Optional(Type.Literal("reviewer")),
});

/** Longest statement of a reviewer or a model, in characters. */
export const maxSql = 100_000;

export const gates = {
  "phase-summary": PhaseSummaryPayload,
  question: QuestionPayload,
  "decision-review": DecisionReviewPayload,
  "join-review": JoinReviewPayload,
  "cte-review": CteReviewPayload,
  "sql-review": SqlReviewPayload,
} satisfies Record<string, TSchema>;
export type GateKind = keyof typeof gates;
export const gateKinds = Object.keys(gates) as GateKind[];
export const GateKindSchema = Type.Enum(gateKinds);
export type GatePayload<K extends GateKind = GateKind> = Static<(typeof gates)[K]>;

/** `gate_opened` and `openGate`. `hash` is the SHA-256 of the canonical payload; an answer must repeat it. */
export const OpenGate = Type.Object({
  gateId: Type.String(),
  kind: GateKindSchema,
  phase: PhaseId,
  payload: Type.Unknown(),
  hash: Type.String(),
});
export type OpenGate = {
  [K in GateKind]: { gateId: string; kind: K; phase: PhaseId; payload: GatePayload<K>; hash: string };
}[GateKind];

export const GateAnswer = Type.Object(
  {
    answerId: Type.String({ minLength: 1, maxLength: 200 }),
    hash: Type.String({ minLength: 1, maxLength: 200 }),
    answer: Type.Union([Type.Literal("continue"), Type.Literal("other")]),
    text: Type.Optional(Type.String({ maxLength: 10_000 })),
    choice: Type.Optional(Type.String({ maxLength: 200 })),
    acceptedDeviations: Type.Optional(Type.Array(Type.String({ maxLength: 200 }), { maxItems: 100 })),
    /** With `other` at the final SQL: the reviewer's own text, which becomes the next proposal as it stands. */
    sql: Type.Optional(Type.String({ minLength: 1, maxLength: maxSql })),
  },
  { additionalProperties: false },
);
export type GateAnswer = Static<typeof GateAnswer>;

/** What the extension puts into the dialog (`ctx.ui.input("gate:v1:<id>", JSON)`): the backend checks it again. */
export const GateRequest = Type.Object({
  v: Type.Literal(1),
  gateId: Type.String({ minLength: 1, maxLength: 100 }),
  kind: GateKindSchema,
  phase: PhaseId,
  tool: Type.String(),
  payload: Type.Unknown(),
});
export type GateRequest = Static<typeof GateRequest>;

/** What the backend answers the dialog with, as a JSON string; it becomes the tool's result for the model. */
export const GateReply = Type.Object({
  v: Type.Literal(1),
  gateId: Type.String(),
  /** `refused`: the request itself was wrong, `text` says what to mend; nothing was opened. */
  answer: Type.Union([
    Type.Literal("continue"),
    Type.Literal("other"),
    Type.Literal("superseded"),
    Type.Literal("refused"),
  ]),
  text: Type.Optional(Type.String()),
  /** Label of the chosen option of a question. */
  choice: Type.Optional(Type.String()),
  /** With `other`: the reviewer's own SQL, to be measured and shown as it is. */
  sql: Type.Optional(Type.String()),
  /** Ledger numbers of the decisions written. */
  seqs: Type.Array(Type.Integer()),
  /** The phase to work on now; null when the session is answered. */
  next: Type.Union([PhaseId, Type.Null()]),
});
export type GateReply = Static<typeof GateReply>;
