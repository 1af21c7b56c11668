/**
 * Places the join graph: tables left to right by dagre, edges through lanes that hold their labels. One leaf beside a
 * table that the path runs through hangs below it, which keeps the picture short. Pure; sizes are pixels of the drawing.
 */
import dagre from "@dagrejs/dagre";
import type { JoinSetEvidence } from "../../protocol/evidence.ts";
import { toCount } from "../elements/numbers.ts";
import { toVisibleString } from "../elements/visible-characters.ts";
import { type JoinFact, toAfter, toLeftOutTotal } from "./join-facts.ts";
import { toTwoRows } from "./join-rows.ts";

export interface Point {
  x: number;
  y: number;
}
/** Where an edge meets a table, and the direction it comes from: a unit step towards the table. */
export interface EdgeEnd extends Point {
  dx: number;
  dy: number;
}
export interface GraphNode {
  alias: string;
  nameLines: string[];
  rows: string;
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface GraphEdge {
  fact: JoinFact;
  path: string;
  from: EdgeEnd;
  to: EdgeEnd;
  label: Point;
  beside: "none" | "left" | "right";
}
export interface JoinLayout {
  width: number;
  height: number;
  nodes: GraphNode[];
  edges: GraphEdge[];
  /** Free width at the lower left and right, above `footHeight`, when the picture leaves some. */
  freeLeft: number;
  freeRight: number;
}

export const footHeight = 52;
const padding = 16;
const labelHeight = 66;
const straight = 12;

interface Box {
  alias: string;
  nameLines: string[];
  rows: string;
  width: number;
  height: number;
}

/** Cuts a long name where a reader would, never drops any of it. */
export function toNameLines(name: string, longest = 22): string[] {
  const lines: string[] = [""];
  for (const piece of name.split(/(?<=[_\s.$-])|(?<=[\p{Ll}\d])(?=\p{Lu})/u)) {
    for (let at = 0; at < piece.length; at += longest) {
      const part = piece.slice(at, at + longest);
      const last = lines.length - 1;
      if ((lines[last] ?? "").length + part.length <= longest) lines[last] = (lines[last] ?? "") + part;
      else lines.push(part);
    }
  }
  return lines.filter((line, index) => line !== "" || index === 0);
}

function toBox({ table, alias, role, rows }: JoinSetEvidence["tables"][number], ports: number): Box {
  const nameLines = toNameLines(toVisibleString(table));
  const below = `${toCount(rows)} ${rows === 1 ? "row" : "rows"}${role ? ` · ${toVisibleString(role)}` : ""}`;
  const nameWidth = Math.max(...nameLines.map((line) => line.length)) * 6.7 + 26 + alias.length * 6.7;
  return {
    alias,
    nameLines,
    rows: below,
    width: Math.ceil(Math.max(100, nameWidth, below.length * 5.9 + 22)),
    height: Math.max(30 + 14 * nameLines.length, 12 * (ports + 1)),
  };
}

const afterText = (fact: JoinFact) => (fact.evidence ? toAfter(fact.evidence) : "");
export const lostText = (fact: JoinFact): string => {
  const lost = toLeftOutTotal(fact);
  return lost > 0 ? `${toCount(lost)} left out` : "";
};
const labelWidth = (fact: JoinFact) =>
  Math.max(48, lostText(fact).length * 5.9 - 8, afterText(fact).length * 6.5, fact.decision.type.length * 6.7 + 30);

export function layoutJoins(facts: JoinFact[], tables: JoinSetEvidence["tables"]): JoinLayout {
  const known = new Map(toTables(facts, tables).map((table) => [table.alias, table]));
  const drawn = facts.filter(({ decision }) => decision.left.alias !== decision.right.alias);
  const hanging = findHanging(drawn, [...known.keys()]);
  const flat = drawn.filter((fact) => !hanging.some((hang) => hang.fact === fact));
  const isChain = [...known.keys()].every(
    (alias) =>
      flat.filter(({ decision }) => decision.left.alias === alias).length < 2 &&
      flat.filter(({ decision }) => decision.right.alias === alias).length < 2,
  );

  const boxes = new Map<string, Box>();
  for (const [alias, table] of known) {
    const out = flat.filter(({ decision }) => decision.left.alias === alias).length;
    const into = flat.filter(({ decision }) => decision.right.alias === alias).length;
    boxes.set(alias, toBox(table, Math.max(out, into)));
  }

  // One or two joins leave room: longer edges carry their words better.
  const spread = boxes.size === 2 ? [64] : boxes.size === 3 ? [40, 20] : [];
  if (!isChain) return place(flat, hanging, boxes, [72, 56]);
  const inOneRow = place(flat, hanging, boxes, [...spread, ...chainGaps]);
  return inOneRow.width > comfortable ? (placeInTwoRows(flat, hanging, boxes) ?? inOneRow) : inOneRow;
}

/** Widest picture that the working column shows at once; one a little wider than that is drawn closer. */
export const comfortable = 850;

const chainGaps = [20, 14, 8, 2];

/** Cuts the path where the wider of the two rows is narrowest. */
function placeInTwoRows(flat: JoinFact[], hanging: Hanging[], boxes: Map<string, Box>): JoinLayout | null {
  let best: JoinLayout | null = null;
  for (const bridge of flat) {
    const below = toRest(bridge.decision.right.alias, flat);
    const [upper, lower] = [false, true].map((isLower) => {
      const isIn = (alias: string) => below.has(alias) === isLower;
      const hangs = hanging.filter((hang) => isIn(hang.parent));
      const leaves = new Set(hanging.map((hang) => hang.leaf));
      const own = [...boxes].filter(([alias]) =>
        leaves.has(alias) ? hangs.some((hang) => hang.leaf === alias) : isIn(alias),
      );
      const facts = flat.filter((fact) => fact !== bridge && isIn(fact.decision.left.alias));
      return place(facts, hangs, new Map(own), chainGaps);
    });
    const rows = upper && lower ? toTwoRows(upper, lower, bridge, lostText(bridge)) : null;
    const layout = rows ? toOrigin(rows.nodes, rows.edges) : null;
    if (layout && (!best || layout.width < best.width)) best = layout;
  }
  return best;
}

/** The tables of a path from `alias` on. */
function toRest(alias: string, flat: JoinFact[]): Set<string> {
  const rest = new Set<string>();
  for (let at: string | undefined = alias; at !== undefined && !rest.has(at); ) {
    rest.add(at);
    const here: string = at;
    at = flat.find(({ decision }) => decision.left.alias === here)?.decision.right.alias;
  }
  return rest;
}

function place(
  flat: JoinFact[],
  hanging: Hanging[],
  boxes: Map<string, Box>,
  [between = 0, ...closer]: number[],
): JoinLayout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", ranksep: between, nodesep: 24, edgesep: 8 });
  for (const [alias, box] of boxes) {
    if (hanging.some((hang) => hang.leaf === alias)) continue;
    const below = hanging.find((hang) => hang.parent === alias);
    const leaf = below ? boxes.get(below.leaf) : undefined;
    // As much room above as below: dagre aligns middles, and the table's own middle must stay on the path.
    const room = below && leaf ? below.gap + leaf.height : 0;
    graph.setNode(alias, { width: Math.max(box.width, leaf?.width ?? 0), height: box.height + 2 * room });
  }
  for (const fact of flat) {
    graph.setEdge(
      fact.decision.left.alias,
      fact.decision.right.alias,
      { width: labelWidth(fact), height: labelHeight, labelpos: "c" },
      String(fact.n),
    );
  }
  dagre.layout(graph);

