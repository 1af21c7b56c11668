/** A look at what stands in a table: few rows, short cells and a deadline, so that no table is too large for it. */
import type { Database } from "../database/database.ts";
import { type QueryResult, type Table, ThothError } from "../protocol/index.ts";
import { quoteTable } from "../sql/dialect.ts";

const usualRows = 20;
/** Characters of a cell; the rest is cut with a mark. */
const longestCell = 300;
const limits = { maxBytes: 1_000_000, deadlineMs: 10_000 };

/** Throws ThothError `database-…`; the engine's own words stay here. */
export async function readFirstRows(
  database: Database,
  table: Table,
  { limit = usualRows, signal }: { limit?: number; signal?: AbortSignal },
): Promise<QueryResult> {
  // One more than is shown would be told as a cut; that there are more is no news here.
  const sql = `SELECT * FROM ${quoteTable(database, table)} LIMIT ${limit}`;
  const read = await database.read(sql, { ...limits, maxRows: limit, signal });
  if (read.ok) return { ...read.result, rows: read.result.rows.map((row) => row.map(toShort)) };
  throw new ThothError(
    read.error.code === "timeout" ? "database-timeout" : "database-unreadable",
    read.error.code === "timeout"
      ? `The first rows of ${table.name} did not come within ten seconds.`
      : `The rows of ${table.name} can't be read.`,
    read.error.code === "timeout"
      ? "Try again when the database has less to do."
      : "Check that the database is there and that its login may read this table.",
    new Error(read.error.message),
  );
}

const toShort = (cell: QueryResult["rows"][number][number]) =>
  typeof cell === "string" && cell.length > longestCell ? `${cell.slice(0, longestCell).toWellFormed()}…` : cell;
