/** What the other dialects write differently: quoting marks, schemas, ends of statements. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Catalog, Column, Decision, Engine } from "../protocol/index.ts";
import { toCondition } from "./accepted.ts";
import { assembleSteps, toStepName } from "./assemble-steps.ts";
import { conform } from "./conformance.ts";
import { sliceCtes } from "./cte-slices.ts";
import { queryDialectOf } from "./query-dialect.ts";
import { checkReadOnly } from "./read-only.ts";
import { toLimitEnd, toStepShape } from "./step-shape.ts";

const column = (name: string, kind: Column["kind"]): Column => ({
  name,
  type: kind,
  kind,
  nullable: true,
  samples: [],
});
const catalogOf = (engine: Engine): Catalog => ({
  engine,
  checksum: "",
  relations: [],
  tables: [
    {
      schema: "sales",
      name: "sales.orders",
      kind: "table",
      rows: 5,
      columns: [column("Id", "integer"), column("customer", "integer"), column("total", "number")],
      primaryKey: ["Id"],
      unique: [],
      foreignKeys: [],
    },
    {
      name: "Customer",
      kind: "table",
      rows: 5,
      columns: [column("Id", "integer"), column("Name", "text")],
      primaryKey: ["Id"],
      unique: [],
      foreignKeys: [],
    },
  ],
});
const accepted = (decisions: Decision[]) => decisions.map((decision, index) => ({ seq: index + 1, decision }));
const join: Decision = {
  kind: "join",
  left: { table: "sales.orders", alias: "o" },
  type: "INNER",
  right: { table: "Customer", alias: "c" },
  pairs: [{ left: "customer", right: "Id" }],
  reason: "a key",
};
const large: Decision = {
  kind: "filter",
  words: "large",
  table: "sales.orders",
  column: "total",
  operator: ">",
  values: [100],
  condition: "total > 100",
};

describe.each(["postgres", "duckdb", "mysql"] as const)("%s", (engine) => {
  const { quote: q, text } = queryDialectOf(engine);
  const catalog = catalogOf(engine);

  test("a statement with schema and quoting marks is held against decisions", () => {
    const named: Decision = {
      kind: "filter",
      words: "O'Neil",
      table: "Customer",
      alias: "c",
      column: "Name",
      operator: "=",
      values: ["O'Neil\\"],
      condition: `c.${q("Name")} = ${text("O'Neil\\")}`,
    };
    const sql = `SELECT c.${q("Name")}\nFROM sales.orders AS o\nJOIN ${q("Customer")} AS c ON o.customer = c.${q("Id")}\nWHERE c.${q("Name")} = ${text("O'Neil\\")} AND o.total > 100`;
    expect(conform(sql, accepted([join, large, named]), catalog).deviations).toEqual([]);
    const other = conform(sql.replace("> 100", "> 10"), accepted([join, large, named]), catalog).deviations;
    expect(other.map((deviation) => deviation.title)).toEqual([
      "Line 4 filters total in another way than you accepted",
    ]);
    const left = conform(sql.replace("JOIN", "LEFT JOIN"), accepted([join, large, named]), catalog).deviations;
    expect(left.map((deviation) => deviation.title)).toEqual(["Line 3 says LEFT JOIN, you accepted JOIN"]);
  });

  test("a column may be named with table and schema", () => {
    const used: Decision = { kind: "table", table: "sales.orders", use: "used", reason: "asked for" };
    const sql = "SELECT sales.orders.customer FROM sales.orders WHERE sales.orders.total > 100";
    expect(conform(sql, accepted([used, large]), catalog)).toMatchObject({
      deviations: [],
      rows: [{ status: "found" }, { status: "found" }],
    });
  });

  test("a table of another schema is not the accepted one", () => {
    const used: Decision = { kind: "table", table: "sales.orders", use: "used", reason: "asked for" };
    const titles = conform("SELECT customer FROM web.orders", accepted([used]), catalog).deviations.map(
      (deviation) => deviation.title,
    );
    expect(titles).toHaveLength(2);
  });

  test("steps with names that need marks", () => {
    const steps = [
      { name: "large orders", sql: "SELECT * FROM sales.orders" },
      { name: "rank", sql: `SELECT * FROM ${q("large orders")}` },
    ];
    const sql = assembleSteps(steps, undefined, engine);
    const slices = sliceCtes(sql, engine);
    expect(slices).toMatchObject({
      ok: true,
      ctes: [{ name: q("large orders") }, { name: toStepName("rank", engine) }],
    });
    expect(toStepName("array", engine)).toBe(engine === "mysql" ? "array" : '"array"');
    expect(toStepName("rank", engine)).toBe(engine === "mysql" ? "`rank`" : "rank");
    expect(toStepShape(`SELECT * FROM ${q("large orders")} JOIN sales.orders AS o ON true`, engine).inputs).toEqual([
      "large orders",
      "sales.orders",
    ]);
  });

  test("column, operator and value as a condition", () => {
    const { condition: _, ...rest } = large;
    expect(toCondition({ ...rest, alias: "o", values: ["a\\'b"], condition: "" }, engine)).toBe(
      `${q("o")}.${q("total")} > ${text("a\\'b")}`,
    );
  });

  test("a bare name is only what the engine reads back letter for letter", () => {
    const { name } = queryDialectOf(engine);
    expect(["total", "Total", "order", "zwei wörter"].map(name)).toEqual([
      "total",
      engine === "postgres" ? '"Total"' : "Total",
      q("order"),
      q("zwei wörter"),
    ]);
  });
});

test("the end of a statement, however it says its limit", () => {
  const order = "SELECT a FROM t ORDER BY b DESC NULLS LAST, a ";
  expect(toLimitEnd(`${order}LIMIT 5`, "postgres")).toEqual({ before: order, limit: 5, orderBy: "b" });
  expect(toLimitEnd(`${order}FETCH FIRST 5 ROWS ONLY;`, "postgres")).toEqual({ before: order, limit: 5, orderBy: "b" });
  expect(toLimitEnd(`${order}LIMIT 5 OFFSET 2`, "postgres")).toBeUndefined();
  expect(toLimitEnd("SELECT a FROM t ORDER BY `b` LIMIT 2, 5", "mysql")).toBeUndefined();
});

describe("gold statements are never refused", () => {
  const file = new URL("../../../shared/data/questions.jsonl", import.meta.url).pathname;
  if (!existsSync(file)) process.stdout.write("skipped: no shared questions\n");
  test.skipIf(!existsSync(file)).each(["sqlite", "postgres"])("%s", (engine) => {
    const questions = readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as { dialect: string; gold_sql: string; gold_sql_alternatives?: string[] })
      .filter((question) => question.dialect === engine);
    const statements = questions.flatMap((question) => [question.gold_sql, ...(question.gold_sql_alternatives ?? [])]);
    expect(statements.length).toBeGreaterThan(150);
    expect(statements.filter((sql) => !checkReadOnly(sql, engine).ok)).toEqual([]);
  });
});