  const nodes: GraphNode[] = [];
  for (const [alias, box] of boxes) {
    if (!graph.hasNode(alias)) continue;
    const { x, y } = graph.node(alias) as Point;
    nodes.push({ ...box, x: x - box.width / 2, y: y - box.height / 2 });
  }
  const at = (alias: string) => nodes.find((node) => node.alias === alias);
  const lanes = flat.flatMap((fact) => {
    const edge = graph.edge({ v: fact.decision.left.alias, w: fact.decision.right.alias, name: String(fact.n) }) as
      | { points: Point[]; x: number; y: number }
      | undefined;
    const left = at(fact.decision.left.alias);
    const right = at(fact.decision.right.alias);
    return edge && left && right
      ? [{ fact, left, right, label: { x: edge.x, y: edge.y }, points: edge.points.slice(1, -1) }]
      : [];
  });
  const edges: GraphEdge[] = lanes.map((lane) => {
    const forward = lane.left.x < lane.right.x ? 1 : -1;
    const from = {
      x: forward > 0 ? lane.left.x + lane.left.width : lane.left.x,
      y: toPort(lane, lane.left, lanes),
      dx: -forward,
      dy: 0,
    };
    const to = {
      x: forward > 0 ? lane.right.x : lane.right.x + lane.right.width,
      y: toPort(lane, lane.right, lanes),
      dx: forward,
      dy: 0,
    };
    const half = labelWidth(lane.fact) / 2;
    return {
      fact: lane.fact,
      from,
      to,
      label: lane.label,
      beside: "none",
      path: toPath(from, to, lane.points, lane.label, half, forward),
    };
  });

