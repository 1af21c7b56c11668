/**
 * Where a proposal differs from gold, as the words a reviewer would say, most telling first. Earlier gates are held only
 * against what can't come right any more by another way of asking the same: tables that gold takes something from, keys,
 * conditions. Steps and everything else are judged at the last gate, where the rows tell whether a difference matters.
 */
import type { FilterDecision, JoinDecision } from "../../protocol/index.ts";
import type { ReviewedDecision, SeenGate } from "../reviewed.ts";
import { dataDifferences, questionDifferences } from "./data-differences.ts";
import { createSpelling, type Difference, type GoldView, namesOf, toDifference } from "./difference.ts";
import { filterDifferences } from "./filter-differences.ts";
import { statementDifferences } from "./statement-differences.ts";
import { columnKey, type JoinPart } from "./statement-parts.ts";

export function findDifferences(gate: SeenGate, gold: GoldView): Difference[] {
  switch (gate.kind) {
    case "decision-review":
      if (gate.phase === "F1") return questionDifferences(gate.decisions, gold);
      if (gate.phase === "F4") return filterDifferences(filtersOf(gate.decisions), gold);
      return dataDifferences(gate.decisions, gold);
    case "join-review":
      return joinDifferences(gate.decisions, gold);
    case "phase-summary":
      if (gate.phase === "F4") return filterDifferences([], gold);
      return [];
    case "sql-review":
      return statementDifferences(gate.sql, gold);
    default:
      return [];
  }
}

const filtersOf = (decisions: readonly ReviewedDecision[]): FilterDecision[] =>
  decisions.filter((decision) => decision.kind === "filter");

const pairKey = (pair: JoinPart["pairs"][number]): string =>
  [columnKey(pair.left), columnKey(pair.right)].sort().join("=");

function joinDifferences(decisions: readonly JoinDecision[], gold: GoldView): Difference[] {
  const { column: spell } = createSpelling(gold);
  const differences: Difference[] = [];
  for (const [index, decision] of decisions.entries()) {
    const [left, right] = [decision.left.table.toLowerCase(), decision.right.table.toLowerCase()];
    const same = gold.parts.joins.filter(
      (join) => (join.left === left && join.right === right) || (join.left === right && join.right === left),
    );
    const own = decision.pairs.map((pair) =>
      pairKey({
        left: { table: left, column: pair.left.toLowerCase() },
        right: { table: right, column: pair.right.toLowerCase() },
      }),
    );
    const join = same.find((known) => known.pairs.some((pair) => own.includes(pairKey(pair)))) ?? same[0];
    if (!join) continue;
    const wanted = join.pairs[0];
    if (wanted && !join.pairs.some((pair) => own.includes(pairKey(pair))))
      differences.push(
        toDifference("join-pair", { left: spell(wanted.left), right: spell(wanted.right) }, [
          ...namesOf(wanted.left),
          ...namesOf(wanted.right),
        ]),
      );
    else if (isPlain(join.kind) && isPlain(decision.type) && join.kind !== decision.type)
      differences.push(toDifference("join-type", { type: join.kind, n: String(index + 1) }));
  }
  return differences;
}

const isPlain = (kind: string): boolean => kind === "INNER" || kind === "LEFT";
