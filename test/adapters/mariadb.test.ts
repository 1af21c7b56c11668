/** What is MariaDB's own behind the common contract: values, keys, names, ends of queries, logins. */
import { chmodSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, IntrospectedTable, Read } from "../../src/database/database.ts";
import { openDatabase } from "../../src/database/open-database.ts";
import { ThothError } from "../../src/protocol/index.ts";
import { loadChinook, type MariadbUnderTest, startMariadb } from "../fixtures/mariadb-engine.ts";

const options = { maxRows: 100, maxBytes: 1_000_000, deadlineMs: 10_000 };
const started = await startMariadb();
const server = started as MariadbUnderTest;
let reader: Database;

beforeAll(async () => {
  if (!started) return;
  await loadChinook(server);
  await server.run([
    "CREATE TABLE million (n INT PRIMARY KEY, t VARCHAR(100))",
    "INSERT INTO million SELECT seq, REPEAT('x', 100) FROM seq_1_to_1000000",
  ]);
  reader = await server.open();
}, 180_000);
afterAll(async () => {
  await reader?.close();
  await server?.stop();
});

const result = (read: Read | undefined) => {
  if (!read?.ok) throw new Error(`${read?.error.code}: ${read?.error.message}`);
  return read.result;
};
const rows = async (sql: string, own = {}) => result(await reader.read(sql, { ...options, ...own })).rows;

async function fault(open: () => Promise<Database>): Promise<ThothError> {
  const met = await open().then(
    (database) => database.close(),
    (error: unknown) => error,
  );
  if (met instanceof ThothError) return met;
  throw new Error(`no ThothError: ${String(met)}`);
}

describe.skipIf(!started)("values", () => {
  beforeAll(() =>
    server.run([
      "CREATE TABLE vals (id INT PRIMARY KEY, b BIGINT, u BIGINT UNSIGNED, d DECIMAL(38,10), f FLOAT, g DOUBLE, flag BOOLEAN, day DATE, at DATETIME(6), ts TIMESTAMP NULL, t TIME(3), y YEAR, j JSON, bits BIT(9), raw BLOB, bin BINARY(3), e ENUM('x','y'), s SET('a','b'), p POINT, l VARCHAR(20) CHARACTER SET latin1, n VARCHAR(20))",
      "SET time_zone = '+02:00'",
      "INSERT INTO vals VALUES (1, 2033735037361704962, 18446744073709551615, 1234567890123456789.0123456789, 0.5, 0.1, TRUE, '2024-02-29', '2024-03-31 02:30:00.123456', '2024-06-01 12:00:00', '-838:59:59', 2024, '{\"a\": [1]}', b'100000001', x'00ff', x'0102', 'y', 'a,b', POINT(1, -2.5), 'grün', '')",
      "INSERT INTO vals (id, b) VALUES (2, 9007199254740991)",
      "SET sql_mode = ''",
      "INSERT INTO vals (id, day) VALUES (3, '0000-00-00')",
    ]),
  );

  test("are exact", async () => {
    const read = result(await reader.read("SELECT * FROM vals WHERE id = 1", options));
    expect(read.rows[0]).toEqual([
      1,
      "2033735037361704962",
      "18446744073709551615",
      "1234567890123456789.0123456789",
      0.5,
      0.1,
      1,
      "2024-02-29",
      "2024-03-31 02:30:00.123456",
      "2024-06-01 10:00:00",
      "-838:59:59.000",
      "2024",
      '{"a": [1]}',
      "x'0101'",
      "x'00ff'",
      "x'010200'",
      "y",
      "a,b",
      "POINT(1 -2.5)",
      "grün",
      "",
    ]);
    expect(read.columns.map((column) => column.type)).toEqual([
      "int",
      "bigint",
      "bigint unsigned",
      "decimal(38,10)",
      "float",
      "double",
      "tinyint(1)",
      "date",
      "datetime(6)",
      "timestamp",
      "time(3)",
      "year",
      "json",
      "bit(9)",
      "blob",
      "binary",
      "enum",
      "set",
      "point",
      "varchar",
      "varchar",
    ]);
  });

  test("tell NULL from empty text, and have no date that isn't there", async () => {
    expect(await rows("SELECT b, n, n IS NULL FROM vals WHERE id = 2")).toEqual([[9007199254740991, null, 1]]);
    expect(await rows("SELECT id FROM vals WHERE n = ''")).toEqual([[1]]);
    expect(await rows("SELECT day FROM vals WHERE id = 3")).toEqual([["0000-00-00"]]);
  });

  test("keep columns of the same name and no rows' columns", async () => {
    expect(result(await reader.read("SELECT 1 AS a, 'x' AS a", options))).toMatchObject({
      columns: [
        { name: "a", type: "int" },
        { name: "a", type: "varchar" },
      ],
      rows: [[1, "x"]],
    });
    expect(result(await reader.read("SELECT n FROM million WHERE n < 0", options))).toMatchObject({
      columns: [{ name: "n" }],
      rows: [],
      truncated: false,
    });
  });

  test("of 50 MB are cut and say so", async () => {
    const read = result(
      await reader.read("SELECT REPEAT('ä', 25000000) UNION ALL SELECT 'small'", {
        ...options,
        maxBytes: 10_000_000,
        deadlineMs: 50_000,
      }),
    );
    expect([read.truncated, read.rows[1]]).toEqual([true, ["small"]]);
    expect(String(read.rows[0]?.[0])).toMatch(/^ä{100000}… \(25,000,000 characters\)$/);
    expect(await rows("SELECT REPEAT(x'00', 1000)")).toEqual([[`x'${"00".repeat(64)}…' (1,000 bytes)`]]);
  });

  test("cut by the server itself are an error, not a wrong answer", async () => {
    const long = await reader.read("SELECT LENGTH(REPEAT('x', 500000000))", options);
    expect(long.ok ? "" : long.error.message).toMatch(/cut the result: .*max_allowed_packet/);
    expect(await rows("SELECT LENGTH(GROUP_CONCAT(t)) FROM million WHERE n <= 100000")).toEqual([[10_099_999]]);
  });
});

