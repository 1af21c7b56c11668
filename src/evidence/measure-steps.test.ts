import { afterEach, describe, expect, test } from "vitest";
import type { CteDecision } from "../protocol/index.ts";
import { assembleSteps } from "../sql/assemble-steps.ts";
import { hasDemo, type Opened, openDemo, openSmall } from "./evidence-fixture.ts";
import { measureAnswer } from "./measure-answer.ts";
import { measureSteps } from "./measure-steps.ts";
import { measureTables } from "./measure-tables.ts";

let opened: Opened | undefined;
afterEach(() => {
  opened?.close();
  opened = undefined;
});

const steps = (...pairs: [string, string][]): CteDecision[] =>
  pairs.map(([name, sql]) => ({ kind: "cte", name, sql, purpose: `one row per ${name}` }));
async function measure(sql: string | Opened, ctes: CteDecision[]) {
  opened = typeof sql === "string" ? await openSmall(sql) : sql;
  const result = await measureSteps(opened.database, opened.catalog, ctes);
  if ("problem" in result) throw new Error(result.problem.message);
  return { ...result, codes: result.findings.map((finding) => finding.code) };
}
const flows = (result: Awaited<ReturnType<typeof measure>>) =>
  result.steps.map((step) => [step.name, step.base, step.rowCount, step.folded, step.leftOut, step.why]);

const shop =
  "CREATE TABLE sale (id INTEGER PRIMARY KEY, item TEXT, n INTEGER); CREATE TABLE item (name TEXT PRIMARY KEY, kind TEXT);" +
  "INSERT INTO item VALUES ('pen','office'),('cup','home'),('bed','home'); INSERT INTO sale VALUES (1,'pen',5),(2,'pen',7),(3,'cup',1),(4,'cup',9),(5,'cup',9),(6,'gone',1);";

