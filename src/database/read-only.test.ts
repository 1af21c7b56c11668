import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "./database.ts";
import { openDatabase } from "./open-database.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-read-only-"));
const file = join(folder, "staff.sqlite");
const other = join(folder, "other.sqlite");
const options = { maxRows: 100, maxBytes: 100_000, deadlineMs: 5000 };
const hash = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
let database: Database;
let before: { files: string[]; hash: string; other: string };

beforeAll(async () => {
  const staff = new DatabaseSync(file);
  staff.exec(`
    CREATE TABLE emp(id INTEGER PRIMARY KEY, name TEXT, "delete" TEXT, salary REAL);
    INSERT INTO emp VALUES (1, 'Ada', 'no', 10), (2, 'Grace -- not a comment; DROP', 'yes', 20), (3, 'Edsger', NULL, 30);
    CREATE VIEW rich AS SELECT * FROM emp WHERE salary > 15;
    CREATE VIRTUAL TABLE notes USING fts5(body); INSERT INTO notes VALUES ('hello reader'), ('nothing');
    CREATE VIRTUAL TABLE boxes USING rtree(id, x0, x1); INSERT INTO boxes VALUES (7, 0, 1);
  `);
  staff.close();
  const second = new DatabaseSync(other);
  second.exec("CREATE TABLE secret(v); INSERT INTO secret VALUES (42)");
  second.close();
  database = await openDatabase({ engine: "sqlite", file });
  before = { files: readdirSync(folder).sort(), hash: hash(file), other: hash(other) };
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const out = join(folder, "out.sqlite");
const writes = [
  "INSERT INTO emp VALUES (9, 'x', 'x', 1)",
  "REPLACE INTO emp VALUES (1, 'x', 'x', 1)",
  "UPDATE emp SET salary = 0",
  "DELETE FROM emp",
  "DELETE FROM emp RETURNING *",
  "UPDATE emp SET name = 'x' RETURNING id",
  "WITH x AS (SELECT 1) DELETE FROM emp",
  "WITH x AS (SELECT 1 AS id)\nDELETE\nFROM emp WHERE id IN (SELECT id FROM x) RETURNING *",
  "WITH x AS (SELECT 1) INSERT INTO emp(name) SELECT 'x' FROM x",
  "WITH d AS (DELETE FROM emp RETURNING *) SELECT * FROM d",
  "CREATE TABLE t2(a)",
  "CREATE TABLE t2 AS SELECT * FROM emp",
  "CREATE TEMP TABLE t2(a)",
  "CREATE TEMP VIEW v2 AS SELECT 1",
  "CREATE VIEW v2 AS SELECT 1",
  "CREATE INDEX i2 ON emp(name)",
  "CREATE VIRTUAL TABLE v3 USING fts5(a)",
  "CREATE TRIGGER g AFTER INSERT ON emp BEGIN DELETE FROM emp; END",
  "DROP TABLE emp",
  "DROP VIEW rich",
  "ALTER TABLE emp RENAME TO emp2",
  "ALTER TABLE emp ADD COLUMN c",
  `ATTACH '${other}' AS o`,
  `ATTACH '${join(folder, "new.sqlite")}' AS o`,
  "DETACH main",
  `VACUUM INTO '${out}'`,
  "VACUUM",
  "REINDEX",
  "ANALYZE",
  "PRAGMA journal_mode=DELETE",
  "PRAGMA user_version(1337)",
  "PRAGMA writable_schema=ON",
  "PRAGMA data_version",
  "SELECT * FROM pragma_user_version",
  "SELECT * FROM pragma_table_info('emp')",
  "BEGIN IMMEDIATE",
  "COMMIT",
  "SAVEPOINT s",
  "SELECT 1; DROP TABLE emp",
  "SELECT 1; SELECT 2",
  "SELECT 1;;",
  "COMMIT; DROP TABLE emp; SELECT 1",
  "SELECT 1; -- done\nDROP TABLE emp",
  "SELECT 1 /* ; */ ; /* hidden */ DELETE FROM emp",
  "-- select\nDELETE FROM emp",
  "/* SELECT 1 */ DROP TABLE emp",
  "SELECT ']'; DELETE FROM emp",
  'SELECT "name" FROM emp; DELETE FROM emp --"',
  "SELECT 1\0; DROP TABLE emp",
  "SELECT load_extension('/tmp/evil.so')",
  "SELECT readfile('/etc/passwd')",
  `SELECT writefile('${out}', 'x')`,
  "SELECT edit('x', 'vi')",
  "SELECT fts3_tokenizer('simple')",
  "SELECT sqlite_log(1, 'x')",
  "SELECT optimize(notes) FROM notes",
  "EXPLAIN DELETE FROM emp",
  "INSERT INTO notes(notes) VALUES ('rebuild')",
  "",
  "  -- nothing\n",
];

test.each(writes)("refuses %j", async (sql) => {
  const read = await database.read(sql, options);
  expect(read.ok).toBe(false);
  // Some don't parse, or name a function that this SQLite doesn't have: the engine's error is as good as a refusal.
  if (!read.ok) expect(["refused", "syntax"]).toContain(read.error.code);
  expect(hash(file)).toBe(before.hash);
  expect(hash(other)).toBe(before.other);
  expect(readdirSync(folder).sort()).toEqual(before.files);
  expect(existsSync(out)).toBe(false);
});

test("names the function it refuses", async () => {
  expect(await database.read("SELECT load_extension('x')", options)).toMatchObject({
    error: { code: "refused", message: expect.stringContaining("load_extension") },
  });
});

test("says that a parameter has no value", async () => {
  expect(await database.read("SELECT * FROM emp WHERE name = :name", options)).toMatchObject({
    error: { code: "refused", message: expect.stringContaining(":name") },
  });
});

const harmless: [string, unknown[][]][] = [
  ["SELECT 'DELETE FROM emp; DROP TABLE emp'", [["DELETE FROM emp; DROP TABLE emp"]]],
  ['SELECT "delete" FROM emp WHERE id = 1', [["no"]]],
  ["SELECT [delete], `delete` FROM emp WHERE id = 2", [["yes", "yes"]]],
  ["SELECT replace(name, 'Ada', 'Eva') FROM emp WHERE id = 1", [["Eva"]]],
  ["VALUES (1), (2)", [[1], [2]]],
  ["SELECT 1 UNION SELECT 2 UNION ALL SELECT 2", [[1], [2], [2]]],
  ["WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 3) SELECT sum(n) FROM c", [[6]]],
  ["WITH a AS (SELECT id FROM emp ORDER BY id DESC LIMIT 2), b AS (SELECT sum(id) s FROM a) SELECT s FROM b", [[5]]],
  ["SELECT 1;", [[1]]],
  ["SELECT 1 ; -- the end; really", [[1]]],
  ["/* first; */ SELECT 1 /* unfinished; business", [[1]]],
  ["-- DROP TABLE emp;\nSELECT count(*) FROM emp", [[3]]],
  ["SELECT name FROM emp WHERE name = 'Grace -- not a comment; DROP'", [["Grace -- not a comment; DROP"]]],
  ['SELECT \'it\'\'s; fine\', "name" AS "a"";b" FROM emp WHERE id = 3', [["it's; fine", "Edsger"]]],
  ["SELECT count(*) FROM rich", [[2]]],
  ["SELECT body FROM notes WHERE notes MATCH 'reader'", [["hello reader"]]],
  ["SELECT id FROM boxes WHERE x0 >= 0", [[7]]],
  [
    "SELECT name, rank() OVER (ORDER BY salary DESC) FROM emp WHERE id > 1",
    [
      ["Edsger", 1],
      ["Grace -- not a comment; DROP", 2],
    ],
  ],
  ["SELECT json_extract('{\"a\": 5}', '$.a'), '?', ':x', '@y'", [[5, "?", ":x", "@y"]]],
  ["SELECT value FROM json_each('[1,2]')", [[1], [2]]],
  ["SELECT name FROM sqlite_schema WHERE type = 'view'", [["rich"]]],
  ["SELECT 1 AS \"create\", 2 AS 'update'", [[1, 2]]],
  ["SELECT EXISTS (SELECT 1 FROM emp WHERE salary > 25)", [[1]]],
];

test.each(harmless)("runs %j", async (sql, rows) => {
  const read = await database.read(sql, options);
  expect(read.ok ? read.result.rows : read.error).toEqual(rows);
});
