import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { renameDatabase, renameText } from "../../bench/rename-chinook.ts";
import { readQuestions, scoreAll } from "../../bench/score-planner.ts";

const root = new URL("../..", import.meta.url).pathname;
const demo = join(root, "demo/chinook.sqlite");
const own = readQuestions(join(root, "test/fixtures/chinook-questions.jsonl"));
const more = readQuestions(join(root, "test/fixtures/chinook-more.jsonl"));
const further = readQuestions(join(root, "test/fixtures/chinook-further.jsonl"));
const analyst = readQuestions(join(root, "test/fixtures/chinook-analyst.jsonl"));
const wrong = async (questions: typeof own, file: string) =>
  (await scoreAll(questions, () => file)).filter((row) => row.verdict !== "right").map((row) => row.question.question);

it("has the demo database", () => expect(existsSync(demo)).toBe(true));

it("answers all shipped Chinook questions", async () => {
  expect(await wrong(own, demo)).toEqual([]);
  expect(await wrong(more, demo)).toEqual([]);
  expect(await wrong(further, demo)).toEqual([]);
  expect(await wrong(analyst, demo)).toEqual([]);
}, 60_000);

it("keeps the score when tables and columns are renamed", async () => {
  const folder = mkdtempSync(join(tmpdir(), "renamed-"));
  const copy = join(folder, "chinook.sqlite");
  cpSync(demo, copy);
  renameDatabase(copy);
  const renamed = [...own, ...more, ...further, ...analyst].map((question) => ({
    ...question,
    question: renameText(question.question),
    gold_sql: renameText(question.gold_sql),
    gold_sql_alternatives: (question.gold_sql_alternatives ?? []).map(renameText),
  }));
  expect((await wrong(renamed, copy)).length).toBeLessThanOrEqual(Math.floor(renamed.length * 0.02));
  rmSync(folder, { recursive: true });
}, 60_000);
