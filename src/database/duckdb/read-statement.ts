/** Runs one statement in the reader process and fetches as much of its result as the caps allow. */
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  type DuckDBResult,
  DuckDBStructVector,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import type { QueryResult } from "../../protocol/index.ts";
import type { Caps } from "../reader/keep-rows.ts";
import { createRowPacker, type RowsReply } from "../reader/pack-rows.ts";
import type { ReadHead } from "../reader/read-all.ts";
import type { SendReply } from "../reader/serve-requests.ts";
import { prepareReading } from "./check-statement.ts";
import { classifyError } from "./classify-error.ts";
import { toEngineTexts } from "./engine-text.ts";
import type { Session } from "./open-source.ts";
import { needsEngineText, toCell, toShortFloat } from "./to-cell.ts";

/** The rows are sent, those of a statement that fails in the middle as well. */
export async function readStatement(
  session: Session,
  guard: DuckDBConnection,
  sql: string,
  caps: Caps,
  send: SendReply<RowsReply>,
): Promise<ReadHead> {
  const started = performance.now();
  try {
    const reading = await prepareReading(session, guard, sql);
    if ("problem" in reading) return { ok: false, error: reading.problem };
    try {
      const result = await readRows(await reading.prepared.stream(), guard, caps, send);
      return { ok: true, result, ms: performance.now() - started };
    } finally {
      reading.prepared.destroySync();
    }
  } catch (error) {
    return { ok: false, error: classifyError(error) };
  }
}

async function readRows(
  result: DuckDBResult,
  guard: DuckDBConnection,
  caps: Caps,
  send: SendReply<RowsReply>,
): Promise<Omit<QueryResult, "rows">> {
  const types = result.columnTypes();
  const written = types.map(needsEngineText);
  const floats = types.flatMap((type, column) => (type.typeId === DuckDBTypeId.FLOAT ? [column] : []));
  const packer = createRowPacker(types.length, caps, toCell, send);
  let open = true;
  // One chunk at a time: a result of any size takes the memory of a chunk.
  while (open) {
    const chunk = await result.fetchChunk();
    const rowCount = chunk?.rowCount ?? 0;
    if (!chunk || rowCount === 0) break;
    const wanted = Math.min(rowCount, caps.maxRows - packer.rowCount);
    const texts = written.includes(true) && wanted > 0 ? await toEngineTexts(guard, chunk, types, wanted) : undefined;
    const vectors = types.map((_, column) => chunk.getColumnVector(column));
    for (let row = 0; row < rowCount && open; row += 1) {
      const values = new Array<unknown>(types.length);
      for (let column = 0; column < types.length; column += 1) {
        const text = texts && written[column] ? texts[row]?.[column] : undefined;
        values[column] = text ?? valueAt(vectors[column] as Vector, row);
      }
      for (const column of floats) values[column] = toShortFloat(values[column]);
      open = packer.add(values);
    }
  }
  packer.finish();
  return {
    columns: result.columnNames().map((name, index) => {
      const type = types[index];
      return { name, type: type?.alias ?? type?.toString() ?? "" };
    }),
    rowCount: packer.rowCount,
    truncated: packer.truncated,
  };
}

type Vector = ReturnType<DuckDBDataChunk["getColumnVector"]>;

/** What no table can hold comes here too: `row(1, 'b')`, whose names the driver would take from nothing. */
function valueAt(vector: Vector, row: number): DuckDBValue {
  if (!(vector instanceof DuckDBStructVector) || vector.type.entryNames.some((name) => name !== ""))
    return vector.getItem(row);
  if (!vector.isItemValid(row)) return null;
  const values = vector.type.entryNames.map((_, index) => vector.getItemValue(row, index));
  return `(${values.map((value) => (value === null ? "NULL" : String(value))).join(", ")})`;
}
