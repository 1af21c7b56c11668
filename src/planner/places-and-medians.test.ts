import { describe, expect, it } from "vitest";
import { planned, rows } from "./chinook.fixture.ts";

const one = async (question: string) => rows((await planned(question)).sql);

describe("one place of an order", () => {
  it.each([
    [
      "What is the second highest invoice total?",
      "SELECT DISTINCT Total FROM Invoice ORDER BY Total DESC LIMIT 1 OFFSET 1",
    ],
    [
      "What is the name of the second longest track?",
      "SELECT Name FROM Track ORDER BY Milliseconds DESC LIMIT 1 OFFSET 1",
    ],
    [
      "Which genre has the 3rd most tracks?",
      "SELECT g.Name FROM Genre g JOIN Track t ON t.GenreId = g.GenreId GROUP BY g.GenreId ORDER BY COUNT(*) DESC LIMIT 1 OFFSET 2",
    ],
    [
      "For each media type, which track is the second-longest?",
      "SELECT m, n FROM (SELECT mt.Name m, t.Name n, DENSE_RANK() OVER (PARTITION BY mt.MediaTypeId ORDER BY Milliseconds DESC) p FROM Track t JOIN MediaType mt ON mt.MediaTypeId = t.MediaTypeId) WHERE p = 2 ORDER BY m",
    ],
  ])("%s", async (question, gold) => expect(await one(question)).toEqual(rows(gold)));
});

describe("medians", () => {
  it("is the number in the middle", async () => {
    const lengths = rows("SELECT Milliseconds FROM Track ORDER BY 1").flat().map(Number);
    expect(lengths.length % 2).toBe(1);
    expect(await one("What is the median track length?")).toEqual([[lengths[(lengths.length - 1) / 2]]]);
  });

  it("is the average of the two in the middle, in each group", async () => {
    const found = await one("What is the median invoice total for each country?");
    for (const [country, median] of found) {
      const totals = rows(`SELECT Total FROM Invoice WHERE BillingCountry = '${country}' ORDER BY 1`)
        .flat()
        .map(Number);
      const middle = [Math.floor((totals.length - 1) / 2), Math.floor(totals.length / 2)];
      expect(median).toBeCloseTo(middle.reduce((sum, at) => sum + (totals[at] ?? 0), 0) / 2, 6);
    }
  });

  it("is taken over figures of groups too", async () => {
    const counts = rows("SELECT COUNT(*) FROM Track GROUP BY AlbumId ORDER BY 1").flat().map(Number);
    const middle =
      ((counts[Math.floor((counts.length - 1) / 2)] ?? 0) + (counts[Math.floor(counts.length / 2)] ?? 0)) / 2;
    expect(await one("What is the median number of tracks per album?")).toEqual([[middle]]);
  });
});
