/** Comparisons of columns with literals in one SELECT, wherever they stand. Pure. */
import type { Tree } from "../../sql/parser.ts";
import { type Origin, resolveColumn, type Scope } from "../../sql/scope.ts";
import { isTree, listOf, nameOf, toNode, unwrap } from "../../sql/tree.ts";
import { isQuery, type Literal, literalOf, originsIn, walk } from "./walk-tree.ts";

export type Operator = "=" | "<>" | "<" | "<=" | ">" | ">=" | "IN" | "NOT IN" | "LIKE" | "NOT LIKE" | "BETWEEN";

export interface Comparison {
  operator: Operator;
  literals: Literal[];
  /** Stored columns on the other side. */
  origins: Origin[];
  /** The other side is the column itself, without a function around it. */
  plain: boolean;
  /** In WHERE or ON, joined by AND only: what doesn't fit is not in the result. */
  binding: boolean;
  clause: "where" | "on" | "having" | "case";
}

const signs: Record<string, Operator> = {
  eq: "=",
  neq: "<>",
  lt: "<",
  lte: "<=",
  gt: ">",
  gte: ">=",
  like: "LIKE",
  i_like: "LIKE",
};
const turned: Partial<Record<Operator, Operator>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };
const negations: Partial<Record<Operator, Operator>> = { "=": "<>", "<>": "=", IN: "NOT IN", LIKE: "NOT LIKE" };

export function readComparisons(select: Tree, scope: Scope): Comparison[] {
  const found: Comparison[] = [];
  const clauses: [unknown, Comparison["clause"]][] = [
    [isTree(select.where_clause) ? select.where_clause.this : undefined, "where"],
    ...listOf(select.joins).map((join): [unknown, "on"] => [isTree(join) ? join.on : undefined, "on"]),
    [isTree(select.having) ? select.having.this : undefined, "having"],
    [select.expressions, "case"],
    [select.order_by, "case"],
  ];
  for (const [tree, clause] of clauses) read(tree, clause, clause === "where" || clause === "on", scope, found);
  return found;
}

function read(value: unknown, clause: Comparison["clause"], binding: boolean, scope: Scope, found: Comparison[]): void {
  let negated = false;
  const inner = unwrap(value);
  const top = toNode(inner);
  if (top?.kind === "and") {
    read(top.value.left, clause, binding, scope, found);
    read(top.value.right, clause, binding, scope, found);
    return;
  }
  const add = (operator: Operator, side: unknown, literals: (Literal | undefined)[], bound: boolean) => {
    const known = literals.filter((literal) => literal !== undefined);
    if (known.length === 0) return;
    const origins = originsIn(side, scope);
    const plain = toNode(unwrap(side))?.kind === "column" && resolveColumn(side, scope) !== undefined;
    const shown = negated ? (negations[operator] ?? operator) : operator;
    found.push({ operator: shown, literals: known, origins, plain, binding: bound, clause });
  };
  walk(inner, (node, tree) => {
    const bound = binding && (tree === inner || negated);
    if (isQuery(node)) return false;
    if (node.kind === "not") negated = !negated;
    const operator = signs[node.kind];
    if (operator) {
      const [left, right] = [node.value.left ?? node.value.this, node.value.right ?? node.value.pattern];
      const [a, b] = [literalOf(left, scope), literalOf(right, scope)];
      const lowered = (side: unknown) => literalIn(side, scope);
      if (!a && (b ?? lowered(right))) add(operator, left, [b ?? lowered(right)], bound);
      else if (!b && (a ?? lowered(left))) add(turned[operator] ?? operator, right, [a ?? lowered(left)], bound);
    } else if (node.kind === "between") {
      const literals = [literalIn(node.value.low, scope), literalIn(node.value.high, scope)];
      if (literals.every((literal) => literal))
        add("BETWEEN", node.value.this, literals, bound && node.value.not !== true);
    } else if (node.kind === "in" && !node.value.query) {
      const items = listOf(node.value.expressions).map((item) => literalOf(item, scope));
      add(node.value.not === true ? "NOT IN" : "IN", node.value.this, items, bound);
    } else if (node.kind === "case" && node.value.operand) {
      for (const when of listOf(node.value.whens))
        add("=", node.value.operand, [literalOf(listOf(when)[0], scope)], false);
    }
    return undefined;
  });
}

/** A literal, also inside LOWER, UPPER, TRIM, DATE or a conversion. */
function literalIn(value: unknown, scope: Scope): Literal | undefined {
  const own = literalOf(value, scope);
  if (own) return own;
  const node = toNode(unwrap(value));
  if (!node) return undefined;
  if (/^(lower|upper|trim|cast|date|timestamp)$/.test(node.kind)) return literalOf(node.value.this, scope);
  const called = node.kind === "function" ? listOf(node.value.args) : [];
  if (called.length === 1 && /^(date|datetime|lower|upper|trim)$/i.test(nameOf(node.value) ?? "")) {
    const literal = literalOf(called[0], scope);
    return literal && /^now$/i.test(literal.text) ? undefined : literal;
  }
  return undefined;
}
