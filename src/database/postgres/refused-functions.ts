/**
 * The server's own word on the functions that a statement calls.
 *
 * Refused are volatile functions of the engine and volatile ones in languages that can leave the database (C, untrusted
 * Python or Perl: extensions such as dblink or http). A user's own function in SQL or PL/pgSQL runs, volatile or not:
 * VOLATILE is what everyone gets who says nothing, and the READ ONLY transaction ends it when it writes. So whoever may
 * create functions decides what such a function reaches, as with views; the role's rights are the wall there.
 */
import type { CalledFunction } from "./check-statement.ts";
import { harmlessVolatile } from "./forbidden-names.ts";
import type { Session } from "./session.ts";

interface VolatileRow {
  schema: string;
  name: string;
  visible: boolean;
}

export const volatileFunctions = `
SELECT DISTINCT n.nspname AS schema, p.proname AS name, pg_catalog.pg_function_is_visible(p.oid) AS visible
FROM pg_catalog.pg_proc p
JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
LEFT JOIN pg_catalog.pg_language l ON l.oid = p.prolang
WHERE p.provolatile = 'v' AND p.proname = ANY($1::text[])
  AND (n.nspname = 'pg_catalog' OR COALESCE(l.lanname, '') NOT IN ('sql', 'plpgsql'))`;

/** A sentence on the first function that may not be called. Runs inside the statement's own transaction. */
export async function findRefusedFunction(
  session: Session,
  functions: readonly CalledFunction[],
): Promise<string | undefined> {
  const names = [...new Set(functions.map(({ name }) => name))].filter((name) => !harmlessVolatile.has(name));
  if (names.length === 0) return undefined;
  const { rows } = await session.client.query<VolatileRow>(volatileFunctions, [names]);
  const refused = functions.find((called) =>
    rows.some(
      (row) => row.name === called.name && (called.schema === undefined ? row.visible : row.schema === called.schema),
    ),
  );
  return refused && `The function ${refused.name} isn't allowed: it can do more than read.`;
}
