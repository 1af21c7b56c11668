import { expect, test } from "vitest";
import type { Catalog, Column, Engine, Table } from "../protocol/index.ts";
import { conform } from "../sql/conformance.ts";
import type { Condition, Frame } from "./frame/frame.ts";
import { createJoinGraph, noWishes } from "./relations/joins.ts";
import { createSchema } from "./schema/schema.ts";
import { compileFrame } from "./statement/relational-tree.ts";

const column = (name: string, type: string, kind: Column["kind"], nullable = false): Column => ({
  name,
  type,
  kind,
  nullable,
  samples: [],
});
const table = (name: string, columns: Column[], more: Partial<Table> = {}): Table => ({
  name,
  kind: "table",
  rows: 10,
  columns,
  primaryKey: [columns[0]?.name ?? ""],
  unique: [],
  foreignKeys: [],
  ...more,
});

/** Two schemas, mixed case, a reserved word, a text that holds dates, a key whose ends have different types. */
function shop(engine: Engine): Catalog {
  return {
    engine,
    checksum: "",
    tables: [
      table("Customer", [
        column("Id", "integer", "integer"),
        column("Name", "text", "text"),
        { ...column("joined", "text", "text"), dateFormat: "DD/MM/YYYY" },
      ]),
      table(
        "sales.order",
        [
          column("id", "integer", "integer"),
          column("customer", "text", "text"),
          column("placed", "timestamp", "date", true),
          column("paid", "boolean", "boolean"),
          column("price", "double precision", "number", true),
        ],
        { schema: "sales" },
      ),
    ],
    relations: [
      { from: "sales.order", fromColumns: ["customer"], to: "Customer", toColumns: ["Id"], origin: "inferred" },
    ],
  };
}

const empty = (entity: string): Frame => ({
  entity,
  outputs: [],
  groups: [],
  conditions: [],
  having: [],
  order: [],
  distinct: false,
  keepEmpty: false,
  keepUnreferenced: false,
  required: [],
});

function compile(frame: Frame, engine: Engine) {
  const catalog = shop(engine);
  const schema = createSchema(catalog);
  const result = compileFrame(frame, schema, createJoinGraph(schema, noWishes()), noWishes());
  if (!result.ok) throw new Error(result.problem);
  return { catalog, ...result.compiled };
}

const order = (name: string) => ({ table: "sales.order", column: name });
const conditions: Condition[] = [
  {
    kind: "period",
    ref: order("placed"),
    period: { from: "2024-01-01", to: "2025-01-01", years: [2024, 2024], words: "in 2024" },
    negated: false,
    words: "in 2024",
  },
  { kind: "period", ref: order("placed"), period: { months: [5], words: "May" }, negated: false, words: "in May" },
  {
    kind: "period",
    ref: { table: "Customer", column: "joined" },
    period: { from: "2020-03-01", words: "since March" },
    negated: false,
    words: "since March",
  },
  { kind: "compare", ref: order("paid"), operator: "=", values: ["true"], words: "paid" },
  { kind: "compare", ref: { table: "Customer", column: "Name" }, operator: "LIKE", values: ["%ann%"], words: "ann" },
  { kind: "compare", ref: order("customer"), operator: "=", values: [7], words: "number 7" },
];
const revenue: Frame = {
  ...empty("sales.order"),
  groups: [{ kind: "bucket", ref: order("placed"), unit: "month", words: "month" }],
  outputs: [
    { kind: "key", key: { kind: "bucket", ref: order("placed"), unit: "month", words: "month" } },
    { kind: "measure", measure: { kind: "aggregate", fn: "SUM", of: { column: order("price") }, words: "revenue" } },
  ],
  conditions,
  order: [
    {
      by: {
        kind: "measure",
        measure: { kind: "aggregate", fn: "SUM", of: { column: order("price") }, words: "revenue" },
      },
      direction: "DESC",
      words: "highest",
    },
  ],
  limit: { count: 3, words: "three" },
};

const expected: Record<Exclude<Engine, "sqlite">, string> = {
  postgres: `WITH orders_of_2024 AS (
SELECT
  to_char(o.placed, 'YYYY-MM') AS "month",
  o.price
FROM sales."order" AS o
INNER JOIN "Customer" AS c ON o.customer = CAST(c."Id" AS text)
WHERE o.placed >= DATE '2024-01-01' AND o.placed < DATE '2025-01-01'
  AND EXTRACT(MONTH FROM o.placed) = 5
  AND substr(c.joined, 7, 4) || '-' || substr(c.joined, 4, 2) || '-' || substr(c.joined, 1, 2) >= '2020-03-01'
  AND o.paid = true
  AND c."Name" ILIKE '%ann%'
  AND o.customer = '7'
),
total_price_by_month AS (
SELECT
  oo2."month",
  ROUND(CAST(SUM(oo2.price) AS numeric), 2) AS total_price
FROM orders_of_2024 AS oo2
GROUP BY oo2."month"
)
SELECT
  tpb."month",
  tpb.total_price
FROM total_price_by_month AS tpb
ORDER BY tpb.total_price DESC NULLS LAST, tpb."month"
LIMIT 3`,
  duckdb: "",
  mysql: "",
};
expected.duckdb = expected.postgres
  .replace("to_char(o.placed, 'YYYY-MM')", "strftime(o.placed, '%Y-%m')")
  .replace("ROUND(CAST(SUM(oo2.price) AS numeric), 2)", "ROUND(SUM(oo2.price), 2)")
  .replace('CAST(c."Id" AS text)', "CAST(c.Id AS VARCHAR)")
  .replace('"Customer"', "Customer")
  .replace('c."Name"', "c.Name");
