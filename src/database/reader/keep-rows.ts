/**
 * How much of a result is kept: rows, bytes of their cells, characters of one cell. Counting the bytes of a text costs
 * as much as reading it, so it is done only from where three bytes per character would be too many.
 */
import type { Cell } from "../../protocol/index.ts";

/** Characters of one cell that are kept. */
export const maxCell = 100_000;
/** Bytes of a blob that are shown. */
export const maxBlob = 64;

export interface Caps {
  maxRows: number;
  /** Of texts in UTF-8; other cells have about as many as their text. */
  maxBytes: number;
}

export interface RowKeeper {
  readonly rows: Cell[][];
  /** True when a row, or a part of one, was left out. Whoever cuts a text sets it. */
  truncated: boolean;
  /** Bytes of the rows, or more than that. */
  mostBytes(): number;
  /** Characters that a text of the next row may have: the first row is always kept, its texts cut to fit. */
  room(width: number): number;
  /** Takes a row whose texts are cut. False when it doesn't fit: nothing more is to be read. */
  keep(row: Cell[]): boolean;
}

export function createRowKeeper(caps: Caps): RowKeeper {
  const rows: Cell[][] = [];
  /** Of the first `counted` rows, exactly. */
  let bytes = 0;
  let counted = 0;
  /** Of the rows after them, at most. */
  let uncounted = 0;
  const full = (): boolean => {
    keeper.truncated = true;
    return false;
  };
  const keeper = {
    rows,
    truncated: false,
    mostBytes: () => bytes + uncounted,
    room: (width: number) => (rows.length === 0 ? Math.min(maxCell, Math.floor(caps.maxBytes / width)) : maxCell),
    keep(row: Cell[]): boolean {
      if (rows.length === caps.maxRows) return full();
      let most = 0;
      for (let at = 0; at < row.length; at += 1) {
        const cell = row[at] as Cell;
        most += typeof cell === "string" ? 3 * cell.length : sizeOf(cell);
      }
      if (rows.length > 0 && bytes + uncounted + most > caps.maxBytes) {
        for (; counted < rows.length; counted += 1) bytes += bytesOf(rows[counted] ?? []);
        uncounted = 0;
        most = bytesOf(row);
        if (bytes + most > caps.maxBytes) return full();
      }
      uncounted += most;
      rows.push(row);
      return true;
    },
  };
  return keeper;
}

/** `length` is the whole text's, of which `text` may be the beginning. */
export const cutText = (text: string, room: number, length: number = text.length): string =>
  `${text.slice(0, room)}… (${length.toLocaleString("en-US")} characters)`;

/** The shown part of a longer blob is a way of showing it, not a cut of the result. */
export function toBlobText(value: Uint8Array): string {
  const hex = Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, maxBlob)).toString("hex");
  return value.length > maxBlob ? `x'${hex}…' (${value.length.toLocaleString("en-US")} bytes)` : `x'${hex}'`;
}

function bytesOf(row: readonly Cell[]): number {
  let sum = 0;
  for (const cell of row) sum += typeof cell === "string" ? Buffer.byteLength(cell) : sizeOf(cell);
  return sum;
}

function sizeOf(cell: Exclude<Cell, string>): number {
  if (typeof cell === "number") return sizeOfNumber(cell);
  return cell === false ? 5 : 4;
}

/** Characters of a whole number; eighteen for each with a fraction, whose digits take long to make. */
export function sizeOfNumber(value: number): number {
  if (!Number.isInteger(value)) return 18;
  const sign = value < 0 ? 1 : 0;
  const size = sign === 0 ? value : -value;
  if (size < 1e4) return sign + (size < 10 ? 1 : size < 100 ? 2 : size < 1000 ? 3 : 4);
  if (size < 1e8) return sign + (size < 1e5 ? 5 : size < 1e6 ? 6 : size < 1e7 ? 7 : 8);
  return sign + String(size).length;
}
