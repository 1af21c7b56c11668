import { afterEach, describe, expect, test } from "vitest";
import { createValueIndex } from "../catalog/value-index.ts";
import type { FilterDecision } from "../protocol/index.ts";
import { filterOf, hasDemo, type Opened, openDemo, openSmall } from "./evidence-fixture.ts";
import { measureFilters } from "./measure-filters.ts";

let opened: Opened | undefined;
afterEach(() => opened?.close());

async function measure(sql: string | Opened, ...filters: FilterDecision[]) {
  opened = typeof sql === "string" ? await openSmall(sql) : sql;
  const result = await measureFilters(opened.database, opened.catalog, opened.values, filters);
  if ("problem" in result) throw new Error(result.problem.message);
  return { ...result, codes: result.findings.map((finding) => finding.code) };
}

describe("all stored values are searched", () => {
  test("both spellings of a city among many, with their rows", async () => {
    const many = Array.from({ length: 60 }, (_, index) => `('City ${index}')`).join(",");
    const { filters, findings } = await measure(
      `CREATE TABLE store (city TEXT); INSERT INTO store VALUES ${many},('Paris'),('Paris'),('Paris'),('paris'),('paris');`,
      filterOf("in paris", "store.city", "=", ["paris"], "store.city = 'paris'"),
    );
    expect(filters[0]).toMatchObject({ kept: 2, of: 65, searched: 62, partial: false });
    expect(filters[0]?.matches).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ value: "paris", rows: 2, inFilter: true }),
        expect.objectContaining({ value: "Paris", rows: 3, inFilter: false, how: "case" }),
      ]),
    );
    expect(findings.find((finding) => finding.code === "spelling-left-out")).toMatchObject({
      severity: "notice",
      waysOut: [{ text: "Add 'Paris'" }],
    });
  });
  test("a partial index says so", async () => {
    opened = await openSmall("CREATE TABLE store (city TEXT); INSERT INTO store VALUES ('Rome');");
    const values = createValueIndex(
      [{ table: "store", column: "city", value: "Rome", rows: 1 }],
      [{ table: "store", column: "city", distinct: 1, partial: true }],
    );
    const result = await measureFilters(opened.database, opened.catalog, values, [
      filterOf("rome", "store.city", "=", ["Rome"], "city = 'Rome'"),
    ]);
    expect("filters" in result ? result.filters[0] : undefined).toMatchObject({ searched: 1, partial: true, kept: 1 });
  });
  test("zero rows is a warning with what is near", async () => {
    const { filters, findings } = await measure(
      "CREATE TABLE p (name TEXT); INSERT INTO p VALUES ('Frank Müller'),('Anna'),('Ben');",
      filterOf("Frank", "p.name", "=", ["Frank"], "name = 'Frank'"),
    );
    expect(filters[0]?.kept).toBe(0);
    expect(findings[0]).toMatchObject({
      code: "no-rows",
      severity: "warning",
      title: "No stored value matches “Frank”",
      body: "Nearest: Frank Müller (1).",
      waysOut: [{ text: "Use 'Frank Müller' for p.name" }],
    });
  });
  test("GERMLINE and Germline", async () => {
    const { filters, codes } = await measure(
      "CREATE TABLE m (s TEXT); INSERT INTO m VALUES ('GERMLINE'),('Germline'),('GERMLINE');",
      filterOf("germline", "m.s", "=", ["GERMLINE"], "m.s = 'GERMLINE'"),
    );
    expect(filters[0]?.matches.map((match) => [match.value, match.rows, match.inFilter])).toEqual([
      ["GERMLINE", 2, true],
      ["Germline", 1, false],
    ]);
    expect(codes).toEqual(["spelling-left-out"]);
    const both = await measure(
      "CREATE TABLE m (s TEXT); INSERT INTO m VALUES ('GERMLINE'),('Germline'),('x');",
      filterOf("germline", "m.s", "IN", ["GERMLINE", "Germline"], "m.s IN ('GERMLINE', 'Germline')"),
    );
    expect(both.codes).toEqual([]);
  });
});

describe("dates as text", () => {
  const inv = "CREATE TABLE inv (d TEXT); INSERT INTO inv VALUES ('31/01/2024'),('05/12/2023'),('15/02/2024');";
  test("text order is not date order; the format, the true range and a way out are given", async () => {
    const { filters, findings } = await measure(
      inv,
      filterOf("2024 onward", "inv.d", ">=", ["2024-01-01"], "d >= '2024-01-01'"),
    );
    expect(filters[0]).toMatchObject({
      kept: 1,
      of: 3,
      format: "DD/MM/YYYY",
      range: { min: "2023-12-05", max: "2024-02-15" },
    });
    expect(filters[0]?.buckets).toEqual([
      { label: "2023", rows: 1, kept: 0 },
      { label: "2024", rows: 2, kept: 1 },
    ]);
    const warning = findings.find((finding) => finding.code === "date-text-order");
    expect(warning).toMatchObject({ severity: "warning", title: "inv.d stores dates as DD/MM/YYYY" });
    const right = warning?.waysOut[0]?.text.replace(/^Use /, "") ?? "";
    const mended = await measureFilters(
      (opened as Opened).database,
      (opened as Opened).catalog,
      (opened as Opened).values,
      [filterOf("2024 onward", "inv.d", "other", [], right)],
    );
    expect("filters" in mended ? mended.filters[0]?.kept : undefined).toBe(2);
    expect("findings" in mended ? mended.findings : undefined).toEqual([]);
  });
  test("one year is shown by month", async () => {
    const { filters } = await measure(
      "CREATE TABLE e (at TEXT); INSERT INTO e VALUES ('2024-01-05'),('2024-01-09'),('2024-03-01');",
      filterOf("from march", "e.at", ">=", ["2024-03-01"], "at >= '2024-03-01'"),
    );
    expect(filters[0]?.buckets).toEqual([
      { label: "2024-01", rows: 2, kept: 0 },
      { label: "2024-03", rows: 1, kept: 1 },
    ]);
  });
  test("a last day is cut at midnight", async () => {
    const between = (last: string) =>
      filterOf("in 2024", "e.at", "BETWEEN", ["2024-01-01", last], `at BETWEEN '2024-01-01' AND '${last}'`);
    const { findings } = await measure(
      "CREATE TABLE e (at DATETIME); INSERT INTO e VALUES ('2024-01-05 10:00:00'),('2024-12-31 10:00:00'),('2025-01-01 08:00:00');",
      between("2024-12-31"),
      between("2024-12-30"),
      between("2025-06-30"),
    );
    expect(findings.filter(({ code }) => code === "date-edge")).toMatchObject([
      {
        severity: "warning",
        body: "e.at holds a time of day: 1 row on 2024-12-31 is left out.",
        waysOut: [{ text: "Use < the day after 2024-12-31" }],
        where: 1,
      },
      { severity: "notice", where: 2 },
    ]);
  });
});

