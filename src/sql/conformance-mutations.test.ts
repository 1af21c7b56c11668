/** One small example of every fault and of every other way of writing that the check is scored on. */
import { describe, expect, test } from "vitest";
import type { Catalog, Decision } from "../protocol/index.ts";
import { conform } from "./conformance.ts";

const columns: Record<string, string> = {
  Genre: "GenreId Name",
  Track: "TrackId Name GenreId Milliseconds UnitPrice",
  InvoiceLine: "InvoiceLineId InvoiceId TrackId UnitPrice Quantity",
  Customer: "CustomerId LastName Country SupportRepId",
  Employee: "EmployeeId LastName ReportsTo",
};
const catalog: Catalog = {
  engine: "sqlite",
  checksum: "x",
  relations: [],
  tables: Object.entries(columns).map(([name, list]) => ({
    name,
    kind: "table",
    rows: 0,
    primaryKey: [],
    unique: [],
    foreignKeys: [],
    columns: list.split(" ").map((column) => ({ name: column, type: "", kind: "other", nullable: true, samples: [] })),
  })),
};

const used = (...tables: string[]): Decision[] =>
  tables.map((table) => ({ kind: "table", table, use: "used", reason: "r" }));
const shape = (aspect: "grain" | "output" | "order" | "limit" | "restatement", ...expressions: string[]): Decision => ({
  kind: "interpretation",
  aspect,
  text: aspect,
  expressions,
});
const kinds = (sql: string, decisions: Decision[]) =>
  conform(
    sql,
    decisions.map((decision, index) => ({ seq: index + 1, decision })),
    catalog,
  ).deviations.map((deviation) => deviation.title.replace(/^Line \d+ /, ""));

const sql = `SELECT g.Name, SUM(il.UnitPrice * il.Quantity) AS revenue
FROM Genre AS g
JOIN Track AS t ON t.GenreId = g.GenreId
LEFT JOIN InvoiceLine AS il ON il.TrackId = t.TrackId AND il.UnitPrice = t.UnitPrice
WHERE t.Milliseconds BETWEEN 100 AND 600 AND (g.Name = 'Rock' OR g.Name = 'Jazz')
GROUP BY g.GenreId, g.Name
ORDER BY revenue DESC, g.Name
LIMIT 5`;
const decisions: Decision[] = [
  ...used("Genre", "Track", "InvoiceLine"),
  {
    kind: "join",
    type: "INNER",
    left: { table: "Genre", alias: "g" },
    right: { table: "Track", alias: "t" },
    pairs: [{ left: "GenreId", right: "GenreId" }],
  },
  {
    kind: "join",
    type: "LEFT",
    left: { table: "Track", alias: "t" },
    right: { table: "InvoiceLine", alias: "il" },
    pairs: [
      { left: "TrackId", right: "TrackId" },
      { left: "UnitPrice", right: "UnitPrice" },
    ],
  },
  {
    kind: "filter",
    words: "short",
    table: "Track",
    alias: "t",
    column: "Milliseconds",
    operator: "BETWEEN",
    values: [100, 600],
    condition: "t.Milliseconds BETWEEN 100 AND 600",
  },
  {
    kind: "filter",
    words: "rock or jazz",
    table: "Genre",
    alias: "g",
    column: "Name",
    operator: "IN",
    values: ["Rock", "Jazz"],
    condition: "g.Name IN ('Rock', 'Jazz')",
  },
  shape("grain", "g.GenreId", "g.Name"),
  shape("output", "g.Name", "SUM(il.UnitPrice * il.Quantity)"),
  shape("order", "SUM(il.UnitPrice * il.Quantity) DESC", "g.Name ASC"),
  shape("limit", "5"),
];
const pairs = "joins Track and InvoiceLine on other columns than you accepted";
const grain = "The SQL doesn't give one row per what you accepted";
const output = "The SQL puts out other columns than you accepted";
const order = "The SQL doesn't sort as you accepted";
const limit = "The SQL doesn't cut at the limit you accepted";

