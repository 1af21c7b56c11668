/** Every gold query of the small databases runs on its own database and gives rows: a score against a broken one says nothing. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, it } from "vitest";
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