describe("conditions that don't say what they seem to", () => {
  const table =
    "CREATE TABLE t (name TEXT, code TEXT, n INTEGER); INSERT INTO t VALUES ('a','9',1),('b','10',2),(NULL,'11',3),('c',NULL,NULL);";
  test.each<[string, FilterDecision, string]>([
    ["text with number", filterOf("over 9", "t.code", ">", [9], "code > 9"), "text-with-number"],
    ["number with text", filterOf("n is many", "t.n", "=", ["many"], "n = 'many'"), "number-with-text"],
    ["LIKE without wildcard", filterOf("like a", "t.name", "LIKE", ["a"], "name LIKE 'a'"), "like-without-wildcard"],
    ["= NULL", filterOf("no name", "t.name", "other", [], "name = NULL"), "equals-null"],
    ["NOT IN over missing values", filterOf("not a", "t.name", "NOT IN", ["a"], "name NOT IN ('a')"), "null-left-out"],
    [
      "NOT IN a list with a missing value",
      filterOf("none", "t.name", "other", [], "name NOT IN (SELECT code FROM t)"),
      "not-in-null",
    ],
    ["integer division", filterOf("mostly", "t.n", "other", [], "n / 2 > 0.5"), "integer-division"],
    ["keeps all", filterOf("any", "t.n", "other", [], "1 = 1"), "keeps-all"],
  ])("%s", async (_name, filter, code) => {
    const { codes, findings } = await measure(table, filter);
    expect(codes).toContain(code);
    const finding = findings.find((one) => one.code === code);
    expect(finding?.where).toBe(1);
    if (code === "keeps-all") return;
    expect(finding?.severity).toBe("warning");
    expect(finding?.body).toMatch(/\w/);
    expect(finding?.waysOut.length).toBeGreaterThan(0);
  });
  test("nothing to say about a plain condition", async () => {
    expect((await measure(table, filterOf("n from 2", "t.n", ">=", [2], "n >= 2"))).codes).toEqual([]);
    expect((await measure(table, filterOf("a", "t.name", "=", ["a"], "t.name = 'a'"))).codes).toEqual([]);
  });
  test("a condition on an aggregate has no count; unknown columns are a problem", async () => {
    const { filters } = await measure(table, filterOf("more than one", "t.n", "other", [], "COUNT(*) > 1"));
    expect(filters[0]).toMatchObject({ kept: null, of: 4 });
    expect(
      await measureFilters((opened as Opened).database, (opened as Opened).catalog, (opened as Opened).values, [
        filterOf("x", "t.nix", "=", [1], "nix = 1"),
      ]),
    ).toMatchObject({ problem: { code: "unknown-column" } });
  });
  test("quotes in values stay values", async () => {
    const { filters } = await measure(
      "CREATE TABLE q (v TEXT); INSERT INTO q VALUES ('O''Brien'),('x');",
      filterOf("O'Brien", "q.v", "=", ["O'Brien"], "v = 'O''Brien'"),
    );
    expect(filters[0]?.matches).toEqual([{ value: "O'Brien", how: "exact", rows: 1, inFilter: true }]);
  });
});

test.skipIf(!hasDemo)("demo: rock and since 2023", async () => {
  const { filters, findings } = await measure(
    await openDemo(),
    {
      ...filterOf("rock", "Genre.Name", "IN", ["Rock", "Rock And Roll"], "g.Name IN ('Rock', 'Rock And Roll')"),
      alias: "g",
    },
    {
      ...filterOf("since 2023", "Invoice.InvoiceDate", ">=", ["2023-01-01"], "i.InvoiceDate >= '2023-01-01'"),
      alias: "i",
    },
  );
  expect(filters[0]).toMatchObject({ kept: 2, of: 25, searched: 25, partial: false });
  expect(filters[0]?.matches.map((match) => [match.value, match.how, match.inFilter])).toEqual([
    ["Rock", "case", true],
    ["Rock And Roll", "prefix", true],
  ]);
  expect(filters[1]).toMatchObject({ kept: 246, of: 412, format: "YYYY-MM-DD HH:MM:SS" });
  expect(filters[1]?.buckets?.map((bucket) => bucket.kept)).toEqual([0, 0, 83, 83, 80]);
  expect(findings).toEqual([]);
});
