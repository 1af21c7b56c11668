/** What got better and what got worse from one report to another, question by question. */
import { signTest } from "./proportions.ts";
import type { EvaluatedQuestion, Outcome, Report } from "./report.ts";

export interface Changed {
  id: string;
  db: string;
  question: string;
  before: Outcome;
  after: Outcome;
}
export interface Comparison {
  before: string;
  after: string;
  /** Questions in both. */
  shared: number;
  only_before: number;
  only_after: number;
  /** Questions with one id and another text: they are compared with nothing. */
  other_text: number;
  right_before: number;
  right_after: number;
  better: Changed[];
  worse: Changed[];
  /** Right neither before nor after, but with another outcome. */
  moved: Changed[];
  unchanged: number;
  /** McNemar's exact test on what became right and what ceased to be; two-sided. */
  p: number;
}

export function compareReports(before: Report, after: Report): Comparison {
  const earlier = new Map(before.results.map((result) => [result.id, result]));
  const pairs = after.results.flatMap((result): [EvaluatedQuestion, EvaluatedQuestion][] => {
    const other = earlier.get(result.id);
    return other ? [[other, result]] : [];
  });
  const shared = pairs.filter(([a, b]) => a.question === b.question && a.db === b.db);
  const changed = shared
    .filter(([a, b]) => a.outcome !== b.outcome)
    .map(([a, b]): Changed => ({ id: b.id, db: b.db, question: b.question, before: a.outcome, after: b.outcome }));
  const better = changed.filter((change) => change.after === "right");
  const worse = changed.filter((change) => change.before === "right");
  return {
    before: before.model,
    after: after.model,
    shared: shared.length,
    only_before: before.results.length - pairs.length,
    only_after: after.results.length - pairs.length,
    other_text: pairs.length - shared.length,
    right_before: shared.filter(([a]) => a.outcome === "right").length,
    right_after: shared.filter(([, b]) => b.outcome === "right").length,
    better,
    worse,
    moved: changed.filter((change) => change.before !== "right" && change.after !== "right"),
    unchanged: shared.length - changed.length,
    p: signTest(better.length, worse.length),
  };
}
