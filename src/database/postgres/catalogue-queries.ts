/**
 * What is asked of the catalogue: a handful of questions over all tables at once, in the words that the oldest servers
 * know too. Numbers of tables and columns come as text, for some servers' are longer than a number can hold.
 */
// https://www.postgresql.org/docs/current/catalogs.html

export interface TableRow {
  id: string;
  schema: string;
  name: string;
  /** `pg_class.relkind`: r table, p partitioned table, v view, m materialized view, f foreign table. */
  kind: string;
  rows: number;
  comment: string | null;
  /** Whether its bare name finds it. */
  plain: boolean;
}
export interface ColumnRow {
  id: string;
  number: number;
  name: string;
  type: string;
  typeId: string;
  typeName: string;
  typeKind: string;
  required: boolean;
  comment: string | null;
}
export interface DomainRow {
  id: string;
  base: string;
  name: string;
  kind: string;
}
export interface KeyRow {
  kind: "p" | "u" | "f";
  id: string;
  /** Column numbers in the key's order, with blanks between. */
  columns: string;
  target: string;
  targetColumns: string | null;
}
export interface IndexRow {
  id: string;
  columns: string;
  /** Columns that belong to the key; those after them are only stored along. Null where the server has none such. */
  keyColumns: number | null;
}
export interface ChildRow {
  parent: string;
  child: string;
  rows: number;
}

/** Of users, and usable: parts of a partitioned table are the table's, and an extension's tables are the engine's. */
const relations = (columnRights: boolean): string => `
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f')
  AND n.nspname NOT LIKE 'pg\\_%'
  AND n.nspname NOT IN ('information_schema', 'crdb_internal', '_timescaledb_internal', '_timescaledb_catalog',
    '_timescaledb_config', '_timescaledb_cache')
  AND pg_catalog.has_schema_privilege(n.oid, 'USAGE')
  AND (pg_catalog.has_table_privilege(c.oid, 'SELECT')
    ${columnRights ? "OR pg_catalog.has_any_column_privilege(c.oid, 'SELECT')" : ""})
  AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class p ON p.oid = i.inhparent
    WHERE i.inhrelid = c.oid AND p.relkind = 'p')
  AND NOT EXISTS (
    SELECT 1 FROM pg_catalog.pg_depend d
    WHERE d.objid = c.oid AND d.deptype = 'e' AND d.classid = 'pg_catalog.pg_class'::regclass)`;

export const tablesQuery = (columnRights: boolean): string => `
SELECT c.oid::text AS id, n.nspname AS schema, c.relname AS name, c.relkind::text AS kind,
  c.reltuples::float8 AS rows, pg_catalog.obj_description(c.oid, 'pg_class') AS comment,
  COALESCE(n.nspname = current_schema() AND pg_catalog.pg_table_is_visible(c.oid), false) AS plain
${relations(columnRights)}
ORDER BY n.nspname, c.relname`;

export const columnsQuery = (columnRights: boolean): string => `
SELECT a.attrelid::text AS id, a.attnum::int AS number, a.attname AS name,
  pg_catalog.format_type(a.atttypid, a.atttypmod) AS type,
  t.oid::text AS "typeId", t.typname AS "typeName", t.typtype::text AS "typeKind",
  (a.attnotnull OR t.typnotnull) AS required, pg_catalog.col_description(a.attrelid, a.attnum) AS comment
FROM pg_catalog.pg_attribute a
JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
WHERE a.attnum > 0 AND NOT a.attisdropped
  AND a.attrelid IN (SELECT c.oid ${relations(columnRights)})
  ${columnRights ? "AND pg_catalog.has_column_privilege(a.attrelid, a.attnum, 'SELECT')" : ""}
ORDER BY a.attrelid, a.attnum`;

export const domainsQuery = `
SELECT d.oid::text AS id, b.oid::text AS base, b.typname AS name, b.typtype::text AS kind
FROM pg_catalog.pg_type d JOIN pg_catalog.pg_type b ON b.oid = d.typbasetype
WHERE d.typtype = 'd'`;

export const keysQuery = `
SELECT k.contype::text AS kind, k.conrelid::text AS id, array_to_string(k.conkey, ' ') AS columns,
  k.confrelid::text AS target, array_to_string(k.confkey, ' ') AS "targetColumns"
FROM pg_catalog.pg_constraint k
WHERE k.contype IN ('p', 'u', 'f') AND k.conrelid <> 0
ORDER BY k.oid`;

export const childrenQuery = `
SELECT i.inhparent::text AS parent, i.inhrelid::text AS child, c.reltuples::float8 AS rows
FROM pg_catalog.pg_inherits i JOIN pg_catalog.pg_class c ON c.oid = i.inhrelid`;

/** Through JSON, because older servers don't have that column of the catalogue. */
export const uniqueIndexesQuery = `
SELECT x.indrelid::text AS id, x.indkey::text AS columns, (to_jsonb(x) ->> 'indnkeyatts')::int AS "keyColumns"
FROM pg_catalog.pg_index x
JOIN pg_catalog.pg_class c ON c.oid = x.indrelid
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
WHERE x.indisunique AND NOT x.indisprimary AND x.indisvalid AND x.indpred IS NULL AND x.indexprs IS NULL
  AND n.nspname NOT LIKE 'pg\\_%'
ORDER BY x.indexrelid`;
