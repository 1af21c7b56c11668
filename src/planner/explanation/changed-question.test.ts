/** Words said after F1 that ask for something else than F1 accepted. */
import { expect, it } from "vitest";
import { planned } from "../chinook.fixture.ts";

it.each([
  ["F2: Show only the number of albums", "F2", /output "[^"]+" \(F1: "[^"]+"\)/],
  ["F4: Top 3", "F4", /limit "[^"]+" \(F1: none\)/],
] as const)("%s is told at the gate where it was said", async (words, phase, told) => {
  const made = await planned("How many albums does each artist have?", [words]);
  const [question = ""] = made.summaries[phase].open_questions?.slice(-1) ?? [];
  expect(question).toMatch(/^This changes what was accepted in F1: /);
  expect(question).toMatch(told);
  expect(question).toMatch(/otherwise F6 shows it as a deviation\.$/);
});

it("is silent about words said in F1, and about those that change no more than their phase", async () => {
  const inQuestion = await planned("How many albums does each artist have?", ["F1: Top 3"]);
  const inJoins = await planned("How many albums does each artist have?", ["F3: Use LEFT JOIN in 1"]);
  const questions = [inQuestion, inJoins].flatMap(({ summaries }) =>
    Object.values(summaries).flatMap(({ open_questions }) => open_questions ?? []),
  );
  expect(questions.filter((text) => text.startsWith("This changes"))).toEqual([]);
});
