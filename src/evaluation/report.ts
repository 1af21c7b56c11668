/** The report: its shape on disk, and the figures that are counted from its results. */
import { type Static, Type } from "typebox";
import { Cell } from "../protocol/results.ts";
import { wilsonInterval } from "./proportions.ts";

/** The note of an answer that is wrong by its order alone. */
export const otherOrder = "Gold's rows in another order.";

export const outcomes = ["right", "wrong", "cannot-answer", "asked", "failed"] as const;
export const Outcome = Type.Enum(outcomes);
export type Outcome = (typeof outcomes)[number];

/** Why a question doesn't count with the others. */
const Apart = Type.Union([
  Type.Literal("time-dependent"),
  Type.Literal("empty-gold"),
  Type.Literal("gold-fails"),
  Type.Literal("unanswerable"),
  Type.Literal("ambiguous"),
]);
export type Apart = Static<typeof Apart>;

const FirstRows = Type.Object({
  columns: Type.Array(Type.String()),
  rows: Type.Array(Type.Array(Cell)),
  rowCount: Type.Integer(),
  truncated: Type.Boolean(),
});
export type FirstRows = Static<typeof FirstRows>;

/** One thing that the reviewer said instead of Continue. */
const Said = Type.Object({
  phase: Type.String(),
  /** Key of the report's `templates`; `option` for a choice among those shown. */
  template: Type.String(),
  text: Type.String(),
});
export type Said = Static<typeof Said>;

export const EvaluatedQuestion = Type.Object({
  id: Type.String(),
  db: Type.String(),
  question: Type.String(),
  predicted_sql: Type.Union([Type.String(), Type.Null()]),
  outcome: Outcome,
  /** How often the reviewer said something else than Continue. */
  corrections: Type.Integer({ minimum: 0 }),
  /** Wall time from the question to its end. */
  ms: Type.Number(),
  tokens: Type.Integer({ minimum: 0 }),
  source: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  apart: Type.Optional(Apart),
  gold_sql: Type.Optional(Type.String()),
  gold_rows: Type.Optional(FirstRows),
  predicted_rows: Type.Optional(FirstRows),
  /** What was asked, what is missing, or why it failed. */
  note: Type.Optional(Type.String()),
  /** For `asked`: what the SQL was worth that came after the proposed option was taken. */
  after_asking: Type.Optional(Outcome),
  said: Type.Optional(Type.Array(Said)),
  /** With a reviewer who knows: the outcome with at most 0, 1, 2, 3 corrections. */
  by_corrections: Type.Optional(Type.Array(Outcome)),
  /** For an ambiguous question: where both readings were named. */
  readings: Type.Optional(
    Type.Object({ asked: Type.Boolean(), open_question: Type.Boolean(), left_out: Type.Boolean() }),
  ),
});
export type EvaluatedQuestion = Static<typeof EvaluatedQuestion>;

export const ReportHead = Type.Object({
  version: Type.Literal(1),
  program: Type.String(),
  model: Type.String(),
  reviewer: Type.Union([Type.Literal("none"), Type.Literal("oracle")]),
  /** `child`: the real workflow; `planner`: the offline planner called directly. */
  way: Type.Union([Type.Literal("child"), Type.Literal("planner")]),
  /** The question set: the file's name, and a hash of what was asked. */
  questions: Type.Object({
    file: Type.String(),
    sha256: Type.String(),
    count: Type.Integer(),
    left_out: Type.Integer(),
  }),
  started: Type.String(),
});
export type ReportHead = Static<typeof ReportHead>;

const Group = Type.Object({
  name: Type.String(),
  questions: Type.Integer(),
  right: Type.Integer(),
  wrong: Type.Integer(),
  cannot_answer: Type.Integer(),
  asked: Type.Integer(),
  failed: Type.Integer(),
  accuracy: Type.Number(),
  /** 95 %, Wilson. */
  low: Type.Number(),
  high: Type.Number(),
});
export type Group = Static<typeof Group>;

