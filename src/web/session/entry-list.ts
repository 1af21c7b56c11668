/**
 * The rows as a list that is never changed: a change gives another list, which shares all but the part it is in. With a
 * copy of the whole for each delta, many deltas in many rows grew towards the square.
 */

/** Rows of a part. */
const partRows = 64;

type KeyOf<Entry> = (entry: Entry) => string | undefined;

export class EntryList<Entry> implements Iterable<Entry> {
  readonly length: number;
  readonly #whole: readonly (readonly Entry[])[];
  readonly #tail: readonly Entry[];
  readonly #inWhole: number;
  readonly #keyOf: KeyOf<Entry>;
  /** One for all lists that come from the same beginning, so a place in it is only where to look first. */
  readonly #places: Map<string, number>;

  private constructor(
    whole: readonly (readonly Entry[])[],
    tail: readonly Entry[],
    keyOf: KeyOf<Entry>,
    places: Map<string, number>,
  ) {
    this.#whole = whole;
    this.#tail = tail;
    this.#keyOf = keyOf;
    this.#places = places;
    this.#inWhole = whole.length * partRows;
    this.length = this.#inWhole + tail.length;
  }

  /** `keyOf` gives a row and what replaces it the same key; undefined for rows that nobody looks for. */
  static from<Entry>(entries: Iterable<Entry>, keyOf: KeyOf<Entry>): EntryList<Entry> {
    let list = new EntryList<Entry>([], [], keyOf, new Map());
    for (const entry of entries) list = list.push(entry);
    return list;
  }

  /** Counts from the end when negative. */
  at(index: number): Entry | undefined {
    const place = index < 0 ? index + this.length : index;
    if (place >= this.#inWhole) return this.#tail[place - this.#inWhole];
    return this.#whole[Math.floor(place / partRows)]?.[place % partRows];
  }

  /** The last place with this key, or -1. */
  placeOf(key: string): number {
    const place = this.#places.get(key);
    if (place === undefined) return -1;
    const isIt = (index: number) => this.#keyOf(this.at(index) as Entry) === key;
    if (place < this.length && isIt(place)) return place;
    for (let index = this.length - 1; index >= 0; index -= 1) if (isIt(index)) return index;
    return -1;
  }

  with(index: number, entry: Entry): EntryList<Entry> {
    if (index >= this.#inWhole) return this.#next(this.#whole, this.#tail.with(index - this.#inWhole, entry));
    const part = Math.floor(index / partRows);
    const changed = (this.#whole[part] ?? []).with(index % partRows, entry);
    return this.#next(this.#whole.with(part, changed), this.#tail);
  }

  push(entry: Entry): EntryList<Entry> {
    // A beginning, from which others may come as well.
    if (this.length === 0 && this.#places.size > 0) return EntryList.from([entry], this.#keyOf);
    const key = this.#keyOf(entry);
    if (key !== undefined) this.#places.set(key, this.length);
    if (this.#tail.length < partRows) return this.#next(this.#whole, [...this.#tail, entry]);
    return this.#next([...this.#whole, this.#tail], [entry]);
  }

  /** The same rows in the same places, each as it is or replaced by one with its key. */
  replaceAll(to: (entry: Entry) => Entry): EntryList<Entry> {
    return this.#next(
      this.#whole.map((part) => part.map(to)),
      this.#tail.map(to),
    );
  }

  slice(from: number, to = this.length): Entry[] {
    const found: Entry[] = [];
    for (let index = from; index < Math.min(to, this.length); index += 1) found.push(this.at(index) as Entry);
    return found;
  }

  map<T>(to: (entry: Entry) => T): T[] {
    return this.slice(0).map(to);
  }

  findLast(found: (entry: Entry) => boolean): Entry | undefined {
    for (let index = this.length - 1; index >= 0; index -= 1) {
      const entry = this.at(index) as Entry;
      if (found(entry)) return entry;
    }
    return undefined;
  }

  [Symbol.iterator](): Iterator<Entry> {
    return this.slice(0)[Symbol.iterator]();
  }

  #next(whole: readonly (readonly Entry[])[], tail: readonly Entry[]): EntryList<Entry> {
    return new EntryList(whole, tail, this.#keyOf, this.#places);
  }
}
