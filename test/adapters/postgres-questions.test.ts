/** Queries that people wrote for public databases: none of them may be refused. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { openDatabase } from "../../src/database/open-database.ts";
import { startPostgres } from "../fixtures/postgres-engine.ts";

const folder = join(import.meta.dirname, "../../../shared/data");
const present = existsSync(join(folder, "postgres")) && existsSync(join(folder, "questions.jsonl"));
if (!present) console.log("skipped: no databases and questions beside the project");
const engine = present ? await startPostgres() : null;
afterAll(async () => {
  await engine?.stop();
});

interface Question {
  id: string;
  db: string;
  dialect: string;
  gold_sql: string;
  gold_sql_alternatives?: string[];
  gold_rows: number;
  time_dependent?: boolean;
}

/** A dump without COPY is SQL from end to end; its settings of the session must not outlive it. */
async function load(admin: Client, db: string): Promise<void> {
  const sql = readFileSync(join(folder, "postgres", `${db}.sql`), "utf8");
  await admin.query(sql.replace(/^\\.*$/gm, "").replace(/^\s*(DROP|CREATE) DATABASE .*$/gim, ""));
}

test.skipIf(!engine)("runs every question's query", { timeout: 600_000 }, async () => {
  if (!engine) return;
  const questions = readFileSync(join(folder, "questions.jsonl"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Question)
    .filter(({ dialect }) => dialect === "postgres");
  const failed: string[] = [];
  let ran = 0;
  for (const [db, asked] of Map.groupBy(questions, (question) => question.db)) {
    await engine.createDatabase(db);
    const admin = await engine.admin(db);
    await load(admin, db);
    await admin.end();
    await engine.grant(db);
    const database = await openDatabase({ ...engine.connection(), database: db });
    for (const { id, gold_sql, gold_sql_alternatives = [], gold_rows, time_dependent } of asked) {
      for (const sql of new Set([gold_sql, ...gold_sql_alternatives])) {
        const read = await database.read(sql, { maxRows: 10_000, maxBytes: 10_000_000, deadlineMs: 60_000 });
        ran += 1;
        if (!read.ok) failed.push(`${id}: ${read.error.code} ${read.error.message}\n${sql}`);
        else if (sql === gold_sql && !time_dependent && gold_rows !== undefined && read.result.rowCount !== gold_rows)
          failed.push(`${id}: ${read.result.rowCount} rows, not ${gold_rows}\n${sql}`);
      }
    }
    await database.close();
  }
  console.log(`${ran} queries of ${questions.length} questions ran`);
  expect(failed).toEqual([]);
  expect(questions.length).toBeGreaterThan(100);
});

test.skipIf(!engine)("knows the databases that were dumped", { timeout: 600_000 }, async () => {
  if (!engine) return;
  for (const [db, schema, tables] of [
    ["chinook", undefined, 11],
    ["car_1", "car_1", 6],
  ] as const) {
    const name = `dump_${db}`;
    await engine.createDatabase(name);
    const admin = await engine.admin(name);
    await load(admin, db);
    await admin.end();
    await engine.grant(name);
    const database = await openDatabase({ ...engine.connection(), database: name });
    const found = await database.introspect();
    expect([db, found.length]).toEqual([db, tables]);
    expect(new Set(found.map((table) => table.schema))).toEqual(new Set([schema]));
    await database.close();
  }
});
