import fc from "fast-check";
import { expect, it } from "vitest";
import { toCsv } from "./csv.ts";

const columns = (...names: string[]) => names.map((name) => ({ name, type: "" }));

it("quotes by RFC 4180 and tells NULL from an empty text", () => {
  const csv = toCsv({
    columns: columns("a", "b, c", 'say "hi"'),
    rows: [
      ["plain", "a,b", 'x"y'],
      ["two\nlines", null, ""],
      [true, " padded ", "é"],
    ],
  });
  expect(csv).toBe('a,"b, c","say ""hi"""\r\nplain,"a,b","x""y"\r\n"two\nlines",,""\r\ntrue," padded ",é\r\n');
});

it("disarms texts that a spreadsheet would run", () => {
  const csv = toCsv({
    columns: columns("=cmd"),
    rows: [
      ["=1+1"],
      ["+SUM(A1)"],
      ["-2+3"],
      ["@x"],
      ["\tx"],
      ["\rx"],
      ['=HYPERLINK("http://evil","x")'],
      ["-"],
      ["+49 170"],
      ["a=b"],
    ],
  });
  expect(csv.split("\r\n").slice(0, -1)).toEqual([
    "'=cmd",
    "'=1+1",
    "'+SUM(A1)",
    "'-2+3",
    "'@x",
    '"\'\tx"',
    '"\'\rx"',
    '"\'=HYPERLINK(""http://evil"",""x"")"',
    "'-",
    "'+49 170",
    "a=b",
  ]);
});

it("leaves numbers alone, also those that come as text", () => {
  const csv = toCsv({
    columns: columns("n"),
    rows: [[-5], [-0.5], [1e21], ["-9223372036854775808"], ["-12.50"], ["-1.5e-7"]],
  });
  expect(csv).toBe("n\r\n-5\r\n-0.5\r\n1e+21\r\n-9223372036854775808\r\n-12.50\r\n-1.5e-7\r\n");
});

it("writes a text as it is only when it ends no field, begins no formula and has no blanks at its ends", () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[ a-c=+@\-,;"\t\r\n\u00a0\u200b\v0-9.eE]{0,8}$/));
  fc.assert(
    fc.property(text, (cell) => {
      const written = toCsv({ columns: [{ name: "c", type: "" }], rows: [[cell]] }).slice(3, -2);
      if (written !== cell) return;
      expect(cell).not.toMatch(/[",;\t\r\n]|^\s|\s$|^$/);
      if (!/^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(cell)) expect(cell).not.toMatch(/^[\s\p{Cc}\p{Cf}]*[=+\-@]/u);
    }),
    { numRuns: 2000 },
  );
});
