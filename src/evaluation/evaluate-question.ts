/** One question from its text to its outcome, with the reviewer that was asked for. */

import { ThothError } from "../protocol/errors.ts";
import { createOracle } from "./oracle/oracle.ts";
import type { Place } from "./places.ts";
import { apartOf, type Question } from "./questions.ts";
import { createReadings } from "./readings.ts";
import type { EvaluatedQuestion, Outcome, ReportHead, Said } from "./report.ts";
import { acceptAll, childStart, type Reviewer, type Walk, type Walked } from "./reviewed.ts";
import type { Gold } from "./score-answer.ts";
import { openGold, toFirstRows } from "./score-answer.ts";

export interface EvaluationParts {
  walk: Walk;
  reviewer: ReportHead["reviewer"];
  signal: AbortSignal;
}

/** Corrections that a reviewer has patience for. */
export const mostCorrections = 3;

export async function evaluateQuestion(
  question: Question,
  place: Place,
  { walk, reviewer, signal }: EvaluationParts,
): Promise<EvaluatedQuestion> {
  const { catalog } = await place.catalog();
  const gold = question.gold_sql === undefined ? null : await openGold(question, place.database, catalog);
  const knows = reviewer === "oracle" && gold !== null && gold.result !== null;
  const readings = question.ambiguity === undefined ? null : createReadings(question, catalog);
  const go = async (most: number) => {
    const review = knows
      ? createOracle({
          question: question.question,
          goldSql: question.gold_sql ?? "",
          gold,
          catalog,
          most,
        })
      : acceptAll;
    return goThrough(question, place, walk, readings ? readings.watch(review) : review, signal);
  };
  const started = performance.now();
  const last = await go(knows ? mostCorrections : 0);
  const ms = performance.now() - started;
  const end = await toEnd(last, gold);
  let tokens = last.walked.tokens;
  const steps: Outcome[] = [];
  // With less patience the same reviewer says the same first words: only budgets that were exceeded are gone through again.
  for (let most = 0; knows && most < last.said.length; most++) {
    const gone = await go(most);
    tokens += gone.walked.tokens;
    steps.push((await toEnd(gone, gold)).outcome);
  }
  const apart = apartOf(question) ?? gold?.apart;
  const missed = end.outcome !== "right";
  return {
    id: question.id,
    db: question.db,
    question: question.question,
    predicted_sql: last.walked.sql,
    outcome: end.outcome,
    corrections: last.said.length,
    ms: Math.round(ms * 10) / 10,
    tokens,
    ...(question.source === undefined ? {} : { source: question.source }),
    ...toTags(question),
    ...(apart ? { apart } : {}),
    ...(question.gold_sql === undefined ? {} : { gold_sql: question.gold_sql }),
    ...(missed && gold?.result ? { gold_rows: toFirstRows(gold.result) } : {}),
    ...(missed && end.rows ? { predicted_rows: end.rows } : {}),
    ...(end.note ? { note: end.note.slice(0, 2000) } : {}),
    ...(end.afterAsking ? { after_asking: end.afterAsking } : {}),
    ...(last.said.length > 0 ? { said: last.said } : {}),
    ...(knows
      ? { by_corrections: Array.from({ length: mostCorrections + 1 }, (_, most) => steps[most] ?? end.outcome) }
      : {}),
    ...(readings ? { readings: readings.found() } : {}),
  };
}

interface Gone {
  walked: Walked;
  said: Said[];
  /** Questions that were answered with what they proposed. */
  asked: string[];
}

async function goThrough(
  question: Question,
  place: Place,
  walk: Walk,
  review: Reviewer,
  signal: AbortSignal,
): Promise<Gone> {
  const said: Said[] = [];
  const asked: string[] = [];
  const watched: Reviewer = async (gate) => {
    const reply = await review(gate);
    if (reply.answer === "other") said.push({ phase: gate.phase, template: reply.template, text: reply.text });
    else if (gate.kind === "question" && reply.template !== undefined) {
      const label = gate.options.find((option) => option.id === reply.choice)?.label ?? "";
      said.push({ phase: gate.phase, template: reply.template, text: label });
    }
    if (gate.kind === "question" && reply.answer === "continue" && reply.blind) asked.push(gate.question);
    return reply;
  };
  const walked = await walk(question, place, watched, signal).catch((error: unknown): Walked => {
    if (signal.aborted || !(error instanceof ThothError) || error.code === childStart) throw error;
    return { end: "failed", sql: null, note: error.message, tokens: 0 };
  });
  return { walked, said, asked };
}

interface End {
  outcome: Outcome;
  rows?: EvaluatedQuestion["predicted_rows"];
  note?: string;
  afterAsking?: Outcome;
}

/** A question that nobody could answer is an end of its own, whatever came after it. */
async function toEnd({ walked, asked }: Gone, gold: Gold | null): Promise<End> {
  const end = await toPlainEnd(walked, gold);
  if (asked.length === 0 || end.outcome === "cannot-answer") return end;
  return { ...end, outcome: "asked", afterAsking: end.outcome, note: asked.join("\n") };
}

async function toPlainEnd(walked: Walked, gold: Gold | null): Promise<End> {
  const note = walked.note ? { note: walked.note } : {};
  if (walked.end !== "answered" || walked.sql === null)
    return { outcome: walked.end === "cannot-answer" ? "cannot-answer" : "failed", ...note };
  // A question that the data can't answer has no right SQL.
  if (!gold) return { outcome: "wrong", ...note };
  if (!gold.result) return { outcome: "failed", note: "The gold query doesn't run." };
  const answer = await gold.score(walked.sql);
  if (answer.outcome === "failed") return answer;
  const { outcome, result } = answer;
  return { outcome, rows: toFirstRows(result), ...(answer.note ? { note: answer.note } : {}) };
}

function toTags({ tags = [], category }: Question): { tags?: string[] } {
  const all = [...tags, ...(category === undefined ? [] : [category])];
  return all.length > 0 ? { tags: all } : {};
}
