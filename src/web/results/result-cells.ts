/** What a result's column needs to be read: which side its figures stand on, and how far their decimals reach. */
import type { Cell, QueryResult } from "../../protocol/results.ts";

export interface ColumnShape {
  numeric: boolean;
  /** Most digits after the point in the column; 0 without a point. */
  decimals: number;
}

const numericType =
  /^(?:u?(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|real|float\d*|double(?: precision)?|dec(?:imal)?|num(?:eric|ber)?|money|(?:big|small)?serial)\b/i;
const numberText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Decimals and large integers arrive as text: they count as numbers only in a column typed so. A post code does not. */
export function toColumnShape(result: QueryResult, index: number): ColumnShape {
  const typed = numericType.test(result.columns[index]?.type ?? "");
  let decimals = 0;
  let seen = false;
  for (const row of result.rows) {
    const cell = row[index] ?? null;
    if (cell === null) continue;
    const isNumber = typeof cell === "number" || (typed && typeof cell === "string" && numberText.test(cell));
    if (!isNumber) return { numeric: false, decimals: 0 };
    seen = true;
    decimals = Math.max(decimals, toDecimals(String(cell)));
  }
  return { numeric: seen || typed, decimals };
}

const toDecimals = (text: string): number => (/[eE]/.test(text) ? 0 : (text.split(".")[1]?.length ?? 0));

/** Figures that are drawn invisibly after a number, so that points stand under points: `.00` for `7` beside `7.25`. */
export function toPadding(cell: Cell, shape: ColumnShape): string {
  if (!shape.numeric || cell === null || shape.decimals === 0) return "";
  const text = String(cell);
  if (/[eE]/.test(text)) return "";
  const missing = "0".repeat(Math.max(0, shape.decimals - toDecimals(text)));
  return text.includes(".") ? missing : `.${missing}`;
}

/** Exactly what the database gave, except that a number gets no other digits than its own. */
export const toCellText = (cell: Cell): string => (cell === null ? "NULL" : String(cell));

/** Characters of a cell that a row shows; the inspector has all of them. */
const shownCharacters = 400;
export const toShownText = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;

/** Rows that decide how wide a column is drawn when only the rows in view exist. */
const measuredRows = 400;
const [narrowest, widest] = [56, 360];
/** Pixels of one figure of a cell, and of one letter of a column's name; what stands beside them. */
const [perFigure, perLetter, beside, sign] = [8.2, 7.3, 18, 18];

/** Widths in pixels for a grid whose rows come and go, so that its columns stay where they are. */
export function toColumnWidths(result: QueryResult): number[] {
  const every = Math.max(1, Math.floor(result.rows.length / measuredRows));
  return result.columns.map(({ name, type }, index) => {
    let longest = 0;
    for (let row = 0; row < result.rows.length; row += every)
      longest = Math.max(longest, toCellText(result.rows[row]?.[index] ?? null).length);
    const head = Math.max(name.length * perLetter + sign, type.length * perLetter);
    return Math.round(Math.min(widest, Math.max(narrowest, head + beside, longest * perFigure + beside)));
  });
}
