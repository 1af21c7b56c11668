/** HTTP bodies, one pair per route. */
import { type Static, Type } from "typebox";
import { Catalog } from "./catalog.ts";
import { Decision } from "./decisions.ts";
import { Failure, Problem } from "./errors.ts";
import { Outcome } from "./events.ts";
import { Severity } from "./evidence.ts";
import { GateKindSchema, OpenGate } from "./gates.ts";
import { ProviderItem } from "./models.ts";
import { PhaseId, PhaseView, ReviewMode, ThinkingLevel, TurnState } from "./phases.ts";
import { Budget, BudgetWish, Usage } from "./usage.ts";

const closed = { additionalProperties: false } as const;
/** Longest question in characters. */
export const maxQuestion = 10_000;

export const CreateSession = Type.Object(
  {
    workspace: Type.String({ minLength: 1, maxLength: 100 }),
    question: Type.String({ minLength: 1 }),
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    thinking: Type.Optional(ThinkingLevel),
    review: Type.Optional(ReviewMode),
    /** Null for none, whatever the default says. */
    budget: Type.Optional(Type.Union([BudgetWish, Type.Null()])),
  },
  closed,
);
export type CreateSession = Static<typeof CreateSession>;
export const CreatedSession = Type.Object({ id: Type.String() });

/** What was asked last, once that is no longer the session's question. */
const followUp = Type.String();

