/**
 * `node bench/big-read.ts [--quick]`: a million rows through the adapters. The first page beside the bare driver's scan of
 * all of them; the memory of everything that reads, for a page and for a statement over all rows; and a full export,
 * as many rows as one may have, beside the bare driver's reading of the same rows. SQLite alone when quick.
 */
import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import { createConnection } from "mysql2";
import { Client } from "pg";
import Cursor from "pg-cursor";
import type { Connection } from "../src/database/connection.ts";
import type { Database } from "../src/database/database.ts";
import { toCsv } from "../src/protocol/csv.ts";
import { mostRows } from "../src/server/read-result.ts";
import { startDuckdb } from "../test/fixtures/duckdb-engine.ts";
import type { EngineUnderTest } from "../test/fixtures/engine-under-test.ts";
import { startMariadb } from "../test/fixtures/mariadb-engine.ts";
import { startPostgres } from "../test/fixtures/postgres-engine.ts";
import { startSqlite } from "../test/fixtures/sqlite-engine.ts";
import { type BenchOptions, notRun, type Row, runAlone, toRow } from "./bench-row.ts";
import { median, toMs } from "./figures.ts";

const rows = 1_000_000;
const pageRows = 200;
const sql = "SELECT id, name, city, amount, note FROM big";
const caps = { maxBytes: 32 * 1024 * 1024, deadlineMs: 120_000 };
const columns = "id INTEGER PRIMARY KEY, name VARCHAR(40), city VARCHAR(40), amount DOUBLE PRECISION, note VARCHAR(80)";
const budgets = {
  page: "before 1/20 of the full scan",
  memory: "flat",
  export: "at least 0.8 × the bare driver's rows/s",
};

/** Reads all rows, or the first so many, with nothing but the driver; gives how many came. */
type Bare = { scan(most?: number): Promise<number>; end(): Promise<unknown> };
interface Kind {
  name: string;
  start(): Promise<EngineUnderTest | null>;
  fill: string;
  bare(connection: Connection): Promise<Bare>;
}
type Server = Extract<Connection, { host: string }>;

const login = (connection: Connection) => {
  const { host, port, database, user, password } = connection as Server;
  const secret = password && "file" in password ? readFileSync(password.file, "utf8").trim() : "";
  return { host, port, database, user, password: secret };
};
const limited = (most?: number) => (most === undefined ? sql : `${sql} LIMIT ${most}`);
const values = "'name ' || i, 'city ' || (i % 997), i / 7.0, 'a note about row ' || i";

const kinds: Kind[] = [
  {
    name: "SQLite",
    start: startSqlite,
    fill: `INSERT INTO big WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows}) SELECT i, ${values} FROM n`,
    async bare(connection) {
      const { file } = connection as Extract<Connection, { engine: "sqlite" }>;
      const database = new DatabaseSync(file, { readOnly: true });
      return {
        async scan(most) {
          let count = 0;
          const statement = database.prepare(limited(most));
          statement.setReturnArrays(true);
          for (const _row of statement.iterate()) count += 1;
          return count;
        },
        end: async () => database.close(),
      };
    },
  },
  {
    name: "DuckDB",
    start: startDuckdb,
    fill: `INSERT INTO big SELECT i, ${values} FROM range(1, ${rows + 1}) AS n(i)`,
    async bare(connection) {
      const { file } = connection as { file: string };
      const instance = await DuckDBInstance.create(file, { access_mode: "READ_ONLY" });
      const database = await instance.connect();
      return {
        async scan(most) {
          const reader = await database.stream(limited(most));
          let count = 0;
          for (let chunk = await reader.fetchChunk(); chunk && chunk.rowCount > 0; chunk = await reader.fetchChunk())
            count += chunk.getRows().length;
          return count;
        },
        async end() {
          database.closeSync();
          instance.closeSync();
        },
      };
    },
  },
  {
    name: "PostgreSQL",
    start: startPostgres,
    fill: `INSERT INTO big SELECT i, ${values} FROM generate_series(1, ${rows}) AS n(i)`,
    async bare(connection) {
      const client = new Client(login(connection));
      await client.connect();
      return {
        async scan(most) {
          const cursor = client.query(new Cursor(limited(most), [], { rowMode: "array" }));
          let count = 0;
          for (let read = await cursor.read(10_000); read.length > 0; read = await cursor.read(10_000))
            count += read.length;
          await cursor.close();
          return count;
        },
        end: () => client.end(),
      };
    },
  },
  {
    name: "MariaDB",
    start: startMariadb,
    fill: `INSERT INTO big SELECT seq, concat('name ', seq), concat('city ', seq % 997), seq / 7.0, concat('a note about row ', seq) FROM seq_1_to_${rows}`,
    async bare(connection) {
      const client = createConnection({ ...login(connection), rowsAsArray: true });
      return {
        async scan(most) {
          let count = 0;
          for await (const _row of client.query(limited(most)).stream()) count += 1;
          return count;
        },
        end: async () => client.end(),
      };
    },
  },
];

