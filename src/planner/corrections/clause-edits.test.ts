import { describe, expect, it } from "vitest";
import { plan, planned, rows } from "../chinook.fixture.ts";

const tracks = "List the names of all tracks.";
const perGenre = "How many tracks does each genre have?";
const invoices = "How many invoices are there?";

const sorted = (sql: string) =>
  rows(sql)
    .map((row) => JSON.stringify(row))
    .sort();

describe("corrections in plain clauses", () => {
  it.each([
    ["what is shown", tracks, "Show only name and milliseconds.", "SELECT Name, Milliseconds FROM Track"],
    ["a figure instead", tracks, "Show only the average milliseconds.", "SELECT AVG(Milliseconds) FROM Track"],
    [
      "two figures",
      tracks,
      "show only the highest and lowest unit price".replace("and", "unit price and the"),
      "SELECT MAX(UnitPrice), MIN(UnitPrice) FROM Track",
    ],
    ["how many", tracks, "Show only the number of tracks.", "SELECT COUNT(*) FROM Track"],
    [
      "a figure beside a name",
      "List the names of all genres.",
      "Show only name and the number of tracks.",
      "SELECT g.Name, COUNT(*) FROM Genre g JOIN Track t USING (GenreId) GROUP BY g.GenreId",
    ],
    ["one more column", tracks, "Also show composer.", "SELECT Name, Composer FROM Track"],
    ["one less", "List the name and composer of all tracks.", "Don't show composer.", "SELECT Name FROM Track"],
    [
      "another table's rows",
      perGenre,
      "Count albums instead.",
      "SELECT g.Name, COUNT(DISTINCT t.AlbumId) FROM Genre g JOIN Track t USING (GenreId) GROUP BY g.GenreId",
    ],
    [
      "per what",
      invoices,
      "For each billing country.",
      "SELECT BillingCountry, COUNT(*) FROM Invoice GROUP BY BillingCountry",
    ],
    [
      "per two things",
      invoices,
      "Group by billing country and billing city.",
      "SELECT BillingCountry, BillingCity, COUNT(*) FROM Invoice GROUP BY 1, 2",
    ],
    ["not per what", perGenre, "Not for each genre.", "SELECT COUNT(*) FROM Track"],
    ["all together", perGenre, "All together.", "SELECT COUNT(*) FROM Track"],
    [
      "the one with the most",
      perGenre,
      "Only the one with the most tracks.",
      "SELECT g.Name, COUNT(*) n FROM Genre g JOIN Track t USING (GenreId) GROUP BY g.GenreId ORDER BY n DESC LIMIT 1",
    ],
    [
      "the highest of all",
      tracks,
      "Only those with the highest milliseconds.",
      "SELECT Name FROM Track WHERE Milliseconds = (SELECT MAX(Milliseconds) FROM Track)",
    ],
    [
      "all and not the first",
      "Which genre has the most tracks?",
      "Show all of them, not only the top one.",
      "SELECT g.Name FROM Genre g",
    ],
    [
      "none of the others",
      "List the names of all artists.",
      "Only those without any album.",
      "SELECT Name FROM Artist WHERE ArtistId NOT IN (SELECT ArtistId FROM Album)",
    ],
    [
      "some of the others",
      "List the names of all artists.",
      "Only those with any album with title like 'Rock'.",
      "SELECT Name FROM Artist WHERE ArtistId IN (SELECT ArtistId FROM Album WHERE Title LIKE '%Rock%')",
    ],
    [
      "nothing stored",
      "List the names of all tracks.",
      "Only those with composer missing.",
      "SELECT Name FROM Track WHERE Composer IS NULL",
    ],
    [
      "one of several values",
      "How many customers are there?",
      "Only those with country in 'USA', 'Brazil'.",
      "SELECT COUNT(*) FROM Customer WHERE Country IN ('USA', 'Brazil')",
    ],
    [
      "one or the other",
      tracks,
      "Only those with composer equal to 'AC/DC' or milliseconds greater than 3000000.",
      "SELECT Name FROM Track WHERE Composer = 'AC/DC' OR Milliseconds > 3000000",
    ],
    [
      "both at once",
      tracks,
      "Only those with unit price at least 1.99 and milliseconds less than 200000.",
      "SELECT Name FROM Track WHERE UnitPrice >= 1.99 AND Milliseconds < 200000",
    ],
    [
      "a figure of groups",
      perGenre,
      "Only those with the average milliseconds greater than 400000.",
      "SELECT g.Name, COUNT(*) FROM Genre g JOIN Track t USING (GenreId) GROUP BY g.GenreId HAVING AVG(t.Milliseconds) > 400000",
    ],
    [
      "rows as often as they come",
      "Which artists have albums?",
      "With duplicates.",
      "SELECT ar.Name FROM Artist ar JOIN Album al USING (ArtistId)",
    ],
  ])("%s: %s — %s", async (_, question, text, gold) => {
    expect(sorted((await planned(question, [`F6: ${text}`])).sql)).toEqual(sorted(gold));
  });

  it("sort by several keys, each its own way", async () => {
    const { sql } = await planned(tracks, ["F6: Sort by milliseconds descending, then by name ascending."]);
    expect(rows(sql).slice(0, 3)).toEqual(rows("SELECT Name FROM Track ORDER BY Milliseconds DESC, Name LIMIT 3"));
    const count = await planned("List the names of all genres.", ["F6: Sort by number of tracks descending."]);
    expect(rows(count.sql)[0]).toEqual(["Rock"]);
  });

  it("both values of one thing", async () => {
    const { sql } = await planned("Which artists have tracks in the genre Rock?", ["F6: both 'Rock' and 'Blues'"]);
    const has = (genre: string) =>
      `SELECT al.ArtistId FROM Album al JOIN Track t USING (AlbumId) JOIN Genre g USING (GenreId) WHERE g.Name = '${genre}'`;
    expect(sorted(sql)).toEqual(
      sorted(`SELECT Name FROM Artist WHERE ArtistId IN (${has("Rock")}) AND ArtistId IN (${has("Blues")})`),
    );
    const either = await planned("Which artists have tracks in the genre Rock?", [
      "F6: both 'Rock' and 'Blues'",
      "F6: or instead of and",
    ]);
    expect(rows(either.sql).length).toBeGreaterThan(rows(sql).length);
  });

  it("follow one another in one sentence, and the next one keeps them", async () => {
    const said = ["F6: Show only name and milliseconds, sorted by milliseconds descending, top 3."];
    const gold = "SELECT Name, Milliseconds FROM Track ORDER BY Milliseconds DESC LIMIT 3";
    expect(rows((await planned(tracks, said)).sql)).toEqual(rows(gold));
    const next = await planned(tracks, [...said, "F6: Only those with milliseconds below 1000000."]);
    expect(rows(next.sql)).toEqual(rows(gold.replace("ORDER", "WHERE Milliseconds < 1000000 ORDER")));
  });

  it.each([
    ["Also show the average milliseconds, top 5 only", /AVG\([\s\S]*LIMIT 5/],
    ["Sort by number of tracks descending and top 3.", /DESC[\s\S]*LIMIT 3/],
    ["Sort descending; leave out Rock", /<> 'Rock'[\s\S]*DESC/],
    ["use LEFT JOIN and leave out Rock, top 2", /LEFT JOIN[\s\S]*<> 'Rock'[\s\S]*LIMIT 2/],
  ])("hold each of several wishes: %s", async (text, all) => {
    expect((await planned(perGenre, [`F1: ${text}`])).sql).toMatch(all);
  });

  it.each([
    ["Sort descending; make it prettier", "make it prettier"],
    ["sort descending, only Rock and Jazz, make it prettier", "make it prettier"],
    ["Sort descending. Only those with any zork.", "Only those with any zork."],
    ["Sort descending. Don't show name and number of tracks.", "Don't show name and number of tracks"],
  ])("say back what was not used, and keep the rest: %s", async (text, part) => {
    const asked = await plan(perGenre, [`F1: ${text}`]);
    if (asked.outcome !== "ask") throw new Error("expected a question");
    expect(asked.question).toContain(part);
    const kept = await planned(perGenre, [`F1: ${text}`], { [asked.id]: "Keep the plan as it was" });
    expect(kept.sql).toMatch(/ORDER BY .* DESC/);
  });

  it("take the place of a number that was read otherwise", async () => {
    const { sql } = await planned("Which genres have more than 100 tracks?", [
      "F6: Only those with at most 100 tracks.",
    ]);
    expect(rows(sql)).toHaveLength(rows("SELECT 1 FROM Track GROUP BY GenreId HAVING COUNT(*) <= 100").length);
    const without = await planned("Which genres have more than 100 tracks?", [
      "F6: Without the condition on the number of tracks.",
    ]);
    expect(rows(without.sql)).toHaveLength(25);
  });

  it("never leave an answer without columns", async () => {
    expect(await plan(tracks, ["F6: Don't show name."])).toMatchObject({ outcome: "ask" });
  });
});

describe("a gate without a plan", () => {
  const question = "Which soloist has the biggest oeuvre?";

  it("shows what the words came near to", async () => {
    const refused = await plan("How many punters live in Paris?");
    if (refused.outcome !== "cannot-answer") throw new Error("expected a refusal");
    expect(refused.reason).toMatch(/Nearest to its words:\nCustomer \(CustomerId, /);
  });

  it("takes words that start over, and words that pass over others", async () => {
    expect((await plan(question)).outcome).not.toBe("plan");
    const { sql } = await planned(question, [
      "F1: Start over with Artist and Album: show Artist name, for each Artist name, sorted by number of albums descending, only the first.",
    ]);
    expect(rows(sql)).toEqual([["Iron Maiden"]]);
    const three = await planned(question, [
      "F1: Start over with Artist, Album and Track: show Artist name, for each Artist name, sorted by number of tracks descending, only the first.",
    ]);
    expect(rows(three.sql)).toEqual([["Iron Maiden"]]);
    expect(three.tables.filter(({ use }) => use === "used").map(({ table }) => table)).toEqual(
      expect.arrayContaining(["Artist", "Album", "Track"]),
    );
    const passed = await planned("How many premium customers are there?", ['F1: Leave "premium" out of it.']);
    expect(rows(passed.sql)).toEqual([[59]]);
  });

  it("asks when what is started over can't be read", async () => {
    expect(await plan(tracks, ["F6: Start over: show zorks."])).toMatchObject({ outcome: "ask" });
  });
});
