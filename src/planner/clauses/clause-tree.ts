/**
 * Items to a small tree: noun phrases with their determiners, and clauses attached to the nearest noun. A clause has
 * its own scope of negation. Nothing is resolved to tables here beyond what linking already says.
 */

import type { Item, ItemOf } from "../linking/linking.ts";
import { stem } from "../words/language.ts";
import { emptyPhrase, isCue, type Sentence } from "./clause-types.ts";
import { PhrasePlacer } from "./phrase-placer.ts";

export function parseSentences(items: Item[]): Sentence[] {
  const sentences: Item[][] = [[]];
  for (const item of items) {
    if (item.kind === "cue" && item.cue === "stop") {
      if ((sentences.at(-1) as Item[]).length > 0) sentences.push([]);
    } else (sentences.at(-1) as Item[]).push(item);
  }
  return sentences.filter((sentence) => sentence.length > 0).map((sentence) => new SentenceParser(sentence).parse());
}

class SentenceParser extends PhrasePlacer {
  /** How many clauses there were when a negation was read. */
  negatedAt: number | undefined;

  parse(): Sentence {
    while (this.at < this.items.length) {
      const before = this.at;
      this.step();
      if (this.at === before) {
        const item = this.peek();
        if (item) this.out.unused.push(item);
        this.at += 1;
      }
    }
    // "ordered from most to least": by what is shown.
    if (this.ordering?.direction && this.out.orders.length === 0)
      this.out.orders.push({ direction: this.ordering.direction, alphabetical: false, words: "ordered" });
    this.noteDangling();
    // "where English is not spoken": nothing follows the verb, so what stands before is negated.
    const last = this.out.clauses.at(-1);
    if (this.negated && this.negatedAt === this.out.clauses.length && last && !last.negated && last.object)
      last.negated = true;
    for (const phrase of this.shared)
      for (const other of this.out.outputs)
        if (other.shared?.length === 0 && other.start === phrase.start && phrase.of) other.of = phrase.of;
    return this.out;
  }

