/**
 * Whether stored rows may have changed, without reading them.
 *
 * InnoDB: the server's log sequence number, which every committed change moves and which survives restarts (MariaDB
 * from 10.5, MySQL from 8.0.30). It moves with any write on the server, in other databases too, and a little after
 * writes while InnoDB tidies up: then a catalog is read again once too often, never too seldom. The times in
 * `information_schema` alone wouldn't do: they count whole seconds and are forgotten on a restart.
 *
 * Other engines: time of change, rows and size of each table, with the server's count of writing statements, for two
 * writes within a second. Limit: such a write that is under way while this is read.
 *
 * A server that tells none of this gets a new state each time.
 */
import { createHash, randomUUID } from "node:crypto";
import type { MysqlConnection } from "../connection.ts";
import { isLost } from "./classify-error.ts";
import { notSystem } from "./introspect.ts";
import type { Session } from "./session.ts";

const tables = `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, ENGINE, CREATE_TIME, UPDATE_TIME, TABLE_ROWS, DATA_LENGTH, AUTO_INCREMENT
  FROM information_schema.TABLES WHERE ${notSystem("TABLE_SCHEMA")} ORDER BY TABLE_SCHEMA, TABLE_NAME`;

const positions = new Set(["innodb_lsn_current", "innodb_redo_log_current_lsn"]);
const rowCounts = new Set(["innodb_rows_inserted", "innodb_rows_updated", "innodb_rows_deleted"]);
const writes =
  "Com_insert Com_insert_select Com_update Com_update_multi Com_delete Com_delete_multi Com_replace Com_replace_select Com_load Com_truncate Com_call_procedure".split(
    " ",
  );

export async function readFingerprint(session: Session, place: MysqlConnection, ms: number): Promise<string> {
  const name = [place.host, place.port, place.database, place.user].join("\0");
  const status = await readStatus(session);
  const rows = await session.ask(tables, ms);
  const position = [...status].find(([key]) => positions.has(key))?.[1];
  const counted = [...status].filter(([key]) => rowCounts.has(key));
  const state = createHash("sha256");
  let known = true;
  let plainTables = false;
  for (const [schema, table, type, engine, created, updated, count, bytes, next] of rows) {
    state.update(JSON.stringify([schema, table, type, engine, created]));
    if (/view|sequence/i.test(type ?? "")) continue;
    if (/^innodb$/i.test(engine ?? "") && position !== undefined) continue;
    state.update(JSON.stringify([updated, count, bytes, next]));
    plainTables = true;
    known &&= updated !== null || (/^innodb$/i.test(engine ?? "") && counted.length > 0);
  }
  if (position !== undefined) state.update(`position ${position};`);
  if (plainTables) {
    // Counts begin anew with the server.
    for (const [key, value] of status) if (!positions.has(key)) state.update(`${key} ${value};`);
  }
  if (!known) state.update(randomUUID());
  return `mysql-${createHash("sha256").update(name).digest("hex").slice(0, 16)}:${state.digest("hex").slice(0, 32)}`;
}

/** Counters of the whole server, which every login may see. Empty on servers that keep none. */
async function readStatus(session: Session): Promise<Map<string, string>> {
  const names = [...positions, ...rowCounts, ...writes.map((name) => name.toLowerCase())];
  try {
    const rows = await session.ask(
      `SHOW GLOBAL STATUS WHERE Variable_name IN (${names.map((name) => `'${name}'`).join(", ")})`,
    );
    const status = new Map(rows.map((row) => [(row[0] ?? "").toLowerCase(), row[1] ?? ""]));
    if (status.size > 0) status.set("started", await readStart(session));
    return status;
  } catch (error) {
    if (isLost(error)) throw error;
    return new Map();
  }
}

/** With the session's clock held, the server's uptime tells its start without a second's jitter. */
async function readStart(session: Session): Promise<string> {
  try {
    await session.ask("SET timestamp = 2000000000");
    const [row] = await session.ask("SHOW GLOBAL STATUS LIKE 'Uptime'");
    return row?.[1] ?? "";
  } finally {
    await session.ask("SET timestamp = DEFAULT");
  }
}
