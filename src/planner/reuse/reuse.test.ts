import { describe, expect, it } from "vitest";
import type { VerifiedPiece } from "../../protocol/index.ts";
import { conform } from "../../sql/conformance.ts";
import { openChinook, planned, rows } from "../chinook.fixture.ts";
import { toAcceptedDecisions, toKnowledge, toVerified } from "../knowledge/knowledge.fixture.ts";
import { type Plan, planQuestion } from "../plan-question.ts";
import { findVerified } from "./reuse.ts";
import { rewriteSql } from "./reuse-literals.ts";
import { describeDifferences } from "./reuse-match.ts";

const fromBrazil = "How many customers are from Brazil?";
const jazz = `SELECT count(*) FROM Track t JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name = 'Jazz'`;
const spenders = `SELECT c.FirstName, c.LastName, SUM(i.Total) AS spent FROM Customer c
JOIN Invoice i ON i.CustomerId = c.CustomerId
WHERE i.InvoiceDate >= '2021-01-01' AND i.InvoiceDate < '2022-01-01'
GROUP BY c.CustomerId ORDER BY spent DESC, c.CustomerId LIMIT 5`;
const topFive = "Show the top 5 customers by spending in 2021";

async function verify(question: string, more: Partial<VerifiedPiece> = {}): Promise<VerifiedPiece> {
  const { catalog } = await openChinook();
  const plan = await planned(question);
  return toVerified(catalog, "accepted", question, plan.sql, { decisions: toAcceptedDecisions(plan), ...more });
}

async function reuse(question: string, ...verified: VerifiedPiece[]): Promise<Plan> {
  const { catalog, values } = await openChinook();
  const knowledge = toKnowledge({ verified });
  const made = await planQuestion({ question, catalog, values, corrections: [], choices: {}, knowledge });
  if (made.outcome !== "plan") throw new Error(JSON.stringify(made));
  const { plan } = made;
  const decisions = toAcceptedDecisions(plan);
  expect(conform(plan.sql, decisions, catalog).deviations).toEqual([]);
  return plan;
}

