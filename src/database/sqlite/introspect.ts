/** Tables, views and keys as SQLite's pragmas tell them. Runs in the reader process, without the authorizer. */
import type { DatabaseSync } from "node:sqlite";
import type { IntrospectedTable } from "../database.ts";
import { toColumnKind } from "./column-kind.ts";

// https://www.sqlite.org/pragma.html
interface ListRow {
  schema: string;
  name: string;
  type: "table" | "view" | "shadow" | "virtual";
}
interface ColumnRow {
  name: string;
  type: string;
  notnull: number;
  pk: number;
  hidden: 0 | 1 | 2 | 3;
}
interface IndexRow {
  name: string;
  unique: number;
  origin: "c" | "u" | "pk";
  partial: number;
}
interface KeyRow {
  id: number;
  seq: number;
  table: string;
  from: string;
  to: string | null;
}

export function introspect(database: DatabaseSync): IntrospectedTable[] {
  const columnsOf = database.prepare("SELECT * FROM pragma_table_xinfo(?)");
  const indexesOf = database.prepare("SELECT * FROM pragma_index_list(?)");
  const indexColumnsOf = database.prepare("SELECT name FROM pragma_index_info(?) ORDER BY seqno");
  const keysOf = database.prepare("SELECT * FROM pragma_foreign_key_list(?) ORDER BY id, seq");

  const found = new Map<string, IntrospectedTable>();
  const list = database.prepare("SELECT schema, name, type FROM pragma_table_list").all() as unknown as ListRow[];
  for (const { schema, name, type } of list) {
    if (schema !== "main" || type === "shadow" || name.toLowerCase().startsWith("sqlite_")) continue;
    const columns = readColumns(() => columnsOf.all(name) as unknown as ColumnRow[]);
    if (columns.length === 0) continue;
    found.set(name.toLowerCase(), {
      name,
      kind: type === "view" ? "view" : "table",
      columns: columns.map((column) => ({
        name: column.name,
        type: column.type,
        kind: toColumnKind(column.type),
        nullable: column.notnull === 0 && column.pk === 0,
      })),
      primaryKey: columns
        .filter((column) => column.pk > 0)
        .sort((a, b) => a.pk - b.pk)
        .map((column) => column.name),
      unique: [],
      foreignKeys: [],
    });
  }
  // Keys come second: a reference without column names means the other table's primary key.
  for (const table of found.values()) {
    if (table.kind === "view") continue;
    for (const index of indexesOf.all(table.name) as unknown as IndexRow[]) {
      if (index.unique !== 1 || index.origin === "pk" || index.partial !== 0) continue;
      const names = (indexColumnsOf.all(index.name) as unknown as { name: string | null }[]).map((row) => row.name);
      if (names.every((name) => name !== null)) table.unique.push(names);
    }
    // The pragmas list the newest first.
    table.unique.reverse();
    table.foreignKeys = toForeignKeys(table, keysOf.all(table.name) as unknown as KeyRow[], found).reverse();
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A view on a missing table, or a table of a module that isn't there, can't be read: it is no part of the catalog. */
function readColumns(read: () => ColumnRow[]): ColumnRow[] {
  try {
    return read().filter((column) => column.hidden !== 1);
  } catch (error) {
    if ((error as { errcode?: number }).errcode === 1) return [];
    throw error;
  }
}

/** Names as the tables have them: SQLite lets a reference be written in another case. Dangling ones are left out. */
function toForeignKeys(table: IntrospectedTable, rows: KeyRow[], found: Map<string, IntrospectedTable>) {
  const keys: IntrospectedTable["foreignKeys"] = [];
  for (const id of new Set(rows.map((row) => row.id))) {
    const pairs = rows.filter((row) => row.id === id);
    const target = found.get(pairs[0]?.table.toLowerCase() ?? "");
    if (!target) continue;
    const columns = pairs.map((pair) => columnName(table, pair.from));
    const tableColumns = pairs.map((pair, index) =>
      pair.to === null ? target.primaryKey[index] : columnName(target, pair.to),
    );
    if (columns.every((name) => name !== undefined) && tableColumns.every((name) => name !== undefined)) {
      keys.push({ columns, table: target.name, tableColumns });
    }
  }
  return keys;
}

function columnName(table: IntrospectedTable, written: string): string | undefined {
  return table.columns.find((column) => column.name.toLowerCase() === written.toLowerCase())?.name;
}
