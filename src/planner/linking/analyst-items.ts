/** Items seen again with the schema at hand: verbs that a key is called by, titles of those whom a key names, units said first. */
import { isCue } from "../clauses/clause-types.ts";
import { alike } from "../clauses/read-contrast.ts";
import type { ColumnInfo, Schema } from "../schema/schema.ts";
import { stem, type Token } from "../words/language.ts";
import { joinCompounds } from "./compound-items.ts";
import { markEvents } from "./events.ts";
import { splitEnds } from "./from-to.ts";
import type { Item, ItemOf, Linked } from "./linking.ts";
import { takePriceBasis } from "./price-basis.ts";
import { nameBosses } from "./self-keys.ts";

export interface Analysed {
  items: Item[];
  /** "Compare …": what is named side by side gets a row of its own. */
  compared?: string;
  /** The price that an amount is worked out by. */
  price?: ColumnInfo;
  /** "the oldest and the youngest": both ends of one order. */
  bothEnds?: string;
  /** "…, and what is that average?": the figure that rows are ranked by is shown too. */
  ranked?: string;
}

export function analyseItems({ items, tokens }: Pick<Linked, "items" | "tokens">, schema: Schema): Analysed {
  const { items: priced, price } = takePriceBasis(markEvents(splitEnds(items, schema), schema), schema);
  const { items: said, words: ranked } = dropThat(priced);
  const people = namePeople(nameBosses(joinCompounds(said, schema, tokens), schema, tokens), schema);
  const named = nameKeys(nameActors(people, schema), schema, tokens);
  const ends = dropFirstEnd(pairEnds(joinUnit(moveUnit(pairVersus(named)))));
  const compared = ends.items.findIndex(isComparing);
  return {
    items:
      compared < 0
        ? ends.items
        : shareColumns(ends.items.filter((item, at) => at !== compared || isJoining(item)).map(withoutBetween)),
    ...(compared < 0 ? {} : { compared: ends.items[compared]?.text ?? "" }),
    ...(ends.words === undefined ? {} : { bothEnds: ends.words }),
    ...(price === undefined ? {} : { price }),
    ...(ranked === undefined ? {} : { ranked }),
  };
}

/** What stands side by side is of one kind. */
function shareColumns(items: Item[]): Item[] {
  const made = [...items];
  for (let at = 0; at < made.length - 2; at += 1) {
    const [one, other] = [made[at], made[at + 2]];
    if (one?.kind !== "value" || other?.kind !== "value" || !isCue(made[at + 1], "and", "comma")) continue;
    [made[at], made[at + 2]] = alike(one, other);
  }
  return made;
}

/** "revenue between Germany and the USA": of both. */
const withoutBetween = (item: Item, at: number, items: Item[]): Item => {
  const next = items.slice(at + 1).find((other) => !isCue(other, "filler"));
  const { start, end, text } = item;
  return isCue(item, "between") && next?.kind === "value"
    ? { kind: "cue", cue: "preposition", word: "in", start, end, text }
    : item;
};

const isComparing = (item: Item): boolean =>
  (item.kind === "word" || isCue(item, "and")) && /^(compare|comparing|comparison|versus|vs)$/i.test(item.text);
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

/** "high priority orders versus normal ones": both words stand before one noun. */
function pairVersus(items: Item[]): Item[] {
  const at = items.findIndex(isJoining);
  const [other, ones] = items.slice(at + 1, at + 3);
  const first = items.slice(0, Math.max(at, 0)).findLastIndex((item) => item.kind === "value");
  const nouns = items.slice(first + 1, at);
  const own = items[first];
  if (at < 0 || first < 0 || other?.kind !== "value" || own?.kind !== "value" || !/^ones?$/i.test(ones?.text ?? ""))
    return items;
  if (nouns.length === 0 || !nouns.every((item) => item.kind === "table" || item.kind === "column")) return items;
  const [one, two] = alike(own, other);
  const and: Item = { ...(items[at] as Item), kind: "cue", cue: "and" };
  return [...items.slice(0, first), one, and, two, ...nouns, ...items.slice(at + 3)];
}

