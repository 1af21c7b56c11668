/**
 * The CTEs of a statement, cut out of the original text. Previews run the text as it stands, never a regenerated one,
 * so the cut goes by tokens and matching parentheses and keeps every character.
 */
import { lineAt, type Token, tokenize, unquote } from "./parser.ts";
import { checkReadOnly } from "./read-only.ts";

export interface CteSlice {
  /** As written, quotes included. */
  name: string;
  /** What stands between the parentheses. */
  body: string;
  /** From the name to the closing parenthesis, as UTF-16 offsets: `sql.slice(start, end)`. */
  start: number;
  end: number;
  /** 1-based lines of the name and of the closing parenthesis. */
  startLine: number;
  endLine: number;
  /** `WITH …` up to and including this CTE; `\nSELECT * FROM name` after it is a preview. */
  prefix: string;
}

export type CteSlices = { ok: true; ctes: CteSlice[]; finalStart: number } | { ok: false; reason: string };

const nameTypes = new Set(["VAR", "QUOTED_IDENTIFIER", "IDENTIFIER"]);

/** A statement without WITH has zero slices. Anything that isn't one reading statement is refused. */
export function sliceCtes(sql: string, dialect = "sqlite"): CteSlices {
  const reading = checkReadOnly(sql, dialect);
  if (!reading.ok) return reading;
  const tokenized = tokenize(sql, dialect);
  if (!tokenized.ok) return tokenized;
  const tokens = tokenized.value;
  const is = (at: number, word: string) => isWord(tokens[at], word);
  if (!is(0, "WITH")) return { ok: true, ctes: [], finalStart: tokens[0]?.start ?? 0 };
  let at = is(1, "RECURSIVE") ? 2 : 1;
  const ctes: CteSlice[] = [];
  const seen = new Set<string>();
  for (;;) {
    const name = tokens[at];
    if (!name || (!nameTypes.has(name.type) && !/^[a-z_]\w*$/i.test(name.text)))
      return { ok: false, reason: "A step has no name." };
    let next = at + 1;
    if (tokens[next]?.type === "L_PAREN") next = closing(tokens, next) + 1;
    if (!is(next, "AS")) return { ok: false, reason: `After ${name.text} the word AS is missing.` };
    next += 1;
    if (is(next, "NOT")) next += 1;
    if (is(next, "MATERIALIZED")) next += 1;
    if (tokens[next]?.type !== "L_PAREN")
      return { ok: false, reason: `The step ${name.text} has no query in parentheses.` };
    const close = closing(tokens, next);
    const open = tokens[next];
    const last = tokens[close];
    if (!open || !last) return { ok: false, reason: `A parenthesis of ${name.text} isn't closed.` };
    const key = unquote(sql.slice(name.start, name.end)).toLowerCase();
    if (seen.has(key)) return { ok: false, reason: `Two steps are called ${name.text}.` };
    seen.add(key);
    ctes.push({
      name: sql.slice(name.start, name.end),
      body: sql.slice(open.end, last.start),
      start: name.start,
      end: last.end,
      startLine: name.line,
      endLine: lineAt(sql, last.start),
      prefix: sql.slice(0, last.end),
    });
    at = close + 1;
    if (tokens[at]?.type === "COMMA") {
      at += 1;
      continue;
    }
    if (is(at, "SEARCH") || is(at, "CYCLE"))
      return { ok: false, reason: "SEARCH and CYCLE clauses can't be shown step by step." };
    return { ok: true, ctes, finalStart: tokens[at]?.start ?? sql.length };
  }
}

function isWord(token: Token | undefined, word: string): boolean {
  return (
    token !== undefined &&
    token.type !== "QUOTED_IDENTIFIER" &&
    token.type !== "STRING" &&
    token.text.toUpperCase() === word
  );
}

/** Index of the parenthesis that closes the one at `open`; the length when there is none. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.type === "L_PAREN") depth += 1;
    else if (tokens[at]?.type === "R_PAREN" && --depth === 0) return at;
  }
  return tokens.length;
}
