/** Single conditions written in other ways. */
import type { BlockText, Span, SqlText } from "./sql-blocks.ts";
import { clauseOf, type Edit, put } from "./sql-edits.ts";

export function turned(text: SqlText, span: Span): Edit[] {
  const opposite: Record<string, string> = { "=": "=", "<": ">", ">": "<", "<=": ">=", ">=": "<=" };
  for (const at of [span.from + 1, span.from + 3]) {
    const operator = opposite[text.word(at)];
    const size = span.to - at - 1;
    if (operator && (size === 1 || (size === 3 && text.word(at + 2) === ".")))
      return [
        put(
          span.from,
          span.to,
          `${text.text({ from: at + 1, to: span.to })} ${operator} ${text.text({ from: span.from, to: at })}`,
        ),
      ];
  }
  return [];
}

/** `column = literal` at a span: the column's text and the literal's. */
function simple(text: SqlText, span: Span, operators = /^=$/) {
  const at = span.to - 2;
  const value = text.tokens[span.to - 1];
  const size = at - span.from;
  if (!operators.test(text.word(at)) || !/^(STRING|NUMBER)$/.test(value?.type ?? "") || (size !== 1 && size !== 3))
    return undefined;
  if (size === 3 && text.word(span.from + 1) !== ".") return undefined;
  return {
    column: text.text({ from: span.from, to: at }),
    operator: text.word(at),
    value: text.text({ from: at + 1, to: span.to }),
  };
}

export function inFor(text: SqlText, span: Span): Edit[] {
  const found = simple(text, span);
  return found ? [put(span.from, span.to, `${found.column} IN (${found.value})`)] : [];
}

export function orToIn(text: SqlText, span: Span): Edit[] | undefined {
  const parts = text.split(span, "OR").map((part) => simple(text, part));
  const [first] = parts;
  if (!first || parts.length < 2 || parts.some((part) => part?.column.toLowerCase() !== first.column.toLowerCase()))
    return undefined;
  return [put(span.from, span.to, `${first.column} IN (${parts.map((part) => part?.value).join(", ")})`)];
}

export function inToOr(text: SqlText, span: Span): Edit[] | undefined {
  const at = [span.from + 1, span.from + 3].find((place) => text.word(place) === "IN" && text.word(place + 1) === "(");
  if (at === undefined || text.word(at + 2) === "SELECT" || text.close(at + 1) !== span.to - 1) return undefined;
  const column = text.text({ from: span.from, to: at });
  const values = text.split({ from: at + 2, to: span.to - 1 }, ",").map(text.text);
  return [put(span.from, span.to, `(${values.map((value) => `${column} = ${value}`).join(" OR ")})`)];
}

export function splitBetween(text: SqlText, span: Span): Edit[] | undefined {
  let at = span.from;
  while (at < span.to && text.word(at) !== "BETWEEN" && text.word(at) !== "(" && text.word(at) !== "OR") at += 1;
  if (text.word(at) !== "BETWEEN" || text.word(at - 1) === "NOT") return undefined;
  let and = at;
  while (and < span.to && text.word(and) !== "AND") and = text.word(and) === "(" ? text.close(and) + 1 : and + 1;
  const column = text.text({ from: span.from, to: at });
  return [
    put(
      span.from,
      span.to,
      `(${column} >= ${text.text({ from: at + 1, to: and })} AND ${column} <= ${text.text({ from: and + 1, to: span.to })})`,
    ),
  ];
}

export function joinBetween(text: SqlText, block: BlockText): Edit[] | undefined {
  const parts = clauseOf(text, block.where).map((span) => ({ span, found: simple(text, span, /^[<>]=$/) }));
  for (const low of parts)
    for (const high of parts)
      if (low.found?.operator === ">=" && high.found?.operator === "<=" && low.found.column === high.found.column)
        return [
          put(low.span.from, low.span.to, `${low.found.column} BETWEEN ${low.found.value} AND ${high.found.value}`),
          put(high.span.from, high.span.to, "1 = 1"),
        ];
  return undefined;
}
