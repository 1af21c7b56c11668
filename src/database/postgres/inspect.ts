/** What answered, and what its role could do beyond reading: with statements to copy for a role that can't. */
import type { PostgresConnection } from "../connection.ts";
import type { DatabaseReport } from "../database.ts";
import { quoteName } from "./quote-name.ts";
import type { Session } from "./session.ts";
import type { Traits } from "./traits.ts";

export interface RoleFacts {
  role: string;
  database: string;
  superuser: boolean;
  /** Roles of the engine it belongs to that reach files or programs of the server. */
  powers: string[];
  schemas: { name: string; creates: boolean; everyoneCreates: boolean; tables: number; writable: number }[];
}

const roleQuery = `
SELECT current_user::text AS role, current_database()::text AS database,
  COALESCE((SELECT r.rolsuper FROM pg_catalog.pg_roles r WHERE r.rolname = current_user), false) AS superuser`;

const powersQuery = `
SELECT r.rolname AS name FROM pg_catalog.pg_roles r
WHERE r.rolname IN ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program', 'pg_write_all_data')
  AND pg_catalog.pg_has_role(r.oid, 'MEMBER')
ORDER BY r.rolname`;

const schemasQuery = `
SELECT n.nspname AS name, pg_catalog.has_schema_privilege(n.oid, 'CREATE') AS creates,
  pg_catalog.has_schema_privilege('public', n.oid, 'CREATE') AS "everyoneCreates",
  count(c.oid)::int AS tables,
  COALESCE(sum(CASE WHEN pg_catalog.has_table_privilege(c.oid, 'INSERT')
    OR pg_catalog.has_table_privilege(c.oid, 'UPDATE')
    OR pg_catalog.has_table_privilege(c.oid, 'DELETE') THEN 1 ELSE 0 END), 0)::int AS writable
FROM pg_catalog.pg_namespace n
LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind IN ('r', 'p', 'f')
WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname NOT IN ('information_schema', 'crdb_internal')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
GROUP BY n.oid, n.nspname
ORDER BY n.nspname`;

/** Runs inside a transaction. */
export async function inspectRole(
  session: Session,
  traits: Traits,
  target: PostgresConnection,
): Promise<DatabaseReport> {
  const ask = async <T extends object>(query: string): Promise<T[]> => (await session.client.query<T>(query)).rows;
  const [role] = await ask<Pick<RoleFacts, "role" | "database" | "superuser">>(roleQuery);
  const schemas = await ask<RoleFacts["schemas"][number]>(schemasQuery);
  const powers = (await ask<{ name: string }>(powersQuery)).map(({ name }) => name);
  const facts: RoleFacts = {
    ...(role ?? { role: target.user, database: target.database, superuser: false }),
    schemas,
    powers,
  };
  return { product: traits.product, warnings: [...toRoleWarnings(facts), ...toServerWarnings(traits, target)] };
}

type Warnings = DatabaseReport["warnings"];

export function toRoleWarnings(facts: RoleFacts): Warnings {
  const { role, superuser, powers, schemas } = facts;
  const remedy = toReaderStatements(facts);
  if (superuser)
    return [{ message: `The role “${role}” is a superuser: the server would let it do anything.`, remedy }];
  const rights: string[] = [];
  const writable = schemas.reduce((sum, schema) => sum + schema.writable, 0);
  const tables = schemas.reduce((sum, schema) => sum + schema.tables, 0);
  if (writable > 0) rights.push(`change rows in ${writable} of ${tables} tables`);
  const created = schemas.filter((schema) => schema.creates).map(({ name }) => `“${name}”`);
  if (created.length > 0) rights.push(`create tables in ${created.join(", ")}`);
  if (powers.length > 0) rights.push(`act as ${powers.join(", ")}`);
  if (rights.length === 0) return [];
  return [{ message: `The role “${role}” could do more than read: ${rights.join("; ")}.`, remedy }];
}

/** For the schemas with tables in them. */
function toReaderStatements({ database, schemas }: RoleFacts): string {
  const used = schemas.filter((schema) => schema.tables > 0);
  const lines = [
    "CREATE ROLE thoth_reader LOGIN PASSWORD '…';",
    "ALTER ROLE thoth_reader SET default_transaction_read_only = on;",
    `GRANT CONNECT ON DATABASE ${quoteName(database)} TO thoth_reader;`,
    ...used.flatMap(({ name }) => [
      `GRANT USAGE ON SCHEMA ${quoteName(name)} TO thoth_reader;`,
      `GRANT SELECT ON ALL TABLES IN SCHEMA ${quoteName(name)} TO thoth_reader;`,
      `ALTER DEFAULT PRIVILEGES IN SCHEMA ${quoteName(name)} GRANT SELECT ON TABLES TO thoth_reader;`,
    ]),
    ...schemas
      .filter((schema) => schema.everyoneCreates)
      .map(({ name }) => `REVOKE CREATE ON SCHEMA ${quoteName(name)} FROM PUBLIC;`),
  ];
  return lines.join("\n");
}

export function toServerWarnings(traits: Traits, target: PostgresConnection): Warnings {
  const warnings: Warnings = [];
  if (target.tls === "off" && !isLocal(target.host))
    warnings.push({
      message: "The connection isn't encrypted: rows and the login can be read on the way.",
      remedy: "Choose TLS for this connection, with verification where the server's certificate allows it.",
    });
  if (!traits.statementTimeout)
    warnings.push({
      message: "The server knows no statement_timeout: a query that runs too long is ended only by a cancel request.",
      remedy: "Set a time limit for this role at the server.",
    });
  if (!traits.functionLookup)
    warnings.push({
      message: "The server's catalogue doesn't tell which functions act: only known ones are refused.",
      remedy: "Use a role that may execute no function but the built-in ones.",
    });
  if (traits.snapshot === undefined)
    warnings.push({
      message: "The server doesn't tell whether rows have changed: the catalog is read anew each time.",
      remedy: "Nothing needs to be done; opening takes longer.",
    });
  return warnings;
}

const isLocal = (host: string): boolean => host.startsWith("/") || /^(localhost|127\.\d+\.\d+\.\d+|::1)$/.test(host);
