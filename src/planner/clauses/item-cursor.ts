/** A cursor over the items of a sentence, with the small readings that need nothing else: numbers with comparisons, what comes next. */

import type { Item, ItemOf } from "../linking/linking.ts";
import type { Aggregate, Operator } from "../words/lexicon.ts";
import { type Cardinal, isCue } from "./clause-types.ts";

export class ItemCursor {
  readonly items: Item[];

  at = 0;

  constructor(items: Item[]) {
    this.items = items;
  }

  peek(offset = 0): Item | undefined {
    return this.items[this.at + offset];
  }

  skipFillers(): void {
    while (isCue(this.peek(), "filler")) this.at += 1;
  }

  /** "more than 20", "at least 5", "between 3 and 5", "5 or more", with a unit when one follows. */
  readCardinal(): Cardinal | undefined {
    const item = this.peek();
    const words = (until: number) =>
      this.items
        .slice(start, until)
        .map((part) => part.text)
        .join(" ");
    const start = this.at;
    const unitAt = () => {
      const unit = this.peek();
      if (unit?.kind === "unit") {
        this.at += 1;
        return unit.unit;
      }
      // "older than 3 years": the column's own unit.
      if (isCue(unit, "bucket") && /^years?$/i.test(unit.text) && !isCue(this.peek(1), "each")) {
        this.at += 1;
        return undefined;
      }
      if (isCue(unit, "filler") && /^(dollars?|usd|euros?)$/i.test(unit.text)) {
        this.at += 1;
        return "dollar";
      }
      return undefined;
    };
    if (isCue(item, "compare")) {
      let offset = 1;
      while (isCue(this.peek(offset), "filler") && this.peek(offset + 1)?.kind === "number") offset += 1;
      const value = this.peek(offset);
      const period =
        value?.kind === "period" && value.period.years?.[0] !== undefined ? value.period.years[0] : undefined;
      if (value?.kind !== "number" && period === undefined) return undefined;
      this.at += offset + 1;
      const unit = unitAt();
      return {
        operator: item.operator,
        value: value?.kind === "number" ? value.value : (period as number),
        ...(unit ? { unit } : {}),
        money: value?.kind === "number" && value.money,
        words: words(this.at),
      };
    }
    if (isCue(item, "between")) {
      const low = this.peek(1);
      const and = this.peek(2);
      const high = this.peek(3);
      if (low?.kind === "number" && isCue(and, "and", "preposition") && high?.kind === "number") {
        this.at += 4;
        const unit = unitAt();
        return {
          operator: "BETWEEN",
          value: low.value,
          upper: high.value,
          ...(unit ? { unit } : {}),
          money: low.money,
          words: words(this.at),
        };
      }
      return undefined;
    }
    if (item?.kind === "number") {
      this.at += 1;
      let operator: Operator = "=";
      const after = this.peek();
      const two = `${after?.text ?? ""} ${this.peek(1)?.text ?? ""}`.toLowerCase();
      if (/^or (more|greater|higher|over)/.test(two)) {
        operator = ">=";
        this.at += 2;
      } else if (/^or (less|fewer|lower|under)/.test(two)) {
        operator = "<=";
        this.at += 2;
      } else if (/^or more/.test((after?.text ?? "").toLowerCase())) {
        operator = ">=";
        this.at += 1;
      }
      const unit = unitAt();
      if (unit && /^or (more|less|longer|shorter)/.test(`${this.peek()?.text ?? ""} ${this.peek(1)?.text ?? ""}`)) {
        operator = /less|shorter/.test(this.peek(1)?.text ?? "") ? "<=" : ">=";
        this.at += 2;
      }
      return { operator, value: item.value, ...(unit ? { unit } : {}), money: item.money, words: words(this.at) };
    }
    return undefined;
  }

  /** "average, minimum and maximum": how many items, and the aggregates after the first. */
  chainedAggregates(): { fns: Aggregate[]; length: number } | undefined {
    const fns: Aggregate[] = [];
    let at = 1;
    for (;;) {
      let next = at;
      while (isCue(this.peek(next), "comma", "and", "filler")) next += 1;
      const item = this.peek(next);
      if (next === at || !isCue(item, "aggregate")) break;
      fns.push((item as unknown as { fn: Aggregate }).fn);
      at = next + 1;
    }
    return fns.length > 0 ? { fns, length: at } : undefined;
  }

  isIn(item: Item | undefined): boolean {
    return item?.kind === "cue" && /^(in|as)$/i.test(item.text);
  }

  sharesColumn(a: ItemOf<"value">, b: ItemOf<"value">): boolean {
    return (
      a.options.some((left) => b.options.some((right) => left.table === right.table && left.column === right.column)) ||
      a.options.length === 0 ||
      b.options.length === 0
    );
  }

  startsNoun(): boolean {
    for (let offset = 0; offset < 4; offset += 1) {
      const item = this.peek(offset);
      if (!item) return false;
      if (["table", "column", "concept", "value"].includes(item.kind)) return true;
      if (isCue(item, "bucket")) return true;
      if (isCue(item, "filler", "all", "distinct", "superlative", "aggregate")) continue;
      if (item.kind === "word") return ["NOUN", "PROPN", "ADJ"].includes(item.token.pos);
      return false;
    }
    return false;
  }

  nounAhead(): boolean {
    const next = this.peek(1);
    if (!next) return false;
    if (["table", "column", "concept"].includes(next.kind)) return true;
    if (next.kind === "word")
      return (
        ["NOUN", "ADJ"].includes(next.token.pos) && ["table", "column", "concept"].includes(this.peek(2)?.kind ?? "")
      );
    return false;
  }
}
