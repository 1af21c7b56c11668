/** DuckDB's values → cells: numbers where JSON keeps them exactly, everything else in the engine's own text. */
import {
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBTimestampTZValue,
  type DuckDBType,
  DuckDBTypeId,
} from "@duckdb/node-api";
import type { Cell } from "../../protocol/index.ts";
import { toBlobText } from "../reader/keep-rows.ts";

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

/** Texts, finite numbers, integers and NULL are cells as they are. */
export function toCell(value: unknown): Cell {
  if (typeof value === "number") return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (typeof value === "boolean") return value;
  if (value === undefined) return null;
  if (value instanceof DuckDBBlobValue) return toBlobText(value.bytes);
  // The driver writes an infinite date as a far one.
  if (value instanceof DuckDBDateValue && !value.isFinite) return value.days > 0 ? "infinity" : "-infinity";
  return String(value);
}

/** 0.1 as a 32-bit float is 0.10000000149011612 as a number; the fewest digits that mean the same float are 0.1. */
export function toShortFloat(value: unknown): unknown {
  if (typeof value !== "number") return value;
  for (let digits = 6; digits < 10; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}
