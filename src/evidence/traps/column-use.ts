/** How a statement uses a stored column, and what stands where in a block. Pure. */
import type { Column, Table } from "../../protocol/index.ts";
import { resolveColumn } from "../../sql/scope.ts";
import { isTree, toNode } from "../../sql/tree.ts";
import type { Aggregate, Block, Pair, Role, Side, Statement } from "./block.ts";

/** In one of the roles, or in any when none is given. */
export function isUsed(statement: Statement, table: Table, column: Column, ...roles: Role[]): boolean {
  const used = statement.uses.get(`${table.name.toLowerCase()}.${column.name.toLowerCase()}`);
  return used !== undefined && (roles.length === 0 || roles.some((role) => used.has(role)));
}

/** Tables that the statement reads, each once, with a block that does. */
export function tablesOf(statement: Statement): { table: Table; block: Block; alias: string }[] {
  const seen = new Set<Table>();
  return statement.blocks.flatMap((block) =>
    block.tables.flatMap(({ table, alias }) => {
      if (seen.has(table)) return [];
      seen.add(table);
      return [{ table, block, alias }];
    }),
  );
}

/** The other side of every pair that the alias stands in, with its own column first. */
export function pairsOf(block: Block, alias: string): { own: Side; other: Side; pair: Pair }[] {
  return block.pairs.flatMap((pair) => {
    if (pair.left.alias === alias) return [{ own: pair.left, other: pair.right, pair }];
    return pair.right.alias === alias ? [{ own: pair.right, other: pair.left, pair }] : [];
  });
}

/** Names of its columns by which an alias is joined to what stands beside it. */
export function joinColumns(block: Block, alias: string): string[] {
  return [...new Set(pairsOf(block, alias).flatMap(({ own }) => (own.column ? [own.column.name] : [])))];
}

/** Aggregates that a repeated row changes. */
export function additive(block: Block): Aggregate[] {
  return block.aggregates.filter(
    (aggregate) => !aggregate.distinct && /^(sum|avg|count|median|stddev|variance)$/.test(aggregate.name),
  );
}

/** Every node below that `wanted` takes, without going into queries. */
export function nodesIn(
  value: unknown,
  wanted: (kind: string) => boolean,
): { kind: string; value: { [key: string]: unknown } }[] {
  if (Array.isArray(value)) return value.flatMap((item) => nodesIn(item, wanted));
  if (!isTree(value)) return [];
  const node = toNode(value);
  if (node && /^(select|union|intersect|except)$/.test(node.kind)) return [];
  const own = node && wanted(node.kind) ? [node] : [];
  return [
    ...own,
    ...Object.values(value).flatMap((child) => (typeof child === "object" ? nodesIn(child, wanted) : [])),
  ];
}

/** Stored columns below a node, as the block sees them. */
export function columnsIn(value: unknown, block: Block): { table: string; alias: string; column: string }[] {
  return nodesIn(value, (kind) => kind === "column").flatMap(
    ({ value: content }) => resolveColumn({ column: content }, block.scope)?.origins ?? [],
  );
}

export function findColumn(table: Table, name: string): Column | undefined {
  return table.columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
}
