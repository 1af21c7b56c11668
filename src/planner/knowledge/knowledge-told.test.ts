import { expect, it } from "vitest";
import { plan, planned, rows } from "../chinook.fixture.ts";

it("a word that nothing is called means from now on what the reviewer says", async () => {
  const question = "How many punters live in Paris?";
  expect((await plan(question)).outcome).toBe("cannot-answer");
  const told = await planned(question, ["F1: punters means customers"]);
  expect(rows(told.sql)).toEqual([[2]]);
  expect(told.reasoning.F1).toContain('what "punters" means is said in your words at a gate');
});

it.each(["sales means Quantity", "By sales I mean InvoiceLine.Quantity"])(
  "a word that was read otherwise is read anew: %s",
  async (words) => {
    const question = "What are the sales for the genre Rock?";
    expect(rows((await planned(question)).sql).flat()).toContain(826.65);
    expect(rows((await planned(question, [`F1: ${words}`])).sql).flat()).toContain(835);
  },
);

it("a measure is made of columns, and what was said before still holds", async () => {
  const told = await planned("What is the turnover per country?", [
    "F1: turnover means UnitPrice × Quantity",
    "F1: only the USA",
  ]);
  expect(rows(told.sql).flat().at(-1)).toBeCloseTo(523.06, 2);
});

it("words that explain nothing that is there are asked about", async () => {
  expect((await plan("How many albums are there?", ["F1: blorbs means zorks"])).outcome).toBe("ask");
});
