/** Reads one noun phrase from the items at a cursor: determiners, premodifying values, the head and what stands beside it. */

import type { Item } from "../linking/linking.ts";
import { nameWords, ownName, stem } from "../words/language.ts";
import { emptyPhrase, type Head, isCue, type NounPhrase, type Sentence } from "./clause-types.ts";
import { ItemCursor } from "./item-cursor.ts";

export class PhraseReader extends ItemCursor {
  readonly out: Sentence = {
    intent: "none",
    outputs: [],
    groups: [],
    clauses: [],
    orders: [],
    distinct: false,
    includeNone: false,
    onlyCount: false,
    additive: false,
    percent: false,
    unread: [],
    unused: [],
  };

  hints: string[] = [];

  /** One noun phrase: determiners, premodifying values, the head and what stands beside it. */
  readPhrase(): NounPhrase | undefined {
    const first = this.peek();
    const phrase = emptyPhrase({ kind: "none" }, first);
    let headed = false;
    let pendingOr: "and" | "or" | undefined;
    const begin = this.at;
    for (;;) {
      const item = this.peek();
      if (!item) break;
      if (!headed) {
        if (isCue(item, "filler", "both", "only")) {
          this.at += 1;
          continue;
        }
        if (isCue(item, "all")) {
          phrase.all = true;
          this.at += 1;
          continue;
        }
        if (isCue(item, "distinct")) {
          phrase.distinct = true;
          this.at += 1;
          continue;
        }
        if (isCue(item, "each")) {
          // "the number of treasurers for each club": the value is what is counted.
          if (phrase.values.length > 0) break;
          phrase.each = true;
          this.at += 1;
          continue;
        }
        if (isCue(item, "no")) {
          phrase.none = true;
          this.at += 1;
          continue;
        }
        if (isCue(item, "not") && phrase.values.length > 0) break;
        if (isCue(item, "aggregate")) {
          const next = this.peek(1);
          const chain = this.chainedAggregates();
          if (chain) {
            phrase.shared = chain.fns;
            phrase.aggregate = item.fn;
            this.at += chain.length;
            continue;
          }
          if (
            isCue(next, "stop", "comma", "and", "preposition") &&
            phrase.superlative === undefined &&
            !isCue(next, "preposition")
          )
            break;
          if (isCue(next, "preposition") && !/^(of|for)/i.test(next.text)) {
            if (!next) break;
            phrase.aggregate ??= item.fn;
            this.at += 1;
            break;
          }
          phrase.aggregate ??= item.fn;
          if (phrase.superlative && !["SUM", "AVG", "MEDIAN"].includes(item.fn)) phrase.aggregate = item.fn;
          this.at += 1;
          while (isCue(this.peek(), "preposition") && /^of/i.test(this.peek()?.text ?? "")) this.at += 1;
          continue;
        }
        if (isCue(item, "superlative")) {
          if (phrase.values.length > 0 && phrase.head.kind === "none" && item.text.toLowerCase() === "first") break;
          phrase.superlative = {
            direction: item.direction,
            ...(item.concept ? { concept: item.concept } : {}),
            ...(item.counting ? { counting: true } : {}),
            ...(item.place ? { place: item.place } : {}),
          };
          this.at += 1;
          const count = this.peek();
          if (count?.kind === "number" && phrase.top === undefined) {
            phrase.top = count.value;
            this.at += 1;
          }
          continue;
        }
        if (isCue(item, "popular")) {
          phrase.superlative = {
            direction: item.direction,
            popular: true,
            counting: true,
            ...(item.place ? { place: item.place } : {}),
          };
          this.at += 1;
          continue;
        }
        if (isCue(item, "top")) {
          this.at += 1;
          const count = this.peek();
          phrase.superlative ??= { direction: "DESC" };
          if (count?.kind === "number") {
            phrase.top = count.value;
            this.at += 1;
          } else phrase.top ??= 1;
          continue;
        }
        if (isCue(item, "compare", "between")) {
          const cardinal = this.readCardinal();
          if (!cardinal) break;
          phrase.cardinal = cardinal;
          continue;
        }
        if (item.kind === "number") {
          const next = this.peek(1);
          if (isCue(next, "superlative", "popular", "top") || phrase.superlative) {
            phrase.top = item.value;
            this.at += 1;
            continue;
          }
          const cardinal = this.readCardinal();
          if (cardinal) {
            phrase.cardinal = cardinal;
            continue;
          }
          break;
        }
        if (isCue(item, "how-many")) {
          this.at += 1;
          this.skipFillers();
          while (isCue(this.peek(), "preposition") && /^of/i.test(this.peek()?.text ?? "")) this.at += 1;
          const of = this.startsNoun() ? this.readPhrase() : undefined;
          phrase.head = of ? { kind: "count", of } : { kind: "count" };
          if (of?.distinct) phrase.distinct = true;
          headed = true;
          this.takeSoldCount(phrase, of);
          break;
        }
        if (isCue(item, "how-much")) {
          this.at += 1;
          this.skipFillers();
          // "how much does it cost": the price of the thing, not what was earned with it.
          const costs = this.items.slice(this.at).some((known) => /^costs?$/i.test(known.text));
          phrase.head = { kind: "concept", concept: item.concept ?? (costs ? "price" : "money") };
          if (item.concept || costs) {
            headed = true;
            break;
          }
          phrase.aggregate ??= "SUM";
          const next = this.peek();
          if (next?.kind === "concept") {
            phrase.head = { kind: "concept", concept: next.concept };
            this.at += 1;
          } else if (next?.kind === "column") {
            phrase.head = { kind: "column", item: next };
            this.at += 1;
          }
          headed = true;
          break;
        }
        if (isCue(item, "share")) {
          if (phrase.superlative) {
            this.at += 1;
            while (isCue(this.peek(), "preposition", "filler", "all")) this.at += 1;
            const of = this.startsNoun() ? this.readPhrase() : undefined;
            phrase.head = of ? { kind: "count", of } : { kind: "count" };
            if (of?.head.kind === "concept") phrase.head = of.head;
            headed = true;
            break;
          }
          if (/^(in|as)/i.test(item.text) || this.out.outputs.length > 0) {
            this.out.percent = true;
            this.at += 1;
            if (this.out.outputs.length > 0) return undefined;
            continue;
          }
          this.at += 1;
          while (isCue(this.peek(), "preposition", "filler", "all")) this.at += 1;
          const of = this.startsNoun() ? this.readPhrase() : undefined;
          phrase.head = of ? { kind: "share", of } : { kind: "share" };
          headed = true;
          break;
        }
        if (isCue(item, "null") && this.peek(1)?.kind === "column") break;
      }
      if (isCue(item, "bucket")) {
        if (headed && phrase.head.kind === "concept" && !/\b(by|per|each|every|in|for)\b|ly$/i.test(item.text)) {
          phrase.beside = phrase.head.concept;
          phrase.head = { kind: "bucket", unit: item.unit };
          this.at += 1;
          break;
        }
        if (headed) break;
        if (/^(by|per|each|in each|for each|every)\b/i.test(item.text) || /ly$/i.test(item.text)) phrase.each = true;
        phrase.head = { kind: "bucket", unit: item.unit };
        this.at += 1;
        headed = true;
        if (/ly$/i.test(item.text)) {
          this.out.groups.push({ ...phrase, words: item.text, end: item.end });
          phrase.head = { kind: "none" };
          phrase.each = false;
          headed = false;
          continue;
        }
        break;
      }
      if (item.kind === "value") {
        const next = this.peek(1);
        if (headed && phrase.head.kind !== "table" && phrase.head.kind !== "column") break;
        phrase.values.push(item);
        if (pendingOr) phrase.valueJoin = pendingOr;
        this.at += 1;
        // "Rock and Blues tracks", "Rock or Jazz", "the USA, Canada and Brazil"
        if (isCue(next, "and", "or", "comma")) {
          let after = this.peek(1);
          let skip = 1;
          while (isCue(after, "filler", "and", "or", "preposition") && skip < 4) {
            skip += 1;
            after = this.peek(skip);
          }
          if (after?.kind === "value" && this.sharesColumn(item, after)) {
            pendingOr = isCue(next, "or") ? "or" : (pendingOr ?? "and");
            const joiners = this.items.slice(this.at, this.at + skip);
            if (joiners.some((part) => isCue(part, "or"))) pendingOr = "or";
            this.at += skip;
            continue;
          }
        }
        if (headed) {
          phrase.end = item.end;
          if (!pendingOr) break;
        }
        continue;
      }
      if (item.kind === "table" || item.kind === "column" || item.kind === "concept") {
        if (!headed && item.kind === "concept" && item.verbal && phrase.values.length > 0) break;
        if (!headed) {
          phrase.head = this.toHead(item);
          headed = true;
          this.at += 1;
          continue;
        }
        // Compound nouns: the last one is the head.
        // "films directed by …": what was done to them.
        if (phrase.head.kind === "table" && item.kind === "column" && this.isDone(item, this.peek(1))) break;
        if (phrase.head.kind === "table" && item.kind === "column") {
          const owner = phrase.head.table;
          phrase.owners.push(owner);
          phrase.head = this.toHead(item);
          this.at += 1;
          continue;
        }
        if (phrase.head.kind === "table" && item.kind === "concept") {
          const verbal =
            /^(spend|spent|paid|pay|earn|earned|generate|generated|billed|invoiced|cost|brought|bring)/i.test(
              item.text,
            );
          if (verbal) break;
          phrase.owners.push(phrase.head.table);
          phrase.head = { kind: "concept", concept: item.concept };
          this.at += 1;
          continue;
        }
        if (phrase.head.kind === "table" && item.kind === "table") {
          phrase.owners.push(phrase.head.table);
          phrase.head = this.toHead(item);
          this.at += 1;
          continue;
        }
        if (phrase.head.kind === "concept" && item.kind === "concept") {
          if (phrase.head.concept !== item.concept && phrase.head.concept === "money") phrase.beside = item.concept;
          else phrase.head = { kind: "concept", concept: item.concept };
          this.at += 1;
          continue;
        }
        if (phrase.head.kind === "concept" && item.kind === "table") {
          // "sales invoices": the table is the head.
          phrase.beside = phrase.head.concept;
          phrase.head = this.toHead(item);
          this.at += 1;
          continue;
        }
        if (phrase.head.kind === "column" && item.kind === "concept" && item.concept === "money") {
          if (item.verbal && !/ing$/i.test(item.text)) break;
          // "ticket revenue", where no column is called ticket: whose revenue it is.
          const part = phrase.head.item.options.every((option) => option.score < 0.75);
          if (part && /^(revenue|sales|income|earnings|takings|turnover|proceeds)$/i.test(item.text))
            phrase.head = { kind: "concept", concept: "money" };
          else phrase.beside = "money";
          this.at += 1;
          continue;
        }
        if (phrase.head.kind === "column" && item.kind === "column") {
          // "maker full name": of the columns side by side the last is the head, where one table holds both.
          const before = phrase.head.item.options;
          const shared = item.options.find((option) => before.some((other) => other.table === option.table));
          const named = phrase.head.item.text.toLowerCase().split(/\s+/).at(-1) ?? "";
          const isTable = before.some((other) => nameWords(ownName(other.table)).map(stem).includes(stem(named)));
          if (
            !shared ||
            !isTable ||
            before.some((other) => item.options.some((option) => option.column === other.column))
          )
            break;
          phrase.owners.push(shared.table);
          phrase.head = this.toHead(item);
          this.at += 1;
          continue;
        }
        if (phrase.head.kind === "column" && item.kind === "table" && !phrase.each) {
          phrase.owners.push(item.table);
          break;
        }
        break;
      }
      // "the course with id 1"
      if (headed && item.kind === "number" && phrase.head.kind === "column" && this.isKeyNumber(phrase)) {
        phrase.cardinal = this.readCardinal() as NonNullable<NounPhrase["cardinal"]>;
        break;
      }
      // "tracks that cost 1.99"
      if (
        headed &&
        item.kind === "number" &&
        phrase.head.kind === "concept" &&
        this.out.outputs.length > 0 &&
        !phrase.cardinal &&
        !phrase.superlative &&
        !phrase.aggregate
      ) {
        const cardinal = this.readCardinal();
        if (cardinal) phrase.cardinal = cardinal;
        break;
      }
      if (headed && item.kind === "unit") {
        phrase.unit = item.unit;
        this.at += 1;
        break;
      }
      if (item.kind === "word") {
        const boss = /^(manager|boss|supervisor|superior)s?$/.test(item.token.lower);
        if (boss && !headed) {
          const next = this.peek(1);
          if (next?.kind === "column") {
            phrase.head = { ...this.toHead(next), boss: true } as Head;
            phrase.boss = true;
            this.at += 2;
            headed = true;
            continue;
          }
          phrase.head = { kind: "boss" };
          this.at += 1;
          headed = true;
          break;
        }
        if (
          !headed &&
          (item.token.pos === "NOUN" ||
            item.token.pos === "ADJ" ||
            item.token.pos === "PROPN" ||
            item.token.pos === "VERB" ||
            item.token.pos === "NUM" ||
            item.token.pos === "ADV") &&
          this.nounAhead()
        ) {
          this.hints.push(...item.token.keys);
          this.out.unused.push(item);
          this.at += 1;
          continue;
        }
        if (!headed && (item.token.pos === "NOUN" || item.token.pos === "PROPN")) {
          phrase.head = { kind: "unknown", text: item.token.text };
          this.at += 1;
          headed = true;
          // Consecutive unknown nouns are one: "profit margin".
          for (
            let next = this.peek();
            next?.kind === "word" && (next.token.pos === "NOUN" || next.token.pos === "PROPN");
            next = this.peek()
          ) {
            phrase.head.text += ` ${next.token.text}`;
            this.at += 1;
          }
        }
        break;
      }
      break;
    }
    if (phrase.head.kind === "none" && phrase.values.length > 0) phrase.head = { kind: "values" };
    const last = this.items[this.at - 1];
    phrase.end = last?.end ?? phrase.end;
    phrase.words = this.items
      .slice(begin, this.at)
      .map((item) => item.text)
      .join(" ");
    if (
      phrase.head.kind === "none" &&
      !phrase.superlative &&
      !phrase.aggregate &&
      !phrase.cardinal &&
      !phrase.none &&
      !phrase.each
    )
      return undefined;
    // "length in minutes": the unit belongs to the phrase.
    const unit = this.peek(1);
    if (!phrase.each && this.isIn(this.peek()) && unit?.kind === "unit") {
      phrase.unit = unit.unit;
      this.at += 2;
    }
    return phrase;
  }

