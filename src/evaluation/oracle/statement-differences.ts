/** The whole statement against gold: F6. */
import type { FilterDecision } from "../../protocol/index.ts";
import { tableDifferences } from "./data-differences.ts";
import { aggregateWords, createSpelling, type Difference, type GoldView, namesOf, toDifference } from "./difference.ts";
import { filterDifferences, isSameFigure } from "./filter-differences.ts";
import { sayOrder, sayOutputs, sayRows } from "./restatement.ts";
import { countedTable, joinedTables, sayValue } from "./spoken-values.ts";
import {
  type ColumnName,
  columnKey,
  readParts,
  type StatementParts,
  toValue,
  type Value,
  valueKey,
} from "./statement-parts.ts";

/** F6 shows everything, so everything is held against gold. */
export function statementDifferences(sql: string, gold: GoldView): Difference[] {
  const parts = readParts(sql, gold.catalog);
  if (!parts) return [];
  return [
    ...groupDifferences(parts, gold),
    ...outputDifferences(parts, gold),
    ...countDifferences(parts, gold),
    ...rowDifferences(parts, gold),
    ...orderDifferences(parts, gold),
    ...(gold.parts.distinct && !parts.distinct ? [toDifference("distinct", {})] : []),
    ...tableDifferences(parts.tables, gold),
  ];
}

function groupDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const wanted = gold.parts.groups;
  if (gold.parts.sets.length > 0) return [];
  const isMeasured = gold.parts.outputs.some(({ kind }) => kind === "aggregate");
  if (!gold.parts.grouped || wanted.length === 0) {
    const own = sayColumns(parts.groups, gold);
    return isMeasured && own ? [toDifference("ungroup", { columns: own.text }, own.names)] : [];
  }
  // A key besides the name keeps equal names apart, and the other way round.
  const tables = new Set(parts.groups.map((column) => column.table));
  const missing = wanted.find((column) => !tables.has(column.table));
  const other = wanted.find((column) => !parts.groups.some((own) => columnKey(own) === columnKey(column)));
  const keyOf = (column: ColumnName) => isKey(column, gold);
  const byKey = parts.groups.some(keyOf) && other !== undefined && keyOf(other);
  const found = missing ?? (byKey ? undefined : other);
  const said = found && sayColumns(wanted, gold);
  return said ? [toDifference("group-by", { column: said.text }, said.names)] : [];
}

const sayColumns = (columns: readonly ColumnName[], gold: GoldView) =>
  sayOutputs(
    columns.map((of): Value => ({ kind: "column", of })),
    gold,
  );

const isKey = (column: ColumnName, { catalog }: GoldView): boolean => {
  const key = catalog.tables.find((table) => table.name.toLowerCase() === column.table)?.primaryKey ?? [];
  return key.length === 1 && key[0]?.toLowerCase() === column.column;
};

/** Counts of rows are told apart by their tables elsewhere. */
function outputKey(value: Value, gold: GoldView): string {
  const isPlain =
    value.kind === "aggregate" && value.fn === "COUNT" && (!value.distinct || (value.of && isKey(value.of, gold)));
  return isPlain ? "COUNT" : valueKey(value);
}

function outputDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const { outputs } = gold.parts;
  const own = parts.outputs.map((value) => outputKey(value, gold));
  const keys = outputs.map((value) => outputKey(value, gold));
  const missing = outputs.filter((_, index) => !own.includes(keys[index] ?? ""));
  const extra = parts.outputs.filter((_, index) => !keys.includes(own[index] ?? ""));
  if (missing.length + extra.length === 0) return [];
  const differences: Difference[] = [];
  const [first, other] = [missing[0], extra[0]];
  const single = missing.length + extra.length === 1;
  if (single && (first ?? other)) {
    const said = sayValue((first ?? other) as Value, gold);
    if (said) differences.push(toDifference(first ? "show" : "hide", { column: said.text }, said.names));
  }
  if (
    missing.length === 1 &&
    extra.length === 1 &&
    first?.kind === "aggregate" &&
    other?.kind === "aggregate" &&
    first.of &&
    other.of &&
    columnKey(first.of) === columnKey(other.of)
  )
    differences.push(toDifference("aggregate", { aggregate: aggregateWords[first.fn] }));
  const all = sayOutputs(outputs, gold);
  if (all) differences.push(toDifference("show-only", { columns: all.text }, all.names));
  return differences;
}

