/** What gold sorts by, as classes of rows whose order among each other is free. */
import type { Database } from "../database/database.ts";
import type { Catalog, Cell } from "../protocol/index.ts";
import { tokenize } from "../sql/parser.ts";
import { readFacts } from "./oracle/statement-parts.ts";
import { type Read, readLimits } from "./read-limits.ts";
import type { TieClasses } from "./same-rows.ts";

/**
 * Undefined where gold doesn't sort, or where its keys can't be had: then no order is asked for. A key that isn't shown
 * is read by a statement that shows it as well.
 */
export async function readTieClasses(
  sql: string,
  rows: readonly (readonly Cell[])[],
  catalog: Catalog,
  database: Database,
): Promise<TieClasses | undefined> {
  const final = readFacts(sql, catalog)?.blocks.filter((block) => block.final) ?? [];
  const end = final.find((block) => block.order.length > 0);
  const shown = final.find((block) => block.set === undefined);
  if (!end || !shown || rows.length < 2) return undefined;
  const places = end.order.map(({ form }) => shown.outputs.indexOf(form));
  if (places.every((place) => place >= 0)) return toClasses(rows, places);
  const wider = final.length === 1 && !shown.distinct ? addOrderKeys(sql, catalog.engine) : null;
  if (!wider) return undefined;
  const read: Read = await database.read(wider.sql, readLimits);
  if (!read.ok || read.result.rowCount !== rows.length) return undefined;
  const width = read.result.columns.length;
  return toClasses(
    read.result.rows,
    Array.from({ length: wider.keys }, (_, index) => width - wider.keys + index),
  );
}

function toClasses(rows: readonly (readonly Cell[])[], places: readonly number[]): TieClasses {
  let last: string | undefined;
  let current = -1;
  return rows.map((row) => {
    const key = JSON.stringify(places.map((place) => row[place]));
    if (key !== last) current += 1;
    last = key;
    return current;
  });
}

/** The statement with its sort keys at the end of the SELECT list. */
function addOrderKeys(sql: string, dialect: string): { sql: string; keys: number } | null {
  const tokens = tokenize(sql, dialect);
  if (!tokens.ok) return null;
  const words = tokens.value.map((token) => (/STRING|QUOTED/.test(token.type) ? "" : token.text.toUpperCase()));
  let depth = 0;
  const depths = words.map((word) => (word === ")" ? --depth : word === "(" ? depth++ : depth));
  const top = (word: string, from = 0) =>
    words.findIndex((found, at) => at >= from && found === word && depths[at] === 0);
  const select = top("SELECT");
  const from = top("FROM", select);
  const order = top("ORDER", from);
  if (select < 0 || from < 0 || order < 0) return null;
  const stops = ["LIMIT", "OFFSET", "FETCH", ";"].map((word) => top(word, order)).filter((at) => at >= 0);
  const end = Math.min(tokens.value.length, ...stops);
  const cuts = [
    order + 1,
    ...[...words.keys()].filter((at) => at > order && at < end && words[at] === "," && depths[at] === 0),
    end,
  ];
  const keys = cuts.slice(1).map((cut, index) => {
    const start = tokens.value[(cuts[index] ?? 0) + 1]?.start ?? 0;
    const text = sql.slice(start, tokens.value[cut - 1]?.end ?? sql.length);
    return text.replace(/(\s+nulls\s+(first|last))?$/i, "").replace(/\s+(asc|desc)$/i, "");
  });
  const at = tokens.value[from]?.start ?? 0;
  return { sql: `${sql.slice(0, at)}, ${keys.join(", ")} ${sql.slice(at)}`, keys: keys.length };
}
