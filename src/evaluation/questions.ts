/**
 * This folder tells how good answers are: it reads questions with their gold SQL, compares rows, plays the reviewer who
 * knows the gold query, and writes reports that can be compared. It starts no server and no child: who asks the
 * questions hands in a function. Here stand the questions.
 */
import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import { check, ThothError } from "../protocol/index.ts";

/** One line of a question file; other properties are passed over. */
const QuestionLine = Type.Object({
  id: Type.Union([Type.String({ minLength: 1 }), Type.Number()]),
  db: Type.String({ minLength: 1 }),
  question: Type.String({ minLength: 1 }),
  /** Left out: SQLite. */
  dialect: Type.Optional(Type.String()),
  gold_sql: Type.Optional(Type.String({ minLength: 1 })),
  /** Any one of these is right as well. */
  gold_sql_alternatives: Type.Optional(Type.Array(Type.String())),
  /** The database can't answer it: the right end is to say so, or to ask. */
  expect: Type.Optional(Type.Literal("no-answer")),
  /** Its gold result hangs on today's date. */
  time_dependent: Type.Optional(Type.Boolean()),
  /** It has two readings; the second one's queries stand in `gold_sql_alternatives`. */
  ambiguity: Type.Optional(Type.String()),
  /** Statements that are run on a copy of the database first. */
  setup_sql: Type.Optional(Type.Array(Type.String())),
  /** A table that the second reading needs and nobody gives. */
  new_table: Type.Optional(Type.String()),
  source: Type.Optional(Type.String()),
  tags: Type.Optional(Type.Array(Type.String())),
  category: Type.Optional(Type.String()),
});
type QuestionLine = Static<typeof QuestionLine>;
export type Question = Omit<QuestionLine, "id"> & { id: string };

const wanted = "Write one object {id, db, question, gold_sql} per line.";

/** Throws ThothError `questions-malformed` with the number of the line. */
export function parseQuestions(text: string): Question[] {
  const questions: Question[] = [];
  const lines = new Map<string, number>();
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const question = parseLine(line, index + 1);
    const before = lines.get(question.id);
    if (before !== undefined)
      throw malformed(`Line ${index + 1} has the id of line ${before}.`, "Give every question an id of its own.");
    lines.set(question.id, index + 1);
    questions.push(question);
  }
  if (questions.length === 0) throw malformed("There is no question in it.", wanted);
  return questions;
}

function parseLine(line: string, number: number): Question {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw malformed(`Line ${number} is no JSON.`, wanted);
  }
  const checked = check(QuestionLine, withoutNulls(value));
  if (!checked.ok) throw malformed(`Line ${number} doesn't fit: ${checked.problem}.`, wanted);
  const { id, ...question } = checked.value;
  if (question.gold_sql === undefined && question.expect === undefined)
    throw malformed(
      `Line ${number} has no gold_sql.`,
      'Give its gold query, or "expect": "no-answer" for a question that the database can\'t answer.',
    );
  return { ...question, id: String(id) };
}

/** Programs that write such files put null where there is nothing. */
const withoutNulls = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([, part]) => part !== null))
    : value;

const malformed = (message: string, action: string) => new ThothError("questions-malformed", message, action);

/** The same for the same questions in the same order, whatever else their lines hold. */
export function hashQuestions(questions: readonly Question[]): string {
  const kept = questions.map(({ id, db, question, gold_sql, gold_sql_alternatives, setup_sql, expect }) => [
    id,
    db,
    question,
    gold_sql ?? null,
    gold_sql_alternatives ?? [],
    setup_sql ?? [],
    expect ?? null,
  ]);
  return createHash("sha256").update(JSON.stringify(kept)).digest("hex");
}

/** Why a question doesn't count with the others, as far as its line says so. */
export function apartOf({ expect, ambiguity, time_dependent }: Question) {
  if (expect) return "unanswerable" as const;
  if (ambiguity !== undefined) return "ambiguous" as const;
  return time_dependent ? ("time-dependent" as const) : undefined;
}
