/**
 * Colours SQL without understanding it. The tokens joined are the text, byte for byte: what is shown must be what runs.
 * Knows the quoting of SQLite, DuckDB, PostgreSQL and MySQL; anything it doesn't know is `other`.
 */
export type SqlTokenKind = "keyword" | "string" | "number" | "comment" | "name" | "space" | "other";
export interface SqlToken {
  kind: SqlTokenKind;
  text: string;
}

const keywords = new Set(
  `ALL AND ANTI ANY AS ASC ASOF BETWEEN BY CASE CAST COLLATE CROSS CURRENT DESC DISTINCT ELSE END ESCAPE EXCEPT EXISTS FALSE
  FETCH FILTER FIRST FOLLOWING FROM FULL GLOB GROUP GROUPS HAVING ILIKE IN INNER INTERSECT INTERVAL IS JOIN LAST LATERAL LEFT
  LIKE LIMIT MATERIALIZED NATURAL NEXT NOT NULL NULLS OFFSET ON ONLY OR ORDER OUTER OVER PARTITION PRECEDING QUALIFY RANGE
  RECURSIVE REGEXP RIGHT ROW ROWS SELECT SEMI SIMILAR SOME THEN TIES TRUE UNBOUNDED UNION UNNEST USING VALUES WHEN WHERE
  WINDOW WITH WITHIN`.split(/\s+/),
);

const rules: { kind: SqlTokenKind; pattern: RegExp }[] = [
  { kind: "space", pattern: /\s+/y },
  { kind: "comment", pattern: /--[^\n]*/y },
  { kind: "comment", pattern: /\/\*[\s\S]*?(?:\*\/|$)/y },
  { kind: "string", pattern: /[eE]'(?:[^'\\]|\\[\s\S]|'')*(?:'|$)/y },
  { kind: "string", pattern: /(?:[xXbBnN])?'(?:[^']|'')*(?:'|$)/y },
  { kind: "string", pattern: /\$([A-Za-z_]\w*)?\$[\s\S]*?(?:\$\1\$|$)/y },
  { kind: "name", pattern: /"(?:[^"]|"")*(?:"|$)/y },
  { kind: "name", pattern: /`(?:[^`]|``)*(?:`|$)/y },
  { kind: "number", pattern: /(?:0[xX][\da-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)/y },
  { kind: "name", pattern: /[\p{L}_][\p{L}\p{M}\p{N}_$]*/uy },
];

export function tokenizeSql(sql: string): SqlToken[] {
  const tokens: SqlToken[] = [];
  let at = 0;
  while (at < sql.length) {
    const token = readToken(sql, at);
    const last = tokens.at(-1);
    if (token.kind === "other" && last?.kind === "other") last.text += token.text;
    else tokens.push(token);
    at += token.text.length;
  }
  return tokens;
}

function readToken(sql: string, at: number): SqlToken {
  for (const { kind, pattern } of rules) {
    pattern.lastIndex = at;
    const text = pattern.exec(sql)?.[0];
    if (!text) continue;
    const first = text.charAt(0);
    const isWord = kind === "name" && first !== '"' && first !== "`";
    return { kind: isWord && keywords.has(text.toUpperCase()) ? "keyword" : kind, text };
  }
  return { kind: "other", text: sql.charAt(at) };
}

/** The tokens by line; a token over several lines is cut at each line end, which stays with the line it ends. */
export function toSqlLines(sql: string): SqlToken[][] {
  const lines: SqlToken[][] = [[]];
  for (const token of tokenizeSql(sql)) {
    const pieces = token.text.split(/(?<=\n)/);
    for (const piece of pieces) {
      lines.at(-1)?.push({ kind: token.kind, text: piece });
      if (piece.endsWith("\n")) lines.push([]);
    }
  }
  if (lines.length > 1 && lines.at(-1)?.length === 0) lines.pop();
  return lines;
}
