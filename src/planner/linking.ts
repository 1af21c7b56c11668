/**
 * Cuts the question into items: cues of the lexicon, dates, numbers, stored values, and words linked to tables and
 * columns. Every span is scored by similarity × coverage, and dynamic programming chooses the best set of spans.
 */
import type { ValueIndex, ValueMatch } from "../catalog/value-index.ts";
import { type DateSpan, findDates, type Period } from "./dates.ts";
import { linkEchoes } from "./echoes.ts";
import { stem, type Token, tokenize } from "./language.ts";
import { type ConceptName, type Cue, concepts, numberWords, units } from "./lexicon.ts";
import { nameScore, similarity } from "./name-score.ts";
import { markPatterns } from "./patterns.ts";
import { phrases } from "./phrases.ts";
import { reviseItems } from "./revise-items.ts";
import type { ColumnInfo, Schema } from "./schema.ts";
import { placesOf, rootsOf } from "./word-forms.ts";

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
}
export type Item = Span &
  (
    | ({ kind: "cue" } & Cue)
    | { kind: "table"; table: string; score: number }
    | { kind: "column"; options: ColumnOption[] }
    | { kind: "concept"; concept: ConceptName; verbal: boolean }
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
const phraseIndex = new Map<string, Cue>();
for (const [phrase, cue] of phrases) if (!phraseIndex.has(phrase)) phraseIndex.set(phrase, cue);
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
  tokens: Token[];
  items: Item[];
  /** Nouns that were taken as a mere part of the name before them. */
  tails: string[];
}

export function linkQuestion(asked: string, schema: Schema, values: ValueIndex, today?: string): Linked {
  const question = shareHeads(asked, schema);
  const tokens = tokenize(question);
  const dates = findDates(tokens, question, today);
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
    else if (numberWords[token.lower] !== undefined && !token.quoted)
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
        if (cue && !blockedHere)
          add(
            start,
            end,
            size * (softCues.has(cue.cue) && !(cue.cue === "order" && cue.direction) ? 0.95 : 1.3) + (size - 1) * 0.3,
            {
              kind: "cue",
              ...(cue.cue === "preposition" || cue.cue === "relative" ? { ...cue, word: token.lower } : cue),
            },
          );
        const conceptText = size === 1 ? undefined : words;
        const concept =
          conceptIndex.get(conceptText ?? token.lower) ??
          (size === 1 && token.pos !== "ADJ" && token.pos !== "ADV" ? conceptIndex.get(token.lemma) : undefined);
        if (concept)
          add(start, end, size * 1 + (size - 1) * 0.2, { kind: "concept", concept, verbal: token.pos === "VERB" });
        const unit =
          size === 1 && token.pos !== "ADJ" ? [token.lower, token.lemma].find((word) => units[word]) : undefined;
        if (unit && token.lower !== "second") add(start, end, 1, { kind: "unit", unit });
        if (!blockedHere) {
          addTables(schema, span, start, end, add);
          addColumns(schema, span, start, end, add);
        }
      }
      if (!blockedHere || token.quoted)
        addValues(values, schema, span, textOf(start, end), start, end, add, tokens[start - 1]);
    }
  }
  const items = mergePersons(choose(tokens, candidates), schema);
  return { tokens, ...reviseItems(reviseAggregates(linkEchoes(markPatterns(items, schema, values)))) };
}

