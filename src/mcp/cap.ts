/** Answers stay small enough for a model's context, and say what was left out. */
import type { Cell, QueryResult } from "../protocol/index.ts";

const mostRows = 20;
const mostColumns = 60;
const cellLength = 200;
/** Characters of all cells together. */
const rowsLength = 20_000;

export function capText(text: string, most: number): string {
  const whole = text.trim();
  return whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
}

/** The first `most`, and a sentence in `notes` when there are more. */
export function capList<T>(all: readonly T[], most: number, what: string, notes: string[]): T[] {
  if (all.length > most) notes.push(`${most} of ${all.length} ${what} are shown.`);
  return all.slice(0, most);
}

/** The first rows as far as they have room. */
export function capRows(result: QueryResult, notes: string[]): Pick<QueryResult, "columns" | "rows"> {
  const columns = capList(result.columns, mostColumns, "columns of the result", notes);
  const rows: Cell[][] = [];
  let length = 0;
  for (const row of result.rows.slice(0, mostRows)) {
    const cells = row
      .slice(0, columns.length)
      .map((cell) => (typeof cell === "string" ? capText(cell, cellLength) : cell));
    length += JSON.stringify(cells).length;
    if (length > rowsLength) break;
    rows.push(cells);
  }
  if (result.truncated || result.rowCount > rows.length)
    notes.push(
      `The first ${rows.length} of ${result.rowCount}${result.truncated ? " or more" : ""} rows are shown; the page has all of them.`,
    );
  return { columns, rows };
}
