/**
 * "the ratio of A to B per C": each side is read as a question of its own, with what stands around them, and the two
 * answers are divided. What both sides say limits the whole; what one side says limits that side.
 */

import { isCue, type NounPhrase } from "./clauses/clause-types.ts";
import { type Building, emptyFrame } from "./frame/building.ts";
import { type Condition, type Measure, type Output, spell } from "./frame/frame.ts";
import { toKey } from "./frame/meanings.ts";
import type { Item } from "./linking/linking.ts";
import { isOn } from "./words/parts.ts";

/** Both sides with what stands before and after them; `minus`: the second is taken from the first, `growth`: in percent. */
export interface RatioSides {
  over: Item[];
  under: Item[];
  minus?: boolean;
  growth?: boolean;
}

const isNoun = (item: Item | undefined): boolean =>
  item !== undefined &&
  (["table", "column", "concept", "value"].includes(item.kind) || isCue(item, "how-many", "aggregate"));

export function splitRatio(items: Item[]): RatioSides | undefined {
  if (!isOn("ratios")) return undefined;
  const at = items.findIndex((item) => isCue(item, "share") && /^ratio/i.test(item.text));
  if (at < 0) return undefined;
  let start = at + 1;
  while (isCue(items[start], "preposition", "filler")) start += 1;
  const to = items.findIndex(
    (item, index) =>
      index > start &&
      isCue(item, "preposition") &&
      /^to\b/i.test(item.text) &&
      items.slice(index + 1, index + 5).some(isNoun),
  );
  const stop = items.findIndex((item, index) => index > at && isCue(item, "stop", "comma"));
  if (to < 0 || (stop >= 0 && stop < to)) return undefined;
  const end = stop < 0 ? items.length : stop;
  const named = items.slice(start, to).some((item) => item.kind === "value");
  const tail = tailOf(items, to + 1, end, named);
  const before = items.slice(0, at).filter((item) => !isCue(item, "aggregate"));
  const after = [...tail.items, ...items.slice(end)];
  const side = (from: number, until: number) => [...before, ...asAsked(items.slice(from, until)), ...after];
  return { over: side(start, to), under: side(to + 1, tail.at) };
}

/** A side that names rows asks how many there are. */
function asAsked(items: Item[]): Item[] {
  const first = items.find((item) => !isCue(item, "filler", "all"));
  if (first?.kind !== "table" && first?.kind !== "value" && !isCue(first, "distinct")) return items;
  return [{ kind: "cue", cue: "how-many", start: first.start, end: first.start, text: "how many" }, ...items];
}

/** What is said of the whole: "for each …", "by …", "in New York", "vary across …". */
function tailOf(items: Item[], from: number, end: number, named: boolean): { at: number; items: Item[] } {
  const first = items.findIndex((item, index) => index >= from && isNoun(item));
  for (let at = first + 1; at > 0 && at < end; at += 1) {
    const item = items[at] as Item;
    const verb = item.kind === "word" && /^(var(y|ies)|differs?|changes?)$/i.test(item.text);
    const rest = items.slice(at + 1, end);
    if (isCue(item, "each") || (isCue(item, "bucket") && /\b(by|per|each|every)\b/i.test(item.text)))
      return { at, items: items.slice(at, end) };
    const grouping = /^(by|across|within|over)\b/i.test(item.text) || verb;
    if (verb || (isCue(item, "preposition") && grouping)) return { at, items: [toEach(item), ...dropLead(rest)] };
    // "customers from Brazil to customers from Canada": each side has a place of its own.
    const value = !named && isCue(item, "preposition") && rest.find((part) => !isCue(part, "filler"))?.kind === "value";
    if (value && !rest.some((part) => isCue(part, "compare", "relative", "have")))
      return { at, items: items.slice(at, end) };
  }
  return { at: end, items: [] };
}

const toEach = (item: Item): Item => ({ kind: "cue", cue: "each", start: item.start, end: item.end, text: "for each" });