  isKeyNumber(phrase: NounPhrase): boolean {
    return (
      !phrase.cardinal &&
      !phrase.superlative &&
      !phrase.aggregate &&
      this.out.outputs.length > 0 &&
      phrase.head.kind === "column" &&
      /\b(ids?|key|code|number|no)$/i.test(phrase.head.item.text)
    );
  }

  /** A column named like a participle with its preposition, and who or where it was behind it. */
  isDone(item: Item, next: Item | undefined): boolean {
    return (
      item.kind === "column" && next?.kind === "value" && /\b\w+(ed|en|wn) (by|in|at|on|from|to)$/i.test(item.text)
    );
  }

  /** "number of tracks sold": pieces, not rows. */
  takeSoldCount(phrase: NounPhrase, of: NounPhrase | undefined): void {
    const next = this.peek(1);
    if (
      !isCue(this.peek(), "sold") ||
      (next &&
        !isCue(next, "stop", "comma", "preposition", "and", "each", "direction", "have", "order") &&
        next.kind !== "period")
    )
      return;
    if (of?.distinct) return;
    const counted = of ?? emptyPhrase({ kind: "none" }, this.peek());
    counted.beside = "quantity";
    phrase.head = { kind: "count", of: counted };
    this.at += 1;
  }

  toHead(item: Item): Head {
    if (item.kind === "table") return { kind: "table", table: item.table };
    if (item.kind === "column") return { kind: "column", item };
    if (item.kind === "concept") return { kind: "concept", concept: item.concept };
    return { kind: "none" };
  }
}
