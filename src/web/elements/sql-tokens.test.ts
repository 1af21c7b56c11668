import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tokenizeSql, toSqlLines } from "./sql-tokens.ts";

const join = (sql: string) =>
  tokenizeSql(sql)
    .map((token) => token.text)
    .join("");
const joinLines = (sql: string) =>
  toSqlLines(sql)
    .flat()
    .map((token) => token.text)
    .join("");

describe("tokenizeSql", () => {
  test("gives any text back byte for byte, as a whole and by lines", () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      "`",
      "--",
      "/*",
      "*/",
      "$$",
      "$a$",
      "\n",
      "\r\n",
      "\\",
      "SELECT",
      " ",
      "x1",
      "1.5e3",
      "é",
      "😀",
      "\ud800",
      "\u202e",
      "\u0000",
      "E'",
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: "binary" }),
          fc.array(piece, { maxLength: 40 }).map((parts) => parts.join("")),
        ),
        (sql) => {
          expect(join(sql)).toBe(sql);
          expect(joinLines(sql)).toBe(sql);
        },
      ),
      { numRuns: 600 },
    );
  });

  test("tells keywords, literals, comments and names apart", () => {
    const kinds = (sql: string) =>
      tokenizeSql(sql)
        .filter((token) => token.kind !== "space")
        .map((token) => `${token.kind}:${token.text}`);
    expect(kinds("SELECT a.\"from\" FROM t -- where\nWHERE x >= 'it''s' AND y = 1.5 /* and\nor */")).toEqual([
      "keyword:SELECT",
      "name:a",
      "other:.",
      'name:"from"',
      "keyword:FROM",
      "name:t",
      "comment:-- where",
      "keyword:WHERE",
      "name:x",
      "other:>=",
      "string:'it''s'",
      "keyword:AND",
      "name:y",
      "other:=",
      "number:1.5",
      "comment:/* and\nor */",
    ]);
    expect(kinds("$tag$ select $$ x $tag$")).toEqual(["string:$tag$ select $$ x $tag$"]);
  });

  test("cuts tokens over several lines at the line ends", () => {
    expect(toSqlLines("a\nb\n").map((line) => line.map((token) => token.text).join(""))).toEqual(["a\n", "b\n"]);
    expect(toSqlLines("'x\ny'").map((line) => line.map((token) => [token.kind, token.text]))).toEqual([
      [["string", "'x\n"]],
      [["string", "y'"]],
    ]);
    expect(toSqlLines("")).toEqual([[]]);
  });

  test("takes linear time over hostile text", () => {
    const time = (sql: string) => {
      const from = performance.now();
      tokenizeSql(sql);
      return performance.now() - from;
    };
    for (const piece of ["'", "/*", "$a$", '"', "((", "1.", "E'\\"])
      expect(time(piece.repeat(50_000))).toBeLessThan(20_000);
  });
});
