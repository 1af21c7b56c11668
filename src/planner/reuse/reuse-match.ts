/**
 * A question beside one that was verified: the same, the same but for parameters (a year, a number, a stored value), or
 * only near. Words count in their order; what only makes a sentence polite says nothing. Pure.
 */
import type { ValueIndex } from "../../catalog/value-index.ts";
import type { VerifiedQuery } from "../../protocol/index.ts";
import { type Token, tokenize } from "../words/language.ts";
import { numberWords } from "../words/lexicon.ts";
import { findLiterals, type Literal } from "./reuse-literals.ts";

export interface Swap {
  /** As the questions say it. */
  from: string;
  to: string;
  /** As the SQL holds it; `to` is the stored spelling. */
  value: { from: string; to: string };
  kind: "value" | "number" | "year";
}

export type QuestionMatch =
  | { kind: "exact" }
  | { kind: "parameters"; swaps: Swap[] }
  /** Other words, read the same way. */
  | { kind: "reading"; swaps: Swap[]; differences: { verified: string; asked: string }[] }
  | {
      kind: "near";
      /** Share of words in common, 0..1. */
      share: number;
      differences: { verified: string; asked: string }[];
    };

/** What begins a request and says nothing about what is asked for. */
const opening =
  /^\s*(?:(?:please|kindly|can|could|would|you|i|we|want|need|like|to|see|know|show|list|give|find|return|display|get|tell|print|me|us)\b[\s,:]*)+/i;
const whatIs = /^\s*(?:what|which)\s+(?:is|are|was|were)\s+/i;
const empty = new Set(["the", "a", "an", "our", "please"]);

type Word = Pick<Token, "text" | "lower" | "keys" | "number" | "quoted" | "start" | "end">;

function toWords(question: string): Word[] {
  const start = (opening.exec(question) ?? whatIs.exec(question))?.[0].length ?? 0;
  const asks = whatIs.exec(question.slice(start))?.[0].length ?? 0;
  return tokenize(question).filter(
    (token) =>
      token.quoted || (token.start >= start + asks && /[\p{L}\p{N}]/u.test(token.text) && !empty.has(token.lower)),
  );
}

type Same = (a: Word, b: Word) => boolean;
/** To be the same question the words must be the same: one customer isn't all customers. */
const sameWord: Same = (a, b) => a.lower === b.lower;
const alike: Same = (a, b) =>
  sameWord(a, b) || (numberOf(a) === undefined && a.keys.some((key) => b.keys.includes(key)));

const numberOf = (word: Word): number | undefined => word.number ?? numberWords[word.lower];

type Verified = Pick<VerifiedQuery, "question" | "sql" | "engine" | "parameters">;

export function matchQuestion(asked: string, verified: Verified, values: ValueIndex): QuestionMatch {
  const [before, now] = [wordsOf(verified), toWords(asked)];
  const parts = compare(before, now, sameWord);
  if (parts.length === 0) return { kind: "exact" };
  const near = toNear(before, now, compare(before, now, alike), verified.question, asked);
  // Where most words differ no parameter is to be looked for in the SQL.
  const swaps = near.share < leastShare ? undefined : toSwaps(before, now, parts, asked, verified, values);
  return swaps ? { kind: "parameters", swaps } : near;
}

const leastShare = 0.3;

/** Verified questions are compared with again and again. */
const keptWords = new WeakMap<Verified, Word[]>();

function wordsOf(verified: Verified): Word[] {
  const known = keptWords.get(verified);
  if (known) return known;
  const words = toWords(verified.question);
  keptWords.set(verified, words);
  return words;
}

/** Words `[from, to)` of the verified question in whose place the asked one has others. */
interface Part {
  before: [from: number, to: number];
  now: [from: number, to: number];
}

