/** Expressions that don't mean what they seem to: = NULL, NOT IN with a NULL, whole-number division, numbers and dates as text. */
import { dialectOf, quoteTable } from "../../sql/dialect.ts";
import { type Origin, resolveColumn } from "../../sql/scope.ts";
import { isTree, listOf, type Node, nameOf, toNode, unwrap } from "../../sql/tree.ts";
import { ask, cellOf, figure, toCount } from "../ask.ts";
import { type CheckSubject, columnOf, tableOf, type Warn } from "./check-subject.ts";
import type { SelectView } from "./query-view.ts";
import { findNodes, isNull, isQuery, keyOf, walk } from "./walk-tree.ts";

export async function findConditionFaults(subject: CheckSubject, warn: Warn): Promise<void> {
  for (const select of subject.query.selects) {
    findNullComparisons(select, warn);
    findWholeDivision(subject, select, warn);
    findYearAsDate(subject, select, warn);
  }
  await findNullsInNotIn(subject, warn);
  await findNumbersAsText(subject, warn);
}

function findNullComparisons({ tree }: SelectView, warn: Warn): void {
  const clauses = [tree.where_clause, tree.having, listOf(tree.joins), tree.expressions];
  for (const { kind, value } of findNodes(clauses, new Set(["eq", "neq"])))
    if (isNull(value.left) || isNull(value.right))
      warn(
        "problem",
        "equals-null",
        `A comparison ${kind === "eq" ? "=" : "<>"} NULL is never true: a missing value is found with IS ${kind === "eq" ? "" : "NOT "}NULL.`,
        "WHERE",
      );
}

/** Whole numbers divided by whole numbers lose what is behind the point, on engines that divide that way. */
function findWholeDivision({ database, catalog }: CheckSubject, { tree, scope }: SelectView, warn: Warn): void {
  if (database.engine !== "sqlite" && database.engine !== "postgres") return;
  const isWhole = (value: unknown): boolean => {
    const node = toNode(unwrap(value));
    if (!node) return false;
    if (node.kind === "column") {
      const origins = resolveColumn(value, scope)?.origins ?? [];
      return origins.length > 0 && origins.every((origin) => columnOf(catalog, origin)?.kind === "integer");
    }
    if (node.kind === "literal") return node.value.literal_type === "number" && /^\d+$/.test(String(node.value.value));
    if (node.kind === "count") return true;
    if (node.kind === "sum" || node.kind === "min" || node.kind === "max") return isWhole(node.value.this);
    if (node.kind === "case")
      return [...listOf(node.value.whens).map((when) => listOf(when)[1]), node.value.else_]
        .filter((branch) => branch && !isNull(branch))
        .every(isWhole);
    if (node.kind === "add" || node.kind === "sub" || node.kind === "mul" || node.kind === "div")
      return isWhole(node.value.left) && isWhole(node.value.right);
    if (node.kind === "cast") return isTree(node.value.to) && /int/.test(String(node.value.to.data_type));
    if (node.kind === "subquery") {
      const inner = toNode(unwrap(node.value.this));
      const [only] = listOf(inner?.value.expressions);
      const plain = toNode(unwrap(only));
      const shown = plain?.kind === "alias" ? plain.value.this : only;
      return toNode(unwrap(shown))?.kind === "count";
    }
    return false;
  };
  for (const { value } of findNodes([tree.expressions, tree.having, tree.order_by], "div"))
    if (isWhole(value.left) && isWhole(value.right) && toNode(unwrap(value.right))?.kind !== "literal")
      warn(
        "warning",
        "integer-division",
        "Whole numbers are divided here, so everything behind the point is cut off.",
        "SELECT",
      );
}

/** SQLite takes a bare year for the number of a day: `strftime('%Y', 2014)` lies six thousand years back. */
function findYearAsDate({ database, catalog }: CheckSubject, { tree, scope }: SelectView, warn: Warn): void {
  if (database.engine !== "sqlite") return;
  for (const { value } of findNodes(tree, "function", true)) {
    if (!/^(strftime|date|julianday|datetime)$/i.test(nameOf(value) ?? "")) continue;
    for (const argument of listOf(value.args)) {
      const origin = resolveColumn(argument, scope)?.origins[0];
      const column = origin && columnOf(catalog, origin);
      if (origin && column && column.samples.length > 0 && column.samples.every((sample) => /^\d{4}$/.test(sample)))
        warn(
          "warning",
          "year-as-date",
          `${origin.table}.${column.name} holds years, and a date function takes a bare number for a day count.`,
          `${origin.table}.${column.name}`,
        );
    }
  }
}

