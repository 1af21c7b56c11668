/** Adding a condition to the frame: alternatives become IN, contradictions of one column too, negatives NOT IN. */

import type { Clause, NounPhrase } from "../clauses/clause-types.ts";
import type { ColumnRef } from "../schema/schema.ts";
import type { Period } from "../words/dates.ts";
import type { Building } from "./building.ts";
import type { Condition } from "./frame.ts";
import { tableOf, toScalar } from "./meanings.ts";

export const flip = { "=": "<>", "<>": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<", BETWEEN: "BETWEEN" } as const;

export function subjectTable(clause: Clause, build: Building): string {
  return tableOf(clause.subject, build, [build.frame.entity]) ?? build.frame.entity;
}

export function push(build: Building, condition: Condition, or: boolean): void {
  const { conditions } = build.frame;
  const share = build.frame.share;
  const list = share ? share.part : conditions;
  const bare = (known: Condition) => JSON.stringify({ ...known, words: "" });
  if (list.some((known) => bare(known) === bare(condition))) return;
  const last = list.at(-1);
  if (or && last) {
    if (
      last.kind === "compare" &&
      condition.kind === "compare" &&
      sameRef(last.ref, condition.ref) &&
      (last.operator === "=" || last.operator === "IN") &&
      condition.operator === "="
    ) {
      list[list.length - 1] = {
        ...last,
        operator: "IN",
        values: [...last.values, ...condition.values],
        words: `${last.words} or ${condition.words}`,
      };
      return;
    }
    list[list.length - 1] = {
      kind: "any",
      of: last.kind === "any" ? [...last.of, condition] : [last, condition],
      words: `${last.words} or ${condition.words}`,
    };
    return;
  }
  // "in 2021 and in 2022": no day lies in both, so either is meant.
  if (
    condition.kind === "period" &&
    last?.kind === "period" &&
    sameRef(last.ref, condition.ref) &&
    apart(last.period, condition.period)
  ) {
    list[list.length - 1] = { kind: "any", of: [last, condition], words: `${last.words} or ${condition.words}` };
    const years = [last.period.years, condition.period.years].every(
      (range) => range?.[0] !== undefined && range[0] === range[1],
    );
    const frame = build.frame;
    if (
      years &&
      frame.groups.length === 0 &&
      frame.outputs.length > 0 &&
      frame.outputs.every((output) => output.kind === "measure")
    )
      frame.groups.push({ kind: "bucket", ref: condition.ref, unit: "year", words: "year" });
    return;
  }
  // Two different values of one column can't hold for one row: either is meant.
  if (
    condition.kind === "compare" &&
    condition.operator === "=" &&
    last?.kind === "compare" &&
    (last.operator === "=" || last.operator === "IN") &&
    sameRef(last.ref, condition.ref) &&
    !last.values.includes(condition.values[0] as string)
  ) {
    const toMany = !build.graph.toOne(build.frame.entity, condition.ref.table);
    const values = [...last.values, ...condition.values];
    list[list.length - 1] = { ...last, operator: "IN", values, words: `${last.words} and ${condition.words}` };
    if (toMany) build.frame.all = { ref: condition.ref, values, words: `${last.words} and ${condition.words}` };
    return;
  }
  list.push(condition);
}

const apart = (a: Period, b: Period): boolean =>
  (a.to !== undefined && b.from !== undefined && a.to <= b.from) ||
  (b.to !== undefined && a.from !== undefined && b.to <= a.from);

export const sameRef = (a: ColumnRef, b: ColumnRef) =>
  a.table === b.table && a.column === b.column && (a.role ?? "") === (b.role ?? "");

export const isAttribute = (phrase: NounPhrase) =>
  phrase.head.kind === "column" ||
  phrase.head.kind === "concept" ||
  phrase.head.kind === "count" ||
  // "an average invoice above 6"
  (phrase.head.kind === "table" && (phrase.aggregate === "AVG" || phrase.aggregate === "MEDIAN"));

export function refOf(phrase: NounPhrase, build: Building, table: string): ColumnRef | undefined {
  return toScalar(phrase, build, [table])?.column;
}

export function negationScope(table: string, subject: string, build: Building): string {
  return build.graph.toOne(subject, table) || build.frame.entity === subject ? subject : build.frame.entity;
}

export function mergeNot(build: Building, condition: Extract<Condition, { kind: "compare" }>): void {
  const list = build.frame.share ? build.frame.share.part : build.frame.conditions;
  const last = list.at(-1);
  if (
    last?.kind === "compare" &&
    (last.operator === "<>" || last.operator === "NOT IN") &&
    sameRef(last.ref, condition.ref)
  ) {
    list[list.length - 1] = {
      ...last,
      operator: "NOT IN",
      values: [...last.values, ...condition.values],
      words: `${last.words} and ${condition.words}`,
    };
  } else list.push(condition);
}

/** Conditions of a clause that don't limit the rows asked for. */
export function readApart(clause: Clause, build: Building, read: (clause: Clause) => void): Condition[] {
  const outer = build.frame.conditions;
  build.frame.conditions = [];
  read(clause);
  const inner = build.frame.conditions;
  build.frame.conditions = outer;
  return inner;
}

/** Where a clause stands in its sentence; one that is read with another scope or subject still has its old place. */
export function placeOf(clause: Clause, clauses: Clause[]): number {
  const own = clauses.indexOf(clause);
  return own >= 0
    ? own
    : clauses.findIndex(
        (known) =>
          known.words === clause.words &&
          known.object === clause.object &&
          known.compare === clause.compare &&
          known.period === clause.period,
      );
}
