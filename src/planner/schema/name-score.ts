/** How well words of a question name a table or a column. */
import type { Token } from "../words/language.ts";
import { keyWords, synonymsOf } from "../words/lexicon.ts";
import { isOn } from "../words/parts.ts";
import { isDerived, isOrdinal, isSkeleton, isSlip, isTail } from "../words/word-forms.ts";

/** 1 for the same word, less for synonyms and shortened words, 0 otherwise. */
export function similarity(token: Token, word: string, wordStem: string): number {
  if (token.lower === word || token.keys.includes(wordStem)) return 1;
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

/** How well a span names something: every word of the span must match; words left over in the name cost. */
export function nameScore(
  said: Token[],
  words: string[],
  stems: string[],
  free: ReadonlySet<string>,
  tails = false,
): number {
  // "number of products" for a column number_products
  const span =
    said.length > 2 && said[0]?.lower === "number" && said[1]?.lower === "of"
      ? [said[0] as Token, ...said.slice(2)]
      : said;
  const joined = span.map((token) => token.lower).join("");
  const joinedLemma = span.map((token) => token.lemma.toLowerCase()).join("");
  const name = words.join("");
  if (joined === name || joinedLemma === name) return 1;
  // "miles per gallon" for a column called mpg.
  if (span.length >= 3 && words.length === 1 && span.map((token) => token.lower[0]).join("") === name) return 0.95;
  // "email address" for a column called email.
  if (
    tails &&
    span.length === 2 &&
    genericTails.has(span[1]?.lemma ?? "") &&
    span[0] &&
    words.length === 1 &&
    similarity(span[0], words[0] ?? "", stems[0] ?? "") >= 0.8
  )
    return 0.93;
  const used = new Set<number>();
  let sum = 0;
  for (const token of span) {
    let best = 0;
    let at = -1;
    words.forEach((word, index) => {
      if (used.has(index)) return;
      const score = similarity(token, word, stems[index] ?? word);
      if (score > best) {
        best = score;
        at = index;
      }
    });
    if (at < 0) return 0;
    used.add(at);
    sum += best;
  }
  let cost = 0;
  let total = 0;
  words.forEach((word, index) => {
    const weight =
      free.has(stems[index] ?? word) ||
      keyWords.ids.has(word) ||
      ["of", "the", "in", "to", "a", "by", "at", "for", "on", "from", "is"].includes(word)
        ? 0.12
        : 1;
    total += weight;
    if (!used.has(index)) cost += weight;
  });
  return (sum / span.length) * (1 - cost / Math.max(total, 1));
}

const genericTails = new Set(["address", "number", "code", "name", "value", "amount"]);
