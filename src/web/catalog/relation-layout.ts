/**
 * Places tables and the ways to join them: the referring side left, the one it refers to right, by dagre. Pure; sizes
 * are pixels of the drawing.
 */
import dagre from "@dagrejs/dagre";
import type { Relation, Table } from "../../protocol/catalog.ts";
import { plural } from "../elements/numbers.ts";
import { toVisibleString } from "../elements/visible-characters.ts";
import { toNameLines } from "../widgets/join-layout.ts";

export interface RelationNode {
  name: string;
  lines: string[];
  rows: string;
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface RelationEnd {
  x: number;
  y: number;
  /** 1 when the line comes from the left. */
  dx: 1 | -1;
}
export interface RelationEdge {
  relation: Relation;
  path: string;
  /** The referring side, of which many rows may meet one. */
  from: RelationEnd;
  to: RelationEnd;
}
export interface RelationLayout {
  width: number;
  height: number;
  nodes: RelationNode[];
  edges: RelationEdge[];
}

const padding = 12;
const straight = 14;

/** Relations of a table with itself have no line; they stand in the list. */
export function layoutRelations(tables: readonly Table[], relations: readonly Relation[]): RelationLayout {
  const known = new Set(tables.map((table) => table.name));
  const drawn = relations.filter(({ from, to }) => from !== to && known.has(from) && known.has(to));
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", ranksep: 72, nodesep: 14, edgesep: 10, marginx: padding, marginy: padding });
  const boxes = new Map(tables.map((table) => [table.name, toBox(table, countEnds(table.name, drawn))]));
  for (const [name, { width, height }] of boxes) graph.setNode(name, { width, height });
  drawn.forEach(({ from, to }, index) => {
    graph.setEdge(from, to, {}, String(index));
  });
  dagre.layout(graph);
  const nodes = [...boxes].map(([name, box]): RelationNode => {
    const { x, y } = graph.node(name) as { x: number; y: number };
    return { name, ...box, x: x - box.width / 2, y: y - box.height / 2 };
  });
  const at = new Map(nodes.map((node) => [node.name, node]));
  const lanes = drawn.flatMap((relation, index) => {
    const from = at.get(relation.from);
    const to = at.get(relation.to);
    const edge = graph.edge({ v: relation.from, w: relation.to, name: String(index) }) as
      | { points: Point[] }
      | undefined;
    return from && to && edge ? [{ relation, from, to, between: edge.points.slice(1, -1) }] : [];
  });
  const edges = lanes.map((lane): RelationEdge => {
    const forward = lane.from.x < lane.to.x ? 1 : -1;
    const from = toEnd(lane.from, lane, lanes, forward > 0);
    const to = toEnd(lane.to, lane, lanes, forward < 0);
    return { relation: lane.relation, from, to, path: toPath(from, to, lane.between, forward) };
  });
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return { width: Math.ceil(Math.max(width, 0)), height: Math.ceil(Math.max(height, 0)), nodes, edges };
}

interface Point {
  x: number;
  y: number;
}
interface Lane {
  relation: Relation;
  from: RelationNode;
  to: RelationNode;
  between: Point[];
}

const countEnds = (name: string, drawn: readonly Relation[]): number =>
  Math.max(drawn.filter(({ from }) => from === name).length, drawn.filter(({ to }) => to === name).length);

function toBox(table: Table, ends: number): Pick<RelationNode, "lines" | "rows" | "width" | "height"> {
  const lines = toNameLines(toVisibleString(table.name), 26);
  const rows = `${table.rowsEstimated ? "about " : ""}${plural(table.rows, "row")}`;
  const widest = Math.max(...lines.map((line) => line.length)) * 7 + 22;
  return {
    lines,
    rows,
    width: Math.ceil(Math.max(96, widest, rows.length * 6 + 22)),
    height: Math.max(30 + 14 * lines.length, 10 * (ends + 1)),
  };
}

/** Lines on one side of a table share its height in the order of what they lead to, so that none crosses there. */
function toEnd(node: RelationNode, lane: Lane, lanes: Lane[], onRight: boolean): RelationEnd {
  const isRight = (one: Lane) => (one.from === node ? one.from.x < one.to.x : one.to.x < one.from.x);
  const next = (one: Lane) => (one.from === node ? (one.between[0] ?? one.to) : (one.between.at(-1) ?? one.from));
  const same = lanes
    .filter((one) => (one.from === node || one.to === node) && isRight(one) === onRight)
    .toSorted((a, b) => next(a).y - next(b).y);
  return {
    x: onRight ? node.x + node.width : node.x,
    y: node.y + (node.height * (same.indexOf(lane) + 1)) / (same.length + 1),
    dx: onRight ? -1 : 1,
  };
}

function toPath(from: RelationEnd, to: RelationEnd, between: Point[], forward: number): string {
  const stops = [
    { x: from.x + straight * forward, y: from.y },
    ...between.slice(1, -1),
    { x: to.x - straight * forward, y: to.y },
  ];
  let path = `M${round(from.x)} ${round(from.y)}H${round(stops[0]?.x ?? from.x)}`;
  let last = stops[0] ?? from;
  for (const stop of stops.slice(1)) {
    const middle = round((last.x + stop.x) / 2);
    path += `C${middle} ${round(last.y)} ${middle} ${round(stop.y)} ${round(stop.x)} ${round(stop.y)}`;
    last = stop;
  }
  return `${path}H${round(to.x)}`;
}

const round = (value: number): number => Math.round(value * 10) / 10;
