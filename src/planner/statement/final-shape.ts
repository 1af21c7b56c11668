/**
 * What the final SELECT gives, said over the tables themselves instead of over its steps: what a row is told apart by,
 * its columns, its order and its limit, as the decisions hold it.
 */
import { type JoinNode, type SelectNode, type SqlWriter, settleDistinct } from "./to-sql.ts";

/** Expressions in SQL; an empty list says nothing. */
export interface FinalShape {
  grain: string[];
  output: string[];
  order: string[];
  limit: string[];
}

export function toFinalShape(
  final: SelectNode,
  steps: ReadonlyMap<string, SelectNode>,
  write: SqlWriter,
  joins: readonly JoinNode[],
): FinalShape {
  const read = createReader(steps, write, joins);
  const { distinct, groupBy, orderBy } = settleDistinct(final, write);
  const output = final.columns.map((column) => read(final, column.sql));
  const order = orderBy.flatMap((term) => {
    const sql = read(final, term.sql);
    const text = write.order(sql, term.direction, term.mayBeNull, final.limit !== undefined);
    // Some engines need a key of their own to put rows without a value last.
    const nulls = `${sql} IS NULL`;
    return text.startsWith(`${nulls}, `) ? [nulls, text.slice(nulls.length + 2)] : [text];
  });
  return {
    grain: distinct ? [...new Set(output)] : groupBy.length > 0 ? groupBy.map((sql) => read(final, sql)) : folded(),
    output,
    order,
    limit: final.limit === undefined ? [] : [String(final.limit), ...(final.skip ? [String(final.skip)] : [])],
  };

  /** The keys of the last step that folds rows. */
  function folded(): string[] {
    for (let node = source(final); node; node = source(node))
      if (node.groupBy.length > 0) return node.groupBy.map((sql) => read(node as SelectNode, sql));
    return [];
  }

  function source(node: SelectNode): SelectNode | undefined {
    return node.from.table ? undefined : steps.get(node.from.name);
  }
}

/** Writes an expression of a SELECT with the columns of its steps replaced by what these compute. */
function createReader(
  steps: ReadonlyMap<string, SelectNode>,
  write: SqlWriter,
  joins: readonly JoinNode[],
): (node: SelectNode, sql: string) => string {
  const joined = new Set(joins.flatMap((join) => [join.left.alias, join.right.alias]));
  const read = (node: SelectNode, sql: string): string => {
    const { alias, name, table } = node.from;
    if (!table) {
      const columns = steps.get(name)?.columns ?? [];
      const texts = new Map(columns.map((column) => [write.column(alias, column.name), column.sql]));
      return replaceColumns(sql, texts, (inner) => {
        const text = read(steps.get(name) as SelectNode, inner);
        return isWhole(text) || sql.trim() === text ? text : `(${text})`;
      });
    }
    // Only joins declare aliases; a table that stands alone goes by its name.
    return joined.has(alias)
      ? sql
      : sql.replaceAll(new RegExp(`'(?:[^']|'')*'|\\b${alias}\\.`, "g"), (text) =>
          text.startsWith("'") ? text : `${write.table(name)}.`,
        );
  };
  return read;
}

const isWhole = (sql: string): boolean => /^[\w."`]+$/.test(sql) || /^\w+\([^()]*\)$/.test(sql) || isWrapped(sql);

/** One pair of parentheses around all of it. */
function isWrapped(sql: string): boolean {
  if (!sql.startsWith("(") || !sql.endsWith(")")) return false;
  let depth = 0;
  for (const [at, sign] of [...sql.replaceAll(/'(?:[^']|'')*'/g, (text) => "x".repeat(text.length))].entries()) {
    if (sign === "(") depth += 1;
    if (sign === ")") depth -= 1;
    if (depth === 0) return at === sql.length - 1;
  }
  return false;
}

/** Longest names first, whole names only, nothing inside text literals. */
function replaceColumns(sql: string, texts: ReadonlyMap<string, string>, toText: (inner: string) => string): string {
  if (texts.size === 0) return sql;
  const literally = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const names = [...texts.keys()].sort((a, b) => b.length - a.length).map(literally);
  const pattern = new RegExp(`'(?:[^']|'')*'|(?<![\\w.])(?:${names.join("|")})(?![\\w])`, "g");
  return sql.replaceAll(pattern, (text) => (text.startsWith("'") ? text : toText(texts.get(text) ?? text)));
}
