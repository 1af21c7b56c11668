/** Ways between tables: shortest paths over relations, declared keys first, with the cardinality that keys imply. */
import type { JoinType, Relation } from "../../protocol/index.ts";
import { isKnownRole, knownCardinality } from "../knowledge/knowledge.ts";
import type { Schema } from "../schema/schema.ts";
import { isSaid, isSpoken, isUnsaidPart } from "./key-roles.ts";

export interface Step {
  from: string;
  to: string;
  pairs: { left: string; right: string }[];
  /** True when the step goes from the referring row to the one it names. */
  toOne: boolean;
  relation: Relation;
}

/** What the reviewer asked to be different about the joins. */
export interface JoinWishes {
  banned: Set<string>;
  types: { table?: string; index?: number; type: JoinType }[];
  pairs: { tables: [string, string]; left: string; right: string }[];
  /** Stems of the question's words: of several keys between two tables they may name one. */
  said?: ReadonlySet<string>;
}

export const noWishes = (): JoinWishes => ({ banned: new Set(), types: [], pairs: [] });

export interface JoinGraph {
  path(from: string, to: string): Step[] | undefined;
  distance(from: string, to: string): number;
  /** Each row of `from` meets at most one row of `to`. */
  toOne(from: string, to: string): boolean;
  /** Steps that connect all tables to the first, nearest first; undefined when one can't be reached. */
  connect(base: string, targets: string[]): Step[] | undefined;
  selfRelation(table: string): Relation | undefined;
}

export function createJoinGraph(schema: Schema, wishes: JoinWishes): JoinGraph {
  const edges = new Map<string, { step: Step; cost: number }[]>();
  const push = (step: Step, cost: number) => edges.set(step.from, [...(edges.get(step.from) ?? []), { step, cost }]);
  for (const relation of usableRelations(schema, wishes)) {
    if (relation.from === relation.to || wishes.banned.has(relation.from) || wishes.banned.has(relation.to)) continue;
    const { said } = wishes;
    const cost = (relation.origin === "declared" ? 1 : 1.4) + (said && isUnsaidPart(schema, relation, said) ? part : 0);
    const spoken = said && [relation.from, relation.to].some((table) => isSpoken(schema, table, said)) ? 0.15 : 0;
    const named = (said && isSaid(schema, relation, said) ? 0.2 : 0) + spoken;
    const wished =
      (relation.why === "reviewer" ? 0.3 : 0) + named + (isKnownRole(schema, relation, wishes.said) ? 0.4 : 0);
    const told = knownCardinality(schema, relation);
    const pairs = relation.fromColumns.map((left, index) => ({ left, right: relation.toColumns[index] ?? left }));
    push({ from: relation.from, to: relation.to, pairs, toOne: told?.toOne ?? true, relation }, cost - wished);
    const unique = told?.backToOne || coversKey(schema, relation.from, relation.fromColumns);
    push(
      {
        from: relation.to,
        to: relation.from,
        pairs: pairs.map(({ left, right }) => ({ left: right, right: left })),
        toOne: unique,
        relation,
      },
      cost - wished + 0.01,
    );
  }
  for (const list of edges.values())
    list.sort(
      (a, b) =>
        a.cost - b.cost ||
        a.step.to.localeCompare(b.step.to) ||
        String(a.step.pairs[0]?.left).localeCompare(String(b.step.pairs[0]?.left)),
    );
  const cache = new Map<string, Map<string, Reached>>();

  function reach(from: string): Map<string, Reached> {
    const known = cache.get(from);
    if (known) return known;
    // A table may be reached by a key of the row or by its partners; what comes next depends on which.
    const states = new Map<string, Reached>([[stateOf(from, false), { table: from, cost: 0, up: false }]]);
    const open = new Set(states.keys());
    while (open.size > 0) {
      const at = [...open].sort(
        (a, b) => (states.get(a)?.cost ?? 0) - (states.get(b)?.cost ?? 0) || a.localeCompare(b),
      )[0] as string;
      open.delete(at);
      const here = states.get(at) as Reached;
      for (const { step, cost } of edges.get(here.table) ?? []) {
        const total = here.cost + cost + (here.up && !step.toOne ? turn : 0);
        const state = stateOf(step.to, isUp(step));
        if (total < (states.get(state)?.cost ?? Number.POSITIVE_INFINITY) - 1e-9) {
          states.set(state, { table: step.to, cost: total, up: isUp(step), via: step, before: here });
          open.add(state);
        }
      }
    }
    const found = new Map<string, Reached>();
    for (const state of states.values())
      if (state.cost < (found.get(state.table)?.cost ?? Number.POSITIVE_INFINITY) - 1e-9) found.set(state.table, state);
    cache.set(from, found);
    return found;
  }

  /** Each row of both ends has at most one partner: nothing is shared by others. */
  const isUp = (step: Step): boolean =>
    step.toOne && !edges.get(step.to)?.some((back) => back.step.relation === step.relation && back.step.toOne);

  /** The steps that add one target after the other, each from where it is nearest. */
  function connectInOrder(base: string, targets: readonly string[]): { steps: Step[]; cost: number } | undefined {
    const inside = new Map<string, Step | undefined>([[base, undefined]]);
    const steps: Step[] = [];
    let cost = 0;
    for (const table of targets) {
      if (inside.has(table)) continue;
      let best: { from: string; cost: number } | undefined;
      for (const [from, via] of inside) {
        const path = graph.path(from, table);
        if (!path) continue;
        const turned = via && path[0] && isUp(via) && !path[0].toOne ? turn : 0;
        const own = graph.distance(from, table) + turned;
        if (!best || own < best.cost - 1e-9) best = { from, cost: own };
      }
      if (!best) return undefined;
      cost += best.cost;
      for (const step of graph.path(best.from, table) ?? []) {
        if (inside.has(step.to)) continue;
        inside.set(step.to, step);
        steps.push(step);
      }
    }
    return { steps, cost };
  }

  const graph: JoinGraph = {
    path(from, to) {
      const steps: Step[] = [];
      let state = reach(from).get(to);
      if (!state) return undefined;
      for (; state?.via; state = state.before) steps.unshift(state.via);
      return steps;
    },
    distance: (from, to) => reach(from).get(to)?.cost ?? 99,
    toOne: (from, to) => graph.path(from, to)?.every((step) => step.toOne) ?? false,
    connect(base, targets) {
      const open = [...new Set(targets)].filter((table) => table !== base);
      const nearest = [...open].sort((a, b) => graph.distance(base, a) - graph.distance(base, b));
      const orders = open.length <= 3 ? permutations(nearest) : [nearest];
      let best: { steps: Step[]; cost: number } | undefined;
      for (const order of orders) {
        const found = connectInOrder(base, order);
        if (found && (!best || found.cost < best.cost - 1e-9)) best = found;
      }
      return best?.steps;
    },
    selfRelation: (table) =>
      usableRelations(schema, wishes).find((relation) => relation.from === table && relation.to === table),
  };
  return graph;
}

