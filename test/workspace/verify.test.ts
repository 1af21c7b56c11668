/** Verified queries run again on a database that changes beneath them. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { toChecksum } from "../../src/catalog/checksum.ts";
import { runCommandLine } from "../../src/cli/command-line.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import type { VerifiedQuery } from "../../src/protocol/index.ts";
import { addPiece } from "../../src/workspace/change-knowledge.ts";
import { readKnowledge } from "../../src/workspace/read-knowledge.ts";
import { toResultChecksum } from "../../src/workspace/verify-query.ts";
import { addWorkspace, workspaceDir } from "../../src/workspace/workspaces.ts";
import { writeFiles } from "./good-workspace.ts";

let home: string;
let file: string;
let folder: string;
const sql = "SELECT city, COUNT(*) AS people FROM customer GROUP BY city";

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), "thoth-verify-"));
  file = join(home, "shop.sqlite");
  vi.stubEnv("THOTH_HOME", home);
  change(
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, city TEXT)",
    "CREATE TABLE other (id INTEGER PRIMARY KEY)",
    "INSERT INTO customer (city) VALUES ('Oslo'), ('Rome'), ('Oslo')",
  );
  await addWorkspace(home, { name: "shop", file });
  folder = workspaceDir(home, "shop");
  await save();
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true, force: true });
});

function change(...statements: string[]): void {
  const database = new DatabaseSync(file);
  for (const statement of statements) database.exec(statement);
  database.close();
}

/** As the database is now. */
async function save(more: Partial<VerifiedQuery> = {}): Promise<string> {
  const database = await openDatabase({ engine: "sqlite", file });
  const tables = await database.introspect();
  const read = await database.read(sql, { maxRows: 100, maxBytes: 10_000, deadlineMs: 10_000 });
  await database.close();
  if (!read.ok) throw new Error(read.error.message);
  const checksum = toResultChecksum(sql, read.result);
  const customer = tables.filter(({ name }) => name === "customer");
  const query: VerifiedQuery = {
    question: "How many people per city?",
    engine: "sqlite",
    sql,
    decisions: [],
    by: "reviewer",
    at: "2026-11-30T09:15:00.000Z",
    model: "planner/offline",
    prompt_version: "7",
    catalog_checksum: toChecksum(tables),
    tables: [{ table: "customer", checksum: toChecksum(customer) }],
    columns: read.result.columns,
    row_count: read.result.rowCount,
    ...(checksum ? { result_checksum: checksum } : {}),
    origin: { session: "s", seq: 9 },
    ...more,
  };
  return (await addPiece(folder, { kind: "verified", query })).file;
}

async function verify(): Promise<{ code: number; states: string[]; out: string }> {
  let out = "";
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
    out += String(chunk);
    return true;
  });
  try {
    const code = await runCommandLine(["workspace", "verify", "shop", "--json"]);
    const [shop] = JSON.parse(out).workspaces;
    const states = shop.queries.map(
      ({ verdict, mark }: { verdict: { state: string; reason?: string; rows?: string }; mark: string }) =>
        `${verdict.state} ${mark}: ${verdict.reason ?? verdict.rows ?? ""}`,
    );
    return { code, states: shop.problem ? [shop.problem.message] : states, out };
  } finally {
    spy.mockRestore();
  }
}

it("holds while nothing changed, and says how rows went on", async () => {
  const path = join(folder, "verified/how-many-people-per-city.yaml");
  const before = readFileSync(path, "utf8");
  expect(await verify()).toMatchObject({ code: 0, states: ["holds kept: "] });
  change("UPDATE customer SET city = 'Lyon' WHERE id = 2");
  expect(await verify()).toMatchObject({ code: 0, states: ["holds kept: 2 rows, not all of them as they were"] });
  change("INSERT INTO customer (city) VALUES ('Bari')");
  expect(await verify()).toMatchObject({ code: 0, states: ["holds kept: 2 rows then, 3 now"] });
  expect(readFileSync(path, "utf8")).toBe(before);
});

it("a change of another table makes nothing stale; one of its own does, until it is taken back", async () => {
  const path = join(folder, "verified/how-many-people-per-city.yaml");
  const before = readFileSync(path, "utf8");
  change("ALTER TABLE other ADD COLUMN x TEXT", "CREATE TABLE third (a)");
  expect(await verify()).toMatchObject({ code: 0, states: ["holds kept: "] });
  change("ALTER TABLE customer ADD COLUMN name TEXT");
  expect(await verify()).toMatchObject({
    code: 1,
    states: ["stale set: The structure of customer has changed since."],
  });
  const [piece] = (await readKnowledge(folder)).verified;
  expect(piece?.stale).toEqual({
    since: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    reason: "The structure of customer has changed since.",
  });
  const marked = readFileSync(path, "utf8");
  expect(await verify()).toMatchObject({ code: 1, states: [expect.stringContaining("stale kept: ")] });
  expect(readFileSync(path, "utf8")).toBe(marked);
  change("ALTER TABLE customer DROP COLUMN name");
  expect(await verify()).toMatchObject({ code: 0, states: ["holds cleared: "] });
  expect(readFileSync(path, "utf8")).toBe(before);
});

it("a table that is gone is named; without the tables any change of structure counts", async () => {
  const path = await save({ tables: undefined });
  change("CREATE TABLE third (a)");
  expect((await verify()).states).toEqual(["stale set: The database's structure has changed since.", "holds kept: "]);
  change("DROP TABLE customer");
  expect((await verify()).states[1]).toBe("stale set: The database no longer has customer.");
  expect(path).toBe("verified/how-many-people-per-city-2.yaml");
});

it("another shape of the result, or SQL that no longer runs, is stale even on the same structure", async () => {
  rmSync(join(folder, "verified"), { recursive: true });
  await save({ columns: [{ name: "city", type: "TEXT" }] });
  await save({
    columns: [
      { name: "town", type: "TEXT" },
      { name: "people", type: "" },
    ],
  });
  await save({ sql: "SELECT absent FROM customer" });
  await save({ sql: "SELECT * FROM nowhere" });
  expect((await verify()).states.toSorted()).toEqual([
    "stale set: Column 1 of its result was town and is city now.",
    "stale set: Its result had 1 columns and has 2 now.",
    "stale set: The database no longer has one of its columns.",
    "stale set: The database no longer has one of its tables.",
  ]);
});

it("a database that is gone, or a file with faults, marks nothing and ends with 1", async () => {
  writeFiles(folder, { "verified/broken.yaml": "version: 1\n" });
  expect(await verify()).toMatchObject({ code: 1, states: ["holds kept: "] });
  rmSync(file);
  const { code, states, out } = await verify();
  expect([code, states]).toEqual([1, [expect.stringMatching(/is not there/i)]]);
  expect(out).toContain("broken.yaml");
  expect((await readKnowledge(folder)).verified[0]?.stale).toBeUndefined();
  mkdirSync(folder, { recursive: true });
});
