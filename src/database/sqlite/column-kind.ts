/** SQLite's declared type is free text; this is what a person means by it. */
import type { ColumnKind } from "../../protocol/index.ts";

export function toColumnKind(declared: string): ColumnKind {
  const type = declared.toUpperCase();
  if (type === "") return "other";
  if (/BOOL/.test(type)) return "boolean";
  if (/DATE|TIMESTAMP/.test(type)) return "date";
  if (/INTERVAL/.test(type)) return "text";
  if (/INT|SERIAL|YEAR/.test(type)) return "integer";
  if (/CHAR|CLOB|TEXT|STRING|JSON|UUID|ENUM|^TIME/.test(type)) return "text";
  if (/BLOB|BINARY|BYTEA|IMAGE/.test(type)) return "blob";
  if (/REAL|FLOA|DOUB|NUM|DEC|MONEY|BIT/.test(type)) return "number";
  return "other";
}
