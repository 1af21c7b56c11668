/**
 * DuckDB's own text of lists, structs, maps and what else the driver would write in its own way: the values go into a
 * temporary table of the guard database and come back cast.
 */
import type { DuckDBConnection, DuckDBDataChunk, DuckDBType } from "@duckdb/node-api";
import { quoteName } from "./quote.ts";

let made = 0;

/** Texts by row and column of the chunk; undefined when the engine can't hold the types in a table. */
export async function toEngineTexts(
  guard: DuckDBConnection,
  chunk: DuckDBDataChunk,
  types: readonly DuckDBType[],
  rows: number,
): Promise<(string | null)[][] | undefined> {
  made += 1;
  const table = `text_${made}`;
  const columns = types.map((type, index) => `c${index} ${type.toString()}`);
  try {
    await guard.run(`CREATE TEMP TABLE ${quoteName(table)}(${columns.join(", ")})`);
  } catch {
    // A struct without names can't be a column's type, and there may be newer types.
    return undefined;
  }
  try {
    const appender = await guard.createAppender(table, null, "temp");
    appender.appendDataChunk(chunk);
    appender.closeSync();
    const texts = await guard.runAndReadAll(
      `SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${quoteName(table)} LIMIT ${rows}`,
    );
    return texts.getRows().map((row) => row.map((cell) => (cell === null ? null : String(cell))));
  } finally {
    await guard.run(`DROP TABLE ${quoteName(table)}`);
  }
}
