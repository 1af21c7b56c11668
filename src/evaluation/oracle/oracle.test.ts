import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Catalog, FilterDecision, JoinDecision } from "../../protocol/index.ts";
import { openPlaces, type Place, type Places } from "../places.ts";
import type { Question } from "../questions.ts";
import type { ReviewedDecision, SeenGate } from "../reviewed.ts";
import { openGold } from "../score-answer.ts";
import { createOracle } from "./oracle.ts";
import { readParts } from "./statement-parts.ts";
import { templates } from "./templates.ts";

const demo = fileURLToPath(new URL("../../../demo", import.meta.url));
let places: Places;
let place: Place;
let catalog: Catalog;
beforeAll(async () => {
  places = await openPlaces(demo);
  place = await places.open({ id: "1", db: "chinook", question: "?" });
  catalog = (await place.catalog()).catalog;
});
afterAll(() => places.close());

async function oracle(question: string, gold_sql: string, most = 3) {
  const asked: Question = { id: "1", db: "chinook", question, gold_sql };
  return createOracle({
    question,
    goldSql: gold_sql,
    gold: await openGold(asked, place.database, catalog),
    catalog,
    most,
  });
}
const seen = { openQuestions: [] };
const data = (decisions: ReviewedDecision[], phase: "F1" | "F2" | "F4" = "F2"): SeenGate => ({
  ...seen,
  kind: "decision-review",
  phase,
  decisions,
  shown: async () => JSON.stringify(decisions),
});
const table = (name: string, use: "used" | "left-out" = "used"): ReviewedDecision => ({
  kind: "table",
  table: name,
  use,
  reason: "x",
});
const output = (of: string, column: string): ReviewedDecision => ({
  kind: "column",
  table: of,
  column,
  role: "output",
  reason: "x",
});
const filter = (
  of: string,
  column: string,
  operator: FilterDecision["operator"],
  ...values: (string | number)[]
): FilterDecision => ({
  kind: "filter",
  words: "x",
  table: of,
  column,
  operator,
  values,
  condition: "x",
});
const final = (sql: string): SeenGate => ({ ...seen, kind: "sql-review", phase: "F6", sql, shown: async () => sql });

const rock = "SELECT COUNT(*) FROM Track t JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name = 'Rock'";

describe("parts of a statement", () => {
  it("are seen through steps", () => {
    const steps = `WITH a AS (SELECT g.Name AS n, t.Milliseconds AS ms FROM Genre g JOIN Track t USING (GenreId) WHERE t.UnitPrice >= 1),
      b AS (SELECT n, AVG(ms) AS m, COUNT(DISTINCT ms) AS c FROM a GROUP BY n HAVING COUNT(*) > 3) SELECT n, m, c FROM b ORDER BY m DESC LIMIT 5`;
    expect(readParts(steps, catalog)).toMatchObject({
      tables: ["genre", "track"],
      outputs: [
        { kind: "column", of: { table: "genre", column: "name" } },
        { kind: "aggregate", fn: "AVG", of: { table: "track", column: "milliseconds" } },
        { kind: "aggregate", fn: "COUNT", distinct: true },
      ],
      groups: [{ table: "genre", column: "name" }],
      order: [{ by: { kind: "aggregate", fn: "AVG" }, descending: true }],
      limit: 5,
    });
    expect(readParts(steps, catalog)?.conditions.map(({ simple }) => [simple?.comparison, simple?.values])).toEqual([
      [">=", [1]],
      [">", [3]],
    ]);
  });

  it("hold what a condition says", () => {
    const where = (condition: string) =>
      readParts(`SELECT 1 FROM Track WHERE ${condition}`, catalog)?.conditions[0]?.simple;
    expect(where("Name LIKE '%it''s%'")).toMatchObject({ comparison: "LIKE", values: ["%it's%"] });
    expect(where("3 < Bytes")).toMatchObject({ comparison: ">", values: [3] });
    expect(where("Composer IS NOT NULL")).toMatchObject({ comparison: "NOT NULL", values: [] });
    expect(where("GenreId IN (1, 2)")).toMatchObject({ comparison: "IN", values: [1, 2] });
    expect(where("Bytes > (SELECT AVG(Bytes) FROM Track)")).toBeUndefined();
    expect(readParts("SELECT FROM WHERE", catalog)).toBeNull();
  });
});

