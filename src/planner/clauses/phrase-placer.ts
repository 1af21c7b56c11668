/** Decides what a noun phrase that has been read is for: asked for, a group, an order, an owner, or part of a clause. */

import type { Item } from "../linking/linking.ts";
import type { Direction } from "../words/lexicon.ts";
import { ClauseReader } from "./clause-reader.ts";
import { type Clause, isCue, type NounPhrase, type Order } from "./clause-types.ts";

export class PhrasePlacer extends ClauseReader {
  ordering: { direction?: Direction } | undefined;

  along = false;

  /** "each owner's": what follows is asked for, not another group. */
  possessor: NounPhrase | undefined;

  /** Decides by link and position whether a phrase is asked for, groups, orders, or stands in a clause. */
  override place(phrase: NounPhrase): void {
    const next = this.peek();
    if (
      next &&
      /^first$/i.test(next.text) &&
      (phrase.superlative || isCue(next, "superlative")) &&
      !this.startsNounAt(1)
    ) {
      // "most tracks first", "oldest hire first"
      this.at += 1;
      this.out.orders.push({
        by: phrase,
        direction: phrase.superlative?.direction ?? "ASC",
        alphabetical: false,
        words: `${phrase.words} first`,
      });
      return;
    }
    if (this.ordering) {
      const order: Order = { by: phrase, alphabetical: false, words: phrase.words };
      if (this.ordering.direction) order.direction = this.ordering.direction;
      this.out.orders.push(order);
      return;
    }
    if (phrase.head.kind === "count" && this.out.intent === "none") this.out.intent = "count";
    if (phrase.head.kind === "share" && this.out.intent === "none") this.out.intent = "list";
    const ownedFor =
      /^(for|in)/.test(this.link.word) &&
      this.nearest?.head.kind === "column" &&
      (phrase.head.kind === "table" || (/^for all/.test(this.link.word) && phrase.head.kind === "column")) &&
      this.out.outputs.includes(this.nearest);
    if (
      this.link.kind === "preposition" &&
      (/^of/.test(this.link.word) || ownedFor) &&
      this.nearest &&
      !phrase.each &&
      (!this.along || (this.nearest.head.kind === "column" && this.nearest === this.out.outputs.at(-1)))
    ) {
      const owner = this.nearest;
      if (isAmount(owner) && ["column", "concept"].includes(phrase.head.kind) && !owner.of) {
        // "the smallest amount of horsepower"
        owner.head = phrase.head;
        if (phrase.of) owner.of = phrase.of;
        owner.owners.push(...phrase.owners);
        this.link = { kind: "none", word: "" };
        return;
      }
      if (
        ["column", "concept", "count", "unknown", "share"].includes(owner.head.kind) &&
        !owner.of &&
        phrase.head.kind !== "values"
      ) {
        owner.of = phrase;
        this.link = { kind: "none", word: "" };
        this.nearest = phrase;
        if (this.subject === owner) this.subject = phrase;
        return;
      }
    }
    if (
      this.link.word === "'s" &&
      this.nearest &&
      this.out.outputs.includes(this.nearest) &&
      phrase.head.kind !== "values"
    ) {
      // "each customer's total spending"
      const owner = this.nearest;
      if (phrase.head.kind === "table" && !owner.each && this.asksWhich(owner)) {
        // "which agent's customers spent the most": the owner is asked for, the owned ones act.
        this.nearest = phrase;
        this.subject = phrase;
        this.link = { kind: "none", word: "" };
        return;
      }
      this.out.outputs = this.out.outputs.filter((known) => known !== owner);
      if (owner.each) {
        this.out.groups.push(owner);
        this.possessor = owner;
      } else phrase.of = owner;
      this.out.outputs.push(phrase);
      this.nearest = owner;
      this.subject = owner;
      this.link = { kind: "none", word: "" };
      return;
    }
    if (
      phrase.each &&
      (this.out.outputs.length > 0 || this.link.kind === "preposition" || /^(for|per|by|in)/i.test(phrase.words)) &&
      phrase.head.kind !== "none"
    ) {
      // "customers who bought tracks from every genre" asks for all of them at once, not for a row of each.
      const listed = this.out.outputs.every(
        (known) => ["table", "person"].includes(known.head.kind) && !known.superlative,
      );
      if (this.inPredicate && listed && !this.along && /\bevery\b/i.test(phrase.words) && this.out.outputs.length > 0)
        this.out.unread.push(phrase.words);
      this.out.groups.push(phrase);
      this.nearest = phrase;
      this.link = { kind: "none", word: "" };
      return;
    }
    if (
      this.out.groups.length > 0 &&
      this.nearest === this.out.groups.at(-1) &&
      !(this.nearest === this.possessor && (phrase.aggregate || this.out.outputs.every(isListed))) &&
      this.link.kind === "none" &&
      isCue(this.items[phraseStart(this.items, phrase) - 1], "and", "comma") &&
      (phrase.head.kind === "column" || phrase.head.kind === "table" || phrase.head.kind === "bucket") &&
      this.out.outputs.length > 0
    ) {
      this.out.groups.push({ ...phrase, each: true });
      this.nearest = this.out.groups.at(-1);
      return;
    }
    // "the number of different titles and formats": both are counted.
    const counted = this.out.outputs.at(-1);
    const same = counted?.head.kind === "count" ? counted.head.of : undefined;
    if (
      phrase.head.kind === "column" &&
      same?.distinct &&
      this.nearest === counted &&
      this.link.kind === "none" &&
      !this.inPredicate &&
      isCue(this.items[phraseStart(this.items, phrase) - 1], "and")
    ) {
      const other: NounPhrase = { ...phrase, distinct: true };
      this.out.outputs.push({ ...phrase, head: { kind: "count", of: other } });
      return;
    }
    // "In which years were cars …": what follows is spoken of, not asked for.
    const spokenOf =
      this.out.outputs.length === 1 &&
      phrase.head.kind === "table" &&
      /^(in|for|at|on) (which|what)$/i.test(this.items[0]?.text ?? "") &&
      !isCue(this.items[phraseStart(this.items, phrase) - 1], "and", "comma") &&
      !this.inPredicate;
    if (spokenOf || this.opensRelative(phrase)) {
      this.inPredicate = true;
      this.addClause({ object: phrase, words: phrase.words, link: { kind: "relative", word: "in which" } });
      this.subject = phrase;
      this.nearest = phrase;
      return;
    }
    // "… and the last name Ward": a column with its value is a condition.
    const [held] = phrase.values;
    if (
      phrase.head.kind === "column" &&
      held &&
      held.start > phrase.head.item.start &&
      this.out.outputs.length > 0 &&
      this.link.kind === "none"
    ) {
      this.addClause({ object: phrase, words: phrase.words, link: { kind: "preposition", word: "with" } });
      return;
    }
    if (phrase.head.kind === "none" && phrase.cardinal && this.out.outputs.length > 0 && !phrase.superlative) {
      // "teachers aged 32 or 33": a bare number is compared with what stood before.
      this.addClause({ object: phrase, words: phrase.words });
      return;
    }
    // "with more than 5 customers and an average invoice above 6": compared too, not asked for.
    const before = this.out.clauses.at(-1);
    // "with fate A or speed higher than 25", "from Oslo and age above 30": compared, not asked for.
    if (
      ["column", "concept"].includes(phrase.head.kind) &&
      (isCue(next, "compare", "between") || (this.or && isCue(next, "be"))) &&
      isCue(this.items[phraseStart(this.items, phrase) - 1], "and", "or") &&
      before?.subject !== undefined &&
      this.link.kind === "none" &&
      !this.inPredicate &&
      this.out.outputs.length > 0
    ) {
      this.addClause({ subject: before.subject, object: phrase, words: phrase.words, link: { ...before.link } });
      this.nearest = phrase;
      return;
    }
    if (
      phrase.aggregate &&
      isCue(next, "compare", "between") &&
      (before?.object?.cardinal || before?.compare) &&
      isCue(this.items[phraseStart(this.items, phrase) - 1], "and") &&
      this.out.outputs.length > 0
    ) {
      this.addClause({ subject: before.subject, object: phrase, words: phrase.words, link: { ...before.link } });
      this.nearest = phrase;
      return;
    }
    // "with more than 10 albums and more than 100 tracks": both are said of the same rows.
    const listed = isCue(this.items[phraseStart(this.items, phrase) - 1], "and") && this.link.kind === "none";
    if (phrase.cardinal && before?.object?.cardinal && listed && before.object === this.nearest && before.subject) {
      this.addClause({ subject: before.subject, object: phrase, words: phrase.words, link: { ...before.link } });
      this.nearest = phrase;
      return;
    }
    if (this.asksBeside(phrase, before)) this.openOutputs();
    const output =
      !(phrase.none && this.out.outputs.length > 0) &&
      !this.inPredicate &&
      (this.link.kind === "none" || (this.along && this.link.kind !== "preposition") || this.out.outputs.length === 0);
    if (output && !(this.link.kind === "preposition" && this.out.outputs.length === 0 && this.out.intent === "none")) {
      this.out.outputs.push(phrase);
      this.nearest = phrase;
      this.subject = phrase.head.kind === "count" && phrase.head.of ? phrase.head.of : phrase;
      if (phrase.head.kind === "share" && phrase.head.of) {
        this.subject = phrase.head.of;
        this.nearest = phrase.head.of;
      }
      this.link = { kind: "none", word: "" };
      return;
    }
    if (phrase.head.kind === "values" && phrase.unit) {
      // "… by Queen in minutes"
      const measured = this.out.outputs.findLast(
        (known) => known.aggregate !== undefined || known.head.kind === "concept" || known.head.kind === "column",
      );
      if (measured) measured.unit ??= phrase.unit;
    }
    this.addClause({ object: phrase, words: phrase.words });
    // "has a cat that is 3 years old": said of the cat
    const described = phrase.head.kind === "values" && /^that (is|are|was|were)$/i.test(this.peek()?.text ?? "");
    if (described || ["table", "column", "concept", "unknown"].includes(phrase.head.kind)) this.nearest = phrase;
  }

