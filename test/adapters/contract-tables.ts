/** The tables that the common suite reads, in each engine's own SQL. */
import type { Engine } from "../../src/protocol/index.ts";
import { dialectOf } from "../../src/sql/dialect.ts";

export const oddTable = "Odd Table";
/** Mixed case, reserved, blanks, a leading digit, a dot, quotes, letters beyond ASCII. */
export const oddColumns = ["MixedCase", "select", "Unit Price", "3pointplay", "a.b", `say "hi"`, "größe", "名前"];

interface EngineWords {
  text: (length: number) => string;
  timestamp: string;
  decimal: string;
  /** Never ends by itself. */
  endless: string;
  /** One column, a million rows. */
  million: string;
  /** One cell of several megabytes. */
  longCell: string;
}

export const wordsOf: Record<Engine, EngineWords> = {
  sqlite: {
    text: (length) => `VARCHAR(${length})`,
    timestamp: "TIMESTAMP",
    decimal: "TEXT",
    endless: "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
    million: "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c LIMIT 1000000) SELECT n FROM c",
    longCell: "SELECT replace(hex(zeroblob(2500000)), '0', 'xy') AS v",
  },
  duckdb: {
    text: (length) => `VARCHAR(${length})`,
    timestamp: "TIMESTAMP",
    decimal: "DECIMAL(38,10)",
    endless:
      "SELECT count(*) FROM range(1000000) a, range(1000000) b, range(1000) c WHERE a.range + b.range <> c.range",
    million: "SELECT range AS n FROM range(1000000)",
    longCell: "SELECT repeat('xy', 5000000) AS v",
  },
  postgres: {
    text: (length) => `varchar(${length})`,
    timestamp: "timestamp",
    decimal: "numeric(38,10)",
    endless: "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b WHERE a + b <> 0",
    million: "SELECT n FROM generate_series(1, 1000000) AS n",
    longCell: "SELECT repeat('xy', 5000000) AS v",
  },
  mysql: {
    text: (length) => `varchar(${length})`,
    timestamp: "datetime",
    decimal: "decimal(38,10)",
    endless: "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) SELECT count(*) FROM c",
    million: "SELECT a.n * 1000 + b.n AS n FROM (SELECT n FROM thousand) a CROSS JOIN (SELECT n FROM thousand) b",
    longCell: "SELECT repeat('xy', 5000000) AS v",
  },
};

/** Created by the owner, in this order. */
export function toTables(engine: Engine): string[] {
  const { text, timestamp, decimal } = wordsOf[engine];
  const { quote } = dialectOf(engine);
  const odd = oddColumns.map((name) => `${quote(name)} ${text(20)}`).join(", ");
  return [
    `CREATE TABLE region(country ${text(2)} NOT NULL, code ${text(8)} NOT NULL, name ${text(40)} NOT NULL, PRIMARY KEY(country, code))`,
    `CREATE TABLE customer(id INTEGER NOT NULL PRIMARY KEY, parent INTEGER, country ${text(2)}, code ${text(8)}, email ${text(60)} UNIQUE, FOREIGN KEY (parent) REFERENCES customer(id), FOREIGN KEY (country, code) REFERENCES region(country, code))`,
    `CREATE TABLE orders(id INTEGER NOT NULL PRIMARY KEY, customer_id INTEGER NOT NULL, amount ${decimal}, placed ${timestamp}, FOREIGN KEY (customer_id) REFERENCES customer(id))`,
    `CREATE TABLE kinds(id INTEGER NOT NULL PRIMARY KEY, big BIGINT, exact ${decimal}, day DATE, moment ${timestamp}, words ${text(60)})`,
    `CREATE TABLE ${quote(oddTable)}(id INTEGER NOT NULL PRIMARY KEY, ${odd})`,
    "CREATE TABLE thousand(n INTEGER NOT NULL PRIMARY KEY)",
    "INSERT INTO region VALUES ('IT', 'LAZ', 'Lazio'), ('IT', 'LOM', 'Lombardia'), ('FR', 'LOM', 'Lorraine')",
    "INSERT INTO customer VALUES (1, NULL, 'IT', 'LAZ', 'a@x')",
    // DuckDB looks for a row's parent before the statement's own rows are there.
    "INSERT INTO customer VALUES (2, 1, 'IT', 'LOM', 'b@x'), (3, 1, 'FR', 'LOM', NULL), (4, NULL, NULL, NULL, 'd@x')",
    "INSERT INTO orders VALUES (1, 1, 10.5, '2024-01-31 23:30:00'), (2, 1, 20.25, '2024-02-01 00:15:00'), (3, 2, 5, '2023-12-31 23:59:59')",
    "INSERT INTO kinds VALUES (1, 2033735037361704962, '1234567890123456789.0123456789', '2024-03-31', '2024-03-31 02:30:00', ''), (2, -9223372036854775807, '0.1000000000', '1899-12-31', '1970-01-01 00:00:00', NULL), (3, 9007199254740991, '0.0000000000', '9999-12-31', '2038-01-19 03:14:08', 'Ünïcode 名 🙂')",
    `INSERT INTO ${quote(oddTable)} VALUES (1, ${oddColumns.map((_, at) => `'v${at}'`).join(", ")})`,
    `INSERT INTO thousand WITH RECURSIVE c(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM c WHERE n < 999) SELECT n FROM c`,
  ];
}
