/** Joins between tables that no key connects, though declared keys lead from one to the other through a third. Pure. */
import type { Catalog, Relation } from "../protocol/index.ts";
import { listing } from "./ask.ts";
import type { JoinFacts } from "./find-joins.ts";
import { type AddFinding, nameOf, toChip } from "./finding-draft.ts";
import { type Join, type JoinGraph, same } from "./join-graph.ts";

/** Longer ways are found by chance in any schema. */
const mostBridges = 2;

/** A pair that the catalog itself infers, from names and values, is a way of its own. */
export function findBridges(graph: JoinGraph, facts: readonly JoinFacts[], catalog: Catalog, add: AddFinding): void {
  for (const { join, keys } of facts) {
    if (keys.length > 0 || same(nameOf(join.left), nameOf(join.right)) || isInferredRelation(join, catalog)) continue;
    const path = findPath(catalog, nameOf(join.left), nameOf(join.right));
    const bridges = path?.slice(0, -1).map((step) => step.table) ?? [];
    const unused = bridges.filter((name) => !graph.tables.some((table) => same(nameOf(table), name)));
    if (!path || unused.length === 0) continue;
    const how = path.map((step) => step.pairs).join(", then ");
    const [left, right, through] = [nameOf(join.left), nameOf(join.right), listing(bridges)];
    const compares =
      join.decision.pairs.length === 0
        ? "compares nothing"
        : `compares ${join.decision.pairs.map((pair) => `${left}.${pair.left} = ${right}.${pair.right}`).join(" and ")}, which is no declared key`;
    add("warning", {
      code: "bridge-missing",
      title: `Join ${join.n} goes past ${through}, which connects ${left} and ${right}`,
      body: `Declared keys lead from ${left} to ${right}: ${how}. The join ${compares}.`,
      waysOut: [toChip(`Join ${left} and ${right} through ${through}: ${how}`)],
      where: join.n,
    });
  }
}

function isInferredRelation(join: Join, catalog: Catalog): boolean {
  const { pairs } = join.decision;
  const fits = (relation: Relation, from: Join["left"], to: Join["left"], mine: "left" | "right") =>
    same(relation.from, nameOf(from)) &&
    same(relation.to, nameOf(to)) &&
    relation.fromColumns.length === pairs.length &&
    relation.fromColumns.every((column, at) =>
      pairs.some(
        (pair) =>
          same(pair[mine], column) && same(pair[mine === "left" ? "right" : "left"], relation.toColumns[at] ?? ""),
      ),
    );
  return catalog.relations.some(
    (relation) => fits(relation, join.left, join.right, "left") || fits(relation, join.right, join.left, "right"),
  );
}

interface PathStep {
  /** The table it leads to. */
  table: string;
  pairs: string;
}

/** The shortest way along declared keys, in either direction of each. */
function findPath(catalog: Catalog, from: string, to: string): PathStep[] | undefined {
  const declared = catalog.relations.filter((relation) => relation.origin === "declared");
  const seen = new Set([from.toLowerCase()]);
  let paths: PathStep[][] = [[]];
  for (let length = 0; length <= mostBridges; length++) {
    const longer: PathStep[][] = [];
    for (const path of paths) {
      const here = path.at(-1)?.table ?? from;
      for (const relation of declared) {
        const next = same(relation.from, here) ? relation.to : same(relation.to, here) ? relation.from : undefined;
        if (next === undefined || seen.has(next.toLowerCase())) continue;
        seen.add(next.toLowerCase());
        longer.push([...path, { table: next, pairs: toText(relation) }]);
      }
    }
    const found = longer.find((path) => same(path.at(-1)?.table ?? "", to));
    if (found) return found;
    paths = longer;
  }
  return undefined;
}

const toText = (relation: Relation): string =>
  relation.fromColumns
    .map((column, at) => `${relation.from}.${column} = ${relation.to}.${relation.toColumns[at] ?? ""}`)
    .join(" and ");
