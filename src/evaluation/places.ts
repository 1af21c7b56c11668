/** The databases of a question set: one file per name, copied first where a question wants statements run on it. */
import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type OpenedCatalog, openCatalog } from "../catalog/open-catalog.ts";
import type { Database } from "../database/database.ts";
import { openDatabase } from "../database/open-database.ts";
import { type Knowledge, ThothError } from "../protocol/index.ts";
import type { Question } from "./questions.ts";

export interface Place {
  file: string;
  database: Database;
  catalog(): Promise<OpenedCatalog>;
  /** What people told of it. */
  knowledge?: Knowledge | undefined;
}
export interface Places {
  /** The same object for questions on the same rows. */
  open(question: Question): Promise<Place>;
  /** Ends what was opened and removes copies. */
  close(): Promise<void>;
}

const endings = [".sqlite", ".db", ".duckdb"];

/** Throws ThothError `databases-unknown` for the first database that isn't there. */
export async function requireFiles(folder: string, questions: readonly Question[]): Promise<void> {
  for (const db of new Set(questions.map((question) => question.db))) await findFile(folder, db);
}

async function findFile(folder: string, db: string): Promise<string> {
  if (!/[/\\]|^\.\.?$/.test(db))
    for (const ending of endings) {
      const file = join(folder, `${db}${ending}`);
      if ((await stat(file).catch(() => null))?.isFile()) return file; // not there: the next ending
    }
  throw new ThothError(
    "databases-unknown",
    `There is no database ${db} in ${folder}.`,
    `Put ${db}.sqlite there, or give another folder with --databases.`,
  );
}

/**
 * `catalogs`: where catalogs are kept; by default they go with the rest. `knowledge`: what is known of all of them, which
 * is meant for a set about one database.
 */
export async function openPlaces(folder: string, catalogs?: string, knowledge?: Knowledge): Promise<Places> {
  const scratch = await mkdtemp(join(tmpdir(), "thoth-eval-"));
  const known = new Map<string, Promise<Place>>();
  const make = async ({ db, setup_sql: setup = [] }: Question, number: number): Promise<Place> => {
    let file = await findFile(folder, db);
    if (setup.length > 0) {
      const copy = join(scratch, `${number}.sqlite`);
      await copyFile(file, copy);
      file = copy;
      const changed = new DatabaseSync(copy);
      try {
        for (const statement of setup) changed.exec(statement);
      } finally {
        changed.close();
      }
    }
    const database = await openDatabase({ engine: file.endsWith(".duckdb") ? "duckdb" : "sqlite", file });
    let catalog: Promise<OpenedCatalog> | undefined;
    return {
      file,
      database,
      knowledge,
      catalog: () => (catalog ??= openCatalog(database, catalogs ?? join(scratch, "catalogs"))),
    };
  };
  return {
    open(question) {
      const key = JSON.stringify([question.db, question.setup_sql ?? []]);
      const place = known.get(key) ?? make(question, known.size + 1);
      known.set(key, place);
      place.catch(() => known.delete(key)); // a fault that passes must not be remembered
      return place;
    },
    async close() {
      for (const opening of known.values()) {
        const place = await opening.catch(() => null); // never opened: its fault was told
        if (!place) continue;
        (await place.catalog().catch(() => null))?.close();
        await place.database.close();
      }
      await rm(scratch, { recursive: true, force: true });
    },
  };
}
