/**
 * Scores the conformance check on gold queries: does each conform to its own decisions, are seeded faults named, and
 * do other ways of writing the same pass? Faults that leave the result as it is and rewrites that change it count for
 * nothing, so both are run on SQLite.
 *
 *   node bench/score-conformance.ts [--questions FILE] [--databases DIR] [--db NAME] [--id TEXT] [--dialect D] [--every N] [--json FILE] [--verbose]
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { openCatalog } from "../src/catalog/open-catalog.ts";
import { openDatabase } from "../src/database/open-database.ts";
import type { Catalog } from "../src/protocol/index.ts";
import { conform } from "../src/sql/conformance.ts";
import { deriveDecisions } from "./derive-decisions.ts";
import { mutateSql } from "./mutate-sql.ts";
import { rewriteSql } from "./rewrite-sql.ts";
import { readBlocks } from "./sql-blocks.ts";

interface Count {
  made: number;
  /** Result changed for mutations, stayed for rewrites. */
  counted: number;
  passed: number;
  misses: string[];
}
const root = new URL("..", import.meta.url).pathname;
const { values: options } = parseArgs({
  options: {
    questions: { type: "string", default: `${root}../shared/data/questions.jsonl` },
    databases: { type: "string", default: `${root}../shared/data/sqlite` },
    db: { type: "string" },
    id: { type: "string" },
    dialect: { type: "string" },
    every: { type: "string", default: "1" },
    json: { type: "string" },
    verbose: { type: "boolean", default: false },
  },
});

/** Rows as texts, in order where the statement sorts; null when it doesn't run, "many" when there are too many. */
function run(database: DatabaseSync, sql: string, sorted: boolean, limit: number): string | null {
  try {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(true);
    const rows: string[] = [];
    for (const row of statement.iterate()) {
      rows.push(JSON.stringify(row, (_, value) => (typeof value === "bigint" ? `${value}` : value)));
      if (rows.length > limit) return "many";
    }
    return (sorted ? rows : rows.sort()).join("\n");
  } catch {
    return null;
  }
}

function count(into: Map<string, Count>, kind: string, counted: boolean, passed: boolean, id: string): void {
  const entry = into.get(kind) ?? { made: 0, counted: 0, passed: 0, misses: [] };
  into.set(kind, entry);
  entry.made += 1;
  if (!counted) return;
  entry.counted += 1;
  if (passed) entry.passed += 1;
  else entry.misses.push(id);
}

const dialects = new Map<
  string,
  { own: Count; mutations: Map<string, Count>; rewrites: Map<string, Count>; fewest: number }
>();
const catalogs = new Map<string, Catalog>();

async function readCatalog(file: string): Promise<Catalog> {
  const database = await openDatabase({ engine: "sqlite", file });
  const { catalog } = await openCatalog(database, join(tmpdir(), "score-conformance-catalogs"));
  await database.close();
  return catalog;
}

const questions = readFileSync(options.questions, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => JSON.parse(line) as { id: string; db: string; dialect: "sqlite" | "postgres"; gold_sql: string })
  .filter(
    (question, index) =>
      (!options.db || question.db === options.db) &&
      (!options.id || question.id.includes(options.id)) &&
      (!options.dialect || question.dialect === options.dialect) &&
      index % Number(options.every) === 0,
  );
for (const question of questions) {
  const file = `${options.databases}/${question.db}.sqlite`;
  if (!existsSync(file)) continue;
  const stored = catalogs.get(question.db) ?? (await readCatalog(file));
  catalogs.set(question.db, stored);
  const postgres = question.dialect === "postgres";
  const catalog: Catalog = postgres ? { ...stored, engine: "postgres" } : stored;
  const score = dialects.get(question.dialect) ?? {
    own: { made: 0, counted: 0, passed: 0, misses: [] },
    mutations: new Map<string, Count>(),
    rewrites: new Map<string, Count>(),
    fewest: Number.POSITIVE_INFINITY,
  };
  dialects.set(question.dialect, score);
  const { id, gold_sql: gold } = question;
  const text = readBlocks(gold, question.dialect);
  const decisions = deriveDecisions(text, catalog);
  const deviations = (sql: string) => conform(sql, decisions, catalog).deviations;
  score.own.made += 1;
  const first = deviations(gold);
  if (first.length === 0) score.own.passed += 1;
  else {
    score.own.misses.push(id);
    if (options.verbose) console.log(`own ${id}: ${first.map((deviation) => deviation.title).join("; ")}\n  ${gold}`);
  }
  const database = new DatabaseSync(file, { readOnly: true });
  const runnable = (sql: string) => (postgres ? sql.replaceAll(/\bconsumer_div\./gi, "") : sql);
  const sorted = text.query.order.length > 0;
  const wanted = run(database, runnable(gold), sorted, 200_000);
  const limit = (wanted?.split("\n").length ?? 0) + 10;
  const same = (sql: string) => {
    const got = wanted === null ? null : run(database, runnable(sql), sorted, limit);
    return got === null ? undefined : got === wanted;
  };
  const mutations = mutateSql(text, catalog, id);
  score.fewest = Math.min(score.fewest, mutations.length);
  for (const { kind, sql } of mutations) {
    const changed = same(sql) === false;
    const caught = changed && deviations(sql).length > 0;
    count(score.mutations, kind, changed, caught, id);
    if (options.verbose && changed && !caught) console.log(`${kind} ${id}\n  ${gold}\n  ${sql}`);
  }
  for (const { kind, sql } of rewriteSql(text, catalog)) {
    const equal = same(sql) === true;
    const found = equal ? deviations(sql) : [];
    count(score.rewrites, kind, equal, found.length === 0, id);
    if (options.verbose && found.length > 0)
      console.log(`${kind} ${id}: ${found.map((deviation) => deviation.title).join("; ")}\n  ${gold}\n  ${sql}`);
  }
  database.close();
}

const share = ({ passed, counted }: Pick<Count, "passed" | "counted">) =>
  counted === 0 ? "–" : `${((100 * passed) / counted).toFixed(1)} %`;
for (const [dialect, score] of dialects) {
  console.log(
    `\n${dialect}: ${score.own.passed} of ${score.own.made} conform to their own decisions (fewest mutations of one query: ${score.fewest})`,
  );
  for (const [title, counts] of [
    ["mutations caught", score.mutations],
    ["rewrites that conform", score.rewrites],
  ] as const) {
    const all = [...counts.values()];
    const sum = { passed: 0, counted: 0, made: 0 };
    for (const entry of all) {
      sum.passed += entry.passed;
      sum.counted += entry.counted;
      sum.made += entry.made;
    }
    console.log(`  ${title}: ${share(sum)} (${sum.passed} of ${sum.counted} that count, ${sum.made} made)`);
    for (const [kind, entry] of [...counts].sort())
      console.log(
        `    ${kind}: ${share(entry)} (${entry.passed}/${entry.counted} of ${entry.made})${entry.misses.length > 0 ? ` misses: ${[...new Set(entry.misses)].slice(0, 12).join(" ")}` : ""}`,
      );
  }
}
if (options.json)
  writeFileSync(
    options.json,
    JSON.stringify(
      [...dialects].map(([dialect, score]) => ({
        dialect,
        own: score.own,
        mutations: Object.fromEntries(score.mutations),
        rewrites: Object.fromEntries(score.rewrites),
      })),
      null,
      1,
    ),
  );
