/** A workspace's folder with one or two pieces of each kind, as people would write them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

export const goodFiles: Record<string, string> = {
  "descriptions.yaml": `version: 1
tables:
  Customer:
    description: One row per person who ever bought.
    columns:
      Country:
        description: Where the invoice goes.
        values:
          USA: United States of America
`,
  "relations.yaml": `version: 1
relations:
  # Who looks after whom
  - from: { table: Customer, columns: [ SupportRepId ] }
    to: { table: Employee, columns: [ EmployeeId ] }
    cardinality: N:1
    role: support
    source: confirmed
  - from: { table: Invoice, columns: [ CustomerId ] }
    to: { table: Customer, columns: [ CustomerId ] }
    cardinality: N:1
    source: declared
`,
  "synonyms.yaml": `version: 1
synonyms:
  - word: client
    means: { table: Customer }
  - word: the States
    means: { table: Customer, column: Country, value: USA }
`,
  "evidence/revenue.md": `---
title: Revenue
words: [ revenue, sales ]
tables: [ InvoiceLine ]
measure: { name: revenue, expression: SUM(InvoiceLine.UnitPrice * InvoiceLine.Quantity) }
---

Revenue is counted on invoice lines, never on invoices.
`,
  "verified/customers-in-germany.yaml": `version: 1
question: How many customers are in Germany?
engine: sqlite
sql: |-
  SELECT COUNT(*) AS customers
  FROM Customer
  WHERE Country = 'Germany'
parameters:
  - { text: Germany, value: Germany, column: { table: Customer, column: Country } }
decisions:
  - seq: 4
    phase: F2
    decision:
      kind: table
      table: Customer
      use: used
      reason: the customers themselves
by: reviewer
at: 2026-11-30T09:15:00Z
model: planner/offline
prompt_version: "7"
catalog_checksum: abc
columns:
  - { name: customers, type: INTEGER }
row_count: 1
origin: { session: s-1, seq: 12 }
`,
};

export function writeFiles(folder: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}
