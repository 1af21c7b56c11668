/**
 * Holds the totals of an answer against the rows they come from: what a summed column of the result adds up to, beside
 * the sum over each row of its table once. Says whether a join counted rows again inside the statement as it runs, after
 * all steps, which the join gate could only foresee.
 */
import type { Database } from "../database/database.ts";
import type { Catalog, Decision, FilterDecision, JoinDecision, QueryResult } from "../protocol/index.ts";
import { parseCondition } from "../sql/accepted.ts";
import { dialectOf } from "../sql/dialect.ts";
import { parseStatements } from "../sql/parser.ts";
import { fold, resolveColumn, type Scope } from "../sql/scope.ts";
import { hasAggregate } from "../sql/step-shape.ts";
import { listOf, nameOf, toNode, unwrap } from "../sql/tree.ts";
import { ask, cellOf } from "./ask.ts";
import { type OutputView, type QueryView, readQuery, type SelectView } from "./check/query-view.ts";
import { findAggregates } from "./check/walk-tree.ts";
import { findColumn, findTable, type JoinedTable, same, toCountParts, toGraph, toTableName } from "./join-graph.ts";
import { toRowKey } from "./measure-doubles.ts";

export interface Reconciled {
  /** Column of the result. */
  column: string;
  /** Table whose rows are summed. */
  table: string;
  /** What the column adds up to. */
  shown: number;
  /** Sum over each row of the table once, of those that the accepted joins and filters keep. */
  once: number;
  /** Sum over each row once per group; more than `once` where a row belongs to several groups. */
  perGroup: number;
}

interface Summed {
  at: number;
  column: string;
  table: JoinedTable;
  expression: string;
  /** Columns that the summing SELECT groups by. */
  groups: string[];
}

const deadlineMs = 5000;

/**
 * One entry per column of the result that is a SUM over one table's columns. Nothing where that can't be said: the
 * result is cut, a limit or a condition on groups leaves some out, or an accepted condition can't stand alone.
 */
export async function reconcileTotals(
  database: Database,
  catalog: Catalog,
  sql: string,
  result: QueryResult,
  decisions: readonly Decision[],
): Promise<Reconciled[]> {
  if (result.truncated || result.rows.length === 0) return [];
  const parsed = parseStatements(sql, dialectOf(database.engine).parser);
  const [tree] = parsed.ok ? parsed.value : [];
  if (!tree) return [];
  const query = readQuery(tree, catalog);
  if (query.selects.some(({ tree: select }) => select.limit || select.having || select.distinct === true)) return [];
  const joins = decisions.filter((decision): decision is JoinDecision => decision.kind === "join");
  const graph = toGraph(joins, catalog);
  if ("unknown" in graph) return [];
  const conditions = toConditions(database, decisions);
  if (!conditions) return [];
  const quote = (name: string) => database.quote(name);
  const parts = toCountParts(graph.joins, quote);
  const sums = findSums(query, result, joins.length > 0 ? graph.tables : alone(decisions, catalog), quote);
  const statements = sums.map(({ table, expression, groups }) => {
    const part = parts.find(({ aliases }) => aliases.has(table));
    const where = conditions.length > 0 ? ` WHERE ${conditions.map((text) => `(\n${text}\n)`).join(" AND ")}` : "";
    const single = `${toTableName(table.table, quote)} AS ${quote(table.alias)}${where}`;
    const from = part ? part.narrowed(conditions) : joins.length === 0 ? single : undefined;
    const key = toRowKey(table, database);
    if (from === undefined || key === null) return undefined;
    const total = (columns: readonly string[]) =>
      `SELECT SUM(amount) FROM (SELECT DISTINCT ${columns.map((column, n) => `${column} AS c${n}`).join(", ")}, ${expression} AS amount FROM ${from}) AS counted`;
    return [total(key), total([...groups, ...key])];
  });
  const reads = await ask(
    database,
    statements.flatMap((pair) => pair ?? []),
    { maxRows: 1, deadlineMs },
  );
  let next = 0;
  return sums.flatMap(({ at, column, table }, index) => {
    if (!statements[index]) return [];
    const [once, perGroup] = reads.slice(next, next + 2).map((read) => (read?.ok ? toNumber(cellOf(read)) : undefined));
    next += 2;
    const cells = result.rows.map((row) => (row[at] === null ? 0 : toNumber(row[at])));
    if (once === undefined || perGroup === undefined || cells.some((cell) => cell === undefined)) return [];
    const shown = cells.reduce<number>((sum, cell) => sum + (cell ?? 0), 0);
    return [{ column, table: table.table.name, shown, once, perGroup }];
  });
}

function toNumber(value: unknown): number | undefined {
  const number =
    typeof value === "number" ? value : typeof value === "string" && value !== "" ? Number(value) : Number.NaN;
  return Number.isFinite(number) ? number : undefined;
}

/** The accepted filters as conditions on rows; undefined when one of them can't be said of a row. */
function toConditions(database: Database, decisions: readonly Decision[]): string[] | undefined {
  const filters = decisions.filter((decision): decision is FilterDecision => decision.kind === "filter");
  const conditions: string[] = [];
  for (const filter of filters) {
    const parts = parseCondition(filter.condition, database.engine);
    if (parts.length === 0 || hasAggregate(parts)) return undefined;
    conditions.push(filter.condition);
  }
  return conditions;
}

