import { expect, it } from "vitest";
import { check, gates, type LedgerEntry, type NewEntry, noUsage } from "../protocol/index.ts";
import { toBudgetQuestion, toRaised, usedUp } from "./budget.ts";
import { foldLedger } from "./fold-ledger.ts";
import { checkGateRequest, toAnswerEntries } from "./gate-rules.ts";

const stamped = (entries: NewEntry[]): LedgerEntry[] =>
  entries.map((entry, index) => ({ seq: index + 1, at: "2026-01-01T00:00:00Z", ...entry }));
const usage = (input: number, cost = 0): NewEntry => ({
  type: "usage",
  provider: "p",
  model: "m",
  input,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cost,
});
const asked: NewEntry[] = [
  { type: "prompt", text: "q", kind: "question" },
  { type: "budget", budget: { tokens: 1000, cost: null }, by: "reviewer" },
  usage(700),
  usage(400),
];

function openBudget(entries: NewEntry[]) {
  const state = foldLedger(stamped(entries));
  const limit = usedUp(state);
  if (!limit) throw new Error("not used up");
  const payload = toBudgetQuestion(state, limit, null);
  const checked = checkGateRequest(state, {
    v: 1,
    gateId: "g",
    kind: "question",
    phase: state.phase,
    tool: "budget",
    payload,
  });
  if (!checked.ok || !("entry" in checked)) throw new Error("refused");
  return [...entries, checked.entry];
}
function answer(entries: NewEntry[], given: { answer: "continue" | "other"; choice?: string; text?: string }) {
  const state = foldLedger(stamped(entries));
  const hash = state.openGate?.hash ?? "";
  const made = toAnswerEntries(state, state.lastSeq, "g", { answerId: "a", hash, ...given }, "reviewer");
  if (!made.ok || !("entries" in made)) throw new Error("no entries");
  return foldLedger(stamped([...entries, ...made.entries]));
}

it("used up at the limit, not before, and never once the question is closed", () => {
  expect(usedUp(foldLedger(stamped(asked.slice(0, 3))))).toBe(null);
  expect(usedUp(foldLedger(stamped(asked)))).toEqual({ tokens: 1000, cost: null });
  expect(usedUp(foldLedger(stamped([...asked, { type: "outcome", outcome: "answered" }])))).toBe(null);
});

it("the question fits its schema and names what is used; raising goes above what is used already", () => {
  const opened = openBudget(asked).at(-1) as Extract<NewEntry, { type: "gate-opened" }>;
  expect(check(gates.question, opened.payload).ok).toBe(true);
  expect(JSON.stringify(opened.payload)).toContain("1,100 tokens");
  expect(toRaised({ tokens: 1000, cost: 0.5 }, { ...noUsage, input: 5000, cost: 0.1 })).toEqual({
    tokens: 6000,
    cost: 1,
  });
});

it("its answers: raise writes a budget, stop writes none, and own words name one or don't", () => {
  const open = openBudget(asked);
  expect(answer(open, { answer: "continue", choice: "raise" }).budget).toEqual({ tokens: 2100, cost: null });
  expect(usedUp(answer(open, { answer: "continue" }))).toEqual({ tokens: 1000, cost: null });
  expect(answer(open, { answer: "other", text: "up to 5k, or $2" }).budget).toEqual({ tokens: 5000, cost: 2 });
  expect(answer(open, { answer: "other", text: "whatever" }).budget).toEqual({ tokens: 1000, cost: null });
});

it("it is no choice, no correction and no delivery of the question's", () => {
  const state = answer(openBudget(asked), { answer: "other", text: "up to 5k" });
  expect(state).toMatchObject({ choices: {}, corrections: [], undelivered: null, openGate: null });
});
