/** Opens a database or files for reading in the reader process, and takes away from DuckDB whatever reaches further. */

import type { DuckDBConnection } from "@duckdb/node-api";
import { DuckDBInstance } from "@duckdb/node-api";
import { findFileTables } from "./file-tables.ts";
import { quoteName, quoteText } from "./quote.ts";
import type { FileTables, Source } from "./wire.ts";

/** Another process may hold the file for a short while. */
const lockWaitMs = 1000;

const limits = {
  memory_limit: "1GB",
  threads: "2",
  // Spilling to disk would leave files behind when the process is killed; a database's default is beside its file.
  temp_directory: "",
  autoinstall_known_extensions: "false",
  autoload_known_extensions: "false",
  allow_community_extensions: "false",
};

export interface Session {
  connection: DuckDBConnection;
  /** Set for files. */
  files?: FileTables;
  hasTable(name: string): Promise<boolean>;
  /** Whether the database has a table macro of this name of its own. */
  hasMacro(name: string): Promise<boolean>;
  close(): void;
}

/** `onFiles` hears how files are read when that had to be found out. Throws the engine's error. */
export async function openSource(source: Source, onFiles: (tables: FileTables) => void): Promise<Session> {
  if (source.kind === "database") {
    const instance = await openFile(source.file);
    return await toSession(instance, [], undefined);
  }
  // File names stay relative to here: a view's text, which a query can read, tells no path.
  process.chdir(source.root);
  const instance = await DuckDBInstance.create(":memory:", limits);
  const connection = await instance.connect();
  let files = source.tables;
  if (!files) {
    files = await findFileTables(connection, source.files);
    onFiles(files);
  }
  for (const table of files.tables) await connection.run(`CREATE VIEW ${quoteName(table.name)} AS ${table.sql}`);
  connection.closeSync();
  return await toSession(instance, source.files, files);
}

async function openFile(file: string): Promise<DuckDBInstance> {
  const until = performance.now() + lockWaitMs;
  for (;;) {
    try {
      return await DuckDBInstance.create(file, { access_mode: "READ_ONLY", ...limits });
    } catch (error) {
      if (!/Could not set lock/.test(String(error)) || performance.now() > until) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** An in-memory database for looking at statements and writing values as text; no file is open in it. */
export async function openGuard(): Promise<DuckDBConnection> {
  const connection = await (await DuckDBInstance.create(":memory:", limits)).connect();
  await lock(connection, []);
  return connection;
}

/** In this order: what stays readable is named before reaching out ends, and then nothing can be changed any more. */
async function lock(connection: DuckDBConnection, files: readonly string[]): Promise<void> {
  await connection.run("SET allow_persistent_secrets = false");
  await connection.run("SET TimeZone = 'UTC'");
  if (files.length > 0) await connection.run(`SET allowed_paths = [${files.map(quoteText).join(", ")}]`);
  await connection.run("SET enable_external_access = false");
  await connection.run("SET lock_configuration = true");
}

async function toSession(
  instance: DuckDBInstance,
  paths: readonly string[],
  files: FileTables | undefined,
): Promise<Session> {
  const connection = await instance.connect();
  await lock(connection, paths);
  const has = async (sql: string, name: string): Promise<boolean> => {
    const own = await instance.connect();
    try {
      return (await own.runAndReadAll(sql, [name])).currentRowCount > 0;
    } finally {
      own.closeSync();
    }
  };
  return {
    connection,
    ...(files ? { files } : {}),
    hasTable: (name) =>
      has(
        `SELECT 1 FROM duckdb_tables() WHERE NOT internal AND lower(table_name) = lower($1::VARCHAR)
         UNION ALL SELECT 1 FROM duckdb_views() WHERE NOT internal AND lower(view_name) = lower($1::VARCHAR)`,
        name,
      ),
    hasMacro: (name) =>
      has(
        `SELECT 1 FROM duckdb_functions()
         WHERE NOT internal AND function_type = 'table_macro' AND lower(function_name) = lower($1::VARCHAR)`,
        name,
      ),
    close() {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
