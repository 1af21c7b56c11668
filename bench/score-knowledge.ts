/**
 * What knowledge is worth to the offline planner: of each database the first half of the questions, in their order,
 * become verified queries (question and gold SQL) and, where given, rules of evidence; the second half is planned with
 * and without them, and the rows are compared with gold's. Nothing of the second half is told beforehand, unless
 * `--all-evidence` adds its rules (never its SQL). `--alternate` tells every other question instead of the first half:
 * where a set asks each thing twice in other words, that measures how well a verified query answers the other wording.
 * `--told SOURCE` tells all questions of another source on the same database.
 *
 *   node bench/score-knowledge.ts [--questions FILE] [--databases DIR] [--source TEXT] [--db NAME] [--all-evidence] [--alternate] [--told SOURCE] [--verbose]
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { OpenedCatalog } from "../src/catalog/open-catalog.ts";
import { planQuestion } from "../src/planner/plan-question.ts";
import { findVerified } from "../src/planner/reuse/reuse.ts";
import type { EvidencePiece, Knowledge, VerifiedPiece } from "../src/protocol/index.ts";
import { rowsOf } from "./rows-of.ts";
import { sameRows } from "./same-rows.ts";
import { openFor, type Question, readQuestions, type Verdict } from "./score-planner.ts";

const data = new URL("../../shared/data/", import.meta.url).pathname;

interface Half {
  told: Question[];
  asked: Question[];
}
interface Scored {
  verdict: Verdict;
  sql: string;
  /** A verified query was used, or used with other parameters. */
  reused: boolean;
  /** The nearest verified question that a gate would show, by whether its SQL gives gold's rows as it stands. */
  shown?: "right" | "other" | undefined;
}

/** Sets of questions that belong together: one benchmark on one database. */
function toHalves(questions: readonly Question[], alternate: boolean): Map<string, Half> {
  const groups = Map.groupBy(questions, ({ db, source = "none" }) => `${source.split(" ")[0]} ${db}`);
  return new Map(
    [...groups].map(([key, all]) => {
      if (alternate)
        return [key, { told: all.filter((_, at) => at % 2 === 0), asked: all.filter((_, at) => at % 2 === 1) }];
      const middle = Math.ceil(all.length / 2);
      return [key, { told: all.slice(0, middle), asked: all.slice(middle) }];
    }),
  );
}

/** The questions of one source are told, those of the others on the same database are asked. */
function toSources(all: readonly Question[], asked: readonly Question[], told: string): Map<string, Half> {
  const known = all.filter(({ source = "", dialect = "sqlite" }) => source.includes(told) && dialect === "sqlite");
  return new Map(
    [...toHalves(asked, false)].map(([key, half]) => {
      const { db } = half.told[0] as Question;
      return [key, { told: known.filter((question) => question.db === db), asked: [...half.told, ...half.asked] }];
    }),
  );
}

function toKnowledge({ told, asked }: Half, { catalog }: OpenedCatalog, allEvidence: boolean): Knowledge {
  const verified = told.map((question, index): VerifiedPiece => {
    const file = `verified/${question.id}.yaml`;
    return {
      id: file,
      file,
      line: 1,
      question: question.question,
      engine: catalog.engine,
      sql: question.gold_sql,
      decisions: [],
      by: "gold",
      at: "2026-01-01",
      model: "gold/gold",
      prompt_version: "gold",
      catalog_checksum: catalog.checksum,
      columns: [],
      row_count: 0,
      origin: { session: "gold", seq: index + 1 },
    };
  });
  const rules = new Set((allEvidence ? [...told, ...asked] : told).flatMap((question) => toRules(question)));
  const evidence = [...rules].map((text, index): EvidencePiece => {
    const file = `evidence/rule-${index + 1}.md`;
    return { id: file, file, line: 1, title: text.slice(0, 80), words: [], text };
  });
  return { workspace: {}, descriptions: [], relations: [], synonyms: [], evidence, verified, faults: [] };
}

/** A field of some question files beside those that the product reads. */
function toRules(question: Question): string[] {
  const { evidence } = question as Question & { evidence?: unknown };
  return typeof evidence === "string" && evidence.trim() !== "" ? [evidence] : [];
}

