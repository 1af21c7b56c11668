/** Pieces of the statement's own text: a SELECT of it, a column as written, one step alone. Pure. */
import { sliceCtes } from "../../sql/cte-slices.ts";
import { codePointOffsets, type Token, tokenize } from "../../sql/parser.ts";
import { isTree, listOf, nameOf, spansOf, toNode, unwrap } from "../../sql/tree.ts";
import { bare } from "./amend.ts";
import type { Block } from "./block.ts";
import type { TrapContext } from "./trap.ts";

export function tokensOf({ sql, dialect }: TrapContext): readonly Token[] {
  const read = tokenize(bare(sql), dialect.parser);
  return read.ok ? read.value : [];
}

/** What stands between the parentheses around a SELECT that isn't the outermost; undefined when it can't be told. */
export function textOf(context: TrapContext, block: Block): string | undefined {
  const at = codePointOffsets(context.sql);
  const spans = spansOf(block.select);
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return undefined;
  const [from, to] = [at(first.start), at(last.end)];
  const open: Token[] = [];
  let best: { start: number; end: number } | undefined;
  const tokens = tokensOf(context);
  for (const [index, token] of tokens.entries()) {
    if (token.type === "L_PAREN") open.push(tokens[index + 1] ?? token);
    if (token.type !== "R_PAREN") continue;
    const inner = open.pop();
    if (!inner || !/^select$/i.test(inner.text) || inner.start > from || token.start < to) continue;
    if (!best || inner.start > best.start) best = { start: inner.start, end: token.start };
  }
  return best ? context.sql.slice(best.start, best.end) : undefined;
}

/** Where a column reference stands, with its quotes. */
function columnPlace({ sql }: TrapContext, column: unknown): { from: number; to: number } | undefined {
  if (toNode(unwrap(column))?.kind !== "column") return undefined;
  const at = codePointOffsets(sql);
  const spans = spansOf(unwrap(column));
  const [first, last] = [spans[0], spans.at(-1)];
  if (!first || !last) return undefined;
  let [from, to] = [at(first.start), at(last.end)];
  while (/["`[]/.test(sql[from - 1] ?? "")) from -= 1;
  while (/["`\]]/.test(sql[to] ?? "")) to += 1;
  return { from, to };
}

/** A column reference as written. */
export function columnText(context: TrapContext, column: unknown): string | undefined {
  const place = columnPlace(context, column);
  return place && context.sql.slice(place.from, place.to);
}

/** `WITH …` of the statement, up to where its last SELECT begins; empty without steps. */
export function prefixOf({ sql, dialect }: TrapContext): string {
  const slices = sliceCtes(sql, dialect.parser);
  return slices.ok && slices.ctes.length > 0 ? `${sql.slice(0, slices.finalStart)} ` : "";
}

/** A statement that gives all rows of the block: itself, or the step alone. */
export function runOf(context: TrapContext, block: Block): string | undefined {
  if (block.place === "top") return bare(context.sql);
  const slices = sliceCtes(context.sql, context.dialect.parser);
  const slice = slices.ok
    ? slices.ctes.find(({ name }) => name.replace(/["`[\]]/g, "").toLowerCase() === block.name)
    : undefined;
  if (block.place === "step" && slice) return `${slice.prefix}\nSELECT * FROM ${slice.name}`;
  return undefined;
}

/** Equal for nodes that say the same in the same words. */
export const sameText = (node: unknown): string =>
  JSON.stringify(unwrap(node), (key, value) =>
    /^(span|original_name|alias_explicit_as)$|comments$/.test(key)
      ? undefined
      : key === "name" && typeof value === "string"
        ? value.toLowerCase()
        : value,
  ) ?? "";

/** Position of an expression among what a SELECT shows; -1 when it isn't shown, or a star makes positions unknown. */
export function positionOf(block: Block, term: unknown): number {
  const shown = listOf(block.select.expressions).map((expression) => {
    const node = toNode(unwrap(expression));
    return node?.kind === "alias"
      ? { inner: node.value.this, name: nameOf(node.value.alias) }
      : { inner: expression, name: undefined };
  });
  if (shown.some(({ inner }) => toNode(unwrap(inner))?.kind === "star")) return -1;
  const wanted = sameText(term);
  const exact = shown.findIndex(({ inner }) => sameText(inner) === wanted);
  if (exact >= 0) return exact;
  const node = toNode(unwrap(term));
  const name = node?.kind === "column" && isTree(node.value) ? nameOf(node.value.name)?.toLowerCase() : undefined;
  return shown.findIndex(({ inner, name: alias }) => {
    const column = toNode(unwrap(inner));
    return (
      name !== undefined &&
      (alias?.toLowerCase() === name ||
        (column?.kind === "column" && nameOf(column.value.name)?.toLowerCase() === name))
    );
  });
}

/** The statement with some of its column references written in another way; undefined when one has no place. */
export function rewriteColumns(
  context: TrapContext,
  columns: readonly unknown[],
  to: (text: string) => string,
): string | undefined {
  const places = columns.map((column) => columnPlace(context, column));
  let text = context.sql;
  for (const place of places.toSorted((a, b) => (b?.from ?? 0) - (a?.from ?? 0))) {
    if (!place) return undefined;
    text = text.slice(0, place.from) + to(context.sql.slice(place.from, place.to)) + text.slice(place.to);
  }
  return bare(text);
}
