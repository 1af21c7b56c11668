/** The server's bytes → cells that JSON can hold, with every digit, and no longer than the caps. */
import type { Cell } from "../../protocol/index.ts";
import { cutText, type RowKeeper, toBlobText } from "../reader/keep-rows.ts";
import { type Field, toReading } from "./field.ts";
import { toWellKnownText } from "./geometry.ts";

/** A row as it lies in what came from the server: per cell its length and its bytes. Valid until the next one comes. */
export interface RowBytes {
  buffer: Buffer;
  offset: number;
  end: number;
}

/** Rows no longer than this become one string that cells are cut from: a string per cell takes twice as long. */
const shortRow = 4096;
/** Digits that no number loses. */
const exactDigits = 15;
const nullMark = 0xfb;

/** One result's columns as they are read. `keeper` says how long a text may be, and hears when one is cut. */
export function createCellReader(fields: readonly Field[], keeper: RowKeeper): (row: RowBytes) => Cell[] {
  const readings = fields.map(toReading);
  const width = fields.length;
  return ({ buffer, offset, end }) => {
    const room = keeper.room(width);
    const short = shortText(buffer, offset, end);
    const cells = new Array<Cell>(width);
    const cut = (text: string, length = text.length): string => {
      keeper.truncated = true;
      return cutText(text, room, length);
    };
    let at = offset;
    for (let column = 0; column < width; column += 1) {
      if (buffer[at] === nullMark) {
        cells[column] = null;
        at += 1;
        continue;
      }
      const start = at + lengthBytes(buffer, at);
      at = start + cellLength(buffer, at);
      const reading = readings[column];
      if (reading === "integer") cells[column] = toInteger(buffer, start, at);
      else if (reading === "text") {
        if (short !== undefined && at - start <= room) cells[column] = short.slice(start - offset, at - offset);
        else cells[column] = toText(buffer, start, at, room, cut);
      } else if (reading === "float") {
        const text = short?.slice(start - offset, at - offset) ?? buffer.toString("latin1", start, at);
        const number = Number(text);
        cells[column] = Number.isFinite(number) && text !== "" ? number : text;
      } else {
        const bytes = buffer.subarray(start, at);
        const text = reading === "geometry" ? toWellKnownText(bytes) : undefined;
        cells[column] = text === undefined ? toBlobText(bytes) : text.length > room ? cut(text) : text;
      }
    }
    return cells;
  };
}

/** All cells as text, whatever their types. */
export function toTexts({ buffer, offset, end }: RowBytes): (string | null)[] {
  const texts: (string | null)[] = [];
  const short = shortText(buffer, offset, end);
  for (let at = offset; at < end; ) {
    if (buffer[at] === nullMark) {
      texts.push(null);
      at += 1;
      continue;
    }
    const start = at + lengthBytes(buffer, at);
    at = start + cellLength(buffer, at);
    texts.push(short?.slice(start - offset, at - offset) ?? buffer.toString("utf8", start, at));
  }
  return texts;
}

/** A short row whose bytes each have a place of their own in a string: no character has fewer bytes than places. */
function shortText(buffer: Buffer, offset: number, end: number): string | undefined {
  if (end - offset > shortRow) return undefined;
  const text = buffer.toString("utf8", offset, end);
  return text.length === end - offset ? text : undefined;
}

// https://dev.mysql.com/doc/dev/mysql-server/latest/page_protocol_basic_dt_integers.html#sect_protocol_basic_dt_int_le
function lengthBytes(buffer: Buffer, at: number): number {
  const first = buffer[at] as number;
  return first < nullMark ? 1 : first === 0xfc ? 3 : first === 0xfd ? 4 : 9;
}

function cellLength(buffer: Buffer, at: number): number {
  const first = buffer[at] as number;
  if (first < nullMark) return first;
  if (first === 0xfc) return buffer.readUInt16LE(at + 1);
  return buffer.readUIntLE(at + 1, first === 0xfd ? 3 : 6);
}

function toInteger(buffer: Buffer, start: number, end: number): Cell {
  const negative = buffer[start] === 45;
  const digits = negative ? start + 1 : start;
  if (end - digits > exactDigits || end === digits) {
    const text = buffer.toString("latin1", start, end);
    const number = Number(text);
    return Number.isSafeInteger(number) ? number : text;
  }
  let number = 0;
  for (let at = digits; at < end; at += 1) number = number * 10 + (buffer[at] as number) - 48;
  return negative ? -number : number;
}

/** Only the part that is kept becomes a string: a value of 50 MB costs no second copy. */
function toText(
  buffer: Buffer,
  start: number,
  end: number,
  room: number,
  cut: (text: string, length: number) => string,
): string {
  const length = end - start;
  const text = buffer.toString("utf8", start, Math.min(end, start + Math.max(room, 1) * 4));
  if (text.length <= room && length <= Math.max(room, 1) * 4) return text;
  return cut(text, countCharacters(buffer.subarray(start, end)));
}

/** UTF-16 units, as a string's length counts: one per leading byte, two for those of four bytes. */
function countCharacters(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) {
    if ((byte & 0xc0) !== 0x80) count += byte >= 0xf0 ? 2 : 1;
  }
  return count;
}
