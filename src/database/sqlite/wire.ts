/** What the adapter and its reader process say to each other: JSON texts, both ways, and rows packed. */
import type { IntrospectedTable } from "../database.ts";
import type { ReadReply } from "../reader/read-all.ts";

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

/** Per request, before its `done`: what a read gives, or one `tables`, or `failed` when the file couldn't be opened. */
export type Reply = ReadReply | { kind: "tables"; tables: IntrospectedTable[] };
