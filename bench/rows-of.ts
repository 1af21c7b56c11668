import { DatabaseSync } from "node:sqlite";

/** Rows of a statement on an SQLite file, by position; throws what SQLite says. */
export function rowsOf(file: string, sql: string): unknown[][] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all() as unknown as unknown[][];
  } finally {
    database.close();
  }
}
