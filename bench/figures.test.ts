import { expect, it } from "vitest";
import { fitGrowth, median, quantile } from "./figures.ts";

const sizes = [100, 1000, 10_000, 100_000];
const grown = (by: (size: number) => number) => fitGrowth(sizes.map((size) => ({ size, ms: by(size) })));

it("tells linear, n log n and square growth apart, whatever the unit", () => {
  expect(grown((size) => size / 7).exponent).toBeCloseTo(1);
  expect(grown((size) => size * Math.log(size)).worse).toBe(false);
  expect(grown((size) => size ** 1.5)).toMatchObject({ worse: true });
  expect(grown((size) => size ** 2 / 1e9).last).toBeCloseTo(2);
});

it("looks at the largest sizes, where a fixed cost no longer hides how it grows", () => {
  const { exponent, worse } = grown((size) => 1000 + size ** 2 / 1e4);
  expect(exponent).toBeLessThan(1.5);
  expect(worse).toBe(true);
});

it("reads quantiles from values in any order", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(quantile([4, 1, 2, 3], 0.99)).toBe(4);
  expect(quantile([], 0.5)).toBe(0);
});
