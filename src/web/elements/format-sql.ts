/** Lays SQL out for reading. Only blanks change: tokens, their order and their spelling stay as they are. */
import { type SqlToken, tokenizeSql } from "./sql-tokens.ts";

/** Keywords that open a line, by the words of the whole clause. */
const clauses = new Set([
  "WITH",
  "SELECT",
  "FROM",
  "WHERE",
  "GROUP",
  "HAVING",
  "ORDER",
  "LIMIT",
  "OFFSET",
  "UNION",
  "EXCEPT",
  "INTERSECT",
  "WINDOW",
  "QUALIFY",
  "VALUES",
  "FETCH",
]);
const joinWords = new Set([
  "JOIN",
  "LEFT",
  "RIGHT",
  "FULL",
  "INNER",
  "CROSS",
  "NATURAL",
  "SEMI",
  "ANTI",
  "ASOF",
  "OUTER",
]);
const indented = new Set(["AND", "OR"]);

export function formatSql(sql: string): string {
  const tokens = tokenizeSql(sql).flatMap((token) =>
    token.kind === "other" ? [...token.text].map((text): SqlToken => ({ kind: "other", text })) : [token],
  );
  const lines: string[] = [];
  /** For each open parenthesis: true when it holds a query of its own. */
  const open: boolean[] = [];
  let line = "";
  let clause = "";
  let between = false;
  const depth = () => open.filter(Boolean).length;
  const breakLine = (extra = 0) => {
    if (line.trim()) lines.push(line.trimEnd());
    line = "  ".repeat(depth() + extra);
  };
  const inQuery = () => open.length === 0 || open.at(-1) === true;
  let before: SqlToken | undefined;
  let blank = false;
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "space") {
      blank = true;
      continue;
    }
    const word = token.kind === "keyword" ? token.text.toUpperCase() : "";
    const previous = before?.text.toUpperCase() ?? "";
    let broke = false;
    if (token.text === ")") {
      if (open.pop()) {
        breakLine();
        broke = true;
      }
    } else if (inQuery() && clauses.has(word) && previous !== "WITHIN") {
      breakLine();
      broke = true;
      clause = word;
    } else if (inQuery() && joinWords.has(word) && !joinWords.has(previous)) {
      // LEFT( and RIGHT( are functions.
      const next = tokens.slice(index + 1).find((other) => other.kind !== "space");
      if (next?.text !== "(" || word === "JOIN") {
        breakLine();
        broke = true;
      }
    } else if (inQuery() && indented.has(word) && !(word === "AND" && between)) {
      breakLine(1);
      broke = true;
    }
    if (word === "BETWEEN") between = true;
    else if (word === "AND") between = false;
    if (blank && !broke && line.trim() && before?.text !== "(" && token.text !== ")") line += " ";
    line += token.text;
    if (token.text === "(") {
      const next = tokens.slice(index + 1).find((other) => other.kind !== "space" && other.kind !== "comment");
      open.push(/^(SELECT|WITH|VALUES)$/i.test(next?.text ?? ""));
    }
    if (token.text === "," && inQuery() && clause === "SELECT") breakLine(1);
    if (token.kind === "comment" && token.text.startsWith("--")) breakLine();
    before = token;
    blank = false;
  }
  if (line.trim()) lines.push(line.trimEnd());
  return lines.join("\n");
}
