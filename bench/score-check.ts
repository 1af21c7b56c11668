/**
 * Scores `thoth check`: the share of wrong queries that get an alarm about their fault, and of right ones that get any.
 *
 *   node bench/score-check.ts [--data DIR] [--gold-only] [--mistakes-only] [--db NAME] [--verbose] [--json FILE]
 *
 * Wrong queries are labelled by hand in llm-mistakes-labels.jsonl. Which gold counts as sound, sound-gold.ts finds
 * out by running it.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type OpenedCatalog, openCatalog } from "../src/catalog/open-catalog.ts";
import type { Database } from "../src/database/database.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { checkStatement } from "../src/evidence/check/check-statement.ts";
import type { CheckWarning } from "../src/protocol/index.ts";
import { findDoubt } from "./sound-gold.ts";

interface Mistake {
  id: string;
  db: string;
  question: string;
  predicted_sql: string;
}
interface Label {
  id: string;
  kind: string;
  really_wrong: boolean;
}
interface Gold {
  id: string;
  db: string;
  dialect: string;
  question: string;
  gold_sql: string;
  source: string;
}
interface Scored {
  id: string;
  db: string;
  question: string;
  alarms: CheckWarning[];
  kind?: string;
  sound?: boolean;
}

/** Which codes speak of which kind of fault. An empty result speaks of whatever emptied it. */
const aboutResult = ["result-empty", "column-null", "no-data-read", "does-not-run"];
const aboutJoin = ["bridge-missing", "key-skipped", "join-meets-nothing", "cross-product"];
const aboutValue = ["value-spelling", "value-elsewhere", "value-unknown", "value-ignored", "quote-ignored", "no-rows"];
const aboutShape = ["list-for-one", "count-missing", "count-for-list", "asked-column-unused", "closer-column"];
const aboutNumber = ["number-ignored", "number-unasked"];
const codesOf: Record<string, string[]> = {
  "missing-bridge": aboutJoin,
  "wrong-join": aboutJoin,
  "fan-out": ["measure-repeated"],
  "inner-vs-left": ["zero-groups"],
  "wrong-filter-value": [...aboutValue, ...aboutNumber, "result-empty", "column-null"],
  "missing-filter": [...aboutValue, ...aboutNumber, "time-ignored", "negation-ignored"],
  "extra-filter": ["result-empty", "no-rows", "number-unasked", ...aboutValue],
  negation: ["negation-ignored", "not-in-null", "equals-null", "result-empty"],
  aggregation: ["rate-ignored", "integer-division", "measure-repeated", "each-ignored", ...aboutShape, ...aboutNumber],
  grain: ["group-missing", "ungrouped-column", "each-ignored", "superlative-ignored", "distinct-ignored"],
  distinct: ["distinct-ignored"],
  "ordering-limit": ["superlative-ignored", "superlative-turned", "limit-tie", "number-as-text"],
  tie: ["limit-tie"],
  "output-columns": [...aboutShape, "value-ignored"],
  date: [
    "time-of-event",
    "now-missing",
    "time-ignored",
    "year-as-date",
    "date-text-order",
    "date-edge",
    ...aboutNumber,
    "result-empty",
    "column-null",
  ],
  "type-compare": ["number-as-text", "number-with-text", "text-with-number"],
  other: [...aboutResult, ...aboutShape, ...aboutNumber, "superlative-ignored"],
};

const { values: options } = parseArgs({
  options: {
    data: { type: "string", default: new URL("../../shared/data", import.meta.url).pathname },
    db: { type: "string" },
    "gold-only": { type: "boolean", default: false },
    "mistakes-only": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    json: { type: "string" },
  },
});

const readLines = <T>(file: string): T[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as T);

const databases = new Map<string, { database: Database; opened: OpenedCatalog; file: string }>();
async function openFor(db: string) {
  const known = databases.get(db);
  if (known) return known;
  const file = join(options.data, "sqlite", `${db}.sqlite`);
  const database = await openDatabase({ engine: "sqlite", file });
  const opened = await openCatalog(database, join(tmpdir(), "score-check-catalogs"));
  const made = { database, opened, file };
  databases.set(db, made);
  return made;
}

async function alarmsOf(db: string, sql: string, question: string): Promise<CheckWarning[]> {
  const { database, opened } = await openFor(db);
  const { warnings } = await checkStatement(database, opened.catalog, opened.values, sql, question);
  return warnings.filter(({ severity }) => severity === "warning" || severity === "problem");
}

const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;

function meanOverQuestions(list: readonly Scored[], hit: (one: Scored) => boolean): string {
  const byQuestion = new Map<string, Scored[]>();
  for (const one of list) byQuestion.set(one.question, [...(byQuestion.get(one.question) ?? []), one]);
  const shares = [...byQuestion.values()].map((group) => group.filter(hit).length / group.length);
  return `${((100 * shares.reduce((sum, one) => sum + one, 0)) / Math.max(1, shares.length)).toFixed(1)} % over ${shares.length} questions`;
}

