/** Divisions of whole numbers by whole numbers: there some engines drop what is left over. Pure. */
import type { Catalog, Column, Engine } from "../protocol/index.ts";
import { type Token, tokenize } from "../sql/parser.ts";
import { cut } from "./ask.ts";

type KindOf = (name: string) => Column["kind"] | undefined;

/** The divisions as written, `a / b`. On DuckDB and MariaDB `/` never drops anything. */
export function findIntegerDivisions(sql: string, engine: Engine, kindOf: KindOf): string[] {
  if ((engine !== "sqlite" && engine !== "postgres") || !sql.includes("/")) return [];
  const tokenized = tokenize(sql, engine);
  if (!tokenized.ok) return [];
  const tokens = tokenized.value;
  const counts = toCountNames(tokens);
  const isWhole = (name: string) => kindOf(name) === "integer" || (kindOf(name) === undefined && counts.has(name));
  const found = tokens.flatMap((token, at) => {
    if (token.type !== "SLASH") return [];
    const right = readFactor(tokens, at + 1, isWhole);
    if (!right?.whole) return [];
    // `year / 10 * 10` drops the rest on purpose.
    const [divisor, after, factor] = [tokens[at + 1], tokens[right.to], tokens[right.to + 1]];
    if (divisor?.type === "NUMBER" && after?.type === "STAR" && factor?.text === divisor.text) return [];
    let from = at;
    do {
      const left = readFactorBefore(tokens, from, isWhole);
      if (!left?.whole) return [];
      from = left.from;
    } while (["STAR", "SLASH"].includes(tokens[from - 1]?.type ?? "") && --from > 0);
    const [first, last] = [tokens[from], tokens[right.to - 1]];
    return first && last ? [sql.slice(first.start, last.end)] : [];
  });
  // Of a chain the whole is told once.
  return found.filter((text, at) => !found[at + 1]?.startsWith(`${text} `));
}

/** In a whole statement a name is a whole number when every column of that name is, or when it counts something. */
export function kindsOf(catalog: Catalog, sql: string): KindOf {
  const kinds = new Map<string, Column["kind"] | undefined>();
  for (const column of catalog.tables.flatMap((table) => table.columns)) {
    const name = column.name.toLowerCase();
    kinds.set(name, !kinds.has(name) || kinds.get(name) === column.kind ? column.kind : "number");
  }
  const tokenized = tokenize(sql, catalog.engine);
  const counts = toCountNames(tokenized.ok ? tokenized.value : []);
  return (name) => kinds.get(name.toLowerCase()) ?? (counts.has(name) ? "integer" : undefined);
}

export function sayDivision(division: string): { title: string; body: string; wayOut: string } {
  return {
    title: `${cut(division, 200)} divides whole numbers`,
    body: "What is left over is dropped here: 7 / 2 is 3, and a share below one is 0.",
    wayOut: `Use 1.0 * ${cut(division, 200)}`,
  };
}

const wholeFunctions = new Set(["COUNT", "SUM", "MIN", "MAX", "ABS"]);

/** `COUNT(…) AS name` makes a whole number of that name. */
function toCountNames(tokens: readonly Token[]): Set<string> {
  const names = new Set<string>();
  for (const [at, token] of tokens.entries()) {
    if (token.text.toUpperCase() !== "COUNT" || tokens[at + 1]?.type !== "L_PAREN") continue;
    const end = closing(tokens, at + 1);
    const name = tokens[end + 1]?.text.toUpperCase() === "AS" ? tokens[end + 2]?.text : undefined;
    if (name !== undefined) names.add(name);
  }
  return names;
}

function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.length; at++) {
    if (tokens[at]?.type === "L_PAREN") depth += 1;
    else if (tokens[at]?.type === "R_PAREN" && --depth === 0) return at;
  }
  return tokens.length;
}

function opening(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let at = close; at >= 0; at--) {
    if (tokens[at]?.type === "R_PAREN") depth += 1;
    else if (tokens[at]?.type === "L_PAREN" && --depth === 0) return at;
  }
  return -1;
}

interface Factor {
  whole: boolean;
  from: number;
  /** After its last token. */
  to: number;
}

const isName = (token: Token): boolean => /^(VAR|QUOTED_IDENTIFIER|IDENTIFIER)$/.test(token.type);

/** A number, a name with its table, or something in parentheses with the function before it. */
function readFactor(tokens: readonly Token[], from: number, isWhole: (name: string) => boolean): Factor | undefined {
  const token = tokens[from];
  if (!token) return undefined;
  const open = token.type === "L_PAREN" ? from : tokens[from + 1]?.type === "L_PAREN" ? from + 1 : -1;
  if (open >= 0) {
    const close = closing(tokens, open);
    return judge(tokens, from, close + 1, isWhole);
  }
  let to = from + 1;
  while (tokens[to]?.type === "DOT") to += 2;
  return judge(tokens, from, to, isWhole);
}

function readFactorBefore(
  tokens: readonly Token[],
  to: number,
  isWhole: (name: string) => boolean,
): Factor | undefined {
  let from = to - 1;
  if (tokens[from]?.type === "R_PAREN") {
    from = opening(tokens, from);
    const before = tokens[from - 1];
    if (
      before &&
      /^\w+$/.test(before.text) &&
      !/^(AND|OR|NOT|SELECT|WHEN|THEN|ELSE|BY|ON|WHERE|HAVING)$/i.test(before.text)
    )
      from -= 1;
  } else while (tokens[from - 1]?.type === "DOT") from -= 2;
  return from < 0 ? undefined : judge(tokens, from, to, isWhole);
}

function judge(tokens: readonly Token[], from: number, to: number, isWhole: (name: string) => boolean): Factor {
  // `::` converts to another type.
  const converted = tokens[to]?.text === "::";
  const own = tokens.slice(from, to);
  const [first, second] = own;
  const words = own.map((token) => token.text.toUpperCase());
  const count =
    (words[0] === "COUNT" && second?.type === "L_PAREN") ||
    (first?.type === "L_PAREN" && words[1] === "SELECT" && words[2] === "COUNT");
  if (words[0] === "SUM" && words[2] === "CASE") {
    const results = own.filter((_, at) => words[at - 1] === "THEN" || words[at - 1] === "ELSE");
    const simple = results.every(
      (token) => (token.type === "NUMBER" && /^\d+$/.test(token.text)) || token.text.toUpperCase() === "NULL",
    );
    return { whole: simple && !converted, from, to };
  }
  const whole = own.every((token, at) => {
    if (token.type === "NUMBER") return /^\d+$/.test(token.text);
    if (own[at + 1]?.type === "L_PAREN" && token.type !== "L_PAREN" && /^\w+$/.test(token.text))
      return wholeFunctions.has(token.text.toUpperCase());
    if (isName(token)) return own[at + 1]?.type === "DOT" || isWhole(token.text);
    return /^(L_PAREN|R_PAREN|STAR|PLUS|DASH|MINUS|DOT)$/.test(token.type);
  });
  return { whole: (count || whole) && !converted, from, to };
}
