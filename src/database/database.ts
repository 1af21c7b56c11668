/** What every database engine offers: introspection and bounded, read-only reading. Nothing here can write. */
import type { ColumnKind, ForeignKey, QueryResult } from "../protocol/index.ts";
import type { Connection } from "./connection.ts";

export interface ReadOptions {
  /** Rows kept; one more is looked for to tell whether the result was cut. */
  maxRows: number;
  /** Bytes of cell text kept over the whole result. */
  maxBytes: number;
  /** Milliseconds after which the query is ended where it runs; the start of a process for it doesn't count. */
  deadlineMs: number;
  signal?: AbortSignal | undefined;
}

export type DatabaseErrorCode =
  | "unknown-table"
  | "unknown-column"
  | "syntax"
  | "type"
  | "permission"
  | "refused"
  | "timeout"
  | "stopped"
  | "connection"
  | "missing"
  | "empty"
  | "not-a-database"
  | "locked"
  | "other";

/** The engine's own message: for the model and the server's log, never for the page as it is. */
export interface DatabaseProblem {
  code: DatabaseErrorCode;
  message: string;
}

export type Read = { ok: true; result: QueryResult; ms: number } | { ok: false; error: DatabaseProblem };

export interface IntrospectedTable {
  /** Set for a table outside the schema that the connection reads unqualified names from. */
  schema?: string;
  /** How everything else calls it: `orders`, or `sales.orders` when `schema` is set. Foreign keys point to this. */
  name: string;
  kind: "table" | "view";
  comment?: string;
  /** Rows by the engine's own statistics, where it keeps any. */
  rowEstimate?: number;
  columns: { name: string; type: string; kind: ColumnKind; nullable: boolean; comment?: string }[];
  primaryKey: string[];
  unique: string[][];
  /** All column pairs of one key in one entry, in the key's order. */
  foreignKeys: ForeignKey[];
}

/** What answered and what its role may do. */
export interface DatabaseReport {
  /** Name and version as the server tells it, e.g. `PostgreSQL 18.4`, `MariaDB 10.11.19`. */
  product: string;
  /** What the reader should know, with a way out: statements to copy for a role that could write, what is missing. */
  warnings: { message: string; remedy: string }[];
}

export interface Database {
  readonly engine: Connection["engine"];
  /** Tables and views without the engine's own; throws ThothError when the database can't be opened. */
  introspect(): Promise<IntrospectedTable[]>;
  /** Runs exactly one reading statement; anything else comes back as `refused`. */
  read(sql: string, options: ReadOptions): Promise<Read>;
  /** Several statements one after another on one connection, under one deadline; a failed one doesn't stop the rest. */
  readAll(statements: readonly string[], options: ReadOptions): Promise<Read[]>;
  /**
   * `<database>:<state>`; the state changes whenever stored rows may have changed; cheap.
   * Throws ThothError when the database is gone.
   */
  fingerprint(): Promise<string>;
  /** Throws ThothError when the database can't be asked. */
  inspect(): Promise<DatabaseReport>;
  /** An identifier as this engine quotes it; always quoted. */
  quote(identifier: string): string;
  /** Gives connections and processes back; a later call opens them again. */
  close(): Promise<void>;
}