export const SessionView = Type.Object({
  id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  workspace: Type.String(),
  question: Type.String(),
  followUp: Type.Optional(followUp),
  provider: Type.String(),
  model: Type.String(),
  thinking: ThinkingLevel,
  thinkingInForce: Type.Union([ThinkingLevel, Type.Null()]),
  review: ReviewMode,
  turn: TurnState,
  phase: PhaseId,
  phases: Type.Array(PhaseView),
  openGate: Type.Union([OpenGate, Type.Null()]),
  sql: Type.Union([Type.String(), Type.Null()]),
  explanation: Type.Union([Type.String(), Type.Null()]),
  outcome: Outcome,
  /** With outcome `cannot-answer`. */
  cannotAnswer: Type.Union([Type.Object({ missing: Type.String(), reason: Type.String() }), Type.Null()]),
  failure: Type.Union([Failure, Type.Null()]),
  /** A child is there now. */
  live: Type.Boolean(),
  /** Place among the sessions whose start waits for others, 1 for the next one; absent when it needn't wait. */
  startPlace: Type.Optional(Type.Integer({ minimum: 1 })),
  /** Of the whole session, and of the turn that goes on or was the last. */
  usage: Type.Optional(Type.Object({ session: Usage, turn: Usage })),
  budget: Type.Optional(Type.Union([Budget, Type.Null()])),
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type SessionView = Static<typeof SessionView>;

export const SessionItem = Type.Object({
  id: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  workspace: Type.String(),
  question: Type.String(),
  followUp: Type.Optional(followUp),
  turn: TurnState,
  phase: PhaseId,
  outcome: Outcome,
  createdAt: Type.String(),
  updatedAt: Type.String(),
});
export type SessionItem = Static<typeof SessionItem>;
export const SessionList = Type.Object({
  /** Open gates first, then what runs, what failed and the rest; latest first in each. */
  sessions: Type.Array(SessionItem),
  /** How many there are that fit, more than are sent when `limit` cut them. */
  total: Type.Integer(),
});
export type SessionList = Static<typeof SessionList>;
/** Most sessions in one answer. */
export const mostSessions = 20_000;
export const FindSessions = Type.Object({
  /** Words that must all stand in a session's name, question, follow-up or workspace. */
  text: Type.Optional(Type.String({ maxLength: 200 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostSessions })),
});
export type FindSessions = Static<typeof FindSessions>;

/** The ledger as the page gets it: queries without SQL and rows, gates without their payload. */
export const LedgerView = Type.Object({
  entries: Type.Array(
    Type.Object({
      seq: Type.Integer(),
      at: Type.String(),
      type: Type.String(),
      phase: Type.Optional(PhaseId),
      gateId: Type.Optional(Type.String()),
      kind: Type.Optional(GateKindSchema),
      answer: Type.Optional(Type.String()),
      text: Type.Optional(Type.String()),
      by: Type.Optional(Type.String()),
      decision: Type.Optional(Decision),
      summary: Type.Optional(Type.Unknown()),
      /** For decisions: false once a later entry superseded it. */
      holds: Type.Optional(Type.Boolean()),
      reason: Type.Optional(Type.String()),
      tool: Type.Optional(Type.String()),
      rowCount: Type.Optional(Type.Integer()),
      ms: Type.Optional(Type.Number()),
      ok: Type.Optional(Type.Boolean()),
    }),
  ),
});
export type LedgerView = Static<typeof LedgerView>;
export type LedgerViewEntry = LedgerView["entries"][number];

export const Words = Type.Object({ text: Type.String({ minLength: 1 }) }, closed);
export const Resumed = Type.Object({
  resumed: Type.Union([Type.Literal("kept"), Type.Literal("cold")]),
  epoch: Type.String(),
});
export const ResumeRefused = Type.Object({ error: Problem, problems: Type.Array(Problem) });
export const PatchSession = Type.Object(
  {
    name: Type.Optional(Type.String({ maxLength: 200 })),
    provider: Type.Optional(Type.String()),
    model: Type.Optional(Type.String()),
    thinking: Type.Optional(ThinkingLevel),
    /** Null takes the budget away. */
    budget: Type.Optional(Type.Union([BudgetWish, Type.Null()])),
  },
  closed,
);
export type PatchSession = Static<typeof PatchSession>;
export const Reopen = Type.Object({ phase: PhaseId }, closed);

export const GateAnswered = Type.Object({
  gateId: Type.String(),
  answer: Type.Union([Type.Literal("continue"), Type.Literal("other")]),
  seqs: Type.Array(Type.Integer()),
  next: Type.Union([PhaseId, Type.Null()]),
});
export type GateAnswered = Static<typeof GateAnswered>;

const opened = {
  engine: Type.String(),
  /** Where it is, for people: `chinook.sqlite`, `shop on db.example:5432`; empty when its file can't be read. */
  place: Type.String(),
  /** What answered, e.g. `PostgreSQL 18.4`; empty when nothing did. */
  product: Type.String(),
  tables: Type.Integer(),
  /** What a reader should know of this login, and statements to copy. */
  warnings: Type.Array(Type.Object({ message: Type.String(), remedy: Type.String() })),
};
export const ConnectionTest = Type.Object(opened);
export type ConnectionTest = Static<typeof ConnectionTest>;
export const WorkspaceItem = Type.Object({
  name: Type.String(),
  demo: Type.Boolean(),
  /** Null when the database can be opened. */
  problem: Type.Union([Problem, Type.Null()]),
  ...opened,
});
export type WorkspaceItem = Static<typeof WorkspaceItem>;
export const WorkspaceList = Type.Object({ workspaces: Type.Array(WorkspaceItem) });
const wish = {
  /** A database's file, a file of data, or a folder of such files. */
  file: Type.Optional(Type.String({ maxLength: 4096 })),
  /** `postgres://user@host:5432/database`, `mysql://…`; a password in it is kept apart. */
  url: Type.Optional(Type.String({ maxLength: 4096 })),
  password: Type.Optional(Type.String({ maxLength: 1000 })),
  /** Variable of the server's environment that holds the password. */
  passwordEnv: Type.Optional(Type.String({ pattern: "^[A-Za-z_][A-Za-z0-9_]{0,99}$" })),
};
export const ConnectionWish = Type.Object(wish, closed);
export type ConnectionWish = Static<typeof ConnectionWish>;
export const AddWorkspace = Type.Object(
  { name: Type.String({ pattern: "^[a-z0-9][a-z0-9_-]{0,62}$" }), ...wish },
  closed,
);
export type AddWorkspace = Static<typeof AddWorkspace>;
export const CatalogView = Type.Object({
  workspace: Type.String(),
  catalog: Catalog,
  /** What is wrong in the workspace's files, by file and line; descriptions that can be used are in the catalog. */
  problems: Type.Array(Problem),
});
export type CatalogView = Static<typeof CatalogView>;
/** A question that the database can surely be asked; `kind` says what it takes, in a word or two. */
export const FirstQuestion = Type.Object({ question: Type.String(), kind: Type.String() });
export type FirstQuestion = Static<typeof FirstQuestion>;
export const FirstQuestions = Type.Object({ questions: Type.Array(FirstQuestion) });
/** Longest description of a table or column, in characters. */
export const maxDescription = 4_000;
export const Describe = Type.Object(
  {
    table: Type.String({ minLength: 1, maxLength: 512 }),
    /** Absent for the table itself. */
    column: Type.Optional(Type.String({ minLength: 1, maxLength: 512 })),
    /** Empty takes the description away: the database's own comment stands again. */
    description: Type.String({ maxLength: maxDescription }),
    /** The workspace's description that this one was made from; empty when there was none. Another one there: 409. */
    before: Type.String(),
  },
  closed,
);
export type Describe = Static<typeof Describe>;
/** Most rows of a table that are shown beside its columns. */
export const mostFirstRows = 200;
export const FirstRows = Type.Object({
  table: Type.String({ minLength: 1, maxLength: 512 }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: mostFirstRows })),
});

