/** Which accepted measures a join set could change, and how each is put together. Pure. */
import type { Measure } from "../evidence/measure-joins.ts";
import type { JoinDecision } from "../protocol/index.ts";
import type { SessionState } from "../workflow/fold-ledger.ts";

/**
 * Accepted measures of F2, by the alias their table has in the proposed set; a sum unless the words say otherwise. What
 * stays right when rows repeat (distinct counts, lowest and highest) must be told apart, or it would raise an alarm.
 */
export function toMeasures(
  state: Pick<SessionState, "question" | "decisions">,
  joins: readonly JoinDecision[],
): Measure[] {
  const aliases = joins.flatMap((join) => [join.left, join.right]);
  return state.decisions.flatMap(({ decision }) => {
    if (decision.kind !== "column" || decision.role !== "measure") return [];
    const side = aliases.find((candidate) => candidate.table === decision.table);
    if (!side) return [];
    const aggregate = toAggregate(decision.reason.toLowerCase(), state.question.toLowerCase());
    return [{ alias: side.alias, column: decision.column, words: decision.reason, aggregate }];
  });
}

function toAggregate(reason: string, question: string): string {
  if (/\b(average|mean|avg)\b/.test(`${reason} ${question}`)) return "AVG";
  if (/\b(how many|number of|count)\b/.test(reason))
    return /\b(different|distinct|unique)\b/.test(reason) ? "COUNT DISTINCT" : "COUNT";
  if (/\b(highest|largest|longest|maximum|latest|max)\b/.test(reason)) return "MAX";
  return /\b(lowest|smallest|shortest|minimum|earliest|cheapest|min)\b/.test(reason) ? "MIN" : "SUM";
}
