/** A path of joins too long for one row goes on in a second one below, read from the left again. */
import type { JoinFact } from "./join-facts.ts";
import type { GraphEdge, GraphNode, JoinLayout } from "./join-layout.ts";

/** From the right end of the upper row back to the left end of the lower one. `bridge` is the join between them. */
export function toTwoRows(
  upper: JoinLayout,
  lower: JoinLayout,
  bridge: JoinFact,
  lostWords: string,
): { nodes: GraphNode[]; edges: GraphEdge[] } | null {
  const last = upper.nodes.find((node) => node.alias === bridge.decision.left.alias);
  const first = lower.nodes.find((node) => node.alias === bridge.decision.right.alias);
  if (!last || !first) return null;
  const turn = Math.max(...upper.nodes.map((node) => node.x + node.width)) + 12;
  const across = upper.height + 18;
  const down = across + (lostWords ? 48 : 34);
  const middle = first.x + first.width / 2;
  const from = { x: last.x + last.width, y: last.y + last.height / 2, dx: -1, dy: 0 };
  const to = { x: middle, y: first.y + down, dx: 0, dy: 1 };
  const edge: GraphEdge = {
    fact: bridge,
    from,
    to,
    label: { x: (turn + middle) / 2, y: across },
    beside: "none",
    path: `M${from.x} ${from.y}H${turn}V${across}H${middle}V${to.y}`,
  };
  return {
    nodes: [...upper.nodes, ...lower.nodes.map((node) => ({ ...node, y: node.y + down }))],
    edges: [...upper.edges, edge, ...lower.edges.map((one) => lowered(one, down))],
  };
}

/** Our own paths only hold absolute M, L, C, H and V. */
function lowered(edge: GraphEdge, by: number): GraphEdge {
  const path = edge.path.replace(/([MLCHV])([^MLCHV]*)/g, (_, command: string, numbers: string) => {
    const moved = numbers
      .trim()
      .split(/\s+/)
      .map((text, index) => Number(text) + (command === "V" || (command !== "H" && index % 2 === 1) ? by : 0));
    return command + moved.join(" ");
  });
  return {
    ...edge,
    path,
    from: { ...edge.from, y: edge.from.y + by },
    to: { ...edge.to, y: edge.to.y + by },
    label: { ...edge.label, y: edge.label.y + by },
  };
}
