/**
 * What no single row can meet: "in both 2014 and 2015", "a singer above 40 and one below 30" ask for several rows of a
 * partner, or of the same table with one shared value. And "countries without …" speaks of the value, not of a row.
 */

import { type ColumnRef, sameColumn } from "../schema/schema.ts";
import { isOn } from "../words/parts.ts";
import type { Building } from "./building.ts";
import { type Condition, conditionColumns } from "./frame.ts";

type Compare = Extract<Condition, { kind: "compare" }>;

export function settleSets(build: Building): void {
  if (!isOn("sets")) return;
  splitBoth(build);
  splitContradictions(build);
  negateValues(build);
}

/** "both in 2014 and in 2015": read as either so far. */
function splitBoth(build: Building): void {
  const { frame, graph } = build;
  const both = build.linked.items.find((item) => item.kind === "cue" && item.cue === "both");
  if (!both) return;
  splitValues(build);
  frame.conditions = frame.conditions.flatMap((condition): Condition[] => {
    const parts = condition.kind === "any" ? condition.of : [];
    const [first] = parts.flatMap(conditionColumns);
    const same = parts.length > 1 && parts.every((part) => part.kind === "period") && first !== undefined;
    if (!same || graph.toOne(frame.entity, first.table)) return [condition];
    return parts.map((part) => partner(part, first.table, build));
  });
}

/** "years in which both a novel and a crime book …": no row holds two values of one column, but what they share may. */
function splitValues(build: Building): void {
  const { frame, graph } = build;
  const shared = sharedOutput(build);
  const isValue = (condition: Condition): condition is Compare =>
    condition.kind === "compare" && ["=", "IN"].includes(condition.operator) && !condition.ref.role;
  for (const first of frame.conditions.filter(isValue)) {
    const same = frame.conditions.filter(isValue).filter((other) => sameColumn(other.ref, first.ref));
    const values = [...new Set(same.flatMap((condition) => condition.values))];
    const at = frame.conditions.indexOf(first);
    if (values.length < 2 || at < 0) continue;
    const words = same.map((condition) => condition.words).join(" and ");
    if (!graph.toOne(frame.entity, first.ref.table)) {
      if (same.length < 2 || frame.all) continue;
      frame.conditions = frame.conditions.filter((condition) => !same.includes(condition as Compare));
      frame.conditions.splice(at, 0, { ...first, operator: "IN", values, words });
      frame.all = { ref: first.ref, values, words };
      continue;
    }
    if (!shared || sameColumn(shared, first.ref) || first.ref.table !== frame.entity) continue;
    frame.conditions = frame.conditions.filter((condition) => !same.includes(condition as Compare));
    for (const value of values)
      frame.conditions.push(
        ofValue(shared, [{ ...first, operator: "=", values: [value], words: String(value) }], false, build),
      );
    frame.distinct = true;
  }
}

const partner = (condition: Condition, target: string, build: Building): Condition => ({
  kind: "exists",
  negated: false,
  from: build.frame.entity,
  target,
  inner: [condition],
  words: condition.words,
});

/** Two ranges of one column that no number lies in both of. */
function splitContradictions(build: Building): void {
  const { frame, graph } = build;
  const ranges = frame.conditions.filter(
    (condition): condition is Compare =>
      condition.kind === "compare" && !condition.times && /^[<>]=?$/.test(condition.operator),
  );
  for (const low of ranges) {
    const high = ranges.find(
      (other) =>
        other !== low &&
        sameColumn(other.ref, low.ref) &&
        low.operator.startsWith("<") &&
        other.operator.startsWith(">") &&
        Number(other.values[0]) >= Number(low.values[0]),
    );
    if (!high) continue;
    const rest = frame.conditions.filter((condition) => condition !== low && condition !== high);
    const shared = sharedOutput(build);
    if (!graph.toOne(frame.entity, low.ref.table))
      frame.conditions = [...rest, partner(low, low.ref.table, build), partner(high, low.ref.table, build)];
    else if (shared) {
      frame.conditions = [...rest, ofValue(shared, [high], false, build), ofValue(shared, [low], false, build)];
      frame.distinct = true;
    }
    return;
  }
}

/** The only output, where many rows of the table share its values. */
function sharedOutput(build: Building): ColumnRef | undefined {
  const ref = onlyOutput(build);
  if (!ref) return undefined;
  const column = build.schema.column(ref);
  const { rows } = build.schema.table(ref.table).table;
  return !column.isKey && (column.info.distinct ?? rows) < rows ? ref : undefined;
}

/** The only output, as a column of the rows asked for. */
function onlyOutput({ frame }: Building): ColumnRef | undefined {
  const [output, ...others] = frame.outputs;
  const ref =
    output?.kind === "column"
      ? output.ref
      : output?.kind === "key" && output.key.kind === "column"
        ? output.key.ref
        : undefined;
  return ref && others.length === 0 && !ref.role && ref.table === frame.entity ? ref : undefined;
}

/** Some row, or none, with the same value meets the conditions. */
const ofValue = (shared: ColumnRef, inner: Condition[], negated: boolean, build: Building): Condition => ({
  kind: "exists",
  negated,
  from: build.frame.entity,
  target: build.frame.entity,
  inner,
  pairs: [{ left: shared.column, right: shared.column }],
  words: inner.map((condition) => condition.words).join(" and "),
});

/** "countries that are not playing …": no row of that country may, not just one of them. */
function negateValues(build: Building): void {
  const { frame, main } = build;
  const shared = sharedOutput(build);
  const speaksOfValue = main.clauses.some(
    (clause) =>
      (clause.negated || clause.object?.none) && clause.subject !== undefined && clause.subject === main.outputs[0],
  );
  if (frame.groups.length > 0) return;
  // "cities that have no shops selling …": of rows of the table itself, told by the shared value.
  const only = onlyOutput(build);
  if (only)
    frame.conditions = frame.conditions.map((condition) => {
      if (condition.kind !== "exists" || condition.from !== only.table || condition.target !== only.table)
        return condition;
      if (condition.pairs || condition.self) return condition;
      frame.distinct = true;
      return { ...condition, pairs: [{ left: only.column, right: only.column }] };
    });
  if (!speaksOfValue || !shared) return;
  let changed = false;
  frame.conditions = frame.conditions.map((condition): Condition => {
    if (
      condition.kind !== "exists" ||
      !condition.negated ||
      condition.from !== frame.entity ||
      condition.pairs ||
      condition.self
    )
      return condition;
    changed = true;
    return ofValue(shared, [{ ...condition, negated: false }], true, build);
  });
  if (changed) frame.distinct = true;
}