/** Longest common subsequence; what lies between its words differs. */
function compare(before: Word[], now: Word[], same: Same): Part[] {
  const rows = before.length + 1;
  const lengths = Array.from({ length: rows }, () => new Array<number>(now.length + 1).fill(0));
  const at = (row: number, column: number) => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1)
    for (let column = now.length - 1; column >= 0; column -= 1)
      (lengths[row] as number[])[column] = same(before[row] as Word, now[column] as Word)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1));
  const parts: Part[] = [];
  let [row, column] = [0, 0];
  let open: Part | undefined;
  const close = () => {
    if (open) parts.push({ before: [open.before[0], row], now: [open.now[0], column] });
    open = undefined;
  };
  while (row < before.length || column < now.length) {
    const [one, other] = [before[row], now[column]];
    if (one && other && same(one, other) && at(row, column) === at(row + 1, column + 1) + 1) {
      close();
      row += 1;
      column += 1;
      continue;
    }
    open ??= { before: [row, row], now: [column, column] };
    if (column >= now.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) row += 1;
    else column += 1;
  }
  close();
  return parts;
}

const textOf = (question: string, words: Word[], [from, to]: [number, number]): string => {
  const [first, last] = [words[from], words[to - 1]];
  if (!first || !last || to <= from) return "";
  return to === from + 1 && first.quoted ? first.text : question.slice(first.start, last.end);
};

/** The part of the verified question that a literal of the SQL holds, as words. */
interface Slot {
  words: [from: number, to: number];
  literals: Literal[];
  kind: Swap["kind"];
  value: string;
  column?: { table: string; column: string } | undefined;
}

function toSwaps(
  before: Word[],
  now: Word[],
  parts: Part[],
  asked: string,
  verified: Verified,
  values: ValueIndex,
): Swap[] | undefined {
  const slots = slotsOf(before, verified);
  const swaps: Swap[] = [];
  for (const part of parts) {
    const slot = slots.find(({ words }) => words[0] <= part.before[0] && words[1] >= part.before[1]);
    if (!slot || part.before[0] === part.before[1] || part.now[0] === part.now[1]) return undefined;
    // "New York" beside "New Jersey": the words in common belong to the value.
    const words: [number, number] = [
      part.now[0] - (part.before[0] - slot.words[0]),
      part.now[1] + (slot.words[1] - part.before[1]),
    ];
    if (words[0] < 0 || words[1] > now.length) return undefined;
    const swap = toSwap(
      slot,
      textOf(verified.question, before, slot.words),
      textOf(asked, now, words),
      now,
      words,
      values,
    );
    if (!swap) return undefined;
    swaps.push(swap);
  }
  const twice = new Set(swaps.map(({ value }) => value.from)).size < swaps.length;
  return twice ? undefined : swaps;
}

function toSwap(
  slot: Slot,
  from: string,
  to: string,
  now: Word[],
  words: [number, number],
  values: ValueIndex,
): Swap | undefined {
  if (slot.kind !== "value") {
    const number = words[1] === words[0] + 1 ? numberOf(now[words[0]] as Word) : undefined;
    if (number === undefined) return undefined;
    const year = Number.isInteger(number) && number >= 1000 && number <= 9999;
    if (slot.kind === "year" && !year) return undefined;
    return { from, to, value: { from: slot.value, to: String(number) }, kind: slot.kind };
  }
  const stored = findStored(slot, to, values);
  return stored === undefined ? undefined : { from, to, value: { from: slot.value, to: stored }, kind: "value" };
}

/** The spelling under which the new value is stored where the old one is; two spellings decide nothing. */
function findStored(slot: Slot, text: string, values: ValueIndex): string | undefined {
  const key = ({ table, column }: { table: string; column: string }) => `${table}\0${column}`.toLowerCase();
  const places = slot.column ? new Set([key(slot.column)]) : new Set(values.lookup(slot.value).map(key));
  const found = new Set(
    values
      .lookup(text)
      .filter((match) => places.has(key(match)))
      .map(({ value }) => value),
  );
  const [only] = found;
  return found.size === 1 ? only : undefined;
}

const keptSlots = new WeakMap<Verified, Slot[]>();

