/** Small databases with questions of their own: `NAME.sql` builds the database, `NAME.jsonl` asks about it. */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

export interface SmallDatabase {
  name: string;
  /** Where its questions are. */
  questions: string;
  /** Where it was built. */
  file: string;
  /** Nobody who works on the planner has read its questions. */
  held: boolean;
}

/** Builds all of them below `scratch`; those in `held/` are marked. */
export function buildSmallDatabases(folder: string, scratch: string): SmallDatabase[] {
  mkdirSync(scratch, { recursive: true });
  const build = (from: string, held: boolean): SmallDatabase[] =>
    readdirSync(from)
      .filter((name) => name.endsWith(".sql"))
      .sort()
      .map((script) => {
        const name = script.replace(/\.sql$/, "");
        const file = join(scratch, `${name}.sqlite`);
        const database = new DatabaseSync(file);
        database.exec(readFileSync(join(from, script), "utf8"));
        database.close();
        return { name, questions: join(from, `${name}.jsonl`), file, held };
      });
  return [...build(folder, false), ...build(join(folder, "held"), true)];
}
