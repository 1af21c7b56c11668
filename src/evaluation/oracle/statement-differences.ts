/** The whole statement against gold: F6. */
import type { FilterDecision } from "../../protocol/index.ts";
import { outputDifferences, tableDifferences } from "./data-differences.ts";
import { aggregateWords, createSpelling, type Difference, type GoldView, namesOf, toDifference } from "./difference.ts";
import { filterDifferences } from "./filter-differences.ts";
import { type ColumnName, columnKey, readParts, type StatementParts, valueKey } from "./statement-parts.ts";

function groupDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const { words } = createSpelling(gold);
  const wanted = gold.parts.groups;
  if (!gold.parts.grouped || wanted.length === 0 || gold.parts.sets.length > 0) return [];
  // A key besides the name keeps equal names apart, and the other way round.
  const tables = new Set(parts.groups.map((column) => column.table));
  const missing = wanted.find((column) => !tables.has(column.table));
  const other = wanted.find((column) => !parts.groups.some((own) => columnKey(own) === columnKey(column)));
  const keyOf = (column: ColumnName) =>
    gold.catalog.tables
      .find((table) => table.name.toLowerCase() === column.table)
      ?.primaryKey.some((key) => key.toLowerCase() === column.column) ?? false;
  const byKey = parts.groups.some(keyOf) && other !== undefined && keyOf(other);
  const found = missing ?? (byKey ? undefined : other);
  return found ? [toDifference("group-by", { column: words(found) }, namesOf(found))] : [];
}

function aggregateDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const { column: spell, words } = createSpelling(gold);
  const measured = (statement: StatementParts) =>
    [...statement.outputs, ...statement.order.map(({ by }) => by)].filter((value) => value.kind === "aggregate");
  const own = measured(parts);
  const keys = new Set(own.map(valueKey));
  return measured(gold.parts).flatMap((value): Difference[] => {
    if (keys.has(valueKey(value))) return [];
    const fns = new Set(own.map((other) => other.fn));
    if (!fns.has(value.fn))
      return own.length > 0 ? [toDifference("aggregate", { aggregate: aggregateWords[value.fn] })] : [];
    if (value.fn === "COUNT" && value.distinct && value.of)
      return [toDifference("count-distinct", { column: words(value.of) }, namesOf(value.of))];
    const other = own.find((known) => known.fn === value.fn && known.of && value.of);
    if (value.fn === "COUNT" || !value.of || !other?.of) return [];
    return [
      toDifference("use-column", { column: spell(value.of), other: spell(other.of) }, [
        ...namesOf(value.of),
        ...namesOf(other.of),
      ]),
    ];
  });
}

/** F6 shows everything, so everything is held against gold. */
export function statementDifferences(sql: string, gold: GoldView): Difference[] {
  const parts = readParts(sql, gold.catalog);
  if (!parts) return [];
  const shown = parts.outputs.flatMap((value) => (value.kind === "column" ? [value.of] : []));
  return [
    ...outputDifferences(shown, gold),
    ...aggregateDifferences(parts, gold),
    ...groupDifferences(parts, gold),
    ...orderDifferences(parts, gold),
    ...filterDifferences(toFilters(parts), gold),
    ...(gold.parts.distinct && !parts.distinct ? [toDifference("distinct", {})] : []),
    ...tableDifferences(parts.tables, gold),
  ];
}

function orderDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const { words } = createSpelling(gold);
  const [wanted, own] = [gold.parts.order[0], parts.order[0]];
  const direction = wanted?.descending ? "descending" : "ascending";
  const differences: Difference[] = [];
  if (wanted && own && valueKey(wanted.by) === valueKey(own.by) && wanted.descending !== own.descending)
    differences.push(toDifference("direction", { direction }));
  else if (wanted && (!own || valueKey(wanted.by) !== valueKey(own.by)) && wanted.by.kind !== "other") {
    const of = wanted.by.of;
    if (of) differences.push(toDifference("sort", { column: words(of), direction }, namesOf(of)));
    else differences.push(toDifference("sort", { column: "count", direction }));
  }
  if (gold.parts.limit !== null && parts.limit !== gold.parts.limit)
    differences.push(
      toDifference("top", { count: String(gold.parts.limit) }, [], gold.parts.limit === 1 ? [] : [gold.parts.limit]),
    );
  if (gold.parts.limit === null && parts.limit !== null) differences.push(toDifference("no-limit", {}));
  return differences;
}

/** The statement's conditions in the form of F4. */
function toFilters(parts: StatementParts): FilterDecision[] {
  return parts.conditions.flatMap(({ form, simple }): FilterDecision[] => {
    if (simple?.left.kind !== "column") return [];
    const { table, column } = simple.left.of;
    const operator =
      simple.comparison === "NULL" ? "IS NULL" : simple.comparison === "NOT NULL" ? "IS NOT NULL" : simple.comparison;
    return [{ kind: "filter", words: form, table, column, operator, values: simple.values, condition: form }];
  });
}
