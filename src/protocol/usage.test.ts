import { expect, it } from "vitest";
import { isUsedUp, noUsage, parseBudget, toBudget, toBudgetWords, toDollars, toUsage } from "./usage.ts";

it.each([
  ["200k", { tokens: 200_000, cost: null }],
  ["1.5M tokens", { tokens: 1_500_000, cost: null }],
  ["50,000", { tokens: 50_000, cost: null }],
  ["$0.50", { tokens: null, cost: 0.5 }],
  ["2 usd", { tokens: null, cost: 2 }],
  ["200k $0.5", { tokens: 200_000, cost: 0.5 }],
  ["$2 or 1m tokens", { tokens: 1_000_000, cost: 2 }],
  ["go on to 500k, please", { tokens: 500_000, cost: null }],
])("%s is an amount", (text, budget) => {
  expect(parseBudget(text)).toEqual(budget);
});

it.each(["", "as much as you like", "0", "$0", "-5k5", "qwen3:8b", "F3", "the 2nd table's rows"])(
  "%s is none",
  (text) => {
    expect(parseBudget(text)).toBe(null);
  },
);

it("what the page writes can be read again", () => {
  for (const budget of [
    { tokens: 100_000, cost: null },
    { tokens: null, cost: 0.25 },
    { tokens: 1_234_567, cost: 12.4 },
  ])
    expect(parseBudget(toBudgetWords(budget))).toEqual(budget);
});

it("a limit is reached at the token, and at either of the two", () => {
  const used = { ...noUsage, input: 900, cacheRead: 50, output: 50, cost: 0.2 };
  expect(isUsedUp(used, { tokens: 1000, cost: null })).toBe(true);
  expect(isUsedUp(used, { tokens: 1001, cost: null })).toBe(false);
  expect(isUsedUp(used, { tokens: 1001, cost: 0.2 })).toBe(true);
  expect(toBudget({})).toBe(null);
});

it("small sums keep the digits that say something", () => {
  expect([0, 0.000024, 0.0012, 0.01, 0.256, 1234.5].map(toDollars)).toEqual([
    "$0.00",
    "$0.000024",
    "$0.0012",
    "$0.01",
    "$0.26",
    "$1,234.50",
  ]);
});

it("Pi's count becomes ours; nothing counted is null", () => {
  const cost = { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, total: 0.5 };
  expect(toUsage({ input: 3.4, output: 2, cacheRead: 1, cacheWrite: 0, totalTokens: 6, cost })).toEqual({
    input: 3,
    output: 2,
    cacheRead: 1,
    cacheWrite: 0,
    cost: 0.5,
  });
  for (const none of [undefined, null, {}, { input: 0, output: 0 }, { input: "7" }]) expect(toUsage(none)).toBe(null);
});
