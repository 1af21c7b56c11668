/** Runs one checked statement through a cursor and keeps as much of its result as the caps allow. */
import type { FieldDef } from "pg";
import Cursor from "pg-cursor";
import type { Cell, QueryResult } from "../../protocol/index.ts";
import type { Read } from "../database.ts";
import { type Caps, createRowKeeper, cutText, type RowKeeper } from "../reader/keep-rows.ts";
import type { CalledFunction } from "./check-statement.ts";
import { classifyError } from "./classify-error.ts";
import { findRefusedFunction } from "./refused-functions.ts";
import type { Session } from "./session.ts";
import { cellTypes, type WireCell } from "./to-cell.ts";
import type { Traits } from "./traits.ts";
import { inTransaction } from "./transaction.ts";
import { readTypeNames, type TypeNames } from "./type-names.ts";

export interface Statement {
  sql: string;
  functions: readonly CalledFunction[];
}

/** Rows asked for at a time: few until their size is known, then about this many bytes. */
const firstBatch = 16;
const maxBatch = 10_000;
const batchBytes = 4 * 1024 * 1024;

export async function readStatement(
  session: Session,
  traits: Traits,
  typeNames: TypeNames,
  statement: Statement,
  caps: Caps,
  ms: number,
): Promise<Read> {
  const started = performance.now();
  try {
    return await inTransaction(session, traits, ms, async (): Promise<Read> => {
      if (traits.functionLookup) {
        const refusal = await findRefusedFunction(session, statement.functions);
        if (refusal !== undefined) return { ok: false, error: { code: "refused", message: refusal } };
      }
      const { fields, ...kept } = await readRows(session, statement.sql, caps);
      const ms = performance.now() - started;
      const types = await readTypeNames(session, fields, typeNames);
      const columns = fields.map((field, index) => ({ name: field.name, type: types[index] ?? "" }));
      const result: QueryResult = { columns, ...kept, rowCount: kept.rows.length };
      return { ok: true, result, ms };
    });
  } catch (error) {
    if (session.closed !== undefined) return { ok: false, error: { code: "other", message: session.closed } };
    return { ok: false, error: classifyError(error, statement.sql) };
  }
}

async function readRows(
  session: Session,
  sql: string,
  caps: Caps,
): Promise<{ fields: FieldDef[]; rows: Cell[][]; truncated: boolean }> {
  const cursor = session.client.query(new Cursor<WireCell[]>(sql, [], { rowMode: "array", types: cellTypes }));
  const keeper = createRowKeeper(caps);
  const { rows } = keeper;
  let batch = Math.min(firstBatch, caps.maxRows + 1);
  for (;;) {
    const found = await readBatch(cursor, batch);
    for (const row of found.rows) {
      if (!keeper.keep(cutLong(row, keeper)))
        return await finish(cursor, { fields: found.fields, rows, truncated: true });
    }
    if (found.rows.length < batch) return { fields: found.fields, rows, truncated: keeper.truncated };
    const perRow = Math.max(1, keeper.mostBytes() / rows.length);
    batch = Math.min(maxBatch, caps.maxRows + 1 - rows.length, Math.max(1, Math.floor(batchBytes / perRow)));
  }
}

/** The driver's own list, in place: another one per row would cost a tenth of the reading. */
function cutLong(row: WireCell[], keeper: RowKeeper): Cell[] {
  const room = keeper.room(Math.max(1, row.length));
  for (let at = 0; at < row.length; at += 1) {
    const cell = row[at];
    if (typeof cell === "string") {
      if (cell.length <= room) continue;
      row[at] = cutText(cell, room);
      keeper.truncated = true;
    } else if (typeof cell === "object" && cell !== null) {
      row[at] = cutText(cell.head, room, cell.length);
      keeper.truncated = true;
    }
  }
  return row as Cell[];
}

/** The portal is closed before anything else is asked on the connection. */
async function finish<T>(cursor: Cursor<WireCell[]>, result: T): Promise<T> {
  await cursor.close();
  return result;
}

function readBatch(cursor: Cursor<WireCell[]>, count: number): Promise<{ rows: WireCell[][]; fields: FieldDef[] }> {
  return new Promise((resolve, reject) => {
    cursor.read(count, (error, rows, result) => {
      if (error) reject(error);
      else resolve({ rows, fields: result.fields });
    });
  });
}
