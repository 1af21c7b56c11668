/**
 * evidence/ measures on the database what a decision does: rows, matches, joins, steps and results. Every figure is
 * counted live, in few batches, bounded in time and size; a figure that can't be counted is left out or marked, never
 * guessed. The statements built here only count: they are never shown as the answer and never become part of it.
 */
import type { Database, DatabaseProblem, Read } from "../database/database.ts";
import type { Cell, QueryResult } from "../protocol/index.ts";

/** Longest cell that goes into a gate. */
export const maxCell = 200;
const limits = { maxRows: 200, maxBytes: 1_000_000, deadlineMs: 20_000 };

export type Measured<T> = T | { problem: DatabaseProblem };

/** One batch of counting statements; `maxRows` is for those that list values. */
export async function ask(
  database: Database,
  statements: readonly string[],
  options: { maxRows?: number; deadlineMs?: number } = {},
): Promise<Read[]> {
  if (statements.length === 0) return [];
  return await database.readAll(statements, { ...limits, ...options });
}

/** Whole number in the first row; 0 for NULL and for what could not be read. */
export function toCount(read: Read | undefined, column = 0): number {
  const value = cellOf(read, column);
  const number = Number(value ?? 0);
  return Number.isFinite(number) ? Math.round(number) : 0;
}

export function cellOf(read: Read | undefined, column = 0, row = 0): Cell | undefined {
  return read?.ok ? read.result.rows[row]?.[column] : undefined;
}

/** A cell as text in a small table. */
export function toText(value: Cell | undefined): string {
  if (value === null || value === undefined) return "NULL";
  const text = String(value);
  return text.length > maxCell ? `${text.slice(0, maxCell - 1)}…` : text;
}

/** The first rows with cells cut to what a gate may hold. */
export function cutResult(result: QueryResult, maxRows: number): QueryResult {
  const rows = result.rows
    .slice(0, maxRows)
    .map((row) => row.map((cell) => (typeof cell === "string" && cell.length > maxCell ? toText(cell) : cell)));
  return {
    columns: result.columns,
    rows,
    rowCount: rows.length,
    truncated: result.truncated || result.rows.length > rows.length,
  };
}

/** `1,519` */
export const figure = (count: number): string => count.toLocaleString("en-US");

/** `1 row`, `1,519 rows` */
export const rowsOf = (count: number): string => `${figure(count)} ${count === 1 ? "row" : "rows"}`;

/** A statement without rows, on every engine. */
export const nothing = "SELECT NULL FROM (SELECT 1 AS one) AS none WHERE 1 = 0";

/** A text as people write it in SQL. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

export const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length - 1)}…` : text;

/** `a`, `a and b`, `a, b and c` */
export function listing(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}
