/** Words of a question: own tokens with offsets; part of speech and lemma by wink-nlp, stems by Porter. */
import { stemmer } from "stemmer";
import model from "wink-eng-lite-web-model";
import winkNLP from "wink-nlp";

export interface Token {
  index: number;
  text: string;
  lower: string;
  lemma: string;
  /** Stems of the word and of its lemma; equal keys mean the same word. */
  keys: string[];
  pos: string;
  /** Text between quotation marks; the token's text is then the inside. */
  quoted: boolean;
  number?: number;
  /** A currency or percent sign stood beside the number. */
  sign?: "money" | "percent";
  start: number;
  end: number;
}

type Nlp = ReturnType<typeof winkNLP>;
let loaded: Nlp | undefined;

/** Loads the model once; about a quarter of a second. */
function nlp(): Nlp {
  loaded ??= winkNLP(model, ["sbd", "pos"]);
  return loaded;
}

const irregular: Record<string, string> = {
  people: "person",
  persons: "person",
  children: "child",
  men: "man",
  women: "woman",
  feet: "foot",
  mice: "mouse",
  movies: "movie",
  series: "series",
  species: "species",
  sales: "sale",
  sold: "sell",
  bought: "buy",
  spent: "spend",
  paid: "pay",
  made: "make",
  wrote: "write",
  written: "write",
  sung: "sing",
  sang: "sing",
  taught: "teach",
  won: "win",
  lost: "lose",
  left: "leave",
  grew: "grow",
  taken: "take",
  took: "take",
  held: "hold",
  gave: "give",
  given: "give",
  data: "data",
  media: "media",
  cities: "city",
  countries: "country",
  companies: "company",
  minima: "minimum",
  maxima: "maximum",
  indices: "index",
  criteria: "criterion",
  phone: "phone",
  born: "born",
};

/** The key under which inflected forms of a word meet. */
export function stem(word: string): string {
  const lower = word.toLowerCase();
  return stemmer(irregular[lower] ?? lower);
}

const pattern =
  /"([^"]+)"|“([^”]+)”|‘([^’]+)’|(?<![\p{L}\p{N}])'([^']+(?:'[a-z][^']*)*)'(?![\p{L}\p{N}])|\d+(?:st|nd|rd|th)(?![\p{L}\p{N}])|([$€£])?\d+(?:,\d{3})*(?:\.\d+)?(?:\s?%)?|[\p{L}\p{N}_]+(?:['’](?!s\b)[\p{L}]+)*|['’]s\b|[^\s]/gu;
const isoDate = /\d{4}-\d{2}(?:-\d{2})?(?:[ T]\d{2}:\d{2}(?::\d{2})?)?(?![\p{L}\p{N}])/uy;

interface RawToken {
  text: string;
  quoted: boolean;
  start: number;
  end: number;
}

function cutTokens(question: string): RawToken[] {
  const found: RawToken[] = [];
  let at = 0;
  while (at < question.length) {
    isoDate.lastIndex = at;
    const iso = !/[\p{L}\p{N}]/u.test(question[at - 1] ?? " ") ? isoDate.exec(question) : null;
    if (iso) {
      found.push({ text: iso[0], quoted: false, start: at, end: at + iso[0].length });
      at += iso[0].length;
      continue;
    }
    pattern.lastIndex = at;
    const match = pattern.exec(question);
    if (!match) break;
    if (!iso && match.index > at) {
      at = match.index;
      continue;
    }
    const quoted = match[1] ?? match[2] ?? match[3] ?? match[4];
    found.push({
      text: quoted ?? match[0],
      quoted: quoted !== undefined,
      start: match.index,
      end: match.index + match[0].length,
    });
    at = match.index + match[0].length;
  }
  return found;
}

/** Part of speech and lemma per character offset of a wink token's start. */
function analyse(question: string): Map<number, { pos: string; lemma: string; end: number }> {
  const engine = nlp();
  const tokens = engine.readDoc(question).tokens();
  const values = tokens.out(engine.its.value) as string[];
  const pos = tokens.out(engine.its.pos) as string[];
  const lemmas = tokens.out(engine.its.lemma as never) as unknown as string[];
  const byOffset = new Map<number, { pos: string; lemma: string; end: number }>();
  let from = 0;
  values.forEach((value, index) => {
    const start = question.indexOf(value, from);
    if (start < 0) return;
    byOffset.set(start, { pos: pos[index] ?? "X", lemma: lemmas[index] ?? value, end: start + value.length });
    from = start + value.length;
  });
  return byOffset;
}

