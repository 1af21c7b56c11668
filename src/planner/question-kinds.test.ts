import { describe, expect, it } from "vitest";
import { plan, planned, rows } from "./chinook.fixture.ts";

const sorted = (sql: string) =>
  rows(sql)
    .map((row) => JSON.stringify(row))
    .sort();

describe("kinds of questions", () => {
  it.each([
    [
      "a condition's column is not shown",
      "List all employees born after 1965.",
      "SELECT FirstName, LastName FROM Employee WHERE BirthDate >= '1966-01-01'",
    ],
    [
      "a name column asked for by itself is the only one shown",
      "Show total sales per employee, with the employee's last name.",
      "SELECT ROUND(SUM(i.Total), 2), e.LastName FROM Employee e JOIN Customer c ON c.SupportRepId = e.EmployeeId JOIN Invoice i ON i.CustomerId = c.CustomerId GROUP BY e.EmployeeId",
    ],
    [
      "and how much keeps the order of the superlative, on the sale's own column",
      "Which three countries generated the most revenue, and how much?",
      "SELECT BillingCountry, ROUND(SUM(Total), 2) s FROM Invoice GROUP BY BillingCountry ORDER BY s DESC LIMIT 3",
    ],
    [
      "a condition inside a negation",
      "Which genres have no tracks longer than 10 minutes?",
      "SELECT Name FROM Genre g WHERE NOT EXISTS (SELECT 1 FROM Track t WHERE t.GenreId = g.GenreId AND t.Milliseconds > 600000)",
    ],
    [
      "a count inside a negation",
      "Which artists have no albums with more than 15 tracks?",
      "SELECT Name FROM Artist WHERE ArtistId NOT IN (SELECT ArtistId FROM Album WHERE AlbumId IN (SELECT AlbumId FROM Track GROUP BY AlbumId HAVING COUNT(*) > 15))",
    ],
    [
      "a part of stored values",
      "How many customers have a Gmail address?",
      "SELECT COUNT(*) FROM Customer WHERE Email LIKE '%gmail%'",
    ],
    [
      "a quoted part of a title",
      "Which albums have 'Best' in the title?",
      "SELECT Title FROM Album WHERE Title LIKE '%Best%'",
    ],
    [
      "two measures",
      "For each media type, how many tracks are there and what is the average price?",
      "SELECT m.Name, COUNT(*), AVG(t.UnitPrice) FROM MediaType m JOIN Track t ON t.MediaTypeId = m.MediaTypeId GROUP BY m.MediaTypeId",
    ],
    [
      "things sold are counted on the lines of sales",
      "How many tracks were sold per media type?",
      "SELECT m.Name, SUM(l.Quantity) FROM MediaType m JOIN Track t ON t.MediaTypeId = m.MediaTypeId JOIN InvoiceLine l ON l.TrackId = t.TrackId GROUP BY m.MediaTypeId",
    ],
    [
      "a period by the date of the sale",
      "Which artists earned more than 20 dollars from Rock tracks since 2023?",
      "SELECT ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId JOIN Track t ON t.AlbumId = al.AlbumId JOIN Genre g ON g.GenreId = t.GenreId JOIN InvoiceLine l ON l.TrackId = t.TrackId JOIN Invoice i ON i.InvoiceId = l.InvoiceId WHERE g.Name = 'Rock' AND i.InvoiceDate >= '2023-01-01' GROUP BY ar.ArtistId HAVING SUM(l.UnitPrice * l.Quantity) > 20",
    ],
    [
      "an average over some rows only",
      "How many tracks are longer than the average Jazz track?",
      "SELECT COUNT(*) FROM Track WHERE Milliseconds > (SELECT AVG(t.Milliseconds) FROM Track t JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name = 'Jazz')",
    ],
    [
      "managers",
      "Which employees are managers?",
      "SELECT FirstName, LastName FROM Employee WHERE EmployeeId IN (SELECT ReportsTo FROM Employee)",
    ],
    [
      "the number of groups",
      "How many countries have more than 3 customers?",
      "SELECT COUNT(*) FROM (SELECT Country FROM Customer GROUP BY Country HAVING COUNT(*) > 3)",
    ],
    [
      "equal values",
      "Which customers live in the same city as an employee?",
      "SELECT FirstName, LastName FROM Customer WHERE City IN (SELECT City FROM Employee)",
    ],
    [
      "both kinds of things share a column",
      "Which countries have customers but no employees?",
      "SELECT DISTINCT Country FROM Customer WHERE Country NOT IN (SELECT Country FROM Employee)",
    ],
    [
      "the sum over a thing's parts",
      "Which albums are longer than one hour in total?",
      "SELECT a.Title FROM Album a JOIN Track t ON t.AlbumId = a.AlbumId GROUP BY a.AlbumId HAVING SUM(t.Milliseconds) > 3600000",
    ],
    [
      "never by some",
      "Which albums were never bought by anyone from Canada?",
      "SELECT Title FROM Album WHERE AlbumId NOT IN (SELECT t.AlbumId FROM Track t JOIN InvoiceLine l ON l.TrackId = t.TrackId JOIN Invoice i ON i.InvoiceId = l.InvoiceId WHERE i.BillingCountry = 'Canada')",
    ],
    ["a number said of the price", "Which tracks cost 1.99?", "SELECT Name FROM Track WHERE UnitPrice = 1.99"],
    [
      "an average by which things are ranked",
      "Which artist has the longest track on average?",
      "SELECT ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId JOIN Track t ON t.AlbumId = al.AlbumId GROUP BY ar.ArtistId ORDER BY AVG(t.Milliseconds) DESC LIMIT 1",
    ],
    [
      "who by what was done",
      "Who was hired first?",
      "SELECT FirstName, LastName FROM Employee ORDER BY HireDate LIMIT 1",
    ],
    [
      "two years apart",
      "How many invoices were issued in 2021 and in 2022?",
      "SELECT strftime('%Y', InvoiceDate) y, COUNT(*) FROM Invoice WHERE InvoiceDate < '2023-01-01' GROUP BY y",
    ],
  ])("%s: %s", async (_kind, question, gold) => {
    const got = sorted((await planned(question)).sql);
    expect(got.length).toBeGreaterThan(0);
    expect(got).toEqual(sorted(gold));
  });
});

