/** A login that may do everything tries to write, to wait and to reach out through the adapter on MariaDB. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/database/database.ts";
import { type MariadbUnderTest, startMariadb } from "../fixtures/mariadb-engine.ts";

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 5000 };
const engine = await startMariadb();
const file = join(engine?.folder ?? "", "stolen");
let owner: Database;

beforeAll(async () => {
  if (!engine) return;
  await prepare(engine);
  owner = await engine.open("owner");
}, 120_000);
afterAll(async () => {
  await owner?.close();
  await engine?.stop();
});

async function prepare(server: MariadbUnderTest): Promise<void> {
  await server.run([
    "CREATE TABLE emp (id INT PRIMARY KEY, name VARCHAR(40), `delete` INT, `into` INT) ENGINE=InnoDB",
    "INSERT INTO emp VALUES (1, 'Ann', 7, 8), (2, 'Bob', 9, 10)",
    "CREATE TABLE plain (id INT) ENGINE=MyISAM",
    "INSERT INTO plain VALUES (1)",
    "CREATE SEQUENCE seq",
    "CREATE FUNCTION add_emp() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO emp VALUES (99, 'Eve', 0, 0); RETURN 1; END",
    "CREATE FUNCTION add_plain() RETURNS INT MODIFIES SQL DATA BEGIN INSERT INTO plain VALUES (99); RETURN 1; END",
    "CREATE VIEW sneaky AS SELECT add_emp() AS n",
    "CREATE VIEW sneaky_plain AS SELECT add_plain() AS n",
    "CREATE VIEW next_one AS SELECT NEXT VALUE FOR seq AS n",
    "CREATE PROCEDURE wipe() DELETE FROM emp",
  ]);
}

const attempts = [
  // statements that aren't queries
  "INSERT INTO emp VALUES (3, 'x', 0, 0)",
  "INSERT INTO emp VALUES (3, 'x', 0, 0) RETURNING *",
  "REPLACE INTO emp VALUES (1, 'x', 0, 0)",
  "REPLACE emp SELECT * FROM emp",
  "UPDATE emp SET name = 'x'",
  "DELETE FROM emp",
  "DELETE FROM emp RETURNING *",
  "TRUNCATE TABLE emp",
  "DROP TABLE emp",
  "CREATE TABLE x (a INT)",
  "CREATE TEMPORARY TABLE x AS SELECT * FROM emp",
  "ALTER TABLE emp ADD COLUMN z INT",
  "RENAME TABLE emp TO emp2",
  "CALL wipe()",
  "DO add_emp()",
  "DO SLEEP(1)",
  "HANDLER emp OPEN",
  "LOCK TABLES emp WRITE",
  "SET GLOBAL general_log = 1",
  "SET @a = 1",
  "SET STATEMENT max_statement_time = 0 FOR SELECT 1",
  "LOAD DATA INFILE '/etc/passwd' INTO TABLE emp",
  "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE emp",
  "GRANT ALL ON *.* TO reader@'%'",
  "FLUSH TABLES WITH READ LOCK",
  "KILL 1",
  "SHUTDOWN",
  "PREPARE s FROM 'DELETE FROM emp'",
  "EXECUTE IMMEDIATE 'DELETE FROM emp'",
  "BEGIN NOT ATOMIC DELETE FROM emp; END",
  "COMMIT",
  "START TRANSACTION",
  "XA START 'a'",
  "EXPLAIN DELETE FROM emp",
  "ANALYZE FORMAT=JSON DELETE FROM emp",
  "ANALYZE TABLE emp",
  "INSTALL SONAME 'ha_federated'",
  "USE mysql",
  // more than one
  "SELECT 1; DELETE FROM emp",
  "COMMIT; DROP TABLE emp; SELECT 1",
  "SELECT 1;; DELETE FROM emp",
  "SELECT 'a\\\\'; DELETE FROM emp; -- '",
  "/* x */ DELETE FROM emp",
  "# x\nDELETE FROM emp",
  "-- x\nDELETE FROM emp",
  // queries that write
  "WITH x AS (SELECT 1 AS a) DELETE FROM emp",
  "WITH x AS (SELECT 1 AS id) DELETE emp FROM emp JOIN x USING (id)",
  "WITH RECURSIVE x(n) AS (SELECT 1) UPDATE emp, x SET name = 'x'",
  "WITH x AS (SELECT 1)\nINSERT\nINTO emp SELECT 3, 'x', 0, 0",
  `SELECT * FROM emp INTO OUTFILE '${file}1'`,
  `SELECT * INTO OUTFILE '${file}2' FROM emp`,
  `SELECT 'x' INTO DUMPFILE '${file}3'`,
  `SELECT 1 UNION SELECT 2 INTO OUTFILE '${file}4'`,
  `(SELECT 1) INTO OUTFILE '${file}5'`,
  `SELECT 1 /*! INTO OUTFILE '${file}6' */`,
  `SELECT 1 /*M! INTO OUTFILE '${file}7' */`,
  `SELECT 1 /*!50000 INTO OUTFILE '${file}8' */`,
  `SELECT 1.5INTO OUTFILE '${file}9'`,
  `SELECT 1e5INTO OUTFILE '${file}10'`,
  `SELECT \\NINTO OUTFILE '${file}11'`,
  `SELECT 1 --\u00a0\nINTO OUTFILE '${file}12'`,
  `SELECT 1--INTO OUTFILE '${file}13'`,
  `SELECT "a\\\\" INTO OUTFILE '${file}14' -- "`,
  `SELECT 'a' 'b'INTO OUTFILE '${file}15'`,
  `TABLE emp INTO OUTFILE '${file}16'`,
  `VALUES (1) INTO OUTFILE '${file}17'`,
  `SELECT 1 AS a/**/INTO/**/OUTFILE '${file}18'`,
  `SELECT x.1e5into FROM emp x INTO OUTFILE '${file}19'`,
  "SELECT name INTO @a FROM emp LIMIT 1",
  "SELECT @a := 1",
  "SELECT @a:=id FROM emp",
  "SELECT * FROM emp PROCEDURE ANALYSE()",
  // locks
  "SELECT * FROM emp FOR UPDATE",
  "SELECT * FROM emp FOR UPDATE NOWAIT",
  "SELECT * FROM emp LOCK IN SHARE MODE",
  "SELECT * FROM (SELECT * FROM emp FOR UPDATE) x",
  "SELECT GET_LOCK('a', 1)",
  "SELECT RELEASE_ALL_LOCKS()",
  // functions that reach out, wait or change something
  "SELECT LOAD_FILE('/etc/passwd')",
  "SELECT load_file ('/etc/passwd')",
  "SELECT `load_file`('/etc/passwd')",
  "SELECT load_file/**/('/etc/passwd')",
  "SELECT SLEEP(1)",
  "SELECT BENCHMARK(1000000, MD5('a'))",
  "SELECT MASTER_POS_WAIT('a', 1, 1)",
  "SELECT MASTER_GTID_WAIT('0-1-1', 1)",
  "SELECT LAST_INSERT_ID(5)",
  "SELECT NEXT VALUE FOR seq",
  "SELECT NEXTVAL(seq)",
  "SELECT LASTVAL(seq)",
  "SELECT SETVAL(seq, 100)",
  "SELECT PREVIOUS VALUE FOR seq",
  "SELECT add_emp()",
  "SELECT thoth.add_emp()",
  "SELECT `thoth`.`add_plain`()",
  "SELECT sys_exec('id')",
  // what only the server can see
  "SELECT * FROM sneaky",
  "SELECT * FROM sneaky_plain",
  "SELECT * FROM next_one",
  // hidden ends
  "SELECT 1\0; DELETE FROM emp",
  "SELECT 1 /* open",
  "SELECT 'open",
  "",
  "-- only a comment",
];