/** Columns of the result that are sums, named by the SELECT that sums or handed through under the same name. */
function findSums(
  query: QueryView,
  result: QueryResult,
  tables: readonly JoinedTable[],
  quote: (name: string) => string,
): Summed[] {
  const main = query.selects.filter(({ role }) => role === "main");
  const [last] = main;
  if (main.length !== 1 || !last || last.outputs.length !== result.columns.length) return [];
  return last.outputs.flatMap((output, at) => {
    const from = last.aggregated ? { select: last, output } : handedThrough(query, output);
    const argument = from && summedIn(from.output.expression);
    if (!from || argument === undefined) return [];
    const { select } = from;
    const used = new Set<JoinedTable>();
    const expression = toArithmetic(argument, select.scope, tables, quote, used);
    const groups = select.grouped.map((group) => {
      const position = Number(toNode(unwrap(group))?.value.value);
      const meant = position > 0 ? select.outputs[position - 1]?.expression : group;
      return toArithmetic(meant, select.scope, tables, quote, new Set());
    });
    const [table] = used;
    if (expression === undefined || !table || used.size !== 1 || groups.some((group) => group === undefined)) return [];
    return [
      {
        at,
        column: result.columns[at]?.name ?? output.name,
        table,
        expression,
        groups: groups.filter((group) => group !== undefined),
      },
    ];
  });
}

/** The SELECT of a step that makes a column which the last SELECT only shows. */
function handedThrough(query: QueryView, output: OutputView): { select: SelectView; output: OutputView } | undefined {
  const node = toNode(unwrap(output.expression));
  const name = node?.kind === "column" ? fold(nameOf(node.value.name) ?? "") : output.name;
  if (name === "" || (node?.kind !== "column" && node?.kind !== "star")) return undefined;
  const made = query.selects.flatMap((select) =>
    select.role === "step" && select.aggregated
      ? select.outputs.filter((one) => one.name === name).map((one) => ({ select, output: one }))
      : [],
  );
  return made.length === 1 ? made[0] : undefined;
}

/** What is summed, when the expression is one SUM, rounded or with a stand-in for NULL at most. */
function summedIn(expression: unknown): unknown {
  const node = toNode(unwrap(expression));
  if (node?.kind === "sum") return node.value.distinct === true || node.value.filter ? undefined : node.value.this;
  if (node?.kind === "function" && /^round$/i.test(String(node.value.name)))
    return summedIn(listOf(node.value.args)[0]);
  if (node?.kind === "coalesce" && findAggregates(expression).length === 1)
    return summedIn(listOf(node.value.expressions)[0]);
  return undefined;
}

const signs: Record<string, string> = { add: "+", sub: "-", mul: "*", div: "/" };

/** Columns, numbers and the four operations, over stored columns by the aliases of the accepted set. */
function toArithmetic(
  value: unknown,
  scope: Scope,
  tables: readonly JoinedTable[],
  quote: (name: string) => string,
  used: Set<JoinedTable>,
): string | undefined {
  const inner = (part: unknown) => toArithmetic(part, scope, tables, quote, used);
  const node = toNode(unwrap(value));
  if (!node) return undefined;
  const sign = signs[node.kind];
  if (sign !== undefined) {
    const [left, right] = [inner(node.value.left), inner(node.value.right)];
    return left === undefined || right === undefined ? undefined : `(${left} ${sign} ${right})`;
  }
  if (node.kind === "literal")
    return /^\d+(\.\d+)?$/.test(String(node.value.value)) && node.value.literal_type === "number"
      ? String(node.value.value)
      : undefined;
  if (node.kind !== "column") return undefined;
  const origins = resolveColumn(value, scope)?.origins ?? [];
  const [origin] = origins;
  if (!origin || origins.length !== 1) return undefined;
  const table = findJoined(origin.table, origin.alias, tables);
  const column = table && findColumn(table.table, origin.column);
  if (!table || !column) return undefined;
  used.add(table);
  return `${quote(table.alias)}.${quote(column.name)}`;
}

/** A table of the accepted set by its alias, or by its name where it stands there once. */
function findJoined(name: string, alias: string, tables: readonly JoinedTable[]): JoinedTable | undefined {
  const named = tables.filter((candidate) => same(candidate.table.name, name));
  return named.find((candidate) => same(candidate.alias, alias)) ?? (named.length === 1 ? named[0] : undefined);
}

/** Without joins: each accepted table, by the alias that its filters use. */
function alone(decisions: readonly Decision[], catalog: Catalog): JoinedTable[] {
  return decisions.flatMap((decision) => {
    const table = decision.kind === "table" && decision.use === "used" ? findTable(catalog, decision.table) : undefined;
    if (!table) return [];
    const filter = decisions.find((one) => one.kind === "filter" && same(one.table, table.name));
    return [{ table, alias: (filter?.kind === "filter" ? filter.alias : undefined) ?? table.name }];
  });
}
