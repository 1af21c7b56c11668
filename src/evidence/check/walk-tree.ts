/** Looking through the parser's trees for what a check needs. Pure. */
import type { Tree } from "../../sql/parser.ts";
import { fold, type Origin, resolveColumn, type Scope } from "../../sql/scope.ts";
import { aggregateKinds } from "../../sql/step-shape.ts";
import { isTree, listOf, type Node, nameOf, toNode, unwrap } from "../../sql/tree.ts";

/** Visits every node below a value, outermost first; `false` keeps it from going in. */
export function walk(value: unknown, visit: (node: Node, tree: Tree) => boolean | undefined): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit);
  else if (isTree(value)) {
    const node = toNode(value);
    if (node && visit(node, value) === false) return;
    for (const child of Object.values(value)) if (typeof child === "object") walk(child, visit);
  }
}

export const isQuery = (node: Node): boolean =>
  node.kind === "select" || node.kind === "union" || node.kind === "intersect" || node.kind === "except";

/** Nodes of some kinds, without those of queries inside. */
export function findNodes(value: unknown, kinds: ReadonlySet<string> | string, inside = false): Node[] {
  const found: Node[] = [];
  const wanted = typeof kinds === "string" ? new Set([kinds]) : kinds;
  walk(value, (node) => {
    if (!inside && isQuery(node)) return false;
    if (wanted.has(node.kind)) found.push(node);
    return undefined;
  });
  return found;
}

/** Aggregates over groups, not over windows. MIN and MAX of several values are no aggregates. */
export function findAggregates(value: unknown): Node[] {
  const found: Node[] = [];
  walk(value, (node) => {
    if (isQuery(node) || node.kind === "window_function") return false;
    const many = listOf(node.value.expressions).length > 0 && (node.kind === "min" || node.kind === "max");
    if (aggregateKinds.has(node.kind) && !many) found.push(node);
    if (node.kind === "function" && /^(total|median|stddev\w*|var\w*|percentile\w*)$/i.test(String(node.value.name)))
      found.push(node);
    return undefined;
  });
  return found;
}

/** Stored columns that an expression reads, without those of queries inside. */
export function originsIn(value: unknown, scope: Scope): Origin[] {
  const found: Origin[] = [];
  walk(value, (node, tree) => {
    if (isQuery(node)) return false;
    if (node.kind === "column") found.push(...(resolveColumn(tree, scope)?.origins ?? []));
    return undefined;
  });
  return found;
}

export interface Literal {
  text: string;
  number: boolean;
}

/** A text or number as written. SQLite takes `"x"` for a text when no column is called so. */
export function literalOf(value: unknown, scope: Scope): Literal | undefined {
  const node = toNode(unwrap(value));
  if (node?.kind === "literal") {
    const type = String(node.value.literal_type);
    return { text: String(node.value.value), number: type === "number" };
  }
  if (node?.kind === "neg") {
    const inner = literalOf(node.value.this, scope);
    return inner?.number ? { text: `-${inner.text}`, number: true } : undefined;
  }
  const name = node?.kind === "column" ? node.value.name : undefined;
  if (node && isTree(name) && name.quoted === true && !node.value.table && !resolveColumn(value, scope))
    return { text: nameOf(name) ?? "", number: false };
  return undefined;
}

export const isNull = (value: unknown): boolean => {
  const inner = unwrap(value);
  return isTree(inner) && "null" in inner;
};

/** `table.column`, folded. */
export const keyOf = (origin: { table: string; column: string }): string =>
  `${fold(origin.table)}.${fold(origin.column)}`;
