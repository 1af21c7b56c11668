/**
 * sql/ reads SQL text and never runs it: the read-only check, the cutting of CTEs and the conformance report.
 * This module is the only one that touches the parser, a WebAssembly library of 23 MB. It is loaded by the first
 * call that parses (about a quarter of a second), never by an import, so that code that only assembles text or
 * passes through here pays nothing. Text that the parser regenerates is never used: only trees, tokens and spans.
 */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname } from "node:path";
import vm from "node:vm";
import type { ParseResult, TokenizeResult } from "@polyglot-sql/sdk";
import { ThothError } from "../protocol/index.ts";

/** One token of the text. `start` and `end` count UTF-16 units, so `sql.slice(start, end)` is the token as written. */
export interface Token {
  /** The parser's name of its kind, e.g. `SELECT`, `VAR`, `QUOTED_IDENTIFIER`, `STRING`, `NUMBER`, `L_PAREN`. */
  type: string;
  /** Without quotes. */
  text: string;
  start: number;
  end: number;
  /** 1-based line of its first character. */
  line: number;
}

/** A node of the parser's tree: plain data, one key naming the kind. */
export type Tree = { [key: string]: unknown };

export type Parsed<T> = { ok: true; value: T } | { ok: false; reason: string };

interface Polyglot {
  isInitialized(): boolean;
  parse(sql: string, dialect: string): ParseResult;
  tokenize(sql: string, dialect: string): TokenizeResult;
}

let loaded: Polyglot | undefined;

/**
 * The library only offers an asynchronous start, yet everything here decides synchronously. Its start waits for
 * nothing but `WebAssembly.instantiate`; run in a context whose promise jobs are worked off before `runInContext`
 * returns, with an `instantiate` that compiles at once, it is finished when the call comes back.
 */
function polyglot(): Polyglot {
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  const file = require.resolve("@polyglot-sql/sdk");
  const instantiate = (bytes: BufferSource, imports: WebAssembly.Imports) => ({
    instance: new WebAssembly.Instance(new WebAssembly.Module(bytes), imports),
  });
  const sandbox: { [key: string]: unknown } = { TextDecoder, TextEncoder, URL, console, WebAssembly: { instantiate } };
  const context = vm.createContext(sandbox, { microtaskMode: "afterEvaluate" });
  const names = ["exports", "require", "module", "__dirname"];
  const body = vm.compileFunction(readFileSync(file, "utf8"), names, { parsingContext: context, filename: file });
  const module: { exports: Partial<Polyglot> & { init?: () => unknown } } = { exports: {} };
  body(module.exports, createRequire(file), module, dirname(file));
  sandbox.start = module.exports.init;
  vm.runInContext("start()", context);
  const library = module.exports as Polyglot;
  if (!library.isInitialized()) {
    throw new ThothError(
      "sql-parser",
      "The SQL parser could not be started.",
      "Install ThothII again: a file of it may be missing.",
    );
  }
  loaded = library;
  return library;
}

/** The statements of the text as trees; what can't be parsed is data, not an exception. */
export function parseStatements(sql: string, dialect = "sqlite"): Parsed<Tree[]> {
  try {
    const result = polyglot().parse(sql, dialect);
    if (!result.success) return { ok: false, reason: result.error };
    return { ok: true, value: expandRaw(result.ast, dialect) as Tree[] };
  } catch (error) {
    if (error instanceof ThothError) throw error;
    // Deeply nested text can exhaust the library's stack; the instance may be unusable afterwards.
    loaded = undefined;
    return { ok: false, reason: error instanceof Error ? error.message : "the parser gave up" };
  }
}

/**
 * The parser leaves `NOT x LIKE y` as text. What follows NOT is parsed on its own and put in place, without spans
 * because those would count from another start. What can't be parsed stays `raw`.
 */
function expandRaw(node: unknown, dialect: string): unknown {
  if (Array.isArray(node)) return node.map((item) => expandRaw(item, dialect));
  if (typeof node !== "object" || node === null) return node;
  const raw = (node as Tree).raw;
  const text = typeof raw === "object" && raw !== null ? (raw as Tree).sql : undefined;
  const negated = typeof text === "string" ? /^\s*NOT\b([\s\S]*)$/i.exec(text)?.[1] : undefined;
  if (negated !== undefined) {
    const result = polyglot().parse(`SELECT 1 WHERE ${negated}`, dialect);
    const tree =
      result.success && result.ast.length === 1
        ? (result.ast[0] as unknown as { select?: { where_clause?: Tree } })
        : undefined;
    const condition = tree?.select?.where_clause?.this;
    return condition ? { not: { this: withoutSpans(expandRaw(condition, dialect)) } } : node;
  }
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, expandRaw(value, dialect)]));
}

function withoutSpans(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutSpans);
  if (typeof node !== "object" || node === null) return node;
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key]) => key !== "span")
      .map(([key, value]) => [key, withoutSpans(value)]),
  );
}

/** All tokens without comments and white space. */
export function tokenize(sql: string, dialect = "sqlite"): Parsed<Token[]> {
  try {
    const result = polyglot().tokenize(sql, dialect);
    if (!result.success || !result.tokens)
      return { ok: false, reason: result.error ?? "the text can't be cut into tokens" };
    // Spans count code points. Comments of a token say nothing we need.
    const at = codePointOffsets(sql);
    return {
      ok: true,
      value: (result.tokens as unknown as RawToken[]).map((token) => {
        const start = at(token.span.start);
        return { type: token.token_type, text: token.text, start, end: at(token.span.end), line: lineAt(sql, start) };
      }),
    };
  } catch (error) {
    if (error instanceof ThothError) throw error;
    loaded = undefined;
    return { ok: false, reason: error instanceof Error ? error.message : "the tokenizer gave up" };
  }
}

interface RawToken {
  token_type: string;
  text: string;
  span: { start: number; end: number };
}

/** Code point index → UTF-16 index. */
export function codePointOffsets(sql: string): (index: number) => number {
  // Without surrogates both counts agree.
  if (!/[\ud800-\udfff]/.test(sql)) return (index) => index;
  const offsets: number[] = [];
  let at = 0;
  for (const character of sql) {
    offsets.push(at);
    at += character.length;
  }
  return (index) => offsets[index] ?? sql.length;
}

const lines = new Map<string, number[]>();

/** 1-based line of a UTF-16 index. */
export function lineAt(sql: string, index: number): number {
  let starts = lines.get(sql);
  if (!starts) {
    starts = [0];
    for (let at = sql.indexOf("\n"); at >= 0; at = sql.indexOf("\n", at + 1)) starts.push(at + 1);
    // The last few texts are enough: callers ask many times about one text.
    if (lines.size > 8) lines.clear();
    lines.set(sql, starts);
  }
  let low = 0;
  let high = starts.length;
  while (low + 1 < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= index) low = middle;
    else high = middle;
  }
  return low + 1;
}

/** The name as the engine compares it: without quotes, folded. */
export function unquote(name: string): string {
  const trimmed = name.trim();
  const first = trimmed[0];
  const last = trimmed.at(-1);
  if (trimmed.length >= 2 && ((first === '"' && last === '"') || (first === "`" && last === "`"))) {
    return trimmed.slice(1, -1).replaceAll(`${first}${first}`, first ?? "");
  }
  if (trimmed.length >= 2 && first === "[" && last === "]") return trimmed.slice(1, -1);
  return trimmed;
}
