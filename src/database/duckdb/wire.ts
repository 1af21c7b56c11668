/** What the adapter and its reader process say to each other: JSON texts, both ways, and rows packed. */
import type { DatabaseProblem, IntrospectedTable } from "../database.ts";
import type { ReadReply } from "../reader/read-all.ts";

/** A DuckDB database, or files that are read as tables. Paths of files are relative to `root`, with `/` between. */
export type Source =
  | { kind: "database"; file: string }
  | {
      kind: "files";
      root: string;
      /** Changes when a file does: tables made under one state serve as long as it stays. */
      state: string;
      files: readonly string[];
      /** How the files are read, when an earlier process has found it out: looking into text files takes time. */
      tables?: FileTables;
    };

export interface FileTable {
  name: string;
  /** The SELECT over its files that stands behind the name. */
  sql: string;
}

export interface FileTables {
  tables: readonly FileTable[];
  /** Files that can't be read, and why in the engine's words. */
  skipped: readonly { file: string; problem: DatabaseProblem }[];
}

interface Asked {
  source: Source;
  /** The reader ends itself some time after this, should the adapter not do it. */
  deadlineMs: number;
}
export interface ReadRequest extends Asked {
  kind: "read";
  statements: readonly string[];
  maxRows: number;
  maxBytes: number;
}
export type Request = ReadRequest | (Asked & { kind: "introspect" }) | (Asked & { kind: "inspect" });

/**
 * Per request, before its `done`: one `read` per statement, in order, or one `tables` or `report`, or `failed` when
 * the source couldn't be opened. `files` comes first whenever it was found out anew.
 */
export type Reply =
  | ReadReply
  | { kind: "files"; state: string; tables: FileTables }
  | { kind: "tables"; tables: IntrospectedTable[] }
  | { kind: "report"; version: string };
