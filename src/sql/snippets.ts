/** Pieces of the shown SQL for a report: the join or the condition around a place, as written. */
import { codePointOffsets, lineAt, type Token } from "./parser.ts";

export interface Snippets {
  /** 1-based line of a code point offset; undefined when the place is unknown. */
  line(at: number): number | undefined;
  /** Code point offset of a UTF-16 offset, as tokens have them. */
  place(index: number): number;
  lines(places: readonly number[]): number[];
  /** `LEFT JOIN Album AS al ON …` around a table's name; `line` is the line of its first word. */
  join(at: number): { text: string; line: number } | undefined;
  /** The condition between two places, as far as the ANDs around it; with `alternatives`, AND and OR are part of it. */
  condition(at: number, end: number, alternatives?: boolean): string;
  /** The whole clause that begins with the word, the first one after a place. */
  clause(word: string, near: number): { text: string; line: number } | undefined;
}

const clauses = /^(where|group|having|order|limit|window|union|except|intersect|qualify|offset|fetch)$/i;
const joinWords = /^(left|right|full|inner|outer|cross|natural|semi|anti|join)$/i;

export function createSnippets(sql: string, tokens: readonly Token[]): Snippets {
  const offset = codePointOffsets(sql);
  const isPlain = (token: Token | undefined) =>
    token !== undefined && token.type !== "STRING" && token.type !== "QUOTED_IDENTIFIER";
  const word = (at: number) => (isPlain(tokens[at]) ? (tokens[at]?.text ?? "") : "");
  const indexAt = (at: number) => {
    const start = offset(at);
    const found = tokens.findIndex((token) => token.end > start);
    return found < 0 ? tokens.length - 1 : found;
  };
  const text = (from: number, to: number) => {
    const piece = sql
      .slice(tokens[from]?.start ?? 0, tokens[to]?.end ?? 0)
      .replace(/\s+/g, " ")
      .trim();
    return piece.length > 300 ? `${piece.slice(0, 299)}…` : piece;
  };
  const rightEnd = (start: number, stops: (at: number) => boolean) => {
    let depth = 0;
    let at = start;
    for (; at + 1 < tokens.length; at++) {
      const next = tokens[at + 1];
      if (next?.type === "L_PAREN") depth += 1;
      if (next?.type === "R_PAREN" && --depth < 0) break;
      if (depth === 0 && (stops(at + 1) || next?.type === "SEMICOLON")) break;
    }
    return at;
  };
  const line = (at: number) => (at < 0 ? undefined : lineAt(sql, offset(at)));
  return {
    line,
    place: (index) => [...sql.slice(0, index)].length,
    lines: (places) => [...new Set(places.map(line).filter((found) => found !== undefined))].sort((a, b) => a - b),
    join(at) {
      if (at < 0) return undefined;
      const name = indexAt(at);
      let from = name;
      while (from > 0 && !/^join$/i.test(word(from)) && tokens[from]?.type !== "COMMA" && !/^from$/i.test(word(from)))
        from -= 1;
      if (/^join$/i.test(word(from))) while (from > 0 && joinWords.test(word(from - 1))) from -= 1;
      const last = rightEnd(
        name,
        (next) => clauses.test(word(next)) || joinWords.test(word(next)) || tokens[next]?.type === "COMMA",
      );
      return { text: text(from, last), line: tokens[from]?.line ?? 1 };
    },
    clause(first, near) {
      const from = tokens.findIndex(
        (token, index) => token.start >= offset(near) && word(index).toLowerCase() === first,
      );
      if (from < 0) return undefined;
      return {
        text: text(
          from,
          rightEnd(from, (next) => clauses.test(word(next)) || joinWords.test(word(next))),
        ),
        line: tokens[from]?.line ?? 1,
      };
    },
    condition(at, end, alternatives = false) {
      if (at < 0) return "";
      let from = indexAt(at);
      // Going left: brackets that open around the first name belong to the condition (`COUNT(x) > 1`, `(a OR b)`).
      for (let depth = 0; from > 0; from -= 1) {
        if (
          depth <= 0 &&
          (alternatives ? /^(where|on|having)$/i : /^(where|and|or|on|having|when|between)$/i).test(word(from - 1))
        )
          break;
        if (tokens[from - 1]?.type === "R_PAREN") depth += 1;
        if (tokens[from - 1]?.type === "L_PAREN") depth -= 1;
      }
      const atLeast = indexAt(Math.max(at, end - 1));
      let to = from;
      let between = false;
      for (let depth = 0, next = from; next < tokens.length; next++) {
        const token = tokens[next];
        if (token?.type === "L_PAREN" || /^case$/i.test(word(next))) depth += 1;
        if ((token?.type === "R_PAREN" || /^end$/i.test(word(next))) && --depth < 0) break;
        if (token?.type === "SEMICOLON") break;
        if (depth === 0 && next > from) {
          const text = word(next);
          if (/^and$/i.test(text) && between) between = false;
          else if (
            next > atLeast &&
            ((!alternatives && /^(and|or|then)$/i.test(text)) || clauses.test(text) || joinWords.test(text))
          )
            break;
        }
        if (depth === 0 && /^between$/i.test(word(next))) between = true;
        to = next;
      }
      return text(from, to);
    },
  };
}

/** The same text apart from white space, comments and the case of unquoted words. */
export function tokenKey(tokens: readonly Token[]): string[] {
  const kept = tokens.filter((token, index) => token.type !== "SEMICOLON" || index < tokens.length - 1);
  return kept.map((token) =>
    token.type === "STRING"
      ? `'${token.text}'`
      : token.type === "QUOTED_IDENTIFIER"
        ? `"${token.text}"`
        : token.text.toLowerCase(),
  );
}
