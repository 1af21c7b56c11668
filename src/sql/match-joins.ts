/** Holds the joins of a statement against the accepted ones: all column pairs in any order, type and kept side. */
import type { JoinDecision } from "../protocol/index.ts";
import type { Accepted, OfKind } from "./accepted.ts";
import { fold, type Origin, type Source } from "./scope.ts";
import type { EdgeFact, EdgePair } from "./statement-facts.ts";

export type JoinMatch =
  | { status: "found"; edges: EdgeFact[] }
  | { status: "type"; edges: EdgeFact[] }
  | { status: "pairs"; edges: EdgeFact[]; lacks: string[]; adds: string[] }
  | { status: "missing"; edges: [] };

interface Side {
  table: string;
  alias: string;
}
interface Fit {
  edge: EdgeFact;
  pairs: Set<EdgePair>;
  type: boolean;
  lacks: string[];
  adds: string[];
}

/**
 * One match per accepted join, in their order, and the edges that no accepted join explains. Joins in covered places
 * (accepted steps) explain themselves but are still held against the accepted joins.
 */
export function matchJoins(
  edges: readonly EdgeFact[],
  accepted: Accepted,
): { matches: JoinMatch[]; unexplained: EdgeFact[] } {
  const explained = new Map<EdgeFact, Set<EdgePair>>();
  const used = new Set<EdgeFact>();
  const matches = accepted.joins.map((join): JoinMatch => {
    const fits = edges.flatMap((edge) => fitOf(edge, join.decision, accepted) ?? []);
    const exact = fits.filter((fit) => fit.type && fit.lacks.length === 0 && fit.adds.length === 0);
    if (exact.length > 0) {
      for (const fit of exact) {
        used.add(fit.edge);
        explained.set(fit.edge, new Set([...(explained.get(fit.edge) ?? []), ...fit.pairs]));
      }
      return { status: "found", edges: exact.map((fit) => fit.edge) };
    }
    const near = fits.sort((a, b) => a.lacks.length + a.adds.length - (b.lacks.length + b.adds.length))[0];
    if (!near) return { status: "missing", edges: [] };
    used.add(near.edge);
    explained.set(near.edge, new Set(near.edge.pairs));
    if (near.lacks.length === 0 && near.adds.length === 0) return { status: "type", edges: [near.edge] };
    return { status: "pairs", edges: [near.edge], lacks: near.lacks, adds: near.adds };
  });
  const unexplained = edges.filter((edge) => {
    if (edge.covered) return false;
    const known = explained.get(edge);
    // Beside a query of one row no row is lost or doubled.
    if (edge.pairs.length === 0) return !used.has(edge) && !edge.explained && !edge.left.single && !edge.right.single;
    return edge.pairs.some(
      (pair) => !known?.has(pair) && !isRejoin(pair) && !(edge.overSteps && isImplied(pair, accepted)),
    );
  });
  return { matches, unexplained };
}

/** How an edge fits an accepted join; undefined when it connects other tables. */
function fitOf(edge: EdgeFact, join: JoinDecision, accepted: Accepted): Fit | undefined {
  const straight = fitSides(edge, join, join.left, join.right, false, accepted);
  const turned = fitSides(edge, join, join.right, join.left, true, accepted);
  const fits = [straight, turned].filter((fit) => fit !== undefined);
  return fits.sort((a, b) => score(a) - score(b))[0];
}

const score = (fit: Fit): number => (fit.type ? 0 : 1) + 2 * (fit.lacks.length + fit.adds.length);

