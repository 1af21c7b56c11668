/** Bounds, odd statements, and an engine other than SQLite. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { describe, expect, it } from "vitest";
import { openCatalog } from "../../catalog/open-catalog.ts";
import type { Database } from "../../database/database.ts";
import { openDatabase } from "../../database/open-database.ts";
import { openSmall } from "../evidence-fixture.ts";
import { findTraps } from "./find-traps.ts";
import { traps } from "./registry.ts";

const schema = `
  CREATE TABLE customer (id INTEGER PRIMARY KEY, name VARCHAR(40), deleted_at TIMESTAMP);
  CREATE TABLE fare (route VARCHAR(10), valid_from DATE, valid_to DATE, price DOUBLE PRECISION);
  CREATE TABLE trip (id INTEGER PRIMARY KEY, customer_id INTEGER, route VARCHAR(10), day DATE, paid DOUBLE PRECISION, currency VARCHAR(3));
  INSERT INTO customer VALUES (1,'a',NULL),(2,'b','2024-01-01 00:00:00'),(3,'c',NULL);
  INSERT INTO fare VALUES ('x','2023-01-01','2023-12-31',1),('x','2024-01-01',NULL,2),('y','2023-01-01',NULL,3);
  INSERT INTO trip VALUES (1,1,'x','2024-01-05',10,'EUR'),(2,1,'X','2024-02-05',10,'USD'),(3,NULL,'y','2024-04-05',5,'EUR');`;
const statements: [string, string][] = [
  ["soft-deleted", "SELECT COUNT(*) FROM customer"],
  ["validity-range", "SELECT SUM(f.price) FROM trip t JOIN fare f ON f.route = t.route"],
  ["key-spelling", "SELECT SUM(f.price) FROM trip t JOIN fare f ON f.route = t.route"],
  ["units-mixed", "SELECT SUM(t.paid) FROM trip AS t"],
  ["not-in-null", "SELECT name FROM customer WHERE id NOT IN (SELECT customer_id FROM trip)"],
  ["tie-cut", "SELECT id FROM trip ORDER BY paid DESC LIMIT 1"],
  ["null-key", "SELECT SUM(t.paid) FROM trip t JOIN customer c ON c.id = t.customer_id"],
];
const codesOf = async (...input: Parameters<typeof findTraps>) => (await findTraps(...input)).map(({ code }) => code);

describe("findTraps", () => {
  it("gives each trap a code of its own", () => {
    const codes = traps.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it("gives nothing for what isn't one reading query, and survives odd ones", async () => {
    const { database, catalog, close } = await openSmall(schema);
    const odd = [
      "",
      "   ;",
      "SELEC 1",
      "DELETE FROM trip",
      "SELECT 1; SELECT 2",
      "SELECT 1",
      "SELECT * FROM nowhere n JOIN trip ON n.x = trip.id",
      "SELECT COUNT(*), (SELECT 1) FROM (VALUES (1), (2))",
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT SUM(i) FROM n ORDER BY 1 LIMIT 1",
      "SELECT paid, COUNT(*) FROM trip GROUP BY 7 ORDER BY 9 DESC LIMIT 2",
      "SELECT a.id FROM trip a, trip b, customer WHERE a.id = b.id AND customer.id = a.customer_id ORDER BY RANDOM() LIMIT 1 OFFSET 1",
      'SELECT \'ä😀\' AS "ü", SUM("paid") / SUM(paid) FROM "trip" GROUP BY "ü" HAVING COUNT(*) > 0',
      "SELECT id FROM trip UNION SELECT id FROM customer ORDER BY 1 LIMIT 1",
      "SELECT SUM(paid) OVER (PARTITION BY route ORDER BY day), LAG(paid, 1) OVER (ORDER BY day) FROM trip",
      "SELECT * FROM trip NATURAL JOIN fare",
      "SELECT id FROM trip t WHERE EXISTS (SELECT 1 FROM customer c WHERE c.id = t.customer_id AND c.id IN (SELECT id FROM trip))",
    ];
    for (const sql of odd)
      expect(Array.isArray(await findTraps(database, catalog, sql, "how many in 2024?"))).toBe(true);
    expect(await findTraps(database, catalog, "DELETE FROM trip")).toEqual([]);
    await database.close();
    close();
  });

  it("asks one batch of at most 30 statements under one deadline, and claims nothing that was not counted", async () => {
    const { database, catalog, close } = await openSmall(schema);
    const batches: { count: number; deadlineMs: number }[] = [];
    const refuse: Database["readAll"] = async (asked, { deadlineMs }) => {
      batches.push({ count: asked.length, deadlineMs });
      return asked.map(() => ({ ok: false as const, error: { code: "timeout" as const, message: "too late" } }));
    };
    const late = new Proxy(database, { get: (target, key) => (key === "readAll" ? refuse : Reflect.get(target, key)) });
    const many = statements.map(([, sql], at) => `s${at} AS (${sql})`).join(", ");
    const found = await findTraps(late, catalog, `WITH ${many} SELECT * FROM s0, s1, s2, s3, s4, s5, s6`);
    expect(batches.length).toBe(1);
    expect(batches[0]?.count).toBeGreaterThan(5);
    expect(batches[0]?.count).toBeLessThanOrEqual(30);
    expect(batches[0]?.deadlineMs).toBeLessThanOrEqual(5000);
    expect(found.filter(({ severity }) => severity === "warning" || severity === "problem")).toEqual([]);
    await database.close();
    close();
  });

  it("finds the same in DuckDB", async () => {
    const folder = mkdtempSync(join(tmpdir(), "thoth-traps-"));
    const file = join(folder, "small.duckdb");
    const instance = await DuckDBInstance.create(file);
    const owner = await instance.connect();
    await owner.run(schema);
    owner.closeSync();
    instance.closeSync();
    const database = await openDatabase({ engine: "duckdb", file });
    const { catalog } = await openCatalog(database, join(folder, "catalog"));
    for (const [code, sql] of statements) expect(await codesOf(database, catalog, sql)).toContain(code);
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
});
