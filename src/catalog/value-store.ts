/**
 * The SQLite database that stored values are kept in, in a file or in memory: blocks of values (value-blocks.ts), a
 * full-text index from runs of three letters to blocks, and the words that typos are looked for in.
 *
 * Values come in segments, each sorted in itself and written by one transaction. A column counts as there once the
 * last of its values is in; readers pass over values of other columns.
 */
import type { DatabaseSync } from "node:sqlite";
import type { PackedWords } from "./near-words.ts";
import { type Block, gramCounters, openBlock, toCounter } from "./value-blocks.ts";

/** Raise it whenever the same values would be kept in another way. */
export const storeVersion = 2;

const schema = `
CREATE TABLE facts(name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE columns(id INTEGER PRIMARY KEY, table_name TEXT NOT NULL, column_name TEXT NOT NULL,
  last TEXT, found INTEGER NOT NULL DEFAULT 0, partial INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0);
CREATE TABLE segments(id INTEGER PRIMARY KEY, last_block INTEGER NOT NULL, columns TEXT NOT NULL);
CREATE TABLE blocks(id INTEGER PRIMARY KEY, folded TEXT NOT NULL, spellings TEXT NOT NULL, rows TEXT NOT NULL, columns TEXT NOT NULL);
CREATE TABLE firsts(segment INTEGER, key TEXT, block INTEGER, PRIMARY KEY (segment, key, block)) WITHOUT ROWID;
CREATE TABLE words(id INTEGER PRIMARY KEY, length INTEGER NOT NULL, signs BLOB NOT NULL, letters TEXT NOT NULL);
CREATE INDEX words_length ON words(length);
CREATE VIRTUAL TABLE grams USING fts5(runs, content='', columnsize=0, detail=none, tokenize='ascii');
`;

export interface StoredColumn {
  id: number;
  table: string;
  column: string;
  /** The greatest value read so far, by bytes; null before the first. */
  last: string | null;
  /** Values that are in. */
  found: number;
  partial: boolean;
  done: boolean;
}

export interface Segment {
  id: number;
  firstBlock: number;
  lastBlock: number;
  columns: ReadonlySet<number>;
}

export interface ValueStore {
  /** True when the file has changed since it was last asked. */
  refresh(): boolean;
  columns(): readonly StoredColumn[];
  segments(): readonly Segment[];
  /** The block of a segment that the first value with this key, or a greater one, may stand in. */
  findBlock(segment: Segment, key: string): number;
  block(id: number): Block | undefined;
  /** Blocks that the full-text query finds, in ascending order, at most so many. */
  match(query: string, limit: number): number[];
  /** Never less than the number of blocks with this run. */
  countBlocks(gram: string): number;
  /** All words of a length. */
  packedWords(length: number): readonly PackedWords[];
  close(): void;
}

/** Blocks kept open: some 10 MB. */
const openBlocks = 1024;

