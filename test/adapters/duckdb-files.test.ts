import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Read } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { writeDataFolder } from "../fixtures/data-folder.ts";
import { runDuckdb } from "../fixtures/duckdb-engine.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-duckdb-files-"));
const at = (...parts: string[]) => join(folder, ...parts);
const options = { maxRows: 1000, maxBytes: 1_000_000, deadlineMs: 60_000 };
const open = (file: string) => openDatabase({ engine: "duckdb", file });
const rows = (read: Read) => {
  if (!read.ok) throw new Error(`${read.error.code}: ${read.error.message}`);
  return read.result.rows;
};
const fault = async (file: string) => {
  const error = await open(file).then(
    () => undefined,
    (found: unknown) => found as { code: string; message: string; action: string; name: string },
  );
  expect(error).toMatchObject({ name: "ThothError", action: expect.any(String) });
  expect(`${error?.message} ${error?.action}`).not.toContain(folder);
  return `${error?.code}: ${error?.message}`;
};

beforeAll(async () => {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const name of ["mixed/2023", "mixed/sales", "mixed/events/year=2023", "mixed/events/year=2024", "mixed/.hidden"])
    mkdirSync(at(name), { recursive: true });
  for (const part of [1, 2, 3])
    await connection.run(
      `COPY (SELECT ${part} AS part, range AS n FROM range(10)) TO '${at(`mixed/sales/sales-${part}.parquet`)}'`,
    );
  for (const year of [2023, 2024])
    await connection.run(
      `COPY (SELECT 'e' || range AS e FROM range(5)) TO '${at(`mixed/events/year=${year}/data.parquet`)}'`,
    );
  connection.closeSync();
  instance.closeSync();
  const write = (name: string, text: string | Buffer) => writeFileSync(at("mixed", name), text);
  write("orders.csv", 'id,customer,placed,total\n1,Ada,2024-01-02,10.50\n2,"Grace; ""G""",2024-01-03,\n');
  write("orders.tsv", "id\tnote\n1\tfirst\n");
  write("2023/Orders.csv", "id,year\n7,2023\n");
  write("2023/people.json", '[{"name": "Ada", "tags": ["x", "y"]}]');
  write("lines.ndjson", '{"order_id": 1, "n": 2}\n{"order_id": 2, "n": 3}\n');
  write("odd [1] 'name'.csv", "a\n5\n");
  write("packed.csv.gz", gzipSync("a,b\n1,2\n"));
  write("latin.csv", Buffer.from("city,n\nMünchen,1\n", "latin1"));
  write("damaged.parquet", "PAR1 and nothing of it PAR1");
  write("readme.md", "# not a table");
  write("empty.csv", "");
  write(".hidden/secret.csv", "a\n1\n");
  write("_SUCCESS.csv", "a\n1\n");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a folder's files are tables, and a folder of equal files in it is one", async () => {
  const database = await open(at("mixed"));
  const tables = await database.introspect();
  expect(tables.map(({ name }) => name)).toEqual([
    "Orders_3",
    "events",
    "latin",
    "lines",
    "odd [1] 'name'",
    "orders",
    "orders_2",
    "packed",
    "people",
    "sales",
  ]);
  expect(new Set(tables.map(({ kind }) => kind))).toEqual(new Set(["table"]));
  expect(tables.every(({ primaryKey, foreignKeys }) => primaryKey.length + foreignKeys.length === 0)).toBe(true);
  const reads = await database.readAll(
    [
      "SELECT count(*), sum(part) FROM sales",
      "SELECT year, count(*) FROM events GROUP BY ALL ORDER BY ALL",
      "SELECT name, tags FROM people",
      `SELECT a FROM "odd [1] 'name'"`,
      "SELECT b FROM packed",
      "SELECT city FROM latin",
      "SELECT sum(n) FROM lines",
    ],
    options,
  );
  expect(reads.map(rows)).toEqual([
    [[30, 60]],
    [
      [2023, 5],
      [2024, 5],
    ],
    [["Ada", "[x, y]"]],
    [[5]],
    [[2]],
    [["München"]],
    [[5]],
  ]);
  const report = await database.inspect();
  expect(report.product).toMatch(/^DuckDB [\d.]+ on 13 files$/);
  expect(report.warnings).toEqual([
    { message: "damaged.parquet was left out: it is damaged, or not a Parquet file.", remedy: expect.any(String) },
  ]);
  await database.close();
});

test("one file is one table, with types and the values they keep", async () => {
  const database = await open(at("mixed", "orders.csv"));
  expect((await database.inspect()).product).toMatch(/ on 1 file$/);
  expect((await database.introspect())[0]).toMatchObject({
    name: "orders",
    columns: [
      { name: "id", type: "BIGINT", kind: "integer" },
      { name: "customer", type: "VARCHAR", kind: "text" },
      { name: "placed", type: "DATE", kind: "date" },
      { name: "total", type: "DOUBLE", kind: "number" },
    ],
  });
  expect(rows(await database.read("FROM orders ORDER BY id", options))).toEqual([
    [1, "Ada", "2024-01-02", 10.5],
    [2, 'Grace; "G"', "2024-01-03", null],
  ]);
  await database.close();
});

