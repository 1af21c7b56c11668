/** Reads single clauses at the cursor and hangs them on the nearest noun; keeps the scope of negation. */

import type { Item, ItemOf } from "../linking/linking.ts";
import type { ConceptName, Operator } from "../words/lexicon.ts";
import { type Clause, emptyPhrase, isCue, type NounPhrase } from "./clause-types.ts";
import { PhraseReader } from "./noun-phrase.ts";

export abstract class ClauseReader extends PhraseReader {
  /** The noun a modifier attaches to. */
  nearest: NounPhrase | undefined;

  /** The noun the main predicate speaks about. */
  subject: NounPhrase | undefined;

  negated = false;

  or = false;

  link: Clause["link"] = { kind: "none", word: "" };

  inPredicate = false;

  startClause(kind: Clause["link"]["kind"], word: string): void {
    this.link = { kind, word };
    this.inPredicate = true;
  }

  /** "names of tracks that …" speaks about tracks, "tracks that …" about tracks too. */
  nearestEntity(): NounPhrase | undefined {
    return this.nearest ?? this.subject;
  }

  resetScope(): void {
    this.negated = false;
    this.or = false;
    this.hints = [];
    this.link = { kind: "none", word: "" };
  }

  takeSold(item: Item): void {
    this.at += 1;
    if (/^(nothing|none)$/i.test(this.peek()?.text ?? "")) {
      this.negated = true;
      this.at += 1;
    }
    const next = this.peek();
    // "number of tracks sold", "units sold": part of the noun; "tracks never sold", "customers who bought a Jazz track": a clause.
    this.startClause("sold", item.text);
    this.hints.push("sold");
    if (this.or && next?.kind === "period") return;
    let to = 0;
    while (isCue(this.peek(to), "filler", "all", "distinct", "no")) to += 1;
    const after = this.peek(to);
    const object = after && ["table", "column", "value", "concept"].includes(after.kind) && !isCue(next, "preposition");
    const passive =
      !object &&
      (!next ||
        next.kind === "word" ||
        isCue(next, "all") ||
        isCue(
          next,
          "stop",
          "comma",
          "and",
          "preposition",
          "filler",
          "or",
          "order",
          "direction",
          "contrast",
          "each",
          "bucket",
        ) ||
        next.kind === "period");
    if (passive) this.addClause({ words: item.text, hints: ["sold"] });
  }

  takeSelf(): void {
    this.at += 1;
    while (isCue(this.peek(), "filler", "preposition")) this.at += 1;
    const next = this.peek();
    if (
      next &&
      (next.kind === "value" ||
        next.kind === "table" ||
        isCue(next, "no", "each") ||
        /^(manager|boss|supervisor|superior)s?$/i.test(next.text))
    ) {
      const phrase = this.readPhrase();
      if (phrase) {
        this.addClause({ object: phrase, words: `report to ${phrase.words}` });
        return;
      }
    }
    this.addClause({ words: "report to" });
  }

  takeNull(isNull: boolean, words: string): void {
    const clauses = this.out.clauses.concat(this.subject?.clauses ?? [], this.nearest?.clauses ?? []);
    const last = clauses.findLast(
      (clause) =>
        clause.object && clause.object.end <= (this.peek()?.start ?? 0) && clause.object.head.kind === "column",
    );
    if (last && last.object?.head.kind === "column" && last.object.end >= (this.peek()?.start ?? 0) - 3) {
      last.isNull = last.negated ? !isNull : isNull;
      last.negated = false;
      return;
    }
    if (this.nearest?.head.kind === "column" || this.nearest?.head.kind === "concept")
      this.addClause({ isNull, object: this.nearest, words: `${this.nearest.words} ${words}` });
    else {
      // "unknown composer": the column follows.
      const following = this.peek(1);
      if (following?.kind === "column") {
        this.at += 1;
        const phrase = this.readPhrase();
        this.at -= 1;
        if (phrase) this.addClause({ isNull, object: phrase, words: `${words} ${phrase.words}` });
      }
    }
  }

  takeLike(mode: "starts" | "ends" | "contains"): void {
    this.at += 1;
    while (
      (isCue(this.peek(), "filler") && !this.isLetter()) ||
      /^(letter|letters|word|words|string|substring|substr|text|phrase)$/i.test(this.peek()?.text ?? "")
    )
      this.at += 1;
    const next = this.peek();
    const quoted = next?.kind === "value" && next.end === next.start + 1;
    if (mode === "contains" && next && !quoted && next.kind !== "word") {
      // "playlists containing Jazz tracks" means having them.
      this.startClause("have", "contain");
      return;
    }
    if (!next) return;
    this.at += 1;
    const [inPredicate, link] = [this.inPredicate, this.link];
    this.addClause({ like: { mode, text: next.text }, words: `${mode} ${next.text}` });
    // "contain 'Ferry' or 'Harbour'"
    for (;;) {
      const join = this.peek();
      const other = this.peek(1);
      const listed = other?.kind === "value" && (other.quoted || other.options.length === 0);
      if (!isCue(join, "or", "and") || !quoted || !listed) break;
      this.at += 2;
      this.or = isCue(join, "or");
      [this.inPredicate, this.link] = [inPredicate, link];
      this.addClause({ like: { mode, text: other.text }, words: `${mode} ${other.text}` });
    }
  }

