/** Where the conditions of a proposal differ from gold's, in the reviewer's words. */
import type { FilterDecision } from "../../protocol/index.ts";
import { createSpelling, type Difference, type GoldView, toDifference } from "./difference.ts";
import { type ColumnName, type Comparison, type Condition, columnKey } from "./statement-parts.ts";

const comparisonWords: Partial<Record<Comparison, string>> = {
  "=": "equal to",
  "<>": "other than",
  "<": "less than",
  "<=": "at most",
  ">": "greater than",
  ">=": "at least",
};
type Wanted = NonNullable<Condition["simple"]> & { left: { kind: "column"; of: ColumnName } };

const isOnColumn = (simple: Condition["simple"]): simple is Wanted => simple?.left.kind === "column";

export function filterDifferences(filters: readonly FilterDecision[], gold: GoldView): Difference[] {
  // Conditions of two branches don't hold together, and each proposal combines them in its own way.
  if (gold.parts.sets.length > 0) return [];
  const wanted = gold.parts.conditions.flatMap(({ simple }) => (isOnColumn(simple) ? [simple] : []));
  const free = new Set(filters);
  const open = wanted.filter((condition) => {
    const same = [...free].find((filter) => isSame(filter, condition));
    if (same) free.delete(same);
    return !same;
  });
  const differences = open.flatMap((condition) => forCondition(condition, filters, free, gold));
  const opaque = gold.parts.conditions.filter(({ simple }) => !isOnColumn(simple));
  differences.push(...opaque.flatMap((condition) => forOpaque(condition, filters, gold)));
  const { column: spell } = createSpelling(gold);
  for (const filter of free) {
    const of = { table: filter.table.toLowerCase(), column: filter.column.toLowerCase() };
    const spoken = [...open.map(({ left }) => columnKey(left.of)), ...opaque.map(({ form }) => form)];
    if (spoken.some((text) => text.includes(columnKey(of))) || filter.operator === "other") continue;
    if (isTestForNothing(filter, gold)) continue;
    differences.push(toDifference("drop-filter", { column: spell(of) }, [of.table, of.column]));
  }
  return differences;
}

/** Rows without a value are left out where gold's own joins and comparisons do so anyway; NOT EXISTS as IS NULL. */
const isTestForNothing = ({ operator }: FilterDecision, { parts }: GoldView): boolean =>
  operator === "IS NOT NULL" || (operator === "IS NULL" && parts.joins.some(({ kind }) => kind === "ANTI"));

const isColumnOf = (filter: FilterDecision, of: ColumnName): boolean =>
  filter.table.toLowerCase() === of.table && filter.column.toLowerCase() === of.column;
const isOneOf = (comparison: string): boolean => comparison === "=" || comparison === "IN";
const toText = (value: string | number): string => String(value);
const sameValues = (a: readonly (string | number)[], b: readonly (string | number)[]): boolean =>
  a.length === b.length && [...a].map(toText).sort().join("\n") === [...b].map(toText).sort().join("\n");

function isSame(filter: FilterDecision, { left, comparison, values }: Wanted): boolean {
  if (!isColumnOf(filter, left.of)) return false;
  const operator =
    filter.operator === "IS NULL" ? "NULL" : filter.operator === "IS NOT NULL" ? "NOT NULL" : filter.operator;
  if (operator === comparison || (isOneOf(operator) && isOneOf(comparison))) return sameValues(filter.values, values);
  // Two ways to say one range.
  const [own, other] = [Number(filter.values[0]), Number(values[0])];
  if (operator === "BETWEEN")
    return (comparison === ">=" && own === other) || (comparison === "<=" && Number(filter.values[1]) === other);
  return (
    Number.isInteger(own) &&
    ((operator === ">" && comparison === ">=" && own + 1 === other) ||
      (operator === ">=" && comparison === ">" && own === other + 1) ||
      (operator === "<" && comparison === "<=" && own === other + 1) ||
      (operator === "<=" && comparison === "<" && own + 1 === other))
  );
}

function forCondition(
  { left, comparison, values }: Wanted,
  filters: readonly FilterDecision[],
  free: ReadonlySet<FilterDecision>,
  gold: GoldView,
): Difference[] {
  const { column: spell, words } = createSpelling(gold);
  const names = [left.of.table, left.of.column];
  const own = filters.find((filter) => free.has(filter) && isColumnOf(filter, left.of));
  const n = own ? String(filters.indexOf(own) + 1) : "";
  const elsewhere = [...free].find((filter) => !isColumnOf(filter, left.of) && sameValues(filter.values, values));
  if (!own && elsewhere) {
    const other = { table: elsewhere.table.toLowerCase(), column: elsewhere.column.toLowerCase() };
    return [
      toDifference("use-column", { column: spell(left.of), other: spell(other) }, [
        ...names,
        other.table,
        other.column,
      ]),
    ];
  }
  if (own && isOneOf(own.operator) && isOneOf(comparison)) {
    const missing = values.filter((value) => !own.values.map(toText).includes(toText(value)));
    const extra = own.values.filter((value) => !values.map(toText).includes(toText(value)));
    if (values.length === 1 && missing.length === 1)
      return [toDifference("only-value", { value: toText(values[0] ?? "") }, [], values)];
    return [
      ...missing.map((value) => toDifference("add-value", { value: toText(value), n }, [], [value])),
      ...extra.map((value) => toDifference("take-value", { value: toText(value), n }, [], [value])),
    ];
  }
  const [value] = values;
  if (value === undefined) return [];
  if (comparison === "=" && typeof value === "string")
    return [toDifference("only-value", { value }, [], [value]), compare()];
  if (comparison === "IN") return values.map((one) => toDifference("only-value", { value: toText(one) }, [], [one]));
  if (comparison === "<>" && typeof value === "string")
    return [toDifference("leave-out-value", { value }, [], [value])];
  return [compare()];

  function compare(): Difference {
    const isPattern = comparison === "LIKE" || comparison === "NOT LIKE";
    const word = isPattern ? (comparison === "LIKE" ? "like" : "not like") : (comparisonWords[comparison] ?? "in");
    const text = toText(value ?? "").replaceAll("%", "");
    const slots = { column: words(left.of), comparison: word, value: isPattern ? `'${text}'` : text };
    return toDifference("compare", slots, names, [value ?? ""]);
  }
}

/** Conditions on an average and on the rows of a group. */
function forOpaque({ form, simple }: Condition, filters: readonly FilterDecision[], gold: GoldView): Difference[] {
  const { words, table } = createSpelling(gold);
  const average = /^(lte?)\((?:([^(),]+\.[^(),]+),query\(.*avg\(.*|query\(.*avg\(.*\),([^(),]+\.[^(),]+))\)$/.exec(
    form,
  );
  const of = (average?.[2] ?? average?.[3])?.split(".");
  if (of?.[0] && of[1]) {
    const column = { table: of[0], column: of[1] };
    if (filters.some((filter) => isColumnOf(filter, column))) return [];
    const comparison = average?.[2] ? "below" : "above";
    return [toDifference("compare-average", { column: words(column), comparison }, [column.table, column.column])];
  }
  if (simple?.left.kind !== "aggregate" || simple.left.fn !== "COUNT" || filters.length > 0) return [];
  const [value] = simple.values;
  const comparison = comparisonWords[simple.comparison];
  const counted = simple.left.of?.table ?? gold.parts.tables.at(-1);
  if (value === undefined || !comparison || counted === undefined) return [];
  return [
    toDifference(
      "at-least",
      { comparison: comparison.replace("greater", "more"), value: toText(value), things: table(counted) },
      [counted],
      [value],
    ),
  ];
}
