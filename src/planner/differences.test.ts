import { describe, expect, it } from "vitest";
import { planned, rows } from "./chinook.fixture.ts";

const answer = async (question: string) => rows((await planned(question)).sql);

describe("two figures against each other", () => {
  it.each([
    [
      "What is the difference between the highest and lowest invoice total?",
      "SELECT MAX(Total) - MIN(Total) FROM Invoice",
    ],
    [
      "What is the difference in total sales between the USA and Canada?",
      "SELECT SUM(CASE WHEN BillingCountry = 'USA' THEN Total END) - SUM(CASE WHEN BillingCountry = 'Canada' THEN Total END) FROM Invoice",
    ],
    [
      "Which customers had more invoices in 2022 than in 2021? Show the last name and both figures.",
      "SELECT c.LastName, SUM(strftime('%Y', InvoiceDate) = '2022') a, SUM(strftime('%Y', InvoiceDate) = '2021') b FROM Invoice i JOIN Customer c ON c.CustomerId = i.CustomerId GROUP BY c.CustomerId HAVING a > b",
    ],
    [
      "What is the average number of days from birth to hire of employees?",
      "SELECT AVG(julianday(HireDate) - julianday(BirthDate)) FROM Employee",
    ],
    [
      "What percentage of invoices in 2022 were billed to the USA?",
      "SELECT 100.0 * SUM(BillingCountry = 'USA') / COUNT(*) FROM Invoice WHERE strftime('%Y', InvoiceDate) = '2022'",
    ],
  ])("%s", async (question, gold) => {
    const close = (found: unknown[][]) =>
      found.map((row) => row.map((value) => (typeof value === "number" ? value.toFixed(4) : String(value)))).sort();
    expect(close(await answer(question))).toEqual(close(rows(gold)));
  });
});

describe("words that say which rows", () => {
  it.each([
    ["What does invoice 12 total?", "SELECT Total FROM Invoice WHERE InvoiceId = 12"],
    ["Invoices per country", "SELECT BillingCountry, COUNT(*) FROM Invoice GROUP BY 1"],
    [
      "How many invoices were there in the 30 days before 2022-03-01?",
      "SELECT COUNT(*) FROM Invoice WHERE InvoiceDate >= '2022-01-30' AND InvoiceDate < '2022-03-01'",
    ],
    ["List the names of genres from Z to A.", "SELECT Name FROM Genre ORDER BY Name DESC"],
    [
      "How many tracks does each genre have, ordered from the most to the fewest?",
      "SELECT g.Name, COUNT(*) n FROM Track t JOIN Genre g ON g.GenreId = t.GenreId GROUP BY g.GenreId ORDER BY n DESC",
    ],
    [
      "Find the titles of albums that contain the word 'Rock' or 'Best'.",
      "SELECT Title FROM Album WHERE Title LIKE '%Rock%' OR Title LIKE '%Best%'",
    ],
    [
      "When did Leonie Köhler last buy something?",
      "SELECT MAX(InvoiceDate) FROM Invoice i JOIN Customer c ON c.CustomerId = i.CustomerId WHERE c.FirstName = 'Leonie'",
    ],
  ])("%s", async (question, gold) =>
    expect((await answer(question)).map(String).sort()).toEqual(rows(gold).map(String).sort()),
  );
});
