/**
 * DuckDB databases, and CSV, TSV, JSON and Parquet files that DuckDB reads as tables. The engine runs in a process of
 * its own (`reader-process.ts`), opened for reading and locked: it reaches nothing but the files it was given.
 */
import { resolve } from "node:path";
import type { DuckdbConnection } from "../connection.ts";
import type { Database } from "../database.ts";
import { createDuckdbDatabase } from "./adapter.ts";

/**
 * Looks whether the database is there and opens once. Throws ThothError: `database-missing`, `database-empty`,
 * `database-not-duckdb`, `database-locked`, `database-permission`, `database-connection`.
 */
export async function openDuckdb(connection: DuckdbConnection): Promise<Database> {
  const database = createDuckdbDatabase(resolve(connection.file));
  try {
    await database.inspect();
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}
