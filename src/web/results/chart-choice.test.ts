import { describe, expect, test } from "vitest";
import type { Cell, QueryResult } from "../../protocol/results.ts";
import { beginChart, changeKind, pickChart, toPlaces, toRoles, toTime } from "./chart-choice.ts";

const result = (columns: [string, string][], rows: Cell[][], truncated = false): QueryResult => ({
  columns: columns.map(([name, type]) => ({ name, type })),
  rows,
  rowCount: rows.length,
  truncated,
});
const artists = result(
  [
    ["artist", "TEXT"],
    ["revenue", "NUMERIC"],
  ],
  [
    ["U2", "70.29"],
    ["Queen", "30.69"],
    ["Kiss", "15.84"],
  ],
);
const months = result(
  [
    ["month", "TEXT"],
    ["country", "TEXT"],
    ["sales", "REAL"],
  ],
  ["2024-01", "2024-02", "2024-03"].flatMap((month, index) => [
    [month, "USA", index + 1.5],
    [month, "Brazil", 9 - index],
  ]),
);

describe("the chart that a shape speaks for", () => {
  test("bars for names with a figure each", () => {
    expect(pickChart(artists)).toEqual({ kind: "bar", x: 0, y: 1, series: null });
  });

  test("a line over time, one per series where a time comes several times", () => {
    expect(toRoles(months)).toEqual(["time", "name", "number"]);
    expect(pickChart(months)).toEqual({ kind: "line", x: 0, y: 2, series: 1 });
    const years = result(
      [
        ["InvoiceYear", "INTEGER"],
        ["total", "REAL"],
      ],
      [
        [2009, 1],
        [2010, 3],
        [2011, 2],
      ],
    );
    expect(pickChart(years)).toEqual({ kind: "line", x: 0, y: 1, series: null });
  });

  test("grouped bars when two names tell the rows apart; points for two measures", () => {
    const pairs = result(
      [
        ["genre", "TEXT"],
        ["media", "TEXT"],
        ["tracks", "INTEGER"],
      ],
      ["Rock", "Jazz"].flatMap((genre) => [
        [genre, "MP3", genre.length],
        [genre, "AAC", 7],
      ]),
    );
    expect(pickChart(pairs)).toEqual({ kind: "bar", x: 0, y: 2, series: 1 });
    const points = result(
      [
        ["ms", "REAL"],
        ["bytes", "REAL"],
      ],
      Array.from({ length: 30 }, (_, index) => [index, index * index]),
    );
    expect(pickChart(points)).toEqual({ kind: "scatter", x: 0, y: 1, series: null });
  });

  test("none for one row, a cut result, keys, equal figures, or names without figures", () => {
    expect(pickChart(result([["n", "INTEGER"]], [[1]]))).toBeNull();
    expect(pickChart({ ...artists, truncated: true })).toBeNull();
    const columns = (name: string): [string, string][] => [
      ["artist", "TEXT"],
      [name, "INTEGER"],
    ];
    const rows = [
      ["a", 1],
      ["b", 2],
      ["c", 3],
    ];
    expect(pickChart(result(columns("ArtistId"), rows))).toBeNull();
    expect(pickChart(result(columns("n"), [...rows.map(([name]) => [name ?? "", 5])]))).toBeNull();
    expect(
      pickChart(
        result(
          [
            ["a", "TEXT"],
            ["b", "TEXT"],
          ],
          [
            ["x", "y"],
            ["z", "w"],
          ],
        ),
      ),
    ).toBeNull();
  });
});

test("every kind can be asked for, with columns that fit", () => {
  expect(beginChart(artists)).toEqual({ kind: "bar", x: 0, y: 1, series: null });
  expect(beginChart(result([["a", "TEXT"]], [["x"], ["y"]]))).toBeNull();
  expect(toPlaces(months, "line")).toEqual({ x: [0, 2], y: [2], series: [0, 1] });
  expect(changeKind(months, { kind: "line", x: 0, y: 2, series: 1 }, "bar")).toEqual({
    kind: "bar",
    x: 0,
    y: 2,
    series: 1,
  });
  expect(changeKind(artists, { kind: "bar", x: 0, y: 1, series: null }, "scatter")).toEqual({
    kind: "scatter",
    x: 1,
    y: 1,
    series: null,
  });
});

test("times are read as the database shows them, without a zone of this machine", () => {
  expect(toTime("2024-03-31 02:30:00")).toBe(Date.UTC(2024, 2, 31, 2, 30));
  expect(toTime("2024-03-31T02:30:00+02")).toBe(Date.UTC(2024, 2, 31, 2, 30));
  expect(toTime("2024-03")).toBe(Date.UTC(2024, 2));
  expect(toTime(2024)).toBe(Date.UTC(2024, 0));
  expect([toTime("31/03/2024"), toTime(12), toTime(null), toTime("Rock")]).toEqual([null, null, null, null]);
});
