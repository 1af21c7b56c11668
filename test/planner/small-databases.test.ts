/** Every gold query of the small databases runs on its own database and gives rows: a score against a broken one says nothing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
import { readQuestions, scoreAll } from "../../bench/score-planner.ts";
import { buildSmallDatabases } from "../../bench/small-databases.ts";
import { parseQuestions } from "../../src/evaluation/questions.ts";

const root = join(import.meta.dirname, "../fixtures/small-databases");
const folder = mkdtempSync(join(tmpdir(), "small-databases-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Without their endings, those of `held/` too. */
const names = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".sql"))
  .map((file) => file.slice(0, -".sql".length));

describe.each(names)("%s", (name) => {
  const database = new DatabaseSync(join(folder, `${basename(name)}.sqlite`));
  database.exec(readFileSync(join(root, `${name}.sql`), "utf8"));
  afterAll(() => database.close());
  const questions = parseQuestions(readFileSync(join(root, `${name}.jsonl`), "utf8"));

  it("holds no row without its parent", () => {
    expect(database.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  });

  it.each(questions)("$id: $question", ({ db, gold_sql, gold_sql_alternatives = [] }) => {
    expect(db).toBe(basename(name));
    for (const sql of [gold_sql ?? "", ...gold_sql_alternatives]) {
      const values = database
        .prepare(sql)
        .all()
        .flatMap((row) => Object.values(row));
      expect(
        values.some((value) => value !== null),
        sql,
      ).toBe(true);
    }
  });
});

/** A little under what is measured: a fault in the planner shows here first. `right` at least, `wrong` at most, of all. */
it.each([
  { held: false, right: 0.84, wrong: 0.07 },
  { held: true, right: 0.69, wrong: 0.16 },
])(
  "answers enough of them, held back: $held",
  async ({ held, right, wrong }) => {
    const built = buildSmallDatabases(root, join(folder, `scored-${held}`)).filter((known) => known.held === held);
    const questions = built.flatMap((known) => readQuestions(known.questions));
    const scored = await scoreAll(questions, (db) => built.find((known) => known.name === db)?.file ?? "");
    const share = (verdict: string) => scored.filter((row) => row.verdict === verdict).length / scored.length;
    // Totals alone: a failure names no question that was held back.
    expect(share("right")).toBeGreaterThanOrEqual(right);
    expect(share("wrong")).toBeLessThanOrEqual(wrong);
  },
  120_000,
);
