/** PostgreSQL's types → what a column holds for a person. */
import type { ColumnKind } from "../../protocol/index.ts";

export interface TypeFacts {
  name: string;
  /** `pg_type.typtype`: b base, c composite, d domain, e enum, r range, m multirange. */
  type: string;
}

const byName: Record<string, ColumnKind> = {
  int2: "integer",
  int4: "integer",
  int8: "integer",
  oid: "integer",
  numeric: "number",
  float4: "number",
  float8: "number",
  money: "number",
  bool: "boolean",
  date: "date",
  timestamp: "date",
  timestamptz: "date",
  time: "text",
  timetz: "text",
  uuid: "text",
  inet: "text",
  cidr: "text",
  macaddr: "text",
  bytea: "blob",
  text: "text",
  varchar: "text",
  bpchar: "text",
  char: "text",
  name: "text",
  citext: "text",
};

/** A domain must be given as the type it stands on. Arrays, JSON, ranges, geometry and rows are `other`. */
export function toColumnKind({ name, type }: TypeFacts): ColumnKind {
  return type === "e" ? "text" : (byName[name] ?? "other");
}
