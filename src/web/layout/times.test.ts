import { expect, it } from "vitest";
import { toAge, toElapsed, toSpan } from "./times.ts";

it("writes spans and counts", () => {
  expect([0, 20, 410, 9_700, 41_000, 125_000].map(toSpan)).toEqual([
    "<0.01 s",
    "0.02 s",
    "0.41 s",
    "9.7 s",
    "41 s",
    "2:05",
  ]);
  expect([0, 21_400, 725_000, 3_723_000, -5].map(toElapsed)).toEqual(["0:00", "0:21", "12:05", "1:02:03", "0:00"]);
});

it("writes ages: minutes, hours of today, weekdays, dates", () => {
  const now = new Date(2026, 4, 20, 15, 0).getTime();
  expect(
    [0.5, 6, 120, 60 * 16, 60 * 24 * 3, 60 * 24 * 20].map((minutes) => toAge(now - minutes * 60_000, now)),
  ).toEqual(["now", "6 min", "2 h", "Tue", "Sun", "30 Apr"]);
});
