/**
 * The report on disk. Results are appended line by line to a journal beside it, so that nothing is lost whatever
 * happens; the report itself is written whole, with what there is, when a run ends or is interrupted.
 */
import { appendFile, readFile, rm, stat } from "node:fs/promises";
import { replaceFile } from "../ledger/replace-file.ts";
import { check, ThothError } from "../protocol/index.ts";
import { EvaluatedQuestion, Report, ReportHead, summarise } from "./report.ts";
import { toReportPage } from "./report-page.ts";

export interface ReportFile {
  /** What earlier runs with this file found, by id. */
  known: Map<string, EvaluatedQuestion>;
  append(result: EvaluatedQuestion): Promise<void>;
  /** Writes report and page; the journal goes only now. */
  close(end: ReportEnd): Promise<Report>;
}
interface ReportEnd {
  finished: boolean;
  templates?: Report["templates"];
}

function toReport(
  head: ReportHead,
  known: ReadonlyMap<string, EvaluatedQuestion>,
  { finished, templates }: ReportEnd,
): Report {
  const results = [...known.values()];
  return {
    ...head,
    finished: finished ? new Date().toISOString() : null,
    summary: summarise(results),
    ...(templates ? { templates } : {}),
    results,
  };
}

/** Without a file: results live as long as the run. */
export function keepResults(head: ReportHead): ReportFile {
  const known = new Map<string, EvaluatedQuestion>();
  return {
    known,
    append: async (result) => void known.set(result.id, result),
    close: async (end) => toReport(head, known, end),
  };
}

const journalOf = (path: string): string => `${path}.partial.jsonl`;
export const pageOf = (path: string): string => `${path.replace(/\.json$/, "")}.html`;

/** Throws ThothError `report-differs` when the file belongs to other questions or another model or reviewer. */
export async function openReportFile(path: string, head: ReportHead): Promise<ReportFile> {
  const earlier = await readEarlier(path);
  if (earlier) requireSame(path, earlier.head, head);
  const started = earlier?.head.started ?? head.started;
  const whole: ReportHead = { ...head, started };
  const known = new Map((earlier?.results ?? []).map((result) => [result.id, result]));
  const journal = journalOf(path);
  // A journal of its own from the start: a run that is killed leaves everything it found.
  await replaceFile(journal, [whole, ...known.values()].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return {
    known,
    async append(result) {
      known.set(result.id, result);
      await appendFile(journal, `${JSON.stringify(result)}\n`);
    },
    async close(end) {
      const report = toReport(whole, known, end);
      await replaceFile(path, `${JSON.stringify(report, null, 1)}\n`);
      await replaceFile(pageOf(path), toReportPage(report));
      await rm(journal, { force: true });
      return report;
    },
  };
}

interface Earlier {
  head: ReportHead;
  results: EvaluatedQuestion[];
}

async function readEarlier(path: string): Promise<Earlier | null> {
  const journal = await readFile(journalOf(path), "utf8").catch(() => null); // none: the last run ended properly
  const kept = journal === null ? null : parseJournal(journal);
  if (kept) return kept;
  if ((await stat(path).catch(() => null)) === null) return null; // the first run with this file
  const report = await readReport(path);
  return { head: report, results: report.results };
}

/** The last line may have been cut; a journal without its head says nothing. */
function parseJournal(text: string): Earlier | null {
  const lines = text.split("\n").flatMap((line): unknown[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return []; // cut off while it was written
    }
  });
  const head = check(ReportHead, lines[0]);
  if (!head.ok) return null;
  const results = lines.slice(1).flatMap((line) => {
    const result = check(EvaluatedQuestion, line);
    return result.ok ? [result.value] : [];
  });
  return { head: head.value, results };
}

/** Throws ThothError `report-unreadable`. */
export async function readReport(path: string): Promise<Report> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    throw new ThothError(
      "report-unreadable",
      `${path} ${code === undefined ? "is no JSON" : `can't be read (${code})`}.`,
      "Give the path of a report that `thoth eval --report` wrote.",
      cause,
    );
  }
  const checked = check(Report, value);
  if (checked.ok) return checked.value;
  throw new ThothError(
    "report-unreadable",
    `${path} is no report of \`thoth eval\`: ${checked.problem}.`,
    "Give the path of a report that `thoth eval --report` wrote.",
  );
}

function requireSame(path: string, before: ReportHead, now: ReportHead): void {
  const differs = [
    ["questions", before.questions.sha256 !== now.questions.sha256, "The question set has changed"],
    ["model", before.model !== now.model, `It was made with ${before.model}`],
    ["reviewer", before.reviewer !== now.reviewer, `It was made with the reviewer ${before.reviewer}`],
    ["way", before.way !== now.way, "It was made the other way, with or without --fast"],
  ].find(([, other]) => other);
  if (!differs) return;
  throw new ThothError(
    "report-differs",
    `${path} can't be gone on with: ${String(differs[2])}.`,
    "Give another file with --report, or move that one away.",
  );
}