const isHit = (one: Scored): boolean => one.alarms.some(({ code }) => (codesOf[one.kind ?? ""] ?? []).includes(code));

/** One of each question, so that ten of them tell ten things. */
function firstOfEach(list: readonly Scored[], count: number): Scored[] {
  const seen = new Set<string>();
  return list.filter((one) => !seen.has(one.question) && seen.add(one.question)).slice(0, count);
}

async function scoreMistakes(): Promise<void> {
  const file = join(options.data, "llm-mistakes.jsonl");
  if (!existsSync(file)) return console.log(`skipped: no ${file}`);
  const labels = new Map(
    readLines<Label>(new URL("llm-mistakes-labels.jsonl", import.meta.url).pathname).map((one) => [one.id, one]),
  );
  const scored: Scored[] = [];
  for (const { id, db, question, predicted_sql } of readLines<Mistake>(file)) {
    const label = labels.get(id);
    if (!label || (options.db && options.db !== db)) continue;
    if (!label.really_wrong) continue;
    scored.push({ id, db, question, kind: label.kind, alarms: await alarmsOf(db, predicted_sql, question) });
  }
  const without = scored.filter(({ kind }) => kind !== "missing-bridge");
  console.log(
    `wrong queries with an alarm: ${share(scored.filter(({ alarms }) => alarms.length > 0).length, scored.length)}`,
  );
  console.log(`… about the real fault: ${share(scored.filter(isHit).length, scored.length)}`);
  console.log(`… mean: ${meanOverQuestions(scored, isHit)}`);
  console.log(
    `… without missing-bridge: ${share(without.filter(isHit).length, without.length)}; mean ${meanOverQuestions(without, isHit)}`,
  );
  const plain = without.filter(({ kind }) => kind !== "inner-vs-left");
  console.log(`… without missing-bridge and inner-vs-left: ${share(plain.filter(isHit).length, plain.length)}`);
  console.log("\nkind | alarm | about the fault");
  for (const kind of new Set(scored.map((one) => one.kind))) {
    const group = scored.filter((one) => one.kind === kind);
    console.log(
      `${kind} | ${share(group.filter(({ alarms }) => alarms.length > 0).length, group.length)} | ${share(group.filter(isHit).length, group.length)}`,
    );
  }
  const misses = scored.filter((one) => !isHit(one));
  console.log("\nmisses:");
  for (const one of options.verbose ? misses : firstOfEach(misses, 10))
    console.log(`${one.id} ${one.kind}: ${one.alarms.map(({ code }) => code).join(", ") || "no alarm"}`);
  if (options.json) writeFileSync(`${options.json}.mistakes`, JSON.stringify(scored, null, 1));
}

async function scoreGold(): Promise<void> {
  const file = join(options.data, "questions.jsonl");
  if (!existsSync(file)) return console.log(`skipped: no ${file}`);
  const scored: Scored[] = [];
  const doubts = new Map<string, number>();
  for (const { id, db, dialect, question, gold_sql } of readLines<Gold>(file)) {
    if (dialect !== "sqlite" || (options.db && options.db !== db)) continue;
    const { file: path } = await openFor(db);
    const doubt = findDoubt(path, gold_sql);
    if (doubt !== null) doubts.set(doubt, (doubts.get(doubt) ?? 0) + 1);
    scored.push({ id, db, question, sound: doubt === null, alarms: await alarmsOf(db, gold_sql, question) });
  }
  console.log(`\ngold of doubtful result: ${[...doubts].map(([doubt, count]) => `${doubt} ${count}`).join(", ")}`);
  const sound = scored.filter((one) => one.sound);
  const alarmed = (list: readonly Scored[]) => list.filter(({ alarms }) => alarms.length > 0);
  console.log(`\ngold with any alarm: ${share(alarmed(scored).length, scored.length)}`);
  console.log(`… over sound gold: ${share(alarmed(sound).length, sound.length)}`);
  const counts = new Map<string, number>();
  for (const { alarms } of sound)
    for (const code of new Set(alarms.map((one) => one.code))) counts.set(code, (counts.get(code) ?? 0) + 1);
  console.log(
    [...counts]
      .sort((a, b) => b[1] - a[1])
      .map(([code, count]) => `${code} ${count}`)
      .join(", "),
  );
  console.log("\nfalse alarms:");
  for (const one of options.verbose ? alarmed(sound) : firstOfEach(alarmed(sound), 10))
    console.log(`${one.id}: ${one.alarms.map(({ code }) => code).join(", ")}`);
  if (options.json) writeFileSync(`${options.json}.gold`, JSON.stringify(scored, null, 1));
}

if (!options["gold-only"]) await scoreMistakes();
if (!options["mistakes-only"]) await scoreGold();
for (const { database, opened } of databases.values()) {
  opened.close();
  await database.close();
}