const Summary = Type.Object({
  all: Group,
  /** Of the wrong ones: those that have gold's rows in another order. */
  other_order: Type.Integer(),
  apart: Type.Array(Group),
  by_source: Type.Array(Group),
  by_db: Type.Array(Group),
  by_tag: Type.Array(Group),
  /** Right with at most 0, 1, 2, 3 corrections. */
  curve: Type.Optional(Type.Array(Group)),
  /** Questions that the data can't answer: those that ended so, or in a question. */
  unanswerable: Type.Optional(Group),
  readings: Type.Optional(
    Type.Object({
      questions: Type.Integer(),
      asked: Type.Integer(),
      open_question: Type.Integer(),
      left_out: Type.Integer(),
      named: Type.Integer(),
    }),
  ),
  ms: Type.Object({ median: Type.Number(), p95: Type.Number() }),
  tokens: Type.Object({ total: Type.Integer(), per_question: Type.Number() }),
});
export type Summary = Static<typeof Summary>;

export const Report = Type.Object({
  ...ReportHead.properties,
  finished: Type.Union([Type.String(), Type.Null()]),
  summary: Summary,
  /** Everything that the reviewer who knows gold can say. */
  templates: Type.Optional(Type.Record(Type.String(), Type.Object({ says: Type.String(), when: Type.String() }))),
  results: Type.Array(EvaluatedQuestion),
});
export type Report = Static<typeof Report>;

export function toGroup(name: string, ends: readonly Outcome[]): Group {
  const count = (outcome: Outcome) => ends.filter((end) => end === outcome).length;
  const right = count("right");
  const { low, high } = wilsonInterval(right, ends.length);
  return {
    name,
    questions: ends.length,
    right,
    wrong: count("wrong"),
    cannot_answer: count("cannot-answer"),
    asked: count("asked"),
    failed: count("failed"),
    accuracy: ends.length === 0 ? 0 : right / ends.length,
    low,
    high,
  };
}

export function summarise(results: readonly EvaluatedQuestion[]): Summary {
  const scored = results.filter((result) => result.apart === undefined);
  const ambiguous = results.filter((result) => result.readings !== undefined);
  const named = ({ readings }: EvaluatedQuestion) => Object.values(readings ?? {}).some(Boolean);
  const times = results.map((result) => result.ms).sort((a, b) => a - b);
  const tokens = results.reduce((sum, result) => sum + result.tokens, 0);
  const stepped = scored.filter((result) => result.by_corrections !== undefined);
  const unanswerable = results.filter((result) => result.apart === "unanswerable");
  return {
    all: toGroup("all", scored.map(toOutcome)),
    other_order: scored.filter(({ outcome, note }) => outcome === "wrong" && note === otherOrder).length,
    apart: groupBy(
      results.filter((result) => result.apart !== undefined),
      (result) => [result.apart ?? ""],
    ),
    by_source: groupBy(scored, (result) => [result.source ?? "no source"]),
    by_db: groupBy(scored, (result) => [result.db]),
    by_tag: groupBy(scored, (result) => result.tags ?? []),
    ...(stepped.length > 0
      ? {
          curve: [0, 1, 2, 3].map((most) =>
            toGroup(
              `at most ${most}`,
              stepped.map((result) => result.by_corrections?.[most] ?? result.outcome),
            ),
          ),
        }
      : {}),
    ...(unanswerable.length > 0 ? { unanswerable: toGroup("unanswerable", unanswerable.map(toOutcome)) } : {}),
    ...(ambiguous.length > 0
      ? {
          readings: {
            questions: ambiguous.length,
            asked: ambiguous.filter(({ readings }) => readings?.asked).length,
            open_question: ambiguous.filter(({ readings }) => readings?.open_question).length,
            left_out: ambiguous.filter(({ readings }) => readings?.left_out).length,
            named: ambiguous.filter(named).length,
          },
        }
      : {}),
    ms: { median: quantile(times, 0.5), p95: quantile(times, 0.95) },
    tokens: { total: tokens, per_question: results.length === 0 ? 0 : tokens / results.length },
  };
}

const toOutcome = (result: EvaluatedQuestion): Outcome => result.outcome;

function groupBy(results: readonly EvaluatedQuestion[], namesOf: (result: EvaluatedQuestion) => string[]): Group[] {
  const groups = new Map<string, Outcome[]>();
  for (const result of results)
    for (const name of new Set(namesOf(result))) groups.set(name, [...(groups.get(name) ?? []), result.outcome]);
  return [...groups].map(([name, ends]) => toGroup(name, ends)).sort((a, b) => a.name.localeCompare(b.name));
}

/** Of a sorted list. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