describe("where the rows go", () => {
  test("filtered, folded, cut", async () => {
    const result = await measure(
      shop,
      steps(
        ["big", "SELECT item, n FROM sale WHERE n > 4 -- keep )"],
        ["per_item", "SELECT item, SUM(n) AS total FROM big GROUP BY item"],
        ["top", "SELECT * FROM per_item ORDER BY total DESC LIMIT 1"],
      ),
    );
    expect(flows(result)).toEqual([
      ["big", 6, 4, 0, 2, "2 left out by the filter"],
      ["per_item", 4, 2, 2, 0, "4 rows folded into 2 groups"],
      ["top", 2, 1, 0, 1, "1 beyond LIMIT 1"],
    ]);
    expect(result.sql).toBe(
      "WITH big AS (\nSELECT item, n FROM sale WHERE n > 4 -- keep )\n),\nper_item AS (\nSELECT item, SUM(n) AS total FROM big GROUP BY item\n),\ntop AS (\nSELECT * FROM per_item ORDER BY total DESC LIMIT 1\n)\nSELECT * FROM top",
    );
    expect(result.steps.map((step) => [step.startLine, step.sql.split("\n")[0]])).toEqual([
      [1, "big AS ("],
      [4, "per_item AS ("],
      [7, "top AS ("],
    ]);
    expect(result.steps[1]?.result.rows).toEqual([
      ["cup", 18],
      ["pen", 12],
    ]);
    expect(result.steps[0]?.inputs).toEqual([{ name: "sale", rows: 6, table: true }]);
    expect(result.steps[2]?.inputs).toEqual([{ name: "per_item", rows: 2, table: false }]);
    expect(result.checks[0]).toEqual({ ok: true, text: "No empty step, no column that is all NULL" });
  });
  test("filter and grouping in one step, HAVING, DISTINCT, aggregate", async () => {
    const result = await measure(
      shop,
      steps(
        ["a", "SELECT item, SUM(n) AS total FROM sale WHERE n > 1 GROUP BY item"],
        ["b", "SELECT item FROM sale GROUP BY item HAVING COUNT(*) > 2"],
        ["c", "SELECT DISTINCT item FROM sale"],
        ["d", "SELECT COUNT(*) AS all_rows FROM sale"],
        ["e", "SELECT s.id, i.kind FROM sale AS s JOIN item AS i ON i.name = s.item"],
        ["f", "SELECT kind, COUNT(*) AS sales FROM e GROUP BY 1 ORDER BY 2 DESC LIMIT 1"],
      ),
    );
    expect(flows(result)).toEqual([
      ["a", 6, 2, 2, 2, "2 left out by the filter, 4 rows folded into 2 groups"],
      ["b", 6, 1, 3, 2, "6 rows folded into 3 groups, 2 left out by HAVING"],
      ["c", 6, 3, 3, 0, "6 rows folded into 3 different rows"],
      ["d", 6, 1, 5, 0, "6 rows folded into 1 group"],
      ["e", 6, 5, 0, 1, "1 left out by the joins"],
      ["f", 5, 1, 3, 1, "5 rows folded into 2 groups, 1 beyond LIMIT 1"],
    ]);
    for (const step of result.steps) expect(step.rowCount + step.folded + step.leftOut).toBe(step.base);
  });
  test("all rows kept; LEFT JOIN keeps, or repeats", async () => {
    const result = await measure(
      shop,
      steps(
        ["a", "SELECT * FROM sale"],
        ["b", "SELECT a.id, i.kind FROM a LEFT JOIN item i ON i.name = a.item"],
        ["c", "SELECT i.name, a.id FROM item i LEFT JOIN a ON a.item = i.name"],
      ),
    );
    expect(result.steps.map((step) => step.why)).toEqual(["all rows kept", "all rows kept", "all rows kept"]);
    expect(result.checks.map((check) => [check.ok, check.text])).toEqual(
      expect.arrayContaining([
        [true, "LEFT JOIN in b keeps all 6 rows of a, none twice"],
        [false, "LEFT JOIN in c makes 6 rows out of 3 of item"],
      ]),
    );
  });
  test("the figures follow the rows", async () => {
    const ctes = steps(["big", "SELECT item, n FROM sale WHERE n > 4"]);
    const first = await measure(shop, ctes);
    opened?.run("INSERT INTO sale VALUES (7,'bed',50); DELETE FROM sale WHERE id = 3;");
    const second = await measureSteps((opened as Opened).database, (opened as Opened).catalog, ctes);
    expect([first.steps[0]?.rowCount, first.steps[0]?.base]).toEqual([4, 6]);
    expect("steps" in second ? [second.steps[0]?.rowCount, second.steps[0]?.base] : []).toEqual([5, 6]);
  });
});

