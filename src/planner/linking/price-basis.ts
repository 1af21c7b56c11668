/** "revenue at list price", "harvest value at today's price per tonne": says by which price an amount is worked out. */
import { isCue } from "../clauses/clause-types.ts";
import { type ColumnInfo, pricedLines, type Schema } from "../schema/schema.ts";
import type { Item } from "./linking.ts";

/** `price`: what an amount is worked out by; the words that say so are taken out. */
export function takePriceBasis(items: Item[], schema: Schema): { items: Item[]; price?: ColumnInfo } {
  const bare = withoutIgnored(items);
  for (const [at, item] of bare.entries()) {
    if (!isCue(item, "preposition") || !/^at\b/i.test(item.text)) continue;
    const to = bare.findIndex((known, index) => index > at && known.kind === "column");
    const column = bare[to];
    if (column?.kind !== "column" || to > at + 4 || !bare.slice(at + 1, to).every(isLead)) continue;
    const price = pricedLines(schema)
      .map((line) => line.price)
      .find((known) =>
        column.options.some(
          (option) => option.score >= 0.5 && option.table === known.table && option.column === known.column,
        ),
      );
    const before = bare.slice(0, at);
    const amount = before.some((known) => known.kind === "concept" && known.concept === "money");
    const value = before.findLastIndex((known) => /^(values?|worth)$/i.test(known.text));
    if (!price || (!amount && value < 0)) continue;
    const worth = amount ? before : before.map((known, index) => (index === value ? toAmount(known) : known));
    const comma = isCue(before.at(-1), "comma") ? -1 : undefined;
    return { items: [...worth.slice(0, comma), ...bare.slice(to + 1)], price };
  }
  return { items: bare };
}

/** "at today's list price": now is when it is asked. */
const isLead = (item: Item): boolean =>
  isCue(item, "filler", "command", "preposition", "bucket") ||
  item.kind === "period" ||
  (item.kind === "word" && /^(full|current|today|list|regular|standard|stated|its|their)$/i.test(item.text));

const toAmount = ({ start, end, text }: Item): Item => ({
  kind: "concept",
  concept: "money",
  verbal: false,
  start,
  end,
  text,
});

/** "…, ignoring discounts": a figure that is left out of the sum. */
function withoutIgnored(items: Item[]): Item[] {
  const at = items.findIndex((item) => /^(ignoring|disregarding)$/i.test(item.text));
  const column = items[at + 1];
  const end = items[at + 2];
  if (at < 1 || column?.kind !== "column" || (end && !isCue(end, "stop"))) return items;
  const from = isCue(items[at - 1], "comma") ? at - 1 : at;
  return [...items.slice(0, from), ...items.slice(at + 2)];
}
