import { describe, expect, it } from "vitest";
import { planned, rows } from "../chinook.fixture.ts";

const tracks = "How many tracks are there?";

describe("corrections that compare", () => {
  it.each([
    [
      tracks,
      ["F4: Only those with milliseconds greater than 300000."],
      "SELECT COUNT(*) FROM Track WHERE Milliseconds > 300000",
    ],
    [tracks, ["F4: only those with unit price at least 1.99"], "SELECT COUNT(*) FROM Track WHERE UnitPrice >= 1.99"],
    [
      tracks,
      ["F4: Only those with composer like 'Angus'."],
      "SELECT COUNT(*) FROM Track WHERE Composer LIKE '%Angus%'",
    ],
    [
      "How many customers are there?",
      ["F4: Only those with country other than 'USA'."],
      "SELECT COUNT(*) FROM Customer WHERE Country <> 'USA'",
    ],
    [
      tracks,
      ["F4: Only those with milliseconds above the average."],
      "SELECT COUNT(*) FROM Track WHERE Milliseconds > (SELECT AVG(Milliseconds) FROM Track)",
    ],
    [
      "Which genres have tracks?",
      ["F4: Only those with at least 100 tracks."],
      "SELECT Name FROM Genre WHERE (SELECT COUNT(*) FROM Track t WHERE t.GenreId = Genre.GenreId) >= 100",
    ],
    [
      "How many tracks does each genre have?",
      ["F4: Only those with more than 100 tracks."],
      "SELECT g.Name, COUNT(*) FROM Genre g JOIN Track t ON t.GenreId = g.GenreId GROUP BY g.GenreId HAVING COUNT(*) > 100",
    ],
  ])("%s — %j", async (question, corrections, gold) => {
    const sorted = (sql: string) =>
      rows(sql)
        .map((row) => JSON.stringify(row))
        .sort();
    expect(sorted((await planned(question, corrections)).sql)).toEqual(sorted(gold));
  });

  it("take the place of what said otherwise, and stand beside the other end", async () => {
    const said = [
      "F4: Only those with milliseconds greater than 300000.",
      "F4: Only those with milliseconds greater than 200000.",
    ];
    const [over] = rows("SELECT COUNT(*) FROM Track WHERE Milliseconds > 200000");
    expect(rows((await planned(tracks, said)).sql)).toEqual([over]);
    const [between] = rows("SELECT COUNT(*) FROM Track WHERE Milliseconds > 200000 AND Milliseconds < 250000");
    expect(rows((await planned(tracks, [...said, "F4: Only those with milliseconds less than 250000."])).sql)).toEqual([
      between,
    ]);
  });

  it("are no other way to say No", async () => {
    expect((await planned("Which genre has the most tracks?", ["F6: No limit."])).sql).not.toMatch(/LIMIT/);
    expect(rows((await planned("List the composer of all tracks.", ["F6: No duplicates."])).sql)).toHaveLength(854);
  });
});