test("the statement conforms to its own decisions, every one found", () => {
  const numbered = decisions.map((decision, index) => ({ seq: index + 1, decision }));
  const report = conform(sql, numbered, catalog);
  expect(report.deviations).toEqual([]);
  expect(report.rows.map((row) => [row.seq, row.status])).toEqual(decisions.map((_, index) => [index + 1, "found"]));
});

describe("faults are named", () => {
  test.each<[string, string, string, string[]]>([
    ["pair dropped", " AND il.UnitPrice = t.UnitPrice", "", [pairs]],
    ["INNER for LEFT", "LEFT JOIN", "JOIN", ["says JOIN, you accepted LEFT JOIN"]],
    ["another key", "il.TrackId = t.TrackId", "il.InvoiceId = t.TrackId", [pairs]],
    ["filter value changed", "'Jazz'", "'Pop'", ["filters Name in another way than you accepted"]],
    ["bound changed", "AND 600", "AND 601", ["filters Milliseconds in another way than you accepted"]],
    [
      "filter dropped",
      " AND (g.Name = 'Rock' OR g.Name = 'Jazz')",
      "",
      ["The SQL doesn't filter by “rock or jazz”, as you accepted"],
    ],
    ["filter added", "GROUP BY", "AND t.Name <> 'x' GROUP BY", ["has a condition you did not accept"]],
    [
      "operator changed",
      "g.Name = 'Rock' OR",
      "g.Name <> 'Rock' OR",
      ["filters Name in another way than you accepted"],
    ],
    ["AVG for SUM", "SUM(", "AVG(", [output, order]],
    ["group column dropped", "g.GenreId, g.Name\nORDER", "g.Name\nORDER", [grain]],
    ["grouping dropped", "GROUP BY g.GenreId, g.Name", "", [grain]],
    ["table added", "\nWHERE", " CROSS JOIN Customer AS c\nWHERE", ["reads Customer, a table you did not accept"]],
    ["limit changed", "LIMIT 5", "LIMIT 6", [limit]],
    ["limit dropped", "LIMIT 5", "", [limit]],
    ["offset added", "LIMIT 5", "LIMIT 5 OFFSET 1", [limit]],
    ["DISTINCT added", "SELECT g", "SELECT DISTINCT g", ["folds rows in a way you did not accept"]],
    ["order turned", "revenue DESC", "revenue", [order]],
    ["sort key dropped", ", g.Name\nLIMIT", "\nLIMIT", [order]],
    ["output column exchanged", "SELECT g.Name", "SELECT t.Name", [output]],
    ["output column added", "AS revenue", "AS revenue, COUNT(*)", [output]],
    ["factor dropped", "il.UnitPrice * il.Quantity", "il.UnitPrice", [output, order]],
  ])("%s", (_name, from, to, expected) => {
    const changed = sql.replace(from, to);
    expect(changed).not.toBe(sql);
    expect(kinds(changed, decisions)).toEqual(expected);
  });
});

