import { describe, expect, test } from "vitest";
import { checkReadOnly, maxSqlLength } from "./read-only.ts";

const refused = [
  "WITH x AS (SELECT 1) DELETE FROM emp",
  "WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d",
  "WITH d AS (\n  DELETE\n  FROM t\n  RETURNING *\n)\nSELECT * FROM d",
  "WITH d AS (UPDATE t SET a = 1 RETURNING a) SELECT * FROM d",
  "WITH d AS (INSERT INTO t VALUES (1) RETURNING *) SELECT * FROM d",
  "SELECT * FROM (WITH d AS (DELETE FROM t RETURNING *) SELECT * FROM d)",
  "INSERT INTO t VALUES (1)",
  "INSERT INTO t SELECT * FROM u",
  "REPLACE INTO t VALUES (1)",
  "UPDATE t SET a = 1",
  "DELETE FROM t",
  "TRUNCATE TABLE t",
  "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN DELETE",
  "DROP TABLE t",
  "CREATE TABLE t (a int)",
  "CREATE TABLE x AS SELECT 1",
  "CREATE VIEW v AS SELECT 1",
  "ALTER TABLE t ADD COLUMN b int",
  "CREATE INDEX i ON t (a)",
  "ATTACH 'x.db' AS y",
  "DETACH y",
  "VACUUM",
  "VACUUM INTO 'out.db'",
  "PRAGMA user_version(1337)",
  "PRAGMA journal_mode=DELETE",
  "REINDEX",
  "ANALYZE",
  "BEGIN",
  "COMMIT",
  "ROLLBACK",
  "SAVEPOINT a",
  "RELEASE a",
  "COMMIT; DROP TABLE t; SELECT 1",
  "SELECT 1; SELECT 2",
  "-- note\nSELECT 1; DROP TABLE t",
  "/* x */ DROP TABLE t",
  "SELECT 1 INTO t2",
  "SELECT * INTO t2 FROM t",
  "SELECT * FROM t FOR UPDATE",
  "SELECT * FROM t FOR SHARE",
  "EXPLAIN SELECT 1",
  "SELECT 1 /*! INTO OUTFILE '/tmp/x' */",
  "SELECT 1 /*M! , 2 */",
  "SELECT load_extension('x')",
  "SELECT writefile('x', 'y')",
  "SELECT readfile('/etc/passwd')",
  "SELECT * FROM pragma_table_info('t')",
  "SELECT * FROM pragma_user_version",
  "SELECT zeroblob(1000000000)",
  "SELECT * FROM t WHERE a = ?",
  "COPY t TO 'x'",
  "SET x = 1",
  "CALL p()",
  "GRANT SELECT ON t TO u",
  "",
  "   ",
  "-- only a comment",
  "SELECT FROM WHERE",
  "SELECT * FROM (",
  "TABLE t",
  "SELECT 'a\0b'",
];
const allowed = [
  "SELECT 1",
  "SELECT 1;",
  "select * from t",
  "VALUES (1, 2), (3, 4)",
  "(SELECT 1)",
  "SELECT 1 UNION SELECT 2",
  "SELECT a FROM t EXCEPT SELECT a FROM u",
  "SELECT a FROM t INTERSECT SELECT b FROM u",
  "WITH a AS (SELECT 1) SELECT * FROM a",
  "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT * FROM n",
  "SELECT replace(a, 'x', 'y') FROM t",
  'SELECT "delete", "update", [insert] FROM "drop"',
  "SELECT 'DROP TABLE t; --' AS text",
  "SELECT '/*! not a comment */'",
  "-- note\nSELECT 1 -- end",
  "SELECT a FROM t ORDER BY a LIMIT 3 OFFSET 1",
  "SELECT COUNT(*) FILTER (WHERE a > 1), SUM(b) OVER (PARTITION BY c ORDER BY d) FROM t",
  "SELECT CASE WHEN NOT a LIKE '%x%' THEN 1 END FROM t",
  "SELECT strftime('%Y', d), date(d, '-1 month'), julianday('now') FROM t",
  "SELECT group_concat(a, ', '), total(b), printf('%.2f', b) FROM t",
  "SELECT * FROM a LEFT JOIN b USING (x) WHERE EXISTS (SELECT 1 FROM c WHERE c.y = a.y)",
  "SELECT value FROM json_each('[1,2]')",
  "SELECT update_time, deleted FROM t",
];

