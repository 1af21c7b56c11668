import { afterEach, expect, test } from "vitest";
import { countIn, demoFile, hasDemo, joinOf, type Opened, openDemo } from "./evidence-fixture.ts";
import { measureJoins } from "./measure-joins.ts";

let opened: Opened | undefined;
afterEach(() => opened?.close());

test.skipIf(!hasDemo)("demo: the five joins of rock artists, every figure as plain SQL counts it", async () => {
  opened = await openDemo();
  const result = await measureJoins(
    opened.database,
    opened.catalog,
    [
      joinOf("Artist ar", "INNER", "Album al", "ArtistId"),
      joinOf("Album al", "INNER", "Track t", "AlbumId"),
      joinOf("Track t", "INNER", "Genre g", "GenreId"),
      joinOf("Track t", "INNER", "InvoiceLine il", "TrackId", "UnitPrice"),
      joinOf("InvoiceLine il", "INNER", "Invoice i", "InvoiceId"),
    ],
    {
      measures: [
        { alias: "t", column: "Milliseconds", words: "track length", aggregate: "SUM" },
        { alias: "il", column: "UnitPrice * Quantity", words: "revenue", aggregate: "SUM" },
      ],
    },
  );
  if ("problem" in result) throw new Error(result.problem.message);
  const { evidence, findings } = result;
  const lost = countIn(demoFile, "SELECT COUNT(*) FROM Artist WHERE ArtistId NOT IN (SELECT ArtistId FROM Album)");
  const unsold = countIn(demoFile, "SELECT COUNT(*) FROM Track WHERE TrackId NOT IN (SELECT TrackId FROM InvoiceLine)");
  expect(
    evidence.joins.map((join) => [join.cardinality, join.leftRows - join.leftMatched, join.before, join.after]),
  ).toEqual([
    ["1:N", lost, 275, 347],
    ["1:N", 0, 347, 3503],
    ["N:1", 0, 3503, 3503],
    ["1:N", unsold, 3503, 2240],
    ["N:1", 0, 2240, 2240],
  ]);
  expect(evidence.exact).toBe(true);
  expect(evidence.checks.every((check) => check.ok)).toBe(true);
  expect(findings.map((finding) => [finding.severity, finding.code])).toEqual([
    ["warning", "measure-doubled"],
    ["notice", "total-differs"],
    ["notice", "rows-left-out"],
    ["notice", "pair-inferred"],
  ]);
  const totalOf = (where: string) => countIn(demoFile, `SELECT SUM(Milliseconds) FROM Track ${where}`);
  const [whole, sold] = [totalOf(""), totalOf("WHERE TrackId IN (SELECT TrackId FROM InvoiceLine)")];
  expect(findings[1]?.proof?.rows).toEqual([
    [
      "track length SUM(t.Milliseconds)",
      ...[whole, sold, sold - whole].map((figure) => figure.toLocaleString("en-US")),
    ],
  ]);
  const twice = countIn(
    demoFile,
    "SELECT COUNT(*) FROM (SELECT TrackId FROM InvoiceLine GROUP BY TrackId HAVING COUNT(*) > 1)",
  );
  expect(findings[0]?.body).toContain(`${twice} of 1,984 rows of Track`);
});
