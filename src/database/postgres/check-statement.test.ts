import { expect, test } from "vitest";
import { checkStatement, toPlace } from "./check-statement.ts";

const reason = async (sql: string): Promise<string | undefined> => {
  const checked = await checkStatement(sql);
  return checked.ok ? undefined : checked.error.message;
};

test("names what is called, also where it looks like a column", async () => {
  const checked = await checkStatement(
    "SELECT ext.f(1), g(2), a.b, (c).d, e FROM h(3) AS a, LATERAL (SELECT i.j.k FROM s.t) u WHERE lower(x) = 'y'",
  );
  const names = checked.ok ? checked.functions.map(({ schema, name }) => (schema ? `${schema}.${name}` : name)) : [];
  expect(names.sort()).toEqual(["b", "d", "ext.f", "g", "h", "k", "lower"]);
});

test("a name in capitals and quotes is another function's", async () => {
  expect(await reason('SELECT "PG_SLEEP"(1)')).toBeUndefined();
  expect(await reason("SELECT PG_SLEEP(1)")).toContain("pg_sleep");
});

test("long and deep texts are answered, and so is the next one", async () => {
  const deep = [
    `SELECT ${"(".repeat(50_000)}1${")".repeat(50_000)}`,
    `SELECT 1${" + 1".repeat(40_000)}`,
    `SELECT 1${" UNION SELECT 1".repeat(10_000)}`,
    `SELECT ${"NOT ".repeat(50_000)}true`,
    `SELECT ${"f(".repeat(20_000)}1${")".repeat(20_000)}`,
    `SELECT ${"(SELECT ".repeat(8000)}1${")".repeat(8000)}`,
    `SELECT 1 WHERE ${"a.b OR ".repeat(30_000)}true`,
    "x".repeat(300_000),
  ];
  for (const sql of deep) {
    const checked = await checkStatement(sql);
    if (!checked.ok) expect(["refused", "syntax"]).toContain(checked.error.code);
    expect(await reason("SELECT 1")).toBeUndefined();
    expect(await reason("DELETE FROM t")).toContain("DELETE");
  }
});

test("says in words what isn't a query", async () => {
  expect(await reason("ALTER TABLE t ADD c int")).toContain("ALTER TABLE");
  expect(await reason("SELECT 1; SELECT 2")).toContain("one statement");
  expect(await reason("SELECT * FROM t WHERE a = $2")).toContain("$2");
  expect(await reason("EXPLAIN (ANALYZE, BUFFERS) SELECT 1")).toContain("analyze");
  expect(await reason("SELECT a FROM pg_shadow")).toContain("pg_shadow");
  expect(await reason("SELECT a FROM mine.pg_shadow")).toBeUndefined();
});

test("counts lines and columns by characters", () => {
  expect(toPlace("SELECT 🙂\n x", 10)).toBe("line 2, column 2");
  expect(toPlace("SELECT", 0)).toBe("line 1, column 1");
});
