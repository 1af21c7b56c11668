/** CSV (RFC 4180) as rows with their lines; divided by commas, semicolons or tabs, whichever the first line has most of. Pure. */
import type { LineFault } from "../yaml-spots.ts";

export interface CsvRow {
  /** 1-based, of its first character. */
  line: number;
  cells: string[];
}

export type ReadCsv = { ok: true; rows: CsvRow[] } | { ok: false; fault: LineFault };

/** Rows without any character are left out. */
export function parseCsv(text: string): ReadCsv {
  const mark = chooseMark(text.split(/\r?\n/, 1)[0] ?? "");
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let cell = "";
  let line = 1;
  let startLine = 1;
  let quotedAt = 0;
  const endCell = (): void => {
    cells.push(cell);
    cell = "";
  };
  const endRow = (): void => {
    endCell();
    if (cells.length > 1 || cells[0] !== "") rows.push({ line: startLine, cells });
    cells = [];
    startLine = line;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text[at] as string;
    if (character === "\n") line++;
    if (quotedAt > 0) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') {
        cell += '"';
        at++;
      } else quotedAt = 0;
    } else if (character === '"' && cell === "") quotedAt = line;
    else if (character === mark) endCell();
    else if (character === "\n") endRow();
    else if (character !== "\r" || text[at + 1] !== "\n") cell += character;
  }
  if (quotedAt > 0)
    return {
      ok: false,
      fault: { line: quotedAt, message: "a quoted text never ends", fix: 'End it with ", and write "" for " in it.' },
    };
  if (cell !== "" || cells.length > 0) endRow();
  return { ok: true, rows };
}

function chooseMark(head: string): string {
  const counts = [",", ";", "\t"].map((mark) => ({ mark, count: head.split(mark).length }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).mark;
}

/** Names of the first row, folded, with the place of each; the later rows as values by those names. */
export function toRecords(rows: readonly CsvRow[]): {
  names: string[];
  records: { line: number; of: (name: string) => string }[];
} {
  const names = (rows[0]?.cells ?? []).map((cell) =>
    cell
      .trim()
      .toLowerCase()
      .replace(/[\s-]+/g, "_"),
  );
  const places = new Map(names.map((name, at) => [name, at]));
  return {
    names,
    records: rows.slice(1).map(({ line, cells }) => ({
      line,
      of: (name) => {
        const at = places.get(name);
        return at === undefined ? "" : (cells[at] ?? "").trim();
      },
    })),
  };
}