function slotsOf(before: Word[], verified: Verified): Slot[] {
  const known = keptSlots.get(verified);
  if (known) return known;
  const slots = findSlots(before, verified);
  keptSlots.set(verified, slots);
  return slots;
}

/** Which words of the verified question stand in its SQL as literals; a number that stands there for more is none. */
function findSlots(before: Word[], verified: Verified): Slot[] {
  const literals = findLiterals(verified.sql, verified.engine);
  const slots: Slot[] = [];
  const add = (slot: Slot) => {
    if (!slots.some(({ words }) => words[0] < slot.words[1] && slot.words[0] < words[1])) slots.push(slot);
  };
  for (const { text, value, column } of verified.parameters ?? []) {
    const words = findPhrase(before, toWords(text));
    if (!words) continue;
    const kind = typeof value === "number" ? "number" : /^\d{4}$/.test(String(value)) ? "year" : "value";
    add({ words, literals, kind, value: String(value), column });
  }
  for (const literal of literals) {
    const words =
      literal.kind === "text" ? findPhrase(before, toWords(`"${literal.value}"`), literal.value) : undefined;
    if (words) add({ words, literals: [literal], kind: "value", value: literal.value });
  }
  before.forEach((word, index) => {
    const number = numberOf(word);
    if (number === undefined || word.quoted) return;
    const said = before.filter((other) => numberOf(other) === number).length;
    const text = String(number);
    const equal = literals.filter(({ value }) => value === text || (value !== "" && Number(value) === number));
    const dated = literals.filter(({ value }) => /^\d{4}-\d{2}/.test(value) && value.startsWith(text));
    const words: [number, number] = [index, index + 1];
    if (said !== 1) return;
    if (dated.length > 0 && equal.length === 0 && /^\d{4}$/.test(text))
      add({ words, literals: dated, kind: "year", value: text });
    else if (equal.length === 1)
      add({ words, literals: equal, kind: /^[12]\d{3}$/.test(text) ? "year" : "number", value: text });
  });
  return slots;
}

/** Where the words stand one after the other; `whole` is compared with quoted words. */
function findPhrase(words: Word[], phrase: Word[], whole?: string): [number, number] | undefined {
  const target = whole?.toLowerCase();
  const quoted = target === undefined ? -1 : words.findIndex((word) => word.quoted && word.lower === target);
  if (quoted >= 0) return [quoted, quoted + 1];
  const parts =
    target === undefined ? phrase.map(({ lower }) => lower) : toWords(whole ?? "").map(({ lower }) => lower);
  if (parts.length === 0) return undefined;
  for (let at = 0; at + parts.length <= words.length; at += 1)
    if (parts.every((part, index) => words[at + index]?.lower === part)) return [at, at + parts.length];
  return undefined;
}

function toNear(
  before: Word[],
  now: Word[],
  parts: Part[],
  verified: string,
  asked: string,
): Extract<QuestionMatch, { kind: "near" }> {
  const apart = parts.reduce((sum, part) => sum + (part.before[1] - part.before[0]) + (part.now[1] - part.now[0]), 0);
  const all = before.length + now.length;
  return {
    kind: "near",
    share: all === 0 ? 0 : (all - apart) / all,
    differences: parts.map((part) => ({
      verified: textOf(verified, before, part.before),
      asked: textOf(asked, now, part.now),
    })),
  };
}

/** `“Brazil” became “Germany”; without “in 2010”`. */
export function describeDifferences(match: QuestionMatch): string {
  if (match.kind === "exact") return "the same question";
  if (match.kind === "reading" && match.swaps.length === 0) return "the same in other words";
  const pairs =
    match.kind === "parameters"
      ? match.swaps.map(({ from, to }) => ({ verified: from, asked: to }))
      : match.differences;
  return pairs
    .map(({ verified, asked }) =>
      verified === ""
        ? `with “${asked}” beside it`
        : asked === ""
          ? `without “${verified}”`
          : `“${asked}” instead of “${verified}”`,
    )
    .join("; ");
}
