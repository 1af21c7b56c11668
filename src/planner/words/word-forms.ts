/** When two different words mean the same: derived forms, compounds, slips of the pen, peoples and their countries. */
import { stem } from "./language.ts";

const endings = new Set(
  "e s es ed d er or ers ors r rs ion ions ation ations ing ings ment ments y ies ied al ance ence ity able ive ness ship t th able n an ian ly".split(
    " ",
  ),
);

/** "director" and "directed", "injuries" and "injured": one root, and only endings after it. */
export function isDerived(one: string, other: string): boolean {
  // "prescribed" and "prescription", "admitted" and "admission"
  const root = (word: string) => word.replace("scrib", "script").replace(/miss(?=$|ion)/, "mit");
  const [a, b] = [root(one), root(other)];
  if (a === b) return one !== other;
  const shared = sharedStart(a, b);
  if (shared < 5 && !(shared === 4 && Math.max(a.length, b.length) <= 7)) return false;
  const [left, right] = [a.slice(shared), b.slice(shared)];
  return (left === "" || endings.has(left)) && (right === "" || endings.has(right)) && left !== right;
}

export function sharedStart(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

/** "code" for "postcode", "town" for "hometown". */
export const isTail = (part: string, word: string): boolean =>
  part.length >= 4 && word.length >= part.length + 3 && word.endsWith(part);

const consonants = (word: string): string => word.replace(/[aeiou]/g, "").replace(/(.)\1/g, "$1");

/** "mtrl" for "material", "natnlty" for "nationality": all of its consonants, few of its vowels. */
export function isBareSkeleton(word: string, short: string): boolean {
  if (short.length < 2 || short.length >= word.length || short[0] !== word[0]) return false;
  if (consonants(word) !== consonants(short)) return false;
  if (!/[aeiou]/.test(short.slice(1))) return short.length > 2 || word.length <= 4;
  // With a vowel left it must not look like a word, and what is left out must be vowels alone.
  return /[^aeiou]{3}/.test(short) && word.length >= short.length + 2 && isWithin(word, short);
}

/** "cntr" for "container", "frt" for "freight": most of its consonants, in their order. */
export function isSkeleton(word: string, short: string): boolean {
  if (short.length < 3 || short.length >= word.length || short[0] !== word[0] || /[aeiou]/.test(short.slice(1)))
    return false;
  const [own, other] = [consonants(word), consonants(short)];
  return other.length >= 3 && other.length * 2 >= own.length && isWithin(own, other);
}

/** Whether all letters of `part` follow one another in `whole`, with others between. */
function isWithin(whole: string, part: string): boolean {
  let at = 0;
  for (const letter of whole) if (letter === part[at]) at += 1;
  return at === part.length;
}

/** One letter more, less, other or swapped in a longer word. */
export function isSlip(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < 6 || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  const at = sharedStart(a, b);
  const [left, right] = [a.slice(at), b.slice(at)];
  return (
    left.slice(1) === right.slice(1) ||
    left.slice(1) === right ||
    left === right.slice(1) ||
    (left[0] === right[1] && left[1] === right[0] && left.slice(2) === right.slice(2))
  );
}

const ordinals = ["first", "second", "third", "fourth", "fifth"];

/** "first line" for a column line_1. */
export const isOrdinal = (word: string, digit: string): boolean =>
  /^[1-5]$/.test(digit) && (ordinals[Number(digit) - 1] === word || word === `${digit}st` || word === `${digit}nd`);

const peoples: Record<string, string[]> = Object.fromEntries(
  (
    "french:france|german:germany|spanish:spain|italian:italy|dutch:netherlands,holland|british:united kingdom,uk,britain,great britain|" +
    "english:england|american:united states,usa,us,united states of america|canadian:canada|mexican:mexico|brazilian:brazil|" +
    "japanese:japan|chinese:china|indian:india|russian:russia|polish:poland|swedish:sweden|norwegian:norway|danish:denmark|" +
    "finnish:finland|greek:greece|turkish:turkey|irish:ireland|scottish:scotland|welsh:wales|swiss:switzerland|austrian:austria|" +
    "belgian:belgium|portuguese:portugal|hungarian:hungary|czech:czech republic,czechia|australian:australia|korean:korea,south korea|" +
    "egyptian:egypt|argentine:argentina|argentinian:argentina|chilean:chile|european:europe|asian:asia|african:africa|" +
    "united states:usa,us,united states of america|united kingdom:uk,great britain,britain|usa:united states,us|uk:united kingdom"
  )
    .split("|")
    .map((line) => [line.split(":")[0] ?? "", (line.split(":")[1] ?? "").split(",")]),
);

const codes: Record<string, string[]> = {
  male: ["M", "man", "boy"],
  man: ["M", "male"],
  boy: ["M", "male"],
  female: ["F", "W", "woman", "girl"],
  woman: ["F", "W", "female"],
  girl: ["F", "female"],
};

/** How a short list of values may write a word. */
export const codesOf = (word: string): readonly string[] => codes[word.toLowerCase()] ?? [];

/** Places a word for a people, or another name of a country, may stand for. */
export const placesOf = (word: string): readonly string[] => peoples[word.toLowerCase()] ?? [];

/** "engineering" for a stored "engineer". */
export const rootsOf = (word: string): string[] => {
  const lower = word.toLowerCase();
  const bare = lower.replace(/(ing|ers?|al|ic|ful|ed|s)$/, "");
  return lower.length >= 6 && bare.length >= 5 && bare !== lower ? [bare, stem(lower)] : [];
};
