/** What a statement does, in the terms questions are asked in: counts, extremes, negations, quotients, dates. Pure. */
import type { Catalog } from "../../protocol/index.ts";
import { fold, type Origin } from "../../sql/scope.ts";
import { isTree, listOf, nameOf, toNode, unwrap } from "../../sql/tree.ts";
import { columnOf } from "./check-subject.ts";
import type { QueryView } from "./query-view.ts";
import { findAggregates, keyOf, originsIn, walk } from "./walk-tree.ts";

export interface StatementTraits {
  counts: boolean;
  sums: boolean;
  aggregates: boolean;
  /** MIN, MAX, a limit on an order, a rank. */
  extreme: boolean;
  /** Directions of the orders that a limit cuts, with the columns that decide. */
  ranked: { descending: boolean; origins: Origin[] }[];
  groups: boolean;
  distinct: boolean;
  negates: boolean;
  quotients: number;
  arithmetic: boolean;
  /** The present moment is read. */
  now: boolean;
  /** A date, a year or a part of one is looked at. */
  dates: boolean;
  texts: string[];
  numbers: number[];
  /** `table.column`, folded, of every stored column that is read. */
  columns: Set<string>;
  /** Names of columns and tables, as they stand in the statement and as the catalog has them. */
  names: Set<string>;
}

const dateName = /date|time|year|month|day|quarter|week|since|period|_at$|^at$|born|birth/i;

export function toTraits(query: QueryView, catalog: Catalog): StatementTraits {
  const traits: StatementTraits = {
    counts: false,
    sums: false,
    aggregates: false,
    extreme: false,
    ranked: [],
    groups: false,
    distinct: false,
    negates: false,
    quotients: 0,
    arithmetic: false,
    now: false,
    dates: false,
    texts: [],
    numbers: [],
    columns: new Set(),
    names: new Set(),
  };
  walk(query.root, (node) => {
    const { kind, value } = node;
    if (kind === "count" || kind === "approx_distinct") traits.counts = true;
    if (kind === "sum" || kind === "avg" || kind === "total") traits.sums = true;
    if (kind === "min" || kind === "max" || kind === "all") traits.extreme = true;
    if (kind === "window_function") traits.extreme = traits.groups = true;
    if (kind === "neq" || kind === "not" || kind === "except" || kind === "is_null") traits.negates = true;
    if (kind === "div" || kind === "int_div" || kind === "avg") traits.quotients += 1;
    if (/^(add|sub|mul|div|mod)$/.test(kind)) traits.arithmetic = true;
    if (/^(union|intersect|except)$/.test(kind)) traits.distinct = true;
    if (kind === "literal" && value.literal_type === "number") traits.numbers.push(Number(value.value));
    else if (kind === "literal") traits.texts.push(String(value.value));
    if (/^(current_|localtime|extract|date|timestamp|year$|month$|day$|interval)/.test(kind)) traits.dates = true;
    if (/^(current_|localtime)/.test(kind)) traits.now = true;
    if (kind === "function") {
      const name = fold(nameOf(value) ?? "");
      if (/now|current|today|getdate|sysdate|^age$/.test(name)) traits.now = true;
      if (/date|time|year|month|day|now|age$/.test(name)) traits.dates = true;
      if (/rank|row_number/.test(name)) traits.extreme = true;
      if (name === "total" || name === "sum") traits.sums = true;
    }
    if (kind === "column" && isTree(value.name) && value.name.quoted === true) traits.texts.push(nameOf(value) ?? "");
    if (kind === "column") traits.names.add(nameOf(value) ?? "");
    if (kind === "count" && value.distinct === true) traits.distinct = true;
    return undefined;
  });
  if (traits.texts.some((text) => /^now$/i.test(text))) traits.now = true;
  for (const select of query.selects) {
    const { tree } = select;
    if (select.aggregated) traits.aggregates = true;
    if (select.grouped.length > 0) traits.groups = true;
    if (tree.distinct === true || select.grouped.length > 0 || listOf(tree.distinct_on).length > 0)
      traits.distinct = true;
    if (select.role === "value" && select.scope.outer) traits.groups = true;
    if (select.comparisons.some(({ operator }) => operator === "<>" || operator.startsWith("NOT")))
      traits.negates = true;
    if (select.joins.some((join) => join.kind === "ANTI")) traits.negates = true;
    for (const source of select.scope.sources) if (source.table) traits.names.add(source.table);
    for (const origin of originsIn(Object.values(tree), select.scope)) traits.columns.add(keyOf(origin));
    for (const output of select.outputs) for (const origin of output.origins) traits.columns.add(keyOf(origin));
    for (const join of select.joins)
      for (const pair of join.pairs) for (const side of [pair.left, pair.right]) traits.columns.add(keyOf(side));
    const orders = isTree(tree.order_by) ? listOf(tree.order_by.expressions) : [];
    const [order] = orders;
    const cut = isTree(tree.limit) || isTree(tree.fetch) || isTree(tree.top);
    if (cut) traits.extreme = true;
    if (cut && isTree(order)) {
      const key = toNode(unwrap(order.this));
      const alias = key?.kind === "column" ? select.scope.aliases.get(fold(nameOf(key.value.name) ?? "")) : undefined;
      traits.ranked.push({
        descending: order.desc === true,
        origins: originsIn(alias ?? order.this, select.scope),
      });
    }
  }
  if (isCut(query.root)) traits.extreme = true;
  for (const key of traits.columns) {
    const [column = ""] = key.split(".").slice(-1);
    const table = key.slice(0, key.length - column.length - 1);
    const found = columnOf(catalog, { table, column });
    if (found) traits.names.add(found.name);
    if (found && (found.kind === "date" || found.dateFormat !== undefined || dateName.test(found.name)))
      traits.dates = true;
  }
  if (findAggregates(query.root).length > 0) traits.aggregates = true;
  return traits;
}

/** A limit on a whole set operation. */
function isCut(root: unknown): boolean {
  const node = toNode(unwrap(root));
  return node !== undefined && (isTree(node.value.limit) || isTree(node.value.fetch));
}
