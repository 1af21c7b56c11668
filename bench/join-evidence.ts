/**
 * How long the evidence of six joined tables of a million rows each takes, and whether its figures are counted or
 * estimated: `node bench/join-evidence.ts [--rows 1000000] [--indexed] [sqlite] [duckdb]`. The databases are built in a
 * temporary folder; keys are without an index of their own unless `--indexed` is given.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseArgs } from "node:util";
import { DuckDBInstance } from "@duckdb/node-api";
import { openCatalog } from "../src/catalog/open-catalog.ts";
import type { Connection } from "../src/database/connection.ts";
import { openDatabase } from "../src/database/open-database.ts";
import { measureJoins } from "../src/evidence/measure-joins.ts";
import type { JoinDecision } from "../src/protocol/index.ts";

const { values: flags, positionals } = parseArgs({
  options: { rows: { type: "string", default: "1000000" }, indexed: { type: "boolean", default: false } },
  allowPositionals: true,
});
const rows = Number(flags.rows);

/** Referring columns are scattered over the keys; one in a thousand orders has no customer, one in a thousand a wrong one. */
const scattered = (factor: number) => `(((i * ${factor}) % 4294967291) % ${rows}) + 1`;
const tables: { name: string; columns: string; select: string; keys?: string[] }[] = [
  { name: "supplier", columns: "id INTEGER PRIMARY KEY, name VARCHAR(20)", select: "i, 's' || i" },
  {
    name: "product",
    columns: "id INTEGER PRIMARY KEY, supplier_id INTEGER REFERENCES supplier(id), price DOUBLE",
    select: `i, ${scattered(2654435761)}, i % 100`,
    keys: ["supplier_id"],
  },
  { name: "customer", columns: "id INTEGER PRIMARY KEY, name VARCHAR(20)", select: "i, 'c' || i" },
  {
    name: "orders",
    columns: "id INTEGER PRIMARY KEY, customer_id INTEGER, freight INTEGER",
    select: `i, CASE WHEN i % 1000 = 0 THEN NULL WHEN i % 1000 = 1 THEN -i ELSE ${scattered(2246822519)} END, i % 7`,
    keys: ["customer_id"],
  },
  {
    name: "line",
    columns:
      "id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id), product_id INTEGER REFERENCES product(id), quantity INTEGER",
    select: `i, ${scattered(3266489917)}, ${scattered(668265263)}, i % 5`,
    keys: ["order_id", "product_id"],
  },
  {
    name: "shipment",
    columns: "id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders(id)",
    select: `i, ${scattered(374761393)}`,
    keys: ["order_id"],
  },
];

const joinOf = (left: string, leftColumn: string, right: string, rightColumn: string): JoinDecision => ({
  kind: "join",
  left: { table: left, alias: left[0] ?? left },
  type: "INNER",
  right: { table: right, alias: right === "supplier" ? "u" : right === "shipment" ? "h" : (right[0] ?? right) },
  pairs: [{ left: leftColumn, right: rightColumn }],
});
const joins = [
  joinOf("customer", "id", "orders", "customer_id"),
  joinOf("orders", "id", "line", "order_id"),
  joinOf("line", "product_id", "product", "id"),
  joinOf("product", "supplier_id", "supplier", "id"),
  joinOf("orders", "id", "shipment", "order_id"),
];
const measures = [
  { alias: "o", column: "freight", words: "freight", aggregate: "SUM" },
  { alias: "l", column: "quantity", words: "quantity", aggregate: "SUM" },
];

const indexes = flags.indexed
  ? tables.flatMap(({ name, keys = [] }) => keys.map((key) => `CREATE INDEX ${name}_${key} ON ${name}(${key})`))
  : [];

function buildSqlite(file: string): void {
  const database = new DatabaseSync(file);
  database.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF");
  for (const { name, columns, select } of tables)
    database.exec(
      `CREATE TABLE ${name} (${columns}); INSERT INTO ${name} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT ${select} FROM n`,
    );
  for (const index of indexes) database.exec(index);
  database.close();
}

async function buildDuckdb(file: string): Promise<void> {
  const instance = await DuckDBInstance.create(file);
  const database = await instance.connect();
  for (const { name, columns, select } of tables) {
    await database.run(`CREATE TABLE ${name} (${columns})`);
    await database.run(`INSERT INTO ${name} SELECT ${select} FROM range(1, ${rows + 1}) AS n(i)`);
  }
  for (const index of indexes) await database.run(index);
  database.closeSync();
  instance.closeSync();
}

async function measure(name: string, connection: Connection, folder: string): Promise<void> {
  const database = await openDatabase(connection);
  const { catalog, close } = await openCatalog(database, join(folder, `${name}-catalog`));
  close(); // its values would be read beside the measuring
  for (let turn = 1; turn <= 3; turn++) {
    const started = performance.now();
    const measured = await measureJoins(database, catalog, joins, { measures });
    const ms = Math.round(performance.now() - started);
    if ("problem" in measured) {
      console.log(`${name}: ${measured.problem.code} ${measured.problem.message}`);
      break;
    }
    const { evidence, findings } = measured;
    console.log(`${name}, turn ${turn}: ${ms} ms, figures ${evidence.exact ? "exact" : "estimated"}`);
    if (turn > 1) continue;
    for (const one of evidence.joins)
      console.log(
        `  ${one.n} ${one.cardinality} max ${one.maxLeft}:${one.maxRight} left ${one.leftMatched} of ${one.leftRows}, right ${one.rightMatched} of ${one.rightRows}, ${one.before} → ${one.after}`,
      );
    console.log(`  ${findings.map((finding) => `${finding.severity} ${finding.code}`).join(", ")}`);
  }
  await database.close();
}

const folder = mkdtempSync(join(tmpdir(), "thoth-join-evidence-"));
try {
  const wanted = positionals.length > 0 ? positionals : ["sqlite", "duckdb"];
  console.log(
    `six tables of ${rows.toLocaleString("en-US")} rows, keys ${flags.indexed ? "with" : "without"} an index`,
  );
  if (wanted.includes("sqlite")) {
    const file = join(folder, "six.sqlite");
    buildSqlite(file);
    await measure("sqlite", { engine: "sqlite", file }, folder);
  }
  if (wanted.includes("duckdb")) {
    const file = join(folder, "six.duckdb");
    await buildDuckdb(file);
    await measure("duckdb", { engine: "duckdb", file }, folder);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
