/** One of the small databases of the tests, built in memory's place on disk, for shapes that the demo has no columns for. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { openCatalog } from "../catalog/open-catalog.ts";
import { openDatabase } from "../database/open-database.ts";
import { type Planned, planQuestion } from "./plan-question.ts";

const root = join(import.meta.dirname, "../../test/fixtures/small-databases");

export interface SmallDatabase {
  plan(question: string): Promise<Planned>;
  /** The rows of a statement, each as JSON, sorted unless `ordered`. */
  rows(sql: string, ordered?: boolean): string[];
}

export async function openSmall(name: string): Promise<SmallDatabase> {
  const folder = mkdtempSync(join(tmpdir(), "small-database-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, `${name}.sqlite`);
  const database = new DatabaseSync(file);
  database.exec(readFileSync(join(root, `${name}.sql`), "utf8"));
  const { catalog, values } = await openCatalog(await openDatabase({ engine: "sqlite", file }), folder);
  return {
    plan: (question) => planQuestion({ question, catalog, values, corrections: [], choices: {} }),
    rows: (sql, ordered = false) => {
      const found = database
        .prepare(sql)
        .all()
        .map((row) => JSON.stringify(Object.values(row)));
      return ordered ? found : found.sort();
    },
  };
}
