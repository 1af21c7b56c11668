/** The divisions of a statement, with what is aggregated above and below the line. Pure. */
import { listOf, toNode, unwrap } from "../../sql/tree.ts";
import type { Aggregate, Block } from "./block.ts";
import { nodesIn } from "./column-use.ts";
import type { TrapContext } from "./trap.ts";

export interface Ratio {
  block: Block;
  above: Aggregate[];
  /** Aggregates of the denominator with the block they are computed in. */
  below: { aggregate: Aggregate; block: Block }[];
  node: { [key: string]: unknown };
}

export function ratiosIn({ statement }: TrapContext, block: Block): Ratio[] {
  const within = (value: unknown, of: Block) => {
    const nodes = new Set(nodesIn(value, () => true).map((node) => node.value));
    return of.aggregates.filter(({ node, window }) => !window && nodes.has(toNode(node)?.value ?? {}));
  };
  return nodesIn(listOf(block.select.expressions), (kind) => kind === "div").map(({ value }) => {
    const below = within(value.right, block).map((aggregate) => ({ aggregate, block }));
    for (const { value: query } of nodesIn(value.right, (kind) => kind === "subquery")) {
      const inner = statement.blockOf.get(toNode(unwrap(query.this))?.value);
      if (inner) below.push(...inner.aggregates.map((aggregate) => ({ aggregate, block: inner })));
    }
    return { block, above: within(value.left, block), below, node: value };
  });
}
