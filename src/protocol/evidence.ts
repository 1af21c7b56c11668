/** What was measured on the database for a gate. Every figure is a count of rows unless a name says otherwise. */
import { type Static, Type } from "typebox";
import { QueryResult } from "./results.ts";

export const Chip = Type.Object({
  label: Type.String({ maxLength: 120 }),
  /** The words put into `What should change`. */
  text: Type.String({ maxLength: 400 }),
});
export type Chip = Static<typeof Chip>;

export const Severity = Type.Union([
  Type.Literal("info"),
  Type.Literal("notice"),
  Type.Literal("warning"),
  Type.Literal("problem"),
]);
export type Severity = Static<typeof Severity>;

export const Finding = Type.Object({
  id: Type.String(),
  code: Type.String(),
  severity: Severity,
  /** One sentence. */
  title: Type.String({ maxLength: 300 }),
  /** At most two sentences. */
  body: Type.String({ maxLength: 1000 }),
  /** A small table that proves it: numbers as text, first column left-aligned. */
  proof: Type.Optional(
    Type.Object({ columns: Type.Array(Type.String()), rows: Type.Array(Type.Array(Type.String())) }),
  ),
  waysOut: Type.Array(Chip),
  /** 1-based number of the join, filter or step it is about. */
  where: Type.Optional(Type.Integer({ minimum: 1 })),
});
export type Finding = Static<typeof Finding>;

export const Check = Type.Object({ ok: Type.Boolean(), text: Type.String({ maxLength: 300 }) });
export type Check = Static<typeof Check>;

export const TableEvidence = Type.Object({
  table: Type.String(),
  use: Type.Union([Type.Literal("used"), Type.Literal("left-out")]),
  reason: Type.String(),
  rows: Type.Integer(),
  columns: Type.Array(
    Type.Object({
      name: Type.String(),
      type: Type.String(),
      role: Type.Optional(Type.String()),
      reason: Type.Optional(Type.String()),
      /** Values that are not NULL, and how many of them differ. */
      filled: Type.Integer(),
      distinct: Type.Integer(),
      samples: Type.Array(Type.String()),
    }),
  ),
});
export type TableEvidence = Static<typeof TableEvidence>;

export const JoinEvidence = Type.Object({
  /** 1-based, in the order of the proposal. */
  n: Type.Integer({ minimum: 1 }),
  pairs: Type.Array(
    Type.Object({
      left: Type.String(),
      leftType: Type.String(),
      right: Type.String(),
      rightType: Type.String(),
      origin: Type.Union([Type.Literal("declared"), Type.Literal("inferred")]),
      /** For an inferred pair: what speaks for it (name, type, value overlap). */
      why: Type.Optional(Type.String()),
    }),
  ),
  /** Measured, left to right: `1:N` means one left row meets many right rows. */
  cardinality: Type.Union([
    Type.Literal("1:1"),
    Type.Literal("1:N"),
    Type.Literal("N:1"),
    Type.Literal("N:M"),
    Type.Literal("none"),
  ]),
  /** Most partners of one left row, of one right row. */
  maxRight: Type.Integer(),
  maxLeft: Type.Integer(),
  leftRows: Type.Integer(),
  leftMatched: Type.Integer(),
  leftNullKeys: Type.Integer(),
  rightRows: Type.Integer(),
  rightMatched: Type.Integer(),
  rightNullKeys: Type.Integer(),
  /** Rows of the joined set before and after this join, without the question's filters. */
  before: Type.Integer(),
  after: Type.Integer(),
  /** Set when its figures come from a sample of the keys, or its rows took too long to count. */
  estimated: Type.Optional(Type.Literal(true)),
});
export type JoinEvidence = Static<typeof JoinEvidence>;

export const JoinSetEvidence = Type.Object({
  tables: Type.Array(
    Type.Object({
      table: Type.String(),
      alias: Type.String(),
      role: Type.Optional(Type.String()),
      rows: Type.Integer(),
    }),
  ),
  joins: Type.Array(JoinEvidence),
  checks: Type.Array(Check),
  /** False when a join is `estimated`. */
  exact: Type.Boolean(),
  ms: Type.Number(),
});
export type JoinSetEvidence = Static<typeof JoinSetEvidence>;

export const FilterEvidence = Type.Object({
  n: Type.Integer({ minimum: 1 }),
  /** Rows of the filter's table that the condition keeps; null when it can't be counted on that table alone. */
  kept: Type.Union([Type.Integer(), Type.Null()]),
  of: Type.Integer(),
  /** The same over the rows of the accepted join set, for a filter on one of its tables. */
  joined: Type.Optional(Type.Object({ kept: Type.Integer(), of: Type.Integer() })),
  matches: Type.Array(
    Type.Object({
      value: Type.String(),
      how: Type.Union([
        Type.Literal("exact"),
        Type.Literal("case"),
        Type.Literal("accent"),
        Type.Literal("prefix"),
        Type.Literal("contains"),
        Type.Literal("near"),
      ]),
      rows: Type.Integer(),
      inFilter: Type.Boolean(),
    }),
  ),
  /** Distinct stored values searched; `partial` when the index has a cap. */
  searched: Type.Integer(),
  partial: Type.Boolean(),
  format: Type.Optional(Type.String()),
  range: Type.Optional(Type.Object({ min: Type.String(), max: Type.String() })),
  /** Rows per period, for date filters. */
  buckets: Type.Optional(Type.Array(Type.Object({ label: Type.String(), rows: Type.Integer(), kept: Type.Integer() }))),
});
export type FilterEvidence = Static<typeof FilterEvidence>;

export const StepEvidence = Type.Object({
  n: Type.Integer({ minimum: 1 }),
  name: Type.String(),
  purpose: Type.String(),
  /** The step's slice of the original text, and the line of the whole text it starts on. */
  sql: Type.String(),
  startLine: Type.Integer({ minimum: 1 }),
  inputs: Type.Array(Type.Object({ name: Type.String(), rows: Type.Integer(), table: Type.Boolean() })),
  /** First rows, at most 20, cells of at most 200 characters. */
  result: QueryResult,
  rowCount: Type.Integer(),
  /** The largest input that the bar is drawn against, and where its rows went. */
  base: Type.Integer(),
  folded: Type.Integer(),
  leftOut: Type.Integer(),
  why: Type.String(),
  ms: Type.Number(),
});
export type StepEvidence = Static<typeof StepEvidence>;

export const ConformanceRow = Type.Object({
  seq: Type.Integer(),
  text: Type.String(),
  status: Type.Union([Type.Literal("found"), Type.Literal("deviates"), Type.Literal("missing")]),
  /** 1-based lines of the shown SQL. */
  lines: Type.Array(Type.Integer()),
});
export type ConformanceRow = Static<typeof ConformanceRow>;

export const Deviation = Type.Object({
  /** Stable for the same SQL and ledger; what `acceptedDeviations` names. */
  id: Type.String(),
  seq: Type.Optional(Type.Integer()),
  title: Type.String(),
  body: Type.String(),
  accepted: Type.Optional(Type.String()),
  inSql: Type.Optional(Type.String()),
  lines: Type.Array(Type.Integer()),
});
export type Deviation = Static<typeof Deviation>;

export const Conformance = Type.Object({ rows: Type.Array(ConformanceRow), deviations: Type.Array(Deviation) });
export type Conformance = Static<typeof Conformance>;
