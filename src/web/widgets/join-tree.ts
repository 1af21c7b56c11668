/** The join set as a tree read from top to bottom, for a narrow screen. Every join appears exactly once. */
import type { JoinFact } from "./join-facts.ts";

export interface TreeEdge {
  fact: JoinFact;
  /** True when the tree goes from the join's right side to its left. */
  reversed: boolean;
  child: TreeNode;
}
export interface TreeNode {
  alias: string;
  table: string;
  role: string | undefined;
  /** Shorter branches first, the longest last: it goes on straight below. */
  edges: TreeEdge[];
  /** Joins back to a table that already stands above. */
  back: { fact: JoinFact; alias: string }[];
}

export function toJoinTree(facts: JoinFact[]): TreeNode[] {
  const left = new Set(facts);
  const seen = new Map<string, TreeNode>();
  const depth = (node: TreeNode): number => 1 + Math.max(0, ...node.edges.map((edge) => depth(edge.child)));
  const grow = (side: JoinFact["decision"]["left"]): TreeNode => {
    const node: TreeNode = { alias: side.alias, table: side.table, role: side.role, edges: [], back: [] };
    seen.set(side.alias, node);
    for (const fact of facts) {
      if (!left.has(fact)) continue;
      const reversed = fact.decision.right.alias === side.alias;
      if (!reversed && fact.decision.left.alias !== side.alias) continue;
      left.delete(fact);
      const other = reversed ? fact.decision.left : fact.decision.right;
      if (seen.has(other.alias)) node.back.push({ fact, alias: other.alias });
      else node.edges.push({ fact, reversed, child: grow(other) });
    }
    node.edges.sort((a, b) => depth(a.child) - depth(b.child));
    return node;
  };
  const roots: TreeNode[] = [];
  for (const fact of facts) if (left.has(fact)) roots.push(grow(fact.decision.left));
  return roots;
}
