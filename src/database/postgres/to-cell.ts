/**
 * A value's text from the wire → a cell: numbers only where no digit is lost, everything else as PostgreSQL writes it.
 * So a date never passes through a clock, and a long value is cut before a second copy of it exists.
 */
import type { Cell } from "../../protocol/index.ts";
import { maxBlob, maxCell } from "../reader/keep-rows.ts";

/** A text of which only the beginning was kept. */
export interface LongText {
  head: string;
  length: number;
}
export type WireCell = Cell | LongText;

// https://github.com/postgres/postgres/blob/master/src/include/catalog/pg_type.dat
const oids = { bool: 16, bytea: 17, int8: 20, int2: 21, int4: 23, oid: 26, float4: 700, float8: 701 };

const toText = (text: string): WireCell =>
  // A slice would keep the whole text in memory, so its bytes are copied.
  text.length <= maxCell ? text : { head: Buffer.from(text.slice(0, maxCell)).toString(), length: text.length };

function toInteger(text: string): WireCell {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : text;
}

/** NaN and the infinities stay words: JSON has none. */
function toFloat(text: string): WireCell {
  const number = Number(text);
  return Number.isFinite(number) ? number : text;
}

/** Arrives as `\x` and two digits per byte. */
function toBlob(text: string): WireCell {
  if (!text.startsWith("\\x")) return toText(text);
  const bytes = (text.length - 2) / 2;
  const hex = Buffer.from(text.slice(2, 2 + maxBlob * 2)).toString();
  return bytes > maxBlob ? `x'${hex}…' (${bytes.toLocaleString("en-US")} bytes)` : `x'${hex}'`;
}

const parsers = new Map<number, (text: string) => WireCell>([
  [oids.bool, (text) => text === "t" || text === "true"],
  [oids.bytea, toBlob],
  [oids.int2, toInteger],
  [oids.int4, toInteger],
  [oids.int8, toInteger],
  [oids.oid, toInteger],
  [oids.float4, toFloat],
  [oids.float8, toFloat],
]);

/** As `pg` asks for it; every value is asked for as text. */
export const cellTypes = { getTypeParser: (oid: number) => parsers.get(oid) ?? toText };