/** "In megabytes, how large …": said first, it belongs to what is asked. */
function moveUnit(items: Item[]): Item[] {
  const [lead, unit, comma] = items;
  if (!isCue(lead, "preposition") || unit?.kind !== "unit" || !isCue(comma, "comma")) return items;
  const stop = items.findIndex((item) => isCue(item, "stop"));
  const end = stop < 0 ? items.length : stop;
  return [...items.slice(3, end), lead, unit, ...items.slice(end)];
}

/** "the length of each album in minutes": the unit stands beside what is measured. */
function joinUnit(items: Item[]): Item[] {
  const at = items.findIndex(
    (item, index) => item.kind === "unit" && index > 1 && /^(in|as)$/i.test(items[index - 1]?.text ?? ""),
  );
  const measured = items.findIndex((item) => item.kind === "concept" && ["duration", "size"].includes(item.concept));
  const between = items.slice(measured + 1, at - 1);
  if (at < 0 || measured < 0 || measured > at || !between.some((item) => isCue(item, "each") || item.text === "'s"))
    return items;
  const unit = items.slice(at - 1, at + 1);
  const rest = [...items.slice(0, at - 1), ...items.slice(at + 1)];
  return [...rest.slice(0, measured + 1), ...unit, ...rest.slice(measured + 1)];
}

/** "Who supports Luis Rojas?": the verb names the key of his row, which says who that is. */
function nameActors(items: Item[], schema: Schema): Item[] {
  const [who, verb, ...rest] = items;
  const value = rest.find((item) => !isCue(item, "filler"));
  if (!isCue(who, "who") || verb?.kind !== "word" || verb.token.pos !== "VERB" || value?.kind !== "value") return items;
  const keys = schema.tables
    .filter((table) => value.options.some((option) => option.table === table.name))
    .flatMap((table) => table.columns)
    .filter((column) => column.reference && column.stems.some((word) => verb.token.keys.includes(word)));
  const [key] = keys;
  if (!key?.reference || keys.length > 1 || key.reference.to === key.table) return items;
  const { start, end, text } = who;
  const asked: Item = { kind: "table", table: key.reference.to, score: 1, start, end, text };
  return [{ kind: "cue", cue: "wh", start, end: start, text: "which" }, asked, verb, ...rest];
}

/** "…, with that revenue", "…, and what is that average?": said of what the rows are ranked by. */
function dropThat(items: Item[]): { items: Item[]; words?: string } {
  const at = items.findLastIndex((item) => /^that$/i.test(item.text));
  const stop = items.findIndex((item, index) => index > at && isCue(item, "stop"));
  const end = stop < 0 ? items.length : stop;
  const noun = items.slice(at + 1, end);
  const joins = (item: Item | undefined) =>
    isCue(item, "and", "comma", "along", "wh", "be", "filler", "how-much") || /^(with|what)$/i.test(item?.text ?? "");
  let from = at;
  while (from > 0 && joins(items[from - 1])) from -= 1;
  const before = items.slice(0, from);
  const isNoun = (item: Item) =>
    ["column", "concept", "table"].includes(item.kind) ||
    isCue(item, "filler", "aggregate", "how-many") ||
    (item.kind === "word" && item.token.pos === "NOUN");
  if (at < 1 || from === at || noun.length === 0 || noun.length > 3 || !noun.every(isNoun)) return { items };
  if (!before.some((item) => isCue(item, "superlative", "top", "popular"))) return { items };
  const word = stem(noun.at(-1)?.text.toLowerCase().split(" ").at(-1) ?? "");
  const known = before.some((item) => item.text.toLowerCase().split(/\s+/).map(stem).includes(word));
  if (!known && !/^(values?|figures?|numbers?|amounts?|counts?|totals?|scores?|sums?)$/i.test(noun.at(-1)?.text ?? ""))
    return { items };
  const words = items
    .slice(at, end)
    .map((item) => item.text)
    .join(" ");
  return { items: [...before, ...items.slice(end)], words };
}

