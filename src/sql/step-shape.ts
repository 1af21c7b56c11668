/**
 * What a step is made of: what it reads, what it groups or cuts, and pieces of its own text that can be counted to say
 * where its rows went. Pieces are cut from the original text; where that isn't simple they are missing.
 */
import type { Token, Tree } from "./parser.ts";
import { parseStatements, tokenize, unquote } from "./parser.ts";
import { isTree, listOf, nameOf, toNode, unwrap } from "./tree.ts";

export interface StepShape {
  /** Names read in FROM and JOIN of the step itself, unquoted, in order, each once; subqueries are not looked into. */
  inputs: string[];
  /** Names read anywhere in it. */
  readsAll: string[];
  grouped: boolean;
  /** An aggregate without GROUP BY: all rows become one. */
  aggregated: boolean;
  distinct: boolean;
  filtered: boolean;
  having: boolean;
  setOperation: boolean;
  /** Types of its joins, e.g. `Inner`, `Left`. */
  joins: string[];
  limit?: number;
  /** `FROM … WHERE …` without grouping, order and limit. */
  from?: string;
  /** The step without HAVING, ORDER BY and LIMIT. */
  ungated?: string;
  /** The step without ORDER BY and LIMIT. */
  unlimited?: string;
}

/** The parser's names of the nodes that fold rows. */
export const aggregateKinds: ReadonlySet<string> = new Set([
  "count",
  "sum",
  "avg",
  "min",
  "max",
  "group_concat",
  "string_agg",
  "total",
  "median",
  "stddev",
  "variance",
  "array_agg",
  "json_group_array",
]);

export function toStepShape(body: string, dialect = "sqlite"): StepShape {
  const shape: StepShape = {
    inputs: [],
    readsAll: [],
    grouped: false,
    aggregated: false,
    distinct: false,
    filtered: false,
    having: false,
    setOperation: false,
    joins: [],
  };
  const parsed = parseStatements(body, dialect);
  const root = parsed.ok && parsed.value.length === 1 ? toNode(unwrap(parsed.value[0])) : undefined;
  if (!root) return shape;
  collectTables(root.value, shape.readsAll);
  if (root.kind !== "select") {
    shape.setOperation = root.kind === "union" || root.kind === "except" || root.kind === "intersect";
    shape.distinct = root.kind === "union" && root.value.all !== true;
    shape.inputs = [...shape.readsAll];
    return shape;
  }
  const select = root.value;
  const from = isTree(select.from) ? listOf(select.from.expressions) : [];
  const joins = listOf(select.joins).filter(isTree);
  for (const source of [...from, ...joins.map((join) => join.this)]) collectDirect(source, shape.inputs);
  shape.joins = [...from.slice(1).map(() => "Implicit"), ...joins.map((join) => String(join.kind))];
  shape.grouped = isTree(select.group_by);
  shape.distinct = select.distinct === true;
  shape.filtered = isTree(select.where_clause);
  shape.having = isTree(select.having);
  shape.aggregated = !shape.grouped && listOf(select.expressions).some(hasAggregate);
  const limit = isTree(select.limit) ? toNode(unwrap(select.limit.this)) : undefined;
  if (limit?.kind === "literal") shape.limit = Number(limit.value.value);
  if (isTree(select.with) || select.qualify) return shape;
  Object.assign(shape, cutPieces(body, dialect));
  return shape;
}

/** `LIMIT n`, or `FETCH FIRST n ROWS ONLY`, as the last tokens: where it begins and its number. */
function lastLimit(tokens: readonly Token[]): { at: number; limit: number } | undefined {
  const plain = tokens.map((token) =>
    token.type === "STRING" || token.type === "QUOTED_IDENTIFIER" ? "" : token.text,
  );
  const found =
    /(?:^| )(limit (\d+)|fetch (?:first|next) (\d+) rows? only)$/i.exec(plain.slice(-5).join(" ")) ?? undefined;
  return found && { at: tokens.length - (found[1] ?? "").split(" ").length, limit: Number(found[2] ?? found[3]) };
}

