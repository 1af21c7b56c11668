import { execFileSync } from "node:child_process";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Read } from "../../src/database/database.ts";
import { startDuckdb } from "../fixtures/duckdb-engine.ts";
import type { EngineUnderTest } from "../fixtures/engine-under-test.ts";

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 30_000 };
const endless = "SELECT count(*) FROM range(10000000000) a, range(10000) b WHERE a.range + b.range = -7";
const result = (read: Read) => {
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.message}`);
  return read.result;
};
const problem = (read: Read) => (read.ok ? "no error" : read.error.code);

let engine: EngineUnderTest;
let database: Database;
beforeAll(async () => {
  engine = await startDuckdb();
  await engine.run([
    "CREATE TABLE many AS SELECT range AS n, 'row ' || range AS t FROM range(1000000)",
    "CREATE TABLE huge AS SELECT repeat(repeat('x', 10000), 5000) AS v, 1 AS n",
    "CREATE SCHEMA sales",
    `CREATE TABLE prog(camp VARCHAR, yr INT, title VARCHAR NOT NULL UNIQUE, PRIMARY KEY (yr, camp), UNIQUE (title, yr))`,
    "CREATE TABLE enr(camp VARCHAR, yr INT NOT NULL, n DECIMAL(10,2), FOREIGN KEY (yr, camp) REFERENCES prog(yr, camp))",
    "CREATE TABLE sales.orders(id BIGINT PRIMARY KEY, tags VARCHAR[], placed TIMESTAMPTZ, mood ENUM('ok','sad'), j JSON)",
    "CREATE TABLE sales.lines(id INT, order_id BIGINT REFERENCES sales.orders(id))",
    "CREATE TABLE orders(id INT)",
    "INSERT INTO orders VALUES (1), (2)",
    `CREATE TABLE "order"("3pointplay" INTEGER, "a.b" VARCHAR, "Unit Price" DOUBLE, "say ""hi""" VARCHAR, "größe" VARCHAR, "select" INT)`,
    `INSERT INTO "order" VALUES (1, 'x', 2.5, 'hi', 'L', 3)`,
    "COMMENT ON TABLE prog IS 'Programmes'",
    "COMMENT ON COLUMN prog.yr IS 'year of start'",
    "CREATE VIEW recent AS SELECT title FROM prog WHERE yr > 2020",
    "CREATE TABLE gone(x INT)",
    "CREATE VIEW broken AS SELECT x FROM gone",
    "DROP TABLE gone",
  ]);
  database = await engine.open();
}, 120_000);
afterAll(async () => {
  await database?.close();
  await engine?.stop();
});

describe("values", () => {
  test("are numbers where JSON keeps them, and otherwise the engine's own text", async () => {
    const exact: [string, unknown, string][] = [
      ["9007199254740991::BIGINT", 9007199254740991, "BIGINT"],
      ["9007199254740992::BIGINT", "9007199254740992", "BIGINT"],
      ["(-9223372036854775808)::BIGINT", "-9223372036854775808", "BIGINT"],
      ["18446744073709551615::UBIGINT", "18446744073709551615", "UBIGINT"],
      ["170141183460469231731687303715884105727::HUGEINT", "170141183460469231731687303715884105727", "HUGEINT"],
      ["sum(3::INT)", 3, "HUGEINT"],
      [
        "12345678901234567890123456789012345.678::DECIMAL(38,3)",
        "12345678901234567890123456789012345.678",
        "DECIMAL(38,3)",
      ],
      ["2.5::DECIMAL(10,2)", "2.50", "DECIMAL(10,2)"],
      ["0.1::FLOAT", 0.1, "FLOAT"],
      ["0.1::DOUBLE + 0.2", 0.30000000000000004, "DOUBLE"],
      ["'nan'::DOUBLE", "nan", "DOUBLE"],
      ["'-inf'::FLOAT", "-inf", "FLOAT"],
      ["true", true, "BOOLEAN"],
      ["NULL::INT", null, "INTEGER"],
      ["'NULL'", "NULL", "VARCHAR"],
      ["DATE '2024-02-29'", "2024-02-29", "DATE"],
      ["'infinity'::DATE", "infinity", "DATE"],
      ["TIMESTAMP '2024-01-02 03:04:05.6'", "2024-01-02 03:04:05.6", "TIMESTAMP"],
      ["TIMESTAMPTZ '2024-01-02 03:04:05+02'", "2024-01-02 01:04:05+00", "TIMESTAMP WITH TIME ZONE"],
      ["TIME '12:00:00.5'", "12:00:00.5", "TIME"],
      ["INTERVAL '1 year -3 days'", "1 year -3 days", "INTERVAL"],
      ["['a', 'b, c', NULL, '']", "[a, 'b, c', NULL, '']", "VARCHAR[]"],
      ["{'a': 1, 'b c': 'x'}", "{'a': 1, 'b c': x}", 'STRUCT("a" INTEGER, "b c" VARCHAR)'],
      ["row(1, 'b')", "(1, b)", 'STRUCT("" INTEGER, "" VARCHAR)'],
      ["MAP {'k': [1, 2]}", "{k=[1, 2]}", "MAP(VARCHAR, INTEGER[])"],
      ["[TIMESTAMPTZ '2024-01-02 03:04:05+02']", "['2024-01-02 01:04:05+00']", "TIMESTAMP WITH TIME ZONE[]"],
      ["UUID '00112233-4455-6677-8899-aabbccddeeff'", "00112233-4455-6677-8899-aabbccddeeff", "UUID"],
      ["'\\x00\\xFFab'::BLOB", "x'00ff6162'", "BLOB"],
      ["'sad'::ENUM('ok','sad')", "sad", "ENUM('ok', 'sad')"],
      ["'10101'::BIT", "10101", "BIT"],
      ["'{\"a\": 1}'::JSON", '{"a": 1}', "JSON"],
      ["'😀' || chr(8232) || chr(0) || 'b'", "😀\u2028\0b", "VARCHAR"],
    ];
    const reads = await database.readAll(
      exact.map(([sql]) => `SELECT ${sql}`),
      options,
    );
    const found = reads.map((read, index) => [
      exact[index]?.[0],
      result(read).rows[0]?.[0],
      result(read).columns[0]?.type,
    ]);
    expect(found).toEqual(exact);
  });

  test("keep columns of the same name and their places", async () => {
    const read = result(await database.read("SELECT 1 AS a, 2 AS a, 3 AS A", options));
    expect(read).toMatchObject({ columns: [{ name: "a" }, { name: "a" }, { name: "A" }], rows: [[1, 2, 3]] });
  });

  test("are cut in rows, bytes and cells, and say so only then", async () => {
    const rows = result(await database.read("FROM many ORDER BY n", { ...options, maxRows: 10 }));
    expect([rows.rowCount, rows.truncated, rows.rows[9]]).toEqual([10, true, [9, "row 9"]]);
    const whole = result(await database.read("FROM many WHERE n < 4096", { ...options, maxRows: 4096 }));
    expect([whole.rowCount, whole.truncated]).toEqual([4096, false]);
    const nested = result(await database.read("SELECT [n] FROM many ORDER BY n", { ...options, maxRows: 3000 }));
    expect([nested.rowCount, nested.truncated, nested.rows[2999]]).toEqual([3000, true, ["[2999]"]]);
    const bytes = result(
      await database.read("SELECT lpad('', 100, 'x') FROM many", { ...options, maxRows: 5000, maxBytes: 1000 }),
    );
    expect([bytes.rowCount, bytes.truncated]).toEqual([10, true]);
    const huge = result(await database.read("FROM huge", { ...options, maxBytes: 10_000_000 }));
    expect(huge.truncated).toBe(true);
    expect(String(huge.rows[0]?.[0])).toMatch(/^x{100000}… \(50,000,000 characters\)$/);
    const blob = result(await database.read("SELECT repeat('x', 1000)::BLOB", options));
    expect([blob.rows[0]?.[0], blob.truncated]).toEqual([`x'${"78".repeat(64)}…' (1,000 bytes)`, false]);
  });

  test("fail as data, with a code", async () => {
    const reads = await database.readAll(
      [
        "SELECT * FROM nowhere",
        "SELECT * FROM nowhere.t",
        "SELECT nil FROM many",
        "SELECT m.nil FROM many m",
        "SELEC 1",
        "SELECT n\n  FRM many",
        "SELECT nofn(1)",
        "SELECT 'a'::INT",
        "SELECT t + 1 FROM many",
        "SELECT * FROM broken",
        "SELECT error('boom')",
        "SELECT 1",
      ],
      options,
    );
    expect(reads.map(problem)).toEqual([
      "unknown-table",
      "unknown-table",
      "unknown-column",
      "unknown-column",
      "syntax",
      "syntax",
      "syntax",
      "type",
      "type",
      "unknown-table",
      "other",
      "no error",
    ]);
    expect(reads[5]).toMatchObject({ error: { message: expect.stringContaining("LINE 2") } });
  });
});

describe("introspection", () => {
  test("finds tables, schemas, types, keys, comments and estimates", async () => {
    const tables = await database.introspect();
    const byName = Object.fromEntries(tables.map((table) => [table.name, table]));
    expect(Object.keys(byName)).toEqual([
      "enr",
      "huge",
      "many",
      "order",
      "orders",
      "prog",
      "recent",
      "sales.lines",
      "sales.orders",
    ]);
    expect(byName.prog).toMatchObject({
      comment: "Programmes",
      primaryKey: ["yr", "camp"],
      unique: [["title"], ["title", "yr"]],
      columns: [
        { name: "camp", nullable: false },
        { name: "yr", nullable: false, comment: "year of start" },
        { name: "title", nullable: false },
      ],
    });
    expect(byName.enr?.foreignKeys).toEqual([{ columns: ["yr", "camp"], table: "prog", tableColumns: ["yr", "camp"] }]);
    expect(byName.enr?.columns).toEqual([
      { name: "camp", type: "VARCHAR", kind: "text", nullable: true },
      { name: "yr", type: "INTEGER", kind: "integer", nullable: false },
      { name: "n", type: "DECIMAL(10,2)", kind: "number", nullable: true },
    ]);
    expect(byName["sales.lines"]).toMatchObject({
      schema: "sales",
      foreignKeys: [{ columns: ["order_id"], table: "sales.orders", tableColumns: ["id"] }],
    });
    expect(byName["sales.orders"]?.columns.map(({ type, kind }) => [type, kind])).toEqual([
      ["BIGINT", "integer"],
      ["VARCHAR[]", "other"],
      ["TIMESTAMP WITH TIME ZONE", "date"],
      ["ENUM('ok', 'sad')", "text"],
      ["JSON", "text"],
    ]);
    expect([byName.recent?.kind, byName.many?.rowEstimate, byName.recent?.rowEstimate]).toEqual([
      "view",
      1_000_000,
      undefined,
    ]);
  });

  test("gives names that can be read when quoted", async () => {
    const names = ["3pointplay", "a.b", "Unit Price", 'say "hi"', "größe", "select"];
    const sql = `SELECT ${names.map((name) => `o.${database.quote(name)}`).join(", ")} FROM ${database.quote("order")} o`;
    expect(result(await database.read(sql, options))).toMatchObject({
      columns: names.map((name) => ({ name })),
      rows: [[1, "x", 2.5, "hi", "L", 3]],
    });
  });
});

describe("stopping", () => {
  // Once, so that a slow start isn't measured.
  beforeAll(async () => void (await database.read("SELECT 1", options)));

  test.each([
    ["a join without end", endless],
    [
      "a recursive query without end",
      "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
    ],
    ["one call that can't be interrupted", "SELECT length(repeat('x', 1500000000) || i) FROM range(100) r(i)"],
    ["a text too large for a cell", "SELECT repeat('x', 1500000000) || i FROM range(100) r(i)"],
  ])("ends %s at the deadline, and no process is left at work", async (_, sql) => {
    expect(problem(await database.read(sql, { ...options, deadlineMs: 300 }))).toBe("timeout");
    expect(await engine.running()).toBe(0);
    expect(result(await database.read("SELECT 1", options)).rows).toEqual([[1]]);
  });

  test("ends by signal, before and while it runs", async () => {
    expect(problem(await database.read("SELECT 1", { ...options, signal: AbortSignal.abort() }))).toBe("stopped");
    const stop = new AbortController();
    const asked = database.read(endless, { ...options, signal: stop.signal });
    if (process.platform === "linux") await expect.poll(() => engine.running(), { timeout: 20_000 }).toBe(1);
    stop.abort();
    expect(problem(await asked)).toBe("stopped");
    expect(await engine.running()).toBe(0);
  });

  test("keeps what a batch had read before its deadline", async () => {
    const reads = await database.readAll(["SELECT 1", endless, "SELECT 2"], { ...options, deadlineMs: 1500 });
    expect(reads.map(problem)).toEqual(["no error", "timeout", "timeout"]);
  });

  test("reads side by side", async () => {
    const reads = await Promise.all([1, 2, 3].map((n) => database.read(`SELECT ${n}`, options)));
    expect(reads.map((read) => result(read).rows)).toEqual([[[1]], [[2]], [[3]]]);
  });

  test.skipIf(process.platform !== "linux")("reads a million rows in the memory of a few chunks", async () => {
    const peak = () =>
      execFileSync("ps", ["-o", "args=,rss=", "--ppid", String(process.pid)], { encoding: "utf8" })
        .split("\n")
        .filter((line) => line.includes("duckdb/reader-process"))
        .map((line) => Number(line.trim().split(/\s+/).at(-1)) / 1024);
    await database.close();
    const small = result(await database.read("FROM many LIMIT 1", options));
    const [before = 0] = peak();
    const read = result(await database.read("FROM many", { ...options, maxRows: 1_000_000, maxBytes: 100_000_000 }));
    const capped = result(await database.read("FROM many", { ...options, maxRows: 1000 }));
    expect([small.rowCount, read.rowCount, capped.rowCount, capped.truncated]).toEqual([1, 1_000_000, 1000, true]);
    expect(Math.max(...peak()) - before).toBeLessThan(600);
  });
});

describe("the file", () => {
  test("can be written as soon as nothing is read from it, and what was written is seen", async () => {
    const first = await database.fingerprint();
    result(await database.read("FROM many", { ...options, maxRows: 5 }));
    expect(await database.fingerprint()).toBe(first);
    const instance = await DuckDBInstance.create((engine.connection() as { file: string }).file);
    instance.closeSync();
    await engine.run(["INSERT INTO orders VALUES (3)"]);
    expect(result(await database.read("SELECT count(*) FROM orders", options)).rows).toEqual([[3]]);
    const second = await database.fingerprint();
    expect([second === first, second.split(":")[0]]).toEqual([false, first.split(":")[0]]);
    expect(await database.inspect()).toEqual({
      product: expect.stringMatching(/^DuckDB \d+\.\d+\.\d+$/),
      warnings: [],
    });
  });
});