describe("what is wrong with a step", () => {
  test("empty step and a column that is all NULL", async () => {
    const result = await measure(
      shop,
      steps(
        ["a", "SELECT id, NULL AS blank FROM sale"],
        ["b", "SELECT * FROM a WHERE id > 100"],
        ["c", "SELECT COUNT(*) AS n FROM b GROUP BY id"],
      ),
    );
    expect(result.codes).toEqual(["step-empty", "column-null"]);
    expect(result.findings[0]).toMatchObject({ severity: "warning", title: "Step b has no rows", where: 2 });
    expect(result.checks.filter((check) => !check.ok).map((check) => check.text)).toEqual([
      "Empty: b and c",
      "All NULL: a.blank",
    ]);
  });
  test("refused steps are a problem that names the step", async () => {
    opened = await openSmall(shop);
    const problem = async (...ctes: CteDecision[]) =>
      await measureSteps((opened as Opened).database, (opened as Opened).catalog, ctes);
    expect(await problem(...steps(["a", "SELECT nix FROM sale"]))).toMatchObject({
      problem: { code: "unknown-column", message: expect.stringContaining("Step a") },
    });
    expect(await problem(...steps(["a", "DELETE FROM sale RETURNING *"]))).toHaveProperty("problem");
    expect(await problem(...steps(["a", "SELECT 1) SELECT 2; DROP TABLE sale; --"]))).toHaveProperty("problem");
    expect(await problem(...steps(["a", "SELECT 1), b AS (SELECT 2"]))).toHaveProperty("problem");
  });
  test("recursive and union steps run", async () => {
    const result = await measure(
      shop,
      steps(
        ["n", "SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 4"],
        ["u", "SELECT item FROM sale UNION SELECT name FROM item"],
      ),
    );
    expect(result.steps.map((step) => step.rowCount)).toEqual([4, 4]);
  });
  test("a division of whole numbers is a warning on its step, and on the answer", async () => {
    const result = await measure(
      shop,
      steps(
        ["counted", "SELECT item, COUNT(*) AS c, SUM(n) AS n FROM sale GROUP BY item"],
        ["share", "SELECT item, n / c AS each_time FROM counted"],
      ),
    );
    expect(result.findings).toMatchObject([
      {
        code: "integer-division",
        severity: "warning",
        where: 2,
        waysOut: [{ text: "Use 1.0 * n / c in share" }],
      },
    ]);
    const { database, catalog } = opened as Opened;
    const answer = await measureAnswer(database, catalog, "SELECT SUM(n) / COUNT(*) AS mean FROM sale", []);
    expect("findings" in answer ? answer.findings.map((finding) => finding.code) : answer).toEqual([
      "integer-division",
    ]);
    // 32 over 6 rows is 5.33, and 5 is what stands there.
    expect("result" in answer ? answer.result.rows : answer).toEqual([[5]]);
  });
  test("long cells are cut", async () => {
    const result = await measure(
      "CREATE TABLE t (x TEXT); INSERT INTO t VALUES (printf('%0500d', 1));",
      steps(["a", "SELECT x FROM t"]),
    );
    expect(String(result.steps[0]?.result.rows[0]?.[0])).toHaveLength(200);
  });
});

describe("the answer", () => {
  const answer = async (sql: string) => {
    opened ??= await openSmall(shop);
    const result = await measureAnswer(opened.database, opened.catalog, sql, []);
    if ("problem" in result) throw new Error(result.problem.message);
    return { ...result, codes: result.findings.map((finding) => finding.code) };
  };
  test("runs as it stands, comments and all", async () => {
    const { result, checks, codes } = await answer(
      "SELECT item, SUM(n) AS total -- LIMIT 1\nFROM sale GROUP BY item ORDER BY total DESC -- x",
    );
    expect(result).toMatchObject({
      rows: [
        ["cup", 19],
        ["pen", 12],
        ["gone", 1],
      ],
      rowCount: 3,
      truncated: false,
    });
    expect(checks.map((check) => check.text)).toEqual([
      "3 rows, complete",
      "No column that is all NULL",
      "No row stands twice",
    ]);
    expect(codes).toEqual([]);
  });
  test("empty, repeated rows, all NULL, a tie", async () => {
    expect((await answer("SELECT * FROM sale WHERE n > 100")).codes).toEqual(["result-empty"]);
    expect((await answer("SELECT item FROM sale")).codes).toEqual(["rows-repeated"]);
    expect((await answer("SELECT id, NULL AS x FROM sale")).codes).toEqual(["column-null"]);
    const tie = await answer("SELECT id, n FROM sale ORDER BY n DESC, id LIMIT 1");
    expect(tie.codes).toEqual(["limit-tie"]);
    expect(tie.result.rows).toEqual([[4, 9]]);
    expect((await answer("SELECT id, n FROM sale ORDER BY n DESC, id LIMIT 2")).codes).toEqual([]);
  });
  test("more than fits", async () => {
    const { result, checks } = await answer(
      "WITH RECURSIVE k(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM k WHERE x < 2500) SELECT x FROM k;",
    );
    expect([result.rows.length, result.rowCount, result.truncated]).toEqual([50, 50, true]);
    expect(checks[0]?.text).toBe("2,500 rows in all");
  });
  test("refused and failing statements are problems", async () => {
    opened = await openSmall(shop);
    expect(await measureAnswer(opened.database, opened.catalog, "DELETE FROM sale", [])).toMatchObject({
      problem: { code: "refused" },
    });
    expect(await measureAnswer(opened.database, opened.catalog, "SELECT nix FROM sale", [])).toMatchObject({
      problem: { code: "unknown-column" },
    });
  });
});

