/**
 * Comments that a server ends, or begins, elsewhere than the tokenizer does: behind such a place a statement could hold
 * what no check has seen.
 */
import type { Token } from "./parser.ts";

const runByServers = "Comments of the form /*! are refused: some servers run them.";
const nested = "Comments inside comments are refused: this database ends them at the first */.";
const noBlank = "A comment needs a blank after its --: without one this database reads on.";
const hash = "Comments with # are refused; write -- and a blank.";

/** Engines whose block comments nest, as the tokenizer's do. */
const nesting = new Set(["postgres", "postgresql", "duckdb"]);

/** Why the text between the tokens can't be trusted; undefined when it can. */
export function findCommentFault(sql: string, tokens: readonly Token[], dialect: string): string | undefined {
  let end = 0;
  for (const token of tokens) {
    const quoted = token.type === "STRING" || token.type === "QUOTED_IDENTIFIER";
    if (dialect === "mysql" && !quoted && token.text.startsWith("#")) return hash;
    const fault =
      faultOf(sql.slice(end, token.start), dialect) ?? (/hint/i.test(token.type) ? hintFault(token) : undefined);
    if (fault) return fault;
    end = token.end;
  }
  return faultOf(sql.slice(end), dialect);
}

const hintFault = (token: Token): string | undefined => (token.text.includes("/*") ? nested : undefined);

/** `gap` is white space and comments. */
function faultOf(gap: string, dialect: string): string | undefined {
  if (/\/\*M?!/i.test(gap)) return runByServers;
  if (nesting.has(dialect)) return undefined;
  for (let at = 0; at < gap.length; at += 1) {
    if (gap.startsWith("--", at)) {
      if (dialect === "mysql" && /\S/.test(gap[at + 2] ?? " ")) return noBlank;
      const line = gap.indexOf("\n", at);
      if (line < 0) return undefined;
      at = line;
    } else if (gap.startsWith("/*", at)) {
      const close = gap.indexOf("*/", at + 2);
      if (close < 0 || gap.slice(at + 2, close).includes("/*")) return nested;
      at = close + 1;
    }
  }
  return undefined;
}
