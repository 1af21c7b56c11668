import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { runDuckdb } from "../fixtures/duckdb-engine.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-duckdb-guard-"));
const file = join(folder, "staff.duckdb");
const other = join(folder, "other.duckdb");
const files = join(folder, "files");
const secret = join(folder, "secret.csv");
const out = join(folder, "out.csv");
const options = { maxRows: 100, maxBytes: 100_000, deadlineMs: 20_000 };
const hash = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
const look = () => ({
  files: readdirSync(folder, { recursive: true }).map(String).sort(),
  hashes: [file, other, secret, join(files, "emp.csv")].map(hash),
});
let database: Database;
let folderDatabase: Database;
let before: ReturnType<typeof look>;

beforeAll(async () => {
  mkdirSync(files);
  writeFileSync(secret, "v\n42\n");
  writeFileSync(join(files, "emp.csv"), "id,name\n1,Ada\n2,Grace\n");
  await runDuckdb(other, ["CREATE TABLE secret(v INT)", "INSERT INTO secret VALUES (42)"]);
  await runDuckdb(file, [
    `CREATE TABLE emp(id INTEGER PRIMARY KEY, name VARCHAR, "delete" VARCHAR, salary DOUBLE, year INTEGER)`,
    "INSERT INTO emp VALUES (1,'Ada','no',10,2023), (2,'Grace -- not a comment; DROP','yes',20,2024), (3,'Edsger',NULL,30,2024)",
    "CREATE VIEW rich AS SELECT * FROM emp WHERE salary > 15",
    "CREATE SEQUENCE s",
    "CREATE MACRO twice(x) AS x * 2",
    "CREATE MACRO staff(least) AS TABLE SELECT name FROM emp WHERE salary >= least",
    "CREATE MACRO reading(p) AS TABLE SELECT * FROM read_csv(p)",
    'CREATE TABLE "odd/name.csv"(a INT)',
    'INSERT INTO "odd/name.csv" VALUES (7)',
    "CREATE TYPE mood AS ENUM ('ok', 'sad')",
  ]);
  database = await openDatabase({ engine: "duckdb", file });
  folderDatabase = await openDatabase({ engine: "duckdb", file: files });
  before = look();
});
afterAll(async () => {
  await database?.close();
  await folderDatabase?.close();
  rmSync(folder, { recursive: true, force: true });
});

