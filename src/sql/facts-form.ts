/**
 * One spelling for whole queries: two that read the same tables, joined and filtered alike, and show, group, sort and
 * cut alike have equal forms, whatever their aliases and whether a part they read is a step or a derived table.
 */
import type { Origin } from "./scope.ts";
import type { BlockFact, EdgeFact, StatementFacts } from "./statement-facts.ts";

/** `rows`: how often a row is there doesn't count (IN); `exists`: nor what is shown. */
export function toFactsForm(
  facts: StatementFacts,
  tableKey: (origin: Origin) => string,
  use: "values" | "rows" | "exists",
): string {
  const list = (parts: string[]) => parts.sort().join(";");
  const form = (block: BlockFact): string => {
    const own = <T extends { block?: number }>(items: readonly T[]) =>
      items.filter((item) => item.block === block.block);
    if (block.set !== undefined) return [block.set, ...endForms(block)].join("/");
    const perRow = use === "values" && block.distinct ? `per ${[...block.outputs].sort().join(",")}` : "";
    return [
      list(own(facts.tables).map((table) => table.table.toLowerCase())),
      list(own(facts.reads).map((read) => read.form)),
      list(own(facts.edges).map((edge) => edgeForm(edge, tableKey))),
      list([...new Set(own(facts.conditions).flatMap((fact) => (fact.trivial ? [] : [fact.form])))]),
      block.group ? `per ${block.group.join(",")}` : "",
      perRow,
      ...endForms(block),
      block.other,
      use === "exists" ? "" : block.outputs.join(","),
    ].join("/");
  };
  return `query(${facts.blocks
    .filter((block) => block.final)
    .map(form)
    .join("|")})`;
}

/** An order without a limit says nothing about which rows there are. */
const endForms = (block: BlockFact): string[] =>
  block.limit.length > 0 ? [`first ${block.limit.join(",")} by ${orderForms(block).join(",")}`] : [];

export const orderForms = (block: BlockFact): string[] =>
  block.order.map((key) => `${key.form}${key.descending ? " desc" : ""}`);

function edgeForm(edge: EdgeFact, tableKey: (origin: Origin) => string): string {
  const side = (origins: readonly Origin[]) => {
    const origin = origins[0];
    return origin ? `${tableKey(origin)}.${origin.column}` : "?";
  };
  const pairs = edge.pairs.map((pair) => [side(pair.left), side(pair.right)]);
  const turned = edge.kind === "INNER" || edge.kind === "FULL" || edge.kind === "CROSS";
  return `${edge.kind} ${pairs
    .map((pair) => (turned ? [...pair].sort() : pair).join("="))
    .sort()
    .join("&")}`;
}