test("tables: rows, filled, distinct, samples", async () => {
  opened = await openSmall(`${shop} CREATE TABLE void (x TEXT); INSERT INTO sale VALUES (7,NULL,1);`);
  const { tables, findings } = await measureTables(opened.database, opened.catalog, [
    { kind: "table", table: "sale", use: "used", reason: "sales" },
    { kind: "column", table: "sale", column: "item", role: "group", reason: "per item" },
    { kind: "table", table: "void", use: "used", reason: "?" },
    { kind: "table", table: "item", use: "left-out", reason: "not asked for" },
    { kind: "table", table: "nix", use: "used", reason: "?" },
  ]);
  expect(tables.map((table) => [table.table, table.use, table.rows])).toEqual([
    ["sale", "used", 7],
    ["void", "used", 0],
    ["item", "left-out", 3],
    ["nix", "used", 0],
  ]);
  expect(tables[0]?.columns[0]).toMatchObject({
    name: "item",
    type: "TEXT",
    role: "group",
    filled: 6,
    distinct: 3,
    samples: ["cup", "pen", "gone"],
  });
  expect(findings.map((finding) => finding.code)).toEqual(["table-empty", "unknown-table"]);
});

test.skipIf(!hasDemo)("demo: the waterfall of rock artists since 2023", async () => {
  const ctes = steps(
    [
      "rock_tracks",
      "SELECT t.TrackId, t.Milliseconds, ar.ArtistId, ar.Name AS artist FROM Track AS t JOIN Genre AS g ON g.GenreId = t.GenreId JOIN Album AS al ON al.AlbumId = t.AlbumId JOIN Artist AS ar ON ar.ArtistId = al.ArtistId WHERE g.Name IN ('Rock', 'Rock And Roll')",
    ],
    [
      "track_sales",
      "SELECT il.TrackId, SUM(il.UnitPrice * il.Quantity) AS revenue FROM InvoiceLine AS il JOIN Invoice AS i ON i.InvoiceId = il.InvoiceId WHERE i.InvoiceDate >= '2023-01-01' GROUP BY il.TrackId",
    ],
    [
      "by_artist",
      "SELECT rt.ArtistId, rt.artist, ROUND(SUM(COALESCE(ts.revenue, 0)), 2) AS revenue FROM rock_tracks AS rt LEFT JOIN track_sales AS ts ON ts.TrackId = rt.TrackId GROUP BY rt.ArtistId, rt.artist",
    ],
    ["answer", "SELECT artist, revenue FROM by_artist ORDER BY revenue DESC, artist LIMIT 10"],
  );
  const result = await measure(await openDemo(), ctes);
  // The figures of the design's own picture of this question.
  expect(flows(result).map((flow) => flow.slice(0, 5))).toEqual([
    ["rock_tracks", 3503, 1309, 0, 2194],
    ["track_sales", 2240, 1287, 44, 909],
    ["by_artist", 1309, 52, 1257, 0],
    ["answer", 52, 10, 0, 42],
  ]);
  expect(result.steps[3]?.why).toBe("42 beyond LIMIT 10");
  const answer = await measureAnswer(
    (opened as Opened).database,
    (opened as Opened).catalog,
    assembleSteps(ctes.slice(0, 3), "SELECT artist, revenue FROM by_artist ORDER BY revenue DESC, artist LIMIT 10"),
    [],
  );
  expect("findings" in answer ? answer.findings.map((finding) => [finding.code, finding.body]) : []).toEqual([
    ["limit-tie", "The Rolling Stones has 13.86 too, like number 10."],
  ]);
});
