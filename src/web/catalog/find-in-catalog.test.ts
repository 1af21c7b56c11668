import { expect, it } from "vitest";
import type { Catalog, Table } from "../../protocol/catalog.ts";
import { findInCatalog, toSearchable } from "./find-in-catalog.ts";

const table = (name: string, columns: Record<string, string>, comment?: string): Table => ({
  name,
  kind: "table",
  rows: 1,
  primaryKey: [],
  unique: [],
  foreignKeys: [],
  ...(comment ? { comment } : {}),
  columns: Object.entries(columns).map(([column, text]) => ({
    name: column,
    type: "TEXT",
    kind: "text",
    nullable: true,
    samples: [],
    ...(text ? { comment: text } : {}),
  })),
});
const catalog: Catalog = {
  engine: "sqlite",
  checksum: "",
  relations: [],
  tables: [
    table("t10", {}),
    table("t9", {}),
    table("InvoiceLine", { UnitPrice: "", Invoice: "" }),
    table("Invoice", { BillingCountry: "Où va la facture", Total: "" }),
    table("Customer", { Country: "" }, "Who gets an invoice"),
  ],
};
const find = (search: string) =>
  findInCatalog(toSearchable(catalog), search).map((row) =>
    row.kind === "table" ? row.table.name : `${row.table.name}.${row.column.name}`,
  );

it("lists tables in the order people count in", () => {
  expect(find("")).toEqual(["Customer", "Invoice", "InvoiceLine", "t9", "t10"]);
});

it("searches names and descriptions, with the best names first", () => {
  expect(find("invoice")).toEqual(["Invoice", "InvoiceLine", "InvoiceLine.Invoice", "Customer"]);
  expect(find("COUNTRY")).toEqual(["Customer", "Customer.Country", "Invoice", "Invoice.BillingCountry"]);
});

it("finds a column by its table's name as well, without accents, and nothing for words that are nowhere together", () => {
  expect(find("invoice country")).toEqual(["Invoice", "Invoice.BillingCountry"]);
  expect(find("ou facture")).toEqual(["Invoice", "Invoice.BillingCountry"]);
  expect(find("customer total")).toEqual([]);
});