describe("other ways of writing it conform", () => {
  const wrapped = `WITH answer AS (\n${sql}\n)\nSELECT * FROM answer`;
  test.each<[string, string]>([
    [
      "other aliases",
      sql.replaceAll("g.", "a.").replace("AS g", "AS a").replaceAll("il.", "c.").replace("AS il", "AS c"),
    ],
    ["join order", sql.replace("Genre AS g\nJOIN Track AS t", "Track AS t\nJOIN Genre AS g")],
    ["sides turned", sql.replace("t.GenreId = g.GenreId", "g.GenreId = t.GenreId")],
    ["USING", sql.replace("ON t.GenreId = g.GenreId", "USING (GenreId)")],
    [
      "USING two",
      sql.replace("ON il.TrackId = t.TrackId AND il.UnitPrice = t.UnitPrice", "USING (TrackId, UnitPrice)"),
    ],
    [
      "comma and WHERE",
      sql
        .replace("\nJOIN Track AS t ON t.GenreId = g.GenreId", ", Track AS t")
        .replace("WHERE", "WHERE g.GenreId = t.GenreId AND"),
    ],
    ["IN for OR", sql.replace("(g.Name = 'Rock' OR g.Name = 'Jazz')", "g.Name IN ('Jazz', 'Rock')")],
    [
      "two comparisons",
      sql.replace("t.Milliseconds BETWEEN 100 AND 600", "t.Milliseconds <= 600 AND t.Milliseconds >= 100"),
    ],
    ["quoted names", sql.replaceAll(/\b(Genre|Track|InvoiceLine|GenreId|Milliseconds)\b/g, '"$1"')],
    ["lower case", sql.toLowerCase().replace("'rock'", "'Rock'").replace("'jazz'", "'Jazz'")],
    ["brackets", sql.replace("t.GenreId = g.GenreId", "(t.GenreId = (g.GenreId))")],
    ["comments", sql.replaceAll("\n", "\n-- SELECT 1\n/* LIMIT 9 */ ")],
    ["places for names", sql.replace("revenue DESC, g.Name", "2 DESC, 1")],
    ["expression for name", sql.replace("revenue DESC", "SUM(il.UnitPrice * il.Quantity) DESC")],
    ["group keys in another order", sql.replace("g.GenreId, g.Name\nORDER", "g.Name, g.GenreId\nORDER")],
    ["as a step", wrapped],
    ["a table as a step", `WITH d AS (SELECT * FROM Track) ${sql.replace("JOIN Track AS t", "JOIN d AS t")}`],
    ["a table as a derived one", sql.replace("JOIN Track AS t", "JOIN (SELECT * FROM Track) AS t")],
  ])("%s", (_name, changed) => {
    expect(changed).not.toBe(sql);
    expect(kinds(changed, decisions)).toEqual([]);
  });
  test("but a fault inside the step does not", () => {
    expect(kinds(wrapped.replace("LIMIT 5", "LIMIT 50"), decisions)).toEqual([limit]);
    expect(kinds(wrapped.replace("SELECT *", "SELECT revenue, Name"), decisions)).toContain(
      "puts out columns you did not accept",
    );
  });
});