  /** "starts with A": a capital letter that ends the phrase is no article. */
  isLetter(): boolean {
    const next = this.peek(1);
    return /^\p{Lu}$/u.test(this.peek()?.text ?? "") && (!next || next.kind === "cue" || next.kind === "period");
  }

  takeCompare() {
    const start = this.at;
    const item = this.peek() as ItemOf<"cue">;
    const first = this.readCardinal();
    if (!first) {
      const attribute = this.peek(1);
      const number = this.peek(2);
      if (
        item.cue === "compare" &&
        (attribute?.kind === "column" || attribute?.kind === "concept") &&
        number?.kind === "number"
      ) {
        // "singers above age 20"
        this.at += 1;
        const phrase = this.readPhrase();
        if (phrase) {
          if (!phrase.cardinal) {
            phrase.cardinal = {
              operator: item.operator,
              value: number.value,
              money: number.money,
              words: `${item.text} ${number.value}`,
            };
            if (this.peek()?.kind === "number") this.at += 1;
          }
          this.addClause({ object: phrase, words: `${item.text} ${phrase.words} ${number.value}` });
          return;
        }
      }
      this.at = start + 1;
      const concept = item.cue === "compare" ? item.concept : undefined;
      const operator = item.cue === "compare" ? item.operator : ">";
      const from = this.at;
      this.skipFillers();
      const next = this.peek();
      const pronoun = this.items.slice(from, this.at).find((known) => /^(one|ones|that|those)$/i.test(known.text));
      if (isCue(next, "relative") && /^that$/i.test(next.text) && isCue(this.peek(1), "preposition")) {
        // "above that of the invoice with …"
        this.at += 2;
        this.skipFillers();
        const against = this.readPhrase();
        if (against) this.compareWith(against, start, operator, concept);
        return;
      }
      if (pronoun && isCue(next, "preposition", "relative")) {
        this.compareWith(emptyPhrase(this.spokenHead(), pronoun), start, operator, concept);
        return;
      }
      if (
        isCue(next, "aggregate", "all", "each") ||
        (next && ["concept", "column", "table", "value"].includes(next.kind)) ||
        isCue(next, "superlative")
      ) {
        const against = this.readPhrase();
        if (against) this.compareWith(against, start, operator, concept);
      }
      return;
    }
    const concept = item.cue === "compare" ? item.concept : undefined;
    const next = this.peek();
    const valueNoun = next?.kind === "value" && ["table", "column"].includes(this.peek(1)?.kind ?? "");
    if (!first.unit && !concept && next && (["table", "column", "concept"].includes(next.kind) || valueNoun)) {
      this.at = start;
      return this.takePhrase();
    }
    const summed = isCue(next, "aggregate") && ["column", "concept"].includes(this.peek(1)?.kind ?? "");
    if (!first.unit && !concept && (isCue(next, "distinct") || summed)) {
      this.at = start;
      return this.takePhrase();
    }
    this.addClause({
      ...this.compared(start),
      compare: {
        operator: first.operator,
        value: first.value,
        money: first.money,
        ...(first.upper === undefined ? {} : { upper: first.upper }),
        ...(first.unit ? { unit: first.unit } : {}),
        ...(concept ? { concept } : {}),
      },
      words: first.words,
    });
    // "not more than 40 on books": the number is what is denied, not the books.
    this.negated = false;
  }

  compareWith(against: NounPhrase, start: number, operator: Operator, concept: ConceptName | undefined): void {
    this.addClause({
      ...this.compared(start),
      compare: { operator, against, ...(concept ? { concept } : {}) },
      words: `${this.items[start]?.text} ${against.words}`,
    });
    // "than the price of every album from …": all of them, and what follows says which.
    const [of, every] = [this.peek(), this.peek(1)];
    if (
      against.head.kind === "column" &&
      isCue(of, "preposition") &&
      /^of/i.test(of.text) &&
      isCue(every, "each", "all")
    ) {
      against.all = true;
      this.at += 1;
      const rows = this.readPhrase();
      if (rows) against.values.push(...rows.values);
      this.nearest = against;
      return;
    }
    // "above the average age of players in …": the average over those.
    const rowsNext =
      this.peek(1)?.kind === "table" || (isCue(every, "filler", "all") && this.peek(2)?.kind === "table");
    if (
      against.aggregate &&
      against.head.kind !== "table" &&
      isCue(of, "preposition") &&
      /^of/i.test(of.text) &&
      rowsNext
    ) {
      this.at += 1;
      const rows = this.readPhrase();
      if (rows) against.of = rows;
      this.nearest = against;
      return;
    }
    if (/^(all|every)$/i.test(of?.text ?? "") && against.head.kind === "column") against.all = true;
    // "than the van with the most seats": what follows tells which van.
    if (against.head.kind === "table" && !against.aggregate && isCue(this.peek(), "preposition", "relative"))
      this.nearest = against;
  }

