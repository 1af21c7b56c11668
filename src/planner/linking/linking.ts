/**
 * Cuts the question into items: cues of the lexicon, dates, numbers, stored values, and words linked to tables and
 * columns. Every span is scored by similarity × coverage, and dynamic programming chooses the best set of spans.
 */
import type { ValueIndex, ValueMatch } from "../../catalog/value-index.ts";
import type { Scalar } from "../frame/frame.ts";
import { addKnown, expandWords } from "../knowledge/knowledge.ts";
import { markFlags } from "../schema/flags.ts";
import { toSaid } from "../schema/name-score.ts";
import type { ColumnInfo, Schema } from "../schema/schema.ts";
import { type DateSpan, findDates, type Period } from "../words/dates.ts";
import { stem, type Token, tokenize } from "../words/language.ts";
import { type ConceptName, type Cue, concepts, numberWords, units } from "../words/lexicon.ts";
import { isOn } from "../words/parts.ts";
import { phraseIndex } from "../words/phrases.ts";
import { markDayCounts } from "./day-counts.ts";
import { linkEchoes } from "./echoes.ts";
import { addColumns, addTables } from "./link-names.ts";
import { addValues } from "./link-values.ts";
import { markPatterns } from "./patterns.ts";
import { reviseItems } from "./revise-items.ts";
import { markRoleNouns } from "./role-nouns.ts";
import { markOwnNumbers, markRowNumbers } from "./row-numbers.ts";
import { markStretches } from "./stretches.ts";

export interface ColumnOption {
  table: string;
  column: string;
  score: number;
  /** The span also named the table ("customer country"). */
  owned: boolean;
}
export interface ValueOption {
  table: string;
  column: string;
  value: string;
  rows: number;
  score: number;
  how: ValueMatch["how"];
  /** A first name followed by a last name: the second column and its value. */
  and?: { column: string; value: string };
  /** The value is a LIKE pattern: a part of stored values. */
  pattern?: boolean;
}

interface Span {
  /** Token indices, end exclusive. */
  start: number;
  end: number;
  text: string;
  /** Id of the piece of knowledge that gives it its meaning. */
  known?: string;
}
export type Item = Span &
  (
    | ({ kind: "cue" } & Cue)
    | { kind: "table"; table: string; score: number }
    | { kind: "column"; options: ColumnOption[] }
    /** `defined`: the sum that people say it is. */
    | { kind: "concept"; concept: ConceptName; verbal: boolean; defined?: Scalar }
    | { kind: "value"; options: ValueOption[]; quoted?: boolean }
    | { kind: "period"; period: Period }
    | { kind: "number"; value: number; money: boolean }
    | { kind: "unit"; unit: string }
    | { kind: "word"; token: Token }
  );
export type ItemOf<K extends Item["kind"]> = Extract<Item, { kind: K }>;

interface Candidate {
  weight: number;
  item: Item;
}

const maxSpan = 7;
const softCues = new Set([
  "filler",
  "aggregate",
  "set",
  "null",
  "bucket",
  "share",
  "same",
  "order",
  "also",
  "sold",
  "first-of",
  "superlative",
]);
const conceptIndex = new Map<string, ConceptName>();
for (const [name, concept] of Object.entries(concepts) as [ConceptName, { words: string[] }][]) {
  for (const word of concept.words) if (!conceptIndex.has(word)) conceptIndex.set(word, name);
}

export interface Linked {
  /** The day of asking, as YYYY-MM-DD. */
  today?: string;
  tokens: Token[];
  items: Item[];
  /** Nouns that were taken as a mere part of the name before them. */
  tails: string[];
}

