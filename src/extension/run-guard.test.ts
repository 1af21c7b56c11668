import { expect, it } from "vitest";
import { countCall, noCounts, type RunCounts, runLimits, toGaveUp } from "./run-guard.ts";

const play = (calls: [string, boolean][], from: RunCounts = noCounts) =>
  calls.reduce((counts, [tool, failed]) => countCall(counts, tool, failed), from);
const times = (n: number, ...calls: [string, boolean][]) => Array.from({ length: n }, () => calls).flat();

it("calls that fail in a row end the run, one that works takes them back", () => {
  expect(toGaveUp(play(times(runLimits.failures - 1, ["run_query", true])))).toBe(null);
  expect(toGaveUp(play(times(runLimits.failures, ["run_query", true])))).toBe("malformed-calls");
  expect(toGaveUp(play([...times(7, ["run_query", true]), ["run_query", false], ["run_query", true]]))).toBe(null);
});

it("proposals that are always refused end it too, with lookups in between", () => {
  const again: [string, boolean][] = [
    ["describe_table", false],
    ["reviewer_decide", true],
  ];
  expect(toGaveUp(play(times(runLimits.refusals - 1, ...again)))).toBe(null);
  expect(toGaveUp(play(times(runLimits.refusals, ...again)))).toBe("malformed-calls");
});

it("lookups without end are no progress; a gate that was answered begins anew", () => {
  const many = play(times(runLimits.calls, ["describe_table", false]));
  expect(toGaveUp(many)).toBe("no-progress");
  expect(countCall(many, "reviewer_decide", false)).toEqual(noCounts);
});
