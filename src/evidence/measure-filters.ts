/** What each filter keeps, which stored values its words match, and where its dates lie. */

import { findDateFormat } from "../catalog/date-format.ts";
import type { ValueIndex, ValueMatch } from "../catalog/value-index.ts";
import type { Database, Read } from "../database/database.ts";
import type {
  Catalog,
  Column,
  FilterDecision,
  FilterEvidence,
  Finding,
  JoinDecision,
  Table,
} from "../protocol/index.ts";
import { toCondition } from "../sql/accepted.ts";
import { dialectOf } from "../sql/dialect.ts";
import { ask, cellOf, type Measured, nothing, toCount, toText } from "./ask.ts";
import { type DateReading, readDates } from "./date-buckets.ts";
import { findIntegerDivisions } from "./find-divisions.ts";
import { type FilterFacts, findFilters, toLastDay } from "./find-filters.ts";
import { findColumn, findTable, toTableName } from "./join-graph.ts";
import { measureJoinedRows } from "./measure-joined-rows.ts";

const maxMatches = 12;
const maxBuckets = 60;
const sampleSize = 200;

interface Plan {
  filter: FilterDecision;
  table: Table;
  column: Column;
  /** `FROM …` with the alias the condition uses. */
  from: string;
  quoted: string;
  /** The same column as text, for what only texts can be asked. */
  text: string;
  candidates: Map<string, ValueMatch["how"]>;
}

/** `joins` is the accepted set, to count its rows too. Unknown tables and columns are a problem; a condition that its table alone can't decide has `kept` null. */
export async function measureFilters(
  database: Database,
  catalog: Catalog,
  values: ValueIndex,
  filters: readonly FilterDecision[],
  joins: readonly JoinDecision[] = [],
): Promise<Measured<{ filters: FilterEvidence[]; findings: Finding[] }>> {
  const plans: Plan[] = [];
  for (const filter of filters) {
    const table = findTable(catalog, filter.table);
    if (!table) return { problem: { code: "unknown-table", message: `There is no table ${filter.table}.` } };
    const column = findColumn(table, filter.column);
    if (!column)
      return { problem: { code: "unknown-column", message: `${table.name} has no column ${filter.column}.` } };
    const quote = (name: string) => database.quote(name);
    const quoted = `${quote(filter.alias ?? table.name)}.${quote(column.name)}`;
    plans.push({
      filter,
      table,
      column,
      quoted,
      // SQLite takes any value for a text; the others are strict.
      text: database.engine === "sqlite" ? quoted : dialectOf(database.engine).asText(quoted),
      from: `FROM ${toTableName(table, quote)} AS ${quote(filter.alias ?? table.name)}`,
      candidates: toCandidates(filter, table, column, values),
    });
  }
  const conditions = await readConditions(database, plans);
  if ("problem" in conditions) return conditions;
  const facts = await readDetails(database, plans, conditions.kept);
  const joined = await measureJoinedRows(database, catalog, joins, filters);
  return {
    filters: plans.map((plan, index) => {
      const inSet = joined[index];
      return { ...toEvidence(plan, index, facts[index], values), ...(inSet ? { joined: inSet } : {}) };
    }),
    findings: facts.flatMap((fact, index) => findFilters(fact, index + 1)),
  };
}

const isText = (column: Column): boolean => column.kind === "text" || column.kind === "other";
const comparesValues = (filter: FilterDecision): boolean =>
  ["=", "<>", "IN", "NOT IN", "LIKE", "NOT LIKE"].includes(filter.operator);

/**
 * Stored values worth showing: those of the filter, and what resembles them or the user's words. How a value matches is
 * said about the user's words when they find it, otherwise about the filter's values.
 */
function toCandidates(filter: FilterDecision, table: Table, column: Column, values: ValueIndex): Plan["candidates"] {
  const candidates: Plan["candidates"] = new Map();
  if (!isText(column) || !comparesValues(filter)) return candidates;
  const texts = filter.values.map((value) => String(value));
  const search = (text: string) => values.search(text, { table: table.name, column: column.name, limit: maxMatches });
  for (const match of filter.words.length <= 60 ? search(filter.words) : []) candidates.set(match.value, match.how);
  for (const text of texts) {
    const bare = /LIKE/.test(filter.operator) ? text.replaceAll("%", "") : text;
    for (const match of bare.trim() === "" ? [] : search(bare)) {
      if (!candidates.has(match.value) && candidates.size < maxMatches * 3) candidates.set(match.value, match.how);
    }
    if (!/LIKE/.test(filter.operator) && !candidates.has(text)) candidates.set(text, "exact");
  }
  return candidates;
}

