/** The rows of a session's accepted SQL: exactly that text, run again, bounded in rows, bytes and time. */

import type { DatabaseProblem } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { type QueryResult, ThothError } from "../protocol/index.ts";
import type { Log } from "./log.ts";
import type { Sessions } from "./sessions/sessions.ts";

export const defaultRows = 10_000;
export const mostRows = 100_000;
const maxBytes = 32 * 1024 * 1024;
const deadlineMs = 30_000;

/** Throws `no-result-yet`, `result-timeout`, `database-…`. */
export async function readResult(
  sessions: Sessions,
  id: string,
  options: { maxRows: number; signal?: AbortSignal; log: Log },
): Promise<QueryResult> {
  const accepted = await sessions.sql(id);
  if (!accepted) {
    throw new ThothError(
      "no-result-yet",
      "This session has no accepted SQL yet, so there is no result.",
      "Review it through to its answer first.",
    );
  }
  const database = await openDatabase(accepted.connection);
  const read = await database
    .read(accepted.sql, { maxRows: options.maxRows, maxBytes, deadlineMs, signal: options.signal })
    .finally(() => database.close());
  if (read.ok) return read.result;
  options.log.warn(
    { session: id, code: read.error.code, detail: read.error.message },
    "The accepted SQL could not be run.",
  );
  throw toFault(read.error);
}

/** The engine's own words stay in the log. */
function toFault(problem: DatabaseProblem): ThothError {
  switch (problem.code) {
    case "timeout":
    case "stopped":
      return new ThothError(
        "result-timeout",
        "The accepted SQL didn't finish within 30 seconds.",
        "Ask for fewer rows with limit, or run the SQL in your own database client.",
      );
    case "missing":
    case "connection":
    case "permission":
    case "empty":
    case "not-a-database":
      return new ThothError(
        "database-gone",
        "The session's database can't be read any more.",
        "Put its file back or start its server, then try again.",
      );
    case "locked":
      return new ThothError(
        "database-locked",
        "The session's database is locked by another program.",
        "Try again when that program is done.",
      );
    default:
      return new ThothError(
        "database-changed",
        "The accepted SQL doesn't run on this database any more.",
        "Its tables may have changed since: ask the question again.",
      );
  }
}
