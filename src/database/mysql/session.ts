/** A connection made ready to read: settings that keep answers exact and whole, and what the server tells of itself. */
import type { MysqlConnection } from "../connection.ts";
import { isLost } from "./classify-error.ts";
import { connectServer, type ServerConnection } from "./server-connection.ts";
import type { LexRules } from "./tokens.ts";

export interface Session extends ServerConnection {
  /** As `KILL QUERY` takes it. */
  readonly id: string;
  readonly rules: LexRules;
  readonly version: string;
  readonly versionComment: string;
  readonly mariadb: boolean;
  /** Settings that the server didn't take, each in words. */
  readonly untaken: readonly string[];
  /** Asks the server to end each statement after `ms`; those of it that don't know how are left to KILL QUERY. */
  limit(ms: number): Promise<void>;
  /** A transaction in which the server itself refuses to write. */
  begin(): Promise<void>;
  /** Warnings of the last statement that mean a wrong result: a value cut, a recursion ended early. */
  wrong(): Promise<string | undefined>;
}

interface Setting {
  sql: string;
  /** What is missing without it. */
  without: string;
}

const common: Setting[] = [
  { sql: "NAMES utf8mb4", without: "letters outside of the server's own character set may be shown wrongly" },
  { sql: "SESSION time_zone = '+00:00'", without: "timestamps are shown in the server's time zone" },
  // Both may be limited by the server's own configuration, and then results are cut silently.
  { sql: "SESSION sql_select_limit = 18446744073709551615", without: "the server's own limit on rows holds" },
  { sql: "SESSION group_concat_max_len = 16777216", without: "long results of GROUP_CONCAT fail" },
];
const depth = { without: "recursive queries end at the server's own limit" };
const ofMariadb: Setting[] = [{ sql: "SESSION max_recursive_iterations = 4294967295", ...depth }];
const ofMysql: Setting[] = [
  { sql: "SESSION cte_max_recursion_depth = 4294967295", ...depth },
  { sql: "SESSION information_schema_stats_expiry = 0", without: "the server's counts of rows may be a day old" },
];

/** Values cut by GROUP_CONCAT and by max_allowed_packet; a recursion ended by MariaDB's limit. */
const wrongCodes = new Set(["1260", "1301", "1931"]);

export async function openSession(place: MysqlConnection, password: string | undefined): Promise<Session> {
  const connection = await connectServer(place, password);
  try {
    return await prepare(connection);
  } catch (error) {
    connection.cut();
    throw error;
  }
}

async function prepare(connection: ServerConnection): Promise<Session> {
  const untaken: string[] = [];
  /** True when the server took it; a lost connection is thrown. */
  const take = async (sql: string): Promise<boolean> => {
    try {
      await connection.ask(sql);
      return true;
    } catch (error) {
      if (isLost(error)) throw error;
      return false;
    }
  };
  const [told] = await connection.ask("SELECT VERSION(), CONNECTION_ID()");
  const version = told?.[0] ?? "";
  const mariadb = /mariadb/i.test(version);
  const settings = [...common, ...(mariadb ? ofMariadb : ofMysql)];
  if (!(await take(`SET ${settings.map((setting) => setting.sql).join(", ")}`))) {
    for (const { sql, without } of settings) if (!(await take(`SET ${sql}`))) untaken.push(without);
  }
  if (!(await take("SET SESSION TRANSACTION READ ONLY"))) untaken.push("read-only sessions aren't kept by the server");
  const [modes] = await connection.ask("SELECT @@sql_mode, @@version_comment").catch((error) => {
    if (isLost(error)) throw error;
    return [["", ""]];
  });
  const sqlMode = (modes?.[0] ?? "").toUpperCase().split(",");
  let limited: number | undefined;
  let limitable = true;
  let transactions = true;
  let warns = true;

  return Object.assign(Object.create(connection) as ServerConnection, {
    id: told?.[1] ?? "0",
    rules: { ansiQuotes: sqlMode.includes("ANSI_QUOTES"), backslashEscapes: !sqlMode.includes("NO_BACKSLASH_ESCAPES") },
    version,
    versionComment: modes?.[1] ?? "",
    mariadb,
    untaken,
    async limit(ms: number) {
      if (!limitable || limited === ms) return;
      limitable = await take(
        mariadb
          ? `SET max_statement_time = ${Math.max(1, ms) / 1000}`
          : `SET max_execution_time = ${Math.max(1, Math.ceil(ms))}`,
      );
      if (limitable) limited = ms;
      else untaken.push("queries that take too long are ended from outside, not by the server itself");
    },
    async begin() {
      if (transactions && !(await take("START TRANSACTION READ ONLY"))) {
        transactions = false;
        untaken.push(
          "the server has no read-only transactions: only this check and the login's rights keep queries from writing",
        );
      }
    },
    async wrong() {
      if (!warns) return undefined;
      try {
        const rows = await connection.ask("SHOW WARNINGS LIMIT 100");
        return rows.find((row) => wrongCodes.has(row[1] ?? ""))?.[2] ?? undefined;
      } catch (error) {
        if (isLost(error)) throw error;
        warns = false;
        return undefined;
      }
    },
  });
}
