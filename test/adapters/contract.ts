/**
 * What every engine's adapter keeps, run over all of them. The titles are the rows of the table in docs/databases.md;
 * what one engine does besides stands in a test of its own beside this.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openCatalog } from "../../src/catalog/open-catalog.ts";
import type { Database, Read } from "../../src/database/database.ts";
import { measureFilters } from "../../src/evidence/measure-filters.ts";
import { measureJoins } from "../../src/evidence/measure-joins.ts";
import { measureSteps } from "../../src/evidence/measure-steps.ts";
import { measureTables } from "../../src/evidence/measure-tables.ts";
import type { EngineUnderTest } from "../fixtures/engine-under-test.ts";
import { oddColumns, oddTable, toTables, wordsOf } from "./contract-tables.ts";

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 30_000 };
const result = (read: Read | undefined) => {
  if (!read?.ok) throw new Error(`${read?.error.code}: ${read?.error.message}`);
  return read.result;
};
const code = (read: Read | undefined) => (read?.ok ? "no error" : read?.error.code);

export function describeAdapter(name: string, start: () => Promise<EngineUnderTest | null>): void {
  describe(name, async () => {
    // Started here, not in a hook: whether the engine is there at all decides if its tests run or are skipped.
    const engine = await start();
    describe.skipIf(engine === null)("keeps the contract", () => {
      if (engine) contract(engine);
    });
  });
}

function contract(engine: EngineUnderTest): void {
  const words = wordsOf[engine.engine];
  let database: Database;
  let owner: Database;
  const read = async (sql: string, more: Partial<typeof options & { signal: AbortSignal }> = {}) =>
    await database.read(sql, { ...options, ...more });
  const rows = async (sql: string) => result(await read(sql)).rows;
  const settled = () =>
    expect
      .poll(() => engine.running(), { timeout: 2_000, interval: 50, message: "still running on the server" })
      .toBe(0);

  beforeAll(async () => {
    await engine.run(toTables(engine.engine));
    database = await engine.open("reader");
    owner = await engine.open("owner");
  }, 120_000);
  afterAll(async () => {
    await database?.close();
    await owner?.close();
    await engine.stop();
  }, 60_000);

  it("rows by position, with columns of the same name kept apart", async () => {
    const both = result(await read("SELECT id, id, 'x' AS id FROM customer ORDER BY customer.id"));
    expect(both.columns.map((column) => column.name)).toEqual(["id", "id", "id"]);
    expect(both.rows).toEqual([1, 2, 3, 4].map((id) => [id, id, "x"]));
    expect(both).toMatchObject({ rowCount: 4, truncated: false });
  });

  it("whole numbers of 64 bits keep every digit", async () => {
    expect(await rows("SELECT big FROM kinds ORDER BY id")).toEqual([
      ["2033735037361704962"],
      ["-9223372036854775807"],
      [9007199254740991],
    ]);
  });

  it("decimals keep every digit", async () => {
    expect(await rows("SELECT exact FROM kinds ORDER BY id")).toEqual([
      ["1234567890123456789.0123456789"],
      ["0.1000000000"],
      ["0.0000000000"],
    ]);
  });

  it("dates and times stand as stored, whatever the time zone", async () => {
    const found = await rows("SELECT day, moment FROM kinds ORDER BY id");
    expect(found.map(([day]) => day)).toEqual(["2024-03-31", "1899-12-31", "9999-12-31"]);
    expect(found.map(([, moment]) => String(moment).replace("T", " "))).toEqual([
      "2024-03-31 02:30:00",
      "1970-01-01 00:00:00",
      "2038-01-19 03:14:08",
    ]);
  });

  it("NULL is not the empty text, and all letters come through", async () => {
    expect(await rows("SELECT words FROM kinds ORDER BY id")).toEqual([[""], [null], ["Ünïcode 名 🙂"]]);
  });

  it("types are named as the engine names them", async () => {
    const { columns } = result(await read("SELECT id, big, words FROM kinds"));
    expect(columns.map((column) => column.type)).toEqual([
      expect.stringMatching(/int/i),
      expect.stringMatching(/^bigint$/i),
      expect.stringMatching(/char/i),
    ]);
  });

  it("a result is cut at the rows and bytes allowed, and says so", async () => {
    const cut = result(await read(words.million, { maxRows: 10 }));
    expect(cut).toMatchObject({ rowCount: 10, truncated: true });
    const fits = result(await read("SELECT n FROM thousand", { maxRows: 1000 }));
    expect(fits).toMatchObject({ rowCount: 1000, truncated: false });
    const small = result(await read("SELECT n FROM thousand", { maxRows: 1000, maxBytes: 200 }));
    expect(small.truncated).toBe(true);
    expect(small.rowCount).toBeLessThan(201);
    expect(small.rowCount).toBeGreaterThan(0);
  });

  it("one huge cell is cut and marked, and the next query runs", async () => {
    const long = result(await read(words.longCell));
    const cell = String(long.rows[0]?.[0]);
    expect(long.truncated).toBe(true);
    expect(cell.length).toBeLessThan(200_000);
    expect(cell).toMatch(/^(xy)+…? ?.*characters/);
    expect(await rows("SELECT count(*) FROM customer")).toEqual([[4]]);
  });

  it("a deadline ends the query where it runs", async () => {
    const before = performance.now();
    expect(code(await read(words.endless, { deadlineMs: 700 }))).toBe("timeout");
    expect(performance.now() - before).toBeLessThan(30_000);
    await settled();
    expect(await rows("SELECT count(*) FROM customer")).toEqual([[4]]);
  });

  it("Stop ends the query where it runs", async () => {
    const stop = new AbortController();
    const running = read(words.endless, { signal: stop.signal });
    await expect.poll(() => engine.running(), { timeout: 20_000, interval: 20 }).toBeGreaterThan(0);
    stop.abort();
    expect(code(await running)).toBe("stopped");
    await settled();
    expect(code(await read("SELECT 1", { signal: AbortSignal.abort() }))).toBe("stopped");
  });

  it("several statements share one deadline, and one that fails doesn't stop the rest", async () => {
    const reads = await database.readAll(["SELECT 1", "SELECT nonsense FROM nowhere", "SELECT 3"], options);
    expect(reads.map((one) => (one.ok ? one.result.rows[0]?.[0] : one.error.code))).toEqual([1, "unknown-table", 3]);
    const late = await database.readAll(["SELECT 1", words.endless, "SELECT 3"], { ...options, deadlineMs: 1500 });
    expect([late.length, code(late[1]), code(late[2])]).toEqual([3, "timeout", "timeout"]);
  });

  it("queries at the same time don't wait for each other for ever", async () => {
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map((n) => read(`SELECT ${n}, count(*) FROM thousand`)));
    expect(all.map((one) => result(one).rows)).toEqual([1, 2, 3, 4, 5, 6].map((n) => [[n, 1000]]));
  });

  it("errors are told apart", async () => {
    expect(code(await read("SELECT x FROM no_such_table"))).toBe("unknown-table");
    expect(code(await read("SELECT no_such_column FROM customer"))).toBe("unknown-column");
    expect(code(await read("SELECT FROM WHERE customer"))).toBe("syntax");
    expect(code(await read("SELECT 1; SELECT 2"))).toBe("refused");
    expect(code(await read(""))).toBe("refused");
  });

  it("what could write is refused, also for a login that may, and nothing changes", async () => {
    const before = await engine.checksum();
    for (const sql of [
      "DELETE FROM orders",
      "UPDATE customer SET email = 'x'",
      "INSERT INTO thousand VALUES (5000)",
      "DROP TABLE orders",
      "CREATE TABLE t2(x INTEGER)",
      "SELECT 1; DELETE FROM orders",
      "COMMIT; DROP TABLE orders",
      "/* harmless */ DELETE FROM orders",
      "WITH x AS (SELECT 1) DELETE FROM orders",
      "SELECT * INTO t2 FROM orders",
      "TRUNCATE TABLE orders",
    ]) {
      const refused = await owner.read(sql, options);
      expect([sql, refused.ok ? "ran" : refused.error.code]).toEqual([
        sql,
        expect.stringMatching(/^(refused|syntax)$/),
      ]);
    }
    expect(await engine.checksum()).toBe(before);
  });

  it("what only looks like writing runs", async () => {
    for (const [sql, value] of [
      ["SELECT 'DELETE FROM orders; DROP TABLE x'", "DELETE FROM orders; DROP TABLE x"],
      ["SELECT replace('a-b', '-', '+')", "a+b"],
      ["WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5) SELECT max(n) FROM c", 5],
      ["SELECT 1 -- ; DROP TABLE orders", 1],
      ["SELECT /* INSERT INTO */ 2;", 2],
      ["(SELECT 3)", 3],
    ] as const) {
      if (engine.engine === "sqlite" && sql.startsWith("(")) continue; // not in SQLite's grammar
      expect([sql, (await rows(sql))[0]?.[0]]).toEqual([sql, value]);
    }
  });

  it("keys are found with all their columns in order", async () => {
    const tables = new Map((await database.introspect()).map((table) => [table.name, table]));
    expect(tables.get("region")).toMatchObject({ kind: "table", primaryKey: ["country", "code"] });
    const customer = tables.get("customer");
    expect(customer?.primaryKey).toEqual(["id"]);
    expect(customer?.unique).toContainEqual(["email"]);
    expect(customer?.foreignKeys).toHaveLength(2);
    expect(customer?.foreignKeys).toContainEqual({ columns: ["parent"], table: "customer", tableColumns: ["id"] });
    expect(customer?.foreignKeys).toContainEqual({
      columns: ["country", "code"],
      table: "region",
      tableColumns: ["country", "code"],
    });
    expect(customer?.columns.map(({ name, kind, nullable }) => [name, kind, nullable])).toEqual([
      ["id", "integer", false],
      ["parent", "integer", true],
      ["country", "text", true],
      ["code", "text", true],
      ["email", "text", true],
    ]);
  });

  it("odd names are found and can be read", async () => {
    const table = (await database.introspect()).find((one) => one.name === oddTable);
    expect(table?.columns.map((column) => column.name)).toEqual(["id", ...oddColumns]);
    const list = oddColumns.map((name) => database.quote(name)).join(", ");
    const found = result(await read(`SELECT ${list} FROM ${database.quote(oddTable)}`));
    expect(found.columns.map((column) => column.name)).toEqual(oddColumns);
    expect(found.rows).toEqual([oddColumns.map((_, at) => `v${at}`)]);
  });

  it("the fingerprint changes with the rows and stays without", async () => {
    const [first, again] = [await database.fingerprint(), await database.fingerprint()];
    expect(again).toBe(first);
    await engine.run(["INSERT INTO thousand VALUES (9999)"]);
    await expect.poll(() => database.fingerprint(), { timeout: 15_000, interval: 200 }).not.toBe(first);
    expect((await database.fingerprint()).split(":")[0]).toBe(first.split(":")[0]);
    await engine.run(["DELETE FROM thousand WHERE n = 9999"]);
  });

  it("says what answers", async () => {
    expect((await database.inspect()).product).toMatch(new RegExp(`^${engine.name} \\d`));
  });

  it("can be closed and used again", async () => {
    const another = await engine.open();
    expect(result(await another.read("SELECT 1", options)).rows).toEqual([[1]]);
    await another.close();
    expect(result(await another.read("SELECT 2", options)).rows).toEqual([[2]]);
    await another.close();
  });

  describe("catalog and evidence", () => {
    const folder = mkdtempSync(join(tmpdir(), "thoth-contract-"));
    afterAll(() => rmSync(folder, { recursive: true, force: true }));

    it("the catalog counts rows and values and finds a value that occurs once", async () => {
      const { catalog, values } = await openCatalog(database, folder);
      expect(catalog.tables.find((table) => table.name === "thousand")?.rows).toBe(1000);
      expect(catalog.tables.find((table) => table.name === "customer")?.columns[4]).toMatchObject({
        distinct: 3,
        nulls: 1,
      });
      expect(values.search("lombardia")[0]).toMatchObject({
        table: "region",
        column: "name",
        value: "Lombardia",
        rows: 1,
      });
      expect(catalog.relations).toContainEqual(
        expect.objectContaining({ from: "orders", fromColumns: ["customer_id"], to: "customer", toColumns: ["id"] }),
      );
    });

    it("tables, joins, filters and steps are measured", async () => {
      const { catalog, values } = await openCatalog(database, folder);
      const tables = await measureTables(database, catalog, [
        { kind: "table", table: "customer", use: "used", reason: "who" },
        { kind: "column", table: "customer", column: "email", role: "shown", reason: "who" } as never,
      ]);
      expect(tables.tables[0]).toMatchObject({ rows: 4, columns: [{ filled: 3, distinct: 3 }] });

      const joins = await measureJoins(
        database,
        catalog,
        [
          {
            kind: "join",
            left: { table: "customer", alias: "c" },
            right: { table: "orders", alias: "o" },
            pairs: [{ left: "id", right: "customer_id" }],
            type: "INNER",
            origin: "declared",
            reason: "r",
          } as never,
          {
            kind: "join",
            left: { table: "customer", alias: "c" },
            right: { table: "region", alias: "r" },
            pairs: [
              { left: "country", right: "country" },
              { left: "code", right: "code" },
            ],
            type: "LEFT",
            origin: "declared",
            reason: "r",
          } as never,
        ],
        { measures: [{ alias: "c", column: "id", words: "ids", aggregate: "SUM" }] },
      );
      if ("problem" in joins) throw new Error(joins.problem.message);
      expect(joins.evidence.joins).toMatchObject([
        { cardinality: "1:N", leftMatched: 2, rightMatched: 3, leftNullKeys: 0 },
        { cardinality: "1:1", leftMatched: 3, rightMatched: 3, leftNullKeys: 1 },
      ]);
      expect(joins.findings.map((finding) => finding.code).join(" ")).toMatch(/doubl|repeat|fan|twice/);

      const filters = await measureFilters(database, catalog, values, [
        {
          kind: "filter",
          table: "region",
          alias: "r",
          column: "name",
          operator: "=",
          values: ["Lazio"],
          words: "lazio",
          condition: "r.name = 'Lazio'",
          reason: "r",
        } as never,
        {
          kind: "filter",
          table: "orders",
          alias: "o",
          column: "placed",
          operator: ">=",
          values: ["2024-01-01"],
          words: "since 2024",
          condition: "o.placed >= '2024-01-01'",
          reason: "r",
        } as never,
      ]);
      if ("problem" in filters) throw new Error(filters.problem.message);
      expect(filters.filters[0]).toMatchObject({ kept: 1, of: 3, partial: false });
      expect(filters.filters[0]?.matches).toContainEqual({ value: "Lazio", how: "case", rows: 1, inFilter: true });
      expect(filters.filters[1]).toMatchObject({
        kept: 2,
        of: 3,
        buckets: [
          { label: "2023", rows: 1, kept: 0 },
          { label: "2024", rows: 2, kept: 2 },
        ],
      });

      const steps = await measureSteps(database, catalog, [
        {
          kind: "cte",
          name: "bought",
          purpose: "p",
          sql: "SELECT customer_id, COUNT(*) AS n FROM orders GROUP BY customer_id",
        },
        { kind: "cte", name: "often", purpose: "p", sql: "SELECT customer_id FROM bought WHERE n > 1" },
      ] as never);
      if ("problem" in steps) throw new Error(steps.problem.message);
      expect(steps.steps.map((step) => [step.name, step.rowCount, step.base])).toEqual([
        ["bought", 2, 3],
        ["often", 1, 2],
      ]);
    });
  });
}
