/**
 * A session's budget: when it is used up, one question is asked before the next request to the model, and its answer
 * goes on with a larger budget or leaves the session where it is. That question is about money, not about the data: it
 * is none of the reviewer's choices, corrections or deliveries.
 */
import {
  type Budget,
  budgetOptions,
  type GateAnswer,
  type GatePayload,
  isUsedUp,
  type LedgerEntry,
  type NewEntry,
  type PhaseId,
  parseBudget,
  phaseIds,
  toBudgetWords,
  toDollars,
  tokensOf,
  type Usage,
} from "../protocol/index.ts";

type OpenedEntry = Extract<LedgerEntry, { type: "gate-opened" }>;
type BudgetEntry = Extract<NewEntry, { type: "budget" }>;

/** What a budget's gate is about; null for any other gate. */
export function budgetOf(opened: Pick<OpenedEntry, "kind" | "payload">): GatePayload<"question">["budget"] | null {
  if (opened.kind !== "question") return null;
  return (opened.payload as GatePayload<"question">).budget ?? null;
}

/** Null while the model may go on. A question that is closed gets its last sentence whatever it costs. */
export function usedUp(state: { usage: Usage; budget: Budget | null; outcome: unknown }): Budget | null {
  return state.budget !== null && state.outcome === null && isUsedUp(state.usage, state.budget) ? state.budget : null;
}

/** As much again on top of what is used, for each limit there is. */
export function toRaised(limit: Budget, used: Usage): Budget {
  const more = limit.tokens === null ? null : roundUp(Math.max(limit.tokens, tokensOf(used)) + limit.tokens);
  const cost = limit.cost === null ? null : Math.max(limit.cost, used.cost) + limit.cost;
  return { tokens: more, cost: cost === null ? null : Math.ceil(cost * 100 - 1e-9) / 100 };
}

/** To two leading digits, so that the number can be read. */
function roundUp(value: number): number {
  const step = 10 ** Math.max(0, Math.floor(Math.log10(value)) - 1);
  return Math.ceil(value / step) * step;
}

/** `misread`: the reviewer's own words at the last such gate, when no amount stood in them. */
export function toBudgetQuestion(
  { usage: used, phase }: { usage: Usage; phase: PhaseId },
  limit: Budget,
  misread: string | null,
): GatePayload<"question"> {
  const raised = toRaised(limit, used);
  const spent = `${tokensOf(used).toLocaleString("en-US")} tokens${used.cost > 0 ? `, ${toDollars(used.cost)}` : ""}`;
  return {
    frame: {
      title: `The budget of ${toBudgetWords(limit)} is used up. Go on?`,
      intro: `${misread === null ? "" : `“${misread.slice(0, 200)}” names no amount: write 500k, $2 or both. `}Used so far: ${spent}. The model waits and nothing more is spent until you answer.`,
      findings: [],
      writes: [`budget   as you choose; used ${spent}`],
      consequence: "Does what you choose: goes on with the larger budget, or stops here with your decisions kept.",
      otherConsequence: "Write another budget, for example 500k or $2. The model goes on with that.",
      chips: [],
      restsOn: [],
      gatesLeft: phaseIds.length - phaseIds.indexOf(phase),
    },
    topic: "budget",
    question: "What should happen now?",
    options: [
      {
        id: budgetOptions.stop,
        label: "Stop here",
        detail: "Your decisions are kept. Resume asks this again.",
        proposed: true,
      },
      { id: budgetOptions.raise, label: `Go on, up to ${toBudgetWords(raised)} in all` },
    ],
    budget: { used, limit, raised },
  };
}

/** What an answer to a budget's gate writes besides itself. */
export function toBudgetEntries(opened: OpenedEntry, answer: GateAnswer, by: BudgetEntry["by"]): BudgetEntry[] {
  const asked = budgetOf(opened);
  if (!asked) return [];
  const named = answer.answer === "other" ? parseBudget(answer.text ?? "") : null;
  const budget = named ?? (answer.answer === "continue" && answer.choice === budgetOptions.raise ? asked.raised : null);
  return budget ? [{ type: "budget", budget, by }] : [];
}
