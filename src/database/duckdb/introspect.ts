/** Tables, views and keys as DuckDB's own catalogue tells them. Runs in the reader process. */
import type { DuckDBConnection } from "@duckdb/node-api";
import type { IntrospectedTable } from "../database.ts";
import { toColumnKind } from "./column-kind.ts";
import type { Session } from "./open-source.ts";
import { quoteName } from "./quote.ts";

// https://duckdb.org/docs/stable/sql/meta/duckdb_table_functions
interface TableRow {
  schema_name: string;
  table_name: string;
  comment: string | null;
  estimated_size: string | null;
  kind: "table" | "view";
}
interface ColumnRow {
  schema_name: string;
  table_name: string;
  column_name: string;
  data_type: string;
  is_nullable: boolean;
  comment: string | null;
}
interface KeyRow {
  schema_name: string;
  table_name: string;
  constraint_type: "PRIMARY KEY" | "UNIQUE" | "FOREIGN KEY";
  constraint_column_names: string[];
  referenced_table: string | null;
  referenced_column_names: string[];
}

const own = "database_name = current_database() AND NOT internal";

/** For files every one is a table: what stands behind the name is nobody's business. */
export async function introspect(session: Session): Promise<IntrospectedTable[]> {
  const { connection } = session;
  const rows = async <Row>(sql: string): Promise<Row[]> =>
    (await connection.runAndReadAll(sql)).getRowObjectsJson() as unknown as Row[];
  const listed = await rows<TableRow>(
    `SELECT schema_name, table_name, comment, estimated_size, 'table' AS kind FROM duckdb_tables()
       WHERE ${own} AND NOT temporary
     UNION ALL SELECT schema_name, view_name, comment, NULL, 'view' FROM duckdb_views() WHERE ${own} AND NOT temporary`,
  );
  const tables = new Map<string, IntrospectedTable>();
  for (const row of listed) {
    if (row.kind === "view" && !(await canBind(connection, row))) continue;
    tables.set(toName(row.schema_name, row.table_name), {
      ...(row.schema_name === "main" ? {} : { schema: row.schema_name }),
      name: toName(row.schema_name, row.table_name),
      kind: session.files ? "table" : row.kind,
      ...(row.comment ? { comment: row.comment } : {}),
      ...(row.estimated_size === null ? {} : { rowEstimate: Number(row.estimated_size) }),
      columns: [],
      primaryKey: [],
      unique: [],
      foreignKeys: [],
    });
  }
  const columns = await rows<ColumnRow>(
    `SELECT schema_name, table_name, column_name, data_type, is_nullable, comment FROM duckdb_columns()
     WHERE ${own} ORDER BY schema_name, table_name, column_index`,
  );
  for (const row of columns) {
    tables.get(toName(row.schema_name, row.table_name))?.columns.push({
      name: row.column_name,
      type: row.data_type,
      kind: toColumnKind(row.data_type),
      nullable: row.is_nullable,
      ...(row.comment ? { comment: row.comment } : {}),
    });
  }
  const keys = await rows<KeyRow>(
    `SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table, referenced_column_names
     FROM duckdb_constraints() WHERE database_name = current_database()
       AND constraint_type IN ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') ORDER BY schema_name, table_name, constraint_index`,
  );
  for (const key of keys) {
    const table = tables.get(toName(key.schema_name, key.table_name));
    if (!table) continue;
    const names = key.constraint_column_names;
    if (key.constraint_type === "PRIMARY KEY") {
      table.primaryKey = names;
      for (const column of table.columns) if (names.includes(column.name)) column.nullable = false;
    } else if (key.constraint_type === "UNIQUE") table.unique.push(names);
    else if (key.referenced_table) {
      // A key can't leave its schema.
      const target = tables.get(toName(key.schema_name, key.referenced_table));
      if (target)
        table.foreignKeys.push({ columns: names, table: target.name, tableColumns: key.referenced_column_names });
    }
  }
  return [...tables.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

const toName = (schema: string, table: string): string => (schema === "main" ? table : `${schema}.${table}`);

/** A view on a table or file that can't be read is no part of the catalog. */
async function canBind(connection: DuckDBConnection, view: TableRow): Promise<boolean> {
  try {
    const name = `${quoteName(view.schema_name)}.${quoteName(view.table_name)}`;
    (await connection.prepare(`SELECT * FROM ${name}`)).destroySync();
    return true;
  } catch {
    return false;
  }
}