async function score(
  question: Question,
  file: string,
  { catalog, values }: OpenedCatalog,
  knowledge: Knowledge | undefined,
): Promise<Scored> {
  const planned = await planQuestion({
    question: question.question,
    catalog,
    values,
    corrections: [],
    choices: {},
    knowledge,
  });
  const shown = knowledge && showNearest(question, file, { catalog, values }, knowledge);
  if (planned.outcome !== "plan") return { verdict: planned.outcome, sql: "", reused: false, shown };
  const { sql, verified } = planned.plan;
  const reused = verified !== undefined;
  try {
    const got = rowsOf(file, sql);
    const golds = [question.gold_sql, ...(question.gold_sql_alternatives ?? [])];
    return { verdict: golds.some((gold) => sameRows(rowsOf(file, gold), got)) ? "right" : "wrong", sql, reused, shown };
  } catch {
    return { verdict: "failed", sql, reused, shown };
  }
}

function showNearest(
  question: Question,
  file: string,
  { catalog, values }: Pick<OpenedCatalog, "catalog" | "values">,
  knowledge: Knowledge,
): "right" | "other" | undefined {
  const [nearest] = findVerified({ question: question.question, catalog, values, knowledge }, 1);
  if (!nearest) return undefined;
  return sameRows(rowsOf(file, question.gold_sql), rowsOf(file, nearest.piece.sql)) ? "right" : "other";
}

const verdicts = ["right", "wrong", "ask", "cannot-answer", "failed"] as const;
const count = (scored: readonly Scored[], verdict: Verdict) => scored.filter((one) => one.verdict === verdict).length;

function toLine(label: string, scored: readonly Scored[]): string {
  const share = scored.length === 0 ? 0 : (100 * count(scored, "right")) / scored.length;
  const figures = verdicts.map((verdict) => `${verdict} ${count(scored, verdict)}`).join(", ");
  return `  ${label.padEnd(8)} ${share.toFixed(1).padStart(5)} %  ${figures}`;
}

async function main(): Promise<void> {
  const { values: flags } = parseArgs({
    options: {
      questions: { type: "string" },
      databases: { type: "string" },
      source: { type: "string", multiple: true },
      db: { type: "string" },
      "all-evidence": { type: "boolean", default: false },
      alternate: { type: "boolean", default: false },
      told: { type: "string" },
      verbose: { type: "boolean", default: false },
    },
  });
  const folder = flags.databases ?? join(data, "sqlite");
  const sources = flags.source ?? ["spider-1.0-dev", "defog-ai"];
  const all = readQuestions(flags.questions ?? join(data, "questions.jsonl"));
  const questions = all.filter(
    ({ dialect, source = "", db }) =>
      (dialect ?? "sqlite") === "sqlite" &&
      sources.some((wanted) => source.includes(wanted)) &&
      (flags.db === undefined || flags.db === db),
  );
  const totals = new Map<string, { without: Scored[]; with: Scored[] }>();
  const told = flags.told;
  const halves = told === undefined ? toHalves(questions, flags.alternate) : toSources(all, questions, told);
  for (const [key, half] of halves) {
    const file = join(folder, `${half.asked[0]?.db}.sqlite`);
    if (!existsSync(file)) throw new Error(`no database ${file}`);
    const opened = await openFor(file);
    const knowledge = toKnowledge(half, opened, flags["all-evidence"]);
    const without: Scored[] = [];
    const known: Scored[] = [];
    for (const question of half.asked) {
      const before = await score(question, file, opened, undefined);
      const after = await score(question, file, opened, knowledge);
      without.push(before);
      known.push(after);
      if (flags.verbose && (before.verdict !== after.verdict || before.sql !== after.sql))
        process.stdout.write(
          `${before.verdict} → ${after.verdict}${after.reused ? " (reused)" : ""}  ${question.id}  ${question.question}\n${after.sql.replaceAll(/^/gm, "      ")}\n    gold ${question.gold_sql}\n`,
        );
    }
    process.stdout.write(`${key}: ${half.told.length} told, ${half.asked.length} asked\n`);
    process.stdout.write(`${toLine("without", without)}\n${toLine("with", known)}\n`);
    for (const group of [key.split(" ")[0] ?? "", "all"]) {
      const total = totals.get(group) ?? { without: [], with: [] };
      total.without.push(...without);
      total.with.push(...known);
      totals.set(group, total);
    }
  }
  for (const [group, total] of totals) {
    const gain = count(total.with, "right") - count(total.without, "right");
    const shown = total.with.filter((one) => one.shown !== undefined);
    process.stdout.write(
      `${group}: gain ${gain >= 0 ? "+" : ""}${gain} of ${total.with.length}, reused ${total.with.filter(({ reused }) => reused).length}, nearest shown ${shown.length}, right as it stands ${shown.filter((one) => one.shown === "right").length}\n${toLine("without", total.without)}\n${toLine("with", total.with)}\n`,
    );
  }
}

await main();