describe("what can't be placed is not passed over", () => {
  it.each([
    ["How many premium customers are there?", /premium/],
    ["Which employees are in the engineering department?", /engineering department/],
    ["What is the total number of minutes of music in the playlist 'Classical'?", /music/],
  ])("asks: %s", async (question, words) => {
    const asked = await plan(question);
    if (asked.outcome !== "ask") throw new Error(JSON.stringify(asked));
    expect(asked.question).toMatch(words);
  });

  it("goes on without the word when told to", async () => {
    const question = "How many premium customers are there?";
    const asked = await plan(question);
    if (asked.outcome !== "ask") throw new Error(JSON.stringify(asked));
    const without = asked.options.find((option) => /^Go on without/.test(option.label));
    const made = await planned(question, [], { [asked.id]: without?.label ?? "" });
    expect(rows(made.sql)).toEqual([[59]]);
  });

  it.each([
    ["What is the standard deviation of invoice totals?", /deviation/],
    ["Which customers bought tracks from every genre?", /every genre/],
    ["Which albums were released in 1995?", /^a date for albums/],
    ["What are our profit margins per genre?", /^a column or table for profit margins$/],
  ])("cannot answer: %s", async (question, missing) => {
    const result = await plan(question);
    if (result.outcome !== "cannot-answer") throw new Error(JSON.stringify(result));
    expect(result.missing).toMatch(missing);
  });
});

describe("what is said", () => {
  it.each([
    [
      "Which five artists earned the most revenue from Rock tracks since 2023?",
      "The five artists with the highest revenue (unit price × quantity), where genre is Rock, since 2023 by invoice date.",
    ],
    ["How many tracks does each genre have?", "The number of tracks for each genre."],
    ["Which genres have no tracks longer than 10 minutes?", "The genres with no track longer than 10 minutes."],
    ["For each genre, what is the longest track?", "For each genre, the longest track."],
    ["How many countries have more than 3 customers?", "The number of countries with more than 3 customers."],
    ["Which albums are longer than one hour in total?", "The albums with a total length of tracks over 1 hour."],
  ])("%s", async (question, restatement) => {
    const made = await planned(question);
    expect(made.interpretation[0]).toMatchObject({ aspect: "restatement", text: restatement });
    expect(made.explanation.startsWith(restatement)).toBe(true);
  });

  it("says aspects without their label", async () => {
    const made = await planned("Which five artists earned the most revenue from Rock tracks since 2023?");
    expect(Object.fromEntries(made.interpretation.slice(1).map((part) => [part.aspect, part.text]))).toEqual({
      grain: "artist",
      filter: "genre is Rock",
      output: "name",
      period: "invoice date since 2023",
      order: "revenue (unit price × quantity), highest first",
      limit: "5, ties broken by name",
    });
  });

  it("says that a part of the text is compared", async () => {
    const made = await planned("How many customers have a Gmail address?");
    expect(made.summaries.F4.summary).toContain("LIKE compares a part of the text");
  });
});