/** Both count, but other things. */
function countDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const countOf = (statement: StatementParts) =>
    [...statement.outputs, ...statement.order.map(({ by }) => by)].find(
      (value): value is Extract<Value, { kind: "aggregate" }> => value.kind === "aggregate" && value.fn === "COUNT",
    );
  const [wanted, own] = [countOf(gold.parts), countOf(parts)];
  if (!wanted || !own) return [];
  const { words, table } = createSpelling(gold);
  if (wanted.distinct && wanted.of && valueKey(wanted) !== valueKey(own))
    return [toDifference("count-distinct", { column: words(wanted.of) }, namesOf(wanted.of))];
  const things = countedTable(wanted.of, gold);
  const counted = own.distinct && own.of ? own.of.table : countedTable(own.of, { ...gold, parts });
  if (things === counted && !(own.distinct && own.of && !isKey(own.of, gold))) return [];
  return [toDifference("count-rows", { things: table(things) }, [things])];
}

function rowDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const isTest = ({ kind }: StatementParts["joins"][number]) => kind === "ANTI" || kind === "SEMI";
  const away = gold.parts.joins.filter(
    (join) =>
      isTest(join) &&
      !joinedTables(gold.parts).includes(join.right) &&
      !parts.joins.some((own) => own.kind === join.kind && own.right === join.right),
  );
  const differences: Difference[] = [];
  if (gold.parts.sets.length > 0 || away.length > 0) {
    for (const { text, names, values } of sayRows(gold) ?? []) {
      if (/^only those with(?:out)? any /.test(text) || gold.parts.sets.length > 0)
        differences.push(toDifference("partners", { condition: text.replace(/^only those /, "") }, names, values));
    }
  }
  const isAway = (form: string) => away.some(({ right }) => form.includes(`${right}.`));
  const view: GoldView = {
    ...gold,
    parts: { ...gold.parts, conditions: gold.parts.conditions.filter(({ form }) => !isAway(form)) },
  };
  differences.push(...filterDifferences(toFilters(parts), view, parts.conditions));
  return [...differences, ...superfluous(parts, gold)];
}

/** Conditions on counts and on two columns that gold doesn't have; what is said anew takes the place of what stands there. */
function superfluous(parts: StatementParts, gold: GoldView): Difference[] {
  const { conditions, sets } = gold.parts;
  if (sets.length > 0) return [];
  const { table, column: spell } = createSpelling(gold);
  const counted = conditions.filter(({ simple }) => simple?.left.kind === "aggregate" && simple.left.fn === "COUNT");
  return parts.conditions.flatMap((own): Difference[] => {
    if (conditions.some((wanted) => isSameFigure(own, wanted))) return [];
    if (own.simple?.left.kind === "aggregate" && own.simple.left.fn === "COUNT") {
      if (counted.length > 0) return [];
      const things = own.simple.left.of?.table ?? countedTable(null, { ...gold, parts });
      return [toDifference("drop-condition", { things: table(things) }, [things])];
    }
    const [left, right] = (/^(?:eq|neq|lt|lte)\((.*)\)$/s.exec(own.form)?.[1] ?? "").split(",").map(toValue);
    if (left?.kind !== "column" || right?.kind !== "column") return [];
    return [toDifference("drop-filter", { column: spell(left.of) }, namesOf(left.of))];
  });
}

function orderDifferences(parts: StatementParts, gold: GoldView): Difference[] {
  const [wanted, own] = [gold.parts.order[0], parts.order[0]];
  const differences: Difference[] = [];
  const isSameKey = wanted && own && outputKey(wanted.by, gold) === outputKey(own.by, gold);
  const direction = wanted?.descending ? "descending" : "ascending";
  const hasMore = gold.parts.order.slice(1).some(({ by, descending }, at) => {
    const next = parts.order[at + 1];
    return !next || outputKey(next.by, gold) !== outputKey(by, gold) || next.descending !== descending;
  });
  if (wanted && isSameKey && wanted.descending !== own.descending && gold.parts.order.length === 1)
    differences.push(toDifference("direction", { direction }));
  else if (wanted && (!isSameKey || wanted.descending !== own.descending || hasMore)) {
    const [said] = sayOrder(gold.parts, gold) ?? [];
    if (said) differences.push(toDifference("sort", { keys: said.text.replace(/^sorted by /, "") }, said.names));
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
