/** The Database interface on a PostgreSQL server, or on what speaks its protocol. */
import { ThothError } from "../../protocol/index.ts";
import type { Database, DatabaseProblem, Read, ReadOptions } from "../database.ts";
import { checkStatement } from "./check-statement.ts";
import { classifyError } from "./classify-error.ts";
import { toEndProblem, type Watch, watchQuery } from "./end-query.ts";
import { toConnectFault, toConnectProblem, toFault } from "./faults.ts";
import { readFingerprint } from "./fingerprint.ts";
import { inspectRole } from "./inspect.ts";
import { introspect } from "./introspect.ts";
import { closedByUs, createPool, type Lease } from "./pool.ts";
import { quoteName } from "./quote-name.ts";
import { readStatement } from "./read-statement.ts";
import { openSession, type Session, type Target } from "./session.ts";
import { readTraits, type Traits } from "./traits.ts";
import { inTransaction } from "./transaction.ts";
import type { TypeNames } from "./type-names.ts";

const introspectMs = 60_000;
const askMs = 15_000;

/** Nothing is connected before the first call. */
export function createPostgresDatabase(target: Target): Database {
  const pool = createPool(() => openSession(target));
  const typeNames: TypeNames = new Map();
  let traits: Promise<Traits> | undefined;

  /** Throws ThothError. */
  const acquire = async (signal?: AbortSignal): Promise<(Lease & { traits: Traits }) | undefined> => {
    let lease: Lease | undefined;
    try {
      lease = await pool.acquire(signal);
      if (!lease) return undefined;
      traits ??= readTraits(lease.session);
      return { ...lease, traits: await traits };
    } catch (error) {
      // What failed once is asked again: the next connection may be better.
      traits = undefined;
      if (lease) {
        lease.session.destroy();
        pool.release(lease.session);
      }
      throw toConnectFault(error, target);
    }
  };

  async function readAll(statements: readonly string[], options: ReadOptions): Promise<Read[]> {
    const checks = await Promise.all(statements.map(checkStatement));
    const reads: Read[] = [];
    let until: number | undefined;
    let held: (Lease & { traits: Traits; watch: Watch }) | undefined;
    let mayRetry = true;
    const giveBack = (): void => {
      if (!held) return;
      held.watch.release();
      // A cancel that is on its way must not meet another statement.
      if (held.watch.ended()) held.session.destroy();
      pool.release(held.session);
      held = undefined;
    };
    const failRest = (error: DatabaseProblem): void => {
      while (reads.length < statements.length) {
        const check = checks[reads.length];
        reads.push({ ok: false, error: check && !check.ok ? check.error : error });
      }
    };
    try {
      while (reads.length < statements.length) {
        const check = checks[reads.length];
        const sql = statements[reads.length] ?? "";
        if (!check?.ok) {
          reads.push({ ok: false, error: check?.error ?? { code: "refused", message: "unchecked" } });
          continue;
        }
        if (!held) {
          const lease = await acquire(options.signal);
          if (!lease || options.signal?.aborted) {
            if (lease) pool.release(lease.session);
            failRest(toEndProblem("stopped", options.deadlineMs));
            break;
          }
          until ??= performance.now() + options.deadlineMs;
          held = { ...lease, watch: watchQuery(lease.session, until - performance.now(), options.signal) };
        }
        const left = (until ?? 0) - performance.now();
        if (left <= 0) {
          failRest(toEndProblem("timeout", options.deadlineMs));
          break;
        }
        const { session, fresh, watch } = held;
        const read = await readStatement(session, held.traits, typeNames, { sql, ...check }, options, left);
        const ending = watch.ended();
        if (ending) {
          if (read.ok) reads.push(read);
          failRest(toEndProblem(ending, options.deadlineMs));
          break;
        }
        if (session.closed === closedByUs) {
          failRest(toEndProblem("stopped", options.deadlineMs));
          break;
        }
        if (!session.alive) {
          giveBack();
          // A kept connection may have been closed while it waited; that says nothing about the statement.
          if (!read.ok && read.error.code === "connection" && !fresh && mayRetry) {
            mayRetry = false;
            continue;
          }
        }
        const late = !read.ok && read.error.code === "timeout";
        reads.push(late ? { ok: false, error: toEndProblem("timeout", options.deadlineMs) } : read);
      }
    } catch (error) {
      failRest(error instanceof ThothError ? toConnectProblem(error) : classifyError(error));
    } finally {
      giveBack();
    }
    return reads;
  }

  /** Our own questions to the catalogue. Throws ThothError. */
  async function ask<T>(ms: number, work: (session: Session, traits: Traits) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      const lease = await acquire();
      if (!lease) throw toFault({ code: "connection", message: "no connection" }, target);
      const { session, fresh } = lease;
      const watch = watchQuery(session, ms, undefined);
      try {
        return await inTransaction(session, lease.traits, ms, () => work(session, lease.traits));
      } catch (error) {
        if (!session.alive && !fresh && attempt === 0 && !watch.ended()) continue;
        const ending = watch.ended();
        throw toFault(ending ? toEndProblem(ending, ms) : classifyError(error), target);
      } finally {
        watch.release();
        if (watch.ended()) session.destroy();
        pool.release(session);
      }
    }
  }

  return {
    engine: "postgres",
    readAll,
    async read(sql, options) {
      const [read] = await readAll([sql], options);
      return read ?? { ok: false, error: { code: "other", message: "no answer" } };
    },
    introspect: () => ask(introspectMs, introspect),
    fingerprint: () => ask(askMs, (session, known) => readFingerprint(session, known, target)),
    inspect: () => ask(askMs, (session, known) => inspectRole(session, known, target)),
    quote: quoteName,
    close: () => pool.close(),
  };
}