interface Kept {
  condition: string | undefined;
  kept: number | null;
  of: number;
  nulls: number;
}

/** Counts by the condition as it stands; when the table alone can't decide it, by column, operator and values. */
async function readConditions(database: Database, plans: readonly Plan[]): Promise<Measured<{ kept: Kept[] }>> {
  const statements = plans.flatMap(({ filter, from, quoted }) => {
    const structured = toCondition(filter, database.engine);
    return [
      `SELECT COUNT(*), COUNT(*) - COUNT(${quoted}) ${from}`,
      `SELECT COUNT(*) ${from} WHERE (\n${filter.condition}\n)`,
      structured === undefined ? "SELECT NULL" : `SELECT COUNT(*) ${from} WHERE (${structured})`,
    ];
  });
  const reads = await ask(database, statements, { maxRows: 1 });
  const kept: Kept[] = [];
  for (const [index, { filter }] of plans.entries()) {
    const [all, exact, structured] = reads.slice(index * 3, index * 3 + 3);
    if (!all?.ok) return { problem: all?.error ?? { code: "other", message: "The filter could not be counted." } };
    // A condition on other aliases, or on an aggregate, is not about the rows of this table.
    const usable = exact?.ok
      ? filter.condition
      : filter.operator !== "other" && structured?.ok
        ? toCondition(filter, database.engine)
        : undefined;
    kept.push({
      condition: usable,
      kept: exact?.ok ? toCount(exact) : usable === undefined ? null : toCount(structured),
      of: toCount(all),
      nulls: toCount(all, 1),
    });
  }
  return { kept };
}

async function readDetails(database: Database, plans: readonly Plan[], kept: readonly Kept[]): Promise<FilterFacts[]> {
  const dialect = dialectOf(database.engine);
  const first = plans.map((plan, index): string[] => {
    const condition = kept[index]?.condition;
    const test = condition === undefined ? "0" : `MAX(CASE WHEN (\n${condition}\n) THEN 1 ELSE 0 END)`;
    const listed = [...plan.candidates.keys()].map(dialect.text).join(", ");
    const exact = dialect.exact(plan.quoted);
    return [
      plan.candidates.size > 0
        ? `SELECT MIN(${plan.text}), COUNT(*), ${test} ${plan.from} WHERE ${exact} IN (${listed}) GROUP BY ${exact}`
        : nothing,
      `SELECT MIN(${plan.quoted}), MAX(${plan.quoted}) ${plan.from}`,
      mayHoldDates(plan)
        ? `SELECT DISTINCT ${plan.quoted} ${plan.from} WHERE ${plan.quoted} IS NOT NULL LIMIT ${sampleSize}`
        : nothing,
    ];
  });
  const reads = await ask(database, first.flat(), { maxRows: sampleSize });
  const dates = plans.map((plan, index): DateReading | undefined => {
    const sampled = reads[index * 3 + 2];
    const texts = sampled?.ok ? sampled.result.rows.map((row) => String(row[0] ?? "")) : [];
    const format = mayHoldDates(plan) ? findDateFormat(texts, `${plan.column.name} ${plan.column.type}`) : undefined;
    if (format === undefined) return undefined;
    const reading = readDates(format, plan.text, dialect);
    // Positions only hold when every part has its full width.
    const padded = reading.textOrder || texts.every((text) => /^\d\d\D\d\d\D\d{4}/.test(text.trim()));
    if (padded) return reading;
    return { format, textOrder: false };
  });
  const second = plans.map((plan, index): string[] => {
    const iso = dates[index]?.iso;
    if (iso === undefined) return [];
    const condition = kept[index]?.condition;
    const inside = condition === undefined ? "0" : `SUM(CASE WHEN (\n${condition}\n) THEN 1 ELSE 0 END)`;
    const buckets = (length: number) =>
      `SELECT substr(${iso}, 1, ${length}) AS bucket, COUNT(*), ${inside} ${plan.from} WHERE ${plan.quoted} IS NOT NULL GROUP BY 1 ORDER BY 1 LIMIT ${maxBuckets}`;
    const day = toLastDay(plan.filter);
    return [
      buckets(4),
      buckets(7),
      `SELECT MIN(${iso}), MAX(${iso}) ${plan.from} WHERE ${plan.text} <> ''`,
      day === undefined || condition === undefined
        ? "SELECT 0"
        : `SELECT SUM(CASE WHEN NOT (\n${condition}\n) THEN 1 ELSE 0 END) ${plan.from} WHERE substr(${iso}, 1, 10) = ${dialect.text(day)}`,
    ];
  });
  const dated = await ask(database, second.flat(), { maxRows: maxBuckets });
  let at = 0;
  return plans.map((plan, index): FilterFacts => {
    const [matches, range] = reads.slice(index * 3, index * 3 + 2);
    const own = second[index] ?? [];
    const [years, months, isoRange, lastDay] = dated.slice(at, at + own.length);
    at += own.length;
    const reading = dates[index];
    const ordered = reading && !reading.textOrder && isoRange?.ok ? isoRange : range;
    const [min, max] = [cellOf(ordered, 0), cellOf(ordered, 1)];
    const showRange = !isText(plan.column) || reading !== undefined;
    const chosen = years?.ok && years.result.rows.length === 1 ? months : years;
    return {
      filter: plan.filter,
      table: plan.table,
      column: plan.column,
      ...(kept[index] ?? { kept: null, of: 0, nulls: 0, condition: undefined }),
      matches: toMatches(plan, matches),
      cutAtMidnight: toCount(lastDay),
      divisions: findIntegerDivisions(
        plan.filter.condition,
        database.engine,
        (name) => findColumn(plan.table, name)?.kind,
      ),
      ...(reading ? { dates: reading } : {}),
      ...(showRange && min !== undefined && min !== null && max !== undefined && max !== null
        ? { range: { min: toText(min), max: toText(max) } }
        : {}),
      ...(chosen?.ok && chosen.result.rows.length > 0 && isDateFilter(plan, reading)
        ? { buckets: toBuckets(chosen) }
        : {}),
    };
  });
}

