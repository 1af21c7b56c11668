import fc from "fast-check";
import { expect, test } from "vitest";
import { formatSql } from "./format-sql.ts";
import { tokenizeSql } from "./sql-tokens.ts";

const words = (sql: string) =>
  tokenizeSql(sql)
    .filter((token) => token.kind !== "space")
    .flatMap((token) => (token.kind === "other" ? [...token.text] : [token.text]));

test("clauses begin lines, subqueries are indented, function arguments stay together", () => {
  expect(
    formatSql(
      "WITH a AS (SELECT x, COUNT(*) AS n FROM t JOIN u ON u.id = t.id AND u.k = t.k WHERE d BETWEEN 1 AND 2 GROUP BY x) SELECT * FROM a ORDER BY n DESC LIMIT 5",
    ),
  ).toBe(
    `WITH a AS (
  SELECT x,
    COUNT(*) AS n
  FROM t
  JOIN u ON u.id = t.id
    AND u.k = t.k
  WHERE d BETWEEN 1 AND 2
  GROUP BY x
)
SELECT *
FROM a
ORDER BY n DESC
LIMIT 5`,
  );
});

test("only blanks change: the same tokens in the same order", () => {
  const piece = fc.constantFrom(
    "SELECT",
    "a",
    "b",
    ",",
    "(",
    ")",
    "FROM",
    "LEFT",
    "JOIN",
    "ON",
    "AND",
    "'x y'",
    "1",
    "-- c\n",
    "/* d */",
    "=",
    "WHERE",
    "CASE",
    "END",
    "BETWEEN",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const sql = pieces.join(" ");
      expect(words(formatSql(sql))).toEqual(words(sql));
    }),
    { numRuns: 400 },
  );
});
