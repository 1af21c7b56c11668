/** The words of a statement: brackets, clauses at their level, and conditions joined by AND. */
import type { Token } from "../src/sql/parser.ts";

/** Token indexes, the last one not included. */
export interface Span {
  from: number;
  to: number;
}

export type Words = ReturnType<typeof createWords>;

export function createWords(sql: string, tokens: Token[]) {
  const word = (at: number) => {
    const token = tokens[at];
    return token === undefined || token.type === "STRING" || token.type === "QUOTED_IDENTIFIER"
      ? ""
      : token.text.toUpperCase();
  };
  const raw = (at: number) => tokens[at]?.text ?? "";
  const close = (open: number) => {
    let depth = 0;
    for (let at = open; at < tokens.length; at++) {
      if (word(at) === "(") depth += 1;
      if (word(at) === ")" && --depth === 0) return at;
    }
    return tokens.length - 1;
  };
  const text = (span: Span) => sql.slice(tokens[span.from]?.start ?? 0, tokens[span.to - 1]?.end ?? 0);
  /** Places in a span outside brackets and CASE. */
  const top = (span: Span): number[] => {
    const places: number[] = [];
    let cases = 0;
    for (let at = span.from; at < span.to; at++) {
      if (word(at) === "CASE") cases += 1;
      if (cases === 0) places.push(at);
      if (word(at) === "END") cases -= 1;
      if (word(at) === "(") at = close(at);
    }
    return places;
  };
  const split = (span: Span, separator: string): Span[] => {
    const parts: Span[] = [];
    let from = span.from;
    for (const at of top(span))
      if (word(at) === separator) {
        parts.push({ from, to: at });
        from = at + 1;
      }
    parts.push({ from, to: span.to });
    return parts.filter((part) => part.to > part.from);
  };
  const bare = (span: Span): Span => {
    let inner = span;
    while (word(inner.from) === "(" && close(inner.from) === inner.to - 1 && !/SELECT|WITH/.test(word(inner.from + 1)))
      inner = { from: inner.from + 1, to: inner.to - 1 };
    return inner;
  };
  const conjuncts = (span: Span): Span[] => {
    const inner = bare(span);
    const places = top(inner);
    if (places.some((at) => word(at) === "OR")) return [inner];
    const parts: Span[] = [];
    let from = inner.from;
    let between = false;
    for (const at of places) {
      if (word(at) === "BETWEEN") between = true;
      else if (word(at) === "AND" && between) between = false;
      else if (word(at) === "AND") {
        parts.push({ from, to: at });
        from = at + 1;
      }
    }
    parts.push({ from, to: inner.to });
    return parts.length === 1 ? [inner] : parts.flatMap(conjuncts);
  };
  return { tokens, word, raw, close, text, top, split, conjuncts };
}
