import { expect, it } from "vitest";
import { toBudgetOption, toThinking } from "./model-options.ts";

it("a budget is tokens, dollars, both or none; anything else is used wrongly", () => {
  expect(toBudgetOption("200k $0.50")).toEqual({ tokens: 200_000, cost: 0.5 });
  expect(toBudgetOption("none")).toBe(null);
  expect(() => toBudgetOption("lots")).toThrow("--budget lots names no amount.");
});

it("a thinking level is one that there is", () => {
  expect(toThinking("xhigh")).toBe("xhigh");
  expect(toThinking(undefined)).toBe(undefined);
  expect(() => toThinking("deep")).toThrow("There is no thinking level deep.");
});
