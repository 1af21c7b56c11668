import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { renameDatabase, renameText } from "../../bench/rename-chinook.ts";
import { readQuestions, type Scored, scoreAll } from "../../bench/score-planner.ts";

const root = new URL("../..", import.meta.url).pathname;
const demo = join(root, "demo/chinook.sqlite");
const [own, more, further, analyst] = ["questions", "more", "further", "analyst"].map((name) =>
  readQuestions(join(root, `test/fixtures/chinook-${name}.jsonl`)),
) as [Questions, Questions, Questions, Questions];
type Questions = ReturnType<typeof readQuestions>;
const missed = async (questions: Questions, file: string) =>
  (await scoreAll(questions, () => file)).filter((row) => row.verdict !== "right");
const toText = (row: Scored) => row.question.question;

it("has the demo database", () => expect(existsSync(demo)).toBe(true));

it("answers all shipped Chinook questions", async () => {
  for (const questions of [own, more, further, analyst])
    expect((await missed(questions, demo)).map(toText)).toEqual([]);
}, 120_000);

it("keeps the score when tables and columns are renamed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "renamed-"));
  const copy = join(folder, "chinook.sqlite");
  cpSync(demo, copy);
  renameDatabase(copy);
  const renamed = (questions: Questions) =>
    questions.map((question) => ({
      ...question,
      question: renameText(question.question),
      gold_sql: renameText(question.gold_sql),
      gold_sql_alternatives: (question.gold_sql_alternatives ?? []).map(renameText),
    }));
  expect((await missed(renamed([...own, ...more, ...further]), copy)).length).toBeLessThanOrEqual(2);
  // "support rep" and "supports" are words of a key that has another name now: then it is said, not guessed.
  const lost = await missed(renamed(analyst), copy);
  expect(lost.filter((row) => !/\bsupport|\brep\b/.test(toText(row))).map(toText)).toEqual([]);
  expect(lost.filter((row) => !["ask", "cannot-answer"].includes(row.verdict)).map(toText)).toEqual([]);
  rmSync(folder, { recursive: true });
}, 120_000);
