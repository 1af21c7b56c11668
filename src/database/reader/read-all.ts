/** Several statements through reader processes, under one deadline, whatever happens to a process on the way. */
import type { Cell, QueryResult } from "../../protocol/index.ts";
import type { DatabaseProblem, Read, ReadOptions } from "../database.ts";
import { type RowsReply, unpackRows } from "./pack-rows.ts";
import type { Ending, Readers } from "./reader.ts";

/** A read as the reader process tells it: its rows went before. */
export type ReadHead =
  | { ok: true; result: Omit<QueryResult, "rows">; ms: number }
  | { ok: false; error: DatabaseProblem };
/**
 * Per statement, in order, any number of `rows` and one `read`; or `failed` when the database couldn't be opened.
 * Rows before a read that failed are dropped.
 */
export type ReadReply = RowsReply | (ReadHead & { kind: "read" }) | { kind: "failed"; error: DatabaseProblem };

/** `toRequest` looks for the database anew before each request: it may have changed or gone. */
export async function readAll<Request extends { deadlineMs: number }, Reply extends { kind: string }>(
  readers: Readers<Request, Reply | ReadReply>,
  toRequest: (statements: readonly string[], deadlineMs: number) => Promise<Request | { problem: DatabaseProblem }>,
  statements: readonly string[],
  options: ReadOptions,
  onOther?: (reply: Reply) => void,
): Promise<Read[]> {
  const reads: Read[] = [];
  const until = performance.now() + options.deadlineMs;
  let mayRetry = true;
  const failRest = (error: DatabaseProblem): void => {
    while (reads.length < statements.length) reads.push({ ok: false, error });
  };
  while (reads.length < statements.length) {
    const deadlineMs = Math.max(1, Math.ceil(until - performance.now()));
    const request = await toRequest(statements.slice(reads.length), deadlineMs);
    if ("problem" in request) {
      failRest(request.problem);
      break;
    }
    const before = reads.length;
    let rows: Cell[][] = [];
    const { ending, fresh } = await readers.ask(request, { deadlineMs, signal: options.signal }, (reply, payload) => {
      if (!isReadReply(reply)) onOther?.(reply);
      else if (reply.kind === "rows") unpackRows(reply, payload, rows);
      else if (reply.kind === "rows-again") rows = [];
      else if (reply.kind === "failed") failRest(reply.error);
      else {
        const { kind: _, ...read } = reply;
        reads.push(read.ok ? { ...read, result: { ...read.result, rows } } : read);
        rows = [];
      }
    });
    if (reads.length === statements.length) break;
    // A kept process may have died while it waited; that says nothing about the statement.
    if (ending === "died" && !fresh && reads.length === before && mayRetry) {
      mayRetry = false;
      continue;
    }
    const error = toEndProblem(ending, options.deadlineMs);
    reads.push({ ok: false, error });
    if (ending !== "died") failRest(error);
  }
  return reads;
}

const isReadReply = (reply: { kind: string }): reply is ReadReply =>
  ["rows", "rows-again", "read", "failed"].includes(reply.kind);

export function toEndProblem(ending: Ending, deadlineMs: number): DatabaseProblem {
  switch (ending) {
    case "timeout":
      return { code: "timeout", message: `The query was ended after ${deadlineMs.toLocaleString("en-US")} ms.` };
    case "stopped":
      return { code: "stopped", message: "The query was stopped." };
    default:
      return {
        code: "other",
        message: "The process that ran the query ended unexpectedly; it may have run out of memory.",
      };
  }
}
