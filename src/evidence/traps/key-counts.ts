/** How often the keys of a table stand there: the statement that counts it, and its answer. */
import type { Read } from "../../database/database.ts";
import type { Table } from "../../protocol/index.ts";
import { toCount } from "../ask.ts";
import type { TrapContext } from "./trap.ts";

export interface KeyCounts {
  keys: number;
  rows: number;
  /** Most rows of one key. */
  most: number;
  /** Keys with more than one row. */
  repeated: number;
}

export function keyCounts(context: TrapContext, table: Table, columns: readonly string[]): string {
  const names = columns.map(context.dialect.quote);
  const filled = names.map((name) => `${name} IS NOT NULL`).join(" AND ");
  return `SELECT COUNT(*), SUM(n), MAX(n), SUM(CASE WHEN n > 1 THEN 1 ELSE 0 END) FROM (SELECT ${names.join(", ")}, COUNT(*) AS n FROM ${context.from(table, "t")} WHERE ${filled} GROUP BY ${names.join(", ")}) AS g`;
}

export function toKeyCounts(read: Read | undefined): KeyCounts | undefined {
  if (!read?.ok) return undefined;
  return { keys: toCount(read, 0), rows: toCount(read, 1), most: toCount(read, 2), repeated: toCount(read, 3) };
}