test("what changes in a folder is seen in the next query, and in the fingerprint", async () => {
  mkdirSync(at("changing"));
  writeFileSync(at("changing", "a.csv"), "n\n1\n");
  const database = await open(at("changing"));
  const first = await database.fingerprint();
  expect(rows(await database.read("FROM a", options))).toEqual([[1]]);
  expect(await database.fingerprint()).toBe(first);
  writeFileSync(at("changing", "a.csv"), "n,m\n2,3\n");
  writeFileSync(at("changing", "b.csv"), "n\n4\n");
  utimesSync(at("changing", "a.csv"), 1, 1);
  const second = await database.fingerprint();
  expect([second === first, second.split(":")[0]]).toEqual([false, first.split(":")[0]]);
  expect(rows(await database.read("SELECT a.n, m, b.n FROM a, b", options))).toEqual([[2, 3, 4]]);
  rmSync(at("changing"), { recursive: true });
  await expect(database.fingerprint()).rejects.toMatchObject({ code: "database-missing" });
  expect(await database.read("FROM a", options)).toMatchObject({ error: { code: "missing" } });
  await database.close();
});

test("what can't be read is refused with a reason and no path", async () => {
  const bad = (name: string, bytes: string | Buffer) => {
    writeFileSync(at(name), bytes);
    return fault(at(name));
  };
  await runDuckdb(at("good.duckdb"), ["CREATE TABLE t AS SELECT range FROM range(50000)"]);
  const good = readFileSync(at("good.duckdb"));
  new DatabaseSync(at("other.db")).exec("CREATE TABLE t(a)");
  mkdirSync(at("nothing"));
  writeFileSync(at("nothing", "readme.txt"), "hello");
  expect(await fault(at("none.duckdb"))).toMatch(/^database-missing: none\.duckdb/);
  expect(await fault(at("nothing"))).toMatch(/^database-empty: The folder nothing /);
  expect(await bad("empty.csv", "")).toMatch(/^database-empty: empty\.csv/);
  expect(await bad("empty.duckdb", "")).toMatch(/^database-empty/);
  expect(await bad("text.duckdb", "not a database, but long enough to hold a header")).toMatch(
    /^database-not-duckdb: text/,
  );
  expect(await bad("cut.duckdb", good.subarray(0, 9000))).toMatch(/^database-not-duckdb: The database cut\.duckdb/);
  expect(await bad("bad.parquet", good)).toMatch(/^database-not-duckdb: bad\.parquet can't be read as a table/);
  expect(await bad("bad.json", '{"a": [1,')).toMatch(/^database-not-duckdb: bad\.json/);
  expect(await bad("bytes.csv", Buffer.from([0, 1, 2, 255, 254, 10, 0, 44]))).toMatch(
    /^database-not-duckdb: bytes\.csv/,
  );
  expect(await fault(at("other.db"))).toBe("database-not-duckdb: other.db is a SQLite database.");
});

test.skipIf(process.getuid?.() === 0)("a file without the right to read it is refused", async () => {
  writeFileSync(at("private.csv"), "a\n1\n");
  chmodSync(at("private.csv"), 0);
  expect(await fault(at("private.csv"))).toMatch(/^database-permission/);
});

test("a database that another process writes is locked, and opens when that is done", async () => {
  await runDuckdb(at("busy.duckdb"), ["CREATE TABLE t(a INT)"]);
  const driver = fileURLToPath(import.meta.resolve("@duckdb/node-api"));
  const writer = spawn(
    process.execPath,
    [
      "-e",
      `const { DuckDBInstance } = require(${JSON.stringify(driver)});
       DuckDBInstance.create(${JSON.stringify(at("busy.duckdb"))}).then(async (instance) => {
         const connection = await instance.connect();
         await connection.run("INSERT INTO t VALUES (1)");
         console.log("held");
         process.stdin.resume().on("end", () => process.exit(0));
       });`,
    ],
    { stdio: ["pipe", "pipe", "inherit"] },
  );
  await new Promise((resolve) => writer.stdout.once("data", resolve));
  expect(await fault(at("busy.duckdb"))).toMatch(/^database-locked: The database busy\.duckdb/);
  writer.stdin.end();
  await new Promise((resolve) => writer.once("exit", resolve));
  // What it wrote may stand in the log beside the file only: it is read as well.
  const database = await open(at("busy.duckdb"));
  expect(rows(await database.read("SELECT count(*) FROM t", options))).toEqual([[1]]);
  await database.close();
});

test("the demo's rows come back from Parquet and CSV", async () => {
  const counts = await writeDataFolder(at("demo"));
  const database = await open(at("demo"));
  const names = Object.keys(counts);
  const reads = await database.readAll(
    names.map((name) => `SELECT count(*) FROM ${database.quote(name)}`),
    options,
  );
  expect(Object.fromEntries(names.map((name, index) => [name, rows(reads[index] as Read)[0]?.[0]]))).toEqual(counts);
  const demo = new DatabaseSync(fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url)), {
    readOnly: true,
  });
  const cents = demo.prepare('SELECT round(sum("Total") * 100) FROM "Invoice"').get();
  const total = await database.read('SELECT sum("Total") FROM "Invoice"', options);
  expect(rows(total)).toEqual([[(Number(Object.values(cents ?? {})[0]) / 100).toFixed(2)]]);
  demo.close();
  await database.close();
});
