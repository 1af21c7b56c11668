/** A reviewer's own SQL is tried before their answer is written: what can't run leaves the gate as it is. */
import type { Connection } from "../../database/connection.ts";
import type { DatabaseProblem } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";
import { ThothError } from "../../protocol/index.ts";
import { checkReadOnly } from "../../sql/read-only.ts";

const limits = { maxRows: 1, maxBytes: 100_000, deadlineMs: 20_000 };

/** Throws ThothError `sql-refused` with words about the statement, or `database-gone`. */
export async function refuseOwnSql(connection: Connection, sql: string): Promise<void> {
  const reading = checkReadOnly(sql, connection.engine);
  if (!reading.ok) throw refused(`This SQL is not taken: ${reading.reason}`);
  const database = await openDatabase(connection);
  const read = await database.read(sql, limits).finally(() => database.close());
  if (!read.ok) throw toFault(read.error, sql);
}

const refused = (message: string, action = "Change it and propose it again. The gate is as it was.") =>
  new ThothError("sql-refused", message, action);

function toFault(problem: DatabaseProblem, sql: string): ThothError {
  const name = wordOfSql(problem.message, sql);
  const called = name === null ? "" : `: ${name}`;
  switch (problem.code) {
    case "unknown-table":
      return refused(`The database has no such table${called}.`);
    case "unknown-column":
      return refused(`The tables of this SQL have no such column${called}.`);
    case "syntax":
      return refused(
        name === null ? "This SQL is not complete or not well-formed." : `This SQL can't be read near ${name}.`,
      );
    case "type":
      return refused(`Types don't fit together in this SQL${called}.`);
    case "refused":
      return refused("This SQL is not taken: it must be one statement that only reads.");
    case "permission":
      return refused(`The login may not read what this SQL names${called}.`);
    case "timeout":
    case "stopped":
      return refused("This SQL didn't finish within 20 seconds.", "Make it lighter and propose it again.");
    case "locked":
      return new ThothError(
        "database-locked",
        "The session's database is locked by another program.",
        "Try again when that program is done.",
      );
    case "connection":
    case "missing":
    case "empty":
    case "not-a-database":
      return new ThothError(
        "database-gone",
        "The session's database can't be read any more.",
        "Put its file back or start its server, then try again.",
      );
    case "other":
      return refused(`The database can't run this SQL${called}.`);
  }
}

/**
 * What the engine's message points at, when the reviewer wrote it: never more of the message than that, because engines
 * quote paths, hosts and stored values.
 */
function wordOfSql(message: string, sql: string): string | null {
  const quoted = [...message.matchAll(/"([^"]{1,100})"|'([^']{1,100})'|`([^`]{1,100})`/g)].map(
    (match) => match[1] ?? match[2] ?? match[3] ?? "",
  );
  const last = /:\s*([\w.$]{1,100})\s*$/.exec(message)?.[1];
  const known = sql.toLowerCase();
  return [...quoted, ...(last ? [last] : [])].find((word) => known.includes(word.trim().toLowerCase())) ?? null;
}
