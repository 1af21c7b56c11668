/** What a person means by a DuckDB type. */
import type { ColumnKind } from "../../protocol/index.ts";

export function toColumnKind(declared: string): ColumnKind {
  const type = declared.toUpperCase();
  if (/[[(]/.test(type) && !/^(DECIMAL|ENUM)\(/.test(type)) return "other";
  if (type === "BOOLEAN") return "boolean";
  if (/^(DATE|TIMESTAMP)/.test(type)) return "date";
  if (/^(TIME|INTERVAL|VARCHAR|UUID|ENUM|JSON)/.test(type)) return "text";
  if (/INT(EGER)?$|^BIGNUM$/.test(type)) return "integer";
  if (/^(DECIMAL|DOUBLE|FLOAT)/.test(type)) return "number";
  return type === "BLOB" ? "blob" : "other";
}
