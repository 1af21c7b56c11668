/** Runs one statement in the reader process and fetches as much of its result as the caps allow. */
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBResult,
  DuckDBStructVector,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { QueryResult } from "../../protocol/index.ts";
import type { Read } from "../database.ts";
import { capText, createRowKeeper } from "../reader/keep-rows.ts";
import { prepareReading } from "./check-statement.ts";
import { classifyError } from "./classify-error.ts";
import { toEngineTexts } from "./engine-text.ts";
import type { Session } from "./open-source.ts";
import { needsEngineText, toCell } from "./to-cell.ts";

interface Caps {
  maxRows: number;
  maxBytes: number;
}

export async function readStatement(session: Session, guard: DuckDBConnection, sql: string, caps: Caps): Promise<Read> {
  const started = performance.now();
  try {
    const reading = await prepareReading(session, guard, sql);
    if ("problem" in reading) return { ok: false, error: reading.problem };
    try {
      const result = await readRows(await reading.prepared.stream(), guard, caps);
      return { ok: true, result, ms: performance.now() - started };
    } finally {
      reading.prepared.destroySync();
    }
  } catch (error) {
    return { ok: false, error: classifyError(error) };
  }
}

async function readRows(result: DuckDBResult, guard: DuckDBConnection, caps: Caps): Promise<QueryResult> {
  const types = result.columnTypes();
  const written = types.map(needsEngineText);
  const keeper = createRowKeeper(caps);
  // One chunk at a time: a result of any size takes the memory of a chunk.
  for (let chunk = await result.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await result.fetchChunk()) {
    if (keeper.rows.length === caps.maxRows) {
      keeper.truncated = true;
      break;
    }
    const wanted = Math.min(chunk.rowCount, caps.maxRows - keeper.rows.length);
    const texts = written.includes(true) ? await toEngineTexts(guard, chunk, types, wanted) : undefined;
    const cellsOf = (row: number) => (cap: number) =>
      types.map((type, column) => {
        const text = written[column] ? texts?.[row]?.[column] : undefined;
        return typeof text === "string" ? capText(text, cap) : toCell(valueAt(chunk, column, row), type, cap);
      });
    let row = 0;
    while (row < chunk.rowCount && keeper.keep(types.length, cellsOf(row))) row += 1;
    if (row < chunk.rowCount) break;
  }
  return {
    columns: result.columnNames().map((name, index) => {
      const type = types[index];
      return { name, type: type?.alias ?? type?.toString() ?? "" };
    }),
    rows: keeper.rows,
    rowCount: keeper.rows.length,
    truncated: keeper.truncated,
  };
}

/** What no table can hold comes here too: `row(1, 'b')`, whose names the driver would take from nothing. */
function valueAt(chunk: DuckDBDataChunk, column: number, row: number): DuckDBValue {
  const vector = chunk.getColumnVector(column);
  if (!(vector instanceof DuckDBStructVector) || vector.type.entryNames.some((name) => name !== ""))
    return vector.getItem(row);
  if (!vector.isItemValid(row)) return null;
  const values = vector.type.entryNames.map((_, index) => vector.getItemValue(row, index));
  return `(${values.map((value) => (value === null ? "NULL" : String(value))).join(", ")})`;
}
