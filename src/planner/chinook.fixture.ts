/** The demo database, opened once for the planner's tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type OpenedCatalog, openCatalog } from "../catalog/open-catalog.ts";
import { openDatabase } from "../database/open-database.ts";
import type { PhaseId } from "../protocol/index.ts";
import { type Plan, type Planned, planQuestion } from "./plan-question.ts";

export const chinookFile = new URL("../../demo/chinook.sqlite", import.meta.url).pathname;
let opened: Promise<OpenedCatalog> | undefined;

export function openChinook(): Promise<OpenedCatalog> {
  opened ??= openDatabase({ engine: "sqlite", file: chinookFile }).then((database) => {
    const cache = mkdtempSync(join(tmpdir(), "planner-catalog-"));
    process.once("exit", () => rmSync(cache, { recursive: true, force: true }));
    return openCatalog(database, cache);
  });
  return opened;
}

/** Plans a question with the reviewer's words, each as `F3: words`. */
export async function plan(
  question: string,
  corrections: string[] = [],
  choices: Record<string, string> = {},
): Promise<Planned> {
  const { catalog, values } = await openChinook();
  return planQuestion({
    question,
    catalog,
    values,
    choices,
    corrections: corrections.map((text) => ({ phase: text.slice(0, 2) as PhaseId, text: text.slice(4) })),
  });
}

export async function planned(
  question: string,
  corrections: string[] = [],
  choices: Record<string, string> = {},
): Promise<Plan> {
  const result = await plan(question, corrections, choices);
  if (result.outcome !== "plan") throw new Error(`no plan for "${question}": ${JSON.stringify(result)}`);
  return result.plan;
}

export function rows(sql: string): unknown[][] {
  const database = new DatabaseSync(chinookFile, { readOnly: true });
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.values(row));
  } finally {
    database.close();
  }
}
