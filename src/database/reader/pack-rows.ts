/**
 * Rows as bytes on their way out of a reader process, a block of them at a time: making lists of cells and JSON of them
 * took longer than the reading. First all numbers; then a byte per cell, its kind or the length of its text; then all
 * texts as one. What is kept is what `createRowKeeper` would keep.
 */
import type { Cell } from "../../protocol/index.ts";
import { type Caps, cutText, maxCell, sizeOfNumber } from "./keep-rows.ts";
import type { SendReply } from "./serve-requests.ts";

/** A long text has its length among the numbers; what is above `short` is the length of a short one. */
const codes = { null: 0, false: 1, true: 2, number: 3, long: 4, short: 5 };
const longestShort = 255 - codes.short;
/** Rows, and characters of their texts, that go together. */
const maxBlock = { rows: 512, characters: 256 * 1024 };

/** Rows of so many cells in all; or the word that the statement is read again, so that those before are no part of it. */
export type RowsReply = RowsHead | { kind: "rows-again" };
export interface RowsHead {
  kind: "rows";
  width: number;
  cells: number;
  numbers: number;
}

export interface RowPacker {
  /** All rows that were kept. */
  readonly rowCount: number;
  /** True when a row, or a part of one, was left out. */
  readonly truncated: boolean;
  /**
   * False when the row doesn't fit and is left out: nothing more is to be read. What is no text, finite number, integer
   * or NULL goes through `toCell`.
   */
  add(row: readonly unknown[]): boolean;
  /** Sends the last block. */
  finish(): void;
}

export function createRowPacker(
  width: number,
  caps: Caps,
  toCell: (value: unknown) => Cell,
  send: SendReply<RowsReply>,
): RowPacker {
  const numbers = new Float64Array(maxBlock.rows * width);
  const codeOf = new Uint8Array(maxBlock.rows * width);
  let texts = "";
  let cells = 0;
  let numberCount = 0;
  let rowCount = 0;
  let truncated = false;
  // The first row is always kept, its texts cut to fit.
  let room = Math.min(maxCell, Math.floor(caps.maxBytes / width));
  /** Of all that isn't text, and of the texts before `counted` in the block. */
  let bytes = 0;
  let counted = 0;

  const sendBlock = (): void => {
    if (cells === 0) return;
    const payload = Buffer.allocUnsafeSlow(numberCount * 8 + cells + texts.length * 3);
    payload.set(new Uint8Array(numbers.buffer, 0, numberCount * 8), 0);
    payload.set(codeOf.subarray(0, cells), numberCount * 8);
    const size = payload.write(texts, numberCount * 8 + cells);
    bytes += counted === 0 ? size : Buffer.byteLength(texts.slice(counted));
    send({ kind: "rows", width, cells, numbers: numberCount }, payload.subarray(0, numberCount * 8 + cells + size));
    texts = "";
    cells = numberCount = counted = 0;
  };
  const full = (): boolean => {
    truncated = true;
    return false;
  };
  return {
    get rowCount() {
      return rowCount;
    },
    get truncated() {
      return truncated;
    },
    add(row) {
      if (rowCount === caps.maxRows) return full();
      // Nothing counts before the row is known to fit.
      let after = texts;
      let number = numberCount;
      let others = bytes;
      for (let column = 0, at = cells; column < width; column += 1, at += 1) {
        let cell = row[column];
        if (typeof cell === "bigint") {
          const value = Number(cell);
          // JSON has no integers beyond 2^53: they become text, with every digit.
          cell = Number.isSafeInteger(value) ? value : cell.toString();
        } else if (typeof cell === "string") {
          if (cell.length > room) {
            truncated = true;
            cell = cutText(cell, room);
          }
        } else if (cell !== null && !(typeof cell === "number" && Number.isFinite(cell))) cell = toCell(cell);

        if (typeof cell === "string") {
          if (cell.length <= longestShort) codeOf[at] = codes.short + cell.length;
          else {
            codeOf[at] = codes.long;
            numbers[number] = cell.length;
            number += 1;
          }
          after += cell;
        } else if (typeof cell === "number") {
          codeOf[at] = codes.number;
          // No minus before a zero, as in JSON.
          numbers[number] = cell + 0;
          number += 1;
          others += sizeOfNumber(cell);
        } else {
          codeOf[at] = cell === null ? codes.null : cell ? codes.true : codes.false;
          others += cell === false ? 5 : 4;
        }
      }
      if (others + 3 * (after.length - counted) > caps.maxBytes && rowCount > 0) {
        others += Buffer.byteLength(after.slice(counted));
        if (others > caps.maxBytes) return full();
        counted = after.length;
      }
      texts = after;
      bytes = others;
      numberCount = number;
      cells += width;
      rowCount += 1;
      room = maxCell;
      if (cells === codeOf.length || texts.length > maxBlock.characters) sendBlock();
      return true;
    },
    finish: sendBlock,
  };
}

/** Adds the rows to `rows`. The payload begins its own memory. */
export function unpackRows({ width, cells, numbers: count }: RowsHead, payload: Buffer, rows: Cell[][]): void {
  const numbers = new Float64Array(payload.buffer, payload.byteOffset, count);
  const codeOf = new Uint8Array(payload.buffer, payload.byteOffset + count * 8, cells);
  const texts = payload.toString("utf8", count * 8 + cells);
  let from = 0;
  let number = 0;
  const next = (): number => {
    number += 1;
    return numbers[number - 1] as number;
  };
  for (let at = 0; at < cells; ) {
    const row = new Array<Cell>(width);
    for (let column = 0; column < width; column += 1, at += 1) {
      const code = codeOf[at] as number;
      if (code >= codes.long) {
        const length = code === codes.long ? next() : code - codes.short;
        row[column] = texts.slice(from, from + length);
        from += length;
      } else row[column] = code === codes.number ? next() : code === codes.null ? null : code === codes.true;
    }
    rows.push(row);
  }
}