interface Reached {
  table: string;
  cost: number;
  /** Reached by a key that many rows share. */
  up: boolean;
  via?: Step;
  before?: Reached;
}

/** More than the way over the table that links both, also where something hangs on its far end. */
const part = 1.8;

/** What rows of one table have in common ties them less than a record of both: members and books of the same branch. */
const turn = 0.45;

const stateOf = (table: string, up: boolean): string => `${up ? "^" : ""}${table}`;

const permutations = (items: readonly string[]): string[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((first, at) =>
        permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [first, ...rest]),
      );

function usableRelations(schema: Schema, wishes: JoinWishes): Relation[] {
  const replaced = schema.relations.filter(
    (relation) =>
      !wishes.pairs.some((wish) => wish.tables.includes(relation.from) && wish.tables.includes(relation.to)),
  );
  const wished: Relation[] = wishes.pairs.map((wish) => ({
    from: wish.tables[0],
    fromColumns: [wish.left],
    to: wish.tables[1],
    toColumns: [wish.right],
    origin: "inferred",
    why: "reviewer",
  }));
  return [...replaced, ...wished];
}

/** True when no two rows can hold the same values in these columns. */
export function coversKey(schema: Schema, table: string, columns: string[]): boolean {
  const info = schema.table(table).table;
  const set = new Set(columns.map((column) => column.toLowerCase()));
  return [info.primaryKey, ...info.unique].some(
    (key) => key.length > 0 && key.every((column) => set.has(column.toLowerCase())),
  );
}
