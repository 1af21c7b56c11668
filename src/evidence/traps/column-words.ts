/** What names of tables and columns hint at, in several spellings and languages. Rows decide, names only suggest. */
import { foldAccents } from "../../catalog/fold-text.ts";
import type { Column, Table } from "../../protocol/index.ts";
import type { TrapContext } from "./trap.ts";

/** `validFrom`, `VALID_FROM` and `valid from` → `["valid", "from"]`. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(foldAccents);
}

export const squash = (name: string): string => wordsOf(name).join("");

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter(Boolean));

export const hasWord = (name: string, words: ReadonlySet<string>): boolean =>
  words.has(squash(name)) || wordsOf(name).some((word) => words.has(word));

/** Both forms of a noun are one: `orders`, `order`; `categories`, `category`. */
export function singular(word: string): string {
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(ss|us|is)$/.test(word)) return word;
  if (/(x|ch|sh|ss)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/s$/, "");
}

export const isNumeric = (column: Column): boolean => column.kind === "integer" || column.kind === "number";

export const isTrue = /^(1|t|true|y|yes|j|ja|s|si|sí|o|oui|x|on|wahr|vero|vrai)$/i;
export const isFalse = /^(0|f|false|n|no|nein|non|off|falsch|falso|faux)$/i;

/** Holds dates, by its type or by the spelling of its values. */
export function isDate(column: Column): boolean {
  if (column.kind === "date" || (column.dateFormat !== undefined && column.dateFormat !== "YYYY")) return true;
  const [first, ...rest] = column.samples;
  const looks = (value: string) => /^\d{4}[-/](0?[1-9]|1[0-2])([-/]\d{1,2}([ T].*)?)?$/.test(value);
  return first !== undefined && [first, ...rest].every(looks);
}

/** Tells a row from the others of its table, by declaration. */
export function isUnique(table: Table, columns: readonly string[]): boolean {
  const wanted = columns.map((column) => column.toLowerCase());
  return [table.primaryKey, ...table.unique].some(
    (key) => key.length > 0 && key.every((column) => wanted.includes(column.toLowerCase())),
  );
}

const keyWords = wordSet("id ids key code nr no num number uuid guid pk fk sku iban isbn ean");

/** Words that only end like `customerid`. */
const endsInId = /(paid|void|grid|bid|valid|aid|fluid|solid|hybrid|acid|humid|raid|mid|rapid|liquid)$/;

/** Names something: part of a key, a reference, or called like one. */
export function isKeyLike(table: Table, column: Column): boolean {
  const name = column.name.toLowerCase();
  const within = (columns: readonly string[]) => columns.some((other) => other.toLowerCase() === name);
  return (
    within(table.primaryKey) ||
    table.foreignKeys.some((key) => within(key.columns)) ||
    keyWords.has(wordsOf(column.name).at(-1) ?? "") ||
    (/[a-z]id$/.test(name) && column.kind !== "number" && !endsInId.test(name))
  );
}

/** The question holds one of the words, as the beginning of a word of its own. */
export function asks(context: Pick<TrapContext, "question">, pattern: RegExp): boolean {
  return context.question !== "" && pattern.test(context.question);
}
