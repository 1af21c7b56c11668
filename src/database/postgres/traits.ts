/** What the server at the other end is and understands, asked once: many speak the protocol, not all know everything. */
import { isSqlState, type PgFault } from "./classify-error.ts";
import { volatileFunctions } from "./refused-functions.ts";
import type { Session } from "./session.ts";

export interface Traits {
  /** As a person says it: `PostgreSQL 18.4`. */
  product: string;
  /** Those of our settings that the server knows, as `name = value`. */
  settings: readonly string[];
  statementTimeout: boolean;
  /** Whether its catalogue tells volatile functions. */
  functionLookup: boolean;
  /** Whether rights on single columns can be asked for. */
  columnRights: boolean;
  /** The expression whose value changes with every committed write; undefined where there is none. */
  snapshot: string | undefined;
}

/** So that the same row always reads the same, and quotes mean what the parser thinks. */
const settings = [
  "TimeZone = 'UTC'",
  "DateStyle = 'ISO, YMD'",
  "IntervalStyle = 'postgres'",
  "standard_conforming_strings = on",
  "bytea_output = 'hex'",
  "extra_float_digits = 3",
  // The server itself ends a query whose client is gone.
  "client_connection_check_interval = '1s'",
  "idle_in_transaction_session_timeout = '60s'",
];

export async function readTraits(session: Session): Promise<Traits> {
  /** Rows of the last of the statements; undefined when the server doesn't understand one of them. */
  const probe = async (...statements: string[]): Promise<unknown[] | undefined> => {
    try {
      const answers: unknown = await session.client.query(["BEGIN READ ONLY", ...statements].join(";\n"));
      const last: unknown = Array.isArray(answers) ? answers.at(-1) : answers;
      return (last as { rows: unknown[] }).rows;
    } catch (error) {
      if (isSqlState((error as PgFault).code)) return undefined;
      throw error;
    } finally {
      if (session.alive) await session.client.query("ROLLBACK");
    }
  };
  const understands = async (...statements: string[]) => (await probe(...statements)) !== undefined;
  const known = async (): Promise<string[]> => {
    if (await understands(...settings.map(toSet))) return settings;
    const found: string[] = [];
    for (const setting of settings) if (await understands(toSet(setting))) found.push(setting);
    return found;
  };
  const first = (await probe("SELECT version() AS version"))?.[0] as { version: string } | undefined;
  const version = first?.version ?? "";
  const citus = (await probe("SELECT 1 FROM pg_catalog.pg_extension WHERE extname = 'citus'"))?.length === 1;
  let snapshot: string | undefined;
  if (isSingleServer(version) && !citus) {
    for (const call of ["pg_catalog.pg_current_snapshot()", "pg_catalog.txid_current_snapshot()"])
      if (snapshot === undefined && (await understands(`SELECT ${call}`))) snapshot = call;
  }
  return {
    product: citus ? `${toProduct(version)} with Citus` : toProduct(version),
    settings: await known(),
    statementTimeout: await understands("SET LOCAL statement_timeout = 1000"),
    functionLookup: await understands(volatileFunctions.replace("$1", "'{}'")),
    columnRights: await understands("SELECT pg_catalog.has_any_column_privilege('pg_catalog.pg_class', 'SELECT')"),
    snapshot,
  };
}

const toSet = (setting: string): string => `SET LOCAL ${setting}`;

/** Where one server's transaction numbers tell of every write; elsewhere rows change without them. */
const isSingleServer = (version: string): boolean =>
  /^PostgreSQL/.test(version) && !/-YB-|Redshift|Greenplum/.test(version);

/** `version()` is a sentence with the compiler in it. */
export function toProduct(version: string): string {
  const redshift = /Redshift ([\d.]+)/.exec(version);
  if (redshift) return `Redshift ${redshift[1]}`;
  const yugabyte = /-YB-([\d.]+)/.exec(version);
  if (yugabyte) return `YugabyteDB ${yugabyte[1]}`;
  const cockroach = /^CockroachDB\b.*?v([\d.]+)/.exec(version);
  if (cockroach) return `CockroachDB ${cockroach[1]}`;
  const greenplum = /Greenplum Database ([\d.]+)/.exec(version);
  if (greenplum) return `Greenplum ${greenplum[1]}`;
  return /^\S+ [\w.]+/.exec(version)?.[0] ?? "PostgreSQL";
}
