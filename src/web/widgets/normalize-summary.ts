/**
 * A phase summary as the page shows it, from whatever a ledger holds: version 2, version 1 (`text` or `content`,
 * questions under other names), or something malformed. Total: every value gives something readable, none throws.
 */

export interface NormalSummary {
  title: string;
  summary: string;
  openQuestions: string[];
  decisions: number[];
  phase: string;
  /** Null when none was given, as in the oldest entries. */
  version: number | null;
  /** True when the value wasn't shaped as any version we know; the page then says so. */
  malformed: boolean;
}

const deepest = 6;
const longest = 20_000;
const most = 100;

/** Reads one property and survives getters and proxies that throw. */
function read(value: object, key: string): unknown {
  try {
    return Reflect.get(value, key);
  } catch (error) {
    return `unreadable: ${error instanceof Error ? error.name : "error"}`;
  }
}

/** None of a proxy that refuses to be listed: there is nothing to show then. */
function keysOf(value: object): string[] {
  try {
    return Object.keys(value);
  } catch {
    return [];
  }
}

/** Any value as words: lists joined, objects as `key: value`, nothing for null and undefined. */
function toWords(value: unknown, depth = 0, seen: readonly object[] = []): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return value.slice(0, longest).trim();
  if (typeof value === "number" || typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value !== "object") return "";
  if (depth >= deepest || seen.includes(value)) return "…";
  const within = [...seen, value];
  if (isList(value))
    return value
      .slice(0, most)
      .map((item) => toWords(item, depth + 1, within))
      .filter(Boolean)
      .join(", ")
      .slice(0, longest);
  const own = toOwnText(value, depth, within);
  if (own) return own;
  return keysOf(value)
    .slice(0, most)
    .map((key) => [key, toWords(read(value, key), depth + 1, within)] as const)
    .filter(([, words]) => words)
    .map(([key, words]) => `${key}: ${words}`)
    .join(", ")
    .slice(0, longest);
}

function isList(value: object): value is unknown[] {
  try {
    return Array.isArray(value);
  } catch {
    return false; // a revoked proxy
  }
}

/** A question or paragraph wrapped into an object, as some models send it. */
function toOwnText(value: object, depth: number, seen: readonly object[]): string {
  for (const key of ["question", "text", "summary", "content", "title", "label"]) {
    const inner = read(value, key);
    if (typeof inner === "string" && inner.trim()) return toWords(inner, depth + 1, seen);
  }
  return "";
}

/** Nested lists flattened, empty ones dropped, each item as words. */
function toTexts(value: unknown, depth = 0): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === "object" && isList(value)) {
    if (depth >= deepest) return ["…"];
    return value
      .slice(0, most)
      .flatMap((item) => toTexts(item, depth + 1))
      .slice(0, most);
  }
  const words = toWords(value, depth);
  return words ? [words] : [];
}

const firstOf = (value: object, keys: string[]): unknown => {
  for (const key of keys) {
    const found = read(value, key);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
};

function toNumbers(value: unknown): number[] {
  return toTexts(value)
    .map(Number)
    .filter((number) => Number.isSafeInteger(number) && number > 0);
}

export function normalizeSummary(value: unknown): NormalSummary {
  const nothing: NormalSummary = {
    title: "",
    summary: "",
    openQuestions: [],
    decisions: [],
    phase: "",
    version: null,
    malformed: false,
  };
  if (value === undefined || value === null) return nothing;
  if (typeof value !== "object") return { ...nothing, summary: toWords(value), malformed: typeof value !== "string" };
  if (isList(value)) return { ...nothing, summary: toTexts(value).join("\n"), malformed: true };

  const version = read(value, "version");
  const summary = firstOf(value, ["summary", "text", "content", "body"]);
  const title = firstOf(value, ["title", "heading", "name"]);
  const questions = firstOf(value, ["open_questions", "openQuestions", "questions"]);
  const words =
    typeof summary === "object" && summary !== null && isList(summary) ? toTexts(summary).join("\n") : toWords(summary);
  const known = version === undefined || version === 1 || version === 2;
  const rest = words || toWords(title) ? words : toWords(value);
  return {
    title: toWords(title),
    summary: rest,
    openQuestions: toTexts(questions),
    decisions: toNumbers(read(value, "decisions")),
    phase: toWords(read(value, "phase")),
    version: typeof version === "number" && Number.isFinite(version) ? version : null,
    malformed:
      !known ||
      typeof summary !== "string" ||
      (title !== undefined && typeof title !== "string") ||
      !isTextList(questions),
  };
}

const isTextList = (value: unknown): boolean =>
  value === undefined ||
  (typeof value === "object" && value !== null && isList(value) && value.every((item) => typeof item === "string"));

export type SummaryBlock = { kind: "paragraph"; text: string } | { kind: "list"; items: string[] };

const bullet = /^\s*(?:[-*•–]|\d{1,3}[.)])\s+/;

/** Plain text as paragraphs and lists. No other mark-up is known, and none becomes HTML. */
export function toSummaryBlocks(text: string): SummaryBlock[] {
  const blocks: SummaryBlock[] = [];
  let open: "paragraph" | "list" | null = null;
  for (const line of text.split(/\r\n|\r|\n/)) {
    const last = blocks.at(-1);
    if (line.trim() === "") open = null;
    else if (bullet.test(line)) {
      const item = line.replace(bullet, "");
      if (open === "list" && last?.kind === "list") last.items.push(item);
      else blocks.push({ kind: "list", items: [item] });
      open = "list";
    } else if (open === "paragraph" && last?.kind === "paragraph") last.text += `\n${line}`;
    else {
      blocks.push({ kind: "paragraph", text: line });
      open = "paragraph";
    }
  }
  return blocks;
}
