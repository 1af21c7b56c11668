import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import type { Database, ReadOptions } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { type OpenedCatalog, openCatalog } from "./open-catalog.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-values-"));
const opened: OpenedCatalog[] = [];
afterAll(() => {
  for (const one of opened) one.close();
  rmSync(folder, { recursive: true, force: true });
});
let made = 0;

function run(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
async function make(sql: string): Promise<{ file: string; cache: string; database: Database }> {
  const file = join(folder, `${++made}.sqlite`);
  run(file, sql);
  return { file, cache: join(folder, `cache-${made}`), database: await openDatabase({ engine: "sqlite", file }) };
}
const open = async (...given: Parameters<typeof openCatalog>): Promise<OpenedCatalog> => {
  const one = await openCatalog(...given);
  opened.push(one);
  return one;
};
const isPage = (sql: string): boolean => /COUNT\(\*\).* GROUP BY .* ORDER BY .*COLLATE BINARY LIMIT/.test(sql);
/** Reads of values go through `see` first. */
function watched(database: Database, see: (sql: string, signal: AbortSignal | undefined) => Promise<void>): Database {
  const pass = async (sqls: readonly string[], options: ReadOptions) => {
    for (const sql of sqls) if (isPage(sql)) await see(sql, options.signal);
  };
  return {
    ...database,
    async read(sql, options) {
      await pass([sql], options);
      return database.read(sql, options);
    },
    async readAll(sqls, options) {
      await pass(sqls, options);
      return database.readAll(sqls, options);
    },
  };
}
const numbers = (count: number): string =>
  `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

test("a value of one row is found among many pages, and every value once", async () => {
  const { database, cache } = await make(
    `CREATE TABLE t(a TEXT COLLATE NOCASE); INSERT INTO t ${numbers(5000)} SELECT 'Code ' || (i * 7919 % 5000) FROM n;
     INSERT INTO t VALUES ('ｚlast'), ('ZULU'), ('zulu'), ('code 17'), ('Code 17');`,
  );
  let pages = 0;
  const { values, progress } = await open(
    watched(database, async () => void pages++),
    cache,
    { caps: { page: 700 } },
  );
  expect(pages).toBe(8);
  expect(progress()).toEqual({ columns: 1, done: 1 });
  expect(values.coverage("t", "a")).toEqual({ distinct: 5004, partial: false });
  expect(values.lookup("ZULU").map(({ value, how }) => [value, how])).toEqual([
    ["ZULU", "exact"],
    ["zulu", "case"],
  ]);
  expect(values.lookup("Code 17").map(({ value, rows }) => [value, rows])).toEqual([
    ["Code 17", 2],
    ["code 17", 1],
  ]);
  expect(values.search("ode 4999")[0]).toMatchObject({ value: "Code 4999", how: "contains" });
  expect(values.lookup("zlast")).toHaveLength(1);
});

test("odd texts come back as they are", async () => {
  const texts = [
    "two\nlines",
    "back\\slash",
    "ÉCOLE Über",
    "ſtraße",
    "😀 Smile",
    "tab\there",
    "A\u0301 b",
    "=x",
    "İstanbul",
    "00",
    "  ",
  ];
  const { database, cache } = await make("CREATE TABLE t(a TEXT)");
  const list = texts.map((text) => `('${text}')`).join();
  run(join(folder, `${made}.sqlite`), `INSERT INTO t VALUES ${list}`);
  const { values } = await open(database, cache);
  for (const text of texts) expect(values.lookup(text)[0]).toMatchObject({ value: text, how: "exact" });
});

test("what takes longer is built behind, shows whole columns only, and is gone on with after a stop", async () => {
  const { database, cache } = await make(
    `CREATE TABLE t(small TEXT, big TEXT); INSERT INTO t ${numbers(3000)} SELECT 'kind ' || (i % 3), 'entry ' || i FROM n;`,
  );
  const asked: string[] = [];
  let pages = 0;
  const slow = watched(database, async (sql, signal) => {
    asked.push(sql);
    if (++pages < 4) return;
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
  });
  const first = await open(slow, cache, { waitMs: 300, caps: { page: 1000 } });
  expect(first.progress().done).toBeLessThan(2);
  expect(first.values.lookup("entry 1")).toEqual([]);
  expect(first.values.coverage("t", "big")).toEqual({ distinct: 0, partial: true });
  first.close();
  await first.ready;
  expect(first.values.lookup("kind 1")).toEqual([]);
  const second = await open(database, cache, { caps: { page: 1000 } });
  await second.ready;
  expect(second.progress()).toEqual({ columns: 2, done: 2 });
  expect(second.values.coverage("t", "big")).toEqual({ distinct: 3000, partial: false });
  expect(second.values.search("entry 2999", { limit: 1 })).toMatchObject([
    { value: "entry 2999", rows: 1, how: "exact" },
  ]);
  expect(second.values.lookup("kind 1")).toMatchObject([{ rows: 1000 }]);
});

test("of two that open the same only one reads, and the other goes on when it is given up", async () => {
  const { database, cache } = await make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('one'), ('two')");
  let reads = 0;
  const held = watched(database, async (_, signal) => {
    reads += 1;
    await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
  });
  const first = await open(held, cache, { waitMs: 50 });
  const second = await open(held, cache, { waitMs: 50 });
  expect(reads).toBe(1);
  const third = await open(database, cache, { waitMs: 50 });
  expect(third.values.coverage("t", "a")).toEqual({ distinct: 0, partial: true });
  second.close();
  await second.ready;
  first.close();
  await third.ready;
  expect(third.values.lookup("two")).toHaveLength(1);
});

test("an earlier state serves until the next one is there", async () => {
  const { file, database, cache } = await make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('old')");
  (await open(database, cache)).close();
  run(file, "INSERT INTO t VALUES ('new')");
  let release: (() => void) | undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const next = await open(
    watched(database, () => gate),
    cache,
    { waitMs: 50 },
  );
  expect(next.values.lookup("old")).toHaveLength(1);
  expect(next.values.lookup("new")).toEqual([]);
  expect(next.values.coverage("t", "a")).toEqual({ distinct: 1, partial: true });
  release?.();
  await next.ready;
  expect(next.values.lookup("new")).toHaveLength(1);
  expect(next.values.coverage("t", "a")).toEqual({ distinct: 2, partial: false });
  expect(readdirSync(cache).filter((name) => name.endsWith(".values"))).toHaveLength(1);
});

test("a torn file of values is made again", async () => {
  const { database, cache } = await make("CREATE TABLE t(a TEXT); INSERT INTO t VALUES ('v')");
  (await open(database, cache)).close();
  for (const content of ["", "no database at all".repeat(1000)]) {
    const name = readdirSync(cache).find((entry) => entry.endsWith(".values")) ?? "";
    writeFileSync(join(cache, name), content);
    const again = await open(database, cache);
    expect(again.values.lookup("v")).toHaveLength(1);
    again.close();
  }
});

test("many values are written by a thread", async () => {
  const { database, cache } = await make(
    `CREATE TABLE t(a TEXT); INSERT INTO t ${numbers(40_000)} SELECT 'number ' || i FROM n;`,
  );
  const { values, ready } = await open(database, cache, { waitMs: 0 });
  await ready;
  expect(values.coverage("t", "a")).toEqual({ distinct: 40_000, partial: false });
  expect(values.search("number 39999", { limit: 1 })).toMatchObject([{ value: "number 39999", how: "exact" }]);
});
