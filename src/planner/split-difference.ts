/**
 * "the difference between A and B", "the gap in X between A and B": two questions, whose answers are subtracted. What the
 * second side leaves out it shares with the first.
 */
import { isCue } from "./clauses/clause-types.ts";
import type { Item } from "./linking/linking.ts";
import type { RatioSides } from "./read-ratio.ts";
import { isOn } from "./words/parts.ts";

const isNoun = (item: Item | undefined): boolean =>
  item !== undefined && (["table", "column", "concept"].includes(item.kind) || isCue(item, "how-many"));
const isLead = (item: Item | undefined): boolean => isCue(item, "preposition", "filler", "all");

export function splitDifference(items: Item[]): RatioSides | undefined {
  if (!isOn("ratios")) return undefined;
  const at = items.findIndex((item) => item.kind === "word" && /^(difference|gap|margin|spread)$/i.test(item.text));
  const between = items.findIndex((item, index) => index > at && isCue(item, "between"));
  if (at < 0 || between < 0) return undefined;
  const end = items.findIndex((item, index) => index > between && isCue(item, "stop", "each", "comma"));
  const stop = end < 0 ? items.length : end;
  const and = items.findIndex((item, index) => index > between && index < stop && isCue(item, "and"));
  if (and < 0) return undefined;
  const before = items.slice(0, at);
  const after = items.slice(stop);
  // "in average price between A and B": the figure is said before the sides.
  const figure = trim(items.slice(at + 1, between));
  const over = trim(items.slice(between + 1, and));
  const under = trim(items.slice(and + 1, stop));
  if (over.length === 0 || under.length === 0) return undefined;
  const of = (side: Item[]) => [...before, ...figure, ...(figure.length > 0 ? [lead(side[0] as Item)] : []), ...side];
  return {
    over: [...of(withNoun(over, under)), ...after],
    under: [...of(withFigure(under, over)), ...after],
    minus: true,
  };
}

function trim(items: Item[]): Item[] {
  const first = items.findIndex((item) => !isLead(item));
  return first < 0 ? [] : items.slice(first);
}

const lead = (item: Item): Item => ({
  kind: "cue",
  cue: "preposition",
  word: "for",
  start: item.start,
  end: item.start,
  text: "for",
});

/** "the highest and the lowest price": the noun is said once, at the end. */
function withNoun(side: Item[], other: Item[]): Item[] {
  const bare = side.every((item) => isCue(item, "superlative", "aggregate", "filler"));
  if (!bare) return side;
  const noun = other.findIndex(isNoun);
  return noun < 0 ? side : [...side, ...other.slice(noun)];
}

/** "the average score of red wines and that of white ones": the figure is said once, at the beginning. */
function withFigure(side: Item[], other: Item[]): Item[] {
  const own = side.some((item) => isCue(item, "aggregate", "superlative", "how-many"));
  const of = other.findIndex((item) => isCue(item, "preposition"));
  const folds = other.slice(0, of).some((item) => isCue(item, "aggregate", "superlative", "how-many"));
  const rest = trim(side.filter((item, at) => !(at < 2 && /^(that|those|the one)$/i.test(item.text))));
  return own || of < 0 || !folds ? side : [...other.slice(0, of + 1), ...rest];
}
