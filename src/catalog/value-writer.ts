/** Adds segments of values to a store's database. Everything here is synchronous: a long build runs it in a thread. */
import type { DatabaseSync } from "node:sqlite";
import { toTokens } from "./fold-text.ts";
import { longestWord, mayHaveTypos, toSignature } from "./near-words.ts";
import {
  blockSize,
  type Entry,
  packBlock,
  type SortedEntry,
  toColumnWord,
  toCounter,
  toGrams,
  toSorted,
} from "./value-blocks.ts";
import { inTransaction, readCounters, readFact, writeFact } from "./value-store.ts";

/** How far a column has been read; what isn't given stays. */
export interface ColumnProgress {
  column: number;
  /** Values added by this page. */
  found: number;
  last?: string | undefined;
  partial?: boolean | undefined;
  done: boolean;
}

export interface Page {
  entries: Entry[];
  progress: ColumnProgress[];
}

export interface ValueWriter {
  /** Takes the page over; it is written at the latest by `flush`. */
  add(page: Page): void;
  /** Everything added stands in the database afterwards. */
  flush(): void;
  /** Nothing more will come: smaller and faster to read. */
  finish(): void;
}

/** Values sorted and written at once: some 50 MB of memory. */
const segmentSize = 250_000;
/** Distinct words that typos are looked for in; each costs a search about a nanosecond. */
const maxWords = 4_000_000;
/** Words packed into one row. */
const wordsAtOnce = 16_384;

export function createValueWriter(database: DatabaseSync): ValueWriter {
  let entries: Entry[] = [];
  let progress: ColumnProgress[] = [];
  const counters = readCounters(database);
  const save = database.prepare(
    `UPDATE columns SET found = found + ?, last = coalesce(?, last), partial = max(partial, ?), done = ? WHERE id = ?`,
  );

  function flush(): void {
    if (entries.length === 0 && progress.length === 0) return;
    inTransaction(database, () => {
      if (entries.length > 0) writeSegment(database, entries, counters);
      for (const { column, found, last, partial, done } of progress)
        save.run(found, last ?? null, Number(partial ?? false), Number(done), column);
    });
    entries = [];
    progress = [];
  }

  return {
    add(page) {
      for (const entry of page.entries) entries.push(entry);
      progress.push(...page.progress);
      if (entries.length >= segmentSize) flush();
    },
    flush,
    finish() {
      flush();
      inTransaction(database, () => {
        database.exec("INSERT INTO grams(grams) VALUES ('optimize')");
        writeFact(database, "complete", 1);
      });
      // Merging left many a page empty.
      database.exec("VACUUM");
      leaveWal(database);
    },
  };
}

/** Without the files that stand beside one in WAL mode; while somebody reads it has to stay in that. */
function leaveWal(database: DatabaseSync): void {
  database.exec("PRAGMA busy_timeout = 0");
  try {
    database.exec("PRAGMA journal_mode = DELETE");
  } catch (error) {
    if ((error as { code?: unknown }).code !== "ERR_SQLITE_ERROR") throw error;
  }
}

function writeSegment(database: DatabaseSync, entries: readonly Entry[], counters: Uint32Array): void {
  const segment = Number(database.prepare("SELECT coalesce(max(id), 0) + 1 AS id FROM segments").get()?.id);
  let block = Number(database.prepare("SELECT coalesce(max(last_block), 0) AS id FROM segments").get()?.id);
  const addBlock = database.prepare("INSERT INTO blocks VALUES (?, ?, ?, ?, ?)");
  const addFirst = database.prepare("INSERT INTO firsts VALUES (?, ?, ?)");
  const addGrams = database.prepare("INSERT INTO grams(rowid, runs) VALUES (?, ?)");
  const sorted = toSorted(entries);
  for (let from = 0; from < sorted.length; from += blockSize) {
    const part = sorted.slice(from, from + blockSize);
    const { folded, spellings, rows, columns } = packBlock(part);
    block += 1;
    addBlock.run(block, folded, spellings, rows, columns);
    addFirst.run(segment, part[0]?.key ?? "", block);
    addGrams.run(block, toRuns(part, counters));
  }
  const columns = [...new Set(entries.map(({ column }) => column))].sort((a, b) => a - b);
  database.prepare("INSERT INTO segments VALUES (?, ?, ?)").run(segment, block, columns.join(","));
  writeFact(database, "runs", new Uint8Array(counters.buffer));
  addWords(database, sorted);
}

/** Every run of the block once, and its columns. */
function toRuns(part: readonly SortedEntry[], counters: Uint32Array): string {
  const runs = new Set<string>();
  const columns = new Set<number>();
  for (const { folded, column } of part) {
    columns.add(column);
    for (const gram of toGrams(folded)) runs.add(gram);
  }
  for (const gram of runs) {
    const counter = toCounter(gram);
    counters[counter] = (counters[counter] ?? 0) + 1;
  }
  return [...runs, ...[...columns].map(toColumnWord)].join(" ");
}

function addWords(database: DatabaseSync, sorted: readonly SortedEntry[]): void {
  const byLength = new Map<number, Set<string>>();
  for (const { folded } of sorted) {
    for (const word of toTokens(folded)) {
      if (word.length > longestWord || !mayHaveTypos(word)) continue;
      const known = byLength.get(word.length);
      if (known) known.add(word);
      else byLength.set(word.length, new Set([word]));
    }
  }
  let total = Number(readFact(database, "words") ?? 0);
  const read = database.prepare("SELECT letters FROM words WHERE length = ?");
  const add = database.prepare("INSERT INTO words(length, signs, letters) VALUES (?, ?, ?)");
  for (const [length, words] of byLength) {
    for (const { letters } of read.iterate(length)) {
      const text = String(letters);
      for (let at = 0; at < text.length; at += length) words.delete(text.slice(at, at + length));
    }
    const fresh = [...words].slice(0, Math.max(0, maxWords - total));
    total += fresh.length;
    for (let from = 0; from < fresh.length; from += wordsAtOnce) {
      const part = fresh.slice(from, from + wordsAtOnce);
      add.run(length, new Uint8Array(Int32Array.from(part, toSignature).buffer), part.join(""));
    }
  }
  writeFact(database, "words", total);
}
