import { describe, expect, test } from "vitest";
import type { Cell, QueryResult } from "../../protocol/results.ts";
import { createRowFilter, sortRows, toAllRows } from "./row-order.ts";

const columnOf = (type: string, cells: Cell[]): QueryResult => ({
  columns: [{ name: "c", type }],
  rows: cells.map((cell) => [cell]),
  rowCount: cells.length,
  truncated: false,
});
const sorted = (type: string, cells: Cell[], descending = false): Cell[] => {
  const result = columnOf(type, cells);
  return [...sortRows(result, toAllRows(result), { column: 0, descending })].map(
    (row) => result.rows[row]?.[0] ?? null,
  );
};

describe("sorting", () => {
  test("NULL is last in both directions", () => {
    expect(sorted("INTEGER", [2, null, 1, null, 3])).toEqual([1, 2, 3, null, null]);
    expect(sorted("INTEGER", [2, null, 1, null, 3], true)).toEqual([3, 2, 1, null, null]);
    expect(sorted("TEXT", ["b", null, "", "a"], true)).toEqual(["b", "a", "", null]);
  });

  test("numbers beyond 2^53 come as text and are told apart by every digit", () => {
    const wide = ["9007199254740993", "9007199254740992", 10, "-9007199254740993", "-9007199254740992", 9];
    expect(sorted("BIGINT", wide)).toEqual([
      "-9007199254740993",
      "-9007199254740992",
      9,
      10,
      "9007199254740992",
      "9007199254740993",
    ]);
    expect(sorted("NUMERIC(40,20)", ["0.10000000000000000002", "0.1", "0.10000000000000000001"])).toEqual([
      "0.1",
      "0.10000000000000000001",
      "0.10000000000000000002",
    ]);
    expect(sorted("DECIMAL", ["-1.10000000000000000001", "-1.1", "00012", "2"])).toEqual([
      "-1.10000000000000000001",
      "-1.1",
      "2",
      "00012",
    ]);
  });

  test("post codes stay text; a column of anything puts numbers before text", () => {
    expect(sorted("TEXT", ["10115", "9999", "04109"])).toEqual(["04109", "10115", "9999"]);
    expect(sorted("", ["x", 2, true, 1])).toEqual([true, 1, 2, "x"]);
    expect(sorted("TEXT", ["Élan", "eland", "zebra", "Apfel"])).toEqual(["Apfel", "Élan", "eland", "zebra"]);
  });

  test("rows that are alike keep the order of the database, descending too", () => {
    const result: QueryResult = {
      columns: [
        { name: "k", type: "INTEGER" },
        { name: "n", type: "INTEGER" },
      ],
      rows: [
        [1, 1],
        [1, 2],
        [0, 3],
        [1, 4],
      ],
      rowCount: 4,
      truncated: false,
    };
    const order = sortRows(result, toAllRows(result), { column: 0, descending: true });
    expect([...order]).toEqual([0, 1, 3, 2]);
  });
});

describe("filtering", () => {
  const result: QueryResult = {
    columns: [
      { name: "a", type: "TEXT" },
      { name: "a", type: "INTEGER" },
    ],
    rows: [
      ["Rock", 17],
      ["rocket", null],
      [null, 170],
      ["Jazz", 2],
    ],
    rowCount: 4,
    truncated: false,
  };
  const shown = (text: string, column: number | null = null) => [
    ...createRowFilter(result)(toAllRows(result), { text, column }),
  ];

  test("looks into every column, or one, whatever the case; NULL has no text", () => {
    expect(shown("ROCK")).toEqual([0, 1]);
    expect(shown("17")).toEqual([0, 2]);
    expect(shown("17", 0)).toEqual([]);
    expect(shown("17", 1)).toEqual([0, 2]);
    expect(shown("null")).toEqual([]);
    expect(shown("")).toEqual([0, 1, 2, 3]);
  });
});
