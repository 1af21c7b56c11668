/**
 * What groups and limits do to the rows: measures added more than once, columns that are neither grouped nor
 * aggregated, a limit that cuts a tie. Counted on FROM and WHERE as they stand in the statement.
 */
import { dialectOf } from "../../sql/dialect.ts";
import { type Token, tokenize } from "../../sql/parser.ts";
import { fold, type Origin, resolveColumn } from "../../sql/scope.ts";
import { toLimitEnd, toStepShape } from "../../sql/step-shape.ts";
import { isTree, listOf, toNode, unwrap } from "../../sql/tree.ts";
import { ask, cellOf, figure, listing, rowsOf, toCount } from "../ask.ts";
import { type CheckSubject, columnOf, isNumeric, tableOf, type Warn } from "./check-subject.ts";
import type { SelectView } from "./query-view.ts";
import { findAggregates, originsIn } from "./walk-tree.ts";

export async function findGroupFaults(subject: CheckSubject, warn: Warn): Promise<void> {
  const mains = subject.query.selects.filter((select) => select.role === "main");
  const [main] = mains;
  if (main && mains.length === 1) {
    const from = toStepShape(subject.sql, dialectOf(subject.database.engine).parser).from;
    if (from !== undefined) {
      await findRepeated(subject, main, from, warn);
      await findCountedRows(subject, main, from, warn);
      await findUngrouped(subject, main, from, warn);
    }
  }
  await findTie(subject, main, warn);
}

/** A stored column as this statement names it. */
function nameIn(subject: CheckSubject, origin: Origin): string {
  const quote = (name: string) => subject.database.quote(name);
  return `${quote(origin.alias)}.${quote(columnOf(subject.catalog, origin)?.name ?? origin.column)}`;
}

/** The groups as SQL, when all of them are stored columns of this FROM. */
function groupsOf(subject: CheckSubject, select: SelectView): string[] | undefined {
  const names = select.grouped.map((group) => {
    const node = toNode(unwrap(group));
    const position = node?.kind === "literal" ? Number(node.value.value) : 0;
    const expression = position > 0 ? select.outputs[position - 1]?.expression : group;
    const resolved = resolveColumn(expression, select.scope) ?? undefined;
    const alias = resolved
      ? undefined
      : select.outputs.find((output) => output.name !== "" && output.name === aliasOf(group));
    const origin = resolved?.origins[0] ?? alias?.origins[0];
    return origin && !origin.through ? nameIn(subject, origin) : undefined;
  });
  return names.every((name) => name !== undefined) ? names : undefined;
}

const aliasOf = (value: unknown): string => {
  const node = toNode(unwrap(value));
  const name = node?.kind === "column" && isTree(node.value.name) ? node.value.name.name : undefined;
  return typeof name === "string" ? fold(name) : "";
};

/** SUM and AVG over rows of a table that stand several times in one group. */
async function findRepeated(subject: CheckSubject, select: SelectView, from: string, warn: Warn): Promise<void> {
  if (select.scope.sources.length < 2) return;
  const groups = groupsOf(subject, select);
  if (!groups) return;
  const measures = findAggregates([select.tree.expressions, select.tree.having, select.tree.order_by]).flatMap(
    (node) => {
      const name = node.kind === "function" ? "" : node.kind;
      const origins = originsIn(node.value.this, select.scope);
      const [origin] = origins;
      const one = origins.every((other) => other.alias === origin?.alias);
      if (!origin || origin.through || !one || node.value.distinct === true) return [];
      const table = tableOf(subject.catalog, origin.table);
      const key = table?.primaryKey.length ? table.primaryKey : table?.unique[0];
      if ((name !== "sum" && name !== "avg") || !key || !isNumeric(columnOf(subject.catalog, origin))) return [];
      return [{ name, origin, key: key.map((column) => nameIn(subject, { ...origin, column: fold(column) })) }];
    },
  );
  const statements = measures.map(({ key }) => {
    const columns = [...groups, ...key];
    return `SELECT COUNT(*), MAX(c) FROM (SELECT COUNT(*) AS c ${from} GROUP BY ${columns.join(", ")} HAVING COUNT(*) > 1) AS met`;
  });
  const reads = await ask(subject.database, statements, { maxRows: 1 });
  for (const [index, read] of reads.entries()) {
    const measure = measures[index];
    const repeated = toCount(read);
    if (!measure || !read.ok || repeated === 0) continue;
    warn(
      "warning",
      "measure-repeated",
      `${measure.name.toUpperCase()} of ${measure.origin.table}.${measure.origin.column} takes ${figure(repeated)} rows of ${measure.origin.table} more than once, up to ${figure(toCount(read, 1))} times: the joins repeat them.`,
      `${measure.name.toUpperCase()}(${measure.origin.table}.${measure.origin.column})`,
    );
  }
}