  step() {
    const item = this.peek();
    if (!item) return;
    if (item.kind === "period") {
      const { link } = this;
      this.addClause({ period: item.period, words: item.text });
      this.at += 1;
      // "among the 2019 wines": the noun still belongs to the preposition.
      if (link.kind === "preposition" && this.peek()?.kind === "table") this.link = link;
      return;
    }
    if (/^(including|include|even|also)$/i.test(item.text) && this.includesNone()) return;
    if (item.kind === "word") return this.stepWord(item);
    if (item.kind !== "cue") {
      // "earned", "spent" as the predicate; "total spent" is a noun.
      if (
        item.kind === "concept" &&
        item.verbal &&
        this.out.outputs.length > 0 &&
        !this.along &&
        !isCue(this.items[this.at - 1], "aggregate", "and", "comma", "command")
      )
        this.startClause("verb", item.text);
      // "which tracks cost 1.99": said of them, although it is no verb by its tag
      if (item.kind === "concept" && this.out.outputs.length > 0 && !this.along && this.peek(1)?.kind === "number")
        this.startClause("verb", item.text);
      if (this.out.outputs.length > 0 && this.isDone(item, this.peek(1)))
        this.link = { kind: "preposition", word: "as" };
      return this.takePhrase();
    }
    switch (item.cue) {
      case "command":
        this.ordering = /^rank/.test(item.text) ? {} : undefined;
        if (this.out.intent === "none") this.out.intent = "list";
        this.resetScope();
        this.inPredicate = false;
        break;
      case "wh":
        // "the towns from which at least two teachers come"
        if (this.out.outputs.length > 0 && /^((in|for|at|on) )?which$/i.test(item.text) && this.isRelative()) {
          this.openRelative(item.text);
          break;
        }
        if (this.out.intent === "none") this.out.intent = "list";
        if (this.inPredicate && !this.nearest) this.inPredicate = false;
        this.resetScope();
        break;
      case "who": {
        const next = this.peek(1);
        if (this.out.outputs.length === 0) this.takeWho(item);
        else if (next) this.openRelative(item.text);
        break;
      }
      case "when":
      case "where":
        if (this.out.intent === "none") this.out.intent = item.cue;
        else if (item.cue === "where" || this.out.outputs.length > 0) this.openRelative(item.text);
        break;
      case "filler":
        if (/^(them|those|also|too|as well)$/i.test(item.text) && this.out.intent === "list") this.out.additive = true;
        break;
      case "only":
        break;
      case "distinct":
        // "…, without duplicates": said of all that is listed.
        if (
          this.out.outputs.length > 0 &&
          (!this.peek(1) || isCue(this.peek(1), "stop", "comma", "direction", "order"))
        ) {
          this.out.distinct = true;
          break;
        }
        return this.takePhrase();
      case "all":
      case "aggregate":
      case "superlative":
      case "top":
      case "no":
      case "how-many":
      case "how-much":
        return this.takePhrase();
      case "each": {
        // "the votes each received": says of the rows what is said of them anyway.
        const next = this.peek(1);
        if (next?.kind === "word" && next.token.pos === "VERB" && this.out.outputs.length > 0) break;
        return this.takePhrase();
      }
      case "popular":
      case "bucket":
        return this.takePhrase();
      case "share":
        // "customers who share an agent with …"
        if (
          /^share$/i.test(item.text) &&
          this.out.outputs.length > 0 &&
          this.peek(1)?.text.match(/^(a|an|the|their)$/i)
        )
          this.out.unread.push(item.text);
        return this.takePhrase();
      case "preposition":
        if (/^(in|as)$/i.test(item.text) && this.peek(1)?.kind === "unit" && this.out.outputs.length > 0) {
          // "… by Queen in minutes": the unit belongs to what is measured.
          const unit = this.peek(1);
          const measured =
            this.out.outputs.findLast(
              (phrase) => phrase.aggregate || phrase.head.kind === "concept" || phrase.head.kind === "column",
            ) ?? this.out.outputs.at(-1);
          if (measured && unit?.kind === "unit") measured.unit ??= unit.unit;
          this.at += 1;
          break;
        }
        if (this.opensPossessive(item.word)) {
          this.openOutputs();
          break;
        }
        this.link = { kind: "preposition", word: item.word, ...(this.followsVerb() ? { agent: true } : {}) };
        break;
      case "relative":
        if (/^who\b/.test(item.text.toLowerCase()) && this.out.outputs.length === 0) {
          this.takeWho(item);
          break;
        }
        this.openRelative(item.text);
        break;
      case "have":
        this.startClause("have", item.text);
        break;
      case "be":
        // "… and what is the average price": asks for more, says nothing about what stood before.
        if (this.along && isCue(this.items[this.at - 1], "wh", "how-much")) break;
        if (this.out.outputs.length > 0) this.startClause("be", item.text);
        break;
      case "do":
        if (this.out.outputs.length > 0) {
          this.inPredicate = true;
          // "how many albums did AC/DC release": who did it
          this.link = { kind: "none", word: "by" };
        }
        break;
      case "sold":
        // "What did she buy?" asks for the things, which only the verb names.
        if (isCue(this.items[0], "wh") && isCue(this.items[1], "do") && this.out.outputs[0]?.head.kind === "values")
          this.out.unread.push(`what … ${item.text}`);
        this.takeSold(item);
        return;
      case "not":
        this.negated = true;
        this.negatedAt = this.out.clauses.length;
        if (/lack|outside|except|exclud|other than|apart/i.test(item.text)) this.startClause("have", item.text);
        break;
      case "both":
        break;
      case "contrast":
        this.negated = false;
        this.or = false;
        break;
      case "and":
      case "comma":
        return this.takeConjunction(item.cue);
      case "or":
        if (/^(more|fewer|less|greater|higher)$/i.test(this.peek(1)?.text ?? "")) break;
        this.or = true;
        this.goOn(this.peek(1));
        this.skipSameNoun();
        break;
      case "compare":
      case "between":
        return this.takeCompare();
      case "average-compare":
        this.addClause({
          compare: { operator: item.operator, against: { ...emptyPhrase({ kind: "none" }, item), aggregate: "AVG" } },
          words: item.text,
        });
        break;
      case "null":
        this.takeNull(true, item.text);
        break;
      case "set":
        // "registered after 2020": the verb, not that something is recorded at all.
        if (this.peek(1)?.kind === "period") {
          this.startClause("verb", item.text);
          this.hints.push(stem(item.text));
          if (isCue(this.items[this.at - 1], "and", "or") && this.subject) this.nearest = this.subject;
          break;
        }
        this.takeNull(false, item.text);
        break;
      case "order":
        this.ordering = item.direction ? { direction: item.direction } : {};
        break;
      case "direction": {
        const last = this.out.orders.at(-1);
        if (this.ordering && last && !last.direction) last.direction = item.direction;
        else if (last && !last.direction && this.ordering === undefined && last.words === "")
          last.direction = item.direction;
        else if (this.ordering) this.ordering.direction = item.direction;
        else if (last && last.direction === undefined) last.direction = item.direction;
        else this.out.orders.push({ direction: item.direction, alphabetical: false, words: item.text });
        break;
      }
      case "alphabetical": {
        const last = this.out.orders.at(-1);
        if (last && !last.direction) {
          last.direction = item.direction;
          last.alphabetical = true;
        } else this.out.orders.push({ direction: item.direction, alphabetical: true, words: item.text });
        this.ordering = undefined;
        break;
      }
      case "include-none":
        this.out.includeNone = true;
        this.at = this.items.length;
        return;
      case "along":
        this.openOutputs();
        break;
      case "same":
        return this.takeSame();
      case "starts":
      case "ends":
      case "contains":
        this.takeLike(item.cue);
        return;
      case "self":
        this.startClause("self", item.text);
        this.takeSelf();
        return;
      default:
        break;
    }
    this.at += 1;
  }

