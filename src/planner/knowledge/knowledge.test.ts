import { describe, expect, it } from "vitest";
import { createValueIndex } from "../../catalog/value-index.ts";
import type { Catalog, Knowledge } from "../../protocol/index.ts";
import { conform } from "../../sql/conformance.ts";
import { openChinook, rows } from "../chinook.fixture.ts";
import { type Plan, type Planned, planQuestion } from "../plan-question.ts";
import { toKnowledge } from "./knowledge.fixture.ts";

async function ask(question: string, knowledge?: Knowledge): Promise<Planned> {
  const { catalog, values } = await openChinook();
  return planQuestion({ question, catalog, values, corrections: [], choices: {}, knowledge });
}

async function planWith(question: string, knowledge: Knowledge): Promise<Plan> {
  const planned = await ask(question, knowledge);
  if (planned.outcome !== "plan") throw new Error(JSON.stringify(planned));
  const { catalog } = await openChinook();
  const { plan } = planned;
  const decisions = [
    ...plan.interpretation,
    ...plan.tables,
    ...plan.columns,
    ...plan.joins,
    ...plan.filters,
    ...plan.steps,
  ].map((decision, index) => ({ seq: index + 1, decision }));
  expect(conform(plan.sql, decisions, catalog).deviations).toEqual([]);
  return plan;
}

const rowsFor = async (question: string, knowledge: Knowledge) => rows((await planWith(question, knowledge)).sql);
/** What the planner makes of it when nobody told it anything. */
async function rowsWithout(question: string): Promise<unknown> {
  const planned = await ask(question);
  return planned.outcome === "plan" ? rows(planned.plan.sql) : planned.outcome;
}