describe("a reviewer who knows gold", () => {
  it("continues where the proposal agrees", async () => {
    const review = await oracle("How many Rock tracks are there?", rock);
    expect(await review(data([table("Track"), table("Genre"), table("Album", "left-out")]))).toEqual({
      answer: "continue",
    });
    expect(await review(data([filter("Genre", "Name", "=", "Rock")], "F4"))).toEqual({ answer: "continue" });
    expect(await review(final(rock))).toEqual({ answer: "continue" });
    expect(await review(final("SELECT 1297"))).toEqual({ answer: "continue" });
  });

  it("names a table that is missing or too much, when it is shown", async () => {
    const review = await oracle("How many Rock tracks are there?", rock);
    expect(await review(data([table("Track"), table("Genre", "left-out")]))).toMatchObject({
      text: "Also table Genre.",
    });
    // One table too many may lead to the same rows: the last gate tells.
    expect(await review(data([table("Track"), table("Genre"), table("Playlist")]))).toEqual({ answer: "continue" });
    const many = rock.replace("JOIN Genre", "JOIN PlaylistTrack p ON p.TrackId = t.TrackId JOIN Genre");
    expect(await review(final(many))).toMatchObject({ text: "Count Track instead." });
    // No word of the gate or the question is the table's name.
    const blind = await oracle("How many are there?", "SELECT COUNT(*) FROM Artist");
    expect(await blind(data([output("Album", "Title")]))).not.toMatchObject({
      text: expect.stringContaining("Artist"),
    });
  });

  it("names values and numbers of the question in plain words", async () => {
    const review = await oracle(
      "How many Rock tracks are longer than 300000 milliseconds?",
      `${rock} AND t.Milliseconds > 300000`,
    );
    const gate = data([filter("Genre", "Name", "=", "Rock And Roll")], "F4");
    expect(await review(gate)).toMatchObject({
      answer: "other",
      text: "Only 'Rock'. Only those with milliseconds greater than 300000.",
      template: "only-value + compare",
    });
    // A phase is corrected once.
    expect(await review(gate)).toEqual({ answer: "continue" });
  });

  it("takes out a filter that gold doesn't have", async () => {
    const review = await oracle("How many Rock tracks are there?", rock);
    const gate = data([filter("Genre", "Name", "=", "Rock"), filter("Track", "Bytes", ">", 5)], "F4");
    expect(await review(gate)).toMatchObject({ text: "Without the filter on Track.Bytes." });
  });

  it("sees how tables are joined", async () => {
    const gold =
      "SELECT ar.Name, COUNT(al.AlbumId) FROM Artist ar LEFT JOIN Album al ON al.ArtistId = ar.ArtistId GROUP BY ar.ArtistId";
    const join = (type: JoinDecision["type"], right: string): SeenGate => {
      const decisions: JoinDecision[] = [
        {
          kind: "join",
          left: { table: "Artist", alias: "a" },
          type,
          right: { table: "Album", alias: "b" },
          pairs: [{ left: "ArtistId", right }],
        },
      ];
      return { ...seen, kind: "join-review", phase: "F3", decisions, shown: async () => JSON.stringify(decisions) };
    };
    const review = await oracle("How many albums does each artist have?", gold);
    expect(await review(join("LEFT", "ArtistId"))).toEqual({ answer: "continue" });
    expect(await review(join("INNER", "ArtistId"))).toMatchObject({ text: "Use LEFT JOIN in 1." });
    const other = await oracle("How many albums does each artist have?", gold);
    expect(await other(join("LEFT", "AlbumId"))).toMatchObject({
      text: "Use Artist.ArtistId = Album.ArtistId instead.",
    });
  });

  it("corrects the statement by what its rows leave open, puts it anew, and never goes beyond its patience", async () => {
    const gold = "SELECT Name FROM Track ORDER BY Milliseconds DESC LIMIT 3";
    const gate = final("SELECT Name FROM Track ORDER BY Milliseconds LIMIT 5");
    const review = await oracle("Which 3 tracks take the most milliseconds?", gold);
    const said = [await review(gate), await review(gate), await review(gate), await review(gate)];
    expect(said.slice(0, 2)).toMatchObject([
      { text: "Sort descending. Top 3.", template: "direction + top" },
      { text: "Start over with Track: show name, sorted by milliseconds descending, top 3." },
    ]);
    expect(said.slice(2)).toEqual([{ answer: "continue" }, { answer: "continue" }]);
    const none = await oracle("Which 3 tracks take the most milliseconds?", gold, 0);
    expect(await none(gate)).toEqual({ answer: "continue" });
    const one = await oracle("Which 3 tracks take the most milliseconds?", gold, 1);
    expect([await one(gate), await one(gate)]).toMatchObject([{ answer: "other" }, { answer: "continue" }]);
  });

  it("looks at the rows: the same ones twice, or some too many", async () => {
    const pairs = "SELECT ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId";
    const often = await oracle("Which artists have albums?", pairs);
    expect(await often(final(pairs.replace("SELECT", "SELECT DISTINCT")))).toMatchObject({ text: "With duplicates." });
    const few = await oracle("Which customers live in Brazil?", "SELECT Email FROM Customer WHERE Country = 'Brazil'");
    // Gold's rows are among them, so what is shown is right.
    expect(await few(final("SELECT Email FROM Customer"))).toMatchObject({
      text: "Only 'Brazil'.",
    });
  });

  it.each([
    [
      "names with fewer than 3 albums",
      "SELECT ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId GROUP BY ar.Name HAVING COUNT(*) < 3",
      "SELECT ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId GROUP BY ar.Name HAVING COUNT(*) < 2",
      "Only those with less than 3 Album.",
    ],
    [
      "names of artists with any number of albums",
      "SELECT ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId GROUP BY ar.Name",
      "SELECT ar.Name FROM Artist ar JOIN Album al ON al.ArtistId = ar.ArtistId GROUP BY ar.Name HAVING COUNT(*) < 2",
      "Without the condition on the number of Album.",
    ],
    [
      "the country or the city",
      "SELECT Email FROM Customer WHERE Country = 'Brazil' OR City = 'Paris'",
      "SELECT Email FROM Customer WHERE Country = 'Brazil' AND City = 'Paris'",
      "Only those with country equal to 'Brazil' or city equal to 'Paris'.",
    ],
    [
      "the track of the highest bytes",
      "SELECT Name FROM Track WHERE Bytes = (SELECT MAX(Bytes) FROM Track)",
      "SELECT Name FROM Track",
      "Only those with the highest bytes.",
    ],
    [
      "the artist without an album",
      "SELECT Name FROM Artist WHERE ArtistId NOT IN (SELECT ArtistId FROM Album)",
      "SELECT Name FROM Artist",
      "Only those without any Album.",
    ],
    [
      "the number of tracks and their average bytes, not for each genre id",
      "SELECT COUNT(*), AVG(Bytes) FROM Track",
      "SELECT GenreId, COUNT(*) FROM Track GROUP BY GenreId",
      "Not for each genre id. Show only the number of Track and the average bytes.",
    ],
  ])("says in plain words: %s", async (question, gold, proposed, text) => {
    const review = await oracle(question, gold);
    const gate = final(`${proposed}`);
    expect(await review({ ...gate, shown: async () => `${proposed} Brazil Paris` })).toMatchObject({ text });
  });

  it("explains a word that is missing, or puts the question anew", async () => {
    const gate = (missing: string): SeenGate => ({
      ...seen,
      kind: "question",
      phase: "F1",
      question: `Missing: a column or table for ${missing}. Nothing is called that. Nearest: Track (Name, Bytes)`,
      options: [],
      cannotAnswer: true,
      shown: async () => "Track (Name, Bytes)",
    });
    const gold = "SELECT Name FROM Track ORDER BY Bytes DESC LIMIT 1";
    const review = await oracle("Which track name is of the greatest volume?", gold);
    expect(await review(gate("volume"))).toMatchObject({ text: "volume means bytes.", template: "means" });
    expect(await review(gate("volume"))).toMatchObject({
      text: "Start over with Track: show name, sorted by bytes descending, only the first.",
    });
    expect(await review(gate("volume"))).toEqual({ answer: "continue" });
    const people = await oracle(
      "How many punters live in Paris?",
      "SELECT COUNT(*) FROM Customer WHERE City = 'Paris'",
    );
    const near = { ...gate("punters"), shown: async () => "Customer (CustomerId, City)" };
    expect(await people(near)).toMatchObject({ text: "punters means Customer." });
  });

  it("takes the option that agrees with gold, and is blind where none can be told", async () => {
    const ask = (labels: string[], question = "Which one?"): SeenGate => ({
      ...seen,
      kind: "question",
      phase: "F2",
      question,
      options: labels.map((label, index) => ({ id: `o${index}`, label, ...(index === 0 ? { proposed: true } : {}) })),
      cannotAnswer: false,
      shown: async () => labels.join("\n"),
    });
    const review = await oracle("How many Rock tracks are there?", rock);
    expect(await review(ask(["Playlist.Name", "Genre.Name"]))).toMatchObject({ answer: "continue", choice: "o1" });
    expect(await review(ask(['Leave "Rock" out of it', "Use Genre.Name = 'Rock'"]))).toMatchObject({ choice: "o1" });
    expect(await review(ask(["This", "That"]))).toEqual({ answer: "continue", blind: true });
  });

  it("publishes everything it can say, and none of it is SQL", () => {
    const page = readFileSync(new URL("../../../docs/evaluation.md", import.meta.url), "utf8");
    for (const { says, when } of Object.values(templates)) {
      expect(page).toContain(`| ${says} | ${when} |`);
      expect(says).not.toMatch(/\b(select|from|where|group by|order by|having)\b/i);
      expect(when).toMatch(/^[A-Z].*\.$/);
    }
  });
});
