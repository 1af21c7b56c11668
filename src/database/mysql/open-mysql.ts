/**
 * MySQL, MariaDB and what speaks their protocol (TiDB, Vitess, StarRocks, Doris). Three layers keep a query from
 * writing: a read-only transaction of the server, our own check on MySQL's tokens that it is one reading statement
 * (`check-statement.ts`), and the login's rights, which `inspect` looks at. Statements go by the text protocol: the
 * server refuses several in one text there as well (CLIENT_MULTI_STATEMENTS is off), values come as the server itself
 * writes them, and proxies and forks that know no prepared statements can be read.
 *
 * Not kept out: a view of the database itself that calls a stored function whose definer may write files of the
 * server (FILE). What such a function writes into tables is refused, a file isn't.
 */
import type { MysqlConnection } from "../connection.ts";
import type { Database } from "../database.ts";
import { createMysqlDatabase } from "./adapter.ts";

/**
 * Logs in once to see that the database is there.
 * Throws ThothError: `secret-missing`, `secret-open`, `database-login`, `database-missing`, `database-connection`,
 * `database-timeout`.
 */
export async function openMysql(connection: MysqlConnection): Promise<Database> {
  const database = createMysqlDatabase(connection);
  await database.inspect();
  return database;
}
