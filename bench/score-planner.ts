/**
 * Scores the offline planner while it is being worked on: plans each question, runs predicted and gold SQL, compares the
 * rows whatever their order. `thoth eval` does the same through the whole workflow, and keeps a report.
 *
 *   node bench/score-planner.ts [--questions FILE] [--databases DIR] [--db NAME] [--source S] [--id TEXT] [--not-db A,B] [--verbose] [--rename]
 *     --small read|held|all questions about the small databases of test/fixtures instead; of those held back, totals alone
 *     --ablate              what each part of the planner carries, as a table
 *     --ambiguous FILE      how many questions with two readings have both named at a gate
 *     --unanswerable FILE   how questions end that the data can't answer
 */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type OpenedCatalog, openCatalog } from "../src/catalog/open-catalog.ts";
import type { Read } from "../src/database/database.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { wilsonInterval } from "../src/evaluation/proportions.ts";
import { type Question as Asked, parseQuestions } from "../src/evaluation/questions.ts";
import { planQuestion } from "../src/planner/plan-question.ts";
import type { QueryResult } from "../src/protocol/index.ts";
import { ablate, scoreAmbiguous, scoreUnanswerable } from "./planner-packs.ts";
import { renameDatabase, renameText } from "./rename-chinook.ts";
import { rowsOf } from "./rows-of.ts";
import { sameRows } from "./same-rows.ts";
import { buildSmallDatabases } from "./small-databases.ts";

export type Question = Asked & { gold_sql: string };
export type Verdict = "right" | "wrong" | "ask" | "cannot-answer" | "failed";
export interface Scored {
  question: Question;
  verdict: Verdict;
  ms: number;
  sql: string;
  detail: string;
}

const root = new URL("..", import.meta.url).pathname;

export function readQuestions(file: string): Question[] {
  return parseQuestions(readFileSync(file, "utf8")).flatMap((question) =>
    question.gold_sql === undefined ? [] : [{ ...question, gold_sql: question.gold_sql }],
  );
}

/** As a database would answer the planner, on the connection at hand. */
function readRows(file: string, sql: string): Read {
  try {
    const rows = rowsOf(file, sql).slice(0, 200) as QueryResult["rows"];
    return { ok: true, result: { columns: [], rows, rowCount: rows.length, truncated: false }, ms: 0 };
  } catch (error) {
    return { ok: false, error: { code: "other", message: error instanceof Error ? error.message : String(error) } };
  }
}

let cache: string | undefined;

/** Catalogs of this run: one that another version left would not be ours to trust. */
export async function openFor(file: string): Promise<OpenedCatalog> {
  if (cache === undefined) {
    const folder = mkdtempSync(join(tmpdir(), "score-planner-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    cache = folder;
  }
  return openCatalog(await openDatabase({ engine: "sqlite", file }), cache);
}

export async function scoreQuestion(question: Question, file: string, opened: OpenedCatalog): Promise<Scored> {
  const started = performance.now();
  const planned = await planQuestion({
    question: question.question,
    catalog: opened.catalog,
    values: opened.values,
    corrections: [],
    choices: {},
    run: (statements) => Promise.resolve(statements.map((sql) => readRows(file, sql))),
  });
  const ms = performance.now() - started;
  if (planned.outcome === "ask")
    return {
      question,
      verdict: "ask",
      ms,
      sql: "",
      detail: `${planned.question} — ${planned.options.map((option) => option.label).join(" | ")}`,
    };
  if (planned.outcome === "cannot-answer")
    return { question, verdict: "cannot-answer", ms, sql: "", detail: `${planned.missing}: ${planned.reason}` };
  const sql = planned.plan.sql;
  try {
    const got = rowsOf(file, sql);
    const golds = [question.gold_sql, ...(question.gold_sql_alternatives ?? [])];
    const right = golds.some((gold) => sameRows(rowsOf(file, gold), got));
    return { question, verdict: right ? "right" : "wrong", ms, sql, detail: right ? "" : `gold: ${question.gold_sql}` };
  } catch (error) {
    return { question, verdict: "failed", ms, sql, detail: error instanceof Error ? error.message : String(error) };
  }
}

export async function scoreAll(
  questions: Question[],
  fileOf: (db: string) => string,
  change: (opened: OpenedCatalog) => OpenedCatalog = (opened) => opened,
): Promise<Scored[]> {
  const opened = new Map<string, OpenedCatalog>();
  const scored: Scored[] = [];
  for (const question of questions) {
    const file = fileOf(question.db);
    let catalog = opened.get(question.db);
    if (!catalog) {
      catalog = change(await openFor(file));
      opened.set(question.db, catalog);
    }
    scored.push(await scoreQuestion(question, file, catalog));
  }
  return scored;
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
const share = (part: number, whole: number) => {
  const { low, high } = wilsonInterval(part, whole);
  return `${part}/${whole} (${percent(whole === 0 ? 0 : part / whole)}, ${percent(low)} to ${percent(high)})`;
};
const percentile = (values: number[], at: number) =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * at))] ?? 0;

