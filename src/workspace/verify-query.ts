/** Runs a verified query again and says whether it still is what was accepted. */
import { createHash } from "node:crypto";
import type { Database, DatabaseErrorCode } from "../database/database.ts";
import type { QueryResult, VerifiedQuery } from "../protocol/index.ts";

/** Rows whose checksum is kept, and what a query may take: as much as the page of an answer shows. */
export const verifyLimits = { maxRows: 10_000, maxBytes: 32 * 1024 * 1024, deadlineMs: 30_000 };

/** The database's structure as it is now. */
export interface Structure {
  checksum: string;
  /** Of each table, by the catalog's name. */
  tables: ReadonlyMap<string, string>;
}

export type Verdict =
  /** `rows` says what is different in the rows, which is no fault: data goes on. */
  | { state: "holds"; rows: string | null }
  | { state: "stale"; reason: string }
  /** Nobody knows: the query didn't come to its end, or the database is gone. */
  | { state: "unknown"; reason: string };

/** Faults of the query itself; all others say nothing about it. */
const changed: Partial<Record<DatabaseErrorCode, string>> = {
  "unknown-table": "The database no longer has one of its tables.",
  "unknown-column": "The database no longer has one of its columns.",
  syntax: "The database no longer reads its SQL.",
  type: "A column's type no longer fits its SQL.",
  refused: "Its SQL is no longer taken for one reading statement.",
};
const unknown: Partial<Record<DatabaseErrorCode, string>> = {
  timeout: "It didn't finish within 30 seconds.",
  locked: "The database is locked by another program.",
  permission: "The login may not read one of its tables.",
};

/** Reads only. */
export async function verifyQuery(query: VerifiedQuery, database: Database, structure: Structure): Promise<Verdict> {
  const other = findStructureChange(query, structure);
  if (other !== null) return { state: "stale", reason: other };
  const read = await database.read(query.sql, verifyLimits);
  if (!read.ok) {
    const reason = changed[read.error.code];
    return reason === undefined
      ? { state: "unknown", reason: unknown[read.error.code] ?? "The database couldn't run it now." }
      : { state: "stale", reason };
  }
  const shape = findShapeChange(query.columns, read.result.columns);
  if (shape !== null) return { state: "stale", reason: shape };
  return { state: "holds", rows: compareRows(query, read.result) };
}

/** Null when all that the query rests on is as it was. */
export function findStructureChange(query: VerifiedQuery, structure: Structure): string | null {
  if (query.catalog_checksum === structure.checksum) return null;
  // Without its tables nobody knows which change matters.
  if (!query.tables) return "The database's structure has changed since.";
  const gone = query.tables.filter(({ table }) => !structure.tables.has(table));
  if (gone.length > 0) return `The database no longer has ${gone.map(({ table }) => table).join(", ")}.`;
  const others = query.tables.filter(({ table, checksum }) => structure.tables.get(table) !== checksum);
  if (others.length === 0) return null;
  return `The structure of ${others.map(({ table }) => table).join(", ")} has changed since.`;
}

function findShapeChange(before: VerifiedQuery["columns"], now: VerifiedQuery["columns"]): string | null {
  if (before.length !== now.length) return `Its result had ${before.length} columns and has ${now.length} now.`;
  for (const [index, column] of before.entries()) {
    const other = now[index];
    if (!other) continue;
    if (column.name !== other.name)
      return `Column ${index + 1} of its result was ${column.name} and is ${other.name} now.`;
    // An engine that stores any type in a column tells none, or that of the first row.
    if (column.type !== "" && other.type !== "" && column.type !== other.type)
      return `Column ${column.name} of its result was ${column.type} and is ${other.type} now.`;
  }
  return null;
}

function compareRows(query: VerifiedQuery, result: QueryResult): string | null {
  if (query.row_count !== result.rowCount) return `${query.row_count} rows then, ${result.rowCount} now`;
  const checksum = toResultChecksum(query.sql, result);
  const isSame = query.result_checksum === undefined || checksum === undefined || query.result_checksum === checksum;
  return isSame ? null : `${result.rowCount} rows, not all of them as they were`;
}

/** Of the rows; their order counts where the SQL gives one. Undefined for a result that was cut. */
export function toResultChecksum(sql: string, result: QueryResult): string | undefined {
  if (result.truncated) return undefined;
  const rows = result.rows.map((row) => JSON.stringify(row));
  if (!/\border\s+by\b/i.test(sql)) rows.sort();
  return createHash("sha256").update(rows.join("\n")).digest("hex");
}
