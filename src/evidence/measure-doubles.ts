/** Measures that the joins change: the sum over all rows, over each row of the joined set once, and over the set. */
import type { Database } from "../database/database.ts";
import { dialectOf } from "../sql/dialect.ts";
import { ask, cellOf, toCount } from "./ask.ts";
import type { JoinFacts } from "./find-joins.ts";
import {
  findColumn,
  type Join,
  type JoinedTable,
  type JoinGraph,
  same,
  toCountParts,
  toTableName,
} from "./join-graph.ts";
import type { Measure } from "./measure-joins.ts";

export interface Doubled {
  measure: Measure;
  table: JoinedTable;
  /** Join that first repeats its rows; undefined when nothing does. */
  join?: Join;
  /** Rows of its table that stand in the set, how many of them more than once, and the most often any stands there. */
  rows: number;
  /** `many` when it is known that there are some, but not how many. */
  repeated: number | "many";
  most: number;
  /** Read off the joins one by one, not counted in the joined set. */
  estimated: boolean;
  /** Over all rows of the table, over each row of the set once, and over the set; absent when it can't be counted. */
  whole?: number;
  once?: number;
  joined?: number;
}

/** COUNT DISTINCT, MIN and MAX don't change when rows repeat. */
export const isSafe = (aggregate: string): boolean => /distinct|min|max/i.test(aggregate);

/**
 * One answer per measure whose alias is in the set. Only joins that keep all tables in one part are summed. In a set
 * that is too large to count, and for rows that nothing tells apart, the joins' own figures must do.
 */
export async function measureDoubles(
  database: Database,
  graph: JoinGraph,
  facts: readonly JoinFacts[],
  measures: readonly Measure[],
  options: { sampled: boolean; deadlineMs: number },
): Promise<Doubled[]> {
  const quote = (name: string) => database.quote(name);
  const parts = toCountParts(graph.joins, quote);
  const wanted = measures.flatMap((measure) => {
    const table = graph.tables.find((candidate) => same(candidate.alias, measure.alias));
    const part = table ? parts.find((candidate) => candidate.aliases.has(table)) : undefined;
    const key = table && !options.sampled ? toRowKey(table, database) : null;
    return table && part ? [{ measure, table, part, key, expression: toExpression(measure, table, quote) }] : [];
  });
  const statements = wanted.map(({ measure, table, part, key, expression }) => {
    if (!key) return [];
    const inner = `SELECT ${key.map((column, at) => `${column} AS k${at}`).join(", ")}, COUNT(*) AS c FROM ${part.from} GROUP BY ${key.join(", ")}`;
    const kept = key.map((_, at) => `k${at} IS NOT NULL`).join(" AND ");
    const value = expression ?? "NULL";
    const total = /count/i.test(measure.aggregate)
      ? expression
        ? `COUNT(${value})`
        : "COUNT(*)"
      : /avg/i.test(measure.aggregate)
        ? `AVG(${value})`
        : `SUM(${value})`;
    const own = `${toTableName(table.table, quote)} AS ${quote(table.alias)}`;
    const row = key.length === 1 ? key[0] : `(${key.join(", ")})`;
    return [
      `SELECT COUNT(*), SUM(CASE WHEN c > 1 THEN 1 ELSE 0 END), MAX(c) FROM (${inner}) AS met WHERE ${kept}`,
      `SELECT ${total} FROM ${own}`,
      `SELECT ${total} FROM ${own} WHERE ${row} IN (SELECT ${key.join(", ")} FROM ${part.from})`,
      `SELECT ${total} FROM ${part.from}`,
    ];
  });
  const reads = await ask(database, statements.flat(), { deadlineMs: options.deadlineMs });
  let at = 0;
  return wanted.map(({ measure, table, expression }, index) => {
    const own = reads.slice(at, at + (statements[index]?.length ?? 0));
    at += own.length;
    const [rows, whole, once, joined] = own;
    const join = firstRepeating(facts, table);
    const shared = { measure, table, ...(join ? { join } : {}) };
    if (!rows?.ok) return { ...shared, ...toEstimate(facts, table, join), estimated: true };
    const figures = expression !== undefined || /count/i.test(measure.aggregate);
    const sum = (read: typeof once) =>
      figures && read?.ok && cellOf(read) !== null ? Number(cellOf(read)) : undefined;
    const sums = { whole: sum(whole), once: sum(once), joined: sum(joined) };
    return {
      ...shared,
      rows: toCount(rows),
      repeated: toCount(rows, 1),
      most: toCount(rows, 2),
      estimated: false,
      ...Object.fromEntries(Object.entries(sums).filter(([, value]) => value !== undefined)),
    };
  });
}

