/** Two figures divided, figures of some rows only, and comparisons with the number of one row. */
import { describe, expect, it } from "vitest";
import { plan, planned, rows } from "./chinook.fixture.ts";

const same = async (question: string, sql: string) => {
  const made = await planned(question);
  const sort = (list: unknown[][]) =>
    list
      .map((row) => JSON.stringify(row.map((cell) => (typeof cell === "number" ? Math.round(cell * 1e6) : cell))))
      .sort();
  expect(sort(rows(made.sql)), made.sql).toEqual(sort(rows(sql)));
};

describe("ratios", () => {
  it("of rows that meet different conditions", () =>
    same(
      "What is the ratio of tracks longer than 5 minutes to tracks shorter than 3 minutes?",
      "SELECT 1.0 * SUM(Milliseconds > 300000) / SUM(Milliseconds < 180000) FROM Track",
    ));

  it("of rows that meet a condition to all of them", () =>
    same(
      "What is the ratio of customers from Brazil to the total number of customers?",
      "SELECT 1.0 * SUM(Country = 'Brazil') / COUNT(*) FROM Customer",
    ));

  it("of two tables, for each of a third's", () =>
    same(
      "What is the ratio of tracks to albums for each artist?",
      `SELECT r.Name, 1.0 * COUNT(DISTINCT t.TrackId) / COUNT(DISTINCT a.AlbumId) FROM Artist r
        JOIN Album a USING (ArtistId) JOIN Track t USING (AlbumId) GROUP BY r.ArtistId`,
    ));

  it("of two columns of one row", () =>
    same(
      "What is the ratio of bytes to milliseconds for each track?",
      "SELECT Name, 1.0 * Bytes / Milliseconds FROM Track",
    ));

  it("says what is divided", async () => {
    const made = await planned("What is the ratio of customers from Brazil to customers from Canada?");
    expect(made.summaries.F1.summary).toMatch(/customers where country is Brazil divided by the number of customers/i);
  });
});

describe("comparisons with one row", () => {
  it("of the row that ranks first", () =>
    same(
      "How many invoices have a total above that of the invoice with the latest invoice date?",
      "SELECT COUNT(*) FROM Invoice WHERE Total > (SELECT Total FROM Invoice ORDER BY InvoiceDate DESC LIMIT 1)",
    ));

  it("of the longest row by another column", () =>
    same(
      "How many tracks are longer than the track with the most bytes?",
      "SELECT COUNT(*) FROM Track WHERE Milliseconds > (SELECT Milliseconds FROM Track ORDER BY Bytes DESC LIMIT 1)",
    ));

  it("of all rows of a kind", () =>
    same(
      "Which tracks are longer than all Jazz tracks?",
      `SELECT Name FROM Track WHERE Milliseconds >
        (SELECT MAX(t.Milliseconds) FROM Track t JOIN Genre g USING (GenreId) WHERE g.Name = 'Jazz')`,
    ));
});

it("takes a sum over partners as one of two alternatives", () =>
  same(
    "List the emails of customers who bought more than 35 tracks or live in Brazil.",
    `SELECT Email FROM Customer c WHERE Country = 'Brazil' OR (SELECT SUM(l.Quantity) FROM Invoice i
      JOIN InvoiceLine l USING (InvoiceId) WHERE i.CustomerId = c.CustomerId) > 35`,
  ));

it("does not divide what it can't tell apart", async () => {
  expect((await plan("What is the ratio of tracks to happiness?")).outcome).not.toBe("plan");
});