function dropLead(items: Item[]): Item[] {
  const noun = items.findIndex(
    (item) => !isCue(item, "preposition", "filler", "distinct", "all", "each") && !/^over$/i.test(item.text),
  );
  return noun < 0 ? [] : items.slice(noun);
}

/** Both readings as one frame, or nothing when they don't fit together. */
export function divide(
  over: Building,
  under: Building,
  words: string,
  { minus, growth }: Pick<RatioSides, "minus" | "growth"> = {},
): Building | undefined {
  // One figure on each side; otherwise what only one side shows.
  const rest = (own: Building, other: Building): Output[] => {
    const measures = own.frame.outputs.filter((output) => output.kind === "measure");
    return measures.length === 1
      ? measures
      : own.frame.outputs.filter((output) => !other.frame.outputs.some((known) => spell(known) === spell(output)));
  };
  const [first, ...more] = rest(over, under);
  const [second, ...others] = rest(under, over);
  const sameGroups = spell(over.frame.groups) === spell(under.frame.groups);
  if (!first || !second || more.length + others.length > 0 || !sameGroups) return undefined;
  if (over.frame.having.length + under.frame.having.length > 0) return undefined;
  const shared = over.frame.conditions.filter((condition) => isIn(condition, under.frame.conditions));
  const own = (build: Building) => build.frame.conditions.filter((condition) => !isIn(condition, shared));
  const divided = divideOutputs(first, second, own(over), own(under), words);
  // Taken from itself a figure is nothing.
  if (minus && spell(own(over)) === spell(own(under)) && spell(first) === spell(second)) return undefined;
  if (!divided) return undefined;
  const output = minus ? subtract(divided, growth) : divided;
  // Divided row by row, each row is shown with what it is.
  const listed = over.main.groups.length > 0 && over.frame.groups.length === 0 && over.frame.outputs.length === 1;
  const keys: Output[] = listed ? over.main.groups.flatMap((group) => groupKeys(group, over)) : [];
  const frame = {
    ...emptyFrame(over.frame.entity),
    outputs: [...keys, ...over.frame.outputs.filter((known) => known !== first), output],
    groups: over.frame.groups,
    conditions: shared,
    order: over.frame.order.map((order) => (spell(order.by) === spell(first) ? { ...order, by: output } : order)),
    ...(over.frame.limit ? { limit: over.frame.limit } : {}),
  };
  return {
    ...over,
    frame,
    missing: [...over.missing, ...under.missing],
    notes: [...over.notes, ...under.notes],
    unknownValues: [...over.unknownValues, ...under.unknownValues],
  };
}

const subtract = (output: Output, growth = false): Output =>
  output.kind === "measure"
    ? { kind: "measure", measure: { ...output.measure, minus: true, ...(growth ? { growth } : {}) } }
    : output.kind === "scalar"
      ? { ...output, of: { ...output.of, minus: true } }
      : output;

function groupKeys(group: NounPhrase, build: Building): Output[] {
  const key = toKey(group, build, [build.frame.entity]);
  return key ? [{ kind: "key", key }] : [];
}

const isIn = (condition: Condition, list: Condition[]): boolean =>
  list.some((known) => spell(known) === spell(condition));

function divideOutputs(
  over: Output,
  under: Output,
  overOnly: Condition[],
  underOnly: Condition[],
  words: string,
): Output | undefined {
  if (over.kind === "measure" && under.kind === "measure") {
    const side = (measure: Measure, where: Condition[]): Measure =>
      where.length > 0 ? { ...measure, where } : measure;
    return {
      kind: "measure",
      measure: { ...side(over.measure, overOnly), per: side(under.measure, underOnly), words },
    };
  }
  const plain = overOnly.length + underOnly.length === 0;
  if (!plain || over.kind !== "column" || under.kind !== "column" || over.ref.table !== under.ref.table)
    return undefined;
  return { kind: "scalar", of: { column: over.ref, per: under.ref }, words };
}
