import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { check, type Decision, ProposedDecision } from "../protocol/index.ts";
import { assembleSteps } from "../sql/assemble-steps.ts";
import { conform } from "../sql/conformance.ts";
import { openChinook, plan, planned, rows } from "./chinook.fixture.ts";
import type { Plan } from "./plan-question.ts";

const questions = ["chinook-questions", "chinook-more"].flatMap((name) =>
  readFileSync(new URL(`../../test/fixtures/${name}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => (JSON.parse(line) as { question: string }).question),
);
const decisionsOf = (made: Plan): Decision[] => [
  ...made.interpretation,
  ...made.tables,
  ...made.columns,
  ...made.joins,
  ...made.filters,
  ...made.steps,
];

describe("planQuestion", () => {
  it("gives the same plan for the same input, byte for byte", async () => {
    for (const question of questions.slice(0, 8))
      expect(JSON.stringify(await plan(question))).toBe(JSON.stringify(await plan(question)));
  });

  it("proposes decisions that the protocol accepts and that the final SQL conforms to", async () => {
    const { catalog } = await openChinook();
    for (const question of questions) {
      const made = await planned(question);
      const decisions = decisionsOf(made);
      for (const decision of decisions)
        expect(check(ProposedDecision, decision), `${question}: ${JSON.stringify(decision)}`).toMatchObject({
          ok: true,
        });
      const report = conform(
        made.sql,
        decisions.map((decision, index) => ({ seq: index + 1, decision })),
        catalog,
      );
      expect(report.deviations, question).toEqual([]);
    }
  });

  it("writes joins and filters into the steps word for word, and the steps into the SQL", async () => {
    for (const question of questions) {
      const made = await planned(question);
      const text = made.steps
        .map((step) => step.sql)
        .join("\n")
        .replace(/\s+/g, " ");
      for (const join of made.joins) {
        const on = join.pairs
          .map((pair) => `${join.left.alias}.${pair.left} = ${join.right.alias}.${pair.right}`)
          .join(" AND ");
        expect(text, question).toContain(
          join.type === "ANTI" || join.type === "SEMI"
            ? `FROM ${join.right.table} AS ${join.right.alias}`
            : `${join.type} JOIN ${join.right.table} AS ${join.right.alias} ON ${on}`,
        );
        expect(text, question).toContain(on);
      }
      for (const filter of made.filters) expect(text, question).toContain(filter.condition.replace(/\s+/g, " "));
      expect(made.sql.startsWith(assembleSteps(made.steps, "").trimEnd())).toBe(true);
      for (const table of made.tables.filter((decision) => decision.use === "used"))
        expect(text, question).toMatch(new RegExp(`\\b${table.table} AS `));
      expect(made.sql).not.toContain("*,");
    }
  });

  it("takes at least two steps for a filter with an aggregate, each with another row count than the source", async () => {
    const made = await planned("How many tracks are in the Rock genre?");
    expect(made.steps.length).toBeGreaterThanOrEqual(2);
    const counts = made.steps.map((_, index) => rows(`${assembleSteps(made.steps.slice(0, index + 1))}`).length);
    expect(counts).toEqual([1297, 1]);
  });

  it("counts nothing twice over a fan-out", async () => {
    // An invoice with three Rock lines is still one invoice.
    const made = await planned("How many invoices contain Rock tracks?");
    const wanted = rows(
      "SELECT COUNT(DISTINCT il.InvoiceId) FROM InvoiceLine il JOIN Track t ON t.TrackId = il.TrackId JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name = 'Rock'",
    );
    expect(rows(made.sql)).toEqual(wanted);
  });

  it("takes line money where a header total would be counted twice", async () => {
    expect((await planned("What are total sales by media type?")).sql).toMatch(/UnitPrice \* .*Quantity/);
    expect((await planned("What are total sales by billing country?")).sql).toContain(".Total");
  });

  it.each([
    ["What is the profit margin of each album?", /profit margin/],
    ["Which customers are from Narnia?", /Narnia/],
    ["Which albums were released in 1995?", /1995/],
    ["Which customers are older than 30?", /older than 30/],
    ["How many tracks are rated 5 stars?", /stars/],
  ])("says what is missing: %s", async (question, missing) => {
    const result = await plan(question);
    expect(result.outcome).toBe("cannot-answer");
    if (result.outcome === "cannot-answer") expect(result.missing).toMatch(missing);
  });

  it("says that a question isn't in English", async () => {
    expect(await plan("Wie viele Kunden gibt es in Deutschland?")).toMatchObject({
      outcome: "cannot-answer",
      missing: "a question in English",
    });
  });

  it("asks about a misspelt value under a stable id and takes the answer", async () => {
    const asked = await plan("List the tracks by Metalica");
    if (asked.outcome !== "ask") throw new Error(JSON.stringify(asked));
    expect(asked.options[0]?.label).toContain("Metallica");
    const again = await plan("List the tracks by Metalica");
    expect(again).toEqual(asked);
    const made = await planned("List the tracks by Metalica", [], { [asked.id]: asked.options[0]?.label ?? "" });
    expect(made.filters[0]?.values).toEqual(["Metallica"]);
  });

  it("explains each phase in words", async () => {
    const made = await planned("Which genre earned the most revenue?");
    for (const text of Object.values(made.reasoning)) expect(text.length).toBeGreaterThan(20);
    expect(made.tables.filter((table) => table.use === "left-out").length).toBeLessThanOrEqual(3);
    expect(made.reasoning.F3).toContain("Genre");
  });
});