const mayHoldDates = (plan: Plan): boolean =>
  plan.column.kind === "date" ||
  plan.column.dateFormat !== undefined ||
  (isText(plan.column) && plan.candidates.size === 0) ||
  (isText(plan.column) && plan.filter.values.some((value) => /\d{4}/.test(String(value))));
const isDateFilter = (plan: Plan, reading: DateReading | undefined): boolean =>
  reading !== undefined && (plan.column.kind === "date" || plan.column.dateFormat !== undefined || isText(plan.column));

function toMatches(plan: Plan, read: Read | undefined): FilterEvidence["matches"] {
  if (!read?.ok) return [];
  const order: ValueMatch["how"][] = ["exact", "case", "accent", "prefix", "contains", "near"];
  return read.result.rows
    .map((row) => {
      const value = String(row[0] ?? "");
      return {
        value: toText(value),
        how: plan.candidates.get(value) ?? "near",
        rows: Number(row[1] ?? 0),
        inFilter: Number(row[2] ?? 0) === 1,
      };
    })
    .sort(
      (a, b) =>
        Number(b.inFilter) - Number(a.inFilter) || order.indexOf(a.how) - order.indexOf(b.how) || b.rows - a.rows,
    )
    .slice(0, maxMatches * 2);
}

function toBuckets(read: Extract<Read, { ok: true }>): NonNullable<FilterEvidence["buckets"]> {
  return read.result.rows.map((row) => ({
    label: toText(row[0]),
    rows: Number(row[1] ?? 0),
    kept: Number(row[2] ?? 0),
  }));
}

function toEvidence(plan: Plan, index: number, facts: FilterFacts | undefined, values: ValueIndex): FilterEvidence {
  const searches = plan.candidates.size > 0 || (isText(plan.column) && comparesValues(plan.filter));
  const coverage = searches ? values.coverage(plan.table.name, plan.column.name) : { distinct: 0, partial: false };
  return {
    n: index + 1,
    kept: facts?.kept ?? null,
    of: facts?.of ?? 0,
    matches: facts?.matches ?? [],
    searched: coverage.distinct,
    partial: coverage.partial,
    ...(facts?.dates ? { format: facts.dates.format } : {}),
    ...(facts?.range ? { range: facts.range } : {}),
    ...(facts?.buckets ? { buckets: facts.buckets } : {}),
  };
}
