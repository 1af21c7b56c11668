/** How well words of a question name a table or a column. */
import { stem, type Token } from "../words/language.ts";
import { keyWords, synonymsOf } from "../words/lexicon.ts";
import { isOn } from "../words/parts.ts";
import { isUnitMark, readingsOf } from "../words/short-words.ts";
import { isBareSkeleton, isDerived, isOrdinal, isSkeleton, isSlip, isTail } from "../words/word-forms.ts";

/** What a token was worth beside a word, for as long as the token lives: the names of a schema repeat their words. */
const knownLikeness = new WeakMap<Token, Map<string, number>>();

/** 1 for the same word, less for synonyms and shortened words, 0 otherwise. `wordStem` is the stem of `word`. */
export function similarity(token: Token, word: string, wordStem: string): number {
  let known = knownLikeness.get(token);
  if (!known) {
    known = new Map();
    knownLikeness.set(token, known);
  }
  let likeness = known.get(word);
  if (likeness === undefined) {
    likeness = compareWords(token, word, wordStem);
    known.set(word, likeness);
  }
  return likeness;
}

function compareWords(token: Token, word: string, wordStem: string): number {
  if (token.lower === word || token.keys.includes(wordStem)) return 1;
  if (isOn("short names") && readingsOf(word).some((read) => token.lemma === read || token.keys.includes(stem(read))))
    return 0.9;
  if (isOn("short names") && [token.lower, token.lemma].some((key) => isBareSkeleton(key, word))) return 0.92;
  for (const key of [token.lower, token.lemma]) {
    if (isOn("synonyms") && synonymsOf(key).has(word)) return 0.82;
    if (!isOn("forms of a word")) continue;
    if (word.length >= 3 && key.length > word.length && key.startsWith(word) && word.length >= key.length * 0.3)
      return 0.7;
    if (key.length >= 4 && word.length > key.length && word.startsWith(key) && key.length >= word.length * 0.6)
      return 0.6;
    if (isOrdinal(key, word)) return 1;
    if (isSlip(key, word)) return 0.9;
    if (isDerived(key, word)) return 0.8;
    if (isTail(key, word)) return 0.72;
    if (isSkeleton(key, word)) return 0.85;
  }
  return 0;
}

/** The words of a table's or column's name, one list and its stems, and all of them as one word. */
export interface SpokenName {
  words: string[];
  stems: string[];
  joined: string;
}

export const toSpokenName = (words: string[], stems: string[]): SpokenName => ({
  words,
  stems,
  joined: words.join(""),
});

/** A span of a question, read once and then held beside every name of a schema. */
export interface Said {
  span: Token[];
  /** Without the "of" in "number of products", for a column number_products. */
  tokens: Token[];
  joined: string;
  joinedLemma: string;
  initials: string;
  /** With that "of". */
  whole: string;
  /** Said in capitals alone: words cut short. */
  capitals: boolean;
  /** The two nouns of "years of experience", turned as names have them. */
  turned?: [Token, Token];
}

export function toSaid(span: Token[]): Said {
  const tokens =
    span.length > 2 && span[0]?.lower === "number" && span[1]?.lower === "of"
      ? [span[0] as Token, ...span.slice(2)]
      : span;
  const [head, of, noun] = span;
  const turned = span.length === 3 && head && noun && of?.lower === "of" && !labels.test(head.lower);
  return {
    span,
    tokens,
    ...(turned ? { turned: [head, noun] as [Token, Token] } : {}),
    joined: tokens.map((token) => token.lower).join(""),
    joinedLemma: tokens.map((token) => token.lemma.toLowerCase()).join(""),
    initials: tokens.map((token) => token.lower[0]).join(""),
    whole: span.map((token) => token.lower).join(""),
    capitals:
      tokens.every((token) => /^\p{Lu}{2,6}$/u.test(token.text)) && tokens.map(({ text }) => text).join("").length > 2,
  };
}

/** How well a span names something: every word of the span must match; words left over in the name cost. */
export function nameScore(said: Said, name: SpokenName, free: ReadonlySet<string>, tails = false): number {
  const { tokens } = said;
  const { words, stems } = name;
  if (said.joined === name.joined || said.joinedLemma === name.joined || said.whole === name.joined) return 1;
  // "HDTV" for high_definition_tv, "CYL" for cylinders: capitals stand for words cut short.
  if (said.capitals && isCutFrom(said.joined, words)) return 0.95;
  // "miles per gallon" for a column called mpg.
  if (tokens.length >= 3 && words.length === 1 && said.initials === name.joined) return 0.95;
  if (said.turned && !words.includes("of") && isTurned(said.turned, name, free)) return 0.95;
  // "email address" for a column called email.
  if (
    tails &&
    tokens.length === 2 &&
    genericTails.has(tokens[1]?.lemma ?? "") &&
    tokens[0] &&
    words.length === 1 &&
    similarity(tokens[0], words[0] ?? "", stems[0] ?? "") >= 0.8
  )
    return 0.93;
  const used = new Set<number>();
  let sum = 0;
  for (const token of tokens) {
    let best = 0;
    let at = -1;
    for (const [index, word] of words.entries()) {
      if (used.has(index)) continue;
      const score = similarity(token, word, stems[index] ?? word);
      if (score > best) {
        best = score;
        at = index;
      }
    }
    if (at < 0) return 0;
    used.add(at);
    sum += best;
  }
  let cost = 0;
  let total = 0;
  const last = words.length - 1;
  for (const [index, word] of words.entries()) {
    const counts = index === 0 && words[1] === "of" && /^(number|count|total)$/.test(word);
    const mark = keyWords.ids.has(word) || smallWords.has(word) || (index > 0 && index === last && isUnitMark(word));
    const weight = counts || mark || free.has(stems[index] ?? word) ? 0.12 : 1;
    total += weight;
    if (!used.has(index)) cost += weight;
  }
  return (sum / tokens.length) * (1 - cost / Math.max(total, 1));
}

/** What says which row it is, and then what rows: "the ids of courses". */
const labels = /^(id|key|code|number|name|title)s?$/;

/** "years of experience" for yrs_exp, "date of birth" for birth_date: both nouns, nothing else, and no name of the table. */
function isTurned(nouns: [Token, Token], { words, stems }: SpokenName, free: ReadonlySet<string>): boolean {
  if (words.length !== 2 || stems.some((word) => free.has(word))) return false;
  const likes = (noun: Token, at: number) => similarity(noun, words[at] ?? "", stems[at] ?? "") >= 0.8;
  const [head, noun] = nouns;
  return (likes(head, 1) && likes(noun, 0)) || (likes(head, 0) && likes(noun, 1));
}

const smallWords = new Set(["of", "the", "in", "to", "a", "by", "at", "for", "on", "from", "is"]);

/** Starts of all words in turn, one letter of each at least; of a single word half a syllable says too little. */
function isCutFrom(short: string, words: string[]): boolean {
  const [word, ...rest] = words;
  if (word === undefined) return short === "";
  if (words.length === 1) return short.length >= 3 ? word.startsWith(short) : short !== "" && word.startsWith(short);
  for (let length = 1; length <= Math.min(word.length, short.length); length += 1)
    if (word.startsWith(short.slice(0, length)) && isCutFrom(short.slice(length), rest)) return true;
  return false;
}

const genericTails = new Set(["address", "number", "code", "name", "value", "amount"]);
