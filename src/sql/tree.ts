/** Walking the parser's trees: each node is an object with one key that names its kind. */
import type { Tree } from "./parser.ts";

export interface Node {
  kind: string;
  value: Tree;
}

export const isTree = (value: unknown): value is Tree =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Properties that can stand alone in an object and would look like a kind. */
const properties = new Set(["this", "name", "query", "on", "left", "right", "expressions"]);

/** Kind and content of a node; undefined for null, lists and plain properties. */
export function toNode(value: unknown): Node | undefined {
  if (!isTree(value)) return undefined;
  const keys = Object.keys(value);
  const kind = keys[0];
  if (keys.length !== 1 || kind === undefined || properties.has(kind)) return undefined;
  const content = value[kind];
  return isTree(content) ? { kind, value: content } : undefined;
}

/** Without parentheses and the wrapper that carries comments. */
export function unwrap(value: unknown): unknown {
  let current = value;
  for (;;) {
    const node = toNode(current);
    if (node && (node.kind === "paren" || node.kind === "annotated")) current = node.value.this;
    else return current;
  }
}

/** Text of an identifier node or string. */
export function nameOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (!isTree(value)) return undefined;
  if (isTree(value.identifier)) return nameOf(value.identifier);
  const name = value.name;
  return typeof name === "string" ? name : isTree(name) ? nameOf(name) : undefined;
}

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Code point offsets of all identifiers below a node. */
export function spansOf(value: unknown): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const node = stack.pop();
    if (Array.isArray(node)) stack.push(...node);
    else if (isTree(node)) {
      const span = node.span;
      if (isTree(span) && typeof span.start === "number" && typeof span.end === "number") {
        spans.push({ start: span.start, end: span.end });
      }
      for (const [key, child] of Object.entries(node))
        if (key !== "span" && typeof child === "object") stack.push(child);
    }
  }
  return spans.sort((a, b) => a.start - b.start);
}

/** The conditions joined by AND; BETWEEN counts as two of them. */
export function conjunctsOf(condition: unknown): unknown[] {
  const inner = unwrap(condition);
  const node = toNode(inner);
  if (!node) return inner === null || inner === undefined ? [] : [inner];
  if (node.kind === "and") return [...conjunctsOf(node.value.left), ...conjunctsOf(node.value.right)];
  if (node.kind === "between" && node.value.not !== true && node.value.symmetric !== true) {
    const left = node.value.this;
    return [{ gte: { left, right: node.value.low } }, { lte: { left, right: node.value.high } }];
  }
  return [inner];
}
