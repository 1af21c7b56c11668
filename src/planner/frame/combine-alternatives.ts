/**
 * "… or …" between whole predicates: each side becomes one condition on the rows that are spoken of, whatever it was read
 * as — rows that must be joined, a count per group, values of a partner — so that either is enough.
 */
import type { Building } from "./building.ts";
import { type Condition, conditionColumns, type Having, measureTable } from "./frame.ts";

/** What stands in the frame, or what one clause added to it. */
export interface Added {
  conditions: Condition[];
  having: Having[];
  required: string[];
}

export const markFrame = ({ frame }: Building): Added => ({
  conditions: [...frame.conditions],
  having: [...frame.having],
  required: [...frame.required],
});

export const addedSince = (mark: Added, { frame }: Building): Added => ({
  conditions: frame.conditions.filter((condition) => !mark.conditions.includes(condition)),
  having: frame.having.filter((having) => !mark.having.includes(having)),
  required: frame.required.filter((table) => !mark.required.includes(table)),
});

export const isEmpty = (added: Added): boolean =>
  added.conditions.length + added.having.length + added.required.length === 0;

/** One condition of the row itself, which can be merged where it stands. */
export const isPlain = (added: Added, build: Building): boolean =>
  added.having.length === 0 &&
  added.required.every((table) => build.graph.toOne(build.frame.entity, table)) &&
  added.conditions.length === 1 &&
  added.conditions.every((condition) =>
    conditionColumns(condition).every((ref) => build.graph.toOne(build.frame.entity, ref.table)),
  );

/** Takes both sides out of the frame and puts "either of them" in; false when a side can't be said of one row. */
export function combine(first: Added, second: Added, build: Building): boolean {
  const { frame } = build;
  const sides = [first, second].map((side) => toOne(side, build));
  const [left, right] = sides;
  if (!left || !right) return false;
  frame.conditions = frame.conditions.filter(
    (condition) => !first.conditions.includes(condition) && !second.conditions.includes(condition),
  );
  frame.having = frame.having.filter((having) => !first.having.includes(having) && !second.having.includes(having));
  const gone = [...first.required, ...second.required];
  frame.required = frame.required.filter((table) => !gone.includes(table));
  frame.conditions.push({
    kind: "any",
    of: [...(left.kind === "any" ? left.of : [left]), right],
    words: `${left.words} or ${right.words}`,
  });
  return true;
}

function toOne(added: Added, build: Building): Condition | undefined {
  const { frame, graph } = build;
  const own: Condition[] = [];
  const partners: Condition[] = [];
  for (const condition of added.conditions) {
    const tables = conditionColumns(condition).map((ref) => ref.table);
    (tables.every((table) => graph.toOne(frame.entity, table)) ? own : partners).push(condition);
  }
  const joined = added.required.filter((table) => !graph.toOne(frame.entity, table));
  const target =
    joined[0] ?? conditionColumns(partners[0] ?? own[0] ?? ({ kind: "any", of: [], words: "" } as Condition))[0]?.table;
  if (partners.length > 0 || joined.length > 0) {
    if (!target || graph.distance(frame.entity, target) >= 99) return undefined;
    const words = partners.map((condition) => condition.words).join(" and ") || target;
    own.push({ kind: "exists", negated: false, from: frame.entity, target, inner: partners, words });
  }
  for (const having of added.having) {
    const { operator, value, upper, words, measure } = having;
    const target = measureTable(measure);
    if (typeof value !== "number" || measure.per || measure.where || target === frame.entity) return undefined;
    if (measure.kind === "count" && measure.distinct) return undefined;
    const fn = measure.kind === "aggregate" ? measure.fn : undefined;
    if (fn === "MEDIAN") return undefined;
    own.push({
      kind: "counted",
      from: frame.entity,
      target,
      inner: [],
      ...(measure.kind === "aggregate" && fn ? { figure: { fn, of: measure.of } } : {}),
      operator,
      value,
      ...(upper === undefined ? {} : { upper }),
      words,
    });
  }
  if (own.length < 2) return own[0];
  return { kind: "every", of: own, words: own.map((condition) => condition.words).join(" and ") };
}
