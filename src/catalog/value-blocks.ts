/**
 * Stored values are kept in blocks: some hundred of them, sorted by their letters and digits, in one text. A block is
 * what the index names, so that the index stays far smaller than one that names every value; what stands in a block is
 * found by reading it, which takes some microseconds. Pure.
 */
import { foldAccents, foldPunctuation } from "./fold-text.ts";
import { fromSpelling, toSpelling } from "./value-spelling.ts";

export interface Entry {
  /** Number of the column in the index. */
  column: number;
  value: string;
  rows: number;
}

export interface SortedEntry extends Entry {
  folded: string;
  key: string;
}

/** How a block is kept. */
export interface PackedBlock {
  /** Folded values, one a line, with a line feed before the first and after the last. */
  folded: string;
  /** How each is spelled (value-spelling.ts), one a line; nothing for the same as the one before. */
  spellings: string;
  /** Rows of each, separated by commas; nothing for 1, and nothing at all when all are 1. */
  rows: string;
  /** The block's columns, separated by commas; when there are several, after a colon which of them each value has. */
  columns: string;
}

export interface Block {
  readonly size: number;
  /** All folded values, each between line feeds. */
  haystack: string;
  folded(index: number): string;
  /** What the block is sorted by. */
  key(index: number): string;
  value(index: number): string;
  rows(index: number): number;
  column(index: number): number;
  /** The values whose folded text contains this one, in order. */
  find(text: string): number[];
}

export const blockSize = 128;

/**
 * What values are sorted by: letters and digits only, so that `AC/DC` stands at `acdc` and all that begins with
 * `ac` stands together. Halves of surrogate pairs become one mark: JavaScript and SQLite order them differently.
 */
export function toSortKey(folded: string): string {
  const squeezed = foldPunctuation(folded);
  return (squeezed === "" ? folded : squeezed).replace(/[\ud800-\udfff]/g, "\ufffd");
}

export function toSorted(entries: readonly Entry[]): SortedEntry[] {
  const sorted = entries.map((entry): SortedEntry => {
    const folded = foldAccents(entry.value);
    return { ...entry, folded, key: toSortKey(folded) };
  });
  return sorted.sort(
    (a, b) => compare(a.key, b.key) || compare(a.folded, b.folded) || compare(a.value, b.value) || a.column - b.column,
  );
}

export function packBlock(entries: readonly SortedEntry[]): PackedBlock {
  let before: string | undefined;
  const spellings = entries.map(({ value, folded }) => {
    const spelling = toSpelling(value, folded);
    const same = spelling === before;
    before = spelling;
    return same ? "" : spelling;
  });
  const columns = [...new Set(entries.map(({ column }) => column))];
  const places = entries.map(({ column }) => String.fromCharCode(firstPlace + columns.indexOf(column)));
  return {
    folded: `\n${entries.map(({ folded }) => folded).join("\n")}\n`,
    spellings: spellings.join("\n"),
    rows: entries.every(({ rows }) => rows === 1)
      ? ""
      : entries.map(({ rows }) => (rows === 1 ? "" : String(rows))).join(","),
    columns: columns.join(",") + (columns.length > 1 ? `:${places.join("")}` : ""),
  };
}

/** Behind the colon. */
const firstPlace = 0x3b;

/** The rest of a block is only asked for when a value of it is wanted. */
export function openBlock(haystack: string, readRest: () => Omit<PackedBlock, "folded">): Block {
  let places: number[] | undefined;
  const startsOf = (): number[] => {
    if (places) return places;
    places = [];
    // A text without the line end at its end is no block of ours: what follows the last one is passed over.
    for (let at = 0; at >= 0 && at < haystack.length - 1; at = haystack.indexOf("\n", at + 1)) places.push(at + 1);
    return places;
  };
  let rest: { spellings: string[]; rows: string[]; columns: number[]; places: string } | undefined;
  const open = () => {
    if (rest) return rest;
    const packed = readRest();
    const [columns = "", places = ""] = packed.columns.split(":");
    const spellings = packed.spellings.split("\n");
    for (let index = 1; index < spellings.length; index++) spellings[index] ||= spellings[index - 1] ?? "";
    rest = { spellings, rows: packed.rows.split(","), columns: columns.split(",").map(Number), places };
    return rest;
  };
  const foldedAt = (index: number): string => {
    const starts = startsOf();
    return haystack.slice(starts[index], (starts[index + 1] ?? haystack.length) - 1);
  };
  return {
    get size() {
      return startsOf().length;
    },
    haystack,
    folded: foldedAt,
    key: (index) => toSortKey(foldedAt(index)),
    value: (index) => fromSpelling(open().spellings[index] ?? "", foldedAt(index)),
    rows: (index) => Number(open().rows[index] || 1),
    column(index) {
      const { columns, places } = open();
      return columns[columns.length === 1 ? 0 : places.charCodeAt(index) - firstPlace] ?? 0;
    },
    find(text) {
      const found: number[] = [];
      for (let at = haystack.indexOf(text); at >= 0; ) {
        const starts = startsOf();
        const index = findLast(starts, at);
        found.push(index);
        const next = starts[index + 1];
        at = next === undefined ? -1 : haystack.indexOf(text, next);
      }
      return found;
    },
  };
}

/** The last of the ascending numbers that isn't greater. */
function findLast(starts: readonly number[], at: number): number {
  let [low, high] = [0, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

/**
 * The runs of three characters of a folded text, as words of the full-text index. Its tokenizer cuts at ASCII marks
 * and blanks, so these are moved to other letters; that two runs may fall together costs a look into a block.
 */
export function toGrams(folded: string): string[] {
  const letters = folded.replace(/[^a-z0-9\u0080-\uffff]/g, (mark) => String.fromCharCode(0x100 + mark.charCodeAt(0)));
  const grams: string[] = [];
  for (let at = 0; at + 3 <= letters.length; at++) grams.push(letters.slice(at, at + 3));
  return grams;
}

/** The word under which the full-text index knows a column; longer than any run. */
export const toColumnWord = (column: number): string => `column${column}`;

/** Runs are counted by hash: it is enough to know which of some runs is the rarest. */
export const gramCounters = 1 << 16;

export function toCounter(gram: string): number {
  const mixed = gram.charCodeAt(0) * 0x9e3779b1 + gram.charCodeAt(1) * 0x85ebca6b + gram.charCodeAt(2) * 0xc2b2ae35;
  return (mixed ^ (mixed / 0x10000)) & (gramCounters - 1);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
