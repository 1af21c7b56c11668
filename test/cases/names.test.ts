/** N: names with capitals, blanks, dots, quotes and schemas, from introspection to the cells of the grid. J8 beside it. */
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { searchCatalog } from "../../src/catalog/search-catalog.ts";
import { filterOf } from "../../src/evidence/evidence-fixture.ts";
import { refuseNames } from "../../src/extension/check-names.ts";
import { planQuestion } from "../../src/planner/plan-question.ts";
import { toCsv } from "../../src/protocol/csv.ts";
import type { Decision, JoinDecision, JoinType } from "../../src/protocol/index.ts";
import { assembleSteps } from "../../src/sql/assemble-steps.ts";
import { conform } from "../../src/sql/conformance.ts";
import { sliceCtes } from "../../src/sql/cte-slices.ts";
import { dialectOf } from "../../src/sql/dialect.ts";
import { ResultGrid } from "../../src/web/results/result-grid.tsx";
import { codeOf, limits, onEveryEngine } from "./on-every-engine.ts";

const odd = ["3pointplay", "a.b", "Unit Price", `say "hi"`];
const edge = (left: string, leftColumn: string, right: string, rightColumn: string, type: JoinType = "INNER") =>
  ({
    kind: "join",
    left: { table: left, alias: "x" },
    type,
    right: { table: right, alias: "y" },
    pairs: [{ left: leftColumn, right: rightColumn }],
  }) satisfies JoinDecision;
const numbered = (...decisions: Decision[]) => decisions.map((decision, at) => ({ seq: at + 1, decision }));

