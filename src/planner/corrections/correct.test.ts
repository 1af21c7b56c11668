import { describe, expect, it } from "vitest";
import { plan, planned, rows } from "../chinook.fixture.ts";

const perGenre = "How many tracks does each genre have?";
const byAlbum = "List the titles of all albums by AC/DC.";

describe("corrections of joins", () => {
  it.each(["F3: use LEFT JOIN", "F3: Use LEFT JOIN in join 1.", "F3: LEFT JOIN for Track please"])(
    "%s",
    async (text) => {
      const made = await planned(perGenre, [text]);
      expect(made.joins.map((join) => join.type)).toEqual(["LEFT"]);
      expect(made.sql).toContain("LEFT JOIN Track");
      // A genre without tracks must count 0, so the count is over a column.
      expect(made.sql).not.toContain("COUNT(*)");
    },
  );

  it("without a table that only names the groups, the key that refers to it names them", async () => {
    const { joins, sql } = await planned("Which genre earned the most revenue?", ["F3: without Genre"]);
    expect(joins.map((join) => `${join.left.table} ${join.right.table}`)).toEqual(["Track InvoiceLine"]);
    expect(sql).not.toMatch(/\bGenre AS\b/);
    expect(rows(sql)).toEqual(
      rows(
        "SELECT t.GenreId FROM InvoiceLine il JOIN Track t ON t.TrackId = il.TrackId GROUP BY t.GenreId ORDER BY SUM(il.UnitPrice * il.Quantity) DESC LIMIT 1",
      ),
    );
  });

  it("INNER JOIN for a self reference drops those without a partner", async () => {
    const question = "Who does each employee report to?";
    expect(rows((await planned(question)).sql)).toHaveLength(8);
    expect(rows((await planned(question, ["F3: use INNER JOIN"])).sql)).toHaveLength(7);
  });

  it("LEFT JOIN instead of NOT EXISTS gives the same rows", async () => {
    const made = await planned("List the names of all artists that have no album.", ["F3: use LEFT JOIN"]);
    expect(made.joins[0]?.type).toBe("LEFT");
    expect(made.filters[0]?.operator).toBe("IS NULL");
    expect(rows(made.sql)).toHaveLength(71);
  });

  it("joins on named columns instead", async () => {
    const made = await planned(byAlbum, ["F3: use Album.AlbumId = Artist.ArtistId instead"]);
    expect(made.joins[0]?.pairs).toEqual([{ left: "AlbumId", right: "ArtistId" }]);
    const shared = await planned("How many customers does each employee support?", ["F3: join on Country instead"]);
    expect(shared.joins[0]?.pairs).toEqual([{ left: "Country", right: "Country" }]);
  });

  it("asks when a key stands on one side only, with options that can be taken", async () => {
    const asked = await plan(byAlbum, ["F3: join on Title instead"]);
    if (asked.outcome !== "ask") throw new Error("expected a question");
    expect(asked).toMatchObject({ phase: "F3" });
    const option = asked.options.find((known) => known.label.startsWith("Use "));
    const made = await planned(byAlbum, ["F3: join on Title instead"], { [asked.id]: option?.label ?? "" });
    expect(made.sql).not.toBe((await planned(byAlbum)).sql);
  });

  it("a table that is needed is asked about, another path is taken when there is one", async () => {
    expect(
      await plan("How much revenue did each sales support agent bring in?", ["F3: without table Customer"]),
    ).toMatchObject({ outcome: "ask", id: "needs:customer" });
    const also = await planned(perGenre, ["F2: also table Album"]);
    expect(also.tables.find((table) => table.table === "Album")?.use).toBe("used");
    expect((await planned(perGenre, ["F2: also table Album", "F2: without table Album"])).sql).toBe(
      (await planned(perGenre)).sql,
    );
  });
});

