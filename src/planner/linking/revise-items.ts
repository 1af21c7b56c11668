/** Items seen again side by side: verbs with a noun's tag, nouns that only trail a name, comparatives before their noun. */
import { isCue } from "../clauses/clause-types.ts";
import type { Operator } from "../words/lexicon.ts";
import { emptyNouns } from "../words/lexicon.ts";
import type { Item, ItemOf } from "./linking.ts";

const isNoun = (item: Item | undefined): item is ItemOf<"word"> =>
  item?.kind === "word" && item.token.pos === "NOUN" && !item.token.quoted;
const isLinked = (item: Item | undefined): boolean => item !== undefined && ["table", "column"].includes(item.kind);
const asCue = (item: Item, cue: Record<string, unknown>): Item =>
  ({ kind: "cue", start: item.start, end: item.end, text: item.text, ...cue }) as unknown as Item;

/** `tails`: nouns that were taken as a mere part of the name before them. */
export function reviseItems(items: Item[]): { items: Item[]; tails: string[] } {
  const tails: string[] = [];
  const verbs = rankRated(dropCalled(dropExplained(dropPeople(reviseVerbs(joinPlaces(joinDirections(items)))))));
  const named = verbs.map((item, index) => {
    const before = verbs[index - 1];
    if (item.kind === "word" && /^['’]$/.test(item.text) && isLinked(before) && /s$/i.test(before?.text ?? ""))
      return asCue(item, { cue: "preposition", word: "'s" });
    // "the highest wage paid": the column says what was paid.
    if (item.kind === "concept" && before?.kind === "column" && /^(paid|earned|charged)$/i.test(item.text)) {
      const next = verbs[index + 1];
      if (!next || isCue(next, "stop", "each", "bucket", "comma")) return asCue(item, { cue: "filler" });
    }
    if (!isNoun(item) || !isLinked(before)) return item;
    const empty = emptyNouns.has(item.token.lemma) || trailing.has(item.token.lemma);
    if (before?.kind === "column" || empty) {
      if (!empty) tails.push(item.text);
      return asCue(item, { cue: "filler" });
    }
    return item;
  });
  return { items: turnComparatives(dropRepeated(named.map(buyers).map(led))), tails };
}

/** "…, starting with the highest salary": all of them in that order. */
function joinBeginnings(items: Item[]): Item[] {
  const at = items.findIndex(
    (item, index) => isCue(item, "starts") && /^(starting|beginning) with$/i.test(item.text) && index > 1,
  );
  let best = at + 1;
  while (isCue(items[best], "filler")) best += 1;
  const [end, column, after] = items.slice(best, best + 3);
  if (at < 0 || !isCue(end, "superlative") || end.place || !["column", "concept"].includes(column?.kind ?? ""))
    return [...items];
  if (after !== undefined && !isCue(after, "stop")) return [...items];
  const { start, text, direction } = end;
  const order = asCue(end, { cue: "order", text: "ordered by" });
  const towards = { kind: "cue", cue: "direction", direction, start, end: end.end, text: `${text} first` } as Item;
  return [...items.slice(0, at), order, column as Item, towards, ...items.slice(best + 2)];
}

/** "from the newest to the oldest", "from the most recently opened to the earliest": an order, not one row. */
function joinDirections(items: Item[]): Item[] {
  const made = joinBeginnings(items);
  for (let at = 0; at < made.length; at += 1) {
    const first = made[at];
    if (!isCue(first, "superlative")) continue;
    let to = at + 1;
    const noun = ["column", "concept"].includes(made[to]?.kind ?? "");
    const verb = first.concept === "date" && made[to]?.kind === "word";
    if (noun || verb) to += 1;
    let last = to + 1;
    while (isCue(made[last], "filler")) last += 1;
    if (!/^to( the)?$/i.test(made[to]?.text ?? "") || !isCue(made[last], "superlative")) continue;
    let from = at;
    while (
      isCue(made[from - 1], "filler") ||
      (isCue(made[from - 1], "set") && isCue(made[from - 2], "comma")) ||
      /^(from|from the|listed|shown|arranged|starting|going|ordered|sorted)$/i.test(made[from - 1]?.text ?? "")
    )
      from -= 1;
    const { direction } = first;
    const words = made.slice(at, last + 1).map((item) => item.text);
    const span = { start: first.start, end: made[last]?.end ?? first.end, text: words.join(" ") };
    const shown = made[at + 1];
    const ordered = noun && shown ? [asCue(first, { cue: "order", text: "ordered by" }), shown] : [];
    made.splice(from, last + 1 - from, ...ordered, { kind: "cue", cue: "direction", direction, ...span } as Item);
  }
  return made;
}

const places = ["", "", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"];
const placeOfWord = (word: string): number =>
  places.indexOf(word) > 1 ? places.indexOf(word) : Number(/^(\d+)(nd|rd|th|st)$/.exec(word)?.[1] ?? 0);

/** "the second highest", "the 3rd most popular": a place in the order, not the first rows of it. */
function joinPlaces(items: Item[]): Item[] {
  return items.flatMap((item, at): Item[] => {
    const dash = items[at + 1]?.text === "-" ? 1 : 0;
    const ranked = (offset: number) => isCue(items[at + offset], "superlative", "popular");
    const isPlace = (known: Item | undefined) => known?.kind === "word" && placeOfWord(known.text.toLowerCase()) > 1;
    if (isPlace(item) && ranked(1 + dash)) return [];
    if (item.text === "-" && isPlace(items[at - 1]) && ranked(1)) return [];
    if (!isCue(item, "superlative", "popular")) return [item];
    const first = items[at - 1]?.text === "-" ? items[at - 2] : items[at - 1];
    if (!first || !isPlace(first)) return [item];
    const place = placeOfWord(first.text.toLowerCase());
    return [{ ...item, start: first.start, text: `${first.text} ${item.text}`, place } as Item];
  });
}

/** "merchants that ordered wine", "did not order any": what they did, not how rows are sorted. */
function buyers(item: Item, at: number, items: Item[]): Item {
  const before = items[at - 1];
  const did = isCue(before, "relative", "who", "do", "not") || (isCue(before, "have") && at > 1);
  return isCue(item, "order") &&
    /^order(ed|s)?$/i.test(item.text) &&
    did &&
    !isCue(items[at + 1], "preposition", "stop")
    ? asCue(item, { cue: "sold" })
    : item;
}

/** "presided over the most hearings": what the verb leads to, not a comparison. */
const led = (item: Item, at: number, items: Item[]): Item => {
  const [before, next] = [items[at - 1], items[at + 1]];
  const verb = before?.kind === "word" && before.token.pos === "VERB";
  return verb && isCue(item, "compare") && /^over$/i.test(item.text) && isCue(next, "superlative", "filler", "each")
    ? asCue(item, { cue: "preposition", word: "over" })
    : item;
};

/** "more than 10 people killed": the column says what the people are counted for. */
const dropPeople = (items: Item[]): Item[] =>
  items.filter(
    (item, at) =>
      !(
        item.kind === "word" &&
        item.token.lemma === "person" &&
        items[at - 1]?.kind === "number" &&
        items[at + 1]?.kind === "column"
      ),
  );

/** "whose home port is called Oslo" says of the port what "whose home port is Oslo" does. */
const dropCalled = (items: Item[]): Item[] =>
  items.filter(
    (item, at) =>
      !(
        item.kind === "word" &&
        /^(named|called)$/i.test(item.text) &&
        isCue(items[at - 1], "be") &&
        items[at - 2]?.kind === "column" &&
        items[at + 1]?.kind === "value"
      ),
  );

/** "Los Angeles (LAX)": what stands in brackets says the same more exactly. */
function dropExplained(items: Item[]): Item[] {
  const explained = (at: number) =>
    items[at]?.kind === "value" &&
    items[at + 1]?.text === "(" &&
    items[at + 2]?.kind === "value" &&
    items[at + 3]?.text === ")";
  return items.filter((_, at) => !explained(at) && !explained(at - 1) && !explained(at - 3));
}

/** "the highest-rated film" as "the film with the highest rating", where films have one. */
function rankRated(items: Item[]): Item[] {
  const made = [...items];
  for (let at = 0; at < made.length - 2; at += 1) {
    const dash = made[at + 1]?.text === "-" ? 1 : 0;
    const [best, rated, noun] = [made[at], made[at + 1 + dash], made[at + 2 + dash]];
    if (!isCue(best, "superlative", "top") || rated?.kind !== "column" || noun?.kind !== "table") continue;
    if (!/ed$/i.test(rated.text) || !rated.options.some((option) => option.table === noun.table)) continue;
    const own = { ...rated, options: rated.options.filter((option) => option.table === noun.table) };
    made.splice(at, 3 + dash, noun, asCue(best, { cue: "preposition", word: "with", text: "with" }), best, own);
  }
  return made;
}

const trailing = new Set([
  "table",
  "event",
  "situation",
  "toll",
  "record",
  "datum",
  "choice",
  "option",
  "entry",
  "profile",
  "member",
]);

/** "channels use the …", "departments offer any …": between a noun and a determiner stands the verb, whatever its tag. */
function reviseVerbs(items: Item[]): Item[] {
  return items.map((item, index) => {
    const next = items[index + 1];
    const between =
      isNoun(item) &&
      isLinked(items[index - 1]) &&
      next !== undefined &&
      /^(the|a|an|any|some|all|no|more|less|at least|at most|each|every|only|both|their|its|it|them|him|her|more than|less than|fewer than|to|there|here)$/i.test(
        next.text,
      );
    return isNoun(item) && (between || isOnlyVerb(items, index))
      ? { ...item, token: { ...item.token, pos: "VERB" } }
      : item;
  });
}

/** "which airlines offer flights": the one unknown word between two nouns of a question that has no verb yet. */
function isOnlyVerb(items: Item[], at: number): boolean {
  const item = items[at];
  const next = items[at + 1];
  const follows = ["table", "column"].includes(next?.kind ?? "") || isCue(next, "each");
  if (!isNoun(item) || items[at - 1]?.kind !== "table" || !follows) return false;
  if (!isCue(items[0], "wh", "how-many", "who") || /s$/.test(item.token.lower)) return false;
  return !items.some(
    (other) =>
      isCue(other, "be", "do", "have", "sold") || (other.kind === "word" && ["VERB", "AUX"].includes(other.token.pos)),
  );
}

/** "miles per gallon (mpg)": what stands in brackets says the same again. */
function dropRepeated(items: Item[]): Item[] {
  return items.filter((item, index) => {
    const [open, inside, close] =
      item.text === "("
        ? items.slice(index, index + 3)
        : item.text === ")"
          ? items.slice(index - 2, index + 1)
          : items.slice(index - 1, index + 2);
    const before = items[items.indexOf(open as Item) - 1];
    return !(
      open?.text === "(" &&
      close?.text === ")" &&
      inside?.kind === "column" &&
      before?.kind === "column" &&
      inside.options[0]?.column === before.options[0]?.column
    );
  });
}

const comparatives: Record<string, Operator> = {
  larger: ">",
  greater: ">",
  higher: ">",
  bigger: ">",
  longer: ">",
  more: ">",
  better: ">",
  smaller: "<",
  lower: "<",
  less: "<",
  fewer: "<",
  shorter: "<",
};

/** "a larger capacity than …" says of the capacity that it is larger than …. */
function turnComparatives(items: Item[]): Item[] {
  const made = [...items];
  for (let at = 0; at < made.length - 2; at += 1) {
    const [word, noun, than] = made.slice(at, at + 3) as [Item, Item, Item];
    const operator = comparatives[word.text.toLowerCase()];
    if (!operator || !["column", "concept", "table"].includes(noun.kind) || than.text.toLowerCase() !== "than")
      continue;
    if (!["word", "cue"].includes(word.kind) || isCue(word, "preposition")) continue;
    // "more tracks than the average" compares how many there are.
    const count = noun.kind === "table" ? [asCue(word, { cue: "how-many" })] : [];
    made.splice(
      at,
      3,
      ...count,
      noun,
      asCue({ ...than, text: `${word.text} than` } as Item, { cue: "compare", operator }),
    );
  }
  return made;
}