  for (const { fact, parent, leaf, gap, side } of hanging) {
    const above = at(parent);
    const box = boxes.get(leaf);
    if (!above || !box) continue;
    const middle = above.x + above.width / 2;
    const top = above.y + above.height;
    const node: GraphNode = { ...box, x: middle - box.width / 2, y: top + gap };
    nodes.push(node);
    const upper: EdgeEnd = { x: middle, y: top, dx: 0, dy: -1 };
    const lower: EdgeEnd = { x: middle, y: node.y, dx: 0, dy: 1 };
    const parentIsLeft = fact.decision.left.alias === parent;
    edges.push({
      fact,
      beside: side,
      label: { x: middle, y: top + gap / 2 },
      path: `M${middle} ${top}V${node.y}`,
      from: parentIsLeft ? upper : lower,
      to: parentIsLeft ? lower : upper,
    });
  }
  const layout = toOrigin(nodes, edges);
  return layout.width > comfortable && closer.length > 0 ? place(flat, hanging, boxes, closer) : layout;
}

/** Every alias that the decisions name, in their order, with what was measured of it. */
function toTables(facts: JoinFact[], tables: JoinSetEvidence["tables"]): JoinSetEvidence["tables"] {
  const found = new Map(tables.map((table) => [table.alias, table]));
  for (const { decision } of facts) {
    for (const { alias, table, role } of [decision.left, decision.right]) {
      const known = found.get(alias);
      if (!known) found.set(alias, { table, alias, role, rows: 0 });
      else if (!known.role && role) found.set(alias, { ...known, role });
    }
  }
  return [...found.values()];
}

interface Hanging {
  fact: JoinFact;
  parent: string;
  leaf: string;
  gap: number;
  side: "left" | "right";
}

/** A leaf of a table with exactly two other neighbours, when at least one of those leads further. */
function findHanging(facts: JoinFact[], aliases: string[]): Hanging[] {
  const of = (alias: string) =>
    facts.filter(({ decision }) => decision.left.alias === alias || decision.right.alias === alias);
  const other = (fact: JoinFact, alias: string) =>
    fact.decision.left.alias === alias ? fact.decision.right.alias : fact.decision.left.alias;
  const hanging: Hanging[] = [];
  for (const parent of aliases) {
    const edges = of(parent);
    const leaves = edges.filter((fact) => of(other(fact, parent)).length === 1);
    const leaf = leaves.at(-1);
    const into = edges.filter((fact) => fact !== leaf && fact.decision.right.alias === parent).length;
    if (edges.length !== 3 || !leaf || leaves.length === 3 || into !== 1) continue;
    const others = edges.filter((fact) => fact !== leaf);
    const lostBefore = others.some((fact) => fact.decision.right.alias === parent && lostText(fact));
    const lostAfter = others.some((fact) => fact.decision.left.alias === parent && lostText(fact));
    const side = lostBefore && !lostAfter ? "right" : "left";
    hanging.push({
      fact: leaf,
      parent,
      leaf: other(leaf, parent),
      side,
      gap: 42 + (lostText(leaf) ? 14 : 0) + (lostBefore && lostAfter ? 20 : 0),
    });
  }
  return hanging;
}

interface Lane {
  fact: JoinFact;
  left: GraphNode;
  right: GraphNode;
  label: Point;
  points: Point[];
}