describe("words that people explained", () => {
  it.each([
    [
      "a synonym of a table",
      "How many punters are from Brazil?",
      toKnowledge({ synonyms: [{ word: "punter", means: { table: "Customer" } }] }),
      "SELECT count(*) FROM Customer WHERE Country = 'Brazil'",
    ],
    [
      "a synonym of a column, in two words",
      "How many tracks are there per tune maker?",
      toKnowledge({ synonyms: [{ word: "tune maker", means: { table: "Track", column: "Composer" } }] }),
      "SELECT Composer, count(*) FROM Track GROUP BY Composer",
    ],
    [
      "a synonym of a value",
      "How many heavy stuff tracks are there?",
      toKnowledge({ synonyms: [{ word: "heavy stuff", means: { table: "Genre", column: "Name", value: "Metal" } }] }),
      "SELECT count(*) FROM Track JOIN Genre USING (GenreId) WHERE Genre.Name = 'Metal'",
    ],
    [
      "what a stored code means",
      "How many lossy tracks are there?",
      toKnowledge({
        descriptions: [{ table: "Track", column: "MediaTypeId", value: "1", text: "compressed, lossy (MPEG)" }],
      }),
      "SELECT count(*) FROM Track WHERE MediaTypeId = 1",
    ],
    [
      "a code's meaning in a rule",
      "How many protected tracks are there?",
      toKnowledge({ evidence: [{ tables: ["Track"], text: "Some notes.\nmedia type 2 means protected." }] }),
      "SELECT count(*) FROM Track WHERE MediaTypeId = 2",
    ],
    [
      "a column's description",
      "How many invoices are there per destination of the parcel?",
      toKnowledge({
        descriptions: [{ table: "Invoice", column: "BillingCity", value: null, text: "destination of the parcel" }],
      }),
      "SELECT BillingCity, count(*) FROM Invoice GROUP BY BillingCity",
    ],
    [
      "a short form that stands for other words",
      "What is the NOT for each genre?",
      toKnowledge({ evidence: [{ text: "NOT (number of tracks) = number of tracks" }] }),
      "SELECT Genre.Name, count(*) FROM Track JOIN Genre USING (GenreId) GROUP BY GenreId",
    ],
  ])("%s", async (_what, question, knowledge, gold) => {
    expect(await rowsFor(question, knowledge)).toEqual(rows(gold));
    expect(await rowsWithout(question)).not.toEqual(rows(gold));
  });

  it.each([
    ["in words", { words: ["take"], text: "The take means UnitPrice × Quantity." }],
    [
      "in SQL",
      { words: ["take"], measure: { name: "take", expression: "SUM(InvoiceLine.UnitPrice * InvoiceLine.Quantity)" } },
    ],
  ])("a measure defined %s", async (_how, rule) => {
    const knowledge = toKnowledge({ evidence: [{ ...rule, tables: ["InvoiceLine"] }] });
    const gold = `SELECT i.BillingCountry, ROUND(SUM(il.UnitPrice * il.Quantity), 2)
      FROM Invoice i JOIN InvoiceLine il USING (InvoiceId) GROUP BY i.BillingCountry`;
    expect(await rowsFor("What is the take per billing country?", knowledge)).toEqual(rows(gold));
    expect((await ask("What is the take per billing country?")).outcome).not.toBe("plan");
  });

  it.each([
    ["a synonym", toKnowledge({ synonyms: [{ word: "revenue", means: { table: "Invoice", column: "Total" } }] })],
    ["a rule", toKnowledge({ evidence: [{ words: ["revenue"], text: "Revenue means Invoice.Total." }] })],
    [
      "a rule put the other way",
      toKnowledge({ evidence: [{ words: ["revenue"], text: "By revenue we mean Invoice.Total." }] }),
    ],
    ["an instruction", toKnowledge({ evidence: [{ words: ["revenue"], text: "Use Invoice.Total for the revenue." }] })],
  ])("an amount that %s names by its column is added up", async (_how, knowledge) => {
    const plan = await planWith("What is the revenue per billing country?", knowledge);
    expect(plan.columns).toContainEqual(
      expect.objectContaining({ table: "Invoice", column: "Total", role: "measure" }),
    );
    expect(rows(plan.sql)).toEqual(
      rows("SELECT BillingCountry, ROUND(SUM(Total), 2) FROM Invoice GROUP BY BillingCountry"),
    );
  });

  it.each([
    [
      "Revenue is the sum of Invoice.Total.",
      "revenue",
      "What is the revenue per billing country?",
      "SELECT BillingCountry, ROUND(SUM(Total), 2) FROM Invoice GROUP BY BillingCountry",
    ],
    [
      "take: UnitPrice × Quantity",
      "take",
      "What is the take per billing country?",
      "SELECT i.BillingCountry, ROUND(SUM(l.UnitPrice * l.Quantity), 2) FROM Invoice i JOIN InvoiceLine l USING (InvoiceId) GROUP BY i.BillingCountry",
    ],
    [
      "Home customers are those whose Country = 'Brazil'.",
      "home customers",
      "How many home customers are there?",
      "SELECT count(*) FROM Customer WHERE Country = 'Brazil'",
    ],
    [
      "A punter is a customer.",
      "punter",
      "How many punters are there per country?",
      "SELECT Country, count(*) FROM Customer GROUP BY Country",
    ],
  ])("reads %s", async (text, word, question, gold) => {
    const tables = question.includes("take") ? { tables: ["InvoiceLine"] } : {};
    const knowledge = toKnowledge({ evidence: [{ words: [word], text, ...tables }] });
    expect(await rowsFor(question, knowledge)).toEqual(rows(gold));
  });

  it("settles which of two amounts a known word means", async () => {
    const question = "What is the revenue per billing country?";
    const lines = toKnowledge({ evidence: [{ words: ["revenue"], text: "revenue means UnitPrice × Quantity" }] });
    const totals = toKnowledge({
      evidence: [{ words: ["revenue"], measure: { name: "revenue", expression: "SUM(Invoice.Total)" }, text: "…" }],
    });
    expect((await planWith(question, lines)).columns).toContainEqual(
      expect.objectContaining({ table: "InvoiceLine", column: "Quantity", role: "measure" }),
    );
    expect((await planWith(question, totals)).columns).toContainEqual(
      expect.objectContaining({ table: "Invoice", column: "Total", role: "measure" }),
    );
  });

  it("says so when a measure is defined by a formula beyond it, instead of another figure", async () => {
    const expression = "SUM(InvoiceLine.UnitPrice * InvoiceLine.Quantity * (1 - 0.07))";
    const knowledge = toKnowledge({
      evidence: [{ words: ["customer", "net"], measure: { name: "net revenue", expression }, text: "" }],
    });
    const made = await ask("What is the net revenue per billing country?", knowledge);
    expect(made).toMatchObject({ outcome: "cannot-answer", reason: expect.stringContaining(expression) });
    // A table that the rule is about is still a table.
    expect((await ask("How many customers are from Brazil?", knowledge)).outcome).toBe("plan");
  });

  it("leaves the question alone where a rule is no definition, and where names aren't there", async () => {
    const knowledge = toKnowledge({
      evidence: [
        {
          words: ["customers", "albums", "artist"],
          text: "Customers are precious. Albums mean the world to us. Artist: whoever made it. Always filter names using LIKE. Revenue is shown with two decimals.",
        },
      ],
      synonyms: [{ word: "album", means: { table: "Longplayer" } }],
      relations: [
        {
          from: { table: "Album", columns: ["Nothing"] },
          to: { table: "Artist", columns: ["ArtistId"] },
          cardinality: "N:1",
          source: "confirmed",
        },
      ],
    });
    for (const question of ["How many customers are from Brazil?", "How many albums does each artist have?"])
      expect(await rowsFor(question, knowledge)).toEqual(await rowsWithout(question));
  });

  it("gives the same plan for the same knowledge, byte for byte", async () => {
    const knowledge = () => toKnowledge({ synonyms: [{ word: "punter", means: { table: "Customer" } }] });
    const question = "Which punter spent the most?";
    expect(JSON.stringify(await ask(question, knowledge()))).toBe(JSON.stringify(await ask(question, knowledge())));
  });
});