describe("a verified query", () => {
  it("answers the very same question, to the byte and with its decisions", async () => {
    const piece = await verify(fromBrazil);
    for (const question of [
      fromBrazil,
      "how many customers are from brazil",
      "Please show me how many customers are from Brazil",
    ]) {
      const plan = await reuse(question, piece);
      expect(plan.verified).toMatchObject({ match: { kind: "exact" }, file: "verified/accepted.yaml" });
      expect(plan.sql).toBe(piece.sql);
      expect(toAcceptedDecisions(plan).map(({ decision }) => decision)).toEqual(
        piece.decisions.map(({ decision }) => decision),
      );
    }
  });

  it("answers for another stored value, in its stored spelling, with steps of another name", async () => {
    const plan = await reuse("How many customers are from germany?", await verify(fromBrazil));
    expect(plan.verified?.differences).toBe("“germany” instead of “Brazil”");
    expect(rows(plan.sql)).toEqual(rows("SELECT count(*) FROM Customer WHERE Country = 'Germany'"));
    expect(plan.filters[0]).toMatchObject({ values: ["Germany"], condition: "c.Country = 'Germany'" });
    expect(plan.sql).toContain("germany_customers AS (");
    expect(JSON.stringify(plan.steps)).not.toMatch(/brazil/i);
    expect(JSON.stringify(plan.interpretation)).not.toMatch(/brazil/i);
    expect(plan.summaries.F1.summary).toContain("“germany” instead of “Brazil”");
  });

  it("answers for another year and another number, which only its SQL is known of", async () => {
    const { catalog } = await openChinook();
    const piece = toVerified(catalog, "top", topFive, spenders);
    const plan = await reuse("Show the top three customers by spending in 2023", piece);
    const gold = spenders.replaceAll("2021", "2023").replaceAll("2022", "2024").replace("LIMIT 5", "LIMIT 3");
    expect(rows(plan.sql)).toEqual(rows(gold));
    expect(rows(plan.sql)).toHaveLength(3);
    expect(plan.joins.map(({ left, right, pairs }) => [left.table, right.table, pairs])).toEqual([
      ["Customer", "Invoice", [{ left: "CustomerId", right: "CustomerId" }]],
    ]);
    expect(plan.filters.map(({ values }) => values)).toEqual([["2023-01-01"], ["2024-01-01"]]);
  });

  it("says whether a reviewer accepted its decisions, or they were read out of its SQL", async () => {
    const { catalog } = await openChinook();
    expect((await reuse(fromBrazil, await verify(fromBrazil))).verified?.accepted).toBe(true);
    const question = "Quanti brani nel genere Jazz ci sono?";
    expect((await reuse(question, toVerified(catalog, "jazz", question, jazz))).verified?.accepted).toBe(false);
  });

  it("answers in the language that it was asked in", async () => {
    const { catalog } = await openChinook();
    const piece = toVerified(catalog, "jazz", "Quanti brani nel genere Jazz ci sono?", jazz);
    expect(rows((await reuse("Quanti brani nel genere Blues ci sono?", piece)).sql)).toEqual(
      rows(jazz.replace("Jazz", "Blues")),
    );
  });

  it("answers a question in other words that is read the same way, and never as the very same one", async () => {
    const piece = await verify(fromBrazil);
    for (const question of ["What is the number of customers from Brazil?", "How many customer are from Brazil?"]) {
      const plan = await reuse(question, piece);
      expect(plan.verified?.match.kind).toBe("reading");
      expect(plan.sql).toBe(piece.sql);
    }
    const plan = await reuse("What is the number of customers from Germany?", piece);
    expect(plan.verified?.match.kind).toBe("reading");
    expect(rows(plan.sql)).toEqual(rows("SELECT count(*) FROM Customer WHERE Country = 'Germany'"));
  });

  it("keeps order and limit of SQL without steps", async () => {
    const { catalog } = await openChinook();
    const sql = "SELECT Name FROM Artist ORDER BY Name DESC";
    const plan = await reuse(
      "List artists backwards by name",
      toVerified(catalog, "back", "List artists backwards by name", sql),
    );
    expect(rows(plan.sql)).toEqual(rows(sql));
  });

  it.each([
    ["a value that is stored nowhere", "How many customers are from Narnia?"],
    ["a value of another column", "How many customers are from Prague?"],
    ["two values", "How many customers are from Brazil or Germany?"],
    ["a negation", "How many customers are not from Brazil?"],
    ["one more condition", "How many US customers are from Brazil?"],
    ["another thing", "How many employees are from Brazil?"],
  ])("is no answer to a question with %s", async (_what, question) => {
    const { catalog, values } = await openChinook();
    const knowledge = toKnowledge({ verified: [await verify(fromBrazil)] });
    const made = await planQuestion({ question, catalog, values, corrections: [], choices: {}, knowledge });
    expect(made.outcome === "plan" ? made.plan.verified : undefined).toBeUndefined();
  });

  it.each([
    ["is stale", { stale: { since: "2026-03-01", reason: "Customer lost a column" } }, "Customer lost a column"],
    ["is of another structure", { catalog_checksum: "other" }, "tables, columns or keys changed since it was verified"],
    ["is of another engine", { engine: "postgres" as const }, "it was verified on postgres"],
  ])("is only mentioned when it %s", async (_what, more, reason) => {
    const { catalog, values } = await openChinook();
    const piece = await verify(fromBrazil, more);
    expect((await reuse(fromBrazil, piece)).verified).toBeUndefined();
    const found = findVerified({
      question: fromBrazil,
      catalog,
      values,
      knowledge: toKnowledge({ verified: [piece] }),
    });
    expect(found[0]).toMatchObject({ match: { kind: "exact" }, stale: reason });
  });

  it("is only mentioned when it speaks of a time seen from the day it was verified", async () => {
    const { catalog, values } = await openChinook();
    const question = "How many invoices were there last month?";
    const sql = (text: string) => `SELECT count(*) FROM Invoice WHERE InvoiceDate >= ${text}`;
    const fixed = toVerified(catalog, "fixed", question, sql("'2025-11-01'"));
    const moving = toVerified(catalog, "moving", question, sql("date('now', 'start of month', '-1 month')"));
    const find = (piece: VerifiedPiece) =>
      findVerified({ question, catalog, values, knowledge: toKnowledge({ verified: [piece] }) })[0]?.stale;
    expect(find(fixed)).toMatch(/seen from today/);
    expect(find(moving)).toBeUndefined();
    expect((await reuse(question, fixed)).verified).toBeUndefined();
    expect((await reuse(question, moving)).verified?.match.kind).toBe("exact");
  });

  it("is offered where there is no plan, and used when the reviewer says so", async () => {
    const { catalog, values } = await openChinook();
    const piece = toVerified(
      catalog,
      "margin",
      "What is the profit margin of each album by Queen?",
      "SELECT 1 AS one FROM Album",
    );
    const knowledge = toKnowledge({ verified: [piece] });
    const askWith = (choices: Record<string, string>) =>
      planQuestion({
        question: "What is the profit margin of each album of Queen?",
        catalog,
        values,
        corrections: [],
        choices,
        knowledge,
      });
    const asked = await askWith({});
    if (asked.outcome !== "ask") throw new Error(JSON.stringify(asked));
    expect(asked.question).toContain("“of” instead of “by”");
    expect(asked.options.find(({ proposed }) => proposed)?.label).toMatch(/^No/);
    const [use, other] = asked.options.map(({ label }) => label);
    const used = await askWith({ [asked.id]: use ?? "" });
    expect(used.outcome === "plan" && used.plan.verified?.file).toBe("verified/margin.yaml");
    expect((await askWith({ [asked.id]: other ?? "" })).outcome).toBe("cannot-answer");
  });

  it("is not used once the reviewer has sent something back", async () => {
    const { catalog, values } = await openChinook();
    const made = await planQuestion({
      question: fromBrazil,
      catalog,
      values,
      corrections: [{ phase: "F4", text: "only Germany" }],
      choices: {},
      knowledge: toKnowledge({ verified: [await verify(fromBrazil)] }),
    });
    expect(made.outcome === "plan" ? made.plan.verified : undefined).toBeUndefined();
  });

  it("is not believed when its decisions don't show in its SQL", async () => {
    const piece = await verify(fromBrazil);
    const other = { ...piece, sql: piece.sql.replace("'Brazil'", "'Chile'") };
    const plan = await reuse(fromBrazil, other);
    // Derived from the SQL itself, which is what was verified.
    expect(plan.filters.map(({ condition }) => condition)).not.toContain("c.Country = 'Brazil'");
  });
});

