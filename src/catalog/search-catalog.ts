/** Finds tables and columns by words: names, comments and samples, compared by word stems. Pure. */
import { stemmer } from "stemmer";
import type { Catalog, Column, Table } from "../protocol/index.ts";
import { foldAccents } from "./fold-text.ts";

export interface CatalogMatch {
  table: string;
  /** Absent when the table itself was found. */
  column?: string;
  /** 0..1: the share of the words found, weighed by where. */
  score: number;
  why: string;
}

const stopWords = new Set([
  "the",
  "a",
  "an",
  "of",
  "for",
  "by",
  "in",
  "on",
  "and",
  "or",
  "to",
  "with",
  "is",
  "are",
  "what",
  "which",
  "how",
  "many",
  "per",
  "each",
  "all",
]);

/** Words of an identifier or a text: cut at case changes, digits, underscores and blanks; folded and stemmed. */
function toStems(text: string): string[] {
  const cut = text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2");
  return (foldAccents(cut).match(/[\p{L}\p{N}]+/gu) ?? []).map(stemmer);
}

export function searchCatalog(catalog: Catalog, text: string, limit = 20): CatalogMatch[] {
  const all = toStems(text);
  const telling = all.filter((stem, index) => !stopWords.has(stem) && all.indexOf(stem) === index);
  const words = telling.length > 0 ? telling : all;
  if (words.length === 0) return [];
  const matches: CatalogMatch[] = [];
  for (const table of catalog.tables) {
    const own = rate(words, [[table.name, 1, "name"], toComment(table)]);
    if (own.score > 0) matches.push({ table: table.name, score: own.score, why: own.why });
    for (const column of table.columns) {
      const found = rateColumn(words, table, column);
      if (found) matches.push({ table: table.name, column: column.name, ...found });
    }
  }
  return matches.toSorted((a, b) => b.score - a.score).slice(0, limit);
}

/** A column must be found itself; its table's words then count too (`artist name` finds `Artist.Name` first). */
function rateColumn(words: string[], table: Table, column: Column): { score: number; why: string } | undefined {
  const own: Place[] = [
    [column.name, 0.95, "name"],
    toComment(column),
    ...column.samples.map((sample): Place => [sample, 0.5, `value ${sample}`]),
  ];
  if (rate(words, own).score === 0) return undefined;
  return rate(words, [...own, [table.name, 0.5, "table's name"]]);
}

type Place = [text: string | undefined, weight: number, where: string];

/** Of the database, or of the workspace that says it better. */
const toComment = ({ comment, described }: Table | Column): Place => [
  comment,
  0.6,
  described ? "description" : "comment",
];

function rate(words: string[], places: Place[]): { score: number; why: string } {
  const stems = places.map(([text]) => (text === undefined ? [] : toStems(text)));
  let sum = 0;
  let spoken = 0;
  const reasons: string[] = [];
  for (const word of words) {
    let best = { weight: 0, where: "", exact: true };
    places.forEach(([, weight, where], index) => {
      const exact = stems[index]?.includes(word) ?? false;
      const part =
        !exact &&
        word.length >= 3 &&
        (stems[index]?.some((stem) => stem.startsWith(word) || (stem.length >= 3 && word.startsWith(stem))) ?? false);
      const worth = exact ? weight : part ? weight * 0.5 : 0;
      if (worth > best.weight) best = { weight: worth, where, exact };
    });
    if (best.weight === 0) continue;
    sum += best.weight;
    spoken += 1;
    reasons.push(`${best.exact ? "" : "part of "}${best.where} has “${word}”`);
  }
  if (spoken === 0) return { score: 0, why: "" };
  // A short name that the words cover entirely is nearer than a long one that only holds them.
  const nameLength = stems[0]?.length || 1;
  const covered = stems[0]?.filter((stem) => words.includes(stem)).length ?? 0;
  return { score: (sum / words.length) * (0.85 + 0.15 * Math.min(1, covered / nameLength)), why: reasons.join(", ") };
}
