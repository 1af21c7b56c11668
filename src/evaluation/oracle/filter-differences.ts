/** Where the conditions of a proposal differ from gold's, in the reviewer's words. */
import type { FilterDecision } from "../../protocol/index.ts";
import { createSpelling, type Difference, type GoldView, toDifference } from "./difference.ts";
import { comparisonWords, sayCondition } from "./spoken-values.ts";
import { type ColumnName, type Condition, columnKey } from "./statement-parts.ts";

type Wanted = NonNullable<Condition["simple"]> & { left: { kind: "column"; of: ColumnName } };

const isOnColumn = (simple: Condition["simple"]): simple is Wanted => simple?.left.kind === "column";

/** `shown`: all conditions of a statement; null at F4, where those that aren't about one column have words only. */
export function filterDifferences(
  filters: readonly FilterDecision[],
  gold: GoldView,
  shown: readonly Condition[] | null = null,
): Difference[] {
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
  differences.push(...opaque.flatMap((condition) => forOpaque(condition, filters, shown, gold)));
  const { column: spell } = createSpelling(gold);
  // A part of the rows may be counted by what is shown.
  if (gold.parts.outputs.some(({ kind }) => kind === "other")) return differences;
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
  // "2014 or 2015" as a range of years.
  if (operator === "BETWEEN" && comparison === "IN") {
    const [from, to] = filter.values.map(Number);
    const listed = values.map(Number).sort((a, b) => a - b);
    return listed.every((value, index) => value === (from ?? 0) + index) && listed.at(-1) === to;
  }
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
    return [compare(), toDifference("only-value", { value }, [], [value])];
  if (comparison === "IN" || comparison === "NOT IN") {
    const said = sayCondition({ form: "", simple: { left, comparison, values } }, gold);
    return said ? [toDifference("condition", { condition: said.text }, said.names, said.values)] : [];
  }
  if (comparison === "<>" && typeof value === "string")
    return [toDifference("leave-out-value", { value }, [], [value])];
  return [compare()];

  function compare(): Difference {
    const isPattern = comparison === "LIKE" || comparison === "NOT LIKE";
    const word = isPattern ? (comparison === "LIKE" ? "like" : "not like") : (comparisonWords[comparison] ?? "in");
    const text = toText(value ?? "").replaceAll("%", "");
    const slots = { column: words(left.of), comparison: word, value: typeof value === "string" ? `'${text}'` : text };
    return toDifference("compare", slots, names, [value ?? ""]);
  }
}

/** Conditions on figures, on two columns, or one of several. */
function forOpaque(
  condition: Condition,
  filters: readonly FilterDecision[],
  shown: readonly Condition[] | null,
  gold: GoldView,
): Difference[] {
  if (shown ? shown.some((own) => isSameFigure(own, condition)) : filters.length > 0) return [];
  const said = sayCondition(condition, gold);
  return said ? [toDifference("condition", { condition: said.text }, said.names, said.values)] : [];
}

/** A count is the same whether it counts rows or their key. */
export function isSameFigure(own: Condition, wanted: Condition): boolean {
  if (own.form === wanted.form) return true;
  const [a, b] = [own.simple, wanted.simple];
  if (!a || !b || a.left.kind !== "aggregate" || b.left.kind !== "aggregate" || a.left.fn !== b.left.fn) return false;
  if (a.left.fn !== "COUNT" && !(a.left.of && b.left.of && columnKey(a.left.of) === columnKey(b.left.of))) return false;
  const bounds = [a, b].map(({ comparison, values }) => {
    const value = Number(values[0]);
    return comparison === ">" ? `>=${value + 1}` : comparison === "<" ? `<=${value - 1}` : `${comparison}${value}`;
  });
  return bounds[0] === bounds[1];
}
