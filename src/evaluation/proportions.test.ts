import { expect, it } from "vitest";
import { signTest, wilsonInterval } from "./proportions.ts";

// Figures from the formulas worked out by hand and from published tables.
it("gives Wilson's interval", () => {
  const eight = wilsonInterval(8, 10);
  expect(eight.low).toBeCloseTo(0.4902, 4);
  expect(eight.high).toBeCloseTo(0.9433, 4);
  expect(wilsonInterval(0, 10).low).toBe(0);
  expect(wilsonInterval(0, 10).high).toBeCloseTo(0.2775, 4);
  expect(wilsonInterval(10, 10).high).toBe(1);
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
});

it("gives the exact two-sided sign test", () => {
  expect(signTest(0, 0)).toBe(1);
  expect(signTest(5, 0)).toBeCloseTo(2 / 32, 10);
  expect(signTest(1, 9)).toBeCloseTo((2 * (1 + 10)) / 1024, 10);
  expect(signTest(5, 5)).toBe(1);
  expect(signTest(1000, 1200)).toBeLessThan(0.001);
  expect(signTest(1000, 1000)).toBeCloseTo(1, 6);
});
