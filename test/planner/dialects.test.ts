/** The shipped questions on every engine: the same rows as the gold statements give in SQLite. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sameRows } from "../../bench/same-rows.ts";
import { readQuestions } from "../../bench/score-planner.ts";
import type { ValueIndex } from "../../src/catalog/value-index.ts";
import { openChinook } from "../../src/planner/chinook.fixture.ts";
import { planQuestion } from "../../src/planner/plan-question.ts";
import type { Catalog, Decision } from "../../src/protocol/index.ts";
import { conform } from "../../src/sql/conformance.ts";
import { quoteTable } from "../../src/sql/dialect.ts";
import { type DateUnit, queryDialectOf } from "../../src/sql/query-dialect.ts";
import {
  type ChinookCopy,
  rowsInSqlite,
  startDuckdbCopy,
  startMariadbCopy,
  startPostgresCopy,
  toCatalog,
} from "./chinook-copies.ts";

const fixtures = new URL("../fixtures/", import.meta.url).pathname;
const questions = ["chinook-questions", "chinook-more", "chinook-further", "chinook-analyst"].flatMap((name) =>
  readQuestions(join(fixtures, `${name}.jsonl`)),
);

describe.each([
  ["duckdb", startDuckdbCopy],
  ["postgres", startPostgresCopy],
  ["mysql", startMariadbCopy],
] as const)("%s", (engine, start) => {
  let copy: ChinookCopy | null = null;
  let catalog: Catalog;
  let values: ValueIndex;

  beforeAll(async () => {
    const opened = await openChinook();
    values = opened.values;
    catalog = toCatalog(opened.catalog, engine);
    copy = await start(opened.catalog);
  }, 180_000);
  afterAll(() => copy?.stop(), 60_000);

  const planFor = async (question: string) => {
    const planned = await planQuestion({ question, catalog, values, corrections: [], choices: {} });
    return planned.outcome === "plan" ? planned.plan : undefined;
  };

  it("answers all shipped Chinook questions", async (context) => {
    if (!copy) return context.skip();
    const wrong: string[] = [];
    for (const { question, gold_sql, gold_sql_alternatives } of questions) {
      const sql = (await planFor(question))?.sql ?? "";
      const rows = await copy.rows(sql).catch((error: unknown) => String(error));
      const golds = [gold_sql, ...(gold_sql_alternatives ?? [])].map(rowsInSqlite);
      if (typeof rows === "string" || !golds.some((gold) => sameRows(gold, rows)))
        wrong.push(`${question}\n${sql}\n${typeof rows === "string" ? rows : ""}`);
    }
    expect(wrong).toEqual([]);
  }, 180_000);

  it("writes statements that conform to their own decisions", async () => {
    const deviating: string[] = [];
    for (const { question } of questions) {
      const plan = await planFor(question);
      if (!plan) throw new Error(`no plan for ${question}`);
      const decisions: Decision[] = [...plan.tables, ...plan.columns, ...plan.joins, ...plan.filters, ...plan.steps];
      const numbered = decisions.map((decision, index) => ({ seq: index + 1, decision }));
      for (const deviation of conform(plan.sql, numbered, catalog).deviations)
        deviating.push(`${deviation.title}\n${plan.sql}`);
    }
    expect(deviating).toEqual([]);
  }, 180_000);

  it("cuts the same units out of dates and of texts", async (context) => {
    if (!copy) return context.skip();
    const [from, here] = [queryDialectOf("sqlite"), queryDialectOf(engine)];
    const table = quoteTable(here, { name: "Invoice" });
    const date = here.quote("InvoiceDate");
    const stored = `SELECT DISTINCT ${date} AS d, ${here.asText(date)} AS t FROM ${table}`;
    for (const unit of ["year", "quarter", "month", "weekday", "day"] satisfies DateUnit[]) {
      const gold = rowsInSqlite(`SELECT DISTINCT InvoiceDate, ${from.dateUnit(unit, "InvoiceDate")} FROM Invoice`);
      for (const text of [here.dateUnit(unit, "d"), here.textUnit(unit, "t")])
        expect(sameRows(gold, await copy.rows(`SELECT t, ${text} FROM (${stored}) AS s`)), text).toBe(true);
    }
    const may = `${here.monthOf(date)} = ${here.monthNumber(5)}`;
    expect(Number((await copy.rows(`SELECT COUNT(*) FROM ${table} WHERE ${may}`))[0]?.[0])).toBe(
      rowsInSqlite("SELECT COUNT(*) FROM Invoice WHERE InvoiceDate LIKE '____-05-%'")[0]?.[0],
    );
  });

  it("never lets a row without a value lead", async (context) => {
    if (!copy) return context.skip();
    const here = queryDialectOf(engine);
    const company = here.quote("Company");
    for (const direction of ["ASC", "DESC"] as const) {
      const order = here.order(company, direction, true, true);
      const rows = await copy.rows(`SELECT ${company} FROM ${here.quote("Customer")} ORDER BY ${order} LIMIT 1`);
      expect(rows[0]?.[0]).toEqual(expect.any(String));
    }
  });

  it("finds parts of texts in any case, and rounds what is inexact", async (context) => {
    if (!copy) return context.skip();
    const here = queryDialectOf(engine);
    const track = here.quote("Track");
    const like = here.like(here.quote("Name"), here.text("%LOVE%"), false);
    const [count] = await copy.rows(`SELECT COUNT(*) FROM ${track} WHERE ${like}`);
    expect(Number(count?.[0])).toBe(rowsInSqlite("SELECT COUNT(*) FROM Track WHERE lower(Name) LIKE '%love%'")[0]?.[0]);
    const inexact = `CAST(0.126 AS ${engine === "mysql" ? "DOUBLE" : "float8"})`;
    expect(Number((await copy.rows(`SELECT ${here.round(inexact, 2, true)}`))[0]?.[0])).toBe(0.13);
  });
});