export function linkQuestion(asked: string, schema: Schema, values: ValueIndex, today?: string): Linked {
  const question = shareHeads(nameParts(expandWords(asked, schema)), schema);
  const tokens = tokenize(question);
  const dates = isOn("dates") ? findDates(tokens, question, today) : [];
  const candidates: Candidate[][] = tokens.map(() => []);
  const blocked = new Set(dates.flatMap((span) => range(span.start + 1, span.end)));
  const textOf = (start: number, end: number) => question.slice(tokens[start]?.start ?? 0, tokens[end - 1]?.end ?? 0);
  const add = (start: number, end: number, weight: number, item: Record<string, unknown> & { kind: Item["kind"] }) =>
    candidates[start]?.push({
      weight,
      item: {
        ...item,
        start,
        end,
        text: tokens[start]?.quoted && end === start + 1 ? tokens[start].text : textOf(start, end),
      } as unknown as Item,
    });

  for (const date of dates) addDate(date, add);
  for (let start = 0; start < tokens.length; start += 1) {
    const token = tokens[start] as Token;
    add(start, start + 1, 0.02, { kind: "word", token });
    if (token.number !== undefined)
      add(start, start + 1, 1, { kind: "number", value: token.number, money: token.sign === "money" });
    else if (numberWords[token.lower] !== undefined && !token.quoted && !isPronoun(tokens, start))
      add(start, start + 1, 0.97, { kind: "number", value: numberWords[token.lower], money: false });
    for (let end = start + 1; end <= Math.min(tokens.length, start + maxSpan); end += 1) {
      const span = tokens.slice(start, end);
      if (span.some((part) => part.quoted) && span.length > 1) break;
      const size = end - start;
      const words = span
        .map((part) => part.lower)
        .join(" ")
        .replaceAll(" '", "'")
        .replaceAll(" - ", "-");
      const blockedHere = span.some((part) => blocked.has(part.index));
      if (!token.quoted) {
        const cue =
          phraseIndex.get(words) ??
          (size === 1 && token.lower === "'s"
            ? /^(what|who|it|that|there|where|which)$/.test(tokens[start - 1]?.lower ?? "")
              ? ({ cue: "be" } as Cue)
              : ({ cue: "preposition", word: "'s" } as Cue)
            : undefined);
        // "both a painting and a print": behind an article no order is given.
        const isThing = cue?.cue === "command" && /^(an?|each|every|no)$/.test(tokens[start - 1]?.lower ?? "");
        if (cue && !blockedHere && isRead(cue) && !isThing)
          add(
            start,
            end,
            (isDetail(cue, words, schema) ||
            isKeyNoun(cue, words, schema) ||
            isOrderNoun(cue, words, tokens[end], schema)
              ? 0.6
              : 1) *
              size *
              (softCues.has(cue.cue) && !(cue.cue === "order" && (cue.direction || size > 1)) ? 0.95 : 1.3) +
              (size - 1) * 0.3,
            {
              kind: "cue",
              ...(cue.cue === "preposition" || cue.cue === "relative" ? { ...cue, word: token.lower } : cue),
            },
          );
        const conceptText = size === 1 ? undefined : words;
        const concept =
          conceptIndex.get(conceptText ?? token.lower) ??
          (size === 1 && token.pos !== "ADJ" && token.pos !== "ADV" ? conceptIndex.get(token.lemma) : undefined);
        // "more than 10 days", "the most days": a number of them, which a column may be called by.
        const many = tokens[start - 1]?.number !== undefined || /^(most|fewest)$/.test(tokens[start - 1]?.lower ?? "");
        const counted = concept === "date" && many ? 0.5 : 1;
        if (concept)
          add(start, end, size * counted + (size - 1) * 0.2, {
            kind: "concept",
            concept,
            verbal: token.pos === "VERB",
          });
        const unit =
          size === 1 && token.pos !== "ADJ" ? [token.lower, token.lemma].find((word) => units[word]) : undefined;
        const amount = units[unit ?? ""]?.kind ?? "";
        const known = ["time", "size", "money"].includes(amount) || tokens[start - 1]?.number !== undefined;
        if (unit && token.lower !== "second" && known) add(start, end, 1, { kind: "unit", unit });
        if (!blockedHere) {
          const said = toSaid(span);
          addTables(schema, said, start, end, add, tokens[start - 1]);
          const before = tokens[tokens[start - 1]?.text === "-" ? start - 2 : start - 1]?.lower ?? "";
          const ranks = /^(highest|lowest|largest|smallest|best|worst|top|most|least|fewest|greatest|highly)$/.test(
            before,
          );
          addColumns(schema, said, start, end, add, ranks, tokens[end]);
          addKnown(schema, span, { start, isCue: cue !== undefined }, add);
        }
      }
      if (!blockedHere || token.quoted)
        addValues(values, schema, span, textOf(start, end), start, end, add, tokens[start - 1]);
    }
  }
  const items = markRowNumbers(markOwnNumbers(mergePersons(choose(tokens, candidates), schema), schema), schema);
  const revised = reviseItems(
    reviseAggregates(
      linkEchoes(markPatterns(markStretches(markRoleNouns(items, tokens, schema), schema, values), schema, values)),
    ),
  );
  return {
    tokens,
    ...(today ? { today } : {}),
    ...revised,
    items: markDayCounts(isOn("flags") ? markFlags(revised.items, schema) : revised.items, schema),
  };
}

