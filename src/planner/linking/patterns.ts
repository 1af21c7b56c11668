/** Words that are a part of stored values rather than one of them: "a Gmail address", "'love' in the title". */
import type { ValueIndex } from "../../catalog/value-index.ts";
import { isCue } from "../clauses/clause-types.ts";
import { isNumeric, type Schema } from "../schema/schema.ts";
import type { ColumnOption, Item, ItemOf, ValueOption } from "./linking.ts";

/** Turns such words into values with a pattern; the column they stand beside stays, so that they limit it. */
export function markPatterns(items: Item[], schema: Schema, values: ValueIndex): Item[] {
  const made: Item[] = [];
  for (let at = 0; at < items.length; at += 1) {
    const item = items[at] as Item;
    const inside = insideColumn(items, at, schema, values) ?? columnContains(items, at, schema);
    if (inside) {
      made.push(...inside.items);
      at = inside.last;
      continue;
    }
    const part = partOfValues(item, items[at + 1], items[at + 2], schema, values);
    if (part) {
      made.push(part.item);
      // "a Gmail address" where addresses hold no such word: "address" only says that it is an e-mail address.
      if (part.swallows) at += 1;
      continue;
    }
    made.push(item);
  }
  return made;
}

const isText = (schema: Schema, option: ColumnOption): boolean => {
  const column = schema.column(option);
  return !isNumeric(column) && !column.isKey && column.info.dateFormat === undefined;
};

/** "'love' in the title", "\"Live\" in its name": quoted, so it is meant as it stands. */
function insideColumn(
  items: Item[],
  at: number,
  schema: Schema,
  values: ValueIndex,
): { items: Item[]; last: number } | undefined {
  const item = items[at];
  if (item?.kind !== "value" || !isQuoted(item)) return undefined;
  let next = at + 1;
  const preposition = items[next];
  if (!isCue(preposition, "preposition") || !/^(in|within|inside)/i.test(preposition.text)) return undefined;
  next += 1;
  while (isCue(items[next], "filler", "along")) next += 1;
  const column = items[next];
  if (column?.kind !== "column") return undefined;
  const text = column.options.filter((option) => isText(schema, option));
  if (text.length === 0) return undefined;
  // Of several columns of that name those are meant that do hold the text.
  const lower = item.text.toLowerCase();
  const holds = (option: ColumnOption) =>
    values
      .search(item.text, { table: option.table, column: option.column, limit: 40 })
      .some((match) => match.value.toLowerCase().includes(lower));
  const holding = text.filter(holds);
  // "a song with 'x' in its title": the song's own column may be the one.
  const before = items
    .slice(0, at)
    .flatMap((known) => (known.kind === "column" ? known.options : []))
    .filter((option) => isText(schema, option) && holds(option));
  const kept = holding.length > 0 ? holding : before.length > 0 ? before : text;
  const options = kept.map((option) => toPattern(option.table, option.column, item.text, option.score));
  return {
    items: [
      { ...item, options, end: column.start },
      { ...column, options: kept },
    ],
    last: next,
  };
}

/** "whose title contains 'Live'": a text column, a verb of holding, and text in quotes. */
function columnContains(items: Item[], at: number, schema: Schema): { items: Item[]; last: number } | undefined {
  const [column, verb, value] = items.slice(at, at + 3);
  if (column?.kind !== "column" || value?.kind !== "value" || !isQuoted(value)) return undefined;
  if (!isCue(verb, "have") || !/^(contain|include)s?$/i.test(verb.text)) return undefined;
  const text = column.options.filter((option) => isText(schema, option));
  if (text.length === 0) return undefined;
  const options = text.map((option) => toPattern(option.table, option.column, value.text, option.score));
  return {
    items: [
      { ...value, options, start: verb.start },
      { ...column, options: text },
    ],
    last: at + 2,
  };
}

/** A quoted token is longer in the question than its text. */
const isQuoted = (item: ItemOf<"value">): boolean => item.quoted === true;

function partOfValues(
  item: Item,
  next: Item | undefined,
  after: Item | undefined,
  schema: Schema,
  values: ValueIndex,
): { item: Item; swallows: boolean } | undefined {
  if (item.kind !== "word" || next?.kind !== "column" || item.start === 0) return undefined;
  const { token } = item;
  if (!["PROPN", "NOUN", "ADJ"].includes(token.pos) || token.text.length < 3 || isCue(after, "compare"))
    return undefined;
  const found = new Map<string, { table: string; column: string; values: number }>();
  for (const match of values.search(token.lower, { limit: 60 })) {
    if (
      !match.value
        .toLowerCase()
        .split(/[^\p{L}\p{N}]+/u)
        .includes(token.lower)
    )
      continue;
    const key = `${match.table}.${match.column}`;
    const known = found.get(key) ?? { table: match.table, column: match.column, values: 0 };
    known.values += 1;
    found.set(key, known);
  }
  const usable = [...found.values()].filter(
    (column) =>
      column.values > 1 &&
      schema.tables.some((table) => table.name === column.table) &&
      schema.table(column.table).display.every((shown) => shown.column !== column.column),
  );
  const beside = usable.filter((column) =>
    next.options.some((option) => option.table === column.table && option.column === column.column),
  );
  const chosen = beside.length > 0 ? beside : /^(address|name|code|number)/i.test(next.text) ? usable : [];
  const options = chosen.map((column) => toPattern(column.table, column.column, token.lower, 0.9));
  if (options.length === 0) return undefined;
  const swallows = beside.length === 0;
  return {
    item: {
      kind: "value",
      options,
      start: item.start,
      end: swallows ? next.end : item.end,
      text: item.text,
    },
    swallows,
  };
}

const toPattern = (table: string, column: string, text: string, score: number): ValueOption => ({
  table,
  column,
  value: `%${text}%`,
  rows: 0,
  score,
  how: "contains",
  pattern: true,
});
