/**
 * A state that changes when rows may have changed, by the server's own transaction numbers: whatever writes takes one,
 * and the snapshot names the first that isn't finished and those still running. Asking doesn't take one.
 *
 * Sound and cheap, but not exact: a write in another database of the same server, or the server's own upkeep (ANALYZE),
 * changes it too. The statistics' counters would be closer, but they come up to a minute late, so that a write just
 * made would be missed. Not seen: rows behind a foreign table. Where no such number speaks for all rows (CockroachDB,
 * YugabyteDB, Citus, Redshift) every state is a new one.
 */
import { createHash } from "node:crypto";
import type { PostgresConnection } from "../connection.ts";
import type { Session } from "./session.ts";
import type { Traits } from "./traits.ts";

/** Runs inside a transaction. `<database>:<state>` */
export async function readFingerprint(session: Session, traits: Traits, target: PostgresConnection): Promise<string> {
  const identity = digest(JSON.stringify([target.host, target.port, target.database, target.user])).slice(0, 16);
  return `postgres-${identity}:${digest(await readState(session, traits)).slice(0, 32)}`;
}

async function readState(session: Session, traits: Traits): Promise<string> {
  if (traits.snapshot === undefined) return `${Date.now()} ${process.hrtime.bigint()}`;
  const { rows } = await session.client.query<{ state: string }>(
    `SELECT d.oid::text || ' ' || ${traits.snapshot}::text AS state
     FROM pg_catalog.pg_database d WHERE d.datname = current_database()`,
  );
  return rows[0]?.state ?? "";
}

const digest = (text: string): string => createHash("sha256").update(text).digest("hex");
