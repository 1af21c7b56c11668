/** What the page says about a phase while the model works on it. */
import type { PhaseId } from "../../protocol/phases.ts";

export const phaseWork: Record<PhaseId, { title: string; next: string }> = {
  F1: { title: "Reading your question", next: "The next gate says in plain words what will be computed." },
  F2: {
    title: "Choosing tables and columns",
    next: "The next gate shows each table and column with the reason for it.",
  },
  F3: { title: "Finding how the tables join", next: "The next gate shows every join with what it does to the rows." },
  F4: {
    title: "Matching your words to stored values",
    next: "The next gate shows each filter with every value it matches.",
  },
  F5: { title: "Building the answer step by step", next: "The next gate shows each step, run on all rows." },
  F6: {
    title: "Writing the final SQL",
    next: "The last gate holds the SQL against what you accepted and shows its result.",
  },
};

/** Nouns for the second line of a phase that is done: `5 joins`. */
const nouns: Record<PhaseId, [string, string]> = {
  F1: ["decision", "decisions"],
  F2: ["decision", "decisions"],
  F3: ["join", "joins"],
  F4: ["filter", "filters"],
  F5: ["step", "steps"],
  F6: ["SQL", "decisions"],
};

export const toDecisionCount = (phase: PhaseId, count: number): string =>
  `${count === 0 ? "no" : count} ${nouns[phase][count === 1 ? 0 : 1]}`;
