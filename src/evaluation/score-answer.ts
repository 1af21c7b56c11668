/** Right or wrong: the predicted and the gold statement are run, and their rows compared. */
import type { Database } from "../database/database.ts";
import { type Catalog, type QueryResult, ThothError } from "../protocol/index.ts";
import { readTieClasses } from "./gold-order.ts";
import type { Question } from "./questions.ts";
import { readLimits } from "./read-limits.ts";
import { type Apart, type FirstRows, otherOrder } from "./report.ts";
import { sameRows, type TieClasses } from "./same-rows.ts";

/** Rows kept of a result for the report. */
const keptRows = 5;

export interface Gold {
  /** Null when the gold query doesn't run. */
  result: QueryResult | null;
  /** Why it doesn't count with the others. */
  apart?: Apart;
  /** A statement is run and compared once, however often it is asked about. */
  score(sql: string): Promise<Answer>;
}
export type Answer =
  | { outcome: "right" | "wrong"; result: QueryResult; note?: string }
  | { outcome: "failed"; note: string };

interface GoldRows {
  result: QueryResult;
  order?: TieClasses;
}

/** Alternatives are run only when the first gold query differs. */
export async function openGold(question: Question, database: Database, catalog: Catalog): Promise<Gold> {
  const statements = [question.gold_sql ?? "", ...(question.gold_sql_alternatives ?? [])];
  const run = once((sql) => readGold(sql, database, catalog));
  const first = await run(statements[0] ?? "");
  const apart = question.time_dependent
    ? "time-dependent"
    : first === null
      ? "gold-fails"
      : first.result.rowCount === 0
        ? "empty-gold"
        : undefined;
  return {
    result: first?.result ?? null,
    ...(apart ? { apart } : {}),
    score: once(async (sql): Promise<Answer> => {
      const read = await database.read(sql, readLimits);
      if (!read.ok) return { outcome: "failed", note: `The SQL doesn't run: ${read.error.message}` };
      const { result } = read;
      let reordered = false;
      for (const statement of statements) {
        const gold = await run(statement);
        if (!gold || !sameRows(gold.result.rows, result.rows)) continue;
        if (!gold.order || sameRows(gold.result.rows, result.rows, gold.order)) return { outcome: "right", result };
        reordered = true;
      }
      return { outcome: "wrong", result, ...(reordered ? { note: otherOrder } : {}) };
    }),
  };
}

async function readGold(sql: string, database: Database, catalog: Catalog): Promise<GoldRows | null> {
  const read = await database.read(sql, readLimits);
  if (!read.ok) {
    // Gold that is only late says nothing about gold.
    if (read.error.code === "timeout") throw new ThothError("gold-late", "The gold query didn't end in time.");
    return null;
  }
  const order = await readTieClasses(sql, read.result.rows, catalog, database);
  return { result: read.result, ...(order ? { order } : {}) };
}

function once<T>(work: (sql: string) => Promise<T>): (sql: string) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (sql) => {
    const made = known.get(sql) ?? work(sql);
    known.set(sql, made);
    return made;
  };
}

export function toFirstRows({ columns, rows, rowCount, truncated }: QueryResult): FirstRows {
  return {
    columns: columns.map((column) => column.name.slice(0, 200)),
    rows: rows
      .slice(0, keptRows)
      .map((row) => row.map((cell) => (typeof cell === "string" ? cell.slice(0, 200) : cell))),
    rowCount,
    truncated,
  };
}
