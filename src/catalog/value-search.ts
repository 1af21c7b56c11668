/** Looks values up in a store: which of them are a text, begin with it, contain it or are near to it. */
import { foldAccents, foldCase, foldPunctuation, toTokens } from "./fold-text.ts";
import { findNearWords, mayHaveTypos } from "./near-words.ts";
import { type Block, toColumnWord, toGrams, toSortKey } from "./value-blocks.ts";
import type { SearchOptions, ValueMatch } from "./value-index.ts";
import type { Segment, ValueStore } from "./value-store.ts";

/** Hits of one kind that are ranked; more would only be thrown away again. */
const maxHits = 1000;
/** Blocks read for one kind of hits, so that a search in many millions of values stays within milliseconds. */
const maxBlocks = { beginning: 150, containing: 400, words: 250, near: 300 };
/** Near spellings of one word that are followed, fewest edits first. */
const maxSpellings = 24;
/** Columns that a query names; a search in more of them passes over the other hits one by one. */
const maxColumnWords = 16;

export interface ValueSearch {
  lookup(text: string): ValueMatch[];
  search(text: string, options?: SearchOptions): ValueMatch[];
}

/** Hits by the place they stand at. */
type Hits = Map<number, ValueMatch>;

interface Scope {
  segments: readonly Segment[];
  has(block: Block, index: number): boolean;
  /** For the full-text query; empty when it needn't be narrowed. */
  words: readonly string[];
}