describe("refused", () => {
  test.each(refused)("%s", (sql) => {
    const result = checkReadOnly(sql, "sqlite");
    expect(result).toMatchObject({ ok: false });
    expect(result.ok ? "" : result.reason).toMatch(/\w/);
  });
  test("the message names the function", () => {
    expect(checkReadOnly("SELECT load_extension('x')", "sqlite")).toEqual({
      ok: false,
      reason: "The function load_extension is not allowed.",
    });
  });
  test.each([
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_sleep(60)",
    "SELECT pg_notify('a', 'b')",
    "SELECT * FROM dblink('x', 'SELECT 1') AS t(a int)",
    "SELECT pg_terminate_backend(1)",
    "SELECT nextval('s')",
    "COPY t TO PROGRAM 'x'",
    "DO $$ BEGIN END $$",
  ])("postgresql: %s", (sql) => {
    expect(checkReadOnly(sql, "postgresql")).toMatchObject({ ok: false });
  });
  test.each([
    "SELECT query_to_xml('DELETE FROM t', true, true, '')",
    "SELECT table_to_xml('t', true, true, '')",
    "SELECT pg_log_backend_memory_contexts(1)",
    "SELECT pg_try_advisory_lock(1)",
    "SELECT * FROM t WHERE a = $1",
    "WITH a AS (UPDATE t SET b = 1 RETURNING b) SELECT * FROM a",
    'SELECT 1 AS "a" INTO "b" FROM t',
  ])("postgres: %s", (sql) => {
    expect(checkReadOnly(sql, "postgres")).toMatchObject({ ok: false });
  });
  test.each([
    // MySQL takes -- for a comment only before a blank, and ends every block comment at its first end.
    ["SELECT a --1 INTO OUTFILE '/tmp/x'", /blank after its --/],
    ["SELECT a--1 INTO OUTFILE '/tmp/x'", /blank after its --/],
    ["SELECT 1 /* /* */ INTO OUTFILE '/tmp/x' -- */", /inside comments/],
    ["SELECT 1 /* /* */ INTO OUTFILE '/tmp/x' /* */ */", /inside comments/],
    ["SELECT 1 # '\nINTO OUTFILE '/tmp/x' # '", /Comments with #/],
    ["SELECT 1 INTO OUTFILE '/tmp/x'", /can't be parsed, so nothing shows that it only reads/],
    ["SELECT a INTO @x FROM t", /INTO/],
    ["SELECT a FROM t LOCK IN SHARE MODE", /./],
    ["SELECT get_lock('a', 1)", /get_lock/],
    ["SELECT load_file('/etc/passwd')", /load_file/],
  ])("mysql: %s", (sql, reason) => {
    const check = checkReadOnly(sql, "mysql");
    expect(check.ok ? "" : check.reason).toMatch(reason);
  });
  test.each([
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_xlsx('x.xlsx')",
    "SELECT * FROM query('SELECT 1')",
    "SELECT * FROM sqlite_scan('x.db', 't')",
    "SELECT getenv('HOME')",
    "FROM t; DROP TABLE t",
    "COPY t TO 'x'",
    "SUMMARIZE t",
  ])("duckdb: %s", (sql) => {
    expect(checkReadOnly(sql, "duckdb")).toMatchObject({ ok: false });
  });
  test("comments inside comments", () => {
    expect(checkReadOnly("SELECT 1 /* /* */ */, 2", "postgres")).toEqual({ ok: true });
    expect(checkReadOnly("SELECT 1 /* /* */ , 2", "sqlite")).toMatchObject({ ok: false });
    expect(checkReadOnly("SELECT 1 /* a */ -- b --c\n, 2 /* d */", "mysql")).toEqual({ ok: true });
  });
  test("too long", () => {
    const result = checkReadOnly(`SELECT ${"1 + ".repeat(maxSqlLength)}1`, "sqlite");
    expect(result).toEqual({ ok: false, reason: "The statement is longer than 100,000 characters." });
  });
  test("deeply nested", () => {
    expect(checkReadOnly(`SELECT ${"(".repeat(5000)}1${")".repeat(5000)}`, "sqlite")).toMatchObject({ ok: false });
    expect(checkReadOnly("SELECT 1", "sqlite")).toEqual({ ok: true });
  });
});

describe("allowed", () => {
  test.each(allowed)("%s", (sql) => {
    expect(checkReadOnly(sql, "sqlite")).toEqual({ ok: true });
  });
});
