/** Names of a statement as the columns they stand for, and its text with those in their place. */
import type { Catalog } from "../src/protocol/index.ts";
import { dialectOf } from "../src/sql/dialect.ts";
import type { SourceText, Span, SqlText } from "./sql-blocks.ts";

/** A column as some block sees it: stored, or the expression that a step or derived table puts out. */
export type Column = { table: string; alias: string; column: string } | { text: string };
export interface Source {
  alias: string;
  columns: Map<string, Column>;
  table?: string;
  /** Alias of a stored table that is unique among the decisions. */
  unique?: string;
}
export interface Scope {
  sources: Source[];
  outer?: Scope;
}
export type Outputs = Map<string, Column>;

const fold = (name: string) => name.toLowerCase();

export class NameReader {
  readonly text: SqlText;
  readonly catalog: Catalog;
  constructor(text: SqlText, catalog: Catalog) {
    this.text = text;
    this.catalog = catalog;
  }

  table(name: string) {
    const last = name.split(".").at(-1) ?? name;
    return (
      this.catalog.tables.find((table) => fold(table.name) === fold(name)) ??
      this.catalog.tables.find((table) => fold(table.name) === fold(last))
    );
  }

  /** A span that is nothing but a column. */
  plain(span: Span, scope: Scope) {
    let at = span.from;
    const size = span.to - span.from;
    const dotted = Array.from({ length: (size - 1) / 2 }, (_, index) => this.text.word(span.from + 1 + 2 * index));
    if (size % 2 === 0 || dotted.some((word) => word !== ".")) return undefined;
    const qualifier = size > 1 ? this.text.tokens[span.to - 3]?.text : undefined;
    at = span.to - 1;
    if (this.text.tokens[at]?.type === "STRING" || this.text.tokens[at]?.type === "NUMBER") return undefined;
    return find(scope, qualifier, this.text.tokens[at]?.text ?? "");
  }

  columnsIn(span: Span, scope: Scope) {
    const found: { table: string; alias: string; column: string }[] = [];
    for (let at = span.from; at < span.to; at++) {
      const column = this.at(at, scope)?.column;
      if (column && "table" in column) found.push(column);
    }
    return found;
  }

  /** The column whose last token stands here. */
  at(at: number, scope: Scope): ReturnType<typeof find> {
    const { text } = this;
    const token = text.tokens[at];
    if (!token || /^(STRING|NUMBER)$/.test(token.type) || !/^\w/.test(token.text)) return undefined;
    if (
      /^[(.]$/.test(text.word(at + 1)) ||
      /^(AS|::)$/.test(text.word(at - 1)) ||
      (text.word(at + 1) === "FROM" && text.word(at - 1) === "(")
    )
      return undefined;
    if (token.type !== "QUOTED_IDENTIFIER" && text.tokens[at + 1]?.type === "STRING") return undefined;
    const qualifier = text.word(at - 1) === "." ? text.tokens[at - 2]?.text : undefined;
    return find(scope, qualifier, token.text);
  }

  /** The text with every column by its unique alias, and columns of steps as what they are. */
  rewrite(span: Span, scope: Scope): string {
    const { text } = this;
    const inner = new Map<number, Scope>();
    const nested: Span[] = [];
    for (let at = span.from; at < span.to; at++) {
      if (text.word(at) !== "(" || !/^(SELECT|WITH)$/.test(text.word(at + 1))) continue;
      const end = text.close(at);
      nested.push({ from: at + 1, to: end });
      for (const block of text.parse({ from: at + 1, to: end }).blocks) {
        const local: Scope = { sources: [], outer: scope };
        for (const source of block.sources) local.sources.push(this.local(source));
        for (let place = block.from; place < block.to; place++) inner.set(place, local);
      }
      at = end;
    }
    let written = "";
    let last = text.tokens[span.from]?.start ?? 0;
    for (let at = span.from; at < span.to; at++) {
      const here = inner.get(at);
      if (!here && nested.some((part) => at >= part.from && at < part.to)) continue;
      const found = this.at(at, here ?? scope);
      if (!found || here?.sources.includes(found.source)) continue;
      // A nested query's own FROM names tables, not columns.
      if (here && /^(FROM|JOIN|,)$/.test(text.word(at - 1)) && !scopeHas(here, text.tokens[at]?.text ?? "")) {
        const name = text.tokens[at]?.text ?? "";
        if (this.table(name)) continue;
      }
      let from = at;
      while (text.word(from - 1) === "." && from - 2 >= span.from) from -= 2;
      written += text.sql.slice(last, text.tokens[from]?.start ?? 0) + this.write(found.column);
      last = text.tokens[at]?.end ?? last;
    }
    return written + text.sql.slice(last, text.tokens[span.to - 1]?.end ?? last);
  }

  /** A source of a query inside a condition: only its names count. */
  local(source: SourceText): Source {
    const table = this.table(source.table ?? "");
    const names = table?.columns.map((column) => fold(column.name)) ?? [];
    return { alias: fold(source.alias), columns: new Map(names.map((name) => [name, { text: name }])) };
  }

  write(column: Column): string {
    const { quote } = dialectOf(this.catalog.engine);
    return "text" in column ? `(${column.text})` : `${quote(column.alias)}.${quote(column.column)}`;
  }
}

const scopeHas = (scope: Scope, name: string) => scope.sources.some((source) => source.alias === fold(name));

function find(scope: Scope, qualifier: string | undefined, name: string) {
  for (let at: Scope | undefined = scope; at; at = at.outer)
    for (const source of at.sources) {
      if (qualifier !== undefined && source.alias !== fold(qualifier)) continue;
      const column = source.columns.get(fold(name));
      if (column) return { source, column, name: fold(name) };
    }
  return undefined;
}

export function renamed(outputs: Outputs, names: readonly string[]): Outputs {
  if (names.length === 0) return outputs;
  return new Map([...outputs.values()].map((column, index) => [fold(names[index] ?? ""), column]));
}