function fitSides(
  edge: EdgeFact,
  join: JoinDecision,
  left: Side,
  right: Side,
  turned: boolean,
  accepted: Accepted,
): Fit | undefined {
  if (join.pairs.length === 0) {
    const tables = holds(edge.left, left, accepted) && holds(edge.right, right, accepted);
    if (!tables || edge.pairs.length > 0) return undefined;
    return { edge, pairs: new Set(), type: sameType(edge, join, turned), lacks: [], adds: [] };
  }
  const touching = edge.pairs.filter(
    (pair) =>
      pair.left.some((origin) => isTable(origin, left, accepted)) &&
      pair.right.some((origin) => isTable(origin, right, accepted)),
  );
  const wanted = join.pairs.map((pair) => (turned ? { left: pair.right, right: pair.left } : pair));
  const pairs = new Set<EdgePair>();
  const lacks: string[] = [];
  for (const want of wanted) {
    const hit = edge.pairs.find(
      (pair) =>
        !pairs.has(pair) &&
        isColumn(pair.left, left, want.left, accepted, join) &&
        isColumn(pair.right, right, want.right, accepted, join),
    );
    if (hit) pairs.add(hit);
    else
      lacks.push(
        turned
          ? `${right.alias}.${want.right} = ${left.alias}.${want.left}`
          : `${left.alias}.${want.left} = ${right.alias}.${want.right}`,
      );
  }
  if (touching.length === 0 && pairs.size === 0) return undefined;
  const adds = touching.filter((pair) => !pairs.has(pair)).map((pair) => pair.text);
  return { edge, pairs, type: sameType(edge, join, turned), lacks, adds };
}

/** The table itself, or a step that hands its columns on. */
function holds(source: Source, side: Side, accepted: Accepted): boolean {
  const table = accepted.tableOf(side.table);
  if (source.table !== undefined) return fold(source.table) === table;
  return source.output.some((column) => column.origins.some((origin) => fold(origin.table) === table));
}

function sameType(edge: EdgeFact, join: JoinDecision, turned: boolean): boolean {
  if (join.type === "ANTI" && edge.alsoAnti && !turned) return true;
  if (edge.kind !== join.type) return false;
  return !turned || edge.kind === "INNER" || edge.kind === "FULL" || edge.kind === "CROSS";
}

function isTable(origin: Origin, side: Side, accepted: Accepted): boolean {
  if (fold(origin.table) !== accepted.tableOf(side.table)) return false;
  const key = accepted.tableKey(origin);
  return (
    !key.includes("#") || key.endsWith("#?") || key === accepted.tableKey({ table: origin.table, alias: side.alias })
  );
}

function isColumn(
  origins: readonly Origin[],
  side: Side,
  column: string,
  accepted: Accepted,
  join: JoinDecision,
): boolean {
  return origins.some((origin) => {
    if (isTable(origin, side, accepted) && origin.column === fold(column)) return true;
    // A step may hand on the partner's column of an accepted join instead: both hold the same values.
    if (!origin.through) return false;
    return sameValues(accepted, join).same(
      `${fold(origin.table)}.${origin.column}`,
      `${accepted.tableOf(side.table)}.${fold(column)}`,
    );
  });
}

/** Joined with itself over the same stored column: a step read again beside its own table adds nothing of its own. */
function isRejoin(pair: EdgePair): boolean {
  return pair.left.some((left) =>
    pair.right.some(
      (right) =>
        fold(left.table) === fold(right.table) && left.column === right.column && (left.through || right.through),
    ),
  );
}

function isImplied(pair: EdgePair, accepted: Accepted): boolean {
  const values = sameValues(accepted);
  return pair.left.some((left) =>
    pair.right.some((right) =>
      values.same(`${fold(left.table)}.${left.column}`, `${fold(right.table)}.${right.column}`),
    ),
  );
}

/** Columns that accepted joins make equal; `except` is left aside. */
function sameValues(accepted: Accepted, except?: JoinDecision): { same(a: string, b: string): boolean } {
  const leader = new Map<string, string>();
  const find = (key: string): string => {
    let at = key;
    for (let up = leader.get(at); up !== undefined && up !== at; up = leader.get(at)) at = up;
    return at;
  };
  const others: OfKind<"join">[] = accepted.joins.filter(
    (join) => join.decision !== except && join.decision.type !== "ANTI",
  );
  for (const { decision } of others) {
    for (const pair of decision.pairs) {
      leader.set(
        find(`${accepted.tableOf(decision.left.table)}.${fold(pair.left)}`),
        find(`${accepted.tableOf(decision.right.table)}.${fold(pair.right)}`),
      );
    }
  }
  return { same: (a, b) => find(a) === find(b) };
}
