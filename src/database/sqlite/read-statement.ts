/** Runs one statement in the reader process and keeps as much of its result as the caps allow. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { Cell, QueryResult } from "../../protocol/index.ts";
import { type Caps, toBlobText } from "../reader/keep-rows.ts";
import { createRowPacker, type RowsReply } from "../reader/pack-rows.ts";
import type { ReadHead } from "../reader/read-all.ts";
import type { SendReply } from "../reader/serve-requests.ts";
import type { Guard } from "./authorize.ts";
import { classifyError } from "./classify-error.ts";
import { checkSingleStatement } from "./single-statement.ts";

type Stored = null | number | bigint | string | Uint8Array;

/** The rows are sent, those of a statement that fails in the middle as well. */
export function readStatement(
  database: DatabaseSync,
  guard: Guard,
  sql: string,
  caps: Caps,
  send: SendReply<RowsReply>,
): ReadHead {
  const single = checkSingleStatement(sql);
  if (!single.ok) return { ok: false, error: { code: "refused", message: single.reason } };
  const started = performance.now();
  guard.reset();
  let phase: "compile" | "run" = "compile";
  try {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    // A statement without columns has an effect or none at all (VACUUM passes the authorizer while it compiles).
    if (statement.columns().length === 0) {
      return {
        ok: false,
        error: { code: "refused", message: "The statement returns no columns: a query may only read." },
      };
    }
    phase = "run";
    const result = readAsNumbers(statement, caps, send) ?? readRows(statement, caps, send);
    return { ok: true, result, ms: performance.now() - started };
  } catch (error) {
    const refusal = guard.refusal();
    if (refusal) return { ok: false, error: { code: "refused", message: refusal } };
    return { ok: false, error: classifyError(error, phase) };
  }
}

/**
 * Integers as numbers are read faster. Undefined when one of them is beyond 2^53, which the driver refuses to give, or
 * when a column's type is told by whether its values are integers.
 */
function readAsNumbers(statement: StatementSync, caps: Caps, send: SendReply<RowsReply>) {
  if (statement.columns().some((column) => column.type === null)) return undefined;
  try {
    return readRows(statement, caps, send, false);
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_OUT_OF_RANGE") throw error;
    send({ kind: "rows-again" });
    return undefined;
  }
}

function readRows(
  statement: StatementSync,
  caps: Caps,
  send: SendReply<RowsReply>,
  exact = true,
): Omit<QueryResult, "rows"> {
  statement.setReadBigInts(exact);
  const columns = statement.columns();
  // Only expressions have no declared type.
  const untyped = columns.flatMap((column, index) => (column.type === null ? [index] : []));
  const seen = columns.map(() => new Set<string>());
  const packer = createRowPacker(columns.length, caps, toCell, send);
  // Not `for … of`, which asks the iterator in a slower way.
  const rows = statement.iterate() as Iterator<unknown> as Iterator<Stored[]>;
  for (let next = rows.next(); !next.done && packer.add(next.value); next = rows.next()) {
    for (const index of untyped) {
      const value = next.value[index] as Stored;
      if (value !== null) seen[index]?.add(typeOf(value));
    }
  }
  rows.return?.();
  packer.finish();
  return {
    columns: columns.map((column, index) => ({ name: column.name, type: column.type ?? inferType(seen[index]) })),
    rowCount: packer.rowCount,
    truncated: packer.truncated,
  };
}

/** Blobs, and the infinities that JSON doesn't have. */
function toCell(value: unknown): Cell {
  if (value instanceof Uint8Array) return toBlobText(value);
  return Number(value) > 0 ? "Inf" : "-Inf";
}

function typeOf(value: Exclude<Stored, null>): string {
  return typeof value === "bigint"
    ? "INTEGER"
    : typeof value === "number"
      ? "REAL"
      : typeof value === "string"
        ? "TEXT"
        : "BLOB";
}

/** For expressions, which have no declared type. Empty when values of several kinds, or none, were seen. */
function inferType(seen: Set<string> | undefined): string {
  const types = [...(seen ?? [])];
  if (types.length === 1) return types[0] ?? "";
  return types.length > 1 && types.every((type) => type === "INTEGER" || type === "REAL") ? "REAL" : "";
}
