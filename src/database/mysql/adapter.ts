/** The Database interface on a MySQL or MariaDB server. */
import { setTimeout as delay } from "node:timers/promises";
import type { MysqlConnection } from "../connection.ts";
import type { Database, DatabaseProblem, Read, ReadOptions } from "../database.ts";
import { readSecret } from "../read-secret.ts";
import { checkStatement } from "./check-statement.ts";
import { classifyError, isLost } from "./classify-error.ts";
import { toConnectFault, toConnectProblem, toFault } from "./faults.ts";
import { readFingerprint } from "./fingerprint.ts";
import { inspectServer } from "./inspect.ts";
import { introspect } from "./introspect.ts";
import { createPool, type Lease } from "./pool.ts";
import { runStatement, toEnded } from "./run-statement.ts";
import { connectServer } from "./server-connection.ts";
import { openSession, type Session } from "./session.ts";

const introspectMs = 60_000;
const fingerprintMs = 20_000;
/** After this the connection is dropped without knowing that the query has ended. */
const killMs = 1500;

/** Nothing is asked before the first call. */
export function createMysqlDatabase(place: MysqlConnection): Database {
  const connect = async () => await openSession(place, await readSecret(place.password));
  const pool = createPool(connect);
  let closing = new AbortController();

  /** Ends what runs on a session, from a connection of its own: the busy one can't be spoken to. */
  async function kill(session: Session): Promise<void> {
    const ended = async () => {
      const other = await connectServer(place, await readSecret(place.password));
      try {
        await other.ask(`KILL QUERY ${session.id}`, killMs);
      } finally {
        other.end();
      }
    };
    // A server that can't be reached, or a query that has just ended: dropping the connection is all that is left.
    await Promise.race([ended().catch(() => undefined), delay(killMs, undefined, { ref: false })]);
  }

  async function readAll(statements: readonly string[], options: ReadOptions): Promise<Read[]> {
    const signal = options.signal ? AbortSignal.any([options.signal, closing.signal]) : closing.signal;
    const reads: Read[] = [];
    const failRest = (error: DatabaseProblem): void => {
      while (reads.length < statements.length) reads.push({ ok: false, error });
    };
    let until: number | undefined;
    let mayRetry = true;
    while (reads.length < statements.length) {
      let lease: Lease;
      try {
        lease = await pool.acquire(signal);
      } catch (error) {
        failRest(signal.aborted ? { code: "stopped", message: toEnded("stopped", options) } : toConnectProblem(error));
        break;
      }
      // Waiting for a connection doesn't count.
      until ??= performance.now() + options.deadlineMs;
      let usable = false;
      try {
        usable = await readOn(lease.session, statements, reads, { ...options, signal }, until);
      } catch (error) {
        // Between statements only: a kept connection may have died while it waited.
        if (!isLost(error) || lease.fresh || !mayRetry)
          failRest(isLost(error) ? toConnectProblem(error) : classifyError(error));
        mayRetry = false;
      } finally {
        lease.release(usable);
      }
    }
    return reads;
  }

  /** Adds reads until all are there or the session can't go on. */
  async function readOn(
    session: Session,
    statements: readonly string[],
    reads: Read[],
    options: ReadOptions,
    until: number,
  ) {
    let begun = false;
    while (reads.length < statements.length) {
      const checked = checkStatement(statements[reads.length] ?? "", session.rules);
      if (!checked.ok) {
        reads.push({ ok: false, error: { code: "refused", message: checked.reason } });
        continue;
      }
      if (!begun) {
        await session.limit(options.deadlineMs);
        await session.begin();
        begun = true;
      }
      const leftMs = until - performance.now();
      const ending = options.signal?.aborted ? "stopped" : leftMs <= 0 ? "timeout" : undefined;
      if (ending) {
        while (reads.length < statements.length)
          reads.push({ ok: false, error: { code: ending, message: toEnded(ending, options) } });
        break;
      }
      const { maxRows, maxBytes, deadlineMs, signal } = options;
      const { read, usable } = await runStatement(
        session,
        checked.text,
        { maxRows, maxBytes, deadlineMs, leftMs, signal },
        () => kill(session),
      );
      reads.push(read);
      if (!read.ok && (read.error.code === "timeout" || (read.error.code === "stopped" && options.signal?.aborted))) {
        while (reads.length < statements.length) reads.push(read);
      }
      if (!usable) return false;
    }
    if (begun) await session.ask("ROLLBACK");
    return true;
  }

  /** A look at the server's own tables. Throws ThothError. */
  async function look<T>(ms: number, ask: (session: Session) => Promise<T>): Promise<T> {
    for (let mayRetry = true; ; mayRetry = false) {
      let lease: Lease;
      try {
        lease = await pool.acquire(closing.signal);
      } catch (error) {
        throw toConnectFault(error);
      }
      let usable = false;
      try {
        await lease.session.limit(ms);
        const found = await ask(lease.session);
        usable = true;
        return found;
      } catch (error) {
        usable = !isLost(error);
        if (usable) throw toFault(classifyError(error));
        if (lease.fresh || !mayRetry) throw toConnectFault(error);
      } finally {
        lease.release(usable);
      }
    }
  }

  return {
    engine: "mysql",
    readAll,
    async read(sql, options) {
      const [read] = await readAll([sql], options);
      return read ?? { ok: false, error: { code: "other", message: "no answer" } };
    },
    introspect: () => look(introspectMs, (session) => introspect(session, place.database, introspectMs)),
    fingerprint: () => look(fingerprintMs, (session) => readFingerprint(session, place, fingerprintMs)),
    inspect: () => look(fingerprintMs, (session) => inspectServer(session, place)),
    quote: (identifier) => `\`${identifier.replaceAll("`", "``")}\``,
    async close() {
      closing.abort();
      closing = new AbortController();
      pool.close();
    },
  };
}
