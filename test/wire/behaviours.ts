/** Scripted models that behave as models of several kinds do. Each reads nothing but its conversation. */
import type { PhaseId } from "../../src/protocol/index.ts";
import { data, explanation, finalSql, interpretations, joins, rightCalls, steps } from "./answer.ts";
import { type Behaviour, type Call, type Reply, toStand } from "./conversation.ts";

const call = (name: string, args: Record<string, unknown>): Reply => ({ calls: [{ name, arguments: args }] });
const decide = (phase: PhaseId, decisions: unknown, more: object = {}): Reply =>
  call("reviewer_decide", { phase, decisions, ...more });
const closing: Reply = { text: "Helena Holý has spent the most money." };

const lookups: Call[] = [
  ...["Customer", "Invoice", "InvoiceLine"].map((table) => ({ name: "describe_table", arguments: { table } })),
  { name: "sample_rows", arguments: { table: "Customer", rows: 3 } },
];

/** Looks things up in parallel once, then is right in each phase at the first try. */
const strong: Behaviour = (conversation) => {
  const { phase, tries } = toStand(conversation);
  if (phase === null) return closing;
  const thinking = { reasoning: `I am in ${phase}. The tables are clear.` };
  if (phase === "F1" && tries === 0) return { ...thinking, calls: lookups };
  return { ...thinking, calls: [rightCalls[phase]] };
};

const rambling = "Let me think about this once more — “spent” might mean the invoice's total, or its lines… ✓ naïve? ";

/** The same with pages of reasoning and prose around each call, a few characters at a time. */
const verbose: Behaviour = (conversation) => ({
  text: "Of course! Here is what I am going to propose now, step by step, and why. ".repeat(8),
  ...strong(conversation),
  reasoning: rambling.repeat(20),
  piece: 7,
});

const fenced = (value: unknown): Reply => ({
  text: `Sure! Here is the JSON:\n\n\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`\n\nLet me know if you need more.`,
});
const without = (value: object, key: string): object =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
const summaryOf = (phase: PhaseId): unknown => rightCalls[phase].arguments.summary;

/** Each phase's answers of a model with few parameters, in turn; the last one is given again when it isn't enough. */
const weakAnswers: Record<PhaseId, Reply[]> = {
  F1: [
    // The call as text, in a fence.
    fenced(rightCalls.F1.arguments),
    // The list as a string, half of what matters, and no summary: accepted, and the phase goes on.
    decide("F1", JSON.stringify(interpretations.slice(0, 1))),
    // A required field is left out.
    call("phase_summary", { phase: "F1", title: "The top customer" }),
    call("phase_summary", { phase: "F1", title: "The top customer", summary: "Money spent per customer." }),
  ],
  F2: [
    decide(
      "F2",
      data.map((decision) => without(decision, "reason")),
      { summary: summaryOf("F2") },
    ),
    // The same again.
    decide(
      "F2",
      data.map((decision) => without(decision, "reason")),
      { summary: summaryOf("F2") },
    ),
    // Every nested object as a string, and null for what it has nothing to say about.
    decide(
      "F2",
      data.map((decision) => JSON.stringify(decision)),
      { summary: JSON.stringify(summaryOf("F2")) },
    ),
  ],
  F3: [
    // One by one: the second set replaces the first.
    decide("F3", joins.slice(0, 1)),
    decide("F3", joins.slice(1)),
    { text: "All joins are proposed now. Shall I go on?" },
    decide(
      "F3",
      joins.map((join) => ({ ...join, reason: null, pairs: JSON.stringify(join.pairs) })),
      { summary: summaryOf("F3") },
    ),
  ],
  F4: [{ text: "There are no filters in this question." }, { calls: [rightCalls.F4] }],
  F5: [
    decide(
      "F5",
      steps.map((step) => without(step, "purpose")),
      { summary: summaryOf("F5") },
    ),
    decide("F5", JSON.stringify(steps), { summary: summaryOf("F5") }),
  ],
  F6: [
    call("submit_sql", { sql: `\`\`\`sql\n${finalSql}\n\`\`\``, explanation }),
    call("submit_sql", { sql: finalSql }),
    { calls: [rightCalls.F6] },
  ],
};

const weak: Behaviour = (conversation) => {
  const { phase, tries } = toStand(conversation);
  if (phase === null) return closing;
  const answers = weakAnswers[phase];
  return answers[Math.min(tries, answers.length - 1)] ?? {};
};

/** One call that is never right, for ever. */
const repeating: Behaviour = () => decide("F1", [{ kind: "interpretation", aspect: "mood", text: null }]);

/** Never calls a tool. */
const chatting: Behaviour = () => ({
  text: "The customer who has spent the most money is probably the one who buys most.",
});

/** Looks up the same for ever and proposes nothing. */
const wandering: Behaviour = () => call("catalog_search", { words: "customer money" });

export const behaviours = { strong, verbose, weak, repeating, chatting, wandering } satisfies Record<string, Behaviour>;
export type BehaviourName = keyof typeof behaviours;
export const behaviourNames = Object.keys(behaviours) as BehaviourName[];
