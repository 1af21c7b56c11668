/** All questions of a set, several at a time; each result is handed out as it comes. */
import { ThothError } from "../protocol/errors.ts";
import { type EvaluationParts, evaluateQuestion } from "./evaluate-question.ts";
import type { Places } from "./places.ts";
import { apartOf, type Question } from "./questions.ts";
import type { EvaluatedQuestion } from "./report.ts";

/** Resolves when all are done, or when the signal asked to stop and what was begun has ended. */
export async function evaluate(
  questions: readonly Question[],
  places: Places,
  parts: EvaluationParts & { concurrency: number },
  onResult: (result: EvaluatedQuestion) => Promise<void>,
): Promise<void> {
  const waiting = questions.values();
  const work = async () => {
    for (const question of waiting) {
      if (parts.signal.aborted) return;
      const result = await evaluateOne(question, places, parts);
      if (result === null) return;
      await onResult(result);
    }
  };
  const workers = Array.from({ length: Math.min(parts.concurrency, questions.length) }, work);
  const ended = await Promise.allSettled(workers);
  const failed = ended.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
}

/** Null when it was stopped half-way: then it has no result, and is asked again the next time. */
async function evaluateOne(
  question: Question,
  places: Places,
  parts: EvaluationParts,
): Promise<EvaluatedQuestion | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await evaluateQuestion(question, await places.open(question), parts);
    } catch (error) {
      if (parts.signal.aborted) return null;
      // A busy machine can make a database late once; one question must not cost all others their results.
      if (!(error instanceof ThothError)) throw error;
      if (attempt === 2) return toFailed(question, error.message);
    }
  }
}

function toFailed(asked: Question, note: string): EvaluatedQuestion {
  const { id, db, question, source, gold_sql } = asked;
  const apart = apartOf(asked);
  return {
    id,
    db,
    question,
    predicted_sql: null,
    outcome: "failed",
    corrections: 0,
    ms: 0,
    tokens: 0,
    ...(source === undefined ? {} : { source }),
    ...(apart ? { apart } : {}),
    ...(gold_sql === undefined ? {} : { gold_sql }),
    note,
  };
}