  /**
   * "captains whose class is A and the names of their ships": the predicate is complete, and what follows "and the" is a
   * column of another thing that nothing is said about.
   */
  asksBeside(phrase: NounPhrase, before: Clause | undefined): boolean {
    const said = before?.object?.values.length || before?.object?.cardinal || before?.compare || before?.period;
    if (!this.inPredicate || !said || phrase.head.kind !== "column" || phrase.values.length > 0 || phrase.cardinal)
      return false;
    const start = phraseStart(this.items, phrase);
    const determined = /^the\b/i.test(phrase.words) || /^the$/i.test(this.items[start - 1]?.text ?? "");
    let join = start - 1;
    while (isCue(this.items[join], "filler")) join -= 1;
    const [of, owner] = [this.peek(), this.peek(1)];
    const owned = isCue(of, "preposition") && /^of/i.test(of.text) && owner?.kind === "table";
    return determined && isCue(this.items[join], "and") && owned && this.link.word !== "whose";
  }

  /** What follows is asked for too. */
  openOutputs(): void {
    this.along = true;
    this.inPredicate = false;
    this.resetScope();
    this.ordering = undefined;
  }

  /** "the ranges the mountains belong to": right behind a column, and with a verb of its own. */
  opensRelative(phrase: NounPhrase): boolean {
    const column = this.out.outputs.at(-1)?.head;
    if (phrase.head.kind !== "table" || column?.kind !== "column" || this.inPredicate || this.link.kind !== "none")
      return false;
    let before = phraseStart(this.items, phrase) - 1;
    while (isCue(this.items[before], "filler")) before -= 1;
    const verb = this.peek();
    const acts = verb?.kind === "word" && verb.token.pos === "VERB";
    return acts && this.items[before] === column.item;
  }

  asksWhich(phrase: NounPhrase): boolean {
    const before = this.items[phraseStart(this.items, phrase) - 1];
    return isCue(before, "wh") && /which|what/i.test(before.text);
  }

  startsNounAt(offset: number): boolean {
    const item = this.peek(offset);
    return item !== undefined && ["table", "column", "concept"].includes(item.kind);
  }
}

const isAmount = (phrase: NounPhrase): boolean =>
  (phrase.head.kind === "concept" || phrase.head.kind === "unknown") &&
  /\b(amounts?|levels?|degrees?)$/i.test(phrase.words);

const isListed = (phrase: NounPhrase): boolean => phrase.head.kind === "column" && !phrase.aggregate;

const phraseStart = (items: Item[], phrase: NounPhrase): number =>
  items.findIndex((item) => item.start >= phrase.start);