/** Edges on one side of a table share its height, in the order of their lanes, so that none crosses at the table. */
function toPort(lane: Lane, node: GraphNode, lanes: Lane[]): number {
  const isRightSide = (other: Lane) => (other.left === node ? other.right.x > node.x : other.left.x > node.x);
  const side = isRightSide(lane);
  const same = lanes
    .filter((other) => (other.left === node || other.right === node) && isRightSide(other) === side)
    .sort((a, b) => a.label.y - b.label.y);
  return node.y + (node.height * (same.indexOf(lane) + 1)) / (same.length + 1);
}

function toPath(from: Point, to: Point, points: Point[], label: Point, half: number, forward: number): string {
  const stops: Point[] = [];
  for (const point of points) {
    if (Math.abs(point.x - label.x) < 1)
      stops.push({ x: label.x - half * forward, y: label.y }, { x: label.x + half * forward, y: label.y });
    else stops.push(point);
  }
  const route = [{ x: from.x + straight * forward, y: from.y }, ...stops, { x: to.x - straight * forward, y: to.y }];
  if (route.every((point) => Math.abs(point.y - from.y) < 0.5))
    return `M${round(from.x)} ${round(from.y)}H${round(to.x)}`;
  let path = `M${round(from.x)} ${round(from.y)}H${round(route[0]?.x ?? from.x)}`;
  let last = route[0] ?? from;
  for (const point of route.slice(1)) {
    if (Math.abs(point.y - last.y) < 0.5) path += `L${round(point.x)} ${round(point.y)}`;
    else {
      const half = (last.x + point.x) / 2;
      path += `C${round(half)} ${round(last.y)} ${round(half)} ${round(point.y)} ${round(point.x)} ${round(point.y)}`;
    }
    last = point;
  }
  return `${path}H${round(to.x)}`;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** Moves everything to the origin and measures what stays free at the lower edge. */
function toOrigin(nodes: GraphNode[], edges: GraphEdge[]): JoinLayout {
  const extents = [
    ...nodes.map(({ x, y, width, height }) => ({ left: x, right: x + width, top: y, bottom: y + height })),
    ...edges.map(({ label, fact, beside }) => {
      const half = Math.max(lostText(fact).length * 5.9, 24) / 2;
      const bottom = label.y + (lostText(fact) ? 42 : 28);
      if (beside === "none") return { left: label.x - half, right: label.x + half, top: label.y - 26, bottom };
      const reach = 18 + half * 2;
      return {
        left: label.x - (beside === "left" ? reach : 12),
        right: label.x + (beside === "right" ? reach : 12),
        top: label.y - 20,
        bottom: label.y + 20,
      };
    }),
  ];
  if (extents.length === 0) return { width: 0, height: 0, nodes, edges, freeLeft: 0, freeRight: 0 };
  const left = Math.min(...extents.map((extent) => extent.left)) - padding;
  const top = Math.min(...extents.map((extent) => extent.top)) - 8;
  const width = Math.max(...extents.map((extent) => extent.right)) + padding - left;
  const height = Math.max(...extents.map((extent) => extent.bottom)) + 12 - top;
  const low = extents.filter((extent) => extent.bottom - top > height - footHeight);
  return {
    width: Math.ceil(width),
    height: Math.ceil(height),
    nodes: nodes.map((node) => ({ ...node, x: node.x - left, y: node.y - top })),
    edges: edges.map((edge) => ({
      ...edge,
      path: shift(edge.path, left, top),
      from: move(edge.from, left, top),
      to: move(edge.to, left, top),
      label: { x: edge.label.x - left, y: edge.label.y - top },
    })),
    freeLeft: Math.floor(Math.min(...low.map((extent) => extent.left)) - left),
    freeRight: Math.floor(width - (Math.max(...low.map((extent) => extent.right)) - left)),
  };
}

const move = (end: EdgeEnd, left: number, top: number): EdgeEnd => ({ ...end, x: end.x - left, y: end.y - top });

/** Our own paths only hold absolute M, L, C, H and V. */
function shift(path: string, left: number, top: number): string {
  return path.replace(/([MLCHV])([^MLCHV]*)/g, (_, command: string, numbers: string) => {
    const moved = numbers
      .trim()
      .split(/\s+/)
      .map((text, index) => {
        const vertical = command === "V" || (command !== "H" && index % 2 === 1);
        return round(Number(text) - (vertical ? top : left));
      });
    return command + moved.join(" ");
  });
}
