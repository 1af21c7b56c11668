import { describe, expect, test } from "vitest";
import { findIntegerDivisions } from "./find-divisions.ts";

const kinds = { a: "integer", b: "integer", ms: "integer", year: "integer", price: "number" } as const;
const kindOf = (name: string) => kinds[name as keyof typeof kinds];
const find = (sql: string, engine: "sqlite" | "postgres" | "duckdb" | "mysql" = "sqlite") =>
  findIntegerDivisions(sql, engine, kindOf);

describe("divisions that drop what is left over", () => {
  test.each([
    ["a / b > 0.5", "a / b"],
    ["t.a / t.b", "t.a / t.b"],
    ["SELECT COUNT(*) / COUNT(DISTINCT price) FROM t", "COUNT(*) / COUNT(DISTINCT price)"],
    ["SELECT SUM(a) / COUNT(*) FROM t", "SUM(a) / COUNT(*)"],
    ["SELECT 100 * a / b FROM t", "100 * a / b"],
    ["SELECT (a + b) / 2 FROM t", "(a + b) / 2"],
    ["SELECT ms / 1000 / 60 FROM t", "ms / 1000 / 60"],
    [
      "SELECT SUM(CASE WHEN a = 1 THEN 1 ELSE 0 END) / COUNT(*) FROM t",
      "SUM(CASE WHEN a = 1 THEN 1 ELSE 0 END) / COUNT(*)",
    ],
    [
      "WITH s AS (SELECT COUNT(*) AS n FROM t) SELECT n * 100 / (SELECT COUNT(*) FROM t) FROM s",
      "n * 100 / (SELECT COUNT(*) FROM t)",
    ],
  ])("%s", (sql, division) => {
    expect(find(sql)).toEqual([division]);
    expect(find(sql, "postgres")).toEqual([division]);
    expect(find(sql, "duckdb")).toEqual([]);
    expect(find(sql, "mysql")).toEqual([]);
  });
  test.each([
    "1.0 * a / b",
    "a * 1.0 / b",
    "a / 2.0",
    "CAST(a AS REAL) / b",
    "AVG(a) / b",
    "price / a",
    "a / price",
    "SUM(price) / COUNT(*)",
    "year / 10 * 10",
    "other / b",
    "'a / b'",
    "a -- / b\n+ b",
  ])("not %s", (sql) => {
    expect(find(sql)).toEqual([]);
  });
  test("not after a conversion", () => {
    expect(find("a::float / b", "postgres")).toEqual([]);
  });
});
