/** A question's words, quotes and numbers. English; a question in another language yields next to nothing, and so no alarm. Pure. */
import { stemmer } from "stemmer";
import { foldAccents, toTokens } from "../../catalog/fold-text.ts";

export interface AskedNumber {
  text: string;
  value: number;
  /** Written as a word. */
  spelled: boolean;
}
export interface QuestionView {
  text: string;
  /** Folded, without what stands in quotes. */
  plain: string;
  words: string[];
  stems: Set<string>;
  quoted: string[];
  numbers: AskedNumber[];
}

const units = new Map(
  Object.entries({
    three: 3,
    four: 4,
    five: 5,
    six: 6,
    seven: 7,
    eight: 8,
    nine: 9,
    ten: 10,
    eleven: 11,
    twelve: 12,
  }).concat(Object.entries({ twenty: 20, thirty: 30, fifty: 50, hundred: 100, twice: 2, thrice: 3 })),
);

export const stemOf = (word: string): string => stemmer(word);

/** The words of a name: `release_year`, `releaseYear` and `ReleaseYear` are two. */
export function nameWords(name: string): string[] {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return toTokens(foldAccents(apart.replaceAll("_", " ")));
}

export function readQuestion(text: string): QuestionView {
  const quoted: string[] = [];
  const rest = text
    .replace(/[“”„]/g, '"')
    .replace(/[‘’`]/g, "'")
    .replace(/"([^"]{1,120})"/g, (_, inner: string) => {
      quoted.push(inner.trim());
      return " ";
    })
    .replace(/(^|[\s(,])'((?:[^']|'(?=\w)){1,120})'(?=$|[\s).,;?!])/g, (_, before: string, inner: string) => {
      quoted.push(inner.trim());
      return `${before} `;
    });
  const plain = foldAccents(rest);
  const words = toTokens(plain);
  const numbers: AskedNumber[] = [];
  for (const match of plain.matchAll(/(?<![\w.,/:-])[$€£]?(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)?(?![\w/:-]|\.\d)(%?)/g))
    numbers.push({
      text: match[0],
      value: Number(`${(match[1] ?? "").replaceAll(",", "")}${match[2] ?? ""}`),
      spelled: false,
    });
  for (const word of words) {
    const value = units.get(word);
    if (value !== undefined) numbers.push({ text: word, value, spelled: true });
  }
  return { text, plain, words, stems: new Set(words.map(stemOf)), quoted: quoted.filter((one) => one !== ""), numbers };
}
