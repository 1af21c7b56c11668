import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { assembleSteps } from "./assemble-steps.ts";
import { sliceCtes } from "./cte-slices.ts";

function slice(sql: string) {
  const result = sliceCtes(sql);
  if (!result.ok) throw new Error(result.reason);
  return result;
}

describe("sliceCtes", () => {
  test("two steps, each preview runs on its own and the text is kept", () => {
    const sql = "WITH a AS (SELECT x FROM t ORDER BY x DESC LIMIT 3), b AS (SELECT sum(x) s FROM a) SELECT s FROM b";
    const { ctes, finalStart } = slice(sql);
    expect(ctes.map((cte) => [cte.name, cte.body])).toEqual([
      ["a", "SELECT x FROM t ORDER BY x DESC LIMIT 3"],
      ["b", "SELECT sum(x) s FROM a"],
    ]);
    expect(sql.slice(finalStart)).toBe("SELECT s FROM b");
    const database = new DatabaseSync(":memory:");
    database.exec("CREATE TABLE t (x); INSERT INTO t VALUES (1),(2),(3),(4),(5),(6),(7),(8),(9),(10)");
    const values = (text: string) =>
      database
        .prepare(text)
        .all()
        .map((row) => Object.values(row)[0]);
    expect(values(sql)).toEqual([27]);
    expect(values(`${ctes[0]?.prefix}\nSELECT * FROM ${ctes[0]?.name}`)).toEqual([10, 9, 8]);
    expect(values(`${ctes[1]?.prefix}\nSELECT * FROM ${ctes[1]?.name}`)).toEqual([27]);
  });
  test("comments, parentheses in text, characters beyond the basic plane", () => {
    const sql =
      "-- WITH z AS (\nWITH \"b é😀\"(s) AS (\n  SELECT ')' -- ) LIMIT 10\n),\nWITHIN AS (SELECT '😀(' AS x /* ) */ FROM \"b é😀\")\nSELECT * FROM WITHIN -- note";
    const { ctes, finalStart } = slice(sql);
    expect(ctes.map((cte) => [cte.name, cte.startLine, cte.endLine])).toEqual([
      ['"b é😀"', 2, 4],
      ["WITHIN", 5, 5],
    ]);
    expect(ctes[0]?.body).toBe("\n  SELECT ')' -- ) LIMIT 10\n");
    expect(sql.slice(ctes[1]?.start, ctes[1]?.end)).toBe("WITHIN AS (SELECT '😀(' AS x /* ) */ FROM \"b é😀\")");
    expect(sql.slice(finalStart)).toBe("SELECT * FROM WITHIN -- note");
  });
  test("recursive, materialized and nested WITH", () => {
    const { ctes } = slice(
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5), m AS NOT MATERIALIZED (WITH q AS (SELECT 2) SELECT * FROM q) SELECT * FROM n, m",
    );
    expect(ctes.map((cte) => cte.name)).toEqual(["n", "m"]);
    expect(ctes[0]?.prefix.startsWith("WITH RECURSIVE n(x)")).toBe(true);
  });
  test("no WITH, no slices", () => {
    expect(slice("SELECT * FROM within")).toEqual({ ok: true, ctes: [], finalStart: 0 });
    expect(slice("SELECT (WITH q AS (SELECT 3) SELECT * FROM q)").ctes).toEqual([]);
  });
  test.each([
    "WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
    "WITH a AS (SELECT 1) DELETE FROM t",
    "WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a",
    'WITH a AS (SELECT 1), "A" AS (SELECT 2) SELECT * FROM a',
    "WITH a AS (SELECT 1",
    "WITH a (SELECT 1) SELECT 1",
  ])("refused: %s", (sql) => {
    expect(sliceCtes(sql)).toMatchObject({ ok: false });
  });
});

describe("assembleSteps", () => {
  test("the text of each step stands on its own lines", () => {
    expect(
      assembleSteps([
        { name: "a", sql: "SELECT 1 -- one" },
        { name: "b", sql: "SELECT * FROM a;\n" },
      ]),
    ).toBe("WITH a AS (\nSELECT 1 -- one\n),\nb AS (\nSELECT * FROM a\n)\nSELECT * FROM b");
    expect(assembleSteps([{ name: "a", sql: "SELECT 1" }], "SELECT 2")).toBe("WITH a AS (\nSELECT 1\n)\nSELECT 2");
    expect(assembleSteps([])).toBe("");
  });
  test("names that need quotes, and a step that reads itself", () => {
    expect(
      assembleSteps([
        { name: "order", sql: "SELECT 1" },
        { name: "my step", sql: "SELECT 2" },
      ]),
    ).toContain('WITH "order" AS (\nSELECT 1\n),\n"my step" AS (');
    expect(
      assembleSteps([{ name: "n", sql: "SELECT 1 AS x UNION ALL SELECT x + 1 FROM n WHERE x < 3" }]).startsWith(
        "WITH RECURSIVE n AS (",
      ),
    ).toBe(true);
  });
  test("slices give back what was put in", () => {
    const steps = [
      { name: "a", sql: "SELECT 1 AS x -- )" },
      { name: '"b c"', sql: "SELECT '(' AS y FROM a" },
    ];
    const { ctes } = slice(assembleSteps(steps));
    expect(ctes.map((cte) => ({ name: cte.name, sql: cte.body.trim() }))).toEqual(steps);
  });
});
