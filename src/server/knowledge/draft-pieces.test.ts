import { expect, it } from "vitest";
import type { Table } from "../../protocol/index.ts";
import { toDrafts } from "./draft-pieces.ts";

const table = (name: string, ...columns: string[]): Table => ({
  name,
  kind: "table",
  rows: 1,
  columns: columns.map((column) => ({ name: column, type: "", kind: "text", nullable: true, samples: [] })),
  primaryKey: [],
  unique: [],
  foreignKeys: [],
});
const tables = [
  table("Track", "Name", "UnitPrice"),
  table("InvoiceLine", "UnitPrice", "Quantity"),
  table("sales.orders", "Total"),
];
const drafts = (text: string, used: string[] = []) => toDrafts({ text, joins: [], used }, tables);
const first = (text: string, used?: string[]) => drafts(text, used)[0];
const of = (text: string, kind: string, used?: string[]) => drafts(text, used).find((draft) => draft.kind === kind);

it.each([
  ["Remember: revenue means UnitPrice × Quantity", "InvoiceLine.UnitPrice * InvoiceLine.Quantity"],
  [
    "please remember that the revenue is SUM(unitprice * quantity).",
    "SUM(InvoiceLine.UnitPrice * InvoiceLine.Quantity)",
  ],
  ["revenue is the sum of Quantity", "SUM(InvoiceLine.Quantity)"],
  ["revenue = InvoiceLine.UnitPrice * InvoiceLine.Quantity", "InvoiceLine.UnitPrice * InvoiceLine.Quantity"],
])("%s is a measure", (text, expression) => {
  expect(first(text)).toMatchObject({ kind: "evidence", title: "revenue", measure: { name: "revenue", expression } });
});

it.each([
  "revenue means what the customer paid in the end",
  "revenue means Quantity * NoSuchColumn",
  "revenue means UnitPrice",
  "Use UnitPrice * Quantity",
])("%s is no measure", (text) => expect(first(text)).not.toHaveProperty("measure"));

it("a column in two tables is the one that is used", () => {
  const text = "price means UnitPrice";
  expect(of(text, "synonym")).toEqual({ kind: "synonym", word: "price", means: { table: "" } });
  expect(first(text, ["Track"])).toEqual({
    kind: "synonym",
    word: "price",
    means: { table: "Track", column: "UnitPrice" },
  });
});

it("names are found in any case, qualified or not, and a table of another schema too", () => {
  expect(of("Only count what is in sales.orders.total", "description")).toMatchObject({
    table: "sales.orders",
    column: "Total",
  });
  expect(of("songs are Track", "synonym")).toMatchObject({ word: "songs", means: { table: "Track" } });
  expect(of("quantity", "description")).toMatchObject({ table: "InvoiceLine", column: "Quantity" });
});

it("a dot in a name ends no sentence", () =>
  expect(first("Use sales.orders. Not the other one")).toMatchObject({ title: "Use sales.orders" }));

it.each(["Why is it so? It is wrong", "No", "This should not be here. It is a test", "", "\u0000", "(((((((((("])(
  "%j is a rule in those words, about itself",
  (text) => {
    expect(first(text)).toMatchObject({ kind: "evidence", words: [], text: text.trim() });
    expect(drafts(text).map(({ kind }) => kind)).toEqual(["evidence", "synonym", "description"]);
  },
);

it("ten thousand characters make a title of at most 120", () => {
  const draft = first("word ".repeat(2_000));
  expect(draft?.kind === "evidence" && [...draft.title].length).toBe(120);
});
