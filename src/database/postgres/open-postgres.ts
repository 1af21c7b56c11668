/**
 * PostgreSQL and what speaks its protocol. A statement is decided by the engine's own parser and by the server's
 * catalogue of functions, runs in a READ ONLY transaction that is always undone, and is read through a cursor; it is
 * ended on the server by a time limit there, by a cancel request, and at last by closing its connection.
 */
import type { PostgresConnection } from "../connection.ts";
import type { Database } from "../database.ts";
import { readSecret } from "../read-secret.ts";
import { createPostgresDatabase } from "./adapter.ts";

/** Connects once, so that faults come up here: see `faults.ts` for their codes. */
export async function openPostgres(connection: PostgresConnection): Promise<Database> {
  const database = createPostgresDatabase({ ...connection, secret: await readSecret(connection.password) });
  try {
    await database.fingerprint();
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}
