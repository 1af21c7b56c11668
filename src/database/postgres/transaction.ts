/** The only place that statements run in: a READ ONLY transaction with our settings and a time limit, always undone. */
import type { Session } from "./session.ts";
import type { Traits } from "./traits.ts";

/** `ms` are what the server may take for one statement; settings are local, so that a pooler in between keeps none. */
export async function inTransaction<T>(
  session: Session,
  traits: Traits,
  ms: number,
  work: () => Promise<T>,
): Promise<T> {
  const settings = traits.statementTimeout
    ? [...traits.settings, `statement_timeout = ${Math.max(1, Math.ceil(ms))}`]
    : traits.settings;
  try {
    await session.client.query(["BEGIN READ ONLY", ...settings.map((setting) => `SET LOCAL ${setting}`)].join(";\n"));
    return await work();
  } finally {
    await rollback(session);
  }
}

/** A connection whose transaction can't be undone is of no use any more. */
async function rollback(session: Session): Promise<void> {
  if (!session.alive) return;
  try {
    await session.client.query("ROLLBACK");
  } catch {
    session.destroy();
  }
}