/** COUNT(*) over joined rows counts rows of the most detailed table; said for the table that FROM begins with. */
async function findCountedRows(subject: CheckSubject, select: SelectView, from: string, warn: Warn): Promise<void> {
  const [first] = select.scope.sources;
  const groups = groupsOf(subject, select);
  const table = first?.table === undefined ? undefined : tableOf(subject.catalog, first.table);
  const counts = findAggregates([select.tree.expressions]).some(
    (node) => node.kind === "count" && (node.value.star === true || toNode(unwrap(node.value.this))?.kind === "star"),
  );
  if (!counts || !groups || !first || !table || table.primaryKey.length === 0 || select.scope.sources.length < 2)
    return;
  const key = table.primaryKey.map(
    (column) => `${subject.database.quote(first.alias)}.${subject.database.quote(column)}`,
  );
  const [read] = await ask(
    subject.database,
    [
      `SELECT COUNT(*), MAX(c) FROM (SELECT COUNT(*) AS c ${from} GROUP BY ${[...groups, ...key].join(", ")} HAVING COUNT(*) > 1) AS met`,
    ],
    { maxRows: 1 },
  );
  const repeated = toCount(read);
  if (read?.ok && repeated > 0)
    warn(
      "info",
      "count-repeated",
      `COUNT(*) counts joined rows: ${rowsOf(repeated)} of ${table.name} ${repeated === 1 ? "stands" : "stand"} there up to ${figure(toCount(read, 1))} times.`,
      "COUNT(*)",
    );
}

/** A column beside an aggregate that is not the same in a whole group: the engine shows any of its values. */
async function findUngrouped(subject: CheckSubject, select: SelectView, from: string, warn: Warn): Promise<void> {
  if (!select.aggregated) return;
  const { engine } = subject.database;
  if (engine !== "sqlite" && engine !== "mysql") return;
  const groups = groupsOf(subject, select);
  if (!groups) return;
  const bare = select.outputs.flatMap(({ origins, expression }) => {
    const [origin] = origins;
    if (!origin || origin.through || toNode(unwrap(expression))?.kind !== "column") return [];
    const name = nameIn(subject, origin);
    return groups.includes(name) ? [] : [{ origin, name }];
  });
  // SQLite takes a bare column from the row that holds the one MIN or MAX.
  const kinds = findAggregates([select.tree.expressions, select.tree.having]).map((node) => node.kind);
  const ruled = kinds.length === 1 && (kinds[0] === "min" || kinds[0] === "max");
  if (bare.length === 0 || ruled) return;
  const reads = await ask(
    subject.database,
    bare.map(({ name }) =>
      groups.length === 0
        ? `SELECT COUNT(DISTINCT ${name}) - 1 ${from}`
        : `SELECT COUNT(*) FROM (SELECT 1 AS one ${from} GROUP BY ${groups.join(", ")} HAVING COUNT(DISTINCT ${name}) > 1) AS mixed`,
    ),
    { maxRows: 1 },
  );
  const mixed = bare.filter((_, index) => toCount(reads[index]) > 0);
  if (mixed.length > 0)
    warn(
      "warning",
      groups.length === 0 ? "group-missing" : "ungrouped-column",
      `${listing(mixed.map(({ origin }) => `${origin.table}.${origin.column}`))} ${mixed.length === 1 ? "is" : "are"} neither grouped nor aggregated: one value of several is shown${groups.length === 0 ? ", and there is no GROUP BY" : ""}.`,
      "GROUP BY",
    );
}

