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
import { type KnowledgeOrigin, maxDescription, type Problem, ThothError } from "../protocol/index.ts";
import type { LineFault } from "./yaml-spots.ts";

export interface Description {
  table: string;
  /** Null for the table itself. */
  column: string | null;
  /** Set where the text says what one stored value of the column means. */
  value?: string;
  text: string;
  line: number;
  /** The ledger entry in which a reviewer said it. */
  origin?: KnowledgeOrigin;
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
  const { entries, faults } = readDescriptionsText(text);
  return { entries, problems: faults.map(({ line, message, fix }) => broken(shown, line, message, fix)) };
}

export function readDescriptionsText(text: string): { entries: Description[]; faults: LineFault[] } {
  const lines = new LineCounter();
  const found: { entries: Description[]; faults: LineFault[] } = { entries: [], faults: [] };
  // The parser's own look for names that stand twice takes a time that grows with their square.
  const document = parseSafely(text, { lineCounter: lines, uniqueKeys: false });
  if (!document) return { entries: [], faults: [{ line: 1, message: "it is nested too deep", fix: example }] };
  const tell = (line: number, message: string, fix = example): void => {
    found.faults.push({ line, message, fix });
  };
  for (const fault of document.errors.slice(0, 5))
    tell(
      fault.linePos?.[0].line ?? 1,
      `it is not valid YAML (${fault.code})`,
      "Mend that line; a text with : or # needs quotes.",
    );
  if (found.faults.length > 0 || document.contents === null) return found;

  const lineOf = (node: unknown): number => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line || 1;
  /** The entries of a map by name; what else stands there is told. */
  const pairsOf = (node: unknown, where: string, at: number): [name: string, value: unknown, line: number][] => {
    if (node === null || (isScalar(node) && node.value === null)) return [];
    if (!isMap(node)) {
      tell(isNode(node) ? lineOf(node) : at, `${where} must be names with something below them`);
      return [];
    }
    const names = new Set<string>();
    return node.items.flatMap((pair: Pair) => {
      const name = toText(pair.key);
      if (name === null) tell(lineOf(pair.key), `${where} holds something that is no name`);
      else if (names.has(name)) {
        tell(lineOf(pair.key), "a name stands there twice", "Keep one of them.");
        isDoubled = true;
      } else {
        names.add(name);
        return [[name, pair.value, lineOf(pair.key)] as [string, unknown, number]];
      }
      return [];
    });
  };
  /** Which of two texts holds nobody can know, so that such a file gives none. */
  let isDoubled = false;
  const addText = (value: unknown, line: number, of: Omit<Description, "text" | "line">): void => {
    if (value === null || (isScalar(value) && value.value === null)) return;
    const text = toText(value)?.trim();
    if (text === undefined) tell(line, "a description must be text");
    else if (text.length > maxDescription)
      tell(line, `a description has at most ${maxDescription} characters`, "Say it in fewer words.");
    else if (text !== "") found.entries.push({ ...of, text, line });
  };

  const top = pairsOf(document.contents, "the file", 1);
  if (found.faults.length === 0 && !top.some(([name, value]) => name === "version" && toText(value) === "1"))
    tell(top.find(([name]) => name === "version")?.[2] ?? 1, `version: must be ${version}`);
  /** A table or a column: its description at once, or names below it. */
  const readEntry = (about: unknown, at: number, of: Omit<Description, "text" | "line">): void => {
    if (isText(about)) {
      addText(about, at, of);
      return;
    }
    const what = of.column === null ? `the table ${of.table}` : `the column ${of.column}`;
    for (const [key, value, line] of pairsOf(about, what, at)) {
      if (key === "description") addText(value, line, { ...of, ...readOrigin(about) });
      else if (key === "origin" && isMap(value)) continue;
      else if (key === "values" && of.column !== null)
        for (const [stored, meaning, where] of pairsOf(value, "values:", line))
          addText(meaning, where, { ...of, value: stored });
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
  if (isDoubled) found.entries = [];
  return found;
}

/** Where a description comes from, for one that was kept from a session; anything else there says nothing. */
function readOrigin(about: unknown): { origin?: KnowledgeOrigin } {
  const origin = isMap(about) ? findPair(about as YAMLMap, "origin")?.value : undefined;
  if (!isMap(origin)) return {};
  const [session, seq] = [origin.get("session"), origin.get("seq")];
  return typeof session === "string" && typeof seq === "number" ? { origin: { session, seq } } : {};
}

/** Null for a text so deep that the parser runs out of its stack. */
function parseSafely(...of: Parameters<typeof parseDocument>): ReturnType<typeof parseDocument> | null {
  try {
    return parseDocument(...of);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

export interface DescriptionChange {
  table: string;
  column: string | null;
  /** Changes what this stored value of the column means, not what the column is. */
  value?: string;
  /** Empty takes the description away. */
  text: string;
  /** Stands beside the description of a table or a column; one that is there goes with the words it belonged to. */
  origin?: KnowledgeOrigin;
}

/**
 * The text with some descriptions changed, one after the other; comments, order and everything else stay, and a new
 * name goes before the first that sorts after it. Throws ThothError `descriptions-broken` for a file in which that
 * can't be done.
 */
export function changeDescriptions(text: string, shown: string, changes: readonly DescriptionChange[]): string {
  const { problems } = parseDescriptions(text, shown);
  const fault = problems[0];
  if (fault) throw new ThothError("descriptions-broken", fault.message, fault.action);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  const document: Document = parseDocument(text.replaceAll("\r\n", "\n"), { uniqueKeys: false });
  if (document.contents === null) document.contents = document.createNode({ version }) as YAMLMap;
  for (const change of changes) {
    if (change.value === undefined) changeText(document, change);
    else changeMeaning(document, change, change.value);
  }
  return document.toString({ lineWidth: 0 }).replaceAll("\n", lineEnd);
}

const pathOf = ({ table, column }: DescriptionChange): string[] => [
  "tables",
  table,
  ...(column === null ? [] : ["columns", column]),
];

function changeText(document: Document, change: DescriptionChange): void {
  const path = pathOf(change);
  if (change.text === "") {
    remove(document.contents as YAMLMap, [...path, "origin"], true);
    remove(document.contents as YAMLMap, [...path, "description"], true);
    return;
  }
  let map = document.contents as YAMLMap;
  for (const name of path.slice(0, -1)) map = findOrAdd(document, map, name);
  let own = findPair(map, path.at(-1) ?? "");
  // A short form stays short where it can.
  if (!isText(own?.value) || change.origin) {
    map = findOrAdd(document, map, path.at(-1) ?? "");
    own = undefined;
  }
  const pair = isText(own?.value) ? own : findPair(map, "description");
  const value = document.createNode(change.text);
  if (isScalar(pair?.value) && pair.value.comment) (value as Scalar).comment = pair.value.comment;
  if (pair) pair.value = value;
  // Before the columns, whatever else stands there.
  else map.items.unshift(document.createPair("description", change.text));
  if (!own) setOrigin(document, map, change.origin);
}

function setOrigin(document: Document, map: YAMLMap, origin: KnowledgeOrigin | undefined): void {
  const at = map.items.findIndex((pair) => toText(pair.key) === "origin");
  if (at >= 0) map.items.splice(at, 1);
  if (!origin) return;
  const value = document.createNode({ session: origin.session, seq: origin.seq }) as YAMLMap;
  value.flow = true;
  const after = map.items.findIndex((pair) => toText(pair.key) === "description") + 1;
  map.items.splice(after, 0, document.createPair("origin", value));
}

function changeMeaning(document: Document, change: DescriptionChange, stored: string): void {
  const path = [...pathOf(change), "values"];
  if (change.text === "") {
    remove(document.contents as YAMLMap, [...path, stored], true);
    return;
  }
  let map = document.contents as YAMLMap;
  for (const name of path) map = findOrAdd(document, map, name);
  const pair = findPair(map, stored);
  const value = document.createNode(change.text);
  if (isScalar(pair?.value) && pair.value.comment) (value as Scalar).comment = pair.value.comment;
  if (pair) pair.value = value;
  else insertPair(document, map, stored, value);
}

/** The map below a name; a text that stands there in short form becomes its description. */
function findOrAdd(document: Document, map: YAMLMap, name: string): YAMLMap {
  const pair = findPair(map, name);
  if (isMap(pair?.value)) return pair.value;
  const below = new YAMLMap(document.schema);
  if (isText(pair?.value)) below.items.push(document.createPair("description", pair.value));
  if (pair) pair.value = below;
  // The parts of a table or a column stand last, in the order in which they came.
  else if (["tables", "columns", "values"].includes(name)) map.items.push(document.createPair(name, below));
  else insertPair(document, map, name, below);
  return below;
}

/** Before the first name that sorts after it. */
function insertPair(document: Document, map: YAMLMap, name: string, value: Node): void {
  const before = map.items.findIndex((item) => (toText(item.key) ?? "") > name);
  map.items.splice(before < 0 ? map.items.length : before, 0, document.createPair(name, value));
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
