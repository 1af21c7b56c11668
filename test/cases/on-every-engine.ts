/**
 * The public cases run on all four engines: each is started once per test file, holds the case's own few rows, and is
 * skipped, with a line that says so, where its server is not installed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe } from "vitest";
import { type OpenedCatalog, openCatalog } from "../../src/catalog/open-catalog.ts";
import type { Database, Read } from "../../src/database/database.ts";
import { measureFilters } from "../../src/evidence/measure-filters.ts";
import { type Measure, measureJoins } from "../../src/evidence/measure-joins.ts";
import { measureSteps } from "../../src/evidence/measure-steps.ts";
import type { Cell, Engine, FilterDecision, JoinDecision, QueryResult } from "../../src/protocol/index.ts";
import { startDuckdb } from "../fixtures/duckdb-engine.ts";
import type { EngineUnderTest } from "../fixtures/engine-under-test.ts";
import { startMariadb } from "../fixtures/mariadb-engine.ts";
import { startPostgres } from "../fixtures/postgres-engine.ts";
import { startSqlite } from "../fixtures/sqlite-engine.ts";

export const limits = { maxRows: 1000, maxBytes: 1_000_000, deadlineMs: 30_000 };

export interface Given {
  engine: EngineUnderTest;
  /** A login that may only select, and one that could write if the adapter let it. */
  reader: Database;
  owner: Database;
  opened: OpenedCatalog;
  result(sql: string): Promise<QueryResult>;
  rows(sql: string): Promise<Cell[][]>;
  /** Throws when a table or column is unknown. */
  joins(decisions: JoinDecision[], measures?: Measure[]): Promise<Found<typeof measureJoins> & { codes: string[] }>;
  filters(...decisions: FilterDecision[]): Promise<Found<typeof measureFilters> & { codes: string[] }>;
  steps(...ctes: [name: string, sql: string][]): Promise<Found<typeof measureSteps>>;
}
type Found<F extends (...given: never[]) => Promise<unknown>> = Exclude<Awaited<ReturnType<F>>, { problem: unknown }>;

const engines: [name: string, start: () => Promise<EngineUnderTest | null>][] = [
  ["SQLite", startSqlite],
  ["DuckDB", startDuckdb],
  ["PostgreSQL", startPostgres],
  ["MariaDB", startMariadb],
];

/** `tables` are the owner's statements, in order. */
export function onEveryEngine(tables: (engine: Engine) => string[], cases: (given: Given) => void): void {
  for (const [name, start] of engines) {
    describe(name, async () => {
      // Started here, not in a hook: whether the engine is there at all decides if its tests run or are skipped.
      const engine = await start();
      describe.skipIf(engine === null)("cases", () => {
        if (!engine) return;
        const folder = mkdtempSync(join(tmpdir(), "thoth-cases-"));
        const given = toGiven(engine);
        beforeAll(async () => {
          await engine.run(tables(engine.engine));
          given.reader = await engine.open("reader");
          given.owner = await engine.open("owner");
          given.opened = await openCatalog(given.reader, folder);
        }, 120_000);
        afterAll(async () => {
          given.opened?.close();
          await given.reader?.close();
          await given.owner?.close();
          await engine.stop();
          rmSync(folder, { recursive: true, force: true });
        }, 60_000);
        cases(given);
      });
    });
  }
}

function toGiven(engine: EngineUnderTest): Given {
  const given = {
    engine,
    result: async (sql: string) => resultOf(await given.reader.read(sql, limits)),
    rows: async (sql: string) => (await given.result(sql)).rows,
    async joins(decisions: JoinDecision[], measures: Measure[] = []) {
      const found = orThrow(await measureJoins(given.reader, given.opened.catalog, decisions, { measures }));
      return { ...found, codes: found.findings.map((finding) => finding.code) };
    },
    async filters(...decisions: FilterDecision[]) {
      const { catalog, values } = given.opened;
      const found = orThrow(await measureFilters(given.reader, catalog, values, decisions));
      return { ...found, codes: found.findings.map((finding) => finding.code) };
    },
    async steps(...ctes: [name: string, sql: string][]) {
      const decisions = ctes.map(([name, sql]) => ({ kind: "cte" as const, name, sql, purpose: `rows of ${name}` }));
      return orThrow(await measureSteps(given.reader, given.opened.catalog, decisions));
    },
  } as Given;
  return given;
}

function orThrow<T extends object>(found: T): Exclude<T, { problem: unknown }> {
  if ("problem" in found) throw new Error(JSON.stringify(found.problem));
  return found as Exclude<T, { problem: unknown }>;
}

export function resultOf(read: Read | undefined): QueryResult {
  if (!read?.ok) throw new Error(`${read?.error.code}: ${read?.error.message}`);
  return read.result;
}

/** `no error` for a statement that ran. */
export const codeOf = (read: Read): string => (read.ok ? "no error" : read.error.code);

export const sum = (alias: string, column: string, words = column, aggregate = "SUM"): Measure => ({
  alias,
  column,
  words,
  aggregate,
});
