/** What a person means by MySQL's `COLUMN_TYPE`. */
import type { ColumnKind } from "../../protocol/index.ts";

/** `type` as `information_schema` has it: `int(11) unsigned`, `enum('a','b')`, `tinyint(1)`. */
export function toColumnKind(type: string): ColumnKind {
  const lower = type.toLowerCase();
  // MySQL and MariaDB have no boolean of their own; this is what BOOLEAN becomes.
  if (/^(tinyint\(1\)|bool)/.test(lower)) return "boolean";
  const word = /^[a-z0-9_]+/.exec(lower)?.[0] ?? "";
  if (/^(tinyint|smallint|mediumint|int|integer|bigint|largeint|year|serial)$/.test(word)) return "integer";
  if (/^(decimal|decimalv3|numeric|dec|fixed|float|double|real)$/.test(word)) return "number";
  if (/^(date|datev2|datetime|datetimev2|timestamp)$/.test(word)) return "date";
  if (/(char|text|string)$|^(enum|set|json|jsonb|time|uuid|inet4|inet6|variant)$/.test(word)) return "text";
  if (/(blob|binary)$|^(bit|vector)$/.test(word)) return "blob";
  return "other";
}
