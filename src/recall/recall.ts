/**
 * Which of the workspace's knowledge a question needs, found offline: full-text search over the pieces and the tables in
 * play. Every piece comes with why it was found; nothing is left out here, so whoever has no room can say how much.
 */
import { stemmer } from "stemmer";
import { searchCatalog } from "../catalog/search-catalog.ts";
import type { Catalog, Knowledge } from "../protocol/index.ts";
import { createKnowledgeIndex, type KnowledgeIndex } from "./knowledge-index.ts";
import { type Piece, toPieces } from "./knowledge-pieces.ts";

export interface RecalledPiece extends Piece {
  why: string;
  score: number;
  /** Of a verified question: the same (parameters apart), or close by its words. Set by whoever compared them. */
  nearness?: "same" | "close";
}

interface Kept {
  pieces: Piece[];
  index: KnowledgeIndex;
}
const kept = new WeakMap<Knowledge, Kept>();

function indexOf(knowledge: Knowledge): Kept {
  const known = kept.get(knowledge);
  if (known) return known;
  const pieces = toPieces(knowledge);
  const made = { pieces, index: createKnowledgeIndex(pieces) };
  kept.set(knowledge, made);
  return made;
}

/**
 * `tables`: those that were accepted; before that, the question's own words say which are in play. Best first within a
 * kind; equal ones in the order of the files.
 */
export function recall(
  knowledge: Knowledge,
  catalog: Catalog,
  question: string,
  tables?: readonly string[],
): RecalledPiece[] {
  const { pieces, index } = indexOf(knowledge);
  const words = toWords(question);
  const stems = new Set(words.map(stemmer));
  const inPlay = new Set((tables ?? tablesOf(catalog, question)).map((name) => name.toLowerCase()));
  const hits = new Map(index.search(words).map((hit) => [hit.at, hit]));
  const isKnown = new Set(catalog.tables.map(({ name }) => name.toLowerCase()));
  const found = pieces.flatMap((piece, at): RecalledPiece[] => {
    // What speaks of a table that isn't there any more helps nobody.
    if (piece.tables.some((table) => !isKnown.has(table.toLowerCase()))) return [];
    const reason = toReason(piece, question, stems, inPlay);
    const hit = hits.get(at);
    if (!reason && !(hit?.how === "spelling" && piece.kind !== "verified")) return [];
    const { why, score } = reason ?? { why: "a word of the question is spelled nearly like it", score: 1 };
    return [{ ...piece, why, score: score + (hit ? Math.min(hit.score, 20) / 100 : 0) }];
  });
  return found.toSorted((a, b) => b.score - a.score);
}

/** Pieces that the search alone finds must share this many words of content. */
const leastShared = 2;

function toReason(
  piece: Piece,
  question: string,
  stems: ReadonlySet<string>,
  inPlay: ReadonlySet<string>,
): { why: string; score: number } | undefined {
  if (piece.kind === "directive") return { why: "it holds for every question", score: 50 };
  const phrase = piece.phrases.find((one) => isSaid(one, stems, question));
  if (phrase !== undefined) return { why: `the question says “${phrase}”`, score: 10 };
  const own = toWords(piece.kind === "verified" ? piece.title : `${piece.title} ${piece.words} ${piece.text}`);
  const shared = [
    ...new Map(own.filter((word) => stems.has(stemmer(word))).map((word) => [stemmer(word), word])).values(),
  ];
  const about = piece.tables.filter((table) => inPlay.has(table.toLowerCase()));
  const words = shared.map((word) => `“${word}”`).join(", ");
  switch (piece.kind) {
    case "verified": {
      const share = (2 * shared.length) / Math.max(1, stems.size + new Set(own.map(stemmer)).size);
      return share >= 0.4 ? { why: `its question shares ${words}`, score: 5 * share } : undefined;
    }
    case "relation":
      if (about.length < new Set(piece.tables.map((table) => table.toLowerCase())).size) return undefined;
      return { why: `it joins ${about.join(" and ")}, which are in play`, score: 3 };
    case "description":
      if (about.length === 0) return shared.length >= leastShared ? { why: `it says ${words}`, score: 2 } : undefined;
      return {
        why:
          shared.length > 0
            ? `it is about ${about[0]}, and says ${words}`
            : `it is about ${about[0]}, which is in play`,
        score: 2 + shared.length,
      };
    case "evidence":
      if (about.length > 0 && shared.length > 0)
        return { why: `it is about ${about.join(" and ")}, and says ${words}`, score: 3 + shared.length };
      return shared.length >= leastShared ? { why: `it says ${words}`, score: 1 + shared.length } : undefined;
    case "synonym":
      return undefined;
  }
}

/** All words of the phrase, one after the other or not; a short form in capitals counts as it is written. */
function isSaid(phrase: string, stems: ReadonlySet<string>, question: string): boolean {
  const words = toWords(phrase);
  if (words.length > 0) return words.every((word) => stems.has(stemmer(word)));
  const literally = phrase.trim();
  return (
    literally !== "" && new RegExp(`(?<![\\p{L}\\p{N}])${escaped(literally)}(?![\\p{L}\\p{N}])`, "iu").test(question)
  );
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");

const stopWords = new Set(
  (
    "a an the of in on for with by from to and or is are was were do does did has have had how many much which what who " +
    "whose when where list show give find return each every all that than more less most least get tell me between as at be " +
    "been it its their there this these those per not no please us our can could you i we they them"
  ).split(" "),
);

/** Words of content, folded; names are cut at case changes. */
function toWords(text: string): string[] {
  const cut = text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase();
  return (cut.match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => !stopWords.has(word));
}

/** Tables whose own name, or one of whose columns, answers to the question. */
function tablesOf(catalog: Catalog, question: string): string[] {
  const best = searchCatalog(catalog, question, 40);
  const limit = Math.max(0.15, (best[0]?.score ?? 0) / 2);
  return [...new Set(best.filter(({ score }) => score >= limit).map(({ table }) => table))];
}
