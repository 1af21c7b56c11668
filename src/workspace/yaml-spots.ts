/**
 * YAML as values that still know their lines. Made for files from other hands: no aliases, no tags, names once, a
 * bounded depth, and time that grows with the length only.
 */
import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLError } from "yaml";

/** A value, the line of its key or of itself, and what stands below it by name or by number. */
export interface Spot {
  value: unknown;
  line: number;
  /** Of a single value: its characters in the file, so that a table called 2024 or no is a name like any other. */
  source?: string;
  below: ReadonlyMap<string, Spot>;
}

export interface LineFault {
  line: number;
  message: string;
  fix: string;
}

export type ReadYaml = { ok: true; spot: Spot } | { ok: false; faults: LineFault[] };

const mostDepth = 32;
const plainTags = new Set(
  ["str", "int", "float", "bool", "null", "map", "seq"].map((tag) => `tag:yaml.org,2002:${tag}`),
);

/**
 * An empty text is null. With `aliases`, for files that other programs own, what `*name` stands for is the very same
 * object wherever it stands, so that nothing grows. Never throws.
 */
export function readYaml(text: string, options: { aliases?: boolean } = {}): ReadYaml {
  const lines = new LineCounter();
  const faults: LineFault[] = [];
  let contents: unknown;
  try {
    // The parser's own look for names that stand twice takes a time that grows with their square.
    const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, prettyErrors: false });
    if (document.errors.some(({ code }) => code === "RESOURCE_EXHAUSTION")) return { ok: false, faults: [tooDeep(1)] };
    for (const error of document.errors.slice(0, 5)) faults.push(toFault(error, lines.linePos(error.pos[0]).line || 1));
    contents = document.contents;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ok: false, faults: [tooDeep(1)] };
  }
  if (faults.length > 0) return { ok: false, faults };
  const walk: Walk = {
    lineOf: (node) => lines.linePos(node.range?.[0] ?? 0).line || 1,
    anchors: options.aliases ? new Map() : null,
    faults,
  };
  const spot = toSpot(contents, 1, 0, walk);
  return faults.length > 0 ? { ok: false, faults } : { ok: true, spot };
}

interface Walk {
  lineOf(node: Node): number;
  /** Null where aliases aren't read. */
  anchors: Map<string, Spot> | null;
  faults: LineFault[];
}

function toSpot(node: unknown, line: number, depth: number, walk: Walk): Spot {
  const spot = readNode(node, line, depth, walk);
  const anchor = (node as { anchor?: unknown } | null | undefined)?.anchor;
  if (typeof anchor === "string") walk.anchors?.set(anchor, spot);
  return spot;
}

function readNode(node: unknown, line: number, depth: number, walk: Walk): Spot {
  const { lineOf, faults } = walk;
  const none: Spot = { value: null, line, below: new Map() };
  if (node === null || node === undefined) return none;
  const own = node as Node;
  const at = lineOf(own);
  if (depth > mostDepth) {
    faults.push(tooDeep(at));
    return none;
  }
  if (isAlias(node)) {
    const known = walk.anchors?.get(node.source);
    if (known) return { ...known, line };
    faults.push({
      line: at,
      message: `*${node.source.slice(0, 40)} stands for something written elsewhere`,
      fix: "Write it out; aliases aren't read.",
    });
    return none;
  }
  if (own.tag !== undefined && !plainTags.has(own.tag)) {
    faults.push({ line: at, message: "a type of its own stands there", fix: "Take the word with ! out." });
    return none;
  }
  if (isScalar(node)) {
    const { value, source } = node;
    if (typeof value === "object" && value !== null) {
      faults.push({ line: at, message: "a type of its own stands there", fix: "Take the word with ! out." });
      return none;
    }
    return { value, line, below: new Map(), ...(source === undefined ? {} : { source }) };
  }
  const below = new Map<string, Spot>();
  if (isSeq(node)) {
    for (const [index, item] of node.items.entries())
      below.set(String(index), toSpot(item, isNode(item) ? lineOf(item) : at, depth + 1, walk));
    return { value: [...below.values()].map((spot) => spot.value), line, below };
  }
  if (!isMap(node)) return none;
  const merged: Spot[] = [];
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? (typeof key.value === "string" ? key.value : (key.source ?? "")) : null;
    const where = isNode(key) ? lineOf(key) : at;
    if (name === null) faults.push({ line: where, message: "a name must be one word or text", fix: "Name it." });
    else if (name === "<<" && walk.anchors) merged.push(toSpot(value, where, depth + 1, walk));
    else if (below.has(name))
      faults.push({
        line: where,
        message: `${name.slice(0, 60)}: stands there twice, first in line ${below.get(name)?.line}`,
        fix: "Keep one of them.",
      });
    else below.set(name, toSpot(value, where, depth + 1, walk));
  }
  for (const spot of merged) merge(below, spot);
  // Every name becomes a plain property, `__proto__` too.
  return { value: Object.fromEntries([...below].map(([name, spot]) => [name, spot.value])), line, below };
}

/** `<<: *name`, or a list of such: what stands in the map itself comes first. */
function merge(below: Map<string, Spot>, spot: Spot): void {
  if (Array.isArray(spot.value)) for (const one of spot.below.values()) merge(below, one);
  else for (const [name, value] of spot.below) if (!below.has(name)) below.set(name, value);
}

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && "range" in value;

const tooDeep = (line: number): LineFault => ({
  line,
  message: `it is nested more than ${mostDepth} levels deep`,
  fix: "Write it flat, as the example in docs/knowledge.md.",
});

function toFault({ code }: YAMLError, line: number): LineFault {
  const fix =
    code === "TAB_AS_INDENT"
      ? "Indent with spaces instead of tabs."
      : code === "MULTIPLE_DOCS"
        ? "Keep one document: take the --- out."
        : "Mend that line; a text with : or # needs quotes.";
  return { line, message: `it is not valid YAML (${code})`, fix };
}
