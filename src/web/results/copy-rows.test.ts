import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { QueryResult } from "../../protocol/results.ts";
import { type Rows, toCopy, toPart } from "./copy-rows.ts";

const rows: Rows = {
  columns: [
    { name: "id", type: "INTEGER" },
    { name: "id", type: "BIGINT" },
    { name: "no|te", type: "TEXT" },
    { name: "ok", type: "BOOLEAN" },
  ],
  rows: [
    [1, "9007199254740993", "it's\n<b>|*bold*", true],
    [null, "-2", "", false],
    [3, "4", "NULL", null],
  ],
};

test("the clipboard gets every digit and quotes what would break the table", () => {
  expect(toCopy({ columns: rows.columns.slice(1, 3), rows: [["1.50", "a\tb"]] }, "tab")).toBe(
    'id\tno|te\n1.50\t"a\tb"',
  );
});

test("CSV disarms formulas and tells NULL from empty text", () => {
  const csv = toCopy({ columns: [{ name: "=a", type: "TEXT" }], rows: [["=1+1"], [null], [""], ["-5"]] }, "csv");
  expect(csv).toBe("'=a\r\n'=1+1\r\n\r\n\"\"\r\n-5\r\n");
});

test("Markdown keeps one row on one line and every text a text; NULL is slanted", () => {
  expect(toCopy(rows, "markdown").split("\n")).toEqual([
    "| id | id | no\\|te | ok |",
    "| ---: | ---: | --- | --- |",
    "| 1 | 9007199254740993 | it's<br>&lt;b\\>\\|\\*bold\\* | true |",
    "| *NULL* | -2 |  | false |",
    "| 3 | 4 | NULL | *NULL* |",
    "",
  ]);
});

test("INSERT gives the same rows back when a database runs it", () => {
  const sql = toCopy(rows, "insert", "sqlite");
  const database = new DatabaseSync(":memory:");
  database.exec('CREATE TABLE result (id INTEGER, id_2 BIGINT, "no|te" TEXT, ok INTEGER)');
  database.exec(sql);
  const statement = database.prepare("SELECT * FROM result");
  statement.setReadBigInts(true);
  expect(statement.all().map((row) => Object.values(row))).toEqual([
    [1n, 9007199254740993n, "it's\n<b>|*bold*", 1n],
    [null, -2n, "", 0n],
    [3n, 4n, "NULL", null],
  ]);
  database.close();
});

test("names and backslashes are quoted as the engine reads them", () => {
  const evil: Rows = { columns: [{ name: 'a"`b', type: "TEXT" }], rows: [["\\'); DROP TABLE x; --"]] };
  expect(toCopy(evil, "insert")).toBe(`INSERT INTO "result" ("a""\`b") VALUES\n  ('\\''); DROP TABLE x; --');\n`);
  expect(toCopy(evil, "insert", "mysql")).toBe(
    `INSERT INTO \`result\` (\`a"\`\`b\`) VALUES\n  ('\\\\''); DROP TABLE x; --');\n`,
  );
});

test("a part is the rectangle as it is shown: sorted rows, some columns", () => {
  const result: QueryResult = { ...rows, rowCount: 3, truncated: false };
  expect(toPart(result, Uint32Array.of(2, 0), 1, 2)).toEqual({
    columns: rows.columns.slice(1, 3),
    rows: [
      ["4", "NULL"],
      ["9007199254740993", "it's\n<b>|*bold*"],
    ],
  });
});
