/**
 * Whether a gold query's own result can be trusted, found out by running it, apart from any check: it must give rows,
 * no column that is all NULL, the same rows from tables whose rows lie in another order (a tie cut by LIMIT or a column
 * that is not grouped shows by that), and the same rows when numbers that are stored as text are stored as numbers or
 * when case makes no difference.
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { rowsOf } from "./rows-of.ts";

export type Doubt = "empty" | "all-null" | "order" | "tie" | "text-number" | "case" | null;

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const variants = new Map<string, { shuffled: string[]; numeric: string; caseless: string }>();

export function findDoubt(file: string, sql: string): Doubt {
  const rows = rowsOf(file, sql);
  if (rows.length === 0) return "empty";
  if (rows[0]?.some((_, at) => rows.every((row) => row[at] === null))) return "all-null";
  let made = variants.get(file);
  if (!made) {
    const folder = mkdtempSync(join(tmpdir(), "sound-gold-"));
    made = {
      shuffled: [7919, 104_729, 1_299_709].map((step) => copyTo(file, join(folder, `${step}.sqlite`), step, "plain")),
      numeric: copyTo(file, join(folder, "numeric.sqlite"), 1, "numeric"),
      caseless: copyTo(file, join(folder, "caseless.sqlite"), 1, "caseless"),
    };
    variants.set(file, made);
  }
  const expected = toKey(rows);
  if (made.shuffled.some((copy) => toKey(rowsOf(copy, sql)) !== expected)) return "order";
  if (isTied(file, sql)) return "tie";
  if (toKey(rowsOf(made.numeric, sql)) !== expected) return "text-number";
  return toKey(rowsOf(made.caseless, sql)) === expected ? null : "case";
}

/** Rows without their order; 8, 8.0 and '8' are the same. */
function toKey(rows: readonly unknown[][]): string {
  const plain = (cell: unknown) => {
    const number =
      typeof cell === "string" && cell.trim() !== "" ? Number(cell) : typeof cell === "number" ? cell : Number.NaN;
    return Number.isFinite(number) ? String(Math.round(number * 1e6) / 1e6) : cell;
  };
  return JSON.stringify(rows.map((row) => JSON.stringify(row.map(plain))).sort());
}

/** Rows that are equal in what the statement sorts by stand in another order; its LIMIT then cuts other ones off. */
function isTied(file: string, sql: string): boolean {
  const end = /\blimit\s+\d+\s*;?\s*$/i.exec(sql);
  if (!end || !/\border\s+by\b[^()]*(?:\([^()]*\)[^()]*)*$/i.test(sql.slice(0, end.index))) return false;
  const [up, down] = ["ASC", "DESC"].map((way) => {
    try {
      return toKey(rowsOf(file, `${sql.slice(0, end.index)}, 1 ${way} ${end[0]}`));
    } catch {
      return undefined; // The order can't be gone on with there: nothing is known.
    }
  });
  return up !== down;
}

/** All tables without keys and indexes, their rows in an order that `step` decides. */
function copyTo(file: string, target: string, step: number, kind: "plain" | "numeric" | "caseless"): string {
  const database = new DatabaseSync(target);
  database.exec(`ATTACH DATABASE '${file.replaceAll("'", "''")}' AS origin`);
  const tables = database
    .prepare("SELECT name FROM origin.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  for (const { name } of tables as { name: string }[]) {
    const columns = database.prepare(`SELECT name, type FROM pragma_table_info(?, 'origin')`).all(name) as {
      name: string;
      type: string;
    }[];
    const typed = columns.map((column) => {
      const own = quote(column.name);
      const isText = /char|text|clob/i.test(column.type);
      const count =
        kind === "numeric" && isText
          ? (database
              .prepare(
                `SELECT COUNT(${own}) AS n, SUM(${own} GLOB '[0-9]*' AND ${own} NOT GLOB '*[^0-9.]*') AS numbers FROM origin.${quote(name)}`,
              )
              .get() as { n: number; numbers: number })
          : undefined;
      return `${own} ${count && count.n > 0 && count.numbers >= 0.7 * count.n ? "NUMERIC" : column.type}${kind === "caseless" ? " COLLATE NOCASE" : ""}`;
    });
    database.exec(`CREATE TABLE ${quote(name)} (${typed.join(", ")})`);
    const order = step === 1 ? "rowid" : `(rowid * ${step}) % 1000003`;
    database.exec(`INSERT INTO ${quote(name)} SELECT * FROM origin.${quote(name)} ORDER BY ${order}`);
  }
  const views = database.prepare("SELECT sql FROM origin.sqlite_master WHERE type = 'view'").all() as { sql: string }[];
  for (const { sql } of views) database.exec(sql);
  database.close();
  return target;
}
