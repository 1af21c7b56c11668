/** What the adapter and its reader process say to each other: one JSON text per line, both ways. */
import type { QueryResult } from "../../protocol/index.ts";
import type { DatabaseProblem, IntrospectedTable } from "../database.ts";

export interface ReadRequest {
  kind: "read";
  /** A path, or a `file:` URL when the file must be opened as immutable. */
  location: string;
  statements: readonly string[];
  maxRows: number;
  maxBytes: number;
  /** The reader ends itself some time after this, should the adapter not do it. */
  deadlineMs: number;
}

export interface IntrospectRequest {
  kind: "introspect";
  location: string;
  deadlineMs: number;
}

export type Request = ReadRequest | IntrospectRequest;

/**
 * Per request, before its `done`: one `read` per statement, in order, or one `tables`,
 * or `failed` when the file couldn't be opened.
 */
export type Reply =
  | { kind: "read"; ok: true; result: QueryResult; ms: number }
  | { kind: "read"; ok: false; error: DatabaseProblem }
  | { kind: "tables"; tables: IntrospectedTable[] }
  | { kind: "failed"; error: DatabaseProblem };
