/** Rows as text to paste: for a spreadsheet, as CSV, as a Markdown table, and as INSERT. All of them keep every digit. */
import { toCsv } from "../../protocol/csv.ts";
import type { Cell, QueryResult } from "../../protocol/results.ts";
import { toColumnShape } from "./result-cells.ts";

export type CopyFormat = "tab" | "csv" | "markdown" | "insert";
export type Rows = Pick<QueryResult, "columns" | "rows">;

/** The part of a result that a rectangle of its shown rows holds. */
export function toPart(result: QueryResult, order: Uint32Array, left = 0, right = result.columns.length - 1): Rows {
  return {
    columns: result.columns.slice(left, right + 1),
    rows: [...order].map((row) => (result.rows[row] ?? []).slice(left, right + 1)),
  };
}

/** `engine` as the workspace names it; it decides how names and texts are quoted in SQL. */
export function toCopy(rows: Rows, format: CopyFormat, engine?: string): string {
  switch (format) {
    case "tab":
      return toTabSeparated(rows);
    case "csv":
      return toCsv(rows);
    case "markdown":
      return toMarkdownTable(rows);
    case "insert":
      return toInsert(rows, engine);
  }
}

function toTabSeparated({ columns, rows }: Rows): string {
  return [
    columns.map((column) => column.name),
    ...rows.map((row) => row.map((cell) => (cell === null ? "" : String(cell)))),
  ]
    .map((cells) => cells.map((cell) => (/[\t\n\r"]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join("\t"))
    .join("\n");
}

function toMarkdownTable({ columns, rows }: Rows): string {
  const numeric = columns.map((_, index) => isNumeric({ columns, rows }, index));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map((column) => escapeMarkdown(column.name))),
    line(numeric.map((right) => (right ? "---:" : "---"))),
    ...rows.map((row) => line(row.map(toMarkdownCell))),
    "",
  ].join("\n");
}

/** NULL is slanted, so that it differs from the text. */
const toMarkdownCell = (cell: Cell): string =>
  cell === null ? "*NULL*" : typeof cell === "string" ? escapeMarkdown(cell) : String(cell);

const escapeMarkdown = (text: string): string =>
  text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/[\\`*_[\]|~>]/g, "\\$&")
    .replace(/\r\n|\r|\n/g, "<br>");

const rowsPerInsert = 500;

function toInsert({ columns, rows }: Rows, engine: string | undefined): string {
  const mysql = engine === "mysql";
  const name = (text: string) => (mysql ? `\`${text.replaceAll("`", "``")}\`` : `"${text.replaceAll('"', '""')}"`);
  const numeric = columns.map((_, index) => isNumeric({ columns, rows }, index));
  const binary = columns.map((column) => /blob|binary|bytea/i.test(column.type));
  const value = (cell: Cell, column: number): string => {
    if (cell === null) return "NULL";
    if (typeof cell === "boolean") return cell ? "TRUE" : "FALSE";
    if (typeof cell === "number" || numeric[column]) return String(cell);
    if (binary[column] && /^x'(?:[0-9a-f]{2})*'$/i.test(cell)) return cell;
    const text = cell.replaceAll("'", "''");
    // MySQL and MariaDB read a backslash as the start of an escape; the others as itself.
    return `'${mysql ? text.replaceAll("\\", "\\\\") : text}'`;
  };
  const into = `INSERT INTO ${name("result")} (${toDistinct(columns.map((column) => column.name))
    .map(name)
    .join(", ")}) VALUES`;
  const statements: string[] = [];
  for (let from = 0; from < rows.length; from += rowsPerInsert) {
    const values = rows.slice(from, from + rowsPerInsert).map((row) => `  (${row.map(value).join(", ")})`);
    statements.push(`${into}\n${values.join(",\n")};`);
  }
  return `${statements.join("\n")}\n`;
}

/** A table has no two columns of one name: the second `id` becomes `id_2`. */
function toDistinct(names: readonly string[]): string[] {
  const taken = new Set<string>();
  return names.map((name) => {
    let distinct = name;
    for (let n = 2; taken.has(distinct.toLowerCase()); n += 1) distinct = `${name}_${n}`;
    taken.add(distinct.toLowerCase());
    return distinct;
  });
}

const isNumeric = (rows: Rows, index: number): boolean =>
  toColumnShape({ ...rows, rowCount: rows.rows.length, truncated: false }, index).numeric;