describe("DISTINCT, sets, subqueries and steps", () => {
  test("DISTINCT is one row per what is shown, as GROUP BY is", () => {
    const countries = [...used("Customer"), shape("grain", "Customer.Country"), shape("output", "Customer.Country")];
    expect(kinds("SELECT DISTINCT Country FROM Customer", countries)).toEqual([]);
    expect(kinds("SELECT Country FROM Customer GROUP BY Country", countries)).toEqual([]);
    expect(kinds("SELECT Country FROM Customer", countries)).toEqual([grain]);
  });
  test("COUNT DISTINCT", () => {
    const count = [...used("Customer"), shape("output", "COUNT(DISTINCT Customer.Country)")];
    expect(
      kinds("SELECT COUNT(DISTINCT c.Country) FROM Customer c", [
        ...count.slice(0, 1),
        shape("output", "COUNT(DISTINCT Country)"),
      ]),
    ).toEqual([]);
    expect(kinds("SELECT COUNT(DISTINCT Country) FROM Customer", count)).toEqual([]);
    expect(kinds("SELECT COUNT(Country) FROM Customer", count)).toEqual([output]);
  });
  test("set operators and each of their lists", () => {
    const names = [
      ...used("Customer", "Employee"),
      shape("restatement", "UNION"),
      shape("output", "Customer.LastName"),
      shape("output", "Employee.LastName"),
    ];
    const both = "SELECT LastName FROM Customer UNION SELECT LastName FROM Employee";
    expect(kinds(both, names)).toEqual([]);
    expect(kinds(`WITH b AS (${both}) SELECT * FROM b`, names)).toEqual([]);
    const combined = "The SQL doesn't combine its queries as you accepted";
    expect(kinds(both.replace("UNION", "EXCEPT"), names)).toEqual([combined]);
    expect(kinds(both.replace("UNION", "UNION ALL"), names)).toEqual([combined]);
    expect(kinds(both.replace("SELECT LastName FROM E", "SELECT ReportsTo FROM E"), names)).toEqual([output]);
  });
  test("a condition with a query inside", () => {
    const condition = "SupportRepId IN (SELECT e.EmployeeId FROM Employee e WHERE e.ReportsTo = 2)";
    const helped: Decision[] = [
      ...used("Customer"),
      {
        kind: "filter",
        words: "w",
        table: "Customer",
        column: "SupportRepId",
        operator: "other",
        values: [],
        condition,
      },
    ];
    const text = `SELECT LastName FROM Customer WHERE ${condition}`;
    expect(kinds(text, helped)).toEqual([]);
    expect(kinds(text.replaceAll("e.", "x.").replace("Employee e", "Employee AS x"), helped)).toEqual([]);
    expect(kinds(text.replace("(SELECT", "(SELECT DISTINCT"), helped)).toEqual([]);
    for (const [from, to] of [
      ["= 2", "= 3"],
      ["e.EmployeeId", "e.ReportsTo"],
      [" WHERE e.ReportsTo = 2", ""],
      ["= 2)", "= 2 LIMIT 1)"],
    ] as const)
      expect(kinds(text.replace(from, to), helped)).not.toEqual([]);
  });
  test("a step holds by what it computes, under any name or none", () => {
    const body = "SELECT il.TrackId, COUNT(*) AS sold FROM InvoiceLine AS il GROUP BY il.TrackId";
    const steps: Decision[] = [...used("InvoiceLine"), { kind: "cte", name: "sales", purpose: "p", sql: body }];
    const text = `WITH sales AS (${body}) SELECT * FROM sales`;
    expect(kinds(text, steps)).toEqual([]);
    expect(kinds(text.replaceAll("il.", "x.").replace("AS il", "AS x"), steps)).toEqual([]);
    expect(kinds(text.replaceAll("sales", "s"), steps)).toEqual([]);
    expect(kinds(`SELECT * FROM (${body}) AS s`, steps)).toEqual([]);
    const differs = "The step sales differs from the one you accepted";
    expect(kinds(text.replace("COUNT(*)", "SUM(il.Quantity)"), steps)).toEqual([differs]);
    expect(kinds(text.replace(" GROUP BY il.TrackId", ""), steps)).toEqual([differs]);
    expect(kinds(text.replace("GROUP BY il.TrackId", "GROUP BY il.TrackId, il.InvoiceId"), steps)).toEqual([differs]);
  });
  test("columns and limits accepted in words", () => {
    const words: Decision[] = [
      ...used("Customer"),
      { kind: "column", table: "Customer", column: "Country", role: "group", reason: "r" },
      { kind: "interpretation", aspect: "limit", text: "5, ties broken by name" },
    ];
    const text = "SELECT Country, COUNT(*) FROM Customer GROUP BY Country ORDER BY 2 DESC LIMIT 5";
    expect(kinds(text, words)).toEqual([]);
    expect(kinds(text.replace("LIMIT 5", "LIMIT 10"), words)).toEqual([
      "The SQL doesn't cut at 5 rows, as you accepted",
    ]);
    expect(kinds(text.replace("GROUP BY Country", "GROUP BY SupportRepId"), words)).toEqual([
      "The SQL doesn't tell rows apart by Customer.Country, as you accepted",
    ]);
    expect(kinds(text.replaceAll("Country", "SupportRepId"), words)).toEqual([
      "The SQL doesn't use Customer.Country, which you accepted",
    ]);
  });
});
