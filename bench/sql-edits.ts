/** Edits of a statement's text by tokens, for mutations and rewrites. */
import type { Catalog, Table } from "../src/protocol/index.ts";
import type { BlockText, QueryText, SourceText, Span, SqlText } from "./sql-blocks.ts";

/** Text in place of some tokens; an empty span inserts before its token. */
export interface Edit extends Span {
  text: string;
}
export const put = (from: number, to: number, text: string): Edit => ({ from, to, text });

export interface Variant {
  kind: string;
  sql: string;
}

export function applyEdits(text: SqlText, edits: readonly Edit[]): string {
  const place = (edit: Edit) => text.tokens[edit.from]?.start ?? text.tokens.at(-1)?.end ?? text.sql.length;
  let sql = "";
  let last = 0;
  for (const edit of edits.toSorted((a, b) => a.from - b.from)) {
    sql += text.sql.slice(last, place(edit)) + edit.text;
    last = edit.to > edit.from ? (text.tokens[edit.to - 1]?.end ?? last) : place(edit);
  }
  return sql + text.sql.slice(last, text.tokens.at(-1)?.end);
}

/** Every query of the statement, those in conditions too, outermost first. */
export function everyQuery(text: SqlText): QueryText[] {
  const found = [text.query];
  text.tokens.forEach((_, at) => {
    if (text.word(at) === "(" && /^(SELECT|WITH)$/.test(text.word(at + 1)))
      found.push(text.parse({ from: at + 1, to: text.close(at) }));
  });
  return found;
}

export interface Place {
  query: QueryText;
  block: BlockText;
}
export const everyBlock = (text: SqlText): Place[] =>
  everyQuery(text).flatMap((query) => query.blocks.map((block) => ({ query, block })));

export const clauseOf = (text: SqlText, span: Span | undefined): Span[] =>
  span ? text.conjuncts({ from: span.from + 1, to: span.to }) : [];

export function tableOf(catalog: Catalog, source: SourceText | undefined): Table | undefined {
  const name = (source?.table ?? "").toLowerCase();
  const last = name.split(".").at(-1);
  return (
    catalog.tables.find((table) => table.name.toLowerCase() === name) ??
    catalog.tables.find((table) => table.name.toLowerCase() === last)
  );
}

/** A column that stands as `alias.name` or `name`: where its name is, and its table. */
export function columnAt(
  text: SqlText,
  at: number,
  block: BlockText,
  catalog: Catalog,
): { table: Table; source: SourceText; column: string } | undefined {
  const token = text.tokens[at];
  if (!token || /^(STRING|NUMBER)$/.test(token.type) || /^[.(]$/.test(text.word(at + 1))) return undefined;
  const qualifier = text.word(at - 1) === "." ? text.tokens[at - 2]?.text.toLowerCase() : undefined;
  for (const source of block.sources) {
    if (qualifier !== undefined && source.alias.toLowerCase() !== qualifier) continue;
    const table = tableOf(catalog, source);
    const column = table?.columns.find((candidate) => candidate.name.toLowerCase() === token.text.toLowerCase());
    if (table && column) return { table, source, column: column.name };
  }
  return undefined;
}

/** `a.x = b.y` as a span: the places of both names. */
export function pairAt(text: SqlText, span: Span): [number, number] | undefined {
  const equals = Array.from({ length: span.to - span.from }, (_, index) => span.from + index).filter(
    (at) => text.word(at) === "=",
  );
  const sizes = [1, 3];
  const middle = equals[0];
  if (equals.length !== 1 || middle === undefined) return undefined;
  if (!sizes.includes(middle - span.from) || !sizes.includes(span.to - middle - 1)) return undefined;
  if ([middle - 1, span.to - 1].some((at) => /^(STRING|NUMBER)$/.test(text.tokens[at]?.type ?? ""))) return undefined;
  return [middle - 1, span.to - 1];
}
