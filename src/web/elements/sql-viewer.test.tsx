import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { StepEvidence } from "../../protocol/evidence.ts";
import { CteResultViewer } from "./cte-result-viewer.tsx";
import { SqlText } from "./sql-text.tsx";
import { SqlViewer } from "./sql-viewer.tsx";

const control = /role="radiogroup"|role="radio"|aria-label="Layout"|Horizontal|Vertical/;
const block = (sql: string) => ({ title: sql, sql });

const step: StepEvidence = {
  n: 2,
  name: "by_artist",
  purpose: "One row per artist",
  sql: "by_artist AS (\n  SELECT 1\n)",
  startLine: 9,
  inputs: [{ name: "Track", rows: 3503, table: true }],
  rowCount: 52,
  base: 3503,
  folded: 3451,
  leftOut: 0,
  why: "folded",
  ms: 3,
  result: { columns: [{ name: "artist", type: "TEXT" }], rows: [["AC/DC"]], rowCount: 1, truncated: true },
};

const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

describe("SqlViewer", () => {
  test("C6.1 the layout control is there with two or more blocks and absent from the DOM with fewer", () => {
    for (const [blocks, there] of [
      [0, false],
      [1, false],
      [2, true],
      [3, true],
    ] as const) {
      const html = renderToStaticMarkup(
        <SqlViewer blocks={["SELECT 1", "SELECT 2", "SELECT 3"].slice(0, blocks).map(block)} />,
      );
      expect(control.test(html), `${blocks} blocks`).toBe(there);
      expect(html.match(/<code/g)?.length ?? 0).toBe(blocks);
    }
  });

  test("C6.2 a single CTE is shown through the viewer, with its result and without the control", () => {
    const html = renderToStaticMarkup(<CteResultViewer step={step} />);
    expect(html).not.toMatch(control);
    expect(html).toContain('data-line="9"');
    expect(html).toContain("AC/DC");
    expect(html).toContain("First 1 of 52 rows");
  });
});

describe("SqlText", () => {
  test("the code's text content is the SQL to the byte, whatever line numbers and marks stand beside it", () => {
    for (const sql of [
      "SELECT 'a''b' -- c\nFROM \"t\"\n\nWHERE a < 1 AND b > 2\n",
      "x",
      "SELECT\t1;\r\nSELECT '\u202Eevil\u200B'",
    ]) {
      const html = renderToStaticMarkup(<SqlText sql={sql} marks={{ 1: { text: "#27", bad: true } }} startLine={1} />);
      expect(textOf(html.replace(/^.*?<code[^>]*>/s, "").replace(/<\/code>.*$/s, ""))).toBe(sql);
    }
  });

  test("an acting character is made visible and kept from acting", () => {
    const html = renderToStaticMarkup(<SqlText sql={"SELECT '\u202E'"} />);
    expect(html).toContain('data-code="U+202E"');
    expect(html).toContain("[unicode-bidi:isolate]");
  });
});
