/** Runs one checked statement and keeps as much of its result as the caps allow; ends it on the server when told to. */
import { setTimeout as delay } from "node:timers/promises";
import type { Cell, QueryResult } from "../../protocol/index.ts";
import type { Read } from "../database.ts";
import { type Caps, createRowKeeper } from "../reader/keep-rows.ts";
import { createCellReader, type RowBytes } from "./cells.ts";
import { classifyError, isLost } from "./classify-error.ts";
import { type Field, toTypeName } from "./field.ts";
import type { Session } from "./session.ts";

export interface Limits {
  maxRows: number;
  maxBytes: number;
  /** Milliseconds that are left. */
  leftMs: number;
  /** What a message says about the time that was given. */
  deadlineMs: number;
  signal: AbortSignal | undefined;
}

/** `usable`: the session can run the next statement. */
export interface Run {
  read: Read;
  usable: boolean;
}

type Ending = "timeout" | "stopped" | "full";

/** When the caps are reached the rest may still come along, if it is short; else the query is ended. */
const drainMs = 10;
/** The server ends a statement by its own limit first; this is for servers that have none. */
const graceMs = 150;
/** How long a killed query is waited for before its connection is cut. */
const settleMs = 500;

/** `kill` ends what runs on the session from another connection and never rejects. */
export async function runStatement(
  session: Session,
  sql: string,
  limits: Limits,
  kill: () => Promise<void>,
): Promise<Run> {
  const started = performance.now();
  const kept = createKept(limits);
  let ending: Ending | undefined;
  let killed: Promise<void> | undefined;
  let drain: NodeJS.Timeout | undefined;
  let settle: () => void = () => undefined;
  const settled = new Promise<void>((resolve) => {
    settle = resolve;
  });
  const end = (why: Ending): void => {
    if (killed) return;
    // A full result stays one, whatever happens while its rest is dropped.
    ending ??= why;
    // A flood of rows would keep this process too busy to end it.
    session.pause(true);
    killed = kill()
      .then(() => session.pause(false))
      // The killed query's own answer tells that it has ended.
      .then(() => Promise.race([settled, delay(settleMs, undefined, { ref: false })]))
      .then(() => session.cut());
  };
  const stop = () => end("stopped");
  const timer = setTimeout(() => end("timeout"), limits.leftMs + graceMs);
  limits.signal?.addEventListener("abort", stop, { once: true });
  if (limits.signal?.aborted) stop();
  try {
    await session.stream(sql, kept.open, (row) => {
      if (ending || kept.add(row)) return;
      ending = "full";
      drain = setTimeout(() => end("full"), drainMs);
    });
    const wrong = ending ? undefined : await session.wrong();
    if (wrong)
      return {
        read: { ok: false, error: { code: "other", message: `The server cut the result: ${wrong}` } },
        usable: true,
      };
    if (!kept.opened)
      return {
        read: {
          ok: false,
          error: { code: "refused", message: "The statement returns no columns: a query may only read." },
        },
        usable: true,
      };
  } catch (error) {
    if (!ending) {
      const problem = classifyError(error, sql);
      if (problem.code === "timeout") problem.message = toEnded("timeout", limits);
      return { read: { ok: false, error: problem }, usable: !isLost(error) };
    }
  } finally {
    settle();
    clearTimeout(timer);
    clearTimeout(drain);
    limits.signal?.removeEventListener("abort", stop);
    await killed;
  }
  if (ending === "timeout" || ending === "stopped")
    return { read: { ok: false, error: { code: ending, message: toEnded(ending, limits) } }, usable: false };
  return { read: { ok: true, result: kept.result(), ms: performance.now() - started }, usable: killed === undefined };
}

export const toEnded = (ending: "timeout" | "stopped", limits: { deadlineMs: number }): string =>
  ending === "timeout"
    ? `The query was ended after ${limits.deadlineMs.toLocaleString("en-US")} ms.`
    : "The query was stopped.";

function createKept(caps: Caps) {
  let columns: QueryResult["columns"] = [];
  const keeper = createRowKeeper(caps);
  let read: (row: RowBytes) => Cell[] = () => [];
  return {
    get opened() {
      return columns.length > 0;
    },
    open(fields: Field[]): void {
      columns = fields.map((field) => ({ name: field.name, type: toTypeName(field) }));
      read = createCellReader(fields, keeper);
    },
    /** False when the row has no place any more. */
    add: (row: RowBytes): boolean => keeper.keep(read(row)),
    result: (): QueryResult => ({
      columns,
      rows: keeper.rows,
      rowCount: keeper.rows.length,
      truncated: keeper.truncated,
    }),
  };
}
