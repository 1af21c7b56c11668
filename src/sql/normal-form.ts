/**
 * One spelling for conditions that say the same: columns by their table, sides and lists in one order, `NOT x IN` as
 * `x NOT IN`, one-value lists as `=`, alternatives of one column as a list. Two conditions are the same when their
 * normal forms are equal texts; the form itself is never shown and never run.
 */
import { fold, type Origin, resolveColumn, type Scope } from "./scope.ts";
import { conjunctsOf, isTree, listOf, nameOf, toNode, unwrap } from "./tree.ts";

export interface NormalContext {
  scope: Scope;
  /** Stands for the table of an origin: its name, with its alias where a table plays two roles. */
  tableKey(origin: Origin): string;
  /** Normal form of a query nested in a condition; `rows` when only its rows count, not how often each is there. */
  query(query: unknown, outer: Scope, use: "values" | "rows" | "exists"): string;
}

const cosmetic =
  /comments$|^(span|quoted|original_name|alias_explicit_as|join_mark|trailing_commas|use_inner_keyword|use_outer_keyword|deferred_condition|nesting_group|alias_first)$/;
const opposites: Record<string, string> = { eq: "neq", neq: "eq", lt: "gte", gte: "lt", gt: "lte", lte: "gt" };

export function toNormalForm(value: unknown, context: NormalContext): string {
  const inner = unwrap(value);
  const node = toNode(inner);
  if (!node) return plain(inner, context);
  const { kind, value: content } = node;
  const form = (child: unknown) => toNormalForm(child, context);
  switch (kind) {
    case "column":
      return columnForm(inner, context);
    case "literal":
      return literalForm(content);
    case "neg": {
      const number = toNode(unwrap(content.this));
      if (number?.kind === "literal" && number.value.literal_type === "number")
        return `#${-Number(number.value.value)}`;
      return `neg(${form(content.this)})`;
    }
    case "and":
      return `and(${conjunctsOf(inner).map(form).sort().join(",")})`;
    case "between":
      if (content.not === true) return `not between(${form(content.this)},${form(content.low)},${form(content.high)})`;
      return `and(${conjunctsOf(inner).map(form).sort().join(",")})`;
    case "or":
      return alternativesForm(inner, context);
    case "eq":
    case "neq":
    case "null_safe_eq":
    case "null_safe_neq":
      return `${kind}(${[form(content.left), form(content.right)].sort().join(",")})`;
    case "gt":
      return `lt(${form(content.right)},${form(content.left)})`;
    case "gte":
      return `lte(${form(content.right)},${form(content.left)})`;
    case "lt":
    case "lte":
      return `${kind}(${form(content.left)},${form(content.right)})`;
    case "in":
      return inForm(content, content.not === true, context);
    case "not":
      return negatedForm(content.this, context);
    case "exists":
      return `${content.not === true ? "not " : ""}exists(${context.query(content.this, context.scope, "exists")})`;
    case "is_null":
      return `is${content.not === true ? " not" : ""} null(${form(content.this)})`;
    case "subquery":
      return form(content.this);
    case "select":
    case "union":
    case "intersect":
    case "except":
      return context.query(inner, context.scope, "values");
    default:
      return `${kind}(${plain(content, context)})`;
  }
}

function columnForm(column: unknown, context: NormalContext): string {
  const node = toNode(column);
  const name = fold(nameOf(node?.value.name) ?? "");
  const resolved = resolveColumn(column, context.scope);
  // A step's sum is the sum, wherever it is compared.
  if (resolved?.form) return resolved.form();
  const origin = resolved?.origins[0];
  if (origin) return `${context.tableKey(origin)}.${origin.column}`;
  if (!resolved) {
    const alias = context.scope.aliases.get(name);
    const inner = alias === undefined ? undefined : toNode(unwrap(alias));
    // `SELECT x AS x`: the alias is the column itself.
    if (inner && !(inner.kind === "column" && fold(nameOf(inner.value.name) ?? "") === name)) {
      return toNormalForm(alias, { ...context, scope: { ...context.scope, aliases: new Map() } });
    }
  }
  return `?.${name}`;
}