/** The rows behind the last one have the same value in what the statement sorts by. */
async function findTie(subject: CheckSubject, main: SelectView | undefined, warn: Warn): Promise<void> {
  const { database, sql, result } = subject;
  const parser = dialectOf(database.engine).parser;
  const end = toLimitEnd(sql, parser);
  const tokens = tokenize(sql, parser);
  if (!end || !tokens.ok || !result || result.rows.length !== end.limit || end.limit > 100) return;
  const head = toKeyed(sql, end, tokens.value, main);
  if (head === undefined) return;
  const [read] = await ask(database, [`${head}LIMIT ${end.limit + 1}`], { maxRows: end.limit + 1 });
  if (!read?.ok || read.result.rows.length !== end.limit + 1) return;
  const [last, next] = [cellOf(read, 0, end.limit - 1), cellOf(read, 0, end.limit)];
  const rest = (row: number) => JSON.stringify(read.result.rows[row]?.slice(1));
  if (last === undefined || last === null || last !== next || rest(end.limit - 1) === rest(end.limit)) return;
  warn(
    "warning",
    "limit-tie",
    `LIMIT ${end.limit} cuts a tie: the next row has ${String(last)} in ${end.orderBy} too, so which one is shown is chance.`,
    `LIMIT ${end.limit}`,
  );
}

/** The statement up to its LIMIT with its sorting key as first column; undefined where that isn't plain. */
function toKeyed(
  sql: string,
  end: { before: string; orderBy: string },
  tokens: readonly Token[],
  main: SelectView | undefined,
): string | undefined {
  if (!main || main.tree.distinct === true) return undefined;
  const orders = isTree(main.tree.order_by) ? listOf(main.tree.order_by.expressions) : [];
  // A second key may settle what the first leaves open.
  if (orders.length !== 1 || !isTree(orders[0])) return undefined;
  let depth = 0;
  const selects = tokens.filter((token) => {
    if (token.type === "L_PAREN") depth += 1;
    if (token.type === "R_PAREN") depth -= 1;
    return depth === 0 && token.type === "SELECT";
  });
  const [select] = selects;
  if (selects.length !== 1 || !select) return undefined;
  const name = aliasOf(orders[0].this);
  const position = /^\d+$/.test(end.orderBy) ? Number(end.orderBy) : 0;
  const output =
    position > 0 ? main.outputs[position - 1] : main.outputs.find((one) => one.name === name && name !== "");
  const key = output && output.origins.length === 0 ? textOf(sql, tokens, select, output.name) : end.orderBy;
  if (key === undefined || position > 0) return undefined;
  return `${sql.slice(0, select.end)} ${key} AS sorted_by, ${end.before.slice(select.end)}`;
}

/** The expression behind an alias in the SELECT list, as written. */
function textOf(sql: string, tokens: readonly Token[], select: Token, alias: string): string | undefined {
  let depth = 0;
  let start = select.end;
  for (const [index, token] of tokens.entries()) {
    if (token.start < select.end) continue;
    if (token.type === "L_PAREN") depth += 1;
    else if (token.type === "R_PAREN") depth -= 1;
    const stop = depth === 0 && (token.type === "COMMA" || token.type === "FROM");
    if (!stop) continue;
    const [word, before] = [tokens[index - 1], tokens[index - 2]];
    if (word && before && fold(word.text) === alias)
      return sql.slice(start, fold(before.text) === "as" ? before.start : word.start);
    if (token.type === "FROM") return undefined;
    start = token.end;
  }
  return undefined;
}