  /** "stadiums in which", "stadiums which some concerts …": right behind a preposition or a noun. */
  isRelative(): boolean {
    const before = this.items[this.at - 1];
    return (
      this.link.kind === "preposition" || (before !== undefined && ["table", "column", "concept"].includes(before.kind))
    );
  }

  /** "cited by papers": who did it, not what to group by. */
  followsVerb(): boolean {
    const before = this.items[this.at - 1];
    return before?.kind === "word" && before.token.pos === "VERB" && /(ed|en|wn|ght|ade)$/.test(before.token.lower);
  }

  takeWho(item: Item): void {
    this.out.intent = "list";
    const person = emptyPhrase({ kind: "person" }, item);
    this.out.outputs.push(person);
    this.nearest = person;
    this.subject = person;
    if (/\b(is|are|was|were|'s)$/i.test(item.text)) this.startClause("be", item.text);
    if (/\b(has|have|had)$/i.test(item.text)) this.startClause("have", item.text);
  }

  openRelative(word: string): void {
    this.negated = /without/.test(word);
    this.or = this.or && isCue(this.items[this.at - 1], "or");
    this.hints = [];
    this.link = { kind: "relative", word };
    if (/have|has|had|having/.test(word)) this.link = { kind: "have", word };
    // "whose … and that …" goes on about the same thing.
    const goesOn =
      isCue(this.items[this.at - 1], "and", "or", "comma") && this.subject !== undefined && this.inPredicate;
    this.inPredicate = true;
    const entity = this.nearestEntity();
    if (entity && !goesOn) this.subject = entity;
  }

  stepWord(item: ItemOf<"word">) {
    const token = item.token;
    this.at += 1;
    if (token.pos === "VERB" || token.pos === "AUX") {
      if (this.out.outputs.length > 0 || this.out.groups.length > 0) {
        this.startClause("verb", token.lemma);
        this.hints.push(...token.keys);
        const last = this.out.clauses.at(-1);
        // "whose courses have not been arranged": the courses themselves are what there is none of.
        const said = this.negated && last?.object !== undefined && last.object === this.nearest;
        // "or produced before 1980": the alternative is the time, not that it happened.
        const timed = this.or && this.peek()?.kind === "period";
        if (this.endsHere() && !said && !timed) this.addClause({ words: token.text });
      }
      return;
    }
    if (this.ordering && /^(number|count|frequency|figure)s?$/.test(token.lower)) {
      // "sorted by number": whatever is counted.
      this.out.orders.push({ alphabetical: false, words: token.text });
      return;
    }
    if (/^(manager|boss|supervisor|superior)s?$/.test(token.lower)) {
      this.at -= 1;
      return this.takePhrase();
    }
    if (token.pos === "NOUN" || token.pos === "PROPN" || token.pos === "ADJ" || token.pos === "NUM" || token.quoted) {
      this.hints.push(...token.keys);
      // An unlinked noun that nothing linked follows is itself what is asked or named.
      let end = this.at;
      const noun = (at: number) => {
        const part = this.items[at];
        return part?.kind === "word" && (part.token.pos === "NOUN" || part.token.pos === "PROPN") ? part : undefined;
      };
      while (noun(end)) end += 1;
      const next = this.items[end];
      const headless = !next || !["table", "column", "concept", "value"].includes(next.kind);
      if (headless && (token.pos === "NOUN" || token.pos === "PROPN")) {
        const text = this.items
          .slice(this.at - 1, end)
          .map((part) => part.text)
          .join(" ");
        const phrase = emptyPhrase({ kind: "unknown", text }, item);
        if (!this.inPredicate && this.link.kind === "none") this.at = end;
        if (!this.inPredicate && this.link.kind === "none") {
          this.place(phrase);
          return;
        }
      }
      this.out.unused.push(item);
      return;
    }
    // "composed by anyone": a person in general, where no sale says which rows are meant.
    if (/^any(one|body)$/.test(token.lower) && !this.hints.includes("sold") && !isCue(this.peek(), "relative", "who"))
      this.out.unread.push(token.text);
    if (/[\p{L}\p{N}]/u.test(token.text)) this.hints.push(...token.keys);
  }

  /** Nothing follows that the verb could act on. */
  endsHere(): boolean {
    const skip = /^(yet|already|ever)$/i.test(this.peek()?.text ?? "") ? 1 : 0;
    const next = this.peek(skip);
    if (!next || next.kind === "period") return true;
    if (isCue(next, "preposition")) return this.peek(skip + 1)?.kind === "period";
    return isCue(next, "stop", "comma", "and", "or", "contrast", "order", "direction");
  }

  /** "electric bikes or bikes bought after 2021": the same rows under another condition. */
  skipSameNoun(): void {
    let next = 1;
    while (isCue(this.peek(next), "filler")) next += 1;
    const noun = this.peek(next);
    const subject = this.subject ?? this.out.outputs.at(-1);
    const head = subject?.head.kind === "count" ? subject.head.of?.head : subject?.head;
    if (noun?.kind !== "table" || head?.kind !== "table" || head.table !== noun.table || !this.peek(next + 1)) return;
    if (isCue(this.peek(next + 1), "stop", "comma")) return;
    this.at += next;
    this.inPredicate = true;
    this.nearest = subject;
    this.subject = subject;
  }

  /** "both climbers of level A and climbers of level B": the same rows, of whom the other is said too. */
  skipListedNoun(): void {
    let at = 0;
    while (isCue(this.peek(at), "filler")) at += 1;
    const noun = this.peek(at);
    const head = this.subject?.head;
    const said = this.out.clauses.at(-1);
    if (noun?.kind !== "table" || head?.kind !== "table" || head.table !== noun.table || !said) return;
    const both = this.items.slice(0, this.at).some((item) => isCue(item, "both"));
    if (!both || said.subject !== this.subject || !isCue(this.peek(at + 1), "preposition", "relative", "who")) return;
    this.at += at + 1;
    this.inPredicate = true;
    this.nearest = this.subject;
  }

  /** "who bought tracks or live in Rome": a verb behind a conjunction speaks of the subject again. */
  goOn(next: Item | undefined): void {
    const verb = next?.kind === "word" && next.token.pos === "VERB";
    if (verb && (this.inPredicate || this.or) && this.subject) this.nearest = this.subject;
  }

  takeConjunction(cue: "and" | "comma"): void {
    this.at += 1;
    this.or = false;
    this.ordering = this.ordering && this.out.orders.length > 0 ? this.ordering : undefined;
    const next = this.peek();
    // After a leading phrase ("For each country, which …") the question only begins.
    if (isCue(next, "how-many", "how-much", "wh") && (this.out.outputs.length > 0 || !isCue(next, "wh"))) {
      this.resetScope();
      this.inPredicate = false;
      this.along = true;
    }
    if (cue === "comma" && this.out.outputs.length === 0) {
      // A leading phrase ended: "For every country, …".
      this.resetScope();
      this.inPredicate = false;
      this.nearest = undefined;
      this.subject = undefined;
    }
    if (cue === "and") this.skipListedNoun();
    this.goOn(next);
    // A new predicate, or another negation, opens its own scope; further nouns stay inside.
    if (
      isCue(next, "not", "no", "be", "have", "do", "relative", "compare", "sold") ||
      (next?.kind === "word" && next.token.pos === "VERB") ||
      (next?.kind === "concept" && next.verbal)
    )
      this.negated = false;
  }
}
