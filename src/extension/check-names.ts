/** A model's names held against the catalog before anything is measured: exact spelling, and the nearest when wrong. */
import type { Catalog, ProposedDecision } from "../protocol/index.ts";

/** Null when every table and column exists as written, otherwise words for the model. */
export function refuseNames(catalog: Catalog, decisions: readonly ProposedDecision[]): string | null {
  for (const [index, decision] of decisions.entries()) {
    for (const { table, columns } of namesOf(decision)) {
      const found = catalog.tables.find((candidate) => candidate.name === table);
      if (!found)
        return `Decision ${index + 1}: there is no table ${table}. ${nearest(
          table,
          catalog.tables.map((candidate) => candidate.name),
        )}`;
      for (const column of columns) {
        if (found.columns.some((candidate) => candidate.name === column)) continue;
        return `Decision ${index + 1}: ${table} has no column ${column}. ${nearest(
          column,
          found.columns.map((candidate) => candidate.name),
        )}`;
      }
    }
  }
  return null;
}

function namesOf(decision: ProposedDecision): { table: string; columns: string[] }[] {
  switch (decision.kind) {
    case "table":
      return [{ table: decision.table, columns: [] }];
    case "column":
    case "filter":
      return [{ table: decision.table, columns: [decision.column] }];
    case "join":
      return [
        { table: decision.left.table, columns: decision.pairs.map((pair) => pair.left) },
        { table: decision.right.table, columns: decision.pairs.map((pair) => pair.right) },
      ];
    default:
      return [];
  }
}

function nearest(wrong: string, names: string[]): string {
  const folded = fold(wrong);
  // Tables outside the usual schema: one name may stand for several, so all of them are told.
  const twins = names.filter((name) => name.toLowerCase().endsWith(`.${wrong.toLowerCase()}`));
  if (twins.length > 0) return `With its schema it is ${twins.join(" or ")}.`;
  const close =
    names.find((name) => fold(name) === folded) ??
    names.find((name) => fold(name).includes(folded) || folded.includes(fold(name)));
  return close ? `Did you mean ${close}?` : `There are: ${names.slice(0, 40).join(", ")}.`;
}

const fold = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, "")
    .replace(/s$/, "");
