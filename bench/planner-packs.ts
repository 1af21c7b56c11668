/** What `score-planner.ts` does beside scoring one file: the ablation table, and who names both readings of a question. */
import { readFileSync } from "node:fs";
import type { OpenedCatalog } from "../src/catalog/open-catalog.ts";
import type { ValueIndex } from "../src/catalog/value-index.ts";
import { evaluateQuestion } from "../src/evaluation/evaluate-question.ts";
import { openPlaces } from "../src/evaluation/places.ts";
import { parseQuestions } from "../src/evaluation/questions.ts";
import { createPlannerWalk } from "../src/evaluation/walk-planner.ts";
import { planQuestion } from "../src/planner/plan-question.ts";
import { type PlannerPart, plannerParts, without } from "../src/planner/words/parts.ts";
import type { Question, Verdict } from "./score-planner.ts";

type Score = (change: (opened: OpenedCatalog) => OpenedCatalog) => Promise<{ verdict: Verdict; question: Question }[]>;

const noValues: ValueIndex = { lookup: () => [], search: () => [], coverage: () => ({ distinct: 0, partial: true }) };
/** The planner keeps what it derives by catalog, so that each run needs one of its own. */
const fresh = (opened: OpenedCatalog): OpenedCatalog => ({ ...opened, catalog: { ...opened.catalog } });
const relations = (keep: (origin: string) => boolean) => (opened: OpenedCatalog) => ({
  ...opened,
  catalog: {
    ...opened.catalog,
    relations: opened.catalog.relations.filter((relation) => keep(relation.origin)),
  },
});
const inputs: [string, (opened: OpenedCatalog) => OpenedCatalog][] = [
  ["all relations", relations(() => false)],
  ["inferred relations", relations((origin) => origin === "declared")],
  ["declared relations", relations((origin) => origin !== "declared")],
  ["stored values", (opened) => ({ ...opened, values: noValues })],
];

/** Rows of a Markdown table: what is left out, and what that does to right and wrong, in questions. */
export async function ablate(score: Score): Promise<string[]> {
  const count = (rows: { verdict: Verdict }[], verdict: Verdict) =>
    rows.filter((row) => row.verdict === verdict).length;
  const whole = await score(fresh);
  const head = ["| left out | right | wrong |", "| --- | ---: | ---: |"];
  const line = (name: string, rows: { verdict: Verdict }[]) => {
    const by = (verdict: Verdict) => {
      const change = count(rows, verdict) - count(whole, verdict);
      return `${change > 0 ? "+" : change < 0 ? "−" : ""}${Math.abs(change)}`;
    };
    return `| ${name} | ${by("right")} | ${by("wrong")} |`;
  };
  const made: { lost: number; text: string }[] = [];
  const add = (name: string, rows: { verdict: Verdict }[]) =>
    made.push({ lost: count(whole, "right") - count(rows, "right"), text: line(name, rows) });
  for (const [name, change] of inputs) add(name, await score(change));
  for (const part of plannerParts satisfies readonly PlannerPart[]) add(part, await without(part, () => score(fresh)));
  made.sort((a, b) => b.lost - a.lost);
  return [
    ...head,
    `| nothing | ${count(whole, "right")} of ${whole.length} | ${count(whole, "wrong")} |`,
    ...made.map((row) => row.text),
  ];
}

/** How many ambiguous questions have both readings named at a gate; those whose second table nobody gives apart. */
export async function scoreAmbiguous(file: string, databases: string): Promise<string[]> {
  const all = parseQuestions(readFileSync(file, "utf8")).filter((question) => question.ambiguity !== undefined);
  const questions = all.filter((question) => question.new_table === undefined);
  const places = await openPlaces(databases);
  const found = { asked: 0, open_question: 0, left_out: 0 };
  let named = 0;
  try {
    for (const question of questions) {
      const place = await places.open(question);
      const parts = { walk: createPlannerWalk(), reviewer: "none" as const, signal: new AbortController().signal };
      const { readings } = await evaluateQuestion(question, place, parts);
      if (!readings) continue;
      for (const key of Object.keys(found) as (keyof typeof found)[]) if (readings[key]) found[key] += 1;
      if (Object.values(readings).some(Boolean)) named += 1;
    }
  } finally {
    await places.close();
  }
  const percent = ((100 * named) / Math.max(questions.length, 1)).toFixed(1);
  return [
    `both readings named: ${named} of ${questions.length} (${percent} %): asked ${found.asked}, open question ${found.open_question}, left out by name ${found.left_out}`,
    `${all.length - questions.length} more need a table that nobody gives`,
  ];
}

/** How questions end that the data can't answer. */
export async function scoreUnanswerable(
  file: string,
  open: (db: string) => Promise<OpenedCatalog>,
): Promise<Record<"plan" | "ask" | "cannot-answer", number>> {
  const ends = { plan: 0, ask: 0, "cannot-answer": 0 };
  for (const { question, db, expect } of parseQuestions(readFileSync(file, "utf8"))) {
    if (expect !== "no-answer") continue;
    const { catalog, values } = await open(db);
    ends[(await planQuestion({ question, catalog, values, corrections: [], choices: {} })).outcome] += 1;
  }
  return ends;
}