const harmless: [string, unknown[][]][] = [
  ["SELECT `delete` FROM emp WHERE id = 1", [[7]]],
  ["SELECT e.delete, e.into FROM emp e WHERE e.id = 1", [[7, 8]]],
  ["SELECT `into` FROM emp WHERE id = 2", [[10]]],
  ["SELECT REPLACE('abc', 'b', 'x')", [["axc"]]],
  ["SELECT INSERT('Quadratic', 3, 4, 'What')", [["QuWhattic"]]],
  ["SELECT 'INTO OUTFILE'", [["INTO OUTFILE"]]],
  ['SELECT "DELETE FROM emp; DROP"', [["DELETE FROM emp; DROP"]]],
  ["SELECT 'it''s; DELETE' AS a", [["it's; DELETE"]]],
  ["SELECT 'a\\'b; INTO'", [["a'b; INTO"]]],
  ["SELECT 1 /* DELETE FROM emp; INTO OUTFILE */ AS a", [[1]]],
  ["SELECT 1 -- ; DELETE FROM emp", [[1]]],
  ["# DELETE\nSELECT 1;", [[1]]],
  ["SELECT 5--2", [[7]]],
  ["SELECT 1 AS `FOR UPDATE`", [[1]]],
  ["(SELECT 1) UNION ALL (SELECT 2) ORDER BY 1", [[1], [2]]],
  [
    "VALUES (1, 'a'), (2, 'b')",
    [
      [1, "a"],
      [2, "b"],
    ],
  ],
  ["WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 5000) SELECT MAX(n) FROM c", [[5000]]],
  ["WITH a AS (SELECT 1 AS x), b (y) AS (SELECT x + 1 FROM a) SELECT y FROM b", [[2]]],
  ["SELECT SUM(id) OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) FROM emp", [["1"], ["3"]]],
  ["SELECT ROW_NUMBER() OVER w FROM emp WINDOW w AS (ORDER BY id DESC)", [[1], [2]]],
  ["SELECT JSON_EXTRACT('{\"a\": [1, 2]}', '$.a[1]')", [["2"]]],
  ["SELECT COUNT(*) FROM JSON_TABLE('[1,2]', '$[*]' COLUMNS (v INT PATH '$')) AS t", [[2]]],
  ["SELECT id FROM emp WHERE name IN ('Ann') AND (id = 1 OR id IN (2))", [[1]]],
  [
    "SELECT CAST('2024-02-29' AS DATE), CAST(1.5 AS DECIMAL(5, 2)), CONVERT('a' USING utf8mb4)",
    [["2024-02-29", "1.50", "a"]],
  ],
  ["SELECT DATE_ADD('2024-01-31', INTERVAL (1) MONTH), EXTRACT(YEAR FROM '2024-01-01')", [["2024-02-29", 2024]]],
  ["SELECT SUBSTRING('abc' FROM 2 FOR 1), TRIM(LEADING 'x' FROM 'xa')", [["b", "a"]]],
  ["SELECT d.n FROM (SELECT 1 AS n) AS d", [[1]]],
  ["SELECT id FROM emp USE INDEX (PRIMARY) WHERE id = 2", [[2]]],
  ["SELECT GROUP_CONCAT(name ORDER BY id SEPARATOR '; ') FROM emp", [["Ann; Bob"]]],
  [
    "SELECT id, COUNT(*) FROM emp GROUP BY id WITH ROLLUP",
    [
      [1, 1],
      [2, 1],
      [null, 2],
    ],
  ],
  ["SELECT _utf8mb4'ä', x'4142', N'n', 0x41, b'1'", [["ä", "x'4142'", "n", "x'41'", "x'01'"]]],
  ["SELECT IS_USED_LOCK('a'), LAST_INSERT_ID(), UPPER(DATABASE())", [[null, 0, "THOTH"]]],
  ["SELECT CASE WHEN (id = 1) THEN 'update' ELSE 'delete' END FROM emp", [["update"], ["delete"]]],
  ["SELECT EXISTS (SELECT 1 FROM emp WHERE name LIKE ('A%'))", [[1]]],
  ["SELECT 1 AS a, 2 AS a", [[1, 2]]],
];

