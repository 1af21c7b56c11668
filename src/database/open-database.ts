/**
 * Reaching a database: one interface (`database.ts`) and one folder per engine. Whatever stands here can read only,
 * bounded in rows, bytes and time, and a query that runs too long is ended where it runs.
 */
import type { Connection } from "./connection.ts";
import type { Database } from "./database.ts";
import { openDuckdb } from "./duckdb/open-duckdb.ts";
import { openMysql } from "./mysql/open-mysql.ts";
import { openPostgres } from "./postgres/open-postgres.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";

/**
 * Looks whether the database is there and can be read.
 * Throws ThothError: `secret-missing`, `secret-open`, `database-login`, `database-missing`, `database-empty`, `database-not-sqlite`, `database-not-duckdb`, `database-locked`,
 * `database-permission`, `database-connection`.
 */
export async function openDatabase(connection: Connection): Promise<Database> {
  switch (connection.engine) {
    case "sqlite":
      return await openSqlite(connection.file);
    case "duckdb":
      return await openDuckdb(connection);
    case "postgres":
      return await openPostgres(connection);
    case "mysql":
      return await openMysql(connection);
  }
}
