import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { Catalog, check } from "../protocol/index.ts";
import { openCatalog } from "./open-catalog.ts";
import { readCatalog } from "./read-catalog.ts";
import { searchCatalog } from "./search-catalog.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-catalog-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let made = 0;

function change(file: string, sql: string): string {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
  return file;
}
const make = async (sql: string): Promise<{ file: string; database: Database }> => {
  const file = change(join(folder, `${++made}.sqlite`), sql);
  return { file, database: await openDatabase({ engine: "sqlite", file }) };
};
/** Counts how often the database itself is read. */
function counted(database: Database): { database: Database; reads: () => number } {
  let reads = 0;
  return {
    reads: () => reads,
    database: {
      ...database,
      introspect: () => {
        reads += 1;
        return database.introspect();
      },
    },
  };
}

test("columns are counted and sampled, and what they hold is told", async () => {
  const { database } = await make(`
    CREATE TABLE inv(id INTEGER PRIMARY KEY, d TEXT, city TEXT COLLATE NOCASE, big TEXT, n REAL, b BLOB, x, "from" INT);
    INSERT INTO inv VALUES (1, '31/01/2024', 'Paris', '${"y".repeat(300)}', 1.5, x'00', 'a', 3), (2, '05/12/2023', 'paris', 'short', NULL, NULL, 'b', 3),
      (3, '15/02/2024', NULL, NULL, 2.5, NULL, NULL, 4);
    CREATE VIEW v AS SELECT id, upper(city) AS town FROM inv; CREATE VIEW broken AS SELECT * FROM gone;
    CREATE TABLE empty(a TEXT);
  `);
  const { catalog, values } = await openCatalog(database, join(folder, "cache", "counted"));
  expect(check(Catalog, catalog)).toMatchObject({ ok: true });
  expect(catalog.tables.map((table) => [table.name, table.kind, table.rows])).toEqual([
    ["empty", "table", 0],
    ["inv", "table", 3],
    ["v", "view", 3],
  ]);
  const columns = Object.fromEntries(catalog.tables[1]?.columns.map((column) => [column.name, column]) ?? []);
  expect(columns.d).toMatchObject({ kind: "date", dateFormat: "DD/MM/YYYY", distinct: 3, nulls: 0 });
  expect(columns.city).toMatchObject({ distinct: 2, nulls: 1, samples: ["Paris", "paris"] });
  expect(columns.big?.samples).toEqual(["short"]);
  expect(columns.n).toMatchObject({ kind: "number", distinct: 2, nulls: 1, samples: ["1.5", "2.5"] });
  expect(columns.from).toMatchObject({ kind: "integer", distinct: 2, samples: ["3", "4"] });
  expect(columns.x?.kind).toBe("text");
  expect(values.lookup("Paris")).toEqual([
    { table: "inv", column: "city", value: "Paris", rows: 1, how: "exact", score: 1 },
    { table: "inv", column: "city", value: "paris", rows: 1, how: "case", score: 0.97 },
  ]);
  expect(values.coverage("inv", "city")).toEqual({ distinct: 2, partial: false });
  expect(values.coverage("inv", "big")).toEqual({ distinct: 1, partial: true });
  expect(values.coverage("inv", "id")).toEqual({ distinct: 0, partial: false });
  expect(values.coverage("empty", "a")).toEqual({ distinct: 0, partial: false });
  expect(values.coverage("v", "town")).toEqual({ distinct: 0, partial: true });
});

test("a cap on values shows as partial coverage", async () => {
  const { database } = await make(
    "CREATE TABLE t(a TEXT, b TEXT); INSERT INTO t VALUES ('x', 'p'), ('x', NULL), ('y', 'q'), ('z', NULL)",
  );
  const { values } = await openCatalog(database, join(folder, "cache", "capped"), { caps: { perColumn: 2 } });
  expect(["x", "y", "z"].map((text) => values.lookup(text).map(({ rows }) => rows))).toEqual([[2], [1], []]);
  expect(values.coverage("t", "a")).toEqual({ distinct: 2, partial: true });
  expect(values.coverage("t", "b")).toEqual({ distinct: 2, partial: false });
});

test("declared keys are relations with all their pairs, and nothing is inferred beside them", async () => {
  const { database } = await make(`
    CREATE TABLE prog(camp TEXT, yr INT, PRIMARY KEY (camp, yr)); CREATE TABLE enr(camp TEXT, yr INT, n INT, FOREIGN KEY (camp, yr) REFERENCES prog);
    INSERT INTO prog VALUES ('a', 2023), ('a', 2024); INSERT INTO enr VALUES ('a', 2023, 5), ('a', 2024, 7);
    CREATE TABLE customer(customer_id INTEGER PRIMARY KEY); CREATE TABLE sale(id INTEGER PRIMARY KEY, buyer INT REFERENCES customer, customer_id INT);
    INSERT INTO customer VALUES (1), (2); INSERT INTO sale VALUES (1, 1, 1), (2, 2, 2);
  `);
  expect((await readCatalog(database)).catalog.relations).toEqual([
    { from: "enr", fromColumns: ["camp", "yr"], to: "prog", toColumns: ["camp", "yr"], origin: "declared" },
    { from: "sale", fromColumns: ["buyer"], to: "customer", toColumns: ["customer_id"], origin: "declared" },
  ]);
});