/** What the joins' own figures say about a table's rows in the set. */
function toEstimate(
  facts: readonly JoinFacts[],
  table: JoinedTable,
  join: Join | undefined,
): Pick<Doubled, "rows" | "repeated" | "most"> {
  const own = facts.find((fact) => fact.join.left === table || fact.join.right === table);
  const rows = (own?.join.left === table ? own.evidence.leftRows : own?.evidence.rightRows) ?? 0;
  const fact = facts.find((candidate) => candidate.join === join);
  if (!fact) return { rows, repeated: 0, most: 1 };
  const { maxLeft, maxRight } = fact.evidence;
  if (fact.join.left === table) return { rows, repeated: fact.repeated.left, most: maxRight };
  if (fact.join.right === table) return { rows, repeated: fact.repeated.right, most: maxLeft };
  return { rows, repeated: "many", most: Math.max(maxLeft, maxRight) };
}

/** What tells a table's rows apart: its key, one that is unique and filled, or the engine's own row number. */
export function toRowKey({ table, alias }: JoinedTable, database: Database): string[] | null {
  const unique = table.unique.find((names) => names.every((name) => findColumn(table, name)?.nullable === false));
  const names = table.primaryKey.length > 0 ? table.primaryKey : unique;
  const { rowNumber } = dialectOf(database.engine);
  const key = names ? names.map((name) => database.quote(name)) : rowNumber === null ? null : [rowNumber];
  return key?.map((column) => `${database.quote(alias)}.${column}`) ?? null;
}

/** The measure over its own table: a column, or columns, numbers and signs of arithmetic; undefined for anything else. */
function toExpression(measure: Measure, table: JoinedTable, quote: (name: string) => string): string | undefined {
  const text = measure.column.replaceAll("×", "*").trim();
  const column = (name: string) => {
    const found = findColumn(table.table, name);
    return found ? `${quote(table.alias)}.${quote(found.name)}` : undefined;
  };
  const whole = column(text);
  if (whole) return whole;
  const parts = text.match(/"[^"]+"|[A-Za-z_]\w*|\d+(?:\.\d+)?|[-+*/().]|\s+|./g) ?? [];
  const built: string[] = [];
  for (let at = 0; at < parts.length; at++) {
    const part = parts[at] ?? "";
    if (/^\s+$/.test(part)) built.push(" ");
    else if (/^(\d+(\.\d+)?|[-+*/()])$/.test(part)) built.push(part);
    else if (same(part.replaceAll('"', ""), table.alias) && parts[at + 1] === ".") at += 1;
    else {
      const named = column(part.replaceAll('"', ""));
      if (!named) return undefined;
      built.push(named);
    }
  }
  return built.length > 0 ? built.join("") : undefined;
}

/** Walking outward from a table: the first join whose far side holds several rows for one near row. */
function firstRepeating(facts: readonly JoinFacts[], from: JoinedTable): Join | undefined {
  const seen = new Set([from]);
  const queue = [from];
  const found: Join[] = [];
  while (queue.length > 0) {
    const near = queue.shift();
    for (const { join, evidence } of facts) {
      if (join.decision.type === "SEMI" || join.decision.type === "ANTI") continue;
      const far = join.left === near ? join.right : join.right === near ? join.left : undefined;
      if (!far || seen.has(far)) continue;
      if ((join.left === near ? evidence.maxRight : evidence.maxLeft) > 1) found.push(join);
      seen.add(far);
      queue.push(far);
    }
  }
  return found.sort((a, b) => a.n - b.n)[0] ?? undefined;
}
