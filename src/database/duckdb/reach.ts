/**
 * What a reading statement may not name: functions and views that read files, reach out, run a text as SQL, wait,
 * write or tell settings and paths. The engine's own locks stand behind this; here the reason is told by name.
 */

/** An allow-list: whatever else makes a table reaches somewhere, or tells about the process. */
const tableFunctions = new Set([
  "range",
  "generate_series",
  "unnest",
  "repeat",
  "repeat_row",
  "json_each",
  "json_tree",
  "summary",
  "histogram",
  "histogram_values",
  "duckdb_tables",
  "duckdb_views",
  "duckdb_columns",
  "duckdb_constraints",
  "duckdb_schemas",
  "duckdb_types",
  "duckdb_functions",
  "duckdb_keywords",
  "duckdb_indexes",
  "pragma_table_info",
  "pragma_version",
  "pg_timezone_names",
  "icu_calendar_names",
]);

const functions = new Set([
  "getenv",
  "current_setting",
  "set_config",
  "nextval",
  "currval",
  "setseed",
  "sleep_ms",
  "sleep",
  "write_log",
  "read_text",
  "read_blob",
  "shell",
  "system",
  "load_extension",
  "json_execute_serialized_sql",
  "json_serialize_plan",
]);

const views = new Set([
  "duckdb_databases",
  "duckdb_logs",
  "duckdb_settings",
  "duckdb_secrets",
  "duckdb_variables",
  "pragma_database_list",
  "pg_settings",
  "pg_prepared_statements",
]);

export const mayMakeTable = (name: string): boolean => tableFunctions.has(name.toLowerCase());
export const mayCall = (name: string): boolean => !functions.has(name.toLowerCase()) && !/^__internal_/i.test(name);
export const mayShow = (view: string): boolean => !views.has(view.toLowerCase());

/** DuckDB reads a table name that it doesn't know as a file or an address. */
export const looksLikeFile = (name: string): boolean =>
  /[/\\*?]|:\/\/|\.(csv|tsv|txt|json|jsonl|ndjson|parquet|pq|xlsx?|arrow|duckdb|db|sqlite\d?|gz|zst)$/i.test(name);