describe.skipIf(!started)("introspection", () => {
  let tables: Map<string, IntrospectedTable>;
  beforeAll(async () => {
    await server.run([
      "CREATE DATABASE sales",
      "CREATE TABLE region (country CHAR(2), code INT, name VARCHAR(20) NOT NULL COMMENT 'as it''s written', PRIMARY KEY (code, country), UNIQUE one (name), UNIQUE two (country, name)) COMMENT 'where'",
      "CREATE TABLE city (id INT AUTO_INCREMENT PRIMARY KEY, c INT, k CHAR(2), twin INT, ok TINYINT(1), y YEAR, CONSTRAINT same FOREIGN KEY (c, k) REFERENCES region (code, country), CONSTRAINT own FOREIGN KEY (twin) REFERENCES city (id))",
      "CREATE TABLE sales.orders (id INT PRIMARY KEY, city INT, CONSTRAINT same FOREIGN KEY (city) REFERENCES thoth.city (id))",
      "CREATE TABLE parts (id INT PRIMARY KEY, v INT) PARTITION BY HASH (id) PARTITIONS 4",
      "CREATE VIEW cities AS SELECT id, ok FROM city",
      "CREATE TABLE gone (a INT)",
      "CREATE VIEW broken AS SELECT a FROM gone",
      "DROP TABLE gone",
      'CREATE TABLE `Mixed order``s "x" . ä表` (`select` INT, `Unit Price` INT, `a.b` INT, `3point` INT, `say "hi"` INT, `back``tick` INT, `名前` VARCHAR(5))',
      "INSERT INTO `Mixed order``s \"x\" . ä表` VALUES (1, 2, 3, 4, 5, 6, '七')",
    ]);
    await server.ask("GRANT SELECT ON sales.* TO reader@'%'");
    await server.ask("GRANT SELECT ON mysql.* TO reader@'%'");
    const own = await server.open();
    tables = new Map((await own.introspect()).map((table) => [table.name, table]));
    await own.close();
    await server.ask("REVOKE SELECT ON mysql.* FROM reader@'%'");
  });

  test("finds Chinook with its keys", () => {
    expect([...tables.values()].filter((table) => /^[A-Z][A-Za-z]+$/.test(table.name)).length).toBe(11);
    expect(tables.get("PlaylistTrack")?.primaryKey).toEqual(["PlaylistId", "TrackId"]);
    expect(tables.get("Employee")?.foreignKeys).toEqual([
      { columns: ["ReportsTo"], table: "Employee", tableColumns: ["EmployeeId"] },
    ]);
    expect(tables.get("Track")?.columns.find((column) => column.name === "UnitPrice")).toEqual({
      name: "UnitPrice",
      type: "decimal(10,2)",
      kind: "number",
      nullable: false,
    });
    expect([...tables.values()].reduce((sum, table) => sum + table.foreignKeys.length, 0)).toBe(11 + 3);
  });

  test("keeps composite keys in order, of the same name, to itself and across databases", () => {
    expect(tables.get("region")).toMatchObject({
      comment: "where",
      primaryKey: ["code", "country"],
      unique: [["name"], ["country", "name"]],
    });
    expect(tables.get("region")?.columns[2]).toEqual({
      name: "name",
      type: "varchar(20)",
      kind: "text",
      nullable: false,
      comment: "as it's written",
    });
    expect(tables.get("city")?.foreignKeys).toEqual([
      { columns: ["twin"], table: "city", tableColumns: ["id"] },
      { columns: ["c", "k"], table: "region", tableColumns: ["code", "country"] },
    ]);
    expect(tables.get("sales.orders")).toMatchObject({
      schema: "sales",
      foreignKeys: [{ columns: ["city"], table: "city", tableColumns: ["id"] }],
    });
    expect(tables.get("city")?.columns.map((column) => column.kind)).toEqual([
      "integer",
      "integer",
      "text",
      "integer",
      "boolean",
      "integer",
    ]);
  });

  test("lists views, partitioned tables once, and nothing of the server's own", () => {
    expect(tables.get("cities")).toMatchObject({ kind: "view", primaryKey: [] });
    expect([
      tables.has("parts"),
      tables.has("broken"),
      [...tables.keys()].filter((name) => name.startsWith("mysql.")),
    ]).toEqual([true, false, []]);
    expect(Math.abs((tables.get("million")?.rowEstimate ?? 0) / 1_000_000 - 1)).toBeLessThan(0.2);
  });

  test("names of any spelling can be read as introspected", async () => {
    const table = [...tables.values()].find((one) => one.name.startsWith("Mixed"));
    const list = table?.columns.map((column) => reader.quote(column.name)).join(", ");
    expect(await rows(`SELECT ${list} FROM ${reader.quote(table?.name ?? "")}`)).toEqual([[1, 2, 3, 4, 5, 6, "七"]]);
  });
});