describe("corrections of the frame", () => {
  it.each([
    [
      perGenre,
      "F4: only 'Rock'",
      "SELECT g.Name, COUNT(*) FROM Genre g JOIN Track t ON t.GenreId = g.GenreId WHERE g.Name = 'Rock' GROUP BY g.GenreId",
    ],
    [
      perGenre,
      "F4: leave out 'Rock And Roll'",
      "SELECT g.Name, COUNT(*) FROM Genre g JOIN Track t ON t.GenreId = g.GenreId WHERE g.Name <> 'Rock And Roll' GROUP BY g.GenreId",
    ],
    [
      "How many invoices were issued in March 2023?",
      "F4: only 2022",
      "SELECT COUNT(*) FROM Invoice WHERE InvoiceDate LIKE '2022%'",
    ],
    [
      "How many tracks are in the Rock genre?",
      "F4: add 'Metal'",
      "SELECT COUNT(*) FROM Track t JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name IN ('Rock', 'Metal')",
    ],
    [
      perGenre,
      "F1: by media type instead of genre",
      "SELECT m.Name, COUNT(*) FROM MediaType m JOIN Track t ON t.MediaTypeId = m.MediaTypeId GROUP BY m.MediaTypeId",
    ],
    [
      perGenre,
      "F5: top 3",
      "SELECT g.Name, COUNT(*) n FROM Genre g JOIN Track t ON t.GenreId = g.GenreId GROUP BY g.GenreId ORDER BY n DESC LIMIT 3",
    ],
    [
      "What is the average track length in minutes for each media type?",
      "F1: total instead of average",
      "SELECT m.Name, SUM(t.Milliseconds) / 60000.0 FROM MediaType m JOIN Track t ON t.MediaTypeId = m.MediaTypeId GROUP BY m.MediaTypeId",
    ],
    [
      "How many different cities do our customers live in?",
      "F1: count distinct countries",
      "SELECT COUNT(DISTINCT Country) FROM Customer",
    ],
    [
      "What is the total invoice amount per billing country?",
      "F2: column BillingCity instead of BillingCountry",
      "SELECT BillingCity, ROUND(SUM(Total), 2) FROM Invoice GROUP BY BillingCity",
    ],
    [
      "How many albums does each artist have?",
      "F1: include those with none",
      "SELECT ar.Name, COUNT(al.AlbumId) FROM Artist ar LEFT JOIN Album al ON al.ArtistId = ar.ArtistId GROUP BY ar.ArtistId",
    ],
  ])("%s — %s", async (question, text, gold) => {
    const sorted = (sql: string) =>
      rows(sql)
        .map((row) => JSON.stringify(row))
        .sort();
    expect(sorted((await planned(question, [text])).sql)).toEqual(sorted(gold));
  });

  it("orders as told", async () => {
    const counts = rows((await planned(perGenre, ["F5: sort ascending"])).sql).map((row) => Number(row[1]));
    expect(counts).toEqual([...counts].sort((a, b) => a - b));
  });
});

describe("words that are not understood", () => {
  it("get a question with options, never the same plan", async () => {
    const asked = await plan(perGenre, ["F3: make it more beautiful"]);
    if (asked.outcome !== "ask") throw new Error("expected a question");
    expect(asked.phase).toBe("F3");
    expect(asked.options.length).toBeGreaterThan(1);
    expect(asked.options.filter((option) => option.proposed)).toHaveLength(1);
    expect(
      (await plan(perGenre, ["F3: make it more beautiful"], { [asked.id]: asked.options.at(-1)?.label ?? "" })).outcome,
    ).toBe("plan");
    const changed = await planned(perGenre, ["F3: make it more beautiful"], {
      [asked.id]: asked.options[0]?.label ?? "",
    });
    expect(changed.joins[0]?.type).toBe("LEFT");
  });

  it("a correction that changes nothing is said to change nothing", async () => {
    expect(await plan(perGenre, ["F1: include those with none", "F1: include those with none"])).toMatchObject({
      outcome: "ask",
    });
  });

  it("later words answer earlier ones that were not understood", async () => {
    expect((await planned(perGenre, ["F3: make it more beautiful", "F3: use LEFT JOIN"])).joins[0]?.type).toBe("LEFT");
  });
});

describe("phrases of the page", () => {
  const rock = "How many tracks are in the Rock genre?";

  it("adds to a numbered filter and takes out of it", async () => {
    const both = "SELECT COUNT(*) FROM Track t JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name IN ('Rock', 'Metal')";
    expect(rows((await planned(rock, ["F4: Add 'Metal' to filter 1."])).sql)).toEqual(rows(both));
    const metal = await planned(rock, ["F4: Add 'Metal' to filter 1.", "F4: Leave 'Rock' out of filter 1."]);
    expect(metal.filters[0]?.values).toEqual(["Metal"]);
  });

  it("asks when there is no such filter", async () => {
    expect(await plan(rock, ["F4: Add 'Metal' to filter 3."])).toMatchObject({
      outcome: "ask",
      why: expect.stringMatching(/no filter 3/),
    });
  });

  it("drops a filter by its column", async () => {
    expect(rows((await planned(rock, ["F4: Without the filter on Genre.Name."])).sql)).toEqual([[3503]]);
  });

  it("keeps the plan when told to keep what was accepted", async () => {
    const kept = "F6: Keep #27, as accepted: SELECT a. B. Not as in this SQL: Line 3 says X.";
    expect((await planned(perGenre, [kept])).sql).toBe((await planned(perGenre)).sql);
  });

  it("reads every sentence, and asks about the one it does not understand", async () => {
    const made = await planned(perGenre, ["F3: Use LEFT JOIN in 1. Sort descending."]);
    expect(made.joins[0]?.type).toBe("LEFT");
    expect(rows(made.sql)[0]).toEqual(["Rock", 1297]);
    const text = "F3: Use LEFT JOIN in 1. Make it prettier.";
    const asked = await plan(perGenre, [text]);
    if (asked.outcome !== "ask") throw new Error("expected a question");
    expect(asked.question).toContain("Make it prettier");
    expect(asked.question).not.toContain("LEFT JOIN in 1.");
    const kept = await planned(perGenre, [text], { [asked.id]: "Keep the plan as it was" });
    expect(kept.joins[0]?.type).toBe("LEFT");
  });
});
