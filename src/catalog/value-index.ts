/**
 * Finds stored values by what a person wrote: all distinct values of the text columns with the number of rows that
 * hold each. They are kept in SQLite (value-store.ts), for a database in a file of the catalog's cache, so that
 * millions of them cost no memory; searching is synchronous and takes microseconds to some milliseconds.
 */
import { DatabaseSync } from "node:sqlite";
import { createValueSearch } from "./value-search.ts";
import { createSchema, createValueStore } from "./value-store.ts";
import { createValueWriter } from "./value-writer.ts";

export interface StoredValue {
  table: string;
  column: string;
  value: string;
  rows: number;
}

/** `accent` also covers punctuation: `AC/DC` for `acdc`. */
export interface ValueMatch extends StoredValue {
  how: "exact" | "case" | "accent" | "prefix" | "contains" | "near";
  /** 0..1, comparable between the kinds. */
  score: number;
}

export interface ColumnCoverage {
  table: string;
  column: string;
  /** Values in the index. */
  distinct: number;
  /** A cap, or the time given, left some out. */
  partial: boolean;
}

export interface SearchOptions {
  table?: string | undefined;
  column?: string | undefined;
  limit?: number | undefined;
}

export interface ValueIndex {
  /** Whole-value lookups: text equal after folding case, accents, blanks and punctuation. */
  lookup(text: string): ValueMatch[];
  /** All values related to the text, best first. Table and column names are compared without case. */
  search(text: string, options?: SearchOptions): ValueMatch[];
  /** A column without stored text has no values and is complete; an unknown one is partial. */
  coverage(table: string, column: string): { distinct: number; partial: boolean };
}

/** Of values that are at hand; kept in memory until nobody refers to it. */
export function createValueIndex(values: readonly StoredValue[], coverage: readonly ColumnCoverage[]): ValueIndex {
  const database = new DatabaseSync(":memory:");
  const idOf = new Map<string, number>();
  for (const { table, column } of values) {
    const key = `${table}\0${column}`;
    if (!idOf.has(key)) idOf.set(key, idOf.size + 1);
  }
  createSchema(
    database,
    "",
    [...idOf.keys()].map((key) => {
      const [table = "", column = ""] = key.split("\0");
      return { table, column, partial: false };
    }),
  );
  const writer = createValueWriter(database);
  writer.add({
    entries: values.map(({ table, column, value, rows }) => ({
      column: idOf.get(`${table}\0${column}`) ?? 0,
      value,
      rows,
    })),
    progress: [...idOf.values()].map((column) => ({ column, found: 0, done: true })),
  });
  writer.flush();
  const store = createValueStore(database);
  const { lookup, search } = createValueSearch(store);
  return { lookup, search, coverage: createCoverage(coverage) };
}

export function createCoverage(entries: readonly ColumnCoverage[]): ValueIndex["coverage"] {
  const toKey = (table: string, column: string): string => `${table.toLowerCase()}\0${column.toLowerCase()}`;
  const known = new Map(entries.map((entry) => [toKey(entry.table, entry.column), entry]));
  return (table, column) => {
    const entry = known.get(toKey(table, column));
    return entry ? { distinct: entry.distinct, partial: entry.partial } : { distinct: 0, partial: true };
  };
}
