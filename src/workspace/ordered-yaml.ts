/**
 * Values as YAML that reads well in a diff: names in the order of their schema, small things in one line, and whatever
 * stands in a file already as it was written, comments too. Pure.
 */
import type { TSchema } from "typebox";
import { Document, isMap, isScalar, isSeq, type Node, type Pair, type ToStringOptions, type YAMLMap } from "yaml";

/** What of a schema's own words says the order. */
interface Shape {
  properties?: Record<string, Shape>;
  items?: Shape;
  anyOf?: readonly (Shape & { properties?: Record<string, Shape & { const?: unknown }> })[];
}

/** The value with its names in the schema's order, and without what is undefined. */
export function toOrdered(schema: TSchema, value: unknown): unknown {
  return order(schema as Shape, value);
}

function order(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => order(shape.items ?? {}, item));
  if (typeof value !== "object" || value === null) return value;
  const own = value as Record<string, unknown>;
  const branch = shape.anyOf?.find(({ properties }) => properties?.kind?.const === own.kind) ?? shape;
  const names = Object.keys(branch.properties ?? own);
  return Object.fromEntries(
    names
      .filter((name) => own[name] !== undefined)
      .map((name) => [name, order(branch.properties?.[name] ?? {}, own[name])]),
  );
}

/** Maps below these names stand in one line, and so does each item of those lists. */
const inLine = new Set(["from", "to", "means", "origin", "measure", "left", "right"]);
const itemsInLine = new Set(["columns", "parameters", "pairs", "tables"]);

export function toNode(document: Document, schema: TSchema, value: unknown): Node {
  const node = document.createNode(toOrdered(schema, value)) as Node;
  putInLine(node, "");
  return node;
}

function putInLine(node: unknown, name: string): void {
  if (isMap(node)) {
    if (inLine.has(name)) node.flow = true;
    for (const pair of node.items) putInLine(pair.value, nameOf(pair));
  } else if (isSeq(node)) {
    // Short words side by side; whole sentences below each other.
    if (node.items.every((item) => isScalar(item) && String(item.value).length <= 40)) node.flow = true;
    for (const item of node.items) {
      if (isMap(item) && itemsInLine.has(name)) item.flow = true;
      putInLine(item, "");
    }
  }
}

/** The value at a name, in the schema's order when the name is new; its comment stays. Undefined takes it away. */
export function setInOrder(document: Document, map: YAMLMap, schema: TSchema, name: string, value: unknown): void {
  const names = Object.keys((schema as Shape).properties ?? {});
  const at = map.items.findIndex((pair) => nameOf(pair) === name);
  if (value === undefined) {
    if (at >= 0) map.items.splice(at, 1);
    return;
  }
  const node = toNode(document, (schema as Shape).properties?.[name] as TSchema, value);
  putInLine(node, name);
  const pair = map.items[at];
  if (pair) {
    const before = pair.value as Node | null;
    if (before?.comment) node.comment = before.comment;
    if (before?.commentBefore) node.commentBefore = before.commentBefore;
    pair.value = node;
    return;
  }
  const rank = names.indexOf(name);
  const later = map.items.findIndex((one) => names.indexOf(nameOf(one)) > rank);
  map.items.splice(later < 0 ? map.items.length : later, 0, document.createPair(name, node) as Pair);
}

const nameOf = (pair: Pair): string => (isScalar(pair.key) ? String(pair.key.value) : "");

/** A file's own habits, so that an edit leaves the lines beside it alone. */
export function toText(document: Document, before: string): string {
  const text = document.toString(habitsOf(before));
  return before.includes("\r\n") ? text.replaceAll("\n", "\r\n") : text;
}

function habitsOf(text: string): ToStringOptions {
  return {
    lineWidth: 0,
    flowCollectionPadding: !/(^|[\s:-])[{[][^\s\]}]/m.test(text),
    indentSeq: !/^\w+:[^\S\n]*\r?\n(?:[^\S\n]*#.*\n)*-\s/m.test(text),
  };
}

export function createDocument(schema: TSchema, value: unknown): Document {
  const document = new Document();
  document.contents = toNode(document, schema, value) as Document["contents"];
  return document;
}