function literalForm(content: { [key: string]: unknown }): string {
  const text = String(content.value);
  if (content.literal_type !== "number") return `'${text.replaceAll("'", "''")}'`;
  const number = Number(text);
  return Number.isSafeInteger(number) || text.length < 16 ? `#${number}` : `#${text}`;
}

function inForm(content: { [key: string]: unknown }, negated: boolean, context: NormalContext): string {
  const subject = toNormalForm(content.this, context);
  const query = content.query;
  if (query) return `${negated ? "not " : ""}in(${subject},${context.query(query, context.scope, "rows")})`;
  const values = [...new Set(listOf(content.expressions).map((item) => toNormalForm(item, context)))].sort();
  if (values.length === 1) return `${negated ? "neq" : "eq"}(${[subject, values[0]].sort().join(",")})`;
  return `${negated ? "not " : ""}in(${subject},[${values.join(",")}])`;
}

/** `a = 1 OR a = 2` is `a IN (1, 2)`. */
function alternativesForm(value: unknown, context: NormalContext): string {
  const branches: unknown[] = [];
  const collect = (item: unknown) => {
    const node = toNode(unwrap(item));
    if (node?.kind === "or") {
      collect(node.value.left);
      collect(node.value.right);
    } else branches.push(unwrap(item));
  };
  collect(value);
  let subject: string | undefined;
  const values = new Set<string>();
  const single = branches.every((branch) => {
    const node = toNode(branch);
    if (node?.kind !== "eq" && !(node?.kind === "in" && !node.value.query && node.value.not !== true)) return false;
    const sides =
      node.kind === "eq" ? [node.value.left, node.value.right] : [node.value.this, ...listOf(node.value.expressions)];
    const column = sides.find((side) => toNode(unwrap(side))?.kind === "column");
    const rest = sides.filter((side) => side !== column);
    if (column === undefined || rest.some((side) => toNode(unwrap(side))?.kind !== "literal")) return false;
    const form = toNormalForm(column, context);
    subject ??= form;
    for (const side of rest) values.add(toNormalForm(side, context));
    return subject === form;
  });
  if (single && subject !== undefined) {
    const sorted = [...values].sort();
    return sorted.length === 1
      ? `eq(${[subject, sorted[0]].sort().join(",")})`
      : `in(${subject},[${sorted.join(",")}])`;
  }
  return `or(${branches
    .map((branch) => toNormalForm(branch, context))
    .sort()
    .join(",")})`;
}

function negatedForm(value: unknown, context: NormalContext): string {
  const inner = unwrap(value);
  const node = toNode(inner);
  if (!node) return `not(${toNormalForm(inner, context)})`;
  const opposite = opposites[node.kind];
  if (opposite) return toNormalForm({ [opposite]: node.value }, context);
  if (node.kind === "in") return inForm(node.value, node.value.not !== true, context);
  if (node.kind === "exists" || node.kind === "is_null" || (node.kind === "between" && node.value.not !== true)) {
    return toNormalForm({ [node.kind]: { ...node.value, not: node.value.not !== true } }, context);
  }
  if (node.kind === "not") return toNormalForm(node.value.this, context);
  return `not(${toNormalForm(inner, context)})`;
}

/** Anything without a rule of its own: its properties in order, without what only says how it was written. */
function plain(value: unknown, context: NormalContext): string {
  if (Array.isArray(value)) return `[${value.map((item) => toNormalForm(item, context)).join(",")}]`;
  if (!isTree(value)) return typeof value === "string" ? fold(value) : String(value);
  const parts: string[] = [];
  for (const key of Object.keys(value).sort()) {
    const child = value[key];
    if (cosmetic.test(key) || child === null || child === false || (Array.isArray(child) && child.length === 0))
      continue;
    parts.push(`${key}:${toNormalForm(child, context)}`);
  }
  return parts.join(";");
}
