/** Fills a block with its aggregates, groups and orders, and notes in which role each stored column stands. */
import { outputOf, resolveColumn } from "../../sql/scope.ts";
import { isTree, listOf, nameOf, toNode, unwrap } from "../../sql/tree.ts";
import type { Aggregate, Block, Role, Side } from "./block.ts";
import type { BlockReader, Visit } from "./statement-blocks.ts";

const aggregateNames = new Set("count sum avg min max total group_concat string_agg median stddev variance".split(" "));
const queries = new Set(["select", "union", "intersect", "except"]);

/** Name of the aggregate that a node calls. */
function aggregateOf(kind: string, value: { [key: string]: unknown }): string | undefined {
  if ((kind === "min" || kind === "max") && listOf(value.expressions).length > 0) return undefined;
  if (aggregateNames.has(kind)) return kind;
  if (kind !== "function" && kind !== "aggregate_function") return undefined;
  const name = nameOf(value.name)?.toLowerCase();
  return name !== undefined && aggregateNames.has(name) ? name : undefined;
}

export function collectUses(block: Block, reader: BlockReader, visit: Visit): void {
  const { select } = block;
  const top = block.place === "top";
  const expressions = listOf(select.expressions);
  const nested = (query: unknown, role: Role | undefined) => {
    const output = reader.query(query, { steps: visit.steps, place: "nested", outer: block });
    if (role === "condition") for (const { origins } of output) for (const origin of origins) note(origin, "join");
  };
  const note = (origin: { table: string; column: string }, role: Role) => {
    const key = `${origin.table.toLowerCase()}.${origin.column}`;
    const roles = reader.statement.uses.get(key) ?? new Set();
    reader.statement.uses.set(key, roles.add(role));
  };
  const walk = (value: unknown, role: Role | undefined, window = false): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, role);
    if (!isTree(value)) return;
    const node = toNode(value);
    if (!node) {
      for (const child of Object.values(value)) walk(child, role);
      return;
    }
    const { kind, value: content } = node;
    const name = aggregateOf(kind, content);
    if (queries.has(kind)) nested(value, role);
    else if (kind === "column") {
      if (role) for (const origin of resolveColumn(value, block.scope)?.origins ?? []) note(origin, role);
    } else if (kind === "star") {
      if (top)
        for (const { origins } of outputOf([value], block.scope)) for (const each of origins) note(each, "output");
    } else if (kind === "window_function") {
      walk(content.this, role, true);
      if (isTree(content.over)) {
        walk(content.over.partition_by, "group");
        walk(content.over.order_by, "order");
      }
    } else if (kind === "case") {
      walk(content.operand, "condition");
      for (const when of listOf(content.whens)) {
        walk(listOf(when)[0], "condition");
        walk(listOf(when)[1], role);
      }
      walk(content.else_, role);
    } else if (name !== undefined) {
      const argument = content.this ?? listOf(content.args)[0];
      block.aggregates.push({
        name: name === "total" ? "sum" : name,
        argument,
        distinct: content.distinct === true,
        star: content.star === true || toNode(unwrap(argument))?.kind === "star",
        window,
        node: value,
        columns: valueColumns(argument, block, reader),
      } satisfies Aggregate);
      walk(argument, toNode(unwrap(argument))?.kind === "star" ? undefined : "measure");
      walk(content.filter, "condition");
    } else for (const child of Object.values(content)) walk(child, role);
  };
  for (const expression of expressions) walk(expression, top ? "output" : undefined);
  for (const pair of block.pairs)
    for (const { table, column } of [pair.left, pair.right])
      if (table && column) note({ table: table.name, column: column.name.toLowerCase() }, "join");
  walk(block.conditions, "condition");
  for (const term of isTree(select.group_by) ? listOf(select.group_by.expressions) : [])
    block.groups.push(replaced(term, block, true));
  walk(block.groups, "group");
  for (const item of isTree(select.order_by) ? listOf(select.order_by.expressions) : [])
    if (isTree(item)) block.orders.push({ term: replaced(item.this, block, false), descending: item.desc === true });
  walk(
    block.orders.map(({ term }) => term),
    "order",
  );
}

/** A position or an output's name → the expression. */
function replaced(term: unknown, block: Block, columnsFirst: boolean): unknown {
  const node = toNode(unwrap(term));
  if (node?.kind === "literal" && node.value.literal_type === "number") {
    const expression = listOf(block.select.expressions)[Number(node.value.value) - 1];
    const chosen = toNode(unwrap(expression));
    return chosen?.kind === "alias" ? chosen.value.this : (expression ?? term);
  }
  if (node?.kind !== "column" || node.value.table) return term;
  if (columnsFirst && resolveColumn(term, { ...block.scope, aliases: new Map() })?.inner) return term;
  return block.scope.aliases.get((nameOf(node.value.name) ?? "").toLowerCase()) ?? term;
}

/** Columns whose values an expression gives: in CASE those of its branches. */
export function valueColumns(value: unknown, block: Block, reader: Pick<BlockReader, "side">): Side[] {
  if (Array.isArray(value)) return value.flatMap((item) => valueColumns(item, block, reader));
  if (!isTree(value)) return [];
  const node = toNode(value);
  if (node && queries.has(node.kind)) return [];
  if (node?.kind === "column") {
    const found = resolveColumn(value, block.scope);
    return found ? [reader.side(found.source, found.origins)] : [];
  }
  if (node?.kind === "case")
    return [...listOf(node.value.whens).map((when) => listOf(when)[1]), node.value.else_].flatMap((item) =>
      valueColumns(item, block, reader),
    );
  return Object.values(value).flatMap((child) => (typeof child === "object" ? valueColumns(child, block, reader) : []));
}
