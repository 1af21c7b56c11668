/**
 * Does the statement hold what words of the question demand? "not" needs a negation, "or" an alternative, "each" groups,
 * "most" an order, "average" an average. What is missing was read as something else or lost: then it is asked, not answered.
 */
import { isCue } from "./clause-types.ts";
import type { Item } from "./linking.ts";
import type { Planned } from "./plan.ts";
import type { Attempt } from "./plan-question.ts";

type Ask = Extract<Planned, { outcome: "ask" }>;

interface Demand {
  name: string;
  word(item: Item, next: Item | undefined, before: Item | undefined): boolean;
  met: RegExp;
}

const demands: Demand[] = [
  {
    name: "negation",
    word: (item, next) =>
      (isCue(item, "not") || (isCue(item, "no") && !/^zero$/i.test(item.text))) && !isCue(next, "compare", "only"),
    met: /NOT EXISTS|NOT IN|<>|IS (NOT )?NULL|NOT (I?LIKE|\()|<|>=|= 0\b|LEFT JOIN/,
  },
  {
    name: "alternative",
    word: (item, next) =>
      isCue(item, "or") && !/^(more|less|fewer|greater|later|earlier|after|before)$/i.test(next?.text ?? ""),
    met: /\bOR\b|\bIN \(|>=|<=|BETWEEN|NOT EXISTS|<>/,
  },
  {
    name: "ranking",
    word: (item) => isCue(item, "superlative", "popular") && !/^(first|last|final|latest)$/i.test(item.text),
    met: /ORDER BY|\bMAX\(|\bMIN\(/,
  },
  {
    name: "average",
    word: (item) => isCue(item, "aggregate") && item.fn === "AVG",
    met: /\bAVG\(/,
  },
  {
    name: "comparison",
    word: (item) => isCue(item, "compare") && item.operator !== "=",
    met: /[<>]|HAVING|BETWEEN/,
  },
  {
    name: "count",
    word: (item, next) => isCue(item, "how-many") && next?.kind === "table",
    met: /COUNT\(|SUM\(|LIMIT/,
  },
];

/** A question back about the first demand that the statement doesn't meet. */
export function askAboutGap(attempt: Attempt, sql: string, settled: ReadonlySet<string>): Ask | undefined {
  if (attempt.corrected.frameEdits.length > 0) return undefined;
  const { items } = attempt.linked;
  for (const [index, item] of items.entries()) {
    const demand = demands.find((known) => known.word(item, items[index + 1], items[index - 1]));
    const id = demand ? `gap:${demand.name}` : "";
    if (!demand || demand.met.test(sql) || settled.has(id)) continue;
    return {
      outcome: "ask",
      phase: "F1",
      id,
      question: `I could not tell what "${item.text}" belongs to. How should I go on?`,
      why: `"${item.text}" asks for a ${demand.name}, and nothing in the statement I would write does that.`,
      options: [
        { id: "rephrase", label: "Keep it for now, I will say what I want instead", proposed: true },
        { id: "without", label: `Go on without "${item.text}"`, detail: "The answer then leaves that out." },
      ],
    };
  }
  return undefined;
}
