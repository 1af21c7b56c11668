/** DuckDB's values → cells: numbers where JSON keeps them exactly, everything else in the engine's own text. */
import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  DuckDBTypeId,
  type DuckDBValue,
} from "@duckdb/node-api";
import { type CappedCell, capText, toBlobText, toIntegerCell } from "../reader/keep-rows.ts";

// The driver would write times in this machine's zone; sessions are in UTC.
DuckDBTimestampTZValue.timezoneOffsetInMinutes = 0;

const written = new Set<DuckDBTypeId>([
  DuckDBTypeId.LIST,
  DuckDBTypeId.ARRAY,
  DuckDBTypeId.STRUCT,
  DuckDBTypeId.MAP,
  DuckDBTypeId.UNION,
  DuckDBTypeId.VARIANT,
  DuckDBTypeId.GEOMETRY,
]);

/** Types whose text the driver makes in its own way: these are asked from the engine. */
export const needsEngineText = (type: DuckDBType): boolean => written.has(type.typeId);

export function toCell(value: DuckDBValue, type: DuckDBType, cap: number): CappedCell {
  const whole = (cell: CappedCell["value"]): CappedCell => ({ value: cell, cut: false });
  if (value === null || value === undefined) return whole(null);
  if (typeof value === "string") return capText(value, cap);
  if (typeof value === "bigint") return whole(toIntegerCell(value));
  if (typeof value === "boolean") return whole(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) return whole(Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf");
    return whole(type.typeId === DuckDBTypeId.FLOAT ? toShortFloat(value) : value);
  }
  if (value instanceof DuckDBBlobValue) return whole(toBlobText(value.bytes));
  // The driver writes an infinite date as a far one.
  if (value instanceof DuckDBDateValue && !value.isFinite) return whole(value.days > 0 ? "infinity" : "-infinity");
  return capText(String(value), cap);
}

/** 0.1 as a 32-bit float is 0.10000000149011612 as a number; the fewest digits that mean the same float are 0.1. */
function toShortFloat(value: number): number {
  for (let digits = 6; digits < 10; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