/** "the latest order", where orders are kept: the noun, not how rows are sorted. */
const isOrderNoun = ({ cue }: Cue, words: string, next: Token | undefined, schema: Schema): boolean =>
  cue === "order" &&
  /^orders?$/.test(words) &&
  next?.lower !== "by" &&
  schema.tables.some((table) => table.stems.includes("order"));

/** "the numbers of the orders", where rows are numbered: what they are called, not how many there are. */
const isKeyNoun = ({ cue }: Cue, words: string, schema: Schema): boolean =>
  cue === "how-many" &&
  words === "numbers of" &&
  schema.tables.some(({ columns }) => columns.some((column) => column.isKey && column.words.at(-1) === "number"));

/** "details" says nothing, except where columns are called that. */
const isDetail = ({ cue }: Cue, words: string, schema: Schema): boolean =>
  cue === "filler" &&
  /^(details?|info|information|value|entry|record|result|answer|question)s?$/.test(words) &&
  schema.tables.some((table) => table.columns.some((column) => column.stems.includes(stem(words))));

const isRead = ({ cue }: Cue): boolean => {
  if (cue === "superlative" || cue === "popular" || cue === "top") return isOn("superlatives");
  if (cue === "not" || cue === "no") return isOn("negation");
  return !["compare", "between", "average-compare"].includes(cue) || isOn("averages and comparisons");
};

/** Names of people have two parts, however they are called. */
const nameParts = (question: string): string =>
  question
    .replaceAll(/\b(given name|forename|christian name)(s?)\b/gi, "first name$2")
    .replaceAll(/\b(surname|family name)(s?)\b/gi, "last name$2");

/** "first and last name": both words share the noun, so it is written out for both. */
function shareHeads(question: string, schema: Schema): string {
  const isColumn = (text: string) => {
    const joined = text.toLowerCase().replace(/\s+/g, "");
    const single = joined.replace(/s$/, "");
    const [first = "", ...rest] = text.toLowerCase().split(/\s+/);
    const place = ["first", "second", "third", "fourth", "fifth"].indexOf(first) + 1;
    const numbered = place > 0 ? `${rest.join("").replace(/s$/, "")}${place}` : "";
    return schema.tables.some((table) =>
      table.columns.some((column) => [joined, single, numbered].includes(column.words.join(""))),
    );
  };
  return question.replace(
    /\b([A-Za-z]+)(?:, ([A-Za-z]+),?)? and ([A-Za-z]+) ([A-Za-z]+)\b/g,
    (whole, first: string, second: string | undefined, third: string, head: string) => {
      const parts = [first, ...(second ? [second] : []), third];
      if (isColumn(first) || !parts.every((part) => isColumn(`${part} ${head}`))) return whole;
      return `${parts
        .slice(0, -1)
        .map((part) => `${part} ${head}`)
        .join(", ")} and ${third} ${head}`;
    },
  );
}

const range = (from: number, to: number) => Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
export type Add = (
  start: number,
  end: number,
  weight: number,
  item: Record<string, unknown> & { kind: Item["kind"] },
) => unknown;

