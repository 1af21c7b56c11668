/** What a reviewer reads off the measured joins, worked out once for graph, table and list. */
import type { JoinDecision } from "../../protocol/decisions.ts";
import type { Finding, JoinEvidence, JoinSetEvidence } from "../../protocol/evidence.ts";
import type { GatePayload } from "../../protocol/gates.ts";
import { toCount, toDuration, toWord } from "../elements/numbers.ts";

export type JoinTone = "plain" | "warning" | "problem";

export interface JoinFact {
  n: number;
  decision: JoinDecision;
  /** Undefined when the set came without figures for this join. */
  evidence: JoinEvidence | undefined;
  tone: JoinTone;
  /** Rows that the join leaves out, by alias; a side that keeps all its rows is absent. */
  leftOut: { alias: string; rows: number }[];
  inferred: number;
  declared: number;
}

export function toJoinFacts({ decisions, evidence, frame }: GatePayload<"join-review">): JoinFact[] {
  return decisions.map((decision, index) => {
    const n = index + 1;
    const measured = evidence.joins.find((join) => join.n === n);
    return {
      n,
      decision,
      evidence: measured,
      tone: toJoinTone(frame.findings, n),
      leftOut: measured ? toLeftOut(decision, measured) : [],
      inferred: measured?.pairs.filter((pair) => pair.origin === "inferred").length ?? 0,
      declared: measured?.pairs.filter((pair) => pair.origin === "declared").length ?? 0,
    };
  });
}

function toJoinTone(findings: Finding[], n: number): JoinTone {
  const about = findings.filter((finding) => finding.where === n);
  if (about.some((finding) => finding.severity === "problem")) return "problem";
  return about.some((finding) => finding.severity === "warning") ? "warning" : "plain";
}

/** Only what the join's type leaves out: a LEFT JOIN keeps the left side's rows without a partner. */
export function toLeftOut({ left, right, type }: JoinDecision, join: JoinEvidence): { alias: string; rows: number }[] {
  const lonelyLeft = { alias: left.alias, rows: join.leftRows - join.leftMatched };
  const lonelyRight = { alias: right.alias, rows: join.rightRows - join.rightMatched };
  const sides = {
    INNER: [lonelyLeft, lonelyRight],
    LEFT: [lonelyRight],
    FULL: [],
    CROSS: [],
    SEMI: [lonelyLeft],
    ANTI: [{ alias: left.alias, rows: join.leftMatched }],
  }[type];
  return sides.filter((side) => side.rows > 0);
}

export const toLeftOutTotal = (fact: JoinFact): number => fact.leftOut.reduce((sum, side) => sum + side.rows, 0);

/** `max 21`: the most partners of one row on the side that has several. */
export function toMax(join: JoinEvidence): string {
  if (join.cardinality === "1:N") return `max ${toCount(join.maxRight)}`;
  if (join.cardinality === "N:M") return `max ${toCount(join.maxLeft)} : ${toCount(join.maxRight)}`;
  return "";
}

export const flip = (cardinality: JoinEvidence["cardinality"]): JoinEvidence["cardinality"] =>
  cardinality === "1:N" ? "N:1" : cardinality === "N:1" ? "1:N" : cardinality;

export function toJoinSentence(facts: JoinFact[], set: JoinSetEvidence): string {
  const nulls = facts.flatMap(({ n, decision, evidence }) =>
    evidence
      ? [
          { n, alias: decision.left.alias, rows: evidence.leftNullKeys },
          { n, alias: decision.right.alias, rows: evidence.rightNullKeys },
        ].filter((side) => side.rows > 0)
      : [],
  );
  const all =
    facts.length === 1 ? "in this join" : facts.length === 2 ? "in both joins" : `in all ${toWord(facts.length)} joins`;
  const nullKeys =
    nulls.length === 0
      ? `0 ${all}`
      : nulls.map((side) => `${toCount(side.rows)} of ${side.alias} in join ${side.n}`).join(", ");
  return `Null keys: ${nullKeys}. ${toExactness(facts, set)} Filters come in F4.`;
}

/** Which figures are counted and which are estimates: the page says no more than was measured. */
function toExactness(facts: JoinFact[], set: JoinSetEvidence): string {
  const time = `${toDuration(set.ms)}, without your filters.`;
  if (set.exact) return `Every figure is exact, counted on all rows in ${time}`;
  const estimated = facts.filter(({ evidence }) => evidence?.estimated).map(({ n }) => n);
  if (estimated.length === 0 || estimated.length === facts.length)
    return `Figures are estimates, because counting all rows would take too long, measured in ${time}`;
  const names = estimated.length === 1 ? `Join ${estimated[0]} is` : `Joins ${estimated.join(", ")} are`;
  return `${names} estimated, because counting all rows would take too long; the others are exact, in ${time}`;
}

/** Rows of the set after a join, as they stand in picture and table. */
export const toAfter = (join: JoinEvidence): string => `${join.estimated ? "≈ " : ""}${toCount(join.after)}`;

/** What the picture says, for those who don't see it. */
export function toGraphLabel(facts: JoinFact[]): string {
  const edges = facts.map(
    ({ n, decision, tone }) =>
      `${n} ${decision.left.table} ${decision.left.alias} ${decision.type} ${decision.right.table} ${decision.right.alias}${tone === "plain" ? "" : `, ${tone}`}`,
  );
  return `Join graph. ${edges.join("; ")}.`;
}
