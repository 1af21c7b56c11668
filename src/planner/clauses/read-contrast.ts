/**
 * "how much more in 2024 than in 2023", "the difference between Rock and Jazz", "by how much did it change from 2022 to
 * 2023": the question is read once with each side, and one figure is taken from the other.
 */

import type { Item, ItemOf } from "../linking/linking.ts";
import type { RatioSides } from "../read-ratio.ts";
import { isOn } from "../words/parts.ts";
import { isCue } from "./clause-types.ts";

export interface Contrast extends RatioSides {
  /** What both sides say, without the words that compare. */
  items: Item[];
  words: string;
}

type Side = ItemOf<"period"> | ItemOf<"value">;
const isSide = (item: Item | undefined): item is Side => item?.kind === "period" || item?.kind === "value";
const said = (item: Item | undefined): string => item?.text.toLowerCase() ?? "";
const isJoiner = (item: Item | undefined): boolean =>
  isCue(item, "and", "comma") || /^(to|than|versus|vs\.?|compared to|compared with)$/.test(said(item));
const changed =
  /^(grow|grew|grown|growth|change|changed|changes|increase|increased|decrease|decreased|rise|rose|drop|dropped|fall|fell|decline|declined)$/;
const isLead = (item: Item): boolean =>
  isCue(item, "how-much", "do", "share", "wh", "be", "command", "preposition", "filler", "comma") ||
  changed.test(said(item));

export function splitContrast(items: Item[]): Contrast | undefined {
  if (!isOn("ratios")) return undefined;
  return byThan(items) ?? byDifference(items) ?? byChange(items);
}

/** "how many more … in 2022 than in 2021" */
function byThan(items: Item[]): Contrast | undefined {
  const how = items.findIndex((item) => isCue(item, "how-many", "how-much"));
  const degree = items[how + 1];
  if (how < 0 || !/^(more|less|fewer|higher|lower)$/.test(said(degree))) return undefined;
  const than = items.findIndex((item, at) => at > how && said(item) === "than");
  if (than < 0) return undefined;
  const after = items.findIndex((item, at) => at > than && isSide(item));
  const side = items[after];
  const before = items.findLastIndex((item, at) => at < than && item.kind === side?.kind);
  if (!side || before < 0 || items.slice(than + 1, after).some((item) => !isCue(item, "preposition", "filler")))
    return undefined;
  const words = `${degree?.text} than ${side.text}`;
  const rest = (keep: Item) =>
    items.flatMap((item, at): Item[] => {
      if (at === how + 1 || (at >= than && at <= after)) return [];
      return at === before ? [keep] : [item];
    });
  const turned = /^(less|fewer|lower)$/.test(said(degree));
  const [one, other] = alike(items[before] as Item, side);
  const [over, under] = [rest(one), rest(other)];
  return toContrast(turned ? under : over, turned ? over : under, words, false);
}

/** "the difference in the number of tracks between Rock and Metal", "between revenue in 2023 and 2024" */
function byDifference(items: Item[]): Contrast | undefined {
  const at = items.findIndex((item) => /^(difference|gap)$/.test(said(item)) && item.kind === "word");
  const pair = at < 0 ? undefined : findPair(items, at);
  if (!pair) return undefined;
  let lead = at + 1;
  while (isCue(items[lead], "preposition", "filler", "between")) lead += 1;
  const dropped = (index: number) => index >= at && index < lead;
  return split(items, pair, dropped, items[at]?.text ?? "difference", false);
}

/** "by what percentage did revenue grow from 2022 to 2023" */
function byChange(items: Item[]): Contrast | undefined {
  const at = items.findIndex((item) => changed.test(said(item)) && item.kind === "word");
  const pair = at < 0 ? undefined : findPair(items, 0);
  if (!pair || items[pair.first]?.kind !== "period") return undefined;
  const percent = /^growth/.test(said(items[at])) || items.some((item) => isCue(item, "share"));
  // What leads to the figure asks for it, and the figure itself says what it is.
  const start = items.findIndex((item) => !isLead(item));
  const dropped = (index: number) =>
    index < start ||
    index === at ||
    (index === at + 1 && isCue(items[index], "preposition")) ||
    isCue(items[index], "share");
  return split(items, pair, dropped, items[at]?.text ?? "change", percent);
}

interface Pair {
  first: number;
  last: number;
  sides: [Item, Item];
}

/** Two stretches of time, or two values, side by side; one item where a date holds both years. */
function findPair(items: Item[], from: number): Pair | undefined {
  for (let at = from; at < items.length; at += 1) {
    const item = items[at];
    if (!isSide(item)) continue;
    const both = item.kind === "period" ? twoYears(item) : undefined;
    if (both) return { first: at, last: at, sides: both };
    let next = at + 1;
    while (isJoiner(items[next]) || isCue(items[next], "preposition", "filler")) next += 1;
    const other = items[next];
    if (next > at + 1 && isSide(other) && other.kind === item.kind)
      return { first: at, last: next, sides: alike(item, other) };
  }
  return undefined;
}

/** What is compared is of one kind: values that one column holds. */
export function alike(one: Item, other: Item): [Item, Item] {
  if (one.kind !== "value" || other.kind !== "value") return [one, other];
  const shared = (own: ItemOf<"value">, theirs: ItemOf<"value">): Item => {
    const options = own.options.filter((option) =>
      theirs.options.some((known) => known.table === option.table && known.column === option.column),
    );
    return options.length > 0 ? { ...own, options } : own;
  };
  return [shared(one, other), shared(other, one)];
}

function split(
  items: Item[],
  { first, last, sides }: Pair,
  dropped: (index: number) => boolean,
  words: string,
  percent: boolean,
): Contrast {
  const rest = (keep: Item) =>
    items.flatMap((item, at): Item[] => {
      if (at === first) {
        const before = items[at - 1];
        const led = keep.kind === "period" || (isCue(before, "preposition") && !dropped(at - 1));
        return led ? [keep] : [toPreposition(keep), keep];
      }
      if (dropped(at) || (at > first && at <= last) || (isCue(item, "between") && at < first)) return [];
      return [item];
    });
  const [one, other] = sides.map(rest) as [Item[], Item[]];
  // Of two stretches of time the earlier one is taken from the later.
  const turned = startOf(sides[0]) < startOf(sides[1]);
  return toContrast(turned ? other : one, turned ? one : other, words, percent);
}

const toPreposition = ({ start }: Item): Item => ({
  kind: "cue",
  cue: "preposition",
  word: "of",
  start,
  end: start,
  text: "of",
});

const startOf = (item: Item): string => (item.kind === "period" ? (item.period.from ?? "") : "");

function toContrast(over: Item[], under: Item[], words: string, percent: boolean): Contrast {
  const all = [...over, ...under.filter((item) => !over.includes(item))].sort((a, b) => a.start - b.start);
  return { over, under, items: all, words, minus: true, ...(percent ? { growth: true } : {}) };
}

/** "in 2023 and 2024", "from 2022 to 2023": the two years, where nothing lies between them. */
export function twoYears(item: ItemOf<"period">): [Item, Item] | undefined {
  const [first, last] = item.period.years ?? [];
  const named = item.text.match(/\b\d{4}\b/g)?.map(Number) ?? [];
  if (first === undefined || last === undefined || named.length !== 2 || first === last) return undefined;
  const toItem = (year: number): Item => ({
    ...item,
    text: `in ${year}`,
    period: { from: `${year}-01-01`, to: `${year + 1}-01-01`, years: [year, year], words: `in ${year}` },
  });
  return [toItem(first), toItem(last)];
}
