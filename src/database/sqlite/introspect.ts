/**
 * Tables, views and keys as SQLite's pragmas tell them, a query for all tables together: one per table took three times
 * as long. Runs in the reader process, without the authorizer. https://www.sqlite.org/pragma.html#pragfunc
 */
import type { DatabaseSync } from "node:sqlite";
import type { ColumnKind } from "../../protocol/index.ts";
import type { IntrospectedTable } from "../database.ts";
import { toColumnKind } from "./column-kind.ts";

const ofTables = "FROM pragma_table_list l";
const stored = "l.schema = 'main' AND l.type = 'table'";
const columnParts = `x.name, x.type, x."notnull", x.pk`;
const columnsSql = `SELECT l.name, ${columnParts} ${ofTables} JOIN pragma_table_xinfo(l.name) x WHERE ${stored} AND x.hidden <> 1`;
/** Views, and tables that a module makes. */
const othersSql = "SELECT name, type FROM pragma_table_list WHERE schema = 'main' AND type IN ('view', 'virtual')";
const otherColumnsSql = `SELECT NULL, ${columnParts} FROM pragma_table_xinfo(?) x WHERE x.hidden <> 1`;
const uniqueSql = `SELECT l.name, i.seq, c.name ${ofTables} JOIN pragma_index_list(l.name) i JOIN pragma_index_info(i.name) c
  WHERE ${stored} AND i."unique" = 1 AND i.origin <> 'pk' AND i.partial = 0 ORDER BY l.name, i.seq, c.seqno`;
const keysSql = `SELECT l.name, k.id, k."table", k."from", k."to" ${ofTables} JOIN pragma_foreign_key_list(l.name) k
  WHERE ${stored} ORDER BY l.name, k.id, k.seq`;

type ColumnRow = [table: string | null, name: string, type: string, notNull: number, keyPlace: number];
/** The name is NULL for an expression. */
type IndexRow = [table: string, index: number, column: string | null];
type KeyRow = [table: string, key: number, target: string, from: string, to: string | null];

export function introspect(database: DatabaseSync): IntrospectedTable[] {
  const ask = <Row>(sql: string, ...parameters: string[]): Row[] => {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all(...parameters) as unknown as Row[];
  };
  // Thousands of columns have a few types.
  const kinds = new Map<string, ColumnKind>();
  const kindOf = (type: string): ColumnKind => {
    const kind = kinds.get(type) ?? toColumnKind(type);
    kinds.set(type, kind);
    return kind;
  };
  const found = new Map<string, IntrospectedTable>();
  const add = (name: string, kind: IntrospectedTable["kind"], rows: ColumnRow[]): void => {
    if (rows.length > 0 && !isOwn(name)) found.set(name.toLowerCase(), toTable(name, kind, rows, kindOf));
  };
  for (const rows of group(ask<ColumnRow>(columnsSql), 1)) add(String(rows[0]?.[0]), "table", rows);
  for (const [name, type] of ask<[string, "view" | "virtual"]>(othersSql))
    add(
      name,
      type === "view" ? "view" : "table",
      readColumns(() => ask<ColumnRow>(otherColumnsSql, name)),
    );

  for (const rows of group(ask<IndexRow>(uniqueSql), 2)) {
    const names = rows.map(([, , column]) => column);
    // An index over an expression has no columns.
    if (names.every((name) => name !== null)) found.get(String(rows[0]?.[0]).toLowerCase())?.unique.push(names);
  }
  // Keys come last: a reference without column names means the other table's primary key.
  for (const rows of group(ask<KeyRow>(keysSql), 2)) {
    const table = found.get(String(rows[0]?.[0]).toLowerCase());
    const key = table && toForeignKey(table, rows, found);
    if (key) table.foreignKeys.push(key);
  }
  // The pragmas list the newest first.
  for (const table of found.values()) {
    table.unique.reverse();
    table.foreignKeys.reverse();
  }
  return [...found.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const isOwn = (name: string): boolean => name.toLowerCase().startsWith("sqlite_");

/** Neighbours that begin alike, in so many places. */
function group<Row extends readonly unknown[]>(rows: readonly Row[], places: 1 | 2): Row[][] {
  const groups: Row[][] = [];
  let last: Row[] = [];
  for (const row of rows) {
    const before = last[0];
    if (before && before[0] === row[0] && (places === 1 || before[1] === row[1])) last.push(row);
    else {
      last = [row];
      groups.push(last);
    }
  }
  return groups;
}

function toTable(
  name: string,
  kind: IntrospectedTable["kind"],
  rows: readonly ColumnRow[],
  kindOf: (type: string) => ColumnKind,
): IntrospectedTable {
  return {
    name,
    kind,
    columns: rows.map(([, column, type, notNull, keyPlace]) => ({
      name: column,
      type,
      kind: kindOf(type),
      nullable: notNull === 0 && keyPlace === 0,
    })),
    primaryKey: rows
      .filter((row) => row[4] > 0)
      .sort((a, b) => a[4] - b[4])
      .map((row) => row[1]),
    unique: [],
    foreignKeys: [],
  };
}

/** A view on a missing table, or a table of a module that isn't there, can't be read: it is no part of the catalog. */
function readColumns(read: () => ColumnRow[]): ColumnRow[] {
  try {
    return read();
  } catch (error) {
    if ((error as { errcode?: number }).errcode === 1) return [];
    throw error;
  }
}

/** Names as the tables have them: SQLite lets a reference be written in another case. Undefined for a dangling one. */
function toForeignKey(table: IntrospectedTable, pairs: readonly KeyRow[], found: Map<string, IntrospectedTable>) {
  const target = found.get(pairs[0]?.[2].toLowerCase() ?? "");
  if (!target) return undefined;
  const columns = pairs.map(([, , , from]) => columnName(table, from));
  const tableColumns = pairs.map(([, , , , to], index) =>
    to === null ? target.primaryKey[index] : columnName(target, to),
  );
  if (!columns.every((name) => name !== undefined) || !tableColumns.every((name) => name !== undefined))
    return undefined;
  return { columns, table: target.name, tableColumns };
}

function columnName(table: IntrospectedTable, written: string): string | undefined {
  return table.columns.find((column) => column.name.toLowerCase() === written.toLowerCase())?.name;
}