/** Longest statement that is checked, in characters. */
export const maxCheckedSql = 100_000;
export const CheckStatement = Type.Object(
  {
    workspace: Type.String({ minLength: 1, maxLength: 100 }),
    sql: Type.String({ minLength: 1, maxLength: maxCheckedSql }),
    question: Type.Optional(Type.String({ maxLength: maxQuestion })),
  },
  closed,
);
export type CheckStatement = Static<typeof CheckStatement>;
export const CheckWarning = Type.Object({
  code: Type.String(),
  severity: Severity,
  message: Type.String(),
  /** The place in the statement or the data that is meant. */
  where: Type.String(),
});
export type CheckWarning = Static<typeof CheckWarning>;
/** `ok` is false as soon as one of the warnings is a `warning` or a `problem`. */
export const CheckedStatement = Type.Object({ ok: Type.Boolean(), warnings: Type.Array(CheckWarning) });
export type CheckedStatement = Static<typeof CheckedStatement>;

export const ModelItem = Type.Object({
  provider: Type.String(),
  id: Type.String(),
  name: Type.String(),
  reasoning: Type.Boolean(),
  thinkingLevels: Type.Array(ThinkingLevel),
  /** In tokens; 0 when nobody knows. */
  contextWindow: Type.Integer(),
  /** US dollars per million tokens; null when the provider names none, as local servers do. */
  price: Type.Union([Type.Object({ input: Type.Number(), output: Type.Number() }), Type.Null()]),
  local: Type.Boolean(),
});
export type ModelItem = Static<typeof ModelItem>;
export const ModelList = Type.Object({
  models: Type.Array(ModelItem),
  /** With a key or without: a provider that has none has no models above. */
  providers: Type.Array(ProviderItem),
  /** What a new session takes when it names nothing else. */
  default: Type.Object({
    provider: Type.String(),
    model: Type.String(),
    thinking: ThinkingLevel,
    budget: Type.Union([Budget, Type.Null()]),
  }),
});
export type ModelList = Static<typeof ModelList>;

export const Health = Type.Object({ status: Type.Literal("ok"), version: Type.String() });
export const Readiness = Type.Object({ ready: Type.Boolean(), problems: Type.Array(Problem) });
