/**
 * Full-text search over pieces, in memory: one FTS5 table by word stems, and one by runs of three letters for what is
 * spelled otherwise. The same pieces and words give the same order.
 */
import { DatabaseSync } from "node:sqlite";
import type { Piece } from "./knowledge-pieces.ts";

export interface Hit {
  /** Place in the list of pieces. */
  at: number;
  /** Higher is better; only comparable within one answer. */
  score: number;
  /** By which of the two it was found. */
  how: "words" | "spelling";
}

export interface KnowledgeIndex {
  /** `words` are looked for one by one. */
  search(words: readonly string[]): Hit[];
}

export function createKnowledgeIndex(pieces: readonly Piece[]): KnowledgeIndex {
  const database = new DatabaseSync(":memory:");
  database.exec(`
    CREATE VIRTUAL TABLE stems USING fts5(title, words, body, tokenize = "porter unicode61 remove_diacritics 2");
    CREATE VIRTUAL TABLE runs USING fts5(title, words, tokenize = "trigram remove_diacritics 1");
  `);
  const intoWords = database.prepare("INSERT INTO stems(rowid, title, words, body) VALUES (?, ?, ?, ?)");
  const intoRuns = database.prepare("INSERT INTO runs(rowid, title, words) VALUES (?, ?, ?)");
  database.exec("BEGIN");
  pieces.forEach((piece, at) => {
    const names = toParts([...piece.tables, piece.column ?? ""].join(" "));
    // SQL is no prose: a verified query is found by its question and its tables.
    const body = piece.kind === "verified" ? names : `${piece.text} ${names}`;
    intoWords.run(at + 1, toParts(piece.title), piece.words, body);
    intoRuns.run(at + 1, piece.title, [piece.words, ...piece.phrases, names].join(" "));
  });
  database.exec("COMMIT");
  const byWords = database.prepare(
    "SELECT rowid, -bm25(stems, 4.0, 6.0, 1.0) AS score FROM stems WHERE stems MATCH ? ORDER BY score DESC, rowid",
  );
  const byRuns = database.prepare("SELECT rowid FROM runs WHERE runs MATCH ? ORDER BY rowid");
  return {
    search(words) {
      if (pieces.length === 0 || words.length === 0) return [];
      const found = new Map<number, Hit>();
      for (const row of byWords.all(words.map(quote).join(" OR ")))
        found.set(Number(row.rowid) - 1, { at: Number(row.rowid) - 1, score: Number(row.score), how: "words" });
      for (const word of words) {
        const runs = toRuns(word);
        // Short words have no runs that say anything.
        if (word.length < 5) continue;
        for (const row of byRuns.all(runs.map(quote).join(" OR "))) {
          const at = Number(row.rowid) - 1;
          const piece = pieces[at];
          if (found.has(at) || !piece || likeness(runs, [piece.title, piece.words, ...piece.phrases]) < 0.7) continue;
          found.set(at, { at, score: 0, how: "spelling" });
        }
      }
      return [...found.values()].sort((a, b) => b.score - a.score || a.at - b.at);
    },
  };
}

const quote = (word: string): string => `"${word.replaceAll('"', '""')}"`;

/** `InvoiceLine` and `invoice_line` are two words. */
const toParts = (names: string): string => names.replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2").replaceAll("_", " ");

const toRuns = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - 2) }, (_, at) => word.slice(at, at + 3).toLowerCase());

/** Share of the runs that one word of the texts holds, of the longer of both: `turnovr` and `turnover`. */
function likeness(runs: readonly string[], texts: readonly string[]): number {
  const words = texts.flatMap((text) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  return Math.max(
    0,
    ...words.map((word) => {
      const own = toRuns(word);
      return (2 * runs.filter((run) => own.includes(run)).length) / Math.max(1, runs.length + own.length);
    }),
  );
}
