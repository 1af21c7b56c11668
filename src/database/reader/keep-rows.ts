/** How much of a result is kept: rows, bytes of their cells, characters of one cell. */
import type { Cell } from "../../protocol/index.ts";

/** Characters of one cell that are kept. */
const maxCell = 100_000;
/** Bytes of a blob that are shown. */
const maxBlob = 64;

export interface CappedCell {
  value: Cell;
  cut: boolean;
}

export interface RowKeeper {
  rows: Cell[][];
  /** True when a row, or a part of one, was left out. */
  truncated: boolean;
  /** Cells get the characters they may have. False when the row no longer fits: nothing more is to be read. */
  keep(width: number, toCells: (cap: number) => CappedCell[]): boolean;
}

export function createRowKeeper(caps: { maxRows: number; maxBytes: number }): RowKeeper {
  let bytes = 0;
  const keeper: RowKeeper = {
    rows: [],
    truncated: false,
    keep(width, toCells) {
      const full = (): boolean => {
        keeper.truncated = true;
        return false;
      };
      if (keeper.rows.length === caps.maxRows) return full();
      // The first row is always kept, its cells cut to fit.
      const room = keeper.rows.length === 0 ? Math.floor(caps.maxBytes / width) : maxCell;
      const cells = toCells(Math.min(room, maxCell));
      const size = cells.reduce((sum, cell) => sum + sizeOf(cell.value), 0);
      if (keeper.rows.length > 0 && bytes + size > caps.maxBytes) return full();
      bytes += size;
      keeper.truncated ||= cells.some((cell) => cell.cut);
      keeper.rows.push(cells.map((cell) => cell.value));
      return true;
    },
  };
  return keeper;
}

export function capText(value: string, cap: number): CappedCell {
  if (value.length <= cap) return { value, cut: false };
  return { value: `${value.slice(0, cap)}… (${value.length.toLocaleString("en-US")} characters)`, cut: true };
}

/** The shown part of a longer blob is a way of showing it, not a cut of the result. */
export function toBlobText(value: Uint8Array): string {
  const hex = Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, maxBlob)).toString("hex");
  return value.length > maxBlob ? `x'${hex}…' (${value.length.toLocaleString("en-US")} bytes)` : `x'${hex}'`;
}

/** JSON has no integers beyond 2^53: they become text, with every digit. */
export function toIntegerCell(value: bigint): Cell {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value.toString();
}

function sizeOf(cell: Cell): number {
  return cell === null ? 4 : typeof cell === "string" ? Buffer.byteLength(cell) : String(cell).length;
}
