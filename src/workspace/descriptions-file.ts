/** The text of `descriptions.yaml`: what it says, and the same text with one description changed. Pure. */
import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  type Scalar,
  YAMLMap,
} from "yaml";
import { maxDescription, type Problem, ThothError } from "../protocol/index.ts";

export interface Description {
  table: string;
  /** Null for the table itself. */
  column: string | null;
  text: string;
  line: number;
}

export interface Descriptions {
  entries: Description[];
  /** Each with file, line and what to write; what is right beside it holds all the same. */
  problems: Problem[];
}

const version = 1;
const example =
  "It looks like this: `version: 1`, `tables:`, below it a table's name, `description:` and `columns:` with a `description:` below each column's name.";

/** `shown` is the file's name in messages. A file that isn't YAML gives nothing but its problems. */
export function parseDescriptions(text: string, shown: string): Descriptions {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const found: Descriptions = { entries: [], problems: [] };
  const tell = (line: number, what: string, fix = example): void => {
    found.problems.push(broken(shown, line, what, fix));
  };
  for (const fault of document.errors.slice(0, 5)) {
    const line = fault.linePos?.[0].line ?? 1;
    if (fault.code === "DUPLICATE_KEY") tell(line, "a name stands there twice", "Keep one of them.");
    else tell(line, `it is not valid YAML (${fault.code})`, "Mend that line; a text with : or # needs quotes.");
  }
  if (found.problems.length > 0 || document.contents === null) return found;

  const lineOf = (node: unknown): number => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line || 1;
  /** The entries of a map by name; what else stands there is told. */
  const pairsOf = (node: unknown, where: string, at: number): [name: string, value: unknown, line: number][] => {
    if (node === null || (isScalar(node) && node.value === null)) return [];
    if (!isMap(node)) {
      tell(isNode(node) ? lineOf(node) : at, `${where} must be names with something below them`);
      return [];
    }
    return node.items.flatMap((pair: Pair) => {
      const name = toText(pair.key);
      if (name !== null) return [[name, pair.value, lineOf(pair.key)] as [string, unknown, number]];
      tell(lineOf(pair.key), `${where} holds something that is no name`);
      return [];
    });
  };
  const addText = (value: unknown, line: number, of: Omit<Description, "text" | "line">): void => {
    if (value === null || (isScalar(value) && value.value === null)) return;
    const text = toText(value)?.trim();
    if (text === undefined) tell(line, "a description must be text");
    else if (text.length > maxDescription)
      tell(line, `a description has at most ${maxDescription} characters`, "Say it in fewer words.");
    else if (text !== "") found.entries.push({ ...of, text, line });
  };

  const top = pairsOf(document.contents, "the file", 1);
  if (found.problems.length === 0 && !top.some(([name, value]) => name === "version" && toText(value) === "1"))
    tell(top.find(([name]) => name === "version")?.[2] ?? 1, `version: must be ${version}`);
  /** A table or a column: its description at once, or names below it. */
  const readEntry = (about: unknown, at: number, of: Omit<Description, "text" | "line">): void => {
    if (isText(about)) {
      addText(about, at, of);
      return;
    }
    const what = of.column === null ? `the table ${of.table}` : `the column ${of.column}`;
    for (const [key, value, line] of pairsOf(about, what, at)) {
      if (key === "description") addText(value, line, of);
      else if (key !== "columns" || of.column !== null) tell(line, `${key}: isn't known below ${what}`);
      else
        for (const [column, below, where] of pairsOf(value, "columns:", line))
          readEntry(below, where, { ...of, column });
    }
  };
  for (const [name, value, line] of top) {
    if (name === "version") continue;
    if (name !== "tables") tell(line, `${name}: isn't known here`);
    else
      for (const [table, below, at] of pairsOf(value, "tables:", line)) readEntry(below, at, { table, column: null });
  }
  return found;
}

export interface DescriptionChange {
  table: string;
  column: string | null;
  /** Empty takes the description away. */
  text: string;
}

/**
 * The text with one description changed; comments, order and everything else stay, and a new name goes before the
 * first that sorts after it. Throws ThothError `descriptions-broken` for a file in which that can't be done.
 */
export function changeDescription(
  text: string,
  shown: string,
  { table, column, text: next }: DescriptionChange,
): string {
  const { problems } = parseDescriptions(text, shown);
  const fault = problems[0];
  if (fault) throw new ThothError("descriptions-broken", fault.message, fault.action);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const document: Document = parseDocument(text.replaceAll("\r\n", "\n"));
  if (document.contents === null) document.contents = document.createNode({ version }) as YAMLMap;
  const path = ["tables", table, ...(column === null ? [] : ["columns", column])];
  if (next === "") remove(document.contents as YAMLMap, [...path, "description"], true);
  else {
    let map = document.contents as YAMLMap;
    for (const name of path.slice(0, -1)) map = findOrAdd(document, map, name);
    const own = findPair(map, path.at(-1) ?? "");
    // A short form stays short.
    if (!isText(own?.value)) map = findOrAdd(document, map, path.at(-1) ?? "");
    const pair = isText(own?.value) ? own : findPair(map, "description");
    const value = document.createNode(next);
    if (isScalar(pair?.value) && pair.value.comment) (value as Scalar).comment = pair.value.comment;
    if (pair) pair.value = value;
    // Before the columns, whatever else stands there.
    else map.items.unshift(document.createPair("description", next));
  }
  return document.toString({ lineWidth: 0 }).replaceAll("\n", lineEnd);
}

/** The map below a name; a text that stands there in short form becomes its description. */
function findOrAdd(document: Document, map: YAMLMap, name: string): YAMLMap {
  const pair = findPair(map, name);
  if (isMap(pair?.value)) return pair.value;
  const below = new YAMLMap(document.schema);
  if (isText(pair?.value)) below.items.push(document.createPair("description", pair.value));
  if (pair) pair.value = below;
  else {
    const before = map.items.findIndex((item) => (toText(item.key) ?? "") > name);
    const added = document.createPair(name, below);
    const isOrdered = name !== "tables" && name !== "columns" && before >= 0;
    map.items.splice(isOrdered ? before : map.items.length, 0, added);
  }
  return below;
}

/** Takes the path's end away and every map above it that is empty then, but for the file's own. */
function remove(map: YAMLMap, [name = "", ...rest]: string[], isTop = false): void {
  const pair = findPair(map, name);
  if (!pair) return;
  const below = pair.value;
  if (rest.length > 0 && isMap(below)) remove(below as YAMLMap, rest);
  // `name: text` is the short form of a description.
  const gone = rest.length === 0 || (isText(below) && rest.length === 1) || (isMap(below) && below.items.length === 0);
  if (gone && !(isTop && name === "version")) map.items.splice(map.items.indexOf(pair), 1);
}

const findPair = (map: YAMLMap, name: string): Pair | undefined => map.items.find((pair) => toText(pair.key) === name);

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "range" in value;

const isText = (node: unknown): node is Scalar => isScalar(node) && node.value !== null;

/** As it stands in the file: a table called 2024 or no is a name like any other. */
function toText(node: unknown): string | null {
  if (typeof node === "string") return node;
  if (!isScalar(node)) return null;
  return typeof node.value === "string" ? node.value : (node.source ?? String(node.value));
}

function broken(shown: string, line: number, what: string, action: string): Problem {
  return { code: "descriptions-broken", message: `${shown}, line ${line}: ${what}.`, action };
}