describe.skipIf(!started)("logins in words", () => {
  const secrets = /reads; only|owns|127\.0\.0\.1|Access denied|ECONN|thoth-mariadb/;

  test("wrong password, wrong user, wrong database, nobody there", async () => {
    const place = server.connection();
    const wrong = join(server.folder, "wrong");
    writeFileSync(wrong, "not it");
    chmodSync(wrong, 0o600);
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const faults = await Promise.all([
      fault(() => openDatabase({ ...place, password: { file: wrong } })),
      fault(() => openDatabase({ ...place, user: "nobody" })),
      fault(() => openDatabase({ ...place, database: "elsewhere" })),
      fault(() => openDatabase({ ...server.connection("owner"), database: "elsewhere" })),
      fault(() => openDatabase({ ...place, port: 1 })),
      fault(() => openDatabase({ ...place, host: "no-such-host.invalid" })),
      fault(() => openDatabase({ ...place, tls: "require" })),
      fault(() => openDatabase({ ...place, password: { file: join(server.folder, "absent") } })),
      fault(() => openDatabase({ ...place, port: (silent.address() as { port: number }).port })),
    ]);
    silent.close();
    expect(faults.map((one) => one.code)).toEqual([
      "database-login",
      "database-login",
      "database-login",
      "database-missing",
      "database-connection",
      "database-connection",
      "database-connection",
      "secret-missing",
      "database-connection",
    ]);
    for (const one of faults) expect(`${one.message} ${one.action}`).not.toMatch(secrets);
    expect(new Set(faults.map((one) => one.message)).size).toBeGreaterThanOrEqual(7);
  });
});