/** A LIMIT at the very end of a statement: the text before it and what decides the order. */
export function toLimitEnd(
  sql: string,
  dialect = "sqlite",
): { before: string; limit: number; orderBy: string } | undefined {
  const tokenized = tokenize(sql, dialect);
  if (!tokenized.ok) return undefined;
  const tokens = tokenized.value.filter((token) => token.type !== "SEMICOLON");
  const last = lastLimit(tokens);
  const word = last && tokens[last.at];
  if (!last || !word) return undefined;
  const order = lastAtTop(tokens, "ORDER");
  const first = order === undefined ? undefined : tokens[order + 2];
  if (order === undefined || !first) return undefined;
  // The first key decides: up to a comma, a direction or the limit.
  let end = order + 2;
  while (
    end + 1 < last.at &&
    !/^(asc|desc|nulls|collate)$/i.test(tokens[end + 1]?.text ?? "") &&
    tokens[end + 1]?.type !== "COMMA"
  )
    end += 1;
  return {
    before: sql.slice(0, word.start),
    limit: last.limit,
    orderBy: sql.slice(first.start, tokens[end]?.end ?? first.end),
  };
}

function lastAtTop(tokens: readonly Token[], word: string): number | undefined {
  let depth = 0;
  let found: number | undefined;
  tokens.forEach((token, index) => {
    if (token.type === "L_PAREN") depth += 1;
    else if (token.type === "R_PAREN") depth -= 1;
    else if (
      depth === 0 &&
      token.type !== "STRING" &&
      token.type !== "QUOTED_IDENTIFIER" &&
      token.text.toUpperCase() === word
    )
      found = index;
  });
  return found;
}

function cutPieces(body: string, dialect: string): Partial<StepShape> {
  const tokenized = tokenize(body, dialect);
  if (!tokenized.ok) return {};
  const tokens = tokenized.value;
  const starts: Record<string, number> = {};
  let depth = 0;
  let previous = "";
  for (const token of tokens) {
    if (token.type === "L_PAREN") depth += 1;
    else if (token.type === "R_PAREN") depth -= 1;
    const plain = token.type !== "STRING" && token.type !== "QUOTED_IDENTIFIER";
    const text = plain ? token.text.toLowerCase() : "";
    // `IS DISTINCT FROM` is no FROM.
    if (
      depth === 0 &&
      /^(from|group|having|window|order|limit|offset)$/.test(text) &&
      !(text === "from" && previous === "distinct")
    )
      starts[text] ??= token.start;
    previous = text;
  }
  const from = starts.from;
  if (from === undefined) return {};
  const end = tokens.at(-1)?.type === "SEMICOLON" ? (tokens.at(-1)?.start ?? body.length) : body.length;
  const before = (...words: string[]) => Math.min(...words.map((word) => starts[word] ?? end), end);
  return {
    from: body.slice(from, before("group", "having", "window", "order", "limit", "offset")),
    ungated: body.slice(0, before("having", "window", "order", "limit", "offset")),
    unlimited: body.slice(0, before("order", "limit", "offset")),
  };
}

function collectDirect(value: unknown, names: string[]): void {
  const node = toNode(unwrap(value));
  if (node?.kind === "table") addName(node.value, names);
  else if (node?.kind === "joined_table") {
    collectDirect(node.value.left, names);
    for (const join of listOf(node.value.joins)) if (isTree(join)) collectDirect(join.this, names);
  } else if (node?.kind === "subquery") {
    const inner = toNode(unwrap(node.value.this));
    if (inner) collectTables(inner.value, names);
  }
}

function collectTables(value: unknown, names: string[]): void {
  if (Array.isArray(value)) for (const item of value) collectTables(item, names);
  else if (isTree(value)) {
    const table = value.table;
    if (isTree(table) && isTree(table.name) && "schema" in table) addName(table, names);
    for (const child of Object.values(value)) if (typeof child === "object") collectTables(child, names);
  }
}

/** As a catalog names it: with its schema, except for SQLite's only one. */
function addName(table: Tree, names: string[]): void {
  const own = unquote(nameOf(table.name) ?? "");
  const schema = nameOf(table.schema);
  const name = own === "" || schema === undefined || schema === "main" ? own : `${unquote(schema)}.${own}`;
  if (name !== "" && !names.some((known) => known.toLowerCase() === name.toLowerCase())) names.push(name);
}

export function hasAggregate(expression: unknown): boolean {
  if (Array.isArray(expression)) return expression.some(hasAggregate);
  if (!isTree(expression)) return false;
  const node = toNode(expression);
  if (node?.kind === "window_function" || node?.kind === "subquery" || node?.kind === "select") return false;
  if (node && aggregateKinds.has(node.kind))
    return !(
      (node.kind === "min" || node.kind === "max") &&
      Array.isArray(node.value.expressions) &&
      node.value.expressions.length > 0
    );
  return Object.values(expression).some((child) => typeof child === "object" && hasAggregate(child));
}
