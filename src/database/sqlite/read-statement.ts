/** Runs one statement in the reader process and keeps as much of its result as the caps allow. */
import type { DatabaseSync, StatementSync } from "node:sqlite";
import type { QueryResult } from "../../protocol/index.ts";
import type { Read } from "../database.ts";
import { type CappedCell, capText, createRowKeeper, toBlobText, toIntegerCell } from "../reader/keep-rows.ts";
import type { Guard } from "./authorize.ts";
import { classifyError } from "./classify-error.ts";
import { checkSingleStatement } from "./single-statement.ts";

type Stored = null | number | bigint | string | Uint8Array;
interface Caps {
  maxRows: number;
  maxBytes: number;
}

export function readStatement(database: DatabaseSync, guard: Guard, sql: string, caps: Caps): Read {
  const single = checkSingleStatement(sql);
  if (!single.ok) return { ok: false, error: { code: "refused", message: single.reason } };
  const started = performance.now();
  guard.reset();
  let phase: "compile" | "run" = "compile";
  try {
    const statement = database.prepare(sql);
    statement.setReadBigInts(true);
    statement.setReturnArrays(true);
    // A statement without columns has an effect or none at all (VACUUM passes the authorizer while it compiles).
    if (statement.columns().length === 0) {
      return {
        ok: false,
        error: { code: "refused", message: "The statement returns no columns: a query may only read." },
      };
    }
    phase = "run";
    return { ok: true, result: readRows(statement, caps), ms: performance.now() - started };
  } catch (error) {
    const refusal = guard.refusal();
    if (refusal) return { ok: false, error: { code: "refused", message: refusal } };
    return { ok: false, error: classifyError(error, phase) };
  }
}

function readRows(statement: StatementSync, caps: Caps): QueryResult {
  const columns = statement.columns();
  const seen = columns.map(() => new Set<string>());
  const keeper = createRowKeeper(caps);
  for (const row of statement.iterate() as Iterable<unknown> as Iterable<Stored[]>) {
    if (!keeper.keep(row.length, (cap) => row.map((value) => toCell(value, cap)))) break;
    row.forEach((value, index) => {
      if (value !== null) seen[index]?.add(typeOf(value));
    });
  }
  return {
    columns: columns.map((column, index) => ({ name: column.name, type: column.type ?? inferType(seen[index]) })),
    rows: keeper.rows,
    rowCount: keeper.rows.length,
    truncated: keeper.truncated,
  };
}

/** JSON has no infinities: they become text. */
function toCell(value: Stored, cap: number): CappedCell {
  if (typeof value === "string") return capText(value, cap);
  if (typeof value === "bigint") return { value: toIntegerCell(value), cut: false };
  if (typeof value === "number")
    return { value: Number.isFinite(value) ? value : value > 0 ? "Inf" : "-Inf", cut: false };
  return { value: value === null ? null : toBlobText(value), cut: false };
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
