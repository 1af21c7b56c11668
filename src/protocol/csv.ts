/** A result as CSV (RFC 4180), safe to open in a spreadsheet. */
import type { Cell, QueryResult } from "./results.ts";

export function toCsv(result: Pick<QueryResult, "columns" | "rows">): string {
  const lines = [result.columns.map((column) => quote(disarm(column.name))).join(",")];
  for (const row of result.rows) {
    let line = "";
    for (let at = 0; at < row.length; at += 1) line += (at === 0 ? "" : ",") + toField(row[at] ?? null);
    lines.push(line);
  }
  return `${lines.join("\r\n")}\r\n`;
}

/** NULL is an empty field, an empty text is `""`. */
function toField(cell: Cell): string {
  if (cell === null) return "";
  if (typeof cell === "string") return ordinary.test(cell) ? cell : quote(disarm(cell));
  return String(cell);
}

/** Begins as no formula does and holds nothing that is quoted: most texts, told by one look instead of three. */
const ordinary = /^[0-9A-Za-z](?:[^",;\t\r\n]*[^\s",;])?$/;

/** Large integers and decimals come as text and must stay numbers. */
const numeric = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/**
 * A spreadsheet runs a text that begins like a formula, also in full-width signs and behind what it leaves out: blanks,
 * control characters and what can't be seen. An apostrophe before it makes it plain text again.
 */
const formula = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}]*[=+\-@\uff1d\uff0b\uff0d\uff20])/u;

function disarm(text: string): string {
  return formula.test(text) && !numeric.test(text) ? `'${text}` : text;
}

/** Semicolons and tabs too: where a spreadsheet divides by those, what follows one would begin a cell. */
function quote(text: string): string {
  return text === "" || /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