onEveryEngine(
  (engine) => {
    const { quote } = dialectOf(engine);
    const columns = odd.map((name) => `${quote(name)} INTEGER`).join(", ");
    const schemas = engine === "postgres" || engine === "duckdb";
    return [
      `CREATE TABLE ${quote("Customers")} (${quote("firstName")} VARCHAR(20) NOT NULL PRIMARY KEY, ${quote("Age")} INTEGER)`,
      `INSERT INTO ${quote("Customers")} VALUES ('Ada', 36), ('Bob', 20)`,
      `CREATE TABLE visit (id INTEGER NOT NULL PRIMARY KEY, ${quote("firstName")} VARCHAR(20), FOREIGN KEY (${quote("firstName")}) REFERENCES ${quote("Customers")}(${quote("firstName")}))`,
      "INSERT INTO visit VALUES (1, 'Ada'), (2, 'Ada'), (3, 'Bob')",
      `CREATE TABLE ${quote("order")} (id INTEGER NOT NULL PRIMARY KEY, ${columns})`,
      `INSERT INTO ${quote("order")} VALUES (1, 7, 1, 30, 5), (2, 8, 2, 20, 6), (3, 9, 2, 10, 7)`,
      `CREATE TABLE detail (id INTEGER NOT NULL PRIMARY KEY, ${quote("a.b")} INTEGER)`,
      "INSERT INTO detail VALUES (1, 1), (2, 2)",
      ...(schemas
        ? ["sales", "hr"].flatMap((schema, at) => [
            `CREATE SCHEMA ${schema}`,
            `CREATE TABLE ${schema}.orders (id INTEGER NOT NULL PRIMARY KEY, total INTEGER)`,
            `INSERT INTO ${schema}.orders VALUES ${at === 0 ? "(1, 100), (2, 200)" : "(1, 5), (3, 6), (4, 7)"}`,
          ])
        : []),
    ];
  },
  (given) => {
    const { quote } = dialectOf(given.engine.engine);
    const tableOf = (name: string) => given.opened.catalog.tables.find((table) => table.name === name);

    it("N1 mixed case: names stand as introspected, and joins, filters, steps and the proof read them quoted", async () => {
      expect(tableOf("Customers")?.columns.map((column) => column.name)).toEqual(["firstName", "Age"]);
      const join = edge("visit", "firstName", "Customers", "firstName");
      const joined = await given.joins([join]);
      expect(joined.evidence.joins[0]).toMatchObject({ cardinality: "N:1", before: 3, after: 3 });
      expect(joined.evidence.joins[0]?.pairs[0]).toMatchObject({ left: "firstName", origin: "declared" });
      const condition = `${quote("Customers")}.${quote("firstName")} = 'Ada'`;
      const { filters } = await given.filters(filterOf("ada", "Customers.firstName", "=", ["Ada"], condition));
      expect(filters[0]).toMatchObject({ kept: 1, of: 2 });
      const body = `SELECT y.${quote("firstName")} FROM visit AS x JOIN ${quote("Customers")} AS y ON x.${quote("firstName")} = y.${quote("firstName")}`;
      const { steps, sql } = await given.steps(["Met", body]);
      expect([steps[0]?.name, steps[0]?.rowCount, steps[0]?.result.columns[0]?.name]).toEqual(["Met", 3, "firstName"]);
      expect(conform(sql, numbered(join), given.opened.catalog).deviations).toEqual([]);
    });

    it("N1 unquoted names are folded by PostgreSQL only, and then the error says which column is missing", async () => {
      const read = await given.reader.read(`SELECT firstname FROM ${quote("Customers")}`, limits);
      expect(codeOf(read)).toBe(given.engine.engine === "postgres" ? "unknown-column" : "no error");
    });

    it("N2 reserved word, blank, digit first, dot and quotes are usable in joins, filters and steps", async () => {
      expect(tableOf("order")?.columns.map((column) => column.name)).toEqual(["id", ...odd]);
      const joined = await given.joins([edge("order", "a.b", "detail", "a.b")]);
      expect(joined.evidence.joins[0]).toMatchObject({ cardinality: "N:1", before: 3, after: 3 });
      for (const [name, value] of [
        ["3pointplay", 8],
        ["Unit Price", 20],
        [`say "hi"`, 6],
      ] as const) {
        const condition = `o.${quote(name)} = ${value}`;
        const { filters } = await given.filters({
          kind: "filter",
          words: name,
          table: "order",
          alias: "o",
          column: name,
          operator: "=",
          values: [value],
          condition,
        });
        expect([name, filters[0]?.kept, filters[0]?.of]).toEqual([name, 1, 3]);
      }
      const list = odd.map(quote).join(", ");
      const { steps, sql } = await given.steps(
        ["group", `SELECT ${list} FROM ${quote("order")} WHERE ${quote("Unit Price")} > 10`],
        ["a b", `SELECT ${quote(`say "hi"`)} FROM ${quote("order")} ORDER BY ${quote("3pointplay")}`],
      );
      expect(steps.map((step) => [step.name, step.rowCount])).toEqual([
        ["group", 2],
        ["a b", 3],
      ]);
      expect(steps[0]?.result.columns.map((column) => column.name)).toEqual(odd);
      const slices = sliceCtes(sql, given.engine.engine);
      expect(slices.ok ? slices.ctes.map((cte) => cte.name) : slices).toEqual([quote("group"), quote("a b")]);
    });

    it("N2 a step with the name of the table it reads is refused with the reason on every engine", async () => {
      const found = given.steps(["order", `SELECT id FROM ${quote("order")}`]);
      await expect(found).rejects.toThrow(/The step order has the name of a table that it reads/);
    });

    it("N2 the grid and the CSV show the names as they are, and sort by position, not by name", async () => {
      const list = odd.map(quote).join(", ");
      const result = await given.result(`SELECT ${list} FROM ${quote("order")} ORDER BY ${quote("Unit Price")}`);
      expect(result.columns.map((column) => column.name)).toEqual(odd);
      expect(result.rows.map((row) => row[2])).toEqual([10, 20, 30]);
      expect(toCsv(result).split("\r\n").slice(0, 2)).toEqual([`3pointplay,a.b,Unit Price,"say ""hi"""`, "9,2,10,7"]);
      const html = renderToStaticMarkup(createElement(ResultGrid, { result }));
      for (const name of ["3pointplay", "a.b", "Unit Price", "say &quot;hi&quot;"])
        expect(html.replaceAll(/<[^>]+>/g, "")).toContain(name);
    });

    it.skipIf(given.engine.engine === "sqlite" || given.engine.engine === "mysql")(
      "N4 schema-qualified: twins are two tables, and every statement names its schema",
      async () => {
        const { catalog } = given.opened;
        expect(
          catalog.tables
            .map((table) => table.name)
            .filter((name) => /orders$/.test(name))
            .sort(),
        ).toEqual(["hr.orders", "sales.orders"]);
        expect([tableOf("sales.orders")?.rows, tableOf("hr.orders")?.rows]).toEqual([2, 3]);
        const join = edge("sales.orders", "id", "hr.orders", "id", "LEFT");
        const { evidence } = await given.joins([join]);
        expect(evidence.joins[0]).toMatchObject({ before: 2, after: 2, leftMatched: 1, rightRows: 3 });
        const condition = "o.total > 5";
        const filter = { ...filterOf("over 5", "hr.orders.total", ">", [5], condition), alias: "o" };
        const { filters } = await given.filters({ ...filter, table: "hr.orders", column: "total" });
        expect(filters[0]).toMatchObject({ kept: 2, of: 3 });
        const body = "SELECT y.total FROM sales.orders AS x LEFT JOIN hr.orders AS y ON x.id = y.id";
        const { steps, sql } = await given.steps(["both", body]);
        expect(steps[0]?.inputs.map(({ name, rows }) => [name, rows])).toEqual([
          ["sales.orders", 2],
          ["hr.orders", 3],
        ]);
        expect(conform(sql, numbered(join), catalog).deviations).toEqual([]);
        const wrong = sql.replace("LEFT JOIN hr.orders", "LEFT JOIN sales.orders");
        expect(conform(wrong, numbered(join), catalog).deviations.length).toBeGreaterThan(0);
        expect(codeOf(await given.reader.read("SELECT * FROM orders", limits))).toBe("unknown-table");
      },
    );

    it.skipIf(given.engine.engine === "sqlite" || given.engine.engine === "mysql")(
      "N4 twin names are shown as two choices, and a name without its schema is refused with the twins",
      async () => {
        const { catalog, values } = given.opened;
        expect(searchCatalog(catalog, "orders").map((hit) => hit.table)).toEqual(
          expect.arrayContaining(["sales.orders", "hr.orders"]),
        );
        const unqualified = { kind: "table", table: "orders", use: "used", reason: "orders" } as const;
        expect(refuseNames(catalog, [unqualified])).toMatch(
          /no table orders.*(sales|hr)\.orders or (sales|hr)\.orders/,
        );
        // Without the other case's table, which is called nearly the same.
        const twins = { ...catalog, tables: catalog.tables.filter((table) => table.name !== "order") };
        const planned = await planQuestion({
          question: "How many orders are there?",
          catalog: twins,
          values,
          corrections: [],
          choices: {},
        });
        if (planned.outcome !== "ask") throw new Error(`no question back: ${planned.outcome}`);
        expect(planned.options).toHaveLength(2);
        const counts: unknown[] = [];
        for (const { label } of planned.options) {
          const choices = { [planned.id]: label };
          const next = await planQuestion({
            question: "How many orders are there?",
            catalog: twins,
            values,
            corrections: [],
            choices,
          });
          if (next.outcome !== "plan") throw new Error(`no plan after ${label}: ${next.outcome}`);
          expect(next.plan.sql).toMatch(/(sales|hr)"?\."?orders/);
          counts.push(...(await given.rows(next.plan.sql)).flat());
        }
        expect(counts.map(Number).sort()).toEqual([2, 3]);
      },
    );
  },
);

describe("steps put together", () => {
  it("N2 a step named like a reserved word is quoted in every dialect", () => {
    const steps = [{ name: "order", sql: "SELECT 1 AS n" }];
    expect(assembleSteps(steps, undefined, "postgres")).toContain('WITH "order" AS (');
    expect(assembleSteps(steps, undefined, "mysql")).toContain("WITH `order` AS (");
  });
});