export function createValueSearch(store: ValueStore): ValueSearch {
  const cost = (gram: string): number => store.countBlocks(gram);

  /** Undefined when no column that is in fits. */
  function toScope({ table, column }: SearchOptions): Scope | undefined {
    const [lowTable, lowColumn] = [table?.toLowerCase(), column?.toLowerCase()];
    const all = store.columns();
    const ids = all
      .filter(
        (stored) =>
          stored.done &&
          (lowTable === undefined || stored.table.toLowerCase() === lowTable) &&
          (lowColumn === undefined || stored.column.toLowerCase() === lowColumn),
      )
      .map(({ id }) => id);
    if (ids.length === 0) return undefined;
    if (ids.length === all.length) return { segments: store.segments(), has: () => true, words: [] };
    const wanted = new Set(ids);
    return {
      segments: store.segments().filter((segment) => ids.some((id) => segment.columns.has(id))),
      has: (block, index) => wanted.has(block.column(index)),
      words: ids.length <= maxColumnWords ? ids.map(toColumnWord) : [],
    };
  }

  function add(hits: Hits, place: [id: number, index: number], block: Block, how: ValueMatch["how"], score: number) {
    const [id, index] = place;
    const { table = "", column = "" } = store.columns()[block.column(index) - 1] ?? {};
    hits.set(toPlace(id, index), { table, column, value: block.value(index), rows: block.rows(index), how, score });
  }

  function findEqual(text: string, scope: Scope): Hits {
    const hits: Hits = new Map();
    const folded = foldAccents(text);
    const lower = foldCase(text);
    const squeezed = foldPunctuation(folded);
    const key = toSortKey(folded);
    for (const segment of scope.segments) {
      walk(segment, key, Number.POSITIVE_INFINITY, (id, block, index) => {
        if (block.key(index) !== key) return false;
        if (!scope.has(block, index)) return true;
        const value = block.value(index);
        const other = block.folded(index);
        if (other === folded) {
          if (value === text) add(hits, [id, index], block, "exact", 1);
          else if (foldCase(value) === lower) add(hits, [id, index], block, "case", 0.97);
          else add(hits, [id, index], block, "accent", 0.94);
        } else if (squeezed.length > 1 && foldPunctuation(other) === squeezed)
          add(hits, [id, index], block, "accent", 0.9);
        return true;
      });
    }
    return hits;
  }

  /** From the first value with this key or a greater one, as long as `see` wants more. */
  function walk(
    segment: Segment,
    key: string,
    most: number,
    see: (id: number, block: Block, index: number) => boolean,
  ): void {
    let id = store.findBlock(segment, key);
    for (let seen = 0; id <= segment.lastBlock && seen < most; id++, seen++) {
      const block = store.block(id);
      if (!block) return;
      for (let index = seen === 0 ? findFirst(block, key) : 0; index < block.size; index++)
        if (!see(id, block, index)) return;
    }
  }

  function findBeginnings(folded: string, scope: Scope, hits: Hits): void {
    const key = toSortKey(folded);
    // Without letters or digits there is no place where such values stand together.
    if (foldPunctuation(folded) === "") return;
    const most = Math.ceil(maxHits / scope.segments.length);
    for (const segment of scope.segments) {
      let left = most;
      walk(segment, key, Math.max(10, maxBlocks.beginning / scope.segments.length), (id, block, index) => {
        const value = block.folded(index);
        if (!value.startsWith(folded) && !toSortKey(value).startsWith(key)) return false;
        if (!value.startsWith(folded) || !scope.has(block, index) || hits.has(toPlace(id, index))) return true;
        add(hits, [id, index], block, "prefix", 0.7 + 0.18 * (folded.length / value.length));
        left -= 1;
        return left > 0;
      });
    }
  }

  /** Sees the values that `candidates` names in the blocks that the query finds. */
  function scan(
    query: string,
    most: number,
    scope: Scope,
    candidates: (block: Block) => Iterable<number>,
    see: (id: number, block: Block, index: number) => boolean,
  ): void {
    const narrowed = scope.words.length === 0 ? query : `(${query}) AND (${scope.words.join(" OR ")})`;
    for (const id of store.match(narrowed, most)) {
      const block = store.block(id);
      if (!block) continue;
      for (const index of candidates(block)) if (scope.has(block, index) && !see(id, block, index)) return;
    }
  }

  function findContaining(folded: string, scope: Scope, hits: Hits): void {
    const query = toQuery([folded], 5, cost);
    if (query === undefined) return;
    let left = maxHits;
    const candidates = (block: Block) => block.find(folded);
    scan(query, maxBlocks.containing, scope, candidates, (id, block, index) => {
      if (hits.has(toPlace(id, index))) return true;
      const value = block.folded(index);
      const offset = value.indexOf(folded);
      const share = folded.length / value.length;
      if (offset === 0) add(hits, [id, index], block, "prefix", 0.7 + 0.18 * share);
      else {
        const score = isWordStart(value, offset) ? 0.5 + 0.18 * share : 0.4 + 0.1 * share;
        add(hits, [id, index], block, "contains", score);
      }
      return --left > 0;
    });
  }

  /** Words in another order, or with others between them. */
  function findWords(folded: string, scope: Scope, hits: Hits): void {
    const tokens = toTokens(folded).toSorted((a, b) => b.length - a.length);
    const [longest = ""] = tokens;
    if (tokens.length < 2 || longest.length < 3) return;
    const query = toQuery(tokens, 6, cost);
    if (query === undefined) return;
    let left = maxHits;
    const candidates = (block: Block) =>
      tokens.every((token) => block.haystack.includes(token)) ? block.find(longest) : [];
    scan(query, maxBlocks.words, scope, candidates, (id, block, index) => {
      const value = block.folded(index);
      if (!tokens.every((token) => value.includes(token)) || hits.has(toPlace(id, index))) return true;
      add(hits, [id, index], block, "contains", 0.45 + 0.15 * Math.min(1, folded.length / value.length));
      return --left > 0;
    });
  }

  /** Every word of the text stands in the value, at least one of them with typos. */
  function findNear(folded: string, scope: Scope, hits: Hits): void {
    const tokens = toTokens(folded);
    const spelled = tokens.filter(mayHaveTypos);
    if (spelled.length === 0 || tokens.length > 8) return;
    const plain = tokens.filter((token) => !mayHaveTypos(token));
    const spellings = spelled.map((token) => {
      const near = findNearWords(token, store.packedWords).sort((a, b) => a.edits - b.edits);
      return new Map([[token, 0], ...near.slice(0, maxSpellings).map(({ word, edits }) => [word, edits] as const)]);
    });
    const levels = new Set(spellings.flatMap((words) => [...words.values()].filter((edits) => edits > 0)));
    // Fewer typos first: in many values the blocks that may be read would otherwise go to worse spellings.
    for (const level of [...levels].sort((a, b) => a - b)) {
      const within = spellings.map((words) => new Map([...words].filter(([, edits]) => edits <= level)));
      findSpelled(folded, plain, within, maxBlocks.near / levels.size, scope, hits);
    }
  }

  function findSpelled(
    folded: string,
    plain: readonly string[],
    spellings: readonly ReadonlyMap<string, number>[],
    most: number,
    scope: Scope,
    hits: Hits,
  ): void {
    const query = spellings
      .map((words) => [...words.keys()].map((word) => `(${toQuery([word], 2, cost)})`).join(" OR "))
      .map((words) => `(${words})`)
      .join(" AND ");
    const [first = new Map<string, number>()] = spellings.toSorted((a, b) => a.size - b.size);
    const candidates = (block: Block) => new Set([...first.keys()].flatMap((word) => block.find(word)));
    let left = maxHits;
    scan(query, Math.ceil(most), scope, candidates, (id, block, index) => {
      const value = block.folded(index);
      if (hits.has(toPlace(id, index)) || !plain.every((token) => value.includes(token))) return true;
      const edits = countEdits(value, spellings);
      if (edits === 0 || edits === Number.POSITIVE_INFINITY) return true;
      const share = Math.min(1, folded.length / (value.length || 1));
      const score = Math.max(0.05, 0.2 + 0.4 * share - 0.8 * (edits / folded.length));
      add(hits, [id, index], block, "near", score);
      return --left > 0;
    });
  }

  return {
    lookup(text) {
      const scope = toScope({});
      return scope ? sortMatches(findEqual(text, scope)) : [];
    },
    search(text, options = {}) {
      const { limit = 20 } = options;
      const folded = foldAccents(text);
      const scope = toScope(options);
      if (folded === "" || !scope) return [];
      const hits = findEqual(text, scope);
      // Once enough are better than the next kind can be, its hits could only be cut off again.
      const full = (best: number) => {
        let better = 0;
        for (const { score } of hits.values()) if (score > best && ++better >= limit) return true;
        return false;
      };
      // One letter is in nearly all values, two are in half of them: two must at least begin one.
      if (folded.length >= 2) {
        if (!full(0.88)) findBeginnings(folded, scope, hits);
        if (folded.length >= 3 && !full(0.68)) findContaining(folded, scope, hits);
        if (!full(0.6)) findWords(folded, scope, hits);
      }
      if (!full(0.6)) findNear(folded, scope, hits);
      return sortMatches(hits).slice(0, limit);
    },
  };
}

