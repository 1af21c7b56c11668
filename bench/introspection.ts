/**
 * `node bench/introspection.ts [--quick]`: what the adapters' introspection of 1,000 tables takes beside the bare
 * catalogue queries on the bare driver, in turns in the same run. SQLite alone when quick.
 */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { createConnection } from "mysql2/promise";
import { Client } from "pg";
import type { Connection } from "../src/database/connection.ts";
import { catalogueQueries as mysqlQueries } from "../src/database/mysql/introspect.ts";
import {
  childrenQuery,
  columnsQuery,
  domainsQuery,
  keysQuery,
  tablesQuery,
  uniqueIndexesQuery,
} from "../src/database/postgres/catalogue-queries.ts";
import type { EngineUnderTest } from "../test/fixtures/engine-under-test.ts";
import { startMariadb } from "../test/fixtures/mariadb-engine.ts";
import { startPostgres } from "../test/fixtures/postgres-engine.ts";
import { startSqlite } from "../test/fixtures/sqlite-engine.ts";
import { type BenchOptions, notRun, type Row, runAlone, toRow } from "./bench-row.ts";
import { median, toMs } from "./figures.ts";

const count = 1000;
const budget = "at most 1.2 × the bare queries";
const rounds = 7;

type Bare = { ask(): Promise<unknown>; end(): Promise<unknown> };
type Server = Extract<Connection, { host: string }>;
const login = (connection: Connection) => {
  const { host, port, database, user, password } = connection as Server;
  return {
    host,
    port,
    database,
    user,
    password: password && "file" in password ? readFileSync(password.file, "utf8").trim() : "",
  };
};

async function barePostgres(connection: Connection): Promise<Bare> {
  const client = new Client(login(connection));
  await client.connect();
  const queries = [tablesQuery(true), columnsQuery(true), domainsQuery, keysQuery, childrenQuery, uniqueIndexesQuery];
  return {
    async ask() {
      for (const text of queries) await client.query({ text, rowMode: "array" });
    },
    end: () => client.end(),
  };
}

async function bareMysql(connection: Connection): Promise<Bare> {
  const client = await createConnection({ ...login(connection), rowsAsArray: true });
  return {
    async ask() {
      for (const sql of mysqlQueries) await client.query(sql);
    },
    end: () => client.end(),
  };
}

async function bareSqlite(connection: Connection): Promise<Bare> {
  const { file } = connection as Extract<Connection, { engine: "sqlite" }>;
  const database = new DatabaseSync(file, { readOnly: true });
  const per = ["table_xinfo", "index_list", "foreign_key_list"].map((name) =>
    database.prepare(`SELECT * FROM pragma_${name}(?)`),
  );
  return {
    async ask() {
      for (const { name } of database.prepare("SELECT name FROM pragma_table_list WHERE schema = 'main'").all())
        for (const statement of per) statement.all(String(name));
    },
    end: async () => database.close(),
  };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const before = performance.now();
  await work();
  return performance.now() - before;
}

async function compare(
  name: string,
  start: () => Promise<EngineUnderTest | null>,
  open: (connection: Connection) => Promise<Bare>,
): Promise<Row> {
  const what = `catalog of ${count} tables, ${name}`;
  const engine = await start();
  if (!engine) return notRun({ group: "budget", what, budget }, `${name} is not installed here`);
  try {
    const statements = Array.from({ length: count }, (_, n) => {
      const key = n === 0 ? "" : `, FOREIGN KEY (parent) REFERENCES t${n - 1}(id)`;
      const columns = Array.from({ length: 10 }, (_, at) => `c${at} varchar(40)`).join(", ");
      return `CREATE TABLE t${n}(id integer NOT NULL PRIMARY KEY, parent integer, ${columns}${key})`;
    });
    // Together: a thousand commits would be most of the bench.
    await engine.run(["BEGIN", ...statements, "COMMIT"]);
    const database = await engine.open("owner");
    const bare = await open(engine.connection("owner"));
    const times = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      times.bare.push(await timed(() => bare.ask()));
      times.ours.push(await timed(() => database.introspect()));
    }
    const [ours, theirs] = [median(times.ours), median(times.bare)];
    await bare.end();
    await database.close();
    return toRow({
      group: "budget",
      what,
      budget,
      figure: toMs(ours),
      reference: `bare ${toMs(theirs)}`,
      ratio: ours / theirs,
      holds: ours / theirs <= 1.2,
      values: { oursMs: ours, bareMs: theirs },
    });
  } finally {
    await engine.stop();
  }
}

export async function measure({ quick, keep }: BenchOptions): Promise<{ rows: Row[] }> {
  const rows = [await compare("SQLite", startSqlite, bareSqlite)];
  if (!quick) {
    keep?.(rows);
    rows.push(await compare("PostgreSQL", startPostgres, barePostgres));
    keep?.(rows);
    rows.push(await compare("MariaDB", startMariadb, bareMysql));
  }
  return { rows };
}

if (import.meta.main) await runAlone(measure);
