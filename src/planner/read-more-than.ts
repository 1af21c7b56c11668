/** "more visits in 2023 than in 2022": two figures of one group, each of its own time, are compared. */
import type { Building } from "./building.ts";
import { isCue } from "./clause-types.ts";
import type { Condition, Measure } from "./frame.ts";
import type { Item, ItemOf } from "./linking.ts";

type PeriodItem = ItemOf<"period">;

/** The table counted and both periods, where the words stand side by side. */
function findComparison(
  items: Item[],
): { operator: ">" | "<"; table: string; first: PeriodItem; second: PeriodItem } | undefined {
  const than = items.findIndex((item) => /^than$/i.test(item.text));
  const [first, second] = [items[than - 1], items[than + 1]];
  const noun = items[than - 2];
  const more = items[than - 3];
  if (first?.kind !== "period" || second?.kind !== "period" || noun?.kind !== "table") return undefined;
  const operator = /^more$/i.test(more?.text ?? "") ? ">" : /^(fewer|less)$/i.test(more?.text ?? "") ? "<" : undefined;
  return operator ? { operator, table: noun.table, first, second } : undefined;
}

export function readMoreThan(build: Building): void {
  const { frame, resolver, linked } = build;
  const found = findComparison(linked.items);
  if (!found) return;
  const ref = resolver.date([found.table], []);
  if (!ref || !build.graph.toOne(found.table, ref.table)) return;
  const said = [found.first.text, found.second.text];
  // As they were read so far: rows of either time.
  frame.conditions = frame.conditions.filter(
    (condition) =>
      !(condition.kind === "any" || condition.kind === "period") ||
      !said.some((text) => condition.words.includes(text)),
  );
  frame.required = frame.required.filter((table) => table !== found.table);
  const figure = (item: PeriodItem): Measure => {
    const where: Condition = { kind: "period", ref, period: item.period, negated: false, words: item.text };
    return { kind: "count", table: found.table, where: [where], words: `${found.table} ${item.text}` };
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