async function main(): Promise<void> {
  const { values: flags } = parseArgs({
    options: {
      questions: { type: "string", multiple: true },
      databases: { type: "string" },
      db: { type: "string" },
      "not-db": { type: "string" },
      source: { type: "string" },
      id: { type: "string" },
      verbose: { type: "boolean" },
      rename: { type: "boolean" },
      quiet: { type: "boolean" },
      ablate: { type: "boolean" },
      small: { type: "string" },
      ambiguous: { type: "string" },
      unanswerable: { type: "string" },
    },
  });
  const scratch = mkdtempSync(join(tmpdir(), "score-planner-"));
  process.once("exit", () => rmSync(scratch, { recursive: true, force: true }));
  const small = flags.small
    ? buildSmallDatabases(join(root, "test/fixtures/small-databases"), scratch).filter(
        ({ held }) => flags.small === "all" || held === (flags.small === "held"),
      )
    : [];
  const held = new Set(small.flatMap((known) => (known.held ? [known.name] : [])));
  const files = flags.small
    ? small.map(({ questions }) => questions)
    : (flags.questions ?? [
        join(root, "test/fixtures/chinook-questions.jsonl"),
        join(root, "test/fixtures/chinook-more.jsonl"),
      ]);
  const skipped = new Set((flags["not-db"] ?? "").split(",").filter(Boolean));
  let questions = files
    .flatMap(readQuestions)
    .filter(
      (question) =>
        (question.dialect ?? "sqlite") === "sqlite" &&
        (!flags.db || question.db === flags.db) &&
        (!flags.source || question.source?.includes(flags.source)) &&
        (!flags.id || question.id.includes(flags.id)) &&
        !skipped.has(question.db),
    );
  const folder = flags.small ? scratch : (flags.databases ?? join(root, "demo"));
  let fileOf = (db: string) => join(folder, `${db}.sqlite`);
  const say = (lines: string[]) => {
    process.stdout.write(`${lines.join("\n")}\n`);
  };
  if (flags.ambiguous) return say(await scoreAmbiguous(flags.ambiguous, folder));
  if (flags.unanswerable)
    return say([JSON.stringify(await scoreUnanswerable(flags.unanswerable, (db) => openFor(fileOf(db))))]);
  if (flags.ablate) return say(await ablate((change) => scoreAll(questions, fileOf, change)));
  if (flags.rename) {
    const copy = join(scratch, "chinook.sqlite");
    cpSync(fileOf("chinook"), copy);
    renameDatabase(copy);
    questions = questions
      .filter((question) => question.db === "chinook")
      .map((question) => ({
        ...question,
        question: renameText(question.question),
        gold_sql: renameText(question.gold_sql),
        gold_sql_alternatives: (question.gold_sql_alternatives ?? []).map(renameText),
      }));
    fileOf = () => copy;
  }
  const missing = questions.find((question) => !existsSync(fileOf(question.db)));
  if (missing) throw new Error(`no database ${fileOf(missing.db)}`);
  const scored = await scoreAll(questions, fileOf);
  for (const row of scored) {
    if (flags.quiet) break;
    if (held.has(row.question.db)) continue;
    if (row.verdict === "right" && !flags.verbose) continue;
    process.stdout.write(`${row.verdict.padEnd(13)} ${row.question.id}  ${row.question.question}\n`);
    if (flags.verbose)
      process.stdout.write(`${[row.sql, row.detail].filter(Boolean).join("\n").replaceAll(/^/gm, "    ")}\n`);
  }
  const groups = new Map<string, Scored[]>();
  for (const row of scored) {
    for (const key of [
      `source ${row.question.source ?? "none"}`,
      `db ${row.question.db}`,
      ...(flags.small ? [held.has(row.question.db) ? "held back" : "read"] : []),
      "all",
    ])
      groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  for (const [key, rows] of groups) {
    const count = (verdict: Verdict) => rows.filter((row) => row.verdict === verdict).length;
    process.stdout.write(
      `${key}: right ${share(count("right"), rows.length)}, wrong ${count("wrong")}, ask ${count("ask")}, cannot-answer ${count("cannot-answer")}, failed ${count("failed")}\n`,
    );
  }
  const times = scored.slice(1).map((row) => row.ms);
  process.stdout.write(`p50 ${percentile(times, 0.5).toFixed(1)} ms, p99 ${percentile(times, 0.99).toFixed(1)} ms\n`);
}

if (process.argv[1] && import.meta.url.endsWith(process.argv[1].replaceAll("\\", "/").split("/").slice(-2).join("/")))
  await main();
