/** The server's bytes → cells that JSON can hold, with every digit, and no longer than the caps. */
import type { Cell } from "../../protocol/index.ts";
import { type Field, type Reading, toReading } from "./field.ts";
import { toWellKnownText } from "./geometry.ts";

/** Characters of one cell that are kept. */
const maxCell = 100_000;
/** Bytes of a blob that are shown. */
const maxBlob = 64;

export interface CutCell {
  value: Cell;
  cut: boolean;
}

/** One result's columns as they are read. `room` is the most characters that one cell may keep. */
export function createCellReader(
  fields: readonly Field[],
): (row: readonly (Buffer | null)[], room?: number) => CutCell[] {
  const readings = fields.map(toReading);
  return (row, room = maxCell) =>
    row.map((bytes, index) => toCell(bytes, readings[index] ?? "text", Math.min(room, maxCell)));
}

function toCell(bytes: Buffer | null, reading: Reading, cap: number): CutCell {
  if (bytes === null) return { value: null, cut: false };
  switch (reading) {
    case "integer": {
      const text = bytes.toString("latin1");
      const number = Number(text);
      return { value: Number.isSafeInteger(number) ? number : text, cut: false };
    }
    case "float": {
      const text = bytes.toString("latin1");
      const number = Number(text);
      return { value: Number.isFinite(number) && text !== "" ? number : text, cut: false };
    }
    case "bytes":
      return { value: toHex(bytes), cut: false };
    case "geometry": {
      const text = toWellKnownText(bytes);
      return text === undefined ? { value: toHex(bytes), cut: false } : cutText(text, cap);
    }
    case "text":
      return toText(bytes, cap);
  }
}

/** Only the part that is kept becomes a string: a value of 50 MB costs no second copy. */
function toText(bytes: Buffer, cap: number): CutCell {
  if (bytes.length <= cap) return { value: bytes.toString("utf8"), cut: false };
  const text = bytes.subarray(0, cap * 4).toString("utf8");
  if (text.length <= cap && bytes.length <= cap * 4) return { value: text, cut: false };
  return { value: `${text.slice(0, cap)}… (${countCharacters(bytes).toLocaleString("en-US")} characters)`, cut: true };
}

function cutText(text: string, cap: number): CutCell {
  if (text.length <= cap) return { value: text, cut: false };
  return { value: `${text.slice(0, cap)}… (${text.length.toLocaleString("en-US")} characters)`, cut: true };
}

/** UTF-16 units, as a string's length counts: one per leading byte, two for those of four bytes. */
function countCharacters(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}

/** The shown part of a longer blob is a way of showing it, not a cut of the result. */
function toHex(bytes: Buffer): string {
  const hex = bytes.subarray(0, maxBlob).toString("hex");
  return bytes.length > maxBlob ? `x'${hex}…' (${bytes.length.toLocaleString("en-US")} bytes)` : `x'${hex}'`;
}

export function sizeOfCell(cell: Cell): number {
  return cell === null ? 4 : typeof cell === "string" ? Buffer.byteLength(cell) : String(cell).length;
}