async function timed<T>(work: () => Promise<T>): Promise<{ ms: number; value: T }> {
  const started = performance.now();
  const value = await work();
  return { ms: performance.now() - started, value };
}

/** Peak of resident memory in MiB of this process' children that read a database; 0 when the adapter has none. */
function readerPeak(): number {
  const peaks = readdirSync("/proc").flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    try {
      const status = readFileSync(`/proc/${pid}/status`, "utf8");
      const isReader =
        status.includes(`PPid:\t${process.pid}\n`) &&
        readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("reader-process");
      return isReader ? [Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1] ?? 0) / 1024] : [];
    } catch {
      return []; // gone meanwhile
    }
  });
  return Math.max(0, ...peaks);
}
/** Resident memory in MiB of this process, where a server's adapter keeps what it reads. */
function ownMemory(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss / 1024 / 1024;
}

async function read(database: Database, text: string, maxRows: number): Promise<number> {
  const found = await database.read(text, { ...caps, maxRows });
  if (!found.ok) throw new Error(found.error.message);
  return found.result.rowCount;
}

async function compare({ name, start, fill, bare: openBare }: Kind, rounds: number): Promise<Row[]> {
  const group = "budget" as const;
  const what = {
    page: `first page of ${rows.toLocaleString("en-US")} rows, ${name}`,
    memory: `memory for a page of them, ${name}`,
    export: `full export, ${mostRows.toLocaleString("en-US")} rows, ${name}`,
  };
  const engine = await start();
  if (!engine)
    return (["page", "memory", "export"] as const).map((one) =>
      notRun({ group, what: what[one], budget: budgets[one] }, `${name} is not installed here`),
    );
  try {
    await engine.run([`CREATE TABLE big (${columns})`, fill]);
    const database = await engine.open("owner");
    const bare = await openBare(engine.connection("owner"));
    // The same page of a part that is no larger than it, so that only what the other rows cost is left.
    for (let round = 0; round < 30; round += 1) await read(database, `${sql} WHERE id <= ${pageRows}`, pageRows);
    const atRest = { reader: readerPeak(), own: ownMemory() };
    const pages: number[] = [];
    for (let round = 0; round < 30; round += 1) pages.push((await timed(() => read(database, sql, pageRows))).ms);
    const page = median(pages);
    const grown = Math.max(readerPeak() - atRest.reader, ownMemory() - atRest.own);
    const scans: number[] = [];
    const times = { ours: [] as number[], bare: [] as number[], csv: [] as number[] };
    for (let round = 0; round < rounds; round += 1) {
      const scan = await timed(() => bare.scan());
      if (scan.value !== rows) throw new Error(`the bare driver read ${scan.value} rows`);
      scans.push(scan.ms);
      times.bare.push((await timed(() => bare.scan(mostRows))).ms);
      const ours = await timed(async () => {
        const found = await database.read(sql, { ...caps, maxRows: mostRows });
        if (!found.ok || found.result.rowCount !== mostRows) throw new Error("the export is not whole");
        return found.result;
      });
      times.ours.push(ours.ms);
      times.csv.push((await timed(async () => toCsv(ours.value))).ms);
    }
    await bare.end();
    await database.close();
    const scan = median(scans);
    const [ours, theirs, csv] = [median(times.ours), median(times.bare), median(times.csv)];
    const rate = (ms: number) => `${Math.round(mostRows / ms).toLocaleString("en-US")} rows/ms`;
    return [
      toRow({
        group,
        what: what.page,
        budget: budgets.page,
        figure: toMs(page),
        reference: `bare scan of all ${toMs(scan)}`,
        ratio: page / scan,
        holds: page / scan < 1 / 20,
        values: { pageMs: page, scanMs: scan },
      }),
      toRow({
        group,
        what: what.memory,
        budget: budgets.memory,
        figure: `${grown.toFixed(1)} MiB more than for a page of ${pageRows} rows`,
        holds: grown < 16,
        values: { grownMebibytes: grown, readerMebibytes: atRest.reader },
      }),
      toRow({
        group,
        what: what.export,
        budget: budgets.export,
        figure: rate(ours),
        reference: `bare ${rate(theirs)}; as CSV ${toMs(csv)} more`,
        ratio: theirs / ours,
        holds: theirs / ours >= 0.8,
        values: { oursMs: ours, bareMs: theirs, csvMs: csv },
      }),
    ];
  } finally {
    await engine.stop();
  }
}

export async function measure({ quick, keep }: BenchOptions): Promise<{ rows: Row[] }> {
  const found: Row[] = [];
  for (const kind of quick ? kinds.slice(0, 1) : kinds) {
    found.push(...(await compare(kind, quick ? 3 : 5)));
    keep?.(found);
  }
  return { rows: found };
}

if (import.meta.main) await runAlone(measure);
