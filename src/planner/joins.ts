/** Ways between tables: shortest paths over relations, declared keys first, with the cardinality that keys imply. */
import type { JoinType, Relation } from "../protocol/index.ts";
import { isSaid, isSpoken } from "./key-roles.ts";
import { isKnownRole, knownCardinality } from "./knowledge.ts";
import type { Schema } from "./schema.ts";

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
    const cost = relation.origin === "declared" ? 1 : 1.4;
    const { said } = wishes;
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
  const cache = new Map<string, Map<string, { cost: number; via?: Step }>>();

  function reach(from: string): Map<string, { cost: number; via?: Step }> {
    const known = cache.get(from);
    if (known) return known;
    const found = new Map<string, { cost: number; via?: Step }>([[from, { cost: 0 }]]);
    const open = new Set([from]);
    while (open.size > 0) {
      const next = [...open].sort(
        (a, b) => (found.get(a)?.cost ?? 0) - (found.get(b)?.cost ?? 0) || a.localeCompare(b),
      )[0] as string;
      open.delete(next);
      for (const { step, cost } of edges.get(next) ?? []) {
        const total = (found.get(next)?.cost ?? 0) + cost;
        if (total < (found.get(step.to)?.cost ?? Number.POSITIVE_INFINITY) - 1e-9) {
          found.set(step.to, { cost: total, via: step });
          open.add(step.to);
        }
      }
    }
    cache.set(from, found);
    return found;
  }

  const graph: JoinGraph = {
    path(from, to) {
      const found = reach(from);
      if (!found.has(to)) return undefined;
      const steps: Step[] = [];
      for (let at = to; at !== from; ) {
        const via = found.get(at)?.via;
        if (!via) return undefined;
        steps.unshift(via);
        at = via.from;
      }
      return steps;
    },
    distance: (from, to) => reach(from).get(to)?.cost ?? 99,
    toOne: (from, to) => graph.path(from, to)?.every((step) => step.toOne) ?? false,
    connect(base, targets) {
      const inside = new Set([base]);
      const steps: Step[] = [];
      const open = [...new Set(targets)].filter((table) => table !== base);
      while (open.length > 0) {
        let best: { path: Step[]; cost: number; table: string } | undefined;
        for (const table of open) {
          for (const from of inside) {
            const cost = graph.distance(from, table);
            if (cost < 99 && (!best || cost < best.cost - 1e-9)) {
              const path = graph.path(from, table);
              if (path) best = { path, cost, table };
            }
          }
        }
        if (!best) return undefined;
        for (const step of best.path) {
          if (!inside.has(step.to)) {
            inside.add(step.to);
            steps.push(step);
          }
        }
        open.splice(0, open.length, ...open.filter((table) => !inside.has(table)));
      }
      return steps;
    },
    selfRelation: (table) =>
      usableRelations(schema, wishes).find((relation) => relation.from === table && relation.to === table),
  };
  return graph;
}

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
