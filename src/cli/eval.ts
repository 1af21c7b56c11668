/** `thoth eval`: how many questions of a set come out right, and what differs between two such runs. */
import { readFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { compareReports } from "../evaluation/compare-reports.ts";
import { evaluate } from "../evaluation/evaluate.ts";
import { templates } from "../evaluation/oracle/templates.ts";
import { openPlaces, requireFiles } from "../evaluation/places.ts";
import { hashQuestions, parseQuestions, type Question } from "../evaluation/questions.ts";
import type { EvaluatedQuestion, ReportHead } from "../evaluation/report.ts";
import { keepResults, openReportFile, pageOf, type ReportFile, readReport } from "../evaluation/report-file.ts";
import { toComparisonText, toReportText } from "../evaluation/report-text.ts";
import { createPlannerWalk } from "../evaluation/walk-planner.ts";
import { offlineModel, offlineProvider, ThothError } from "../protocol/index.ts";
import { version } from "../server/project.ts";
import { toModel } from "./ask.ts";
import { showProgress } from "./eval-progress.ts";
import { exitCodes, UsageError } from "./fault.ts";
import { toPlainText, toTable } from "./terminal-text.ts";

export interface EvalOptions {
  questions?: string;
  databases?: string;
  model?: string;
  reviewer: string;
  limit?: number;
  concurrency: number;
  report?: string;
  fast: boolean;
  compare?: string[];
  json: boolean;
}

/** Faults of what was handed in: the command was used wrongly. */
const usageCodes = new Set(["questions-malformed", "databases-unknown", "report-differs", "report-unreadable"]);

export async function evaluation(options: EvalOptions): Promise<number> {
  try {
    if (options.compare !== undefined) return await compare(options.compare, options);
    return await evaluateFile(options);
  } catch (error) {
    if (error instanceof ThothError && usageCodes.has(error.code)) throw new UsageError(error.message, error.action);
    throw error;
  }
}

async function compare([before, after, ...more]: string[], { questions, json }: EvalOptions): Promise<number> {
  if (before === undefined || after === undefined || more.length > 0 || questions !== undefined)
    throw new UsageError(
      "--compare takes two reports and no questions.",
      "Write: thoth eval --compare BEFORE.json AFTER.json",
    );
  const comparison = compareReports(await readReport(before), await readReport(after));
  if (comparison.shared === 0)
    throw new UsageError("The two reports have no question in common.", "Compare reports of one question set.");
  process.stdout.write(
    json ? `${JSON.stringify(comparison, null, 2)}\n` : toPlainText(`${toComparisonText(comparison)}\n`),
  );
  return exitCodes.done;
}

async function evaluateFile(options: EvalOptions): Promise<number> {
  const { databases, reviewer, fast } = options;
  if (options.questions === undefined || databases === undefined)
    throw new UsageError(
      "Say which questions are asked, and of which databases.",
      "Give --questions FILE.jsonl and --databases DIR, or --compare A.json B.json.",
    );
  if (reviewer !== "none" && reviewer !== "oracle")
    throw new UsageError(`There is no reviewer ${reviewer}.`, "Give --reviewer none or --reviewer oracle.");
  const model = toModel(options.model ?? `${offlineProvider}/${offlineModel}`);
  const isOffline = model.provider === offlineProvider && model.model === offlineModel;
  if (fast && !isOffline)
    throw new UsageError("--fast calls the offline planner and no other model.", "Leave --fast or --model out.");
  const all = parseQuestions(await readQuestions(options.questions));
  const wanted = all.filter(isAskable).slice(0, options.limit);
  if (wanted.length === 0)
    throw new UsageError("None of the questions can be asked here.", "They are all for another engine's dialect.");
  await requireFiles(resolve(databases), wanted);
  const head: ReportHead = {
    version: 1,
    program: version,
    model: `${model.provider}/${model.model}`,
    reviewer,
    way: fast ? "planner" : "child",
    questions: {
      file: basename(options.questions),
      sha256: hashQuestions(all),
      count: wanted.length,
      left_out: all.length - all.filter(isAskable).length,
    },
    started: new Date().toISOString(),
  };
  const file = options.report === undefined ? keepResults(head) : await openReportFile(resolve(options.report), head);
  return await run(wanted, file, model, resolve(databases), head, options);
}

/** Dialects of servers need a server; a second reading whose table nobody gives can't be compared. */
const isAskable = (question: Question): boolean =>
  ["sqlite", "duckdb"].includes(question.dialect ?? "sqlite") && question.new_table === undefined;

async function run(
  wanted: readonly Question[],
  file: ReportFile,
  model: { provider: string; model: string },
  databases: string,
  { reviewer, way }: ReportHead,
  { concurrency, report: path, json }: EvalOptions,
): Promise<number> {
  const stop = new AbortController();
  const interrupt = () => stop.abort();
  // A second Ctrl-C ends the process at once; the journal has what was found.
  process.once("SIGINT", interrupt);
  process.once("SIGTERM", interrupt);
  // What failed before it was asked, on a machine that was too busy for example, is asked again.
  for (const result of file.known.values())
    if (result.outcome === "failed" && result.ms === 0) file.known.delete(result.id);
  const waiting = wanted.filter((question) => !file.known.has(question.id));
  const progress = showProgress(wanted.length, [...file.known.values()].map(toEnd));
  try {
    if (waiting.length > 0) {
      const server = way === "planner" ? null : await (await import("./eval-session.ts")).startEvaluationServer(model);
      const places = await openPlaces(databases, server?.catalogs);
      try {
        const parts = { walk: server?.walk ?? createPlannerWalk(), reviewer, signal: stop.signal, concurrency };
        await evaluate(waiting, places, parts, async (result) => {
          await file.append(result);
          progress.add(toEnd(result));
        });
      } finally {
        await places.close();
        await server?.close();
      }
    }
  } finally {
    progress.end();
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", interrupt);
  }
  const made = await file.close({ finished: wanted.every(({ id }) => file.known.has(id)), ...published(reviewer) });
  process.stdout.write(json ? `${JSON.stringify(made, null, 2)}\n` : toPlainText(`${toReportText(made, toTable)}\n`));
  if (path !== undefined) process.stderr.write(`Report: ${path}\nMisses side by side: ${pageOf(path)}\n`);
  if (!stop.signal.aborted) return exitCodes.done;
  throw new ThothError(
    "interrupted",
    `Stopped after ${made.results.length} of ${wanted.length} questions.`,
    path === undefined ? undefined : "The same command goes on from there.",
  );
}

const toEnd = ({ outcome }: EvaluatedQuestion) => outcome;
const published = (reviewer: ReportHead["reviewer"]) => (reviewer === "oracle" ? { templates } : {});

async function readQuestions(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (cause) {
    throw new UsageError(
      `${path} can't be read${cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : ""}.`,
      "Give the path of a file with one question per line.",
    );
  }
}
