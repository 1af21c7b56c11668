/** What is said beside the rows that `test/fixtures/chinook-analyst.jsonl` holds: words at the gates, and what is asked. */
import { describe, expect, it } from "vitest";
import { plan, planned } from "./chinook.fixture.ts";

const said = async (question: string, aspect: string): Promise<string[]> =>
  (await planned(question)).interpretation.filter((known) => known.aspect === aspect).map((known) => known.text);

describe("what analysts ask for is said again", () => {
  it.each([
    [
      "Which country has the highest average spending per customer?",
      "The country with the highest average sum of invoice totals per customer.",
    ],
    [
      "Sales growth by year",
      "The sum of invoice totals for each year, with its growth since the one before in percent.",
    ],
    [
      "How much more did we earn in 2024 than in 2023?",
      "The sum of invoice totals where invoice date in 2024 minus the sum of invoice totals where invoice date in 2023.",
    ],
  ])("%s", async (question, text) => expect(await said(question, "restatement")).toEqual([text]));

  it("as decisions that the statement is held to", async () => {
    const decisions = (await planned("Sales growth by year")).interpretation;
    const output = decisions.find((known) => known.aspect === "output")?.expressions ?? [];
    expect(output.at(-1)).toMatch(/LAG\(/);
    const skipped = (await planned("Which customer has the third highest total spending?")).interpretation;
    expect(skipped.find((known) => known.aspect === "limit")?.expressions).toEqual(["1", "2"]);
  });
});

describe("a manager is joined wherever one is named", () => {
  it.each([
    "Who is the manager of Jane Peacock?",
    "Who is Steve Johnson's boss?",
    "What is the email of Laura Callahan's manager?",
    "Show each employee together with the name of his or her manager",
  ])("%s", async (question) => {
    const { sql, joins } = await planned(question);
    for (const [, alias] of sql.matchAll(/(?<![\w.])([a-z]\w*)\.[A-Z]/g))
      expect(sql).toMatch(new RegExp(`AS ${alias}\\b`));
    expect(joins).toEqual([expect.objectContaining({ left: expect.objectContaining({ table: "Employee" }) })]);
  });
});

describe("asks or says what is missing rather than leaving words out", () => {
  it.each([
    "Who sold more in 2024 than in 2023?",
    "How many tracks does each sales wizard have?",
    "Total invoice amount of each customer in minutes",
    "Growth of the best genre in each country",
    "What is the difference between revenue in 2023 and 2023?",
    "Which employees were more often late in 2024 than in 2023?",
    "Who is Luis Rojas?",
  ])("%s", async (question) => expect((await plan(question)).outcome).not.toBe("plan"));
});
