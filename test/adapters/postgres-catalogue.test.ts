/** What introspection tells of a PostgreSQL database, and names that are hard to write. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, IntrospectedTable } from "../../src/database/database.ts";
import { toTablePath } from "../../src/protocol/index.ts";
import { type PostgresUnderTest, startPostgres } from "../fixtures/postgres-engine.ts";

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 30_000 };
const engine: PostgresUnderTest | null = await startPostgres();
let database: Database;
let tables: Map<string, IntrospectedTable>;

const hard = [
  "Mixed Case",
  "select",
  'say "hi"',
  "a.b",
  "3pointplay",
  "名前",
  "Ünï",
  "semi;colon",
  "it's",
  "public.twin",
  "-- x",
];
const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

beforeAll(async () => {
  if (!engine) return;
  await engine.run([
    'CREATE SCHEMA sales; CREATE SCHEMA hr; CREATE SCHEMA "Odd.One"',
    "CREATE TYPE mood AS ENUM ('sad', 'ok')",
    "CREATE DOMAIN cents AS bigint; CREATE DOMAIN price AS cents NOT NULL",
    "CREATE TABLE camp (camp int, yr int, PRIMARY KEY (yr, camp)); COMMENT ON TABLE camp IS 'Campaigns'",
    `CREATE TABLE enr (id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY, c int, y int, boss int REFERENCES enr,
       CONSTRAINT one_name FOREIGN KEY (y, c) REFERENCES camp (yr, camp), UNIQUE (c, id))`,
    "COMMENT ON COLUMN enr.y IS 'Year of it'",
    "CREATE UNIQUE INDEX ON enr (y) INCLUDE (c)",
    "CREATE UNIQUE INDEX ON enr (c) WHERE c > 5",
    "CREATE UNIQUE INDEX ON enr ((c + 1))",
    "CREATE TABLE other (a int, b int, CONSTRAINT one_name FOREIGN KEY (b, a) REFERENCES camp (camp, yr) NOT VALID)",
    "CREATE TABLE sales.orders (id int PRIMARY KEY, enr int REFERENCES enr, boss int)",
    "CREATE TABLE hr.orders (id int PRIMARY KEY, sale int REFERENCES sales.orders)",
    'CREATE TABLE "Odd.One"."T.x" (id int)',
    "CREATE TABLE log (at date, n int, PRIMARY KEY (at, n)) PARTITION BY RANGE (at)",
    "CREATE TABLE log_1 PARTITION OF log FOR VALUES FROM ('2024-01-01') TO ('2025-01-01') PARTITION BY RANGE (n)",
    "CREATE TABLE log_1_a PARTITION OF log_1 FOR VALUES FROM (0) TO (100)",
    "CREATE TABLE log_2 PARTITION OF log FOR VALUES FROM ('2025-01-01') TO ('2026-01-01')",
    "CREATE TABLE entry (at date, n int, FOREIGN KEY (at, n) REFERENCES log)",
    "INSERT INTO log SELECT '2024-05-01', n FROM generate_series(1, 30) n",
    "INSERT INTO log SELECT '2025-05-01', n FROM generate_series(1, 12) n",
    `CREATE TABLE kinds (i2 smallint, i8 bigint, n numeric(10,2) NOT NULL, f real, m money, t text, v varchar(5),
       ch char(3), b boolean, d date, ts timestamp, tz timestamptz(3), tm time, iv interval, u uuid, j jsonb, x xml,
       ba bytea, arr int[], r int4range, mo mood, ce cents, pr price, ip inet, po point)`,
    "CREATE VIEW seen AS SELECT id, c FROM enr",
    "CREATE MATERIALIZED VIEW stored AS SELECT c FROM enr",
    "CREATE TABLE hidden (a int); CREATE TABLE partly (open int, closed int, PRIMARY KEY (closed))",
    "CREATE TABLE pointing (closed int REFERENCES partly)",
    ...hard.map(
      (name, n) => `CREATE TABLE ${quote(name)} (${hard.map((column) => `${quote(column)} int`).join(", ")});
       INSERT INTO ${quote(name)} VALUES (${hard.map((_, m) => n * 100 + m).join(", ")})`,
    ),
    "CREATE TABLE twin (a int); ANALYZE log; ANALYZE camp",
    "CREATE TEMP TABLE passing (a int)",
  ]);
  await engine.ask("REVOKE ALL ON hidden, partly FROM reader");
  await engine.ask("GRANT SELECT (open) ON partly TO reader");
  await engine.ask("CREATE SCHEMA secret; CREATE TABLE secret.s (a int)".split("; ")[0] ?? "");
  await engine.ask("CREATE TABLE secret.s (a int)");
  await engine.ask("REVOKE ALL ON SCHEMA secret FROM PUBLIC");
  const admin = await engine.admin();
  await admin
    .query(`CREATE EXTENSION IF NOT EXISTS file_fdw; CREATE SERVER files FOREIGN DATA WRAPPER file_fdw;
    CREATE FOREIGN TABLE far (line text) SERVER files OPTIONS (filename '/dev/null'); GRANT SELECT ON far TO reader`)
    .catch((error: Error) => console.log(`skipped: no file_fdw here (${error.message})`));
  await admin.end();
  database = await engine.open();
  tables = new Map((await database.introspect()).map((table) => [table.name, table]));
});
afterAll(async () => {
  await engine?.stop();
});

describe.skipIf(!engine)("introspection", () => {
  test("lists what the role can read, partitions as one table", () => {
    const plain = [...tables.keys()].filter((name) => !hard.includes(name));
    expect(plain.filter((name) => name !== "far").sort()).toEqual(
      [
        "Odd.One.T.x",
        "camp",
        "enr",
        "entry",
        "hr.orders",
        "kinds",
        "log",
        "other",
        "partly",
        "pointing",
        "sales.orders",
        "seen",
        "stored",
        "twin",
      ].sort(),
    );
    expect(tables.get("sales.orders")?.schema).toBe("sales");
    expect(tables.get("camp")).not.toHaveProperty("schema");
    expect(toTablePath(tables.get("Odd.One.T.x") ?? { name: "" })).toEqual(["Odd.One", "T.x"]);
    expect(["seen", "stored", "log", "far"].map((name) => tables.get(name)?.kind ?? "table")).toEqual([
      "view",
      "view",
      "table",
      "table",
    ]);
  });

  test("names types as the engine does, and what they hold", () => {
    const kinds = tables.get("kinds")?.columns.map(({ name, type, kind, nullable }) => [name, type, kind, nullable]);
    expect(kinds).toEqual([
      ["i2", "smallint", "integer", true],
      ["i8", "bigint", "integer", true],
      ["n", "numeric(10,2)", "number", false],
      ["f", "real", "number", true],
      ["m", "money", "number", true],
      ["t", "text", "text", true],
      ["v", "character varying(5)", "text", true],
      ["ch", "character(3)", "text", true],
      ["b", "boolean", "boolean", true],
      ["d", "date", "date", true],
      ["ts", "timestamp without time zone", "date", true],
      ["tz", "timestamp(3) with time zone", "date", true],
      ["tm", "time without time zone", "text", true],
      ["iv", "interval", "other", true],
      ["u", "uuid", "text", true],
      ["j", "jsonb", "other", true],
      ["x", "xml", "other", true],
      ["ba", "bytea", "blob", true],
      ["arr", "integer[]", "other", true],
      ["r", "int4range", "other", true],
      ["mo", "mood", "text", true],
      ["ce", "cents", "integer", true],
      ["pr", "price", "integer", false],
      ["ip", "inet", "text", true],
      ["po", "point", "other", true],
    ]);
  });

  test("keeps keys whole, in their order, each with its own table", () => {
    expect(tables.get("camp")).toMatchObject({ primaryKey: ["yr", "camp"], comment: "Campaigns", foreignKeys: [] });
    const enr = tables.get("enr");
    expect(enr?.primaryKey).toEqual(["id"]);
    expect(enr?.columns.find(({ name }) => name === "y")?.comment).toBe("Year of it");
    expect(enr?.unique).toEqual([["c", "id"], ["y"]]);
    expect(new Set(enr?.foreignKeys)).toEqual(
      new Set([
        { columns: ["boss"], table: "enr", tableColumns: ["id"] },
        { columns: ["y", "c"], table: "camp", tableColumns: ["yr", "camp"] },
      ]),
    );
    expect(tables.get("other")?.foreignKeys).toEqual([
      { columns: ["b", "a"], table: "camp", tableColumns: ["camp", "yr"] },
    ]);
    expect(tables.get("sales.orders")?.foreignKeys).toEqual([{ columns: ["enr"], table: "enr", tableColumns: ["id"] }]);
    expect(tables.get("hr.orders")?.foreignKeys).toEqual([
      { columns: ["sale"], table: "sales.orders", tableColumns: ["id"] },
    ]);
    expect(tables.get("entry")?.foreignKeys).toEqual([
      { columns: ["at", "n"], table: "log", tableColumns: ["at", "n"] },
    ]);
  });

  test("counts a partitioned table by its parts, and knows when nothing was counted", () => {
    expect(tables.get("log")).toMatchObject({ rowEstimate: 42, primaryKey: ["at", "n"] });
    expect(tables.get("camp")?.rowEstimate).toBe(0);
    expect(tables.get("enr")).not.toHaveProperty("rowEstimate");
    expect(tables.get("seen")).not.toHaveProperty("rowEstimate");
  });

  test("leaves out columns without a right, and keys that need them", () => {
    expect(tables.get("partly")).toMatchObject({ columns: [{ name: "open" }], primaryKey: [] });
    expect(tables.get("pointing")?.foreignKeys).toEqual([]);
    expect(tables.has("hidden")).toBe(false);
    expect(tables.has("secret.s")).toBe(false);
  });

  test("takes the first schema that exists as the one of bare names", async () => {
    await engine?.ask(`ALTER ROLE reader IN DATABASE app SET search_path = nowhere, "$user", sales, public`);
    const there = await engine?.open();
    const names = new Map((await there?.introspect())?.map((table) => [table.name, table]));
    await engine?.ask("ALTER ROLE reader IN DATABASE app RESET search_path");
    expect(names.get("orders")).not.toHaveProperty("schema");
    expect(names.get("public.enr")?.schema).toBe("public");
    expect(names.get("hr.orders")?.foreignKeys[0]?.table).toBe("orders");
  });
});

describe.skipIf(!engine)("names", () => {
  test.each(hard.map((name, n) => [name, n] as const))("%j is read as table and column", async (name, n) => {
    const table = tables.get(name);
    expect(table?.columns.map((column) => column.name)).toEqual(hard);
    const from = toTablePath(table ?? { name })
      .map((part) => database.quote(part))
      .join(".");
    const read = await database.read(`SELECT t.${database.quote(name)} FROM ${from} t`, options);
    expect(read).toMatchObject({ ok: true, result: { columns: [{ name }], rows: [[n * 100 + n]] } });
  });
});
