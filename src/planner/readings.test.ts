/** Readings that need more than one row, or one side of two: alternatives, "both", contradictions, shared values. */
import { describe, expect, it } from "vitest";
import { plan, planned, rows } from "./chinook.fixture.ts";

const same = async (question: string, sql: string) => {
  const made = await planned(question);
  const sort = (list: unknown[][]) => list.map((row) => JSON.stringify(row)).sort();
  expect(sort(rows(made.sql)), made.sql).toEqual(sort(rows(sql)));
};

describe("alternatives", () => {
  it("between a condition and partners", () =>
    same(
      "Which customers live in the city of Prague or have an invoice over 20 dollars?",
      `SELECT FirstName, LastName FROM Customer c WHERE City = 'Prague'
        OR CustomerId IN (SELECT CustomerId FROM Invoice WHERE Total > 20)`,
    ));

  it("between a count and a value", () =>
    same(
      "What are the names of artists that have more than 10 albums or are called Accept?",
      `SELECT Name FROM Artist a WHERE Name = 'Accept'
        OR (SELECT COUNT(*) FROM Album b WHERE b.ArtistId = a.ArtistId) > 10`,
    ));
});

describe("comparisons", () => {
  it("of how many there are with the average", () =>
    same(
      "What are the genres that have more tracks than the average?",
      `WITH n AS (SELECT g.Name, COUNT(*) AS k FROM Genre g JOIN Track t USING (GenreId) GROUP BY g.GenreId)
        SELECT Name FROM n WHERE k > (SELECT AVG(k) FROM n)`,
    ));

  it("of an average of each group in the unit that was said", () =>
    same(
      "What are the names of genres whose average track length is above 5 minutes?",
      `SELECT g.Name FROM Genre g JOIN Track t USING (GenreId) GROUP BY g.GenreId HAVING AVG(t.Milliseconds) > 300000`,
    ));

  it("of a column that the verb or a comparative names", () =>
    same(
      "How many tracks have a higher unit price than the average?",
      "SELECT COUNT(*) FROM Track WHERE UnitPrice > (SELECT AVG(UnitPrice) FROM Track)",
    ));
});

describe("what is shown", () => {
  it("belongs to the groups", () =>
    same(
      "For each playlist, list its id, name and how many tracks it has.",
      `SELECT p.PlaylistId, p.Name, COUNT(*) FROM Playlist p JOIN PlaylistTrack USING (PlaylistId) GROUP BY p.PlaylistId`,
    ));

  it("is not a column that comes with its value", () =>
    same(
      "What is the email of the customer with the first name Luis and the last name Rojas?",
      "SELECT Email FROM Customer WHERE FirstName = 'Luis' AND LastName = 'Rojas'",
    ));

  it("is the place when where is asked", () =>
    same("Where is the youngest employee from?", "SELECT City FROM Employee ORDER BY BirthDate DESC LIMIT 1"));

  it("is sorted by what follows the direction", async () => {
    const { sql } = await planned("Show the names of tracks in descending order of milliseconds.");
    expect(sql).toMatch(/ORDER BY \w+\.milliseconds DESC/);
  });
});

it("reads ordering as buying", async () => {
  const result = await plan("Find the names of customers who never ordered anything.");
  expect(result.outcome === "plan" && result.plan.sql).toMatch(/NOT EXISTS \(\s+SELECT 1\s+FROM Invoice\w* AS/);
});

describe("a question back about rows that nobody paired", () => {
  const question = "Show customers, artists and revenue";
  const asked = (choices: Record<string, string>) => plan(question, [], choices);

  it("offers what would be answered, and each grain alone", async () => {
    const made = await asked({});
    expect(made).toMatchObject({
      outcome: "ask",
      question: expect.stringMatching(/^Should there be a row for each customer and artist\?\n\n/),
      options: [
        { label: "Go on with a row for each customer and artist", detail: expect.stringContaining("revenue") },
        { label: "For each customer" },
        { label: "For each artist" },
      ],
    });
  });

  it.each([
    ["Go on with a row for each customer and artist", /for each customer and artist/],
    ["For each artist", /^The revenue [^.]*for each artist\./],
    ["For each customer", /^The revenue [^.]*for each customer\./],
  ])("%s", async (label, words) => {
    const made = await asked({ "grain:customer+artist": label });
    expect(made.outcome === "plan" ? made.plan.explanation : made.outcome).toMatch(words);
  });
});

describe("what there was none of", () => {
  it.each([
    "Which customers have not bought anything since 2025-06-01?",
    "Which customers placed no order since 2025-06-01?",
  ])("has a time of its own, and nobody else's date is taken for it: %s", (question) =>
    same(
      question,
      `SELECT FirstName, LastName FROM Customer c WHERE NOT EXISTS
        (SELECT 1 FROM Invoice i WHERE i.CustomerId = c.CustomerId AND i.InvoiceDate >= '2025-06-01')`,
    ),
  );
});

describe("alphabetical order", () => {
  it.each(["List all albums in alphabetical order of the artist.", "List all albums sorted alphabetically by artist."])(
    "goes by whose name is said: %s",
    async (question) => {
      const made = await planned(question);
      const gold = rows("SELECT ar.Name FROM Album al JOIN Artist ar USING (ArtistId) ORDER BY ar.Name");
      const artist = new Map(
        rows("SELECT Title, ar.Name FROM Album JOIN Artist ar USING (ArtistId)") as [string, string][],
      );
      expect(rows(made.sql).map(([title]) => artist.get(title as string))).toEqual(gold.map(([name]) => name));
    },
  );
});

it("a row that is to be counted for itself is asked about", async () => {
  const made = await plan("Which artists have more than 3 artists?");
  expect(made).toMatchObject({
    outcome: "ask",
    question: expect.stringMatching(/^What should "more than 3 artists" count\?/),
  });
});
