/** Words for stretches of time that are no groups: a kind that is stored ("the monthly plan"), a rate's unit ("per day"). */
import type { ValueIndex } from "../../catalog/value-index.ts";
import { isCue } from "../clauses/clause-types.ts";
import { isNumeric, type Schema } from "../schema/schema.ts";
import { measureWords } from "../words/lexicon.ts";
import type { ColumnOption, Item } from "./linking.ts";

export function markStretches(items: Item[], schema: Schema, values: ValueIndex): Item[] {
  return markRate(
    items.map((item, at) => asKind(item, items[at + 1], schema, values) ?? item),
    schema,
  );
}

/** "riders with the monthly plan", where plans are called so. */
function asKind(item: Item, next: Item | undefined, schema: Schema, values: ValueIndex): Item | undefined {
  if (!isCue(item, "bucket") || !/^(\w+ly|annual)$/i.test(item.text)) return undefined;
  const beside =
    next?.kind === "table" ? [next.table] : next?.kind === "column" ? next.options.map(({ table }) => table) : [];
  const options = values
    .lookup(item.text)
    .filter((match) => beside.includes(match.table) && schema.tables.some(({ name }) => name === match.table));
  const { start, end, text } = item;
  return options.length > 0 ? { kind: "value", options, start, end, text } : undefined;
}

/** "What do we charge per day for the baler?", where a day has its rate: what is kept as such is asked for. */
function markRate(items: Item[], schema: Schema): Item[] {
  const found = perStretch(items);
  if (!found || !asks.test(items[0]?.text ?? "")) return items;
  const { from, to, unit } = found;
  if (items.some((item, at) => at !== from && isCue(item, "aggregate", "each", "superlative"))) return items;
  const said = items
    .slice(0, from)
    .some((item) => isCue(item, "how-much") || isPrice(item) || charging.test(item.text));
  const options = schema.tables.flatMap(({ name, columns }): ColumnOption[] =>
    columns
      .filter((column) => isNumeric(column) && column.words.some((word) => measureWords.price.has(word)))
      .filter((column) => column.words.some((word) => word === unit || word === `${unit}ly` || word === adverbs[unit]))
      .map(({ column }) => ({ table: name, column, score: 1, owned: false })),
  );
  if (!said || options.length === 0) return items;
  const rest = items.filter((_, at) => at > 0 && (at < from || at >= to));
  while (rest[0] && (leading.test(rest[0].text) || charging.test(rest[0].text) || isPrice(rest[0]))) rest.shift();
  const place = { start: items[from]?.start ?? 0, end: items[to - 1]?.end ?? 0, text: `per ${unit}` };
  return [
    { kind: "cue", cue: "wh", ...place, text: "what" },
    { kind: "cue", cue: "be", ...place, text: "is" },
    { kind: "column", options, ...place },
    { kind: "cue", cue: "preposition", word: "of", ...place, text: "of" },
    ...rest,
  ];
}

const asks = /^(how much|what|what's)$/i;
const charging = /^(charged?|charges|costs?|paid|pays?|rents?|rented|hire|hires)$/i;
const leading = /^(is|are|do|does|did|we|you|they|it|for|the|to|of|for the|to the|of the|a|one|our)$/i;
const adverbs: Record<string, string> = { day: "daily", night: "nightly" };
const isPrice = (item: Item): boolean => item.kind === "concept" && ["price", "money"].includes(item.concept);

/** "per day", "a month": where it stands, and which stretch of time. */
function perStretch(items: Item[]): { from: number; to: number; unit: string } | undefined {
  for (const [at, item] of items.entries()) {
    const [lead = "", unit = ""] = item.text.toLowerCase().split(" ");
    if (isCue(item, "bucket") && /^(per|each|every|a)$/.test(lead)) return { from: at, to: at + 1, unit };
    const next = items[at + 1]?.text.toLowerCase() ?? "";
    if (/^(per|each|every|a)$/i.test(item.text) && /^(hour|day|night|week|month|year)$/.test(next))
      return { from: at, to: at + 2, unit: next };
  }
  return undefined;
}