describe("joins that people confirmed", () => {
  const column = (name: string) => ({ name, type: "TEXT", kind: "text" as const, nullable: true, samples: [] });
  const table = (name: string, columns: string[], primaryKey: string[], rowCount = 5) => ({
    name,
    kind: "table" as const,
    rows: rowCount,
    columns: columns.map(column),
    primaryKey,
    unique: [],
    foreignKeys: [],
  });
  const catalog: Catalog = {
    engine: "sqlite",
    checksum: "c",
    relations: [],
    tables: [
      table("Parcel", ["parcel_no", "zone", "zone2"], ["parcel_no"]),
      table("Depot", ["code", "town"], ["code"]),
    ],
  };
  const values = createValueIndex([], []);
  const question = "How many parcels are there for each depot?";
  const relation = (source: "confirmed" | "proposed", cardinality: "N:1" | "1:N" | "N:M") =>
    toKnowledge({
      relations: [
        cardinality === "1:N"
          ? {
              from: { table: "depot", columns: ["CODE"] },
              to: { table: "parcel", columns: ["ZONE"] },
              cardinality,
              source,
            }
          : {
              from: { table: "Parcel", columns: ["zone"] },
              to: { table: "Depot", columns: ["code"] },
              cardinality,
              source,
            },
      ],
    });
  const sqlWith = async (knowledge?: Knowledge) => {
    const planned = await planQuestion({ question, catalog, values, corrections: [], choices: {}, knowledge });
    return planned.outcome === "plan" ? planned.plan.sql : planned.outcome;
  };

  it("are taken where no key leads, from either side; a proposal isn't", async () => {
    expect(await sqlWith()).not.toContain("JOIN");
    expect(await sqlWith(relation("proposed", "N:1"))).not.toContain("JOIN");
    const sql = await sqlWith(relation("confirmed", "N:1"));
    expect(sql).toMatch(/d\.code = p\.zone|p\.zone = d\.code/);
    expect(await sqlWith(relation("confirmed", "1:N"))).toBe(sql);
  });

  it("count each row once where both sides can have several partners", async () => {
    expect(await sqlWith(relation("confirmed", "N:M"))).toContain("SELECT DISTINCT");
    expect(await sqlWith(relation("confirmed", "N:1"))).not.toContain("DISTINCT");
  });

  it("are told apart by the role that the question names", async () => {
    const end = (column: string) => ({ table: "Parcel", columns: [column] });
    const way = (column: string, role: string) => ({
      from: end(column),
      to: { table: "Depot", columns: ["code"] },
      cardinality: "N:1" as const,
      source: "confirmed" as const,
      role,
    });
    const knowledge = toKnowledge({ relations: [way("zone", "pickup"), way("zone2", "delivery")] });
    const sql = async (question: string) => {
      const planned = await planQuestion({ question, catalog, values, corrections: [], choices: {}, knowledge });
      return planned.outcome === "plan" ? planned.plan.sql : planned.outcome;
    };
    expect(await sql("How many parcels are there for each pickup depot?")).toMatch(/\.zone\b/);
    expect(await sql("How many parcels are there for each delivery depot?")).toMatch(/\.zone2\b/);
  });
});
