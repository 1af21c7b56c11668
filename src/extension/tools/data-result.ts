/** Results of tools that read the database, for the model: fenced as data, bounded, exact. */

import type { Read } from "../../database/database.ts";
import type { QueryResult } from "../../protocol/index.ts";

export const toText = (text: string) => ({ content: [{ type: "text" as const, text }], details: {} });

/** What came from the database is fenced; a fence inside the data cannot close ours. */
export const fence = (text: string): string => `<data>\n${text.replaceAll(/<\/?data>/gi, "‹data›")}\n</data>`;

export const toData = (text: string) => toText(fence(text));

export function toTable({ columns, rows, rowCount, truncated }: QueryResult): string {
  const head = columns.map((column) => column.name).join(" | ");
  const body = rows.map((row) => row.map((cell) => (cell === null ? "NULL" : String(cell))).join(" | "));
  return [head, ...body, truncated ? `(cut after ${rowCount} rows)` : `(${rowCount} rows)`].join("\n");
}

/** The engine's message in full: a model mends its SQL with it. */
export function orThrow(read: Read): QueryResult {
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.message}`);
  return read.result;
}
