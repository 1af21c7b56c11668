import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { GateAnswer, PhaseSummary } from "./index.ts";

describe("check", () => {
  it("names the field that is wrong, without coercing anything", () => {
    const summary = { version: 2, phase: "F1", title: "t", summary: "s" };
    expect(check(PhaseSummary, summary)).toEqual({ ok: true, value: summary });
    expect(check(PhaseSummary, { ...summary, version: "2" })).toMatchObject({ ok: false });
    expect(check(PhaseSummary, { ...summary, open_questions: [null] })).toMatchObject({
      ok: false,
      problem: "open_questions.0: must be string",
    });
  });

  it("calls a field that nobody knows an unknown field", () => {
    const answer = { answerId: "a", hash: "h", answer: "continue" };
    expect(check(GateAnswer, { ...answer, foo: 1 })).toEqual({ ok: false, problem: "foo: unknown field" });
  });
});
