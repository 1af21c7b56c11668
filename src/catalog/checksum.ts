/** Recognises a changed database structure: decisions rest on tables, columns, types and keys, not on rows. */
import { createHash } from "node:crypto";
import type { IntrospectedTable } from "../database/database.ts";

/** SHA-256 in hex; the order of tables and of keys doesn't count, the order of columns does. */
export function toChecksum(tables: readonly IntrospectedTable[]): string {
  const parts = tables.map((table) =>
    JSON.stringify([
      table.schema ?? "",
      table.name,
      table.kind,
      table.columns.map((column) => [column.name, column.type, column.nullable]),
      table.primaryKey,
      table.unique.map((names) => JSON.stringify(names)).sort(),
      table.foreignKeys.map((key) => JSON.stringify([key.columns, key.table, key.tableColumns])).sort(),
    ]),
  );
  return createHash("sha256").update(parts.sort().join("\n")).digest("hex");
}