/** "first and last name": both words share the noun, so it is written out for both. */
function shareHeads(question: string, schema: Schema): string {
  const isColumn = (text: string) => {
    const joined = text.toLowerCase().replace(/\s+/g, "");
    const single = joined.replace(/s$/, "");
    return schema.tables.some((table) =>
      table.columns.some((column) => column.words.join("") === joined || column.words.join("") === single),
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
type Add = (
  start: number,
  end: number,
  weight: number,
  item: Record<string, unknown> & { kind: Item["kind"] },
) => unknown;

function addDate(date: DateSpan, add: Add): void {
  add(date.start, date.end, (date.end - date.start) * 1.6, { kind: "period", period: date.period });
}

/** Words of table names that say nothing: cars_data, model_list. */
const emptyTableWords: ReadonlySet<string> = new Set(
  ["data", "list", "info", "information", "detail", "details", "table", "record", "records"].map(stem),
);
const none: ReadonlySet<string> = new Set();

function addTables(schema: Schema, span: Token[], start: number, end: number, add: Add): void {
  if (span.some((token) => !/[\p{L}\p{N}]/u.test(token.text))) return;
  for (const table of schema.tables) {
    let score = nameScore(span, table.words, table.stems, emptyTableWords);
    if (score < 0.5) continue;
    if (span.length === 1 && (span[0] as Token).pos === "VERB" && score < 1) continue;
    if (table.bridge) score *= 0.8;
    add(start, end, span.length * (0.25 + 0.9 * score) + (span.length - 1) * 0.2, {
      kind: "table",
      table: table.name,
      score,
    });
  }
}

function addColumns(schema: Schema, span: Token[], start: number, end: number, add: Add): void {
  if (span.some((token) => !/[\p{L}\p{N}]/u.test(token.text))) return;
  const options: ColumnOption[] = [];
  for (const table of schema.tables) {
    for (const column of table.columns) {
      const own = new Set(table.stems);
      const bare = nameScore(span, column.words, column.stems, own, true);
      const owned = nameScore(span, [...table.words, ...column.words], [...table.stems, ...column.stems], none);
      const withOwner =
        span.length > table.words.length &&
        span
          .slice(0, table.words.length)
          .every((token, index) => similarity(token, table.words[index] ?? "", table.stems[index] ?? "") > 0.5)
          ? nameScore(span.slice(table.words.length), column.words, column.stems, own)
          : 0;
      const score = Math.max(bare, span.length > 1 ? owned * 0.9 : 0, withOwner);
      if (score < 0.42) continue;
      // "employees hired": what was done to them, not a column.
      const last = span.at(-1) as Token;
      if (/^(named|called)$/.test(last.lower)) continue;
      if ((/ed$/.test(last.lower) || last.pos === "VERB") && span.length > 1 && Math.max(bare, withOwner) < 0.9)
        continue;
      if (/ed$/.test(last.lower) && Math.max(bare, withOwner) < 0.95) continue;
      if (
        span.length === 1 &&
        score < 0.95 &&
        ((span[0] as Token).pos === "VERB" || /ed$/.test((span[0] as Token).lower))
      )
        continue;
      if (span.length === 1 && table.stems.includes((span[0] as Token).keys[0] ?? "") && column.isKey) continue;
      options.push({ table: table.name, column: column.column, score, owned: withOwner >= bare && withOwner > 0 });
    }
  }
  if (options.length === 0) return;
  options.sort((a, b) => b.score - a.score);
  const best = options[0]?.score ?? 0;
  const kept = options.filter((option) => option.score >= best - 0.55);
  const verb = span.length === 1 && (span[0] as Token).pos === "VERB" ? (best >= 1 ? 0.08 : 0.2) : 0;
  add(start, end, span.length * (0.22 + 0.88 * best - verb) + (span.length - 1) * 0.22, {
    kind: "column",
    options: kept,
  });
}

function addValues(
  values: ValueIndex,
  schema: Schema,
  span: Token[],
  text: string,
  start: number,
  end: number,
  add: Add,
  before: Token | undefined,
): void {
  const first = span[0] as Token;
  const size = span.length;
  if (first.quoted) {
    const found = toOptions(values.search(first.text, { limit: 12 }), schema);
    add(start, end, 3, { kind: "value", options: found, quoted: true });
    return;
  }
  // A number with a leading zero, or a long one, may be a text that is stored: a telephone number, a code.
  const code = first.number !== undefined && /^(0\d{2,}|\d{6,})$/.test(first.text);
  if (size === 1 && ((first.number !== undefined && !code) || (first.text.length < 2 && !isLetterName(first, before))))
    return;
  if (!/[\p{L}\p{N}]/u.test(first.text) || !/[\p{L}\p{N}.!)]/u.test(span.at(-1)?.text ?? "")) return;
  const last = span.at(-1) as Token;
  if (size > 1 && last.lower === ".") return;
  const plural = /s$/i.test(text) ? values.lookup(text.slice(0, -1)) : [];
  const exact = values.lookup(text);
  let matches = exact.length > 0 ? exact : plural;
  // A small inflected word ("stars") among thousands of titles is hardly one of them.
  if (size === 1 && first.text === first.lower && first.lemma !== first.lower)
    matches = matches.filter((match) => values.coverage(match.table, match.column).distinct <= 300);
  let options = toOptions(matches, schema);
  let loose = 0;
  if (options.length === 0) {
    // "French" for the stored "France", "engineering" for "engineer".
    const derived = [...placesOf(text), ...(size === 1 && first.pos !== "VERB" ? rootsOf(text) : [])];
    options = toOptions(
      derived.flatMap((other) =>
        values.lookup(other).filter((match) => values.coverage(match.table, match.column).distinct <= 500),
      ),
      schema,
    );
    loose = 0.1;
  }
  if (
    options.length === 0 &&
    size === 2 &&
    last.pos === "NOUN" &&
    /^[\p{L}]+$/u.test(first.text) &&
    (first.pos === "NOUN" || first.pos === "ADJ") &&
    last.lower.length > 3
  ) {
    // "sales agent" for the stored "Sales Support Agent": all words stand in one value of a short list.
    const singular = last.lemma.toLowerCase();
    const inside = values.search(singular, { limit: 20 }).filter((match) => {
      const parts = match.value.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return (
        values.coverage(match.table, match.column).distinct <= 30 &&
        parts.length > 2 &&
        parts.includes(singular) &&
        (parts.includes(first.lower) || parts.includes(first.lemma))
      );
    });
    options = inside.length === 1 ? toOptions(inside, schema) : [];
    loose = 0.25;
  }
  if (options.length === 0) return;
  const capital =
    span.some((token) => /\p{Lu}/u.test(token.text) && token.index > 0) || (size > 1 && /\p{Lu}/u.test(first.text));
  const caseExact = matches.some((match) => match.value === text);
  const cueText = phraseIndex.has(span.map((token) => token.lower).join(" "));
  let weight = capital && caseExact ? 1.22 : capital ? 1.1 : caseExact ? 0.85 : 0.8;
  weight -= loose;
  if (exact.length === 0 && loose === 0) weight -= 0.15;
  // Small words written small ("the client") are words of the question, whatever some title is called.
  const small = !capital && span.some((token) => phraseIndex.get(token.lower)?.cue === "filler");
  if (small) weight -= 0.5;
  else if (size > 1 && !capital) weight += 0.2;
  if (cueText && !capital) weight -= 0.5;
  if (size === 1 && first.pos === "VERB" && !capital) weight -= 0.35;
  add(start, end, size * weight + (size - 1) * 0.35, { kind: "value", options });
}

function toOptions(all: ValueMatch[], schema: Schema): ValueOption[] {
  const matches = all.filter((match) => schema.tables.some((table) => table.name === match.table));
  const best = matches[0]?.score ?? 0;
  return matches
    .filter(
      (match) => match.score >= best - 0.15 || match.how === "exact" || match.how === "case" || match.how === "accent",
    )
    .map((match) => ({
      table: match.table,
      column: match.column,
      value: match.value,
      rows: match.rows,
      how: match.how,
      score: match.score - (isShown(schema, match) ? 0 : 0.08),
    }))
    .sort((a, b) => b.score - a.score || a.table.localeCompare(b.table) || a.column.localeCompare(b.column));
}

/** "section h", "named B": one letter that stands where a name stands. */
const isLetterName = (token: Token, before: Token | undefined): boolean =>
  /^\p{L}$/u.test(token.text) &&
  before !== undefined &&
  !/^(a|i|s|t)$/.test(token.text) &&
  (["NOUN", "PROPN"].includes(before.pos) || /^(named|called|is|grade|letter)$/.test(before.lower));

const isShown = (schema: Schema, match: { table: string; column: string }) =>
  schema.table(match.table).display.some((column: ColumnInfo) => column.column === match.column);

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