const attempts = [
  "INSERT INTO emp VALUES (9,'x','x',1,1)",
  "INSERT OR REPLACE INTO emp VALUES (1,'x','x',1,1)",
  "INSERT INTO emp BY NAME SELECT 9 AS id",
  "UPDATE emp SET salary = 0",
  "DELETE FROM emp",
  "DELETE FROM emp RETURNING *",
  "TRUNCATE emp",
  "MERGE INTO emp USING emp e ON true WHEN MATCHED THEN DELETE",
  "WITH x AS (SELECT 1) DELETE FROM emp",
  "WITH x AS (SELECT 1 AS id)\nINSERT INTO emp(id) SELECT id + 10 FROM x RETURNING *",
  "WITH d AS (DELETE FROM emp RETURNING *) SELECT * FROM d",
  "WITH d AS MATERIALIZED (INSERT INTO emp(id) VALUES (8) RETURNING id) FROM d",
  "CREATE TABLE t2(a INT)",
  "CREATE TABLE t2 AS FROM emp",
  "CREATE TEMP TABLE t2(a INT)",
  "CREATE TEMP VIEW v2 AS SELECT 1",
  "CREATE OR REPLACE VIEW rich AS SELECT 1",
  "CREATE MACRO m() AS 1",
  "CREATE SECRET (TYPE s3, KEY_ID 'a', SECRET 'b')",
  "CREATE SCHEMA s2",
  "DROP TABLE emp",
  "ALTER TABLE emp ADD COLUMN c INT",
  "COMMENT ON TABLE emp IS 'x'",
  `COPY emp TO '${out}'`,
  `COPY (SELECT 1) TO '${out}'`,
  `COPY emp FROM '${secret}'`,
  `COPY FROM DATABASE staff TO other`,
  `EXPORT DATABASE '${join(folder, "export")}'`,
  `IMPORT DATABASE '${folder}'`,
  `ATTACH '${other}' AS o`,
  `ATTACH '${join(folder, "new.duckdb")}' AS n`,
  "DETACH staff",
  "USE memory",
  "INSTALL httpfs",
  "LOAD httpfs",
  "LOAD '/tmp/evil.duckdb_extension'",
  "UPDATE EXTENSIONS",
  "SET enable_external_access = true",
  "SET lock_configuration = false",
  "SET VARIABLE x = 1",
  "RESET enable_external_access",
  "RESET lock_configuration",
  "PRAGMA enable_profiling",
  "PRAGMA database_list",
  "PRAGMA version",
  "PRAGMA table_info('emp')",
  `PRAGMA import_database('${folder}')`,
  "CALL pragma_version()",
  "CALL enable_logging()",
  "CHECKPOINT",
  "FORCE CHECKPOINT",
  "VACUUM",
  "ANALYZE",
  "BEGIN",
  "COMMIT",
  "PREPARE p AS DELETE FROM emp",
  "EXECUTE p",
  "EXPLAIN SELECT 1",
  "EXPLAIN ANALYZE DELETE FROM emp",
  "SELECT 1; DROP TABLE emp",
  "SELECT 1; SELECT 2",
  "COMMIT; DROP TABLE emp; SELECT 1",
  "SELECT 1; -- done\nDROP TABLE emp",
  "SELECT 1 /* ; */ ; /* hidden */ DELETE FROM emp",
  "-- select\nDELETE FROM emp",
  "/* SELECT 1 */ DROP TABLE emp",
  "SELECT 1\0; DROP TABLE emp",
  "SELECT $$a$$; DELETE FROM emp -- $$",
  "PIVOT emp ON year USING sum(salary)",
  `SELECT * FROM read_csv('${secret}')`,
  `SELECT * FROM "read_csv" /* */ ('${secret}')`,
  `SELECT * FROM system.main.read_csv('${secret}')`,
  `SELECT * FROM read_csv_auto('/etc/passwd')`,
  `WITH x AS (SELECT * FROM emp WHERE id IN (SELECT column0 FROM read_csv('/etc/passwd'))) SELECT * FROM x`,
  `FROM reading('${secret}')`,
  "SELECT * FROM read_text('/etc/passwd')",
  "SELECT * FROM read_blob('/etc/passwd')",
  "SELECT * FROM read_json('/etc/passwd')",
  "SELECT * FROM read_parquet('/etc/passwd')",
  "SELECT * FROM parquet_metadata('/etc/passwd')",
  `SELECT * FROM read_duckdb('${other}')`,
  "SELECT * FROM sniff_csv('/etc/passwd')",
  "SELECT * FROM glob('/etc/*')",
  "SELECT * FROM '/etc/passwd'",
  'FROM "/etc/passwd"',
  `FROM '${secret}'`,
  `FROM '${other}'`,
  "DESCRIBE '/etc/passwd'",
  `SUMMARIZE '${secret}'`,
  "SELECT * FROM 'http://127.0.0.1:9/x.csv'",
  "SELECT * FROM read_csv('https://example.com/x.csv')",
  "SELECT * FROM 's3://bucket/x.parquet'",
  "SELECT * FROM query('DELETE FROM emp')",
  "SELECT * FROM query_table('emp')",
  "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT 1'))",
  "SELECT * FROM duckdb_secrets()",
  "SELECT * FROM duckdb_settings()",
  "SELECT * FROM duckdb_databases()",
  "SELECT * FROM duckdb_databases",
  "SELECT * FROM pragma_database_list",
  "SELECT * FROM pg_settings",
  "SELECT current_setting('secret_directory')",
  "SELECT 'PATH'.getenv()",
  "SELECT getenv('PATH')",
  "SELECT nextval('s')",
  "SELECT write_log('x')",
  "SELECT sleep_ms(100000)",
  "SELECT * FROM checkpoint()",
  "SELECT * FROM enable_logging()",
  "SELECT * FROM arrow_scan(1, 2, 3)",
  "SELECT 1 INTO t2",
  "SELECT * FROM emp FOR UPDATE",
  "SELECT * FROM emp WHERE id = ?",
  "SELECT * FROM emp WHERE id = $id",
  "",
  "  -- nothing\n;",
];

test(`refuses ${attempts.length} attempts to write or to reach out, and nothing changes`, async () => {
  expect(attempts.length).toBeGreaterThanOrEqual(60);
  const reads = await database.readAll(attempts, { ...options, deadlineMs: 60_000 });
  // Some don't parse here: the engine's own error is as good as a refusal.
  const passed = attempts.filter((_, index) => {
    const read = reads[index];
    return read?.ok !== false || !["refused", "syntax"].includes(read.error.code);
  });
  expect(passed.map((sql) => [sql, reads[attempts.indexOf(sql)]])).toEqual([]);
  expect(look()).toEqual(before);
  expect(existsSync(out)).toBe(false);
});

test("in a folder of files as well, its own files included", async () => {
  const sqls = [
    ...attempts,
    "CREATE TABLE t2 AS FROM emp",
    "INSERT INTO emp VALUES (3, 'x')",
    "FROM 'emp.csv'",
    "FROM read_csv('emp.csv')",
    "COPY (SELECT 1) TO 'emp.csv'",
    "COPY (SELECT 1) TO 'new.csv'",
    "FROM '../secret.csv'",
  ];
  const reads = await folderDatabase.readAll(sqls, { ...options, deadlineMs: 60_000 });
  const passed = sqls.filter((_, index) => {
    const read = reads[index];
    return read?.ok !== false || !["refused", "syntax", "unknown-table"].includes(read.error.code);
  });
  expect(passed).toEqual([]);
  expect(look()).toEqual(before);
  const still = await folderDatabase.read("SELECT count(*) FROM emp", options);
  expect(still.ok && still.result.rows).toEqual([[2]]);
});

