import { expect, it } from "vitest";
import { hashQuestions, parseQuestions } from "./questions.ts";

const line = (more: object) =>
  JSON.stringify({ id: "a", db: "shop", question: "How many?", gold_sql: "SELECT 1", ...more });

it("names the line that can't be read", () => {
  expect(() => parseQuestions(`${line({})}\n\n{"id": 2,`)).toThrow("Line 3 is no JSON.");
  expect(() => parseQuestions(`${line({})}\n${line({ id: "b", db: 7 })}`)).toThrow(/^Line 2 doesn't fit: db/);
  expect(() => parseQuestions(`${line({})}\n${line({})}`)).toThrow("Line 2 has the id of line 1.");
  expect(() => parseQuestions(line({ gold_sql: undefined }))).toThrow("Line 1 has no gold_sql.");
  expect(() => parseQuestions("\n \n")).toThrow("There is no question in it.");
});

it("takes numbers as ids, and questions without gold when no answer is expected", () => {
  const [first, second] = parseQuestions(`${line({ id: 7 })}\n${line({ gold_sql: undefined, expect: "no-answer" })}`);
  expect(first?.id).toBe("7");
  expect(second).toMatchObject({ id: "a", expect: "no-answer" });
});

it("tells a changed question set from one with other remarks", () => {
  const one = parseQuestions(line({}));
  expect(hashQuestions(parseQuestions(line({ difficulty: "hard", tags: ["x"] })))).toBe(hashQuestions(one));
  expect(hashQuestions(parseQuestions(line({ gold_sql: "SELECT 2" })))).not.toBe(hashQuestions(one));
  expect(hashQuestions(parseQuestions(line({ question: "How many now?" })))).not.toBe(hashQuestions(one));
});

it("takes null for nothing", () => {
  expect(parseQuestions(line({ gold_sql_alternatives: null, tags: null }))).toEqual([
    { id: "a", db: "shop", question: "How many?", gold_sql: "SELECT 1" },
  ]);
});
