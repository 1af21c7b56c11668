/** What the scripted models know: the six right calls for one question on Chinook, written by hand. */
import type { PhaseId } from "../../src/protocol/index.ts";
import type { Call } from "./conversation.ts";

export const question = "Which customer has spent the most money?";

const summary = (title: string, text: string) => ({ title, summary: text });

export const interpretations = [
  {
    kind: "interpretation",
    aspect: "restatement",
    text: "The one customer whose purchases sum to the largest amount.",
  },
  {
    kind: "interpretation",
    aspect: "grain",
    text: "One row per customer.",
    expressions: ["Customer.CustomerId", "Customer.FirstName", "Customer.LastName"],
  },
  { kind: "interpretation", aspect: "measure", text: "Unit price times quantity, summed over all invoice lines." },
  {
    kind: "interpretation",
    aspect: "order",
    text: "The most money first.",
    expressions: ["SUM(InvoiceLine.UnitPrice * InvoiceLine.Quantity) DESC"],
  },
  { kind: "interpretation", aspect: "limit", text: "Only the first.", expressions: ["1"] },
];

const table = (name: string, reason: string) => ({ kind: "table", table: name, use: "used", reason });
const column = (name: string, columnName: string, role: string, reason: string) => ({
  kind: "column",
  table: name,
  column: columnName,
  role,
  reason,
});
export const data = [
  table("Customer", "who spends"),
  table("Invoice", "links a customer to what was bought"),
  table("InvoiceLine", "what was bought, with price and quantity"),
  column("Customer", "FirstName", "output", "names the customer"),
  column("Customer", "LastName", "output", "names the customer"),
  column("InvoiceLine", "UnitPrice", "measure", "money"),
  column("InvoiceLine", "Quantity", "measure", "money"),
];

const side = (name: string, alias: string) => ({ table: name, alias });
const join = (left: object, right: object, key: string) => ({
  kind: "join",
  left,
  type: "INNER",
  right,
  pairs: [{ left: key, right: key }],
});
export const joins = [
  join(side("Customer", "c"), side("Invoice", "i"), "CustomerId"),
  join(side("Invoice", "i"), side("InvoiceLine", "il"), "InvoiceId"),
];

export const steps = [
  {
    kind: "cte",
    name: "purchases",
    purpose: "One row per invoice line with its customer and amount.",
    sql: [
      "SELECT c.CustomerId, c.FirstName, c.LastName, il.UnitPrice * il.Quantity AS amount",
      "FROM Customer AS c",
      "INNER JOIN Invoice AS i ON i.CustomerId = c.CustomerId",
      "INNER JOIN InvoiceLine AS il ON il.InvoiceId = i.InvoiceId",
    ].join("\n"),
  },
  {
    kind: "cte",
    name: "per_customer",
    purpose: "One row per customer with the money spent.",
    sql: [
      "SELECT CustomerId, FirstName, LastName, SUM(amount) AS spent",
      "FROM purchases",
      "GROUP BY CustomerId, FirstName, LastName",
    ].join("\n"),
  },
];

export const finalSql = `WITH ${steps.map(({ name, sql }) => `${name} AS (\n${sql}\n)`).join(", ")}
SELECT FirstName, LastName, spent
FROM per_customer
ORDER BY spent DESC
LIMIT 1`;

export const explanation = "Sums price times quantity per customer and shows the customer with the largest sum.";

const decide = (phase: PhaseId, decisions: object[], closing: object): Call => ({
  name: "reviewer_decide",
  arguments: { phase, decisions, summary: closing },
});

/** The call that is right in each phase. */
export const rightCalls: Record<PhaseId, Call> = {
  F1: decide("F1", interpretations, summary("The top customer", "Money spent per customer, largest first.")),
  F2: decide("F2", data, summary("Three tables", "Customers, their invoices and the lines of those.")),
  F3: decide("F3", joins, summary("Two joins", "From customer over invoice to its lines.")),
  F4: { name: "phase_summary", arguments: { phase: "F4", ...summary("No filters", "All purchases count.") } },
  F5: decide("F5", steps, summary("Two steps", "Lines with amounts, then sums per customer.")),
  F6: { name: "submit_sql", arguments: { sql: finalSql, explanation } },
};
