/** "more visits in 2023 than in 2022": two figures of one group, each of its own time, are compared. */

import { isCue } from "../clauses/clause-types.ts";
import type { Item, ItemOf } from "../linking/linking.ts";
import type { Building } from "./building.ts";
import { type Condition, type Key, type Measure, measureTable } from "./frame.ts";

type PeriodItem = ItemOf<"period">;

interface Comparison {
  operator: ">" | "<";
  /** What is counted, or that money or pieces are added up. */
  of: { table: string } | "money" | "sold";
  first: PeriodItem;
  second: PeriodItem;
}

const operatorOf = (item: Item | undefined): ">" | "<" | undefined =>
  /^(more|higher|greater|larger|bigger)$/i.test(item?.text ?? "")
    ? ">"
    : /^(fewer|less|lower|smaller)$/i.test(item?.text ?? "")
      ? "<"
      : undefined;

/** What is compared and both periods, where the words stand side by side: "spent more in", "had more visits in". */
function findComparison(items: Item[]): Comparison | undefined {
  const than = items.findIndex((item) => /^than$/i.test(item.text));
  const [first, second] = [items[than - 1], items[than + 1]];
  const [noun, before] = [items[than - 2], items[than - 3]];
  if (first?.kind !== "period" || second?.kind !== "period") return undefined;
  const operator = operatorOf(before) ?? operatorOf(noun);
  if (!operator) return undefined;
  const named = operatorOf(before) ? noun : before;
  if (named?.kind === "table") return { operator, of: { table: named.table }, first, second };
  if (isCue(named, "sold")) return { operator, of: "sold", first, second };
  return named?.kind === "concept" && named.concept === "money" ? { operator, of: "money", first, second } : undefined;
}

/** The figure that both periods have of their own. */
function figureOf({ of }: Comparison, build: Building): Measure | undefined {
  if (typeof of === "object") return { kind: "count", table: of.table, words: of.table };
  const { frame, resolver } = build;
  if (of === "sold") {
    const quantity = resolver.quantity([frame.entity]);
    return quantity ? { kind: "aggregate", fn: "SUM", of: quantity, words: "pieces sold" } : undefined;
  }
  const money = resolver.money([frame.entity], [frame.entity]);
  return money ? { kind: "aggregate", fn: "SUM", of: money, words: "revenue" } : undefined;
}

export function readMoreThan(build: Building): void {
  const { frame, resolver, linked } = build;
  const found = findComparison(linked.items);
  if (!found) return;
  const figured = figureOf(found, build);
  const table = figured && measureTable(figured);
  const ref = table ? resolver.date([table], []) : undefined;
  if (!figured || !table || !ref || (table !== ref.table && !build.graph.toOne(table, ref.table))) return;
  const said = [found.first.text, found.second.text];
  // As they were read so far: rows of either time.
  frame.conditions = frame.conditions.filter(
    (condition) =>
      !(condition.kind === "any" || condition.kind === "period") ||
      !said.some((text) => condition.words.includes(text)),
  );
  frame.required = frame.required.filter((name) => name !== table);
  frame.outputs = frame.outputs.filter((output) => output.kind !== "measure" || frame.outputs.length === 1);
  // Both times are held against each other, not shown side by side.
  const isTime = (key: Key) => key.kind === "bucket" && key.ref.table === ref.table;
  frame.groups = frame.groups.filter((key) => !isTime(key));
  frame.outputs = frame.outputs.filter((output) => output.kind !== "key" || !isTime(output.key));
  const [only] = frame.outputs;
  if (only?.kind === "measure" && only.measure.kind === "count" && frame.groups.length === 0)
    frame.groups.push({ kind: "entity", table: only.measure.table, words: only.measure.words });
  const figure = (item: PeriodItem): Measure => {
    const where: Condition = { kind: "period", ref, period: item.period, negated: false, words: item.text };
    return { ...figured, where: [where], words: `${figured.words} ${item.text}` };
  };
  const [measure, than] = [figure(found.first), figure(found.second)];
  const words = `more ${said.join(" than ")}`;
  frame.having.push({ measure, operator: found.operator, value: 0, than, words });
  const both = linked.items.some(
    (item, at) =>
      isCue(item, "both") && /^(figures?|numbers?|counts?|values?)$/i.test(linked.items[at + 1]?.text ?? ""),
  );
  if (both) frame.outputs.push({ kind: "measure", measure }, { kind: "measure", measure: than });
  if (both) build.missing = build.missing.filter((text) => !/^(figures?|numbers?|counts?|values?)$/i.test(text));
}