expected.mysql = expected.duckdb
  .replace("strftime(o.placed, '%Y-%m')", "DATE_FORMAT(o.placed, '%Y-%m')")
  .replace("AS VARCHAR", "AS CHAR")
  .replace("ILIKE", "LIKE")
  .replace(" NULLS LAST", "")
  .replace(/substr\(c\.joined, 7, 4\).*, 2\) >=/, (text) => `concat(${text.slice(0, -3).replaceAll(" ||", ",")}) >=`)
  .replaceAll('"', "`");

test.each(["postgres", "duckdb", "mysql"] as const)("%s: one frame, that engine's SQL", (engine) => {
  const { sql, catalog, joins, filters, steps, tables } = compile(revenue, engine);
  expect(sql).toBe(expected[engine]);
  const decisions = [
    ...tables.map((name) => ({ kind: "table" as const, table: name, use: "used" as const, reason: "it is needed" })),
    ...joins.map(({ left, right, type, pairs }) => ({
      kind: "join" as const,
      left,
      right,
      type,
      pairs,
      reason: "key",
    })),
    ...filters,
    ...steps,
  ].map((decision, index) => ({ seq: index + 1, decision }));
  expect(conform(sql, decisions, catalog).deviations).toEqual([]);
  // A statement of the model's own, without the steps, is held against the same decisions.
  const body = steps[0]?.sql ?? "";
  const alone = decisions.filter(({ decision }) => decision.kind !== "cte");
  expect(conform(body, alone, catalog).deviations).toEqual([]);
  const changed = body.replace("= 5", "= 6").replace("INNER JOIN", "LEFT JOIN");
  expect(conform(changed, alone, catalog).deviations.map((deviation) => deviation.title)).toEqual([
    "Line 5 says LEFT JOIN, you accepted JOIN",
    "Line 7 filters placed in another way than you accepted",
  ]);
});

test("numbers kept as text are calculated with as numbers", () => {
  const frame: Frame = {
    ...empty("sales.order"),
    outputs: [{ kind: "column", ref: order("id"), words: "orders" }],
    conditions: [
      { kind: "against", scalar: { column: order("customer") }, operator: ">", fn: "AVG", words: "above average" },
    ],
  };
  expect(compile(frame, "sqlite").filters[0]?.condition).toMatch(
    /^\w+\.customer > \(SELECT AVG\(\w+\.customer\) FROM sales\."order" AS \w+\)$/,
  );
  expect(compile(frame, "postgres").filters[0]?.condition).toMatch(
    /^CAST\(\w+\.customer AS numeric\) > \(SELECT AVG\(CAST\(\w+\.customer AS numeric\)\) FROM sales\."order" AS \w+\)$/,
  );
});

test("equal rows are shown once although what orders them isn't shown", () => {
  const frame: Frame = {
    ...empty("sales.order"),
    outputs: [{ kind: "column", ref: order("customer"), words: "customers" }],
    groups: [{ kind: "entity", table: "sales.order", words: "orders" }],
    distinct: true,
    order: [
      {
        by: {
          kind: "measure",
          measure: { kind: "aggregate", fn: "SUM", of: { column: order("price") }, words: "price" },
        },
        direction: "DESC",
        words: "highest",
      },
    ],
  };
  expect(compile(frame, "sqlite").sql).toMatch(/SELECT DISTINCT\n.*\nFROM.*\nORDER BY \w+\.total_price DESC$/);
  expect(compile(frame, "postgres").sql).toMatch(
    /\nGROUP BY \w+\.customer\nORDER BY MAX\(\w+\.total_price\) DESC NULLS LAST$/,
  );
});

test("a full join is refused in words where there is none", () => {
  const frame: Frame = {
    ...empty("sales.order"),
    outputs: [
      { kind: "column", ref: { table: "Customer", column: "Name" }, words: "names" },
      { kind: "column", ref: order("price"), words: "prices" },
    ],
  };
  const wishes = { ...noWishes(), types: [{ type: "FULL" as const }] };
  const make = (engine: Engine) => {
    const schema = createSchema(shop(engine));
    return compileFrame(frame, schema, createJoinGraph(schema, wishes), wishes);
  };
  expect(make("postgres")).toMatchObject({ ok: true });
  expect(make("mysql")).toEqual({ ok: false, problem: expect.stringContaining("no FULL OUTER JOIN") });
});

test("words name a table by its own name, and by its schema only when two have it", () => {
  const [, orders] = createSchema(shop("postgres")).tables;
  expect(orders?.words).toEqual(["order"]);
  const catalog = shop("postgres");
  const twice = {
    ...catalog,
    tables: [...catalog.tables, table("web.order", [column("id", "integer", "integer")], { schema: "web" })],
  };
  expect(createSchema(twice).tables.map((info) => info.words)).toEqual([
    ["customer"],
    ["sales", "order"],
    ["web", "order"],
  ]);
});