describe.skipIf(!engine)("MariaDB, read only", () => {
  test("an owner's attempts to write, wait or reach out change nothing", async () => {
    const server = engine as MariadbUnderTest;
    const before = await server.checksum();
    expect(attempts.length).toBeGreaterThanOrEqual(60);
    const passed: string[] = [];
    for (const sql of attempts) {
      const read = await owner.read(sql, options);
      if (read.ok) passed.push(sql);
      else if (read.error.code !== "refused") passed.push(`${sql} → ${read.error.code}: ${read.error.message}`);
    }
    expect(passed).toEqual([]);
    expect(await server.checksum()).toBe(before);
    expect(readdirSync(server.folder).filter((name) => name.startsWith("stolen"))).toEqual([]);
    expect(
      await server.ask("SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_NAME IN ('x', 'emp2')"),
    ).toEqual([[0]]);
    expect(await server.ask("SELECT @@global.general_log")).toEqual([[0]]);
  });

  test("what only looks like it runs", async () => {
    expect(harmless.length).toBeGreaterThanOrEqual(25);
    for (const [sql, rows] of harmless) {
      const read = await owner.read(sql, options);
      expect(read.ok ? read.result.rows : read.error, sql).toEqual(rows);
    }
  });

  test("a message names what was refused", async () => {
    const message = async (sql: string) => {
      const read = await owner.read(sql, options);
      return read.ok ? "" : read.error.message;
    };
    expect(await message("SELECT load_file('/etc/passwd')")).toContain("load_file");
    expect(await message("SELECT add_emp()")).toContain("add_emp");
    expect(await message("SELECT * FROM emp FOR UPDATE")).toContain("FOR UPDATE");
  });

  test("the server's own modes change what a quote means", async () => {
    const server = engine as MariadbUnderTest;
    await server.run(["SET GLOBAL sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"]);
    const modal = await server.open("owner");
    try {
      const rows = async (sql: string) => {
        const read = await modal.read(sql, options);
        return read.ok ? read.result.rows : read.error.code;
      };
      expect(await rows('SELECT "delete" FROM emp WHERE id = 1')).toEqual([[7]]);
      expect(await rows("SELECT 'a\\'")).toEqual([["a\\"]]);
      expect(await rows("SELECT 'a\\'; DELETE FROM emp; -- '")).toBe("refused");
      expect(await rows("SELECT \"load_file\"('/etc/passwd')")).toBe("refused");
    } finally {
      await server.run(["SET GLOBAL sql_mode = DEFAULT"]);
      await modal.close();
    }
  });

  test("inspect tells an owner from a reader", async () => {
    const server = engine as MariadbUnderTest;
    const reader = await server.open("reader");
    expect((await reader.inspect()).warnings).toEqual([]);
    await reader.close();
    const [warning] = (await owner.inspect()).warnings;
    expect(warning?.message).toContain("ALL PRIVILEGES");
    expect(warning?.remedy).toContain("GRANT SELECT ON `thoth`.*");
    expect(JSON.stringify(warning)).not.toContain("*B");
  });
});
