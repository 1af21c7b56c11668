/** Items seen again with the schema at hand: verbs that a key is called by, titles of those whom a key names, units said first. */
import { isCue } from "./clause-types.ts";
import type { Token } from "./language.ts";
import type { Item, ItemOf, Linked } from "./linking.ts";
import type { ColumnInfo, Schema } from "./schema.ts";

export interface Analysed {
  items: Item[];
  /** "Compare …": what is named side by side gets a row of its own. */
  compared?: string;
  /** "the oldest and the youngest": both ends of one order. */
  bothEnds?: string;
}

export function analyseItems({ items, tokens }: Pick<Linked, "items" | "tokens">, schema: Schema): Analysed {
  const named = nameKeys(namePeople(items, schema), schema, tokens);
  const led = moveUnit(named);
  const ends = dropFirstEnd(led);
  const compared = ends.items.findIndex(isComparing);
  return {
    items: compared < 0 ? ends.items : ends.items.filter((item, at) => at !== compared || isJoining(item)),
    ...(compared < 0 ? {} : { compared: ends.items[compared]?.text ?? "" }),
    ...(ends.words === undefined ? {} : { bothEnds: ends.words }),
  };
}

const isComparing = (item: Item): boolean =>
  item.kind === "word" && /^(compare|comparing|comparison|versus|vs)$/i.test(item.text);
const isJoining = (item: Item): boolean => /^(versus|vs)$/i.test(item.text);

/** The column of a foreign key that an item names, with a weak name or a part of it only. */
function keyOf(item: Item | undefined, schema: Schema): ColumnInfo | undefined {
  if (item?.kind !== "column") return undefined;
  const best = item.options[0];
  const column = best ? schema.column(best) : undefined;
  return column?.reference && !/\bids?\b/i.test(item.text) ? column : undefined;
}

/**
 * "employees support more than 20 customers": between two tables that one key links, a word of that key is the verb.
 * "each sales rep": what stands before the key's own word is part of the title.
 */
function nameKeys(items: Item[], schema: Schema, tokens: Token[]): Item[] {
  return items.flatMap((item, at): Item[] => {
    const [before, next] = [items[at - 1], items[at + 1]];
    const key = keyOf(item, schema);
    if (key && before?.kind === "table" && item.kind === "column" && item.end === item.start + 1) {
      const linked = [key.table, key.reference?.to];
      const object = items.slice(at + 1, at + 6).find((other) => other.kind === "table");
      const acts =
        isCue(next, "compare", "superlative", "between", "all", "no", "filler", "aggregate") || next?.kind === "number";
      const both = object?.kind === "table" && linked.includes(before.table) && linked.includes(object.table);
      if (both && (acts || next === object) && before.table !== object.table) return [toVerb(item, tokens)];
    }
    const titled = keyOf(next, schema);
    const own = titled?.words.filter((word) => word !== "id").at(-1);
    const isTitle = own !== undefined && next?.text.toLowerCase().replace(/s$/, "") === own;
    const isNoun = item.kind === "concept" || (item.kind === "word" && ["NOUN", "ADJ"].includes(item.token.pos));
    if (isTitle && isNoun && (isCue(before, "each", "wh", "filler", "all") || isCue(before, "preposition"))) return [];
    return [item];
  });
}

function toVerb({ start, end, text }: Item, tokens: Token[]): Item {
  const token = { ...(tokens[start] as Token), pos: "VERB" };
  return { kind: "word", token, start, end, text };
}

/** "how many people report to …": those of the table that refers to itself. */
function namePeople(items: Item[], schema: Schema): Item[] {
  const own = schema.relations.find((relation) => relation.from === relation.to);
  const self = items.findIndex((item) => isCue(item, "self"));
  if (!own || self < 1) return items;
  return items.map(
    (item, at): Item =>
      at === self - 1 && item.kind === "word" && /^(people|persons|person|staff|individuals)$/i.test(item.text)
        ? { kind: "table", table: own.from, score: 1, start: item.start, end: item.end, text: item.text }
        : item,
  );
}

/** "In megabytes, how large …": said first, it belongs to what is asked. */
function moveUnit(items: Item[]): Item[] {
  const [lead, unit, comma] = items;
  if (!isCue(lead, "preposition") || unit?.kind !== "unit" || !isCue(comma, "comma")) return items;
  const stop = items.findIndex((item) => isCue(item, "stop"));
  const end = stop < 0 ? items.length : stop;
  return [...items.slice(3, end), lead, unit, ...items.slice(end)];
}

/** "the oldest and the youngest employee" is read as the youngest one, and then as both ends. */
function dropFirstEnd(items: Item[]): { items: Item[]; words?: string } {
  const at = items.findIndex((item) => isCue(item, "superlative"));
  const first = items[at];
  let next = at + 1;
  if (at < 0 || !first || !isCue(items[next], "and")) return { items };
  next += 1;
  while (isCue(items[next], "filler")) next += 1;
  const second = items[next];
  if (!isCue(first, "superlative") || !isCue(second, "superlative") || items[next + 1]?.kind !== "table")
    return { items };
  const [one, other] = [first, second] as [
    ItemOf<"cue"> & { cue: "superlative" },
    ItemOf<"cue"> & { cue: "superlative" },
  ];
  if (one.direction === other.direction || one.concept !== other.concept || one.counting || other.counting)
    return { items };
  return { items: items.filter((_, index) => index < at || index >= next), words: `${one.text} and ${other.text}` };
}