test("undeclared keys are inferred from names and values, never from one alone", async () => {
  const { database } = await make(`
    CREATE TABLE artist(id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE album(id INTEGER PRIMARY KEY, artist_id INT, label_id INT, score INT);
    CREATE TABLE labels(id INTEGER PRIMARY KEY); CREATE TABLE course(course_id INT); CREATE TABLE program_course(course_id INT, main_course_id INT);
    INSERT INTO artist VALUES (1, 'a'), (2, 'b'), (3, 'c'); INSERT INTO album VALUES (1, 1, 1, 1), (2, 2, 77, 2), (3, 3, 78, 3);
    INSERT INTO labels VALUES (1), (2); INSERT INTO course VALUES (10), (20), (30); INSERT INTO program_course VALUES (10, 20), (20, 20);
  `);
  const { relations } = (await readCatalog(database)).catalog;
  expect(
    relations
      .map(
        (relation) =>
          `${relation.from}.${relation.fromColumns} > ${relation.to}.${relation.toColumns} ${relation.origin}`,
      )
      .sort(),
  ).toEqual([
    "album.artist_id > artist.id inferred",
    "program_course.course_id > course.course_id inferred",
    "program_course.main_course_id > course.course_id inferred",
  ]);
  expect(relations.find((relation) => relation.from === "album")?.why).toContain("all 3 different values");
});

test("the cache is used while nothing changes and rebuilt when rows do, in the same place", async () => {
  const { file, database } = await make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('old')");
  const cache = join(folder, "cache", "one");
  const first = counted(database);
  const opened = await openCatalog(first.database, cache);
  expect(await openCatalog(first.database, cache)).toMatchObject({
    catalog: opened.catalog,
    fingerprint: opened.fingerprint,
  });
  expect(first.reads()).toBe(1);
  change(file, "INSERT INTO t VALUES ('new')");
  const again = await openCatalog(first.database, cache);
  expect(first.reads()).toBe(2);
  expect(again.values.lookup("new")).toHaveLength(1);
  expect(again.catalog.tables[0]?.rows).toBe(2);
  expect(again.catalog.checksum).toBe(opened.catalog.checksum);
  expect(
    readdirSync(cache)
      .map((name) => name.replace(/^.*\./, ""))
      .sort(),
  ).toEqual(["json", "lock", "values"]);
  change(file, "ALTER TABLE t ADD COLUMN b INT");
  expect((await openCatalog(first.database, cache)).catalog.checksum).not.toBe(opened.catalog.checksum);
});

test("what comes from the cache is what was read", async () => {
  const { database } = await make(
    "CREATE TABLE t(a TEXT, b TEXT); INSERT INTO t VALUES ('Ångström', 'x'), ('Ångström', NULL), ('other', 'y')",
  );
  const cache = join(folder, "cache", "two");
  const fresh = await openCatalog(database, cache);
  const kept = await openCatalog(database, cache);
  expect(kept.values.search("angstrom")).toEqual(fresh.values.search("angstrom"));
  expect(kept.values.search("angstrom")).toMatchObject([
    { table: "t", column: "a", value: "Ångström", rows: 2, how: "accent" },
  ]);
  expect(kept.values.coverage("t", "a")).toEqual({ distinct: 2, partial: false });
});

test("a torn or foreign cache file is rebuilt", async () => {
  const { database } = await make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('v')");
  const cache = join(folder, "cache", "three");
  const { fingerprint } = await openCatalog(database, cache);
  const name = readdirSync(cache).find((entry) => entry.endsWith(".json")) ?? "";
  const whole = readFileSync(join(cache, name), "utf8");
  for (const text of [
    whole.slice(0, whole.length / 2),
    "",
    "null",
    "[]",
    JSON.stringify({ version: 3, fingerprint }),
    whole.replace('"version":3', '"version":2'),
    whole.replace('"partial":false', '"partial":0'),
  ]) {
    writeFileSync(join(cache, name), text);
    const watched = counted(database);
    expect((await openCatalog(watched.database, cache)).values.lookup("v")).toHaveLength(1);
    expect(watched.reads()).toBe(1);
    const withoutTime = (file: string) => file.replace(/"readAt":\d+/, "");
    expect(withoutTime(readFileSync(join(cache, name), "utf8"))).toBe(withoutTime(whole));
  }
});

test("odd names are counted like others", async () => {
  const { database } = await make(
    `CREATE TABLE "order"("say ""hi""" TEXT, "a.b" INT, "größe" TEXT); INSERT INTO "order" VALUES ('x', 1, 'L'), ('y', 1, 'L')`,
  );
  const { catalog, values } = await openCatalog(database, join(folder, "cache", "odd"));
  expect(catalog.tables[0]?.columns.map(({ name, distinct }) => [name, distinct])).toEqual([
    ['say "hi"', 2],
    ["a.b", 1],
    ["größe", 1],
  ]);
  expect(values.lookup("l")).toMatchObject([{ table: "order", column: "größe", value: "L", rows: 2 }]);
});

test("tables and columns are found by their words", async () => {
  const { database } = await make(`
    CREATE TABLE InvoiceLine(InvoiceLineId INTEGER PRIMARY KEY, UnitPrice REAL); CREATE TABLE customers(customer_id INTEGER PRIMARY KEY, billing_country TEXT);
    INSERT INTO customers VALUES (1, 'Norway');
  `);
  const { catalog } = await readCatalog(database);
  const found = (text: string) =>
    searchCatalog(catalog, text).map((match) => (match.column ? `${match.table}.${match.column}` : match.table));
  expect(found("invoice lines")[0]).toBe("InvoiceLine");
  expect(found("unit prices")[0]).toBe("InvoiceLine.UnitPrice");
  expect(found("countries of customer")[0]).toBe("customers.billing_country");
  expect(found("norway")).toEqual(["customers.billing_country"]);
  expect(found("")).toEqual([]);
  expect(found("spaceship")).toEqual([]);
  expect(searchCatalog(catalog, "customer", 1)).toHaveLength(1);
});
