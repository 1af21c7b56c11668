/**
 * Days between two dates of one row: "the average number of days from start to finish", "the average length of a loan in
 * days". The words become one number of the row, which is folded as any other.
 */
import type { Engine } from "../../protocol/index.ts";
import { isCue } from "../clauses/clause-types.ts";
import type { Scalar } from "../frame/frame.ts";
import { type ColumnInfo, isDate, type Schema } from "../schema/schema.ts";
import { stem } from "../words/language.ts";
import type { Figure } from "../words/lexicon.ts";
import { isDerived, sharedStart } from "../words/word-forms.ts";
import type { Item } from "./linking.ts";

/** How an engine counts the days from one date to another. */
export function daysBetween(start: string, end: string, engine: Engine): string {
  if (engine === "sqlite") return `julianday(${end}) - julianday(${start})`;
  if (engine === "mysql") return `DATEDIFF(${end}, ${start})`;
  if (engine === "duckdb") return `date_diff('day', CAST(${start} AS DATE), CAST(${end} AS DATE))`;
  return `CAST(${end} AS date) - CAST(${start} AS date)`;
}

const isDays = (item: Item | undefined): boolean => /^((how many|number of) |the )?days?$/i.test(item?.text ?? "");

export function markDayCounts(items: Item[], schema: Schema): Item[] {
  const days = items.findIndex(isDays);
  const fold = items.findIndex((item) => isCue(item, "aggregate") && item.fn !== "SUM" && item.fn !== "COUNT");
  if (days < 0 || fold < 0) return items;
  return betweenTwo(items, days, fold, schema) ?? lengthOf(items, days, fold, schema) ?? items;
}

/** "days from A to B", "days between A and B" */
function betweenTwo(items: Item[], days: number, fold: number, schema: Schema): Item[] | undefined {
  const open = items.findIndex((item, at) => at > days && at < days + 6 && /^(between|from)( the)?$/i.test(item.text));
  const join = items.findIndex(
    (item, at) => at > open && at < open + 7 && /^(and|to|until|till)( the)?$/i.test(item.text),
  );
  if (open < 0 || join < 0) return undefined;
  const [first, last] = [items.slice(open + 1, join), items.slice(join + 1, join + 5)];
  const meant = (said: Item[], table: string): { column: ColumnInfo; length: number } | undefined => {
    for (let length = 1; length <= said.length; length += 1) {
      const words = (said[length - 1]?.text ?? "").toLowerCase().split(/\s+/).map(stem);
      const column = dates(schema, table).find((known) =>
        known.stems.some(
          (own) =>
            own !== "date" &&
            words.some(
              (word) =>
                own === word ||
                isDerived(word, own) ||
                (own.length >= 3 && word.startsWith(own)) ||
                sharedStart(own, word) >= 4,
            ),
        ),
      );
      if (column) return { column, length };
    }
    return undefined;
  };
  for (const { name } of schema.tables) {
    const [start, end] = [meant(first, name), meant(last, name)];
    if (!start || !end || start.column === end.column) continue;
    return replaced(items, days, fold, join + 1 + end.length, { column: end.column, since: start.column });
  }
  return undefined;
}

/** "the average length of a loan in days": from when it began to when it was over. */
function lengthOf(items: Item[], days: number, fold: number, schema: Schema): Item[] | undefined {
  const said = items.slice(fold + 1, days);
  const long = said.some((item) => /\b(length|duration|time|stay|long)\b/i.test(item.text));
  if (!long || !/^(in|of)( the)?$/i.test(items[days - 1]?.text ?? "") || days < fold) return undefined;
  const named = said.flatMap((item) => (item.kind === "table" ? [item.table] : []));
  const pairs = schema.tables
    .filter((table) => named.length === 0 || named.includes(table.name))
    .flatMap(({ name }) => {
      const [start] = dates(schema, name).filter((column) => !column.info.nulls);
      const ends = dates(schema, name).filter((column) => (column.info.nulls ?? 0) > 0);
      return start && ends.length === 1 && ends[0] ? [{ column: ends[0], since: start }] : [];
    });
  const [pair, ...more] = pairs;
  return pair && more.length === 0 ? replaced(items, fold, fold, days + 1, pair) : undefined;
}

const dates = (schema: Schema, table: string): ColumnInfo[] =>
  schema.table(table).columns.filter((column) => isDate(column) && !column.isKey);

/** The words that speak of days, from their lead to `end`, as one number to be folded. */
function replaced(
  items: Item[],
  days: number,
  fold: number,
  end: number,
  of: { column: ColumnInfo; since: ColumnInfo },
): Item[] {
  let start = days;
  while (
    start > 0 &&
    (isCue(items[start - 1], "how-many", "filler", "aggregate") ||
      /^(of|number|the)$/i.test(items[start - 1]?.text ?? ""))
  )
    start -= 1;
  const span = { start: items[start]?.start ?? 0, end: items[end - 1]?.end ?? 0 };
  const text = items
    .slice(start, end)
    .map((item) => item.text)
    .join(" ");
  const ref = ({ table, column }: ColumnInfo) => ({ table, column });
  const defined: Scalar = { column: ref(of.column), since: ref(of.since) };
  const aggregate = { ...(items[fold] as Item & { fn: Figure }), start: span.start } as Item;
  const made: Item[] = [aggregate, { kind: "concept", concept: "money", verbal: false, defined, ...span, text }];
  const outside = (from: number, to: number) =>
    items
      .slice(from, to)
      .filter((item) => item !== items[fold] && !(item === items[fold - 1] && /^on$/i.test(item.text)));
  const before = outside(0, start).filter((item, at, all) => !(isCue(item, "comma") && at === all.length - 1));
  return [...before, ...made, ...outside(end, items.length)];
}