export function tokenize(question: string): Token[] {
  // A command verb at the start is tagged as a name unless it is written small.
  const analysed = analyse(question.replace(/^\p{Lu}/u, (letter) => letter.toLowerCase()));
  const cut = cutTokens(question);
  return cut.map((raw, index) => {
    const lower = raw.text.toLowerCase().replaceAll("’", "'");
    const info = analysed.get(raw.quoted ? raw.start + 1 : raw.start);
    const lemma = irregular[lower] ?? info?.lemma ?? lower;
    const numeric = /^([$€£])?(\d[\d,]*(?:\.\d+)?)(\s?%)?$/.exec(raw.text);
    const token: Token = {
      index,
      text: raw.text,
      lower,
      lemma,
      keys: [...new Set([stem(lower), stem(lemma)])],
      pos: raw.quoted
        ? "PROPN"
        : isVerbForm(lower, cut[index + 1]?.text)
          ? "VERB"
          : owned(info?.pos, lower, cut[index - 1]),
      quoted: raw.quoted,
      start: raw.start,
      end: raw.end,
    };
    if (numeric && !raw.quoted) {
      token.number = Number(numeric[2]?.replaceAll(",", ""));
      if (numeric[1]) token.sign = "money";
      if (numeric[3]) token.sign = "percent";
    }
    return token;
  });
}

/** "whose address contains …": what is owned is a noun, whatever its tag. */
const owned = (pos: string | undefined, word: string, before: RawToken | undefined): string =>
  pos === "VERB" && !/(ed|ing)$/.test(word) && /^(whose|their|its|his)$/i.test(before?.text ?? "")
    ? "NOUN"
    : (pos ?? "X");

/** "of customers lives in …": forms that are tagged as nouns too often. */
const isVerbForm = (word: string, next: string | undefined): boolean =>
  /^(lives|works|resides|comes|belongs|reports)$/.test(word) && /^(in|at|from|to|for)$/i.test(next ?? "");

/** Words of an identifier: camel case, snake case and digits cut; stemmed apart. */
/** A table's name without its schema. */
export const ownName = (table: string): string => table.slice(table.lastIndexOf(".") + 1);

export function nameWords(identifier: string): string[] {
  return identifier
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
}

export function plural(word: string): string {
  if (/(s|x|z|ch|sh)$/i.test(word)) return /ss$|x$|z$|ch$|sh$/i.test(word) ? `${word}es` : word;
  if (/[^aeiou]y$/i.test(word)) return `${word.slice(0, -1)}ies`;
  return `${word}s`;
}

const englishWords = new Set(
  (
    "the a an of in on for with by from to and or is are was were do does did has have had how many much which what who " +
    "whose when where list show give find return each every all that than more less most least name number total average " +
    "not no without there per top count display get tell me between after before since it its their"
  ).split(" "),
);
const foreignWords = new Set(
  (
    "der die das und ist sind wie viele welche welcher welches haben hat mit ohne für pro jede jeder jedes von aus nicht kein keine " +
    "el los las cuantos cuántos cuales cuáles qué tienen para por cada con sin una uno del " +
    "le les des du quels quelles quel quelle combien sont avec sans pour chaque dans est une " +
    "il gli quanti quante quali sono che hanno senza ogni della delle " +
    "hoeveel zijn welke hebben het een geen met voor elke"
  ).split(" "),
);

/** A question that holds more function words of other languages than English ones isn't English. */
export function looksEnglish(question: string): boolean {
  const words = question.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length === 0) return false;
  const latin = words.filter((word) => /^[\p{Script=Latin}]+$/u.test(word)).length;
  if (latin < words.length / 2) return false;
  const english = words.filter((word) => englishWords.has(word)).length;
  const foreign = words.filter((word) => foreignWords.has(word)).length;
  return foreign === 0 || english > foreign;
}