  /** What "the one with …" stands for: rows of the table that was spoken of. */
  spokenHead(): NounPhrase["head"] {
    const said = [this.subject, this.nearest, ...this.out.outputs];
    const heads = said.flatMap((phrase) =>
      phrase
        ? [phrase.head.kind === "count" && phrase.head.of ? phrase.head.of.head : phrase.head, phrase.of?.head]
        : [],
    );
    return heads.find((head) => head?.kind === "table") ?? { kind: "none" };
  }

  /** "in the same city as an employee": equal values, whatever the keys say. */
  takeSame(): void {
    this.at += 1;
    const object = this.readPhrase();
    if (!isCue(this.peek(), "preposition") || !/^as$/i.test(this.peek()?.text ?? "") || !object) {
      if (object) this.place(object);
      return;
    }
    this.at += 1;
    this.skipFillers();
    const sameAs = this.readPhrase();
    if (!sameAs) return;
    this.addClause({
      subject: this.subject ?? this.nearest,
      object,
      sameAs,
      words: `the same ${object.words} as ${sameAs.words}`,
    });
    // "as the actor named Nick": said of the other one.
    this.nearest = sameAs;
    this.subject = sameAs;
  }

  /** "have no tracks longer than …": right behind a noun the comparison is about it, not about who has it. */
  compared(start: number): { subject?: NounPhrase } {
    const nearest = this.nearest;
    const at = this.items[start]?.start;
    return nearest && nearest.head.kind === "table" && nearest !== this.subject && nearest.end === at
      ? { subject: nearest }
      : {};
  }

  takePhrase(): void {
    const start = this.at;
    const phrase = this.readPhrase();
    if (!phrase) {
      this.at = Math.max(this.at, start + 1);
      return;
    }
    this.place(phrase);
    for (const fn of phrase.shared ?? [])
      if (this.out.outputs.includes(phrase)) this.out.outputs.push({ ...phrase, aggregate: fn, shared: [] });
    if (phrase.shared) this.copyOwner(phrase);
  }

  copyOwner(phrase: NounPhrase): void {
    // The owner ("of all singers") is read later; the copies look at it through the first one.
    this.shared.push(phrase);
  }

  shared: NounPhrase[] = [];

  addClause(part: Partial<Clause> & { words: string }): void {
    const subject =
      part.period || this.link.kind === "preposition" || this.link.kind === "none"
        ? (this.nearest ?? this.subject)
        : (this.subject ?? this.nearest);
    const clause: Clause = {
      subject,
      negated: this.negated,
      or: this.or,
      link: { ...this.link },
      hints: [...this.hints],
      ...part,
    };
    this.out.clauses.push(clause);
    this.or = false;
    if (this.link.kind === "preposition" && !this.inPredicate) this.link = { kind: "none", word: "" };
    if (this.negated && !this.inPredicate) this.negated = false;
  }

  /** "… and how many tracks have it": a pronoun for a figure that only another query could give. */
  noteDangling(): void {
    const last = this.items.findLastIndex((item) => isCue(item, "have"));
    if (last < 1 || this.items.some((item) => isCue(item, "do"))) return;
    const rest = this.items.slice(last + 1);
    if (
      rest.length > 0 &&
      rest.every((item) => isCue(item, "filler")) &&
      rest.some((item) => /^(it|that|this|them)$/i.test(item.text))
    )
      this.out.unread.push(
        this.items
          .slice(last)
          .map((item) => item.text)
          .join(" "),
      );
  }

  /** "with the employee's last name": shown beside the rest, not a condition. */
  opensPossessive(word: string): boolean {
    if (!/^(with|including|plus)/.test(word) || this.out.outputs.length === 0) return false;
    let at = 1;
    while (isCue(this.peek(at), "filler", "each")) at += 1;
    const [owner, possessive, owned] = [this.peek(at), this.peek(at + 1), this.peek(at + 2)];
    if (owner?.kind !== "table" && owner?.kind !== "column") return false;
    const after = this.peek(at + 3);
    return (
      possessive?.text === "'s" &&
      (owned?.kind === "column" || owned?.kind === "concept") &&
      (after === undefined ||
        (after.kind === "cue" && !["compare", "between", "like", "be", "set", "null"].includes(after.cue)))
    );
  }

  /** "…, including playlists without any tracks": keeps groups that have nothing. */
  includesNone(): boolean {
    const rest = this.items.slice(this.at + 1, this.at + 9);
    const no = rest.findIndex((item) => isCue(item, "no", "not") || /^(none|zero)$/i.test(item.text));
    if (no < 0 || no > 4 || this.out.outputs.length === 0) return false;
    this.out.includeNone = true;
    this.at = this.items.length;
    return true;
  }

  /** Decides what a phrase that has been read is for. */
  abstract place(phrase: NounPhrase): void;
}