/** "the highest and lowest totals", "the average, youngest and oldest age" are figures of one column. */
function pairEnds(items: Item[]): Item[] {
  const first = items.findIndex((item) => isCue(item, "superlative") || isFigure(item));
  if (first < 0) return items;
  const run = [first];
  for (let at = first + 1; at < items.length; at += 1) {
    if (isCue(items[at], "and", "comma", "filler")) continue;
    const joined = items.slice((run.at(-1) ?? 0) + 1, at).some((item) => isCue(item, "and", "comma"));
    if (!joined || !(isCue(items[at], "superlative") || isFigure(items[at]))) break;
    run.push(at);
  }
  const ends = run.map((at) => items[at]).filter(isRanked);
  const last = (run.at(-1) ?? first) + 1;
  const counted = isCue(items[last], "how-many") || isCounting(items[last - 1]);
  const head = items[isCue(items[last], "how-many") ? last + 1 : last];
  const folded = ["column", "concept"].includes(head?.kind ?? "") || (counted && head?.kind === "table");
  const apart = new Set(ends.map((end) => end.direction));
  const beside = run.some((at) => isFigure(items[at]));
  const several = beside || apart.size > 1;
  // Beside an average "shortest" and "longest" are figures too.
  const isEnd = (end: Ranked) => isEndOf(end, head) || (beside && !end.place && !end.counting);
  if (run.length < 2 || ends.length === 0 || !folded || !several || !ends.every(isEnd)) return items;
  return items.flatMap((item, at): Item[] => {
    if (!run.includes(at) || !isCue(item, "superlative")) return [item];
    const how: Item = { kind: "cue", cue: "how-many", start: item.end, end: item.end, text: "number of" };
    return isCounting(item) ? [toFigure(item), how] : [toFigure(item)];
  });
}

type Ranked = ItemOf<"cue"> & { cue: "superlative" };
const isRanked = (item: Item | undefined): item is Ranked => isCue(item, "superlative");
const isFigure = (item: Item | undefined): boolean => isCue(item, "aggregate") && item.fn !== "COUNT";
const isCounting = (item: Item | undefined): boolean =>
  isRanked(item) && item.counting === true && /number of$/i.test(item.text);
/** "youngest age", "latest date": an end of the column that it stands before. */
const isEndOf = (item: Ranked, head: Item | undefined): boolean =>
  isCounting(item) ||
  (!item.place && !item.counting && (!item.concept || /\b(age|date|year|day|time)s?$/i.test(head?.text ?? "")));

/** The older, the earlier. */
const inTime = ({ direction, concept }: Ranked): string =>
  concept === "age" ? (direction === "DESC" ? "ASC" : "DESC") : direction;
const sortOf = ({ concept }: Ranked): string | undefined => (concept === "age" ? "date" : concept);

const toFigure = (item: Item): Item => {
  const { start, end, text } = item;
  const fn = isCue(item, "superlative") && item.direction === "ASC" ? "MIN" : "MAX";
  return { kind: "cue", cue: "aggregate", fn, start, end, text };
};

/** "the oldest and the youngest employee" is read as the youngest one, and then as both ends. */
function dropFirstEnd(items: Item[]): { items: Item[]; words?: string } {
  const at = items.findIndex((item) => isCue(item, "superlative"));
  const first = items[at];
  let next = at + 1;
  if (at < 0 || !first || !isCue(items[next], "and")) return { items };
  next += 1;
  while (isCue(items[next], "filler", "preposition")) next += 1;
  const second = items[next];
  const head = items.slice(next + 1).find((item) => item.kind !== "value");
  if (!isCue(first, "superlative") || !isCue(second, "superlative") || head?.kind !== "table") return { items };
  if (inTime(first) === inTime(second) || sortOf(first) !== sortOf(second)) return { items };
  if (first.counting || second.counting) return { items };
  return { items: items.filter((_, index) => index < at || index >= next), words: `${first.text} and ${second.text}` };
}