function addDate(date: DateSpan, add: Add): void {
  add(date.start, date.end, (date.end - date.start) * 1.6, { kind: "period", period: date.period });
}

/** "each one", "the one with …", "the one that …": stands for what was spoken of. */
function isPronoun(tokens: Token[], at: number): boolean {
  if (tokens[at]?.lower !== "one") return false;
  const [before, next] = [tokens[at - 1]?.lower ?? "", tokens[at + 1]?.lower ?? ""];
  return (
    /^(each|every|which|another|this|that|latter|former)$/.test(before) ||
    (before === "the" && /^(with|that|who|which|whose|of|in|from|having|)$/.test(next))
  );
}

/** Best set of spans that do not overlap, by dynamic programming from the end. */
function choose(tokens: Token[], candidates: Candidate[][]): Item[] {
  const best: { weight: number; pick?: Candidate }[] = Array.from({ length: tokens.length + 1 }, () => ({ weight: 0 }));
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    let found: { weight: number; pick?: Candidate } = { weight: -1 };
    for (const candidate of candidates[at] ?? []) {
      const weight = candidate.weight + (best[candidate.item.end]?.weight ?? 0);
      if (weight > found.weight + 1e-9) found = { weight, pick: candidate };
    }
    best[at] = found;
  }
  const items: Item[] = [];
  let at = 0;
  while (at < tokens.length) {
    const pick = best[at]?.pick;
    if (!pick) break;
    items.push(pick.item);
    at = pick.item.end;
  }
  return items;
}

/** "Nancy Edwards": a value of the first-name column and one of the last-name column of one table are one person. */
function mergePersons(items: Item[], schema: Schema): Item[] {
  const merged: Item[] = [];
  for (const item of items) {
    const previous = merged.at(-1);
    if (item.kind === "value" && previous?.kind === "value" && previous.end === item.start) {
      const options: ValueOption[] = [];
      for (const table of schema.tables.filter((info) => info.display.length > 1)) {
        const [firstColumn, lastColumn] = table.display as [ColumnInfo, ColumnInfo];
        const first = previous.options.find(
          (option) => option.table === table.name && option.column === firstColumn.column,
        );
        const last = item.options.find((option) => option.table === table.name && option.column === lastColumn.column);
        if (first && last)
          options.push({ ...first, score: 1.1, and: { column: lastColumn.column, value: last.value } });
      }
      if (options.length > 0) {
        merged.pop();
        merged.push({
          kind: "value",
          options,
          start: previous.start,
          end: item.end,
          text: `${previous.text} ${item.text}`,
        });
        continue;
      }
    }
    merged.push(item);
  }
  return merged;
}

const chained = (items: Item[], at: number): boolean =>
  items.slice(at, at + 4).some((item) => item.kind === "cue" && item.cue === "aggregate");

/** "total" before a noun adds up, although a column may have that name; "the invoice total" names the column. */
function reviseAggregates(items: Item[]): Item[] {
  return items.map((item, index) => {
    const cue = phraseIndex.get(item.text.toLowerCase());
    if (item.kind !== "column" || (cue?.cue !== "aggregate" && cue?.cue !== "superlative")) return item;
    let next = index + 1;
    while (items[next]?.kind === "cue" && (items[next] as { cue: string }).cue === "filler") next += 1;
    let following = items[next];
    // "average, minimum and maximum age"
    while (
      following?.kind === "cue" &&
      ["comma", "and", "filler"].includes(following.cue) &&
      cue.cue === "aggregate" &&
      chained(items, next)
    )
      following = items[++next];
    if (following?.kind === "cue" && following.cue === "aggregate")
      return { kind: "cue", ...cue, start: item.start, end: item.end, text: item.text } as Item;
    const noun =
      following &&
      (following.kind === "table" ||
        following.kind === "column" ||
        following.kind === "concept" ||
        (following.kind === "cue" && ["how-many", "sold", "bucket"].includes(following.cue)));
    return noun ? ({ kind: "cue", ...cue, start: item.start, end: item.end, text: item.text } as Item) : item;
  });
}