/** The rarest runs of the texts, all of which a block must have; undefined when they are too short to have any. */
function toQuery(texts: readonly string[], most: number, cost: (gram: string) => number): string | undefined {
  const grams = [...new Set(texts.flatMap(toGrams))];
  if (grams.length === 0) return undefined;
  const rated = grams.length === 1 ? [] : grams.map((gram): [string, number] => [gram, cost(gram)]);
  const rarest = rated.sort((a, b) => a[1] - b[1]).map(([gram]) => gram);
  return (grams.length === 1 ? grams : rarest.slice(0, most)).map((gram) => `"${gram}"`).join(" AND ");
}

/** Infinite when a word isn't there in any spelling. */
function countEdits(value: string, spellings: readonly ReadonlyMap<string, number>[]): number {
  const words = toTokens(value);
  let sum = 0;
  for (const known of spellings) {
    let least = Number.POSITIVE_INFINITY;
    for (const word of words) least = Math.min(least, known.get(word) ?? Number.POSITIVE_INFINITY);
    sum += least;
  }
  return sum;
}

/** A number of its own for every value of the index. */
const toPlace = (id: number, index: number): number => id * 1024 + index;

function sortMatches(hits: Hits): ValueMatch[] {
  return [...hits.values()].sort(
    (a, b) =>
      b.score - a.score ||
      b.rows - a.rows ||
      compare(a.value, b.value) ||
      compare(a.table, b.table) ||
      compare(a.column, b.column),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function findFirst(block: Block, key: string): number {
  let [low, high] = [0, block.size];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (block.key(middle) < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

function isWordStart(value: string, at: number): boolean {
  return at === 0 || !/[\p{L}\p{N}]/u.test(value[at - 1] ?? "");
}
