import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { QueryResult } from "../../protocol/results.ts";
import { toColumnShape, toPadding } from "./result-cells.ts";
import { ResultGrid } from "./result-grid.tsx";

const result = (types: string[], rows: QueryResult["rows"]): QueryResult => ({
  columns: types.map((type) => ({ name: "c", type })),
  rows,
  rowCount: rows.length,
  truncated: false,
});

describe("column shapes", () => {
  test("numbers, and text that a numeric type holds, stand right; a post code does not", () => {
    expect(toColumnShape(result(["REAL"], [[19.8], [13.86], [null]]), 0)).toEqual({ numeric: true, decimals: 2 });
    expect(toColumnShape(result(["NUMERIC(10,2)"], [["9007199254740993.10"]]), 0)).toEqual({
      numeric: true,
      decimals: 2,
    });
    expect(toColumnShape(result(["TEXT"], [["04109"]]), 0)).toEqual({ numeric: false, decimals: 0 });
    expect(toColumnShape(result([""], [[1], ["x"]]), 0)).toEqual({ numeric: false, decimals: 0 });
    expect(toColumnShape(result(["INTERVAL"], [["1"]]), 0).numeric).toBe(false);
  });

  test("missing decimals are padded, never added", () => {
    const shape = { numeric: true, decimals: 2 };
    expect([19.8, 13.86, 7, null].map((cell) => toPadding(cell, shape))).toEqual(["0", "", ".00", ""]);
  });
});

describe("ResultGrid", () => {
  test("columns are positional: two of the same name keep both values", () => {
    const html = renderToStaticMarkup(<ResultGrid result={{ ...result(["TEXT", "TEXT"], [["left", "right"]]) }} />);
    expect(html.indexOf("left")).toBeLessThan(html.indexOf("right"));
  });

  test("NULL, the text NULL, empty text and 0 look different", () => {
    const html = renderToStaticMarkup(
      <ResultGrid result={result(["TEXT", "TEXT", "TEXT", "INTEGER"], [[null, "NULL", "", 0]])} numbered={false} />,
    );
    const cells = [...html.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map((match) => match[1]);
    expect(new Set(cells).size).toBe(4);
    expect(cells[1]).toBe("NULL");
    expect(cells[2]).toContain("empty");
  });

  test("markup in a value stays text", () => {
    const html = renderToStaticMarkup(<ResultGrid result={result(["TEXT"], [["<img src=x onerror=alert(1)>"]])} />);
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img");
  });

  test("a cut result says so; thousands of rows are not all in the DOM", () => {
    const many = result(
      ["INTEGER"],
      Array.from({ length: 5000 }, (_, index) => [index]),
    );
    const html = renderToStaticMarkup(<ResultGrid result={{ ...many, truncated: true }} />);
    expect(html).toContain("Only the first 5,000 rows");
    expect(html.match(/<tr/g)?.length).toBeLessThan(200);
  });
});