/** NOT IN over a column with a NULL in it keeps nothing, unless the query inside leaves the NULLs out. */
async function findNullsInNotIn({ database, catalog, query }: CheckSubject, warn: Warn): Promise<void> {
  const dialect = dialectOf(database.engine);
  const suspects: Origin[] = [];
  for (const { joins } of query.selects) {
    for (const { kind, pairs } of joins) {
      const inner = pairs[0]?.right;
      if (kind !== "ANTI" || !inner || columnOf(catalog, inner)?.nullable !== true) continue;
      const source = query.selects.find(
        (select) => select.role === "test" && select.outputs.some((output) => output.origins.includes(inner)),
      );
      const tested = findNodes(source?.tree.where_clause, "is_null").length > 0;
      // A condition on any column may leave the NULLs out; only the bare list is sure.
      if (!tested && source && !source.tree.where_clause) suspects.push(inner);
    }
  }
  const reads = await ask(
    database,
    suspects.map((origin) => {
      const table = tableOf(catalog, origin.table);
      const column = dialect.quote(columnOf(catalog, origin)?.name ?? origin.column);
      return `SELECT COUNT(*) FROM ${table ? quoteTable(dialect, table) : ""} WHERE ${column} IS NULL`;
    }),
  );
  for (const [index, read] of reads.entries()) {
    const nulls = toCount(read);
    const origin = suspects[index];
    if (nulls > 0 && origin)
      warn(
        "problem",
        "not-in-null",
        `NOT IN keeps nothing: ${figure(nulls)} rows of ${origin.table} have no ${origin.column}, and nothing is known to differ from a missing value.`,
        keyOf(origin),
      );
  }
}

/** Text columns that hold numbers and are put in order: '9' comes after '10'. */
async function findNumbersAsText(subject: CheckSubject, warn: Warn): Promise<void> {
  const { database, catalog, query } = subject;
  const used = new Map<string, { origin: Origin; how: string }>();
  const add = (value: unknown, select: SelectView, how: string) => {
    const origins = resolveColumn(value, select.scope)?.origins ?? [];
    for (const origin of origins) {
      const column = columnOf(catalog, origin);
      const numbers = column?.samples.filter((sample) => /^-?\d+(\.\d+)?$/.test(sample)) ?? [];
      const most = column && numbers.length > 0 && numbers.length >= column.samples.length * 0.7;
      if (column?.kind === "text" && most) used.set(keyOf(origin), { origin, how });
    }
  };
  for (const select of query.selects) {
    const orders = isTree(select.tree.order_by) ? listOf(select.tree.order_by.expressions) : [];
    for (const order of orders) if (isTree(order)) add(order.this, select, "sorts");
    walk([select.tree.expressions, select.tree.where_clause, select.tree.having], (node: Node) => {
      if (isQuery(node)) return false;
      if (node.kind === "max" || node.kind === "min") add(node.value.this, select, node.kind.toUpperCase());
      if (/^(lt|lte|gt|gte)$/.test(node.kind))
        for (const side of [node.value.left, node.value.right]) add(side, select, "compares");
      return undefined;
    });
  }
  const dialect = dialectOf(database.engine);
  const found = [...used.values()];
  const reads = await ask(
    database,
    found.map(({ origin }) => {
      const table = tableOf(catalog, origin.table);
      const text = dialect.asText(dialect.quote(columnOf(catalog, origin)?.name ?? origin.column));
      const number = `CASE WHEN ${text} LIKE '%.%' THEN NULL ELSE ${dialect.length(text)} END`;
      return `SELECT MIN(${number}), MAX(${number}) FROM ${table ? quoteTable(dialect, table) : ""}`;
    }),
  );
  for (const [index, read] of reads.entries()) {
    const item = found[index];
    // Numbers of one length are in the same order as texts.
    if (!item || !read.ok || cellOf(read, 0) === cellOf(read, 1)) continue;
    warn(
      "warning",
      "number-as-text",
      `${item.origin.table}.${item.origin.column} holds numbers as text, and the statement ${item.how === "sorts" || item.how === "compares" ? `${item.how} them` : `takes their ${item.how}`} letter by letter: '9' comes after '10'.`,
      keyOf(item.origin),
    );
  }
}
