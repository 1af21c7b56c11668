import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import type { Cell, QueryResult } from "../../protocol/index.ts";
import { toParquetColumns } from "./parquet-types.ts";
import { writeParquet } from "./write-parquet.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-parquet-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const result = (columns: [name: string, type: string, ...cells: Cell[]][]): QueryResult => {
  const rowCount = (columns[0]?.length ?? 2) - 2;
  return {
    columns: columns.map(([name, type]) => ({ name, type })),
    rows: Array.from({ length: rowCount }, (_, row) => columns.map((column) => column[row + 2] ?? null)),
    rowCount,
    truncated: false,
  };
};

test("a written file holds the same values, typed", async () => {
  const file = join(folder, "it's a result.parquet");
  await writeParquet(
    result([
      ["id", "BIGINT", 1, "9223372036854775807"],
      ["price", "DECIMAL(10,2)", "12345678.90", null],
      ["total", "numeric", "12345678901234567890.123456789", "-1.5"],
      ["ratio", "DOUBLE", 0.1, "nan"],
      ["day", "DATE", "2024-02-29", null],
      ["at", "timestamptz", "2024-01-02 03:04:05.678+00", null],
      ["ok", "BOOLEAN", true, false],
      ["raw", "BLOB", "x'00ff'", null],
      ["Text", "VARCHAR", "007", 'it\'s; "x" 😀'],
      ["text", "", null, null],
      ["", "INTEGER[]", "[1, 2]", null],
    ]),
    file,
  );
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const path = file.replaceAll("'", "''");
  await connection.run("SET TimeZone = 'UTC'");
  const described = await connection.runAndReadAll(`DESCRIBE FROM '${path}'`);
  expect(described.getRows().map(([name, type]) => `${name} ${type}`)).toEqual([
    "id BIGINT",
    "price DECIMAL(10,2)",
    "total DECIMAL(29,9)",
    "ratio DOUBLE",
    "day DATE",
    "at TIMESTAMP WITH TIME ZONE",
    "ok BOOLEAN",
    "raw BLOB",
    "Text VARCHAR",
    "text_2 VARCHAR",
    "column_11 VARCHAR",
  ]);
  const read = await connection.runAndReadAll(`SELECT CAST(COLUMNS(*) AS VARCHAR) FROM '${path}'`);
  expect(read.getRows()).toEqual([
    [
      "1",
      "12345678.90",
      "12345678901234567890.123456789",
      "0.1",
      "2024-02-29",
      "2024-01-02 03:04:05.678+00",
      "true",
      "\\x00\\xFF",
      "007",
      null,
      "[1, 2]",
    ],
    ["9223372036854775807", null, "-1.500000000", "nan", null, null, "false", null, 'it\'s; "x" 😀', null, null],
  ]);
  connection.closeSync();
  instance.closeSync();
});

test("a result without rows is a file with its columns", async () => {
  const file = join(folder, "none.parquet");
  await writeParquet(
    result([
      ["a", "INTEGER"],
      ["b", "DECIMAL(10,2)"],
    ]),
    file,
  );
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const described = await connection.runAndReadAll(`DESCRIBE FROM '${file}'`);
  expect(described.getRows().map(([name, type]) => `${name} ${type}`)).toEqual(["a BIGINT", "b DECIMAL(10,2)"]);
  connection.closeSync();
  instance.closeSync();
});

test("a fault leaves no file and tells no path", async () => {
  const file = join(folder, "no-such-folder", "x.parquet");
  const error = await writeParquet(result([["a", "INTEGER", 1]]), file).catch((found: unknown) => found as Error);
  expect(error).toMatchObject({ name: "ThothError", code: "export-failed" });
  expect((error as Error).message).not.toContain(folder);
  expect(existsSync(file)).toBe(false);
});

test.each<[string, Cell[], string]>([
  ["INTEGER", [1, "x"], "VARCHAR"],
  ["BIGINT UNSIGNED", ["18446744073709551615", 0], "UBIGINT"],
  ["HUGEINT", ["170141183460469231731687303715884105727"], "VARCHAR"],
  ["HUGEINT", ["-99999999999999999999"], "DECIMAL(38,0)"],
  ["DECIMAL(5,2)", [1.5, 2, 1000.125], "DECIMAL(7,3)"],
  ["NUMERIC", ["1e5"], "VARCHAR"],
  ["INTERVAL", ["1 day"], "VARCHAR"],
  ["", [1, 2.5], "DOUBLE"],
  ["", [1, 2], "BIGINT"],
  ["DATE", ["2024-02-30"], "VARCHAR"],
  ["DATETIME", ["2024-01-02 03:04:05"], "TIMESTAMP"],
  ["TIMESTAMP", ["infinity"], "VARCHAR"],
  ["BLOB", ["x'00…' (100 bytes)"], "VARCHAR"],
  ["tinyint(1)", [0, 1], "BIGINT"],
  ["INTEGER[]", ["[1]"], "VARCHAR"],
  ["ENUM('int')", ["int"], "VARCHAR"],
])("%s with %j is written as %s", (type, cells, expected) => {
  expect(toParquetColumns(result([["c", type, ...cells]]))).toEqual([{ name: "c", type: expected }]);
});