test("tells no path", async () => {
  const told = await folderDatabase.readAll(
    ["SELECT sql FROM duckdb_views()", "SELECT * FROM information_schema.tables", "FROM duckdb_functions()"],
    { ...options, maxRows: 100_000, maxBytes: 10_000_000 },
  );
  expect(told.every((read) => read.ok)).toBe(true);
  expect(JSON.stringify(told)).not.toContain(folder);
});

test.each([
  ["SELECT * FROM read_csv('/etc/passwd')", "read_csv"],
  ["SELECT nextval('s')", "nextval"],
  ["SELECT * FROM emp WHERE name = $name", "$name"],
  ["PIVOT emp ON year USING sum(salary)", "PIVOT"],
  ["FROM '/etc/passwd'", "/etc/passwd"],
])("says what it refuses in %j", async (sql, word) => {
  expect(await database.read(sql, options)).toMatchObject({
    error: { code: "refused", message: expect.stringContaining(word) },
  });
});

const harmless: [string, unknown[][]][] = [
  ["SELECT 'DELETE FROM emp; DROP TABLE emp'", [["DELETE FROM emp; DROP TABLE emp"]]],
  ['SELECT "delete" FROM emp WHERE id = 1', [["no"]]],
  ["SELECT replace(name, 'Ada', 'Eva') FROM emp WHERE id = 1", [["Eva"]]],
  ["VALUES (1), (2)", [[1], [2]]],
  ["FROM emp SELECT id WHERE id < 3 ORDER BY id", [[1], [2]]],
  [
    "TABLE rich",
    [
      [2, "Grace -- not a comment; DROP", "yes", 20, 2024],
      [3, "Edsger", null, 30, 2024],
    ],
  ],
  ["(SELECT 1)", [[1]]],
  ["SELECT 1 UNION ALL SELECT 2 ORDER BY 1", [[1], [2]]],
  ["WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3) SELECT sum(n) FROM c", [[6]]],
  ["WITH a AS (SELECT id FROM emp ORDER BY id DESC LIMIT 2), b AS (SELECT sum(id) s FROM a) SELECT s FROM b", [[5]]],
  ["SELECT 1;", [[1]]],
  ["SELECT 1 ; -- the end; really", [[1]]],
  ["/* first; */ SELECT 1", [[1]]],
  ["-- DROP TABLE emp;\nSELECT count(*) FROM emp", [[3]]],
  ["SELECT name FROM emp WHERE name = 'Grace -- not a comment; DROP'", [["Grace -- not a comment; DROP"]]],
  ['SELECT \'it\'\'s; fine\', "name" AS "a"";b" FROM emp WHERE id = 3', [["it's; fine", "Edsger"]]],
  ["SELECT $$ ; DELETE FROM emp $$", [[" ; DELETE FROM emp "]]],
  ["PIVOT (SELECT year, salary FROM emp) ON year IN (2023, 2024) USING sum(salary)", [[10, 50]]],
  ["SELECT count(*) FROM (UNPIVOT emp ON salary, year)", [[6]]],
  [
    "SELECT name, rank() OVER (ORDER BY salary DESC) FROM emp QUALIFY rank() OVER (ORDER BY salary DESC) = 1",
    [["Edsger", 1]],
  ],
  [
    "SELECT year, sum(salary) FROM emp GROUP BY ALL ORDER BY ALL",
    [
      [2023, 10],
      [2024, 50],
    ],
  ],
  ["SELECT list_transform([1, 2], lambda x: x + 1)", [["[2, 3]"]]],
  ["SELECT * FROM range(2)", [[0], [1]]],
  ["SELECT unnest([5, 6])", [[5], [6]]],
  ["SELECT '{\"a\": 5}'->>'a', '?', ':x', '$1'", [["5", "?", ":x", "$1"]]],
  ["SELECT twice(21)", [[42]]],
  ["FROM staff(25)", [["Edsger"]]],
  ['FROM "odd/name.csv"', [[7]]],
  ['WITH "a.csv" AS (SELECT 1 AS x) SELECT x FROM "a.csv"', [[1]]],
  ["WITH read_csv(getenv) AS (SELECT 1) SELECT getenv FROM read_csv", [[1]]],
  ["SELECT 'read_csv(''/etc/passwd'')' AS \"create\"", [["read_csv('/etc/passwd')"]]],
  ["SELECT EXISTS (SELECT 1 FROM emp WHERE salary > 25)", [[true]]],
  ["SELECT table_name FROM information_schema.tables WHERE table_name = 'emp'", [["emp"]]],
  ["SELECT column_name FROM (DESCRIBE emp) LIMIT 1", [["id"]]],
  ["SELECT 'sad'::mood > 'ok'::mood", [[true]]],
  ["SELECT e.id FROM emp e ASOF JOIN emp f ON e.id >= f.id WHERE e.id = 3", [[3]]],
];

test(`runs ${harmless.length} harmless look-alikes`, async () => {
  const reads = await database.readAll(
    harmless.map(([sql]) => sql),
    { ...options, deadlineMs: 60_000 },
  );
  harmless.forEach(([sql, rows], index) => {
    const read = reads[index];
    expect([sql, read?.ok ? read.result.rows : read?.error]).toEqual([sql, rows]);
  });
});