describe("questions side by side", () => {
  it("are told apart in words, nearest first", async () => {
    const { catalog, values } = await openChinook();
    const verified = [
      toVerified(catalog, "far", "Which playlist has the most tracks?", "SELECT 1"),
      toVerified(catalog, "near", "How many customers in Brazil bought a track?", "SELECT 1"),
      await verify(fromBrazil),
    ];
    const found = findVerified({
      question: "How many customers are from Brazil and have an email?",
      catalog,
      values,
      knowledge: toKnowledge({ verified }),
    });
    expect(found.map(({ piece }) => piece.file)[0]).toBe("verified/accepted.yaml");
    expect(found.map(({ piece }) => piece.file)).not.toContain("verified/far.yaml");
    expect(found[0] && describeDifferences(found[0].match)).toBe("with “and have an email” beside it");
  });
});

describe("literals", () => {
  it("are replaced by spans, never inside another one, and quoted whatever they hold", () => {
    const swap = { from: "Brazil", to: "x", value: { from: "Brazil", to: "O'Neil'); --" }, kind: "value" as const };
    const sql = "SELECT 'Brazilian' AS a, \"Brazil\" -- 'Brazil'\nFROM t WHERE c = 'brazil' AND d LIKE '%Brazil%'";
    expect(rewriteSql(sql, "sqlite", [swap])).toBe(
      "SELECT 'Brazilian' AS a, \"Brazil\" -- 'Brazil'\nFROM t WHERE c = 'O''Neil''); --' AND d LIKE '%O''Neil''); --%'",
    );
  });
});
