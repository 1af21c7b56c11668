/** R: what writes, reaches out or never ends is refused by the parse and by the connection, and nothing changes. */
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { measureAnswer } from "../../src/evidence/measure-answer.ts";
import type { Engine } from "../../src/protocol/index.ts";
import { dialectOf } from "../../src/sql/dialect.ts";
import { checkReadOnly } from "../../src/sql/read-only.ts";
import { codeOf, type Given, limits, onEveryEngine } from "./on-every-engine.ts";

const stolen = join(tmpdir(), "thoth-case-r4.db");

/** R3 and R4 in each engine's own words. */
const reaching: Record<Engine, [sql: string, named: RegExp][]> = {
  sqlite: [
    ["SELECT load_extension('x')", /load_extension/],
    ["SELECT readfile('/etc/passwd')", /readfile/],
    ["SELECT writefile('/tmp/x', 'y')", /writefile/],
  ],
  duckdb: [
    ["SELECT * FROM read_csv('/etc/passwd')", /read_csv/],
    ["SELECT * FROM read_text('/etc/passwd')", /read_text/],
    ["SELECT getenv('HOME')", /getenv/],
    ["SELECT * FROM '/etc/passwd'", /./],
  ],
  postgres: [
    ["SELECT pg_read_file('/etc/passwd')", /pg_read_file/],
    ["SELECT * FROM dblink('host=x', 'SELECT 1') AS t(a int)", /dblink/],
    ["SELECT pg_notify('a', 'b')", /pg_notify/],
    ["SELECT pg_sleep(30)", /pg_sleep/],
  ],
  mysql: [
    ["SELECT SLEEP(30)", /sleep/i],
    ["SELECT LOAD_FILE('/etc/passwd')", /load_file/i],
    ["SELECT GET_LOCK('a', 1)", /get_lock/i],
    ["SELECT BENCHMARK(1000000000, MD5('x'))", /benchmark/i],
  ],
};

onEveryEngine(
  () => [
    "CREATE TABLE emp (id INTEGER NOT NULL PRIMARY KEY, name VARCHAR(20))",
    "INSERT INTO emp VALUES (1, 'Ada'), (2, 'Bob'), (3, 'Cy')",
    "CREATE TABLE t (a INTEGER)",
    "INSERT INTO t VALUES (1)",
  ],
  (given) => {
    const { parser } = dialectOf(given.engine.engine);

    it("R1 a writable CTE is refused by the parse and by the connection, in one line and over several", async () => {
      await isRefused(given, [
        "WITH x AS (SELECT 1) DELETE FROM emp",
        "WITH x AS (SELECT 1)\n-- nothing to see\nDELETE\nFROM emp",
        "WITH d AS (DELETE FROM emp RETURNING *) SELECT * FROM d",
        "WITH d AS (\n  DELETE\n  FROM emp\n  RETURNING *\n)\nSELECT * FROM d",
        "WITH d AS (INSERT INTO t VALUES (2) RETURNING a) SELECT * FROM d",
        "MERGE INTO t USING emp ON t.a = emp.id WHEN MATCHED THEN DELETE",
      ]);
      expect(await given.rows("SELECT COUNT(*) FROM emp")).toEqual([[3]]);
    });

    it("R1 control: VALUES, UNION, RECURSIVE, replace() and a column named delete run", async () => {
      const { quote } = dialectOf(given.engine.engine);
      const values = given.engine.engine === "mysql" ? "SELECT 1 UNION ALL SELECT 2" : "VALUES (1), (2)";
      const runs: [sql: string, rows: unknown[][]][] = [
        [values, [[1], [2]]],
        ["SELECT 1 UNION SELECT 1", [[1]]],
        ["WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3) SELECT MAX(n) FROM c", [[3]]],
        ["SELECT replace('a-b', '-', '+')", [["a+b"]]],
        [`SELECT a AS ${quote("delete")} FROM t`, [[1]]],
      ];
      for (const [sql, rows] of runs) {
        expect([sql, checkReadOnly(sql, parser)]).toEqual([sql, { ok: true }]);
        expect([sql, await given.rows(sql)]).toEqual([sql, rows]);
      }
    });

    it("R2 several statements, or a COMMIT that leaves the reading transaction, are refused as a whole", async () => {
      await isRefused(given, [
        "COMMIT; DROP TABLE t; SELECT 1",
        "SELECT 1; DROP TABLE t",
        "-- harmless\nCOMMIT; DROP TABLE t",
        "/* harmless */ DROP TABLE t",
        "ROLLBACK; DELETE FROM emp; SELECT 1",
        "COPY emp TO PROGRAM 'cat > /tmp/thoth-case-r2'",
      ]);
      expect(existsSync("/tmp/thoth-case-r2")).toBe(false);
      expect(await given.rows("SELECT COUNT(*) FROM t")).toEqual([[1]]);
    });

    it("R3 a SELECT that writes or locks is refused: INTO and FOR UPDATE", async () => {
      await isRefused(given, ["SELECT * INTO t2 FROM emp", "SELECT * FROM emp FOR UPDATE"]);
    });

    it("R3 a SELECT that reaches outside or sleeps is refused, and the message names the function", async () => {
      const before = await given.engine.checksum();
      for (const [sql, named] of reaching[given.engine.engine]) {
        const parse = checkReadOnly(sql, parser);
        const shown = await measureAnswer(given.owner, given.opened.catalog, sql, []);
        const started = performance.now();
        const read = await given.owner.read(sql, limits);
        // Node's SQLite lacks two of them altogether.
        expect([sql, codeOf(read)]).toEqual([sql, expect.stringMatching(/^(refused|syntax)$/)]);
        expect(performance.now() - started).toBeLessThan(15_000);
        expect("problem" in shown ? shown.problem.code : "ran").toBe("refused");
        const message = parse.ok ? (read.ok ? "" : read.error.message) : parse.reason;
        expect([sql, message]).toEqual([sql, expect.stringMatching(named)]);
      }
      expect(await given.engine.checksum()).toBe(before);
    });

    it("R4 side doors: ATTACH, VACUUM INTO, PRAGMA and SET leave every byte as it was", async () => {
      await isRefused(given, [
        `ATTACH '${stolen}' AS x`,
        `VACUUM INTO '${stolen}'`,
        "PRAGMA journal_mode=DELETE",
        "SET GLOBAL read_only = 0",
      ]);
      // DuckDB knows no such PRAGMA, and says so instead.
      await isRefused(given, ["PRAGMA user_version(1337)"], /^(refused|syntax|other)$/);
      expect(existsSync(stolen)).toBe(false);
    });
  },
);

/** By the parse alone, by a login that may write, and with nothing changed. */
async function isRefused(given: Given, statements: readonly string[], codes = /^(refused|syntax)$/): Promise<void> {
  const { parser } = dialectOf(given.engine.engine);
  const before = await given.engine.checksum();
  for (const sql of statements) {
    expect([sql, checkReadOnly(sql, parser).ok]).toEqual([sql, false]);
    const read = await given.owner.read(sql, limits);
    expect([sql, codeOf(read)]).toEqual([sql, expect.stringMatching(codes)]);
  }
  expect(await given.engine.checksum()).toBe(before);
}
