/**
 * Tables, views, columns and keys of all databases that the login can see, in four queries whatever their number.
 * https://dev.mysql.com/doc/refman/8.4/en/information-schema.html
 */
import type { ColumnKind } from "../../protocol/index.ts";
import type { IntrospectedTable } from "../database.ts";
import { toColumnKind } from "./column-kind.ts";
import type { ServerConnection } from "./server-connection.ts";

const ownSchemas =
  "'mysql', 'information_schema', 'performance_schema', 'sys', 'metrics_schema', 'ndbinfo', '__internal_schema', '_statistics_', 'oceanbase'";

/** A condition that leaves the server's own databases out. */
export const notSystem = (column: string): string => `LOWER(${column}) NOT IN (${ownSchemas})`;

const tablesSql = `SELECT TABLE_SCHEMA, TABLE_NAME, TABLE_TYPE, TABLE_ROWS, TABLE_COMMENT
  FROM information_schema.TABLES WHERE ${notSystem("TABLE_SCHEMA")} ORDER BY TABLE_SCHEMA, TABLE_NAME`;
const columnsSql = `SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_COMMENT
  FROM information_schema.COLUMNS WHERE ${notSystem("TABLE_SCHEMA")} ORDER BY TABLE_SCHEMA, TABLE_NAME, ORDINAL_POSITION`;
// Unique indexes, not constraints: a login that may only read doesn't see constraints on every server.
const indexesSql = `SELECT TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, COLUMN_NAME
  FROM information_schema.STATISTICS WHERE NON_UNIQUE = 0 AND ${notSystem("TABLE_SCHEMA")}
  ORDER BY TABLE_SCHEMA, TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX`;
const keysSql = `SELECT TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, COLUMN_NAME, REFERENCED_TABLE_SCHEMA, REFERENCED_TABLE_NAME, REFERENCED_COLUMN_NAME
  FROM information_schema.KEY_COLUMN_USAGE WHERE REFERENCED_TABLE_NAME IS NOT NULL AND ${notSystem("TABLE_SCHEMA")}
  ORDER BY TABLE_SCHEMA, TABLE_NAME, CONSTRAINT_NAME, ORDINAL_POSITION`;

/** All that introspection asks, in this order. */
export const catalogueQueries = [tablesSql, columnsSql, indexesSql, keysSql];

type Row = (string | null)[];
type Found = Map<string, IntrospectedTable>;

export async function introspect(
  connection: ServerConnection,
  database: string,
  ms: number,
): Promise<IntrospectedTable[]> {
  const found: Found = new Map();
  const folded: Found = new Map();
  for (const [schema, name, type, rows, comment] of await connection.ask(tablesSql, ms)) {
    if (schema == null || name == null || /sequence|temporary/i.test(type ?? "")) continue;
    const view = /view/i.test(type ?? "");
    const table: IntrospectedTable = {
      ...(schema === database ? {} : { schema }),
      name: schema === database ? name : `${schema}.${name}`,
      kind: view ? "view" : "table",
      ...(comment && !view ? { comment } : {}),
      ...(rows === null || rows === undefined || view ? {} : { rowEstimate: Number(rows) }),
      columns: [],
      primaryKey: [],
      unique: [],
      foreignKeys: [],
    };
    found.set(toKey(schema, name), table);
    folded.set(toKey(schema, name).toLowerCase(), table);
  }
  // Thousands of columns have a few types.
  const kinds = new Map<string, ColumnKind>();
  const kindOf = (type: string): ColumnKind => {
    const kind = kinds.get(type) ?? toColumnKind(type);
    kinds.set(type, kind);
    return kind;
  };
  for (const rows of group(await connection.ask(columnsSql, ms), 2)) {
    const columns = tableOf(found, rows[0])?.columns;
    for (const [, , name, type, nullable, comment] of columns ? rows : [])
      columns?.push({
        name: name ?? "",
        type: type ?? "",
        kind: kindOf(type ?? ""),
        nullable: nullable === "YES",
        ...(comment ? { comment } : {}),
      });
  }
  for (const rows of group(await connection.ask(indexesSql, ms), 3)) {
    const table = tableOf(found, rows[0]);
    const names = rows.map((row) => row[3]);
    // An index over an expression has no columns.
    if (!table || !names.every((name) => typeof name === "string")) continue;
    if (rows[0]?.[2] === "PRIMARY") table.primaryKey = names;
    else table.unique.push(names);
  }
  for (const rows of group(await connection.ask(keysSql, ms), 3)) {
    const [, , , , schema, name] = rows[0] ?? [];
    const key = toKey(schema ?? "", name ?? "");
    // Where names don't tell capitals apart a key may be written otherwise than its table.
    const target = found.get(key) ?? folded.get(key.toLowerCase());
    if (!target) continue;
    tableOf(found, rows[0])?.foreignKeys.push({
      columns: rows.map((row) => row[3] ?? ""),
      table: target.name,
      tableColumns: rows.map((row) => columnName(target, row[6] ?? "")),
    });
  }
  // A view on a missing table has no columns and can't be read.
  return uniqueNames([...found.values()].filter((table) => table.columns.length > 0));
}

const toKey = (schema: string, name: string): string => `${schema}\0${name}`;
const tableOf = (found: Found, row: Row | undefined) => found.get(toKey(row?.[0] ?? "", row?.[1] ?? ""));

/**
 * Neighbours of one table (the first two places), or of one index or key of it (three). Rows come in that order, though
 * names that the server doesn't tell apart by their capitals may take turns: those are put together.
 */
function group(rows: readonly Row[], places: 2 | 3): Row[][] {
  const groups = new Map<string, Row[]>();
  let last: Row[] = [];
  for (const row of rows) {
    const before = last[0];
    if (!before || before[0] !== row[0] || before[1] !== row[1] || (places === 3 && before[2] !== row[2])) {
      const key = row.slice(0, places).join("\0");
      last = groups.get(key) ?? [];
      groups.set(key, last);
    }
    last.push(row);
  }
  return [...groups.values()];
}

function columnName(table: IntrospectedTable, written: string): string {
  return table.columns.find((column) => column.name.toLowerCase() === written.toLowerCase())?.name ?? written;
}

/** A table `b.c` here and a table `c` of a database `b` would be called the same: the one here comes first. */
function uniqueNames(tables: IntrospectedTable[]): IntrospectedTable[] {
  const ordered = tables.sort(
    (a, b) => Number(a.schema !== undefined) - Number(b.schema !== undefined) || (a.name < b.name ? -1 : 1),
  );
  const seen = new Set<string>();
  return ordered.filter((table) => !seen.has(table.name) && seen.add(table.name));
}
