/** Literals of a statement, found and replaced by the spans of its tokens; nothing else of the text changes. Pure. */
import type { Engine } from "../../protocol/index.ts";
import { dialectOf } from "../../sql/dialect.ts";
import { tokenize } from "../../sql/parser.ts";
import type { Swap } from "./reuse-match.ts";

export interface Literal {
  kind: "text" | "number";
  /** Without quotes, and without the signs of a pattern around it. */
  value: string;
  start: number;
  end: number;
}

export function findLiterals(sql: string, engine: Engine): Literal[] {
  const tokens = tokenize(sql, engine);
  if (!tokens.ok) return [];
  return tokens.value.flatMap(({ type, start, end }): Literal[] => {
    const text = sql.slice(start, end);
    if (type === "NUMBER") return [{ kind: "number", value: text, start, end }];
    if (type !== "STRING" || !text.startsWith("'") || !text.endsWith("'")) return [];
    return [{ kind: "text", value: unquoted(text).replace(/^%+|%+$/g, ""), start, end }];
  });
}

const unquoted = (text: string): string => text.slice(1, -1).replaceAll("''", "'");

/** `steps`: names of steps that say the old value, with the names that say the new one. */
export function rewriteSql(
  sql: string,
  engine: Engine,
  swaps: readonly Swap[],
  steps: ReadonlyMap<string, string> = new Map(),
): string {
  const tokens = tokenize(sql, engine);
  if (!tokens.ok) return sql;
  let text = "";
  let from = 0;
  for (const { type, start, end } of tokens.value) {
    const token = sql.slice(start, end);
    const next =
      type === "STRING" || type === "NUMBER" ? rewriteLiteral(token, engine, swaps) : (steps.get(token) ?? token);
    text += sql.slice(from, start) + next;
    from = end;
  }
  return text + sql.slice(from);
}

function rewriteLiteral(token: string, engine: Engine, swaps: readonly Swap[]): string {
  const quoted = token.startsWith("'");
  const [, open = "", value = "", close = ""] = /^(%*)(.*?)(%*)$/s.exec(quoted ? unquoted(token) : token) ?? [];
  const next = swaps.map((swap) => toSwapped(value, swap)).find((one) => one !== undefined);
  if (next === undefined) return token;
  return quoted ? dialectOf(engine).text(`${open}${next}${close}`) : next;
}

/** A value beside the SQL, such as a decision lists it. */
export function swapValue(value: string | number, swaps: readonly Swap[]): string | number {
  const next = swaps.map((swap) => toSwapped(String(value), swap)).find((one) => one !== undefined);
  if (next === undefined) return value;
  return typeof value === "number" ? Number(next) : next;
}

function toSwapped(value: string, { kind, value: { from, to } }: Swap): string | undefined {
  if (kind === "value") return value.toLowerCase() === from.toLowerCase() ? to : undefined;
  if (value === from || (value.trim() !== "" && Number(value) === Number(from))) return to;
  // The end of a year is often written as the start of the next.
  const year = kind === "year" ? /^(\d{4})(-.*)$/s.exec(value) : null;
  const ahead = year ? Number(year[1]) - Number(from) : -1;
  const isNext = ahead === 1 && /^-01-01/.test(year?.[2] ?? "");
  return ahead === 0 || isNext ? `${Number(to) + ahead}${year?.[2] ?? ""}` : undefined;
}