/** On a database that `createSchema` has been at. */
export function createValueStore(database: DatabaseSync): ValueStore {
  const statements = {
    version: database.prepare("PRAGMA data_version"),
    first: database.prepare(
      "SELECT block FROM firsts WHERE segment = ? AND key < ? ORDER BY key DESC, block DESC LIMIT 1",
    ),
    folded: database.prepare("SELECT folded FROM blocks WHERE id = ?"),
    rest: database.prepare("SELECT spellings, rows, columns FROM blocks WHERE id = ?"),
    match: database.prepare("SELECT rowid AS id FROM grams WHERE grams MATCH ? ORDER BY rowid LIMIT ?"),
    words: database.prepare("SELECT signs, letters FROM words WHERE length = ? ORDER BY id"),
  };
  let version: unknown;
  let columns: StoredColumn[] | undefined;
  let segments: Segment[] | undefined;
  let counters: Uint32Array | undefined;
  const blocks = new Map<number, Block>();
  const words = new Map<number, PackedWords[]>();

  return {
    refresh() {
      const now = statements.version.get()?.data_version;
      if (now === version && columns) return false;
      version = now;
      columns = segments = counters = undefined;
      words.clear();
      return true;
    },
    columns: () => (columns ??= readColumns(database)),
    segments: () => (segments ??= readSegments(database)),
    findBlock(segment, key) {
      return Number(statements.first.get(segment.id, key)?.block ?? segment.firstBlock);
    },
    block(id) {
      const known = blocks.get(id);
      if (known) return known;
      const row = statements.folded.get(id);
      if (!row) return undefined;
      const block = openBlock(String(row.folded), () => {
        const rest = statements.rest.get(id);
        return {
          spellings: String(rest?.spellings ?? ""),
          rows: String(rest?.rows ?? ""),
          columns: String(rest?.columns ?? ""),
        };
      });
      const [oldest] = blocks.keys();
      if (blocks.size >= openBlocks && oldest !== undefined) blocks.delete(oldest);
      blocks.set(id, block);
      return block;
    },
    match: (query, limit) => statements.match.all(query, limit).map((row) => Number(row.id)),
    countBlocks(gram) {
      counters ??= readCounters(database);
      return counters[toCounter(gram)] ?? 0;
    },
    packedWords(length) {
      let packed = words.get(length);
      if (!packed) {
        packed = statements.words.all(length).map(({ signs, letters }) => ({
          signs: toInt32(signs as Uint8Array),
          letters: String(letters),
        }));
        words.set(length, packed);
      }
      return packed;
    },
    close: () => {
      if (database.isOpen) database.close();
    },
  };
}

/** In the order given; ids from 1. Throws when the file has tables already. */
export function createSchema(
  database: DatabaseSync,
  fingerprint: string,
  columns: readonly { table: string; column: string; partial: boolean }[],
): void {
  inTransaction(database, () => {
    database.exec(schema);
    const add = database.prepare("INSERT INTO columns(table_name, column_name, partial) VALUES (?, ?, ?)");
    for (const { table, column, partial } of columns) add.run(table, column, Number(partial));
    writeFact(database, "version", storeVersion);
    writeFact(database, "fingerprint", fingerprint);
  });
}

export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const result = work();
    database.exec("COMMIT");
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

export function writeFact(database: DatabaseSync, name: string, value: number | string | Uint8Array): void {
  database.prepare("INSERT OR REPLACE INTO facts VALUES (?, ?)").run(name, value);
}

export function readFact(database: DatabaseSync, name: string): unknown {
  return database.prepare("SELECT value FROM facts WHERE name = ?").get(name)?.value;
}

export function readCounters(database: DatabaseSync): Uint32Array {
  const kept = readFact(database, "runs");
  if (!(kept instanceof Uint8Array)) return new Uint32Array(gramCounters);
  return new Uint32Array(kept.slice().buffer);
}

export function readColumns(database: DatabaseSync): StoredColumn[] {
  return database
    .prepare("SELECT * FROM columns ORDER BY id")
    .all()
    .map((row) => ({
      id: Number(row.id),
      table: String(row.table_name),
      column: String(row.column_name),
      last: row.last === null ? null : String(row.last),
      found: Number(row.found),
      partial: row.partial !== 0,
      done: row.done !== 0,
    }));
}

/** Blocks are numbered without gaps, through all segments. */
function readSegments(database: DatabaseSync): Segment[] {
  let firstBlock = 1;
  return database
    .prepare("SELECT id, last_block, columns FROM segments ORDER BY id")
    .all()
    .map((row) => {
      const lastBlock = Number(row.last_block);
      const segment = {
        id: Number(row.id),
        firstBlock,
        lastBlock,
        columns: new Set(String(row.columns).split(",").map(Number)),
      };
      firstBlock = lastBlock + 1;
      return segment;
    });
}

export function toInt32(bytes: Uint8Array): Int32Array {
  const whole = bytes.byteOffset % 4 === 0 ? bytes : bytes.slice();
  return new Int32Array(whole.buffer, whole.byteOffset, whole.byteLength / 4);
}
