/**
 * Business rules in words, as far as rules can read them: what a measure is made of, which value a word stands for,
 * what a short form means. A sentence of another kind says nothing here; a model and the reviewer still see it. Pure.
 */
import type { EvidencePiece } from "../../protocol/index.ts";
import type { Scalar } from "../frame/frame.ts";
import { type ColumnInfo, isNumeric, type Schema, type TableInfo } from "../schema/schema.ts";
import { nameWords, plural, stem } from "../words/language.ts";
import type { KnownMeaning } from "./knowledge.ts";

export interface Definition {
  word: string;
  meaning: KnownMeaning;
}

export function readEvidence(piece: EvidencePiece, schema: Schema): Definition[] {
  const places = placesOf(piece, schema);
  const found: Definition[] = [];
  if (piece.measure) {
    const { name, expression: formula } = piece.measure;
    const meaning = readExpression(formula, places, schema) ?? { kind: "formula" as const, name, formula };
    // Words that name something are what the rule is about, not other words for its measure.
    const words = piece.words.filter((word) => !isName(word, schema) && !findColumn(word, schema.tables));
    for (const word of new Set([name, ...words])) found.push({ word, meaning });
  }
  for (const sentence of toSentences(piece.text)) found.push(...readSentence(sentence, piece, places, schema));
  const seen = new Set<string>();
  return found.filter(({ word }) => word !== "" && seen.size !== seen.add(word.toLowerCase()).size);
}

/** Tables the rule names come first; a rule that names none may be about any. */
function placesOf(piece: EvidencePiece, schema: Schema): TableInfo[] {
  const named = new Set((piece.tables ?? []).map((table) => table.toLowerCase()));
  const own = schema.tables.filter(({ name }) => named.has(name.toLowerCase()));
  return [...own, ...schema.tables.filter((table) => !own.includes(table))];
}

/** Cut at line ends and at full stops before a capital; never inside a number or a name. */
const toSentences = (text: string): string[] =>
  text
    .split(/\n+|(?<=[.;!])\s+(?=\p{Lu})/u)
    .map((part) => part.replace(/^[-*#>\s]+/, "").trim())
    .filter((part) => part !== "");

const means =
  /\s*(?::=|=|\bmeans?\b|\brefers? to\b|\bstands? for\b|\bis (?:defined|calculated|computed|measured|counted) as\b|\bis short for\b)\s*/i;
/** "By revenue we mean …", "use … for revenue": a term and what it means, as a sentence of the usual kind. */
const turnedAround: [RegExp, (match: RegExpExecArray) => string][] = [
  [/^(?:by|with)\s+(.+?),?\s+(?:i|we)\s+mean\s+(.+)$/is, ([, term, rest]) => `${term} means ${rest}`],
  [/^(?:use|take)\s+(\S.*?)\s+(?:for|as)\s+(?:the\s+)?(.+?)[.;]?$/is, ([, rest, term]) => `${term} means ${rest}`],
];

function toUsual(sentence: string): string {
  for (const [pattern, turn] of turnedAround) {
    const match = pattern.exec(sentence);
    if (match) return turn(match);
  }
  return sentence;
}

function readSentence(said: string, piece: EvidencePiece, places: TableInfo[], schema: Schema): Definition[] {
  const sentence = toUsual(said.replace(/^remember:?\s+/i, ""));
  const isListed = (word: string) => piece.words.some((known) => known.toLowerCase() === word.toLowerCase());
  const strong = means.exec(sentence);
  // "Active customers are those whose status = 'A'": what the rule lists comes first, whatever stands behind it.
  const weak = /\s*:\s+|\s+(?:is|are)\s+(?:the\s+)?/i.exec(sentence);
  const isFirst = weak && (!strong || weak.index < strong.index) && isListed(bare(sentence.slice(0, weak.index)));
  const match = isFirst ? null : strong;
  const at = isFirst ? weak : strong;
  if (!at) return [];
  const term = bare(sentence.slice(0, at.index));
  const rest = sentence.slice(at.index + at[0].length).trim();
  const words = term.split(/\s+/).length;
  if (term === "" || words > 6) return [];
  const stated = match ? readStated(term, rest, places) : undefined;
  if (stated) return [stated];
  const long = /^(.*?)\s*\(([^)]+)\)$/.exec(term);
  const names = long ? [bare(long[1] ?? ""), bare(long[2] ?? "")] : [term];
  if (!match && !names.some(isListed)) return [];
  const meaning = readDefinition(rest, places, schema);
  if (!meaning) return [];
  // Other words only stand in for a short form, or for one that the rule lists: "last week" stays what it is.
  const isShort = (word: string) => /^[A-Z][A-Z0-9&]{1,9}$/.test(word) || (match !== null && isListed(word));
  return names
    .filter((word) => !isName(word, schema) && (meaning.kind !== "expansion" || isShort(word)))
    .map((word) => ({ word, meaning }));
}

const bare = (text: string): string =>
  text
    .trim()
    .replace(/^(?:the|an?)\s+/i, "")
    .replaceAll(/["“”`]/g, "")
    .replace(/^'(.*)'$/, "$1")
    .trim();

/** `status 3 means shipped`: the word stands for the value. */
function readStated(term: string, rest: string, places: TableInfo[]): Definition | undefined {
  const said = /^(.+?)\s*(?:=|\bof\b|\bis\b)?\s*(?:'([^']+)'|(\d+(?:\.\d+)?)|([A-Z][A-Z0-9_]{0,7}))$/.exec(term);
  const column = said ? findColumn(said[1] ?? "", places) : undefined;
  const word = rest.replace(/[.;,].*$/s, "").trim();
  if (!said || !column || word === "" || word.split(/\s+/).length > 4) return undefined;
  const value = said[2] ?? said[3] ?? said[4] ?? "";
  return { word: bare(word), meaning: { kind: "value", table: column.table, column: column.column, value } };
}

function readDefinition(text: string, places: TableInfo[], schema: Schema): KnownMeaning | undefined {
  const whole = text.replace(/[.;]\s*$/, "").trim();
  const measure = readExpression(whole, places, schema);
  if (measure) return measure;
  // "those whose status is 3"
  const condition = whole.replace(
    /^(?:(?:all|the|those|these|any)\s+)*(?:\w+s\s+)?(?:where|when|with|whose|having)\s+/i,
    "",
  );
  const equal =
    /^(?:the\s+)?([\w."`[\] ]+?)\s*(?:==?|\bis\b|\bequals\b)\s*(?:'([^']*)'|"([^"]*)"|(-?\d+(?:\.\d+)?)|(\w+))$/i.exec(
      condition,
    );
  const column = equal ? findColumn(equal[1] ?? "", places) : undefined;
  if (equal && column && !/^(null|not|true|false)$/i.test(equal[5] ?? "")) {
    const value = equal[2] ?? equal[3] ?? equal[4] ?? equal[5] ?? "";
    return { kind: "value", table: column.table, column: column.column, value };
  }
  // "Customers" is the table before it is a column that holds its keys.
  const table = findTable(whole, places);
  if (table) return { kind: "table", table: table.name };
  const named = findColumn(whole, places);
  if (named) return { kind: "column", table: named.table, column: named.column };
  return toExpansion(whole, schema);
}

/** Words that stand for other words, when those could stand in a question. */
function toExpansion(text: string, schema: Schema): KnownMeaning | undefined {
  const words = (text.split(/[.,;:(\n]/)[0] ?? "").trim().replace(/^(?:the|an?)\s+/i, "");
  const count = words.split(/\s+/).length;
  // A definition with conditions of its own would lose them: a name is put in place of a name.
  const isName = !/\b(who|which|that|where|when|whose|within|over|after|before|recent|recently|latest|most)\b/i.test(
    text,
  );
  if (words === "" || count > 7 || !isName || /[=*/+<>{}[\]'"]|\d|\w\(/.test(text)) return undefined;
  const small = words
    .split(/\s+/)
    .map((word) => (/^\p{Lu}[\p{Ll}]+$/u.test(word) ? word.toLowerCase() : word))
    .join(" ");
  const stems = new Set(
    schema.tables.flatMap((table) => [...table.stems, ...table.columns.flatMap((one) => one.stems)]),
  );
  return nameWords(small).some((word) => stems.has(stem(word))) ? { kind: "expansion", text: small } : undefined;
}

const columnText = String.raw`(?:[\w"\x60[\]]+\s*\.\s*)?["\x60[]?[\w ]+?["\x60\]]?`;
const expression = new RegExp(
  String.raw`^\s*(?:(SUM|AVG|MIN|MAX|COUNT|TOTAL)\s*\(\s*(DISTINCT\s+)?)?(\*|${columnText})(?:\s*(?:\*|×|\btimes\b|\bmultiplied by\b|\bx\b)\s*(${columnText}))?\s*\)?\s*$`,
  "i",
);

/** `SUM(a.x * a.y)`, `x × y`, `COUNT(*)`: what a measure is made of; other formulas are for a model. */
export function readExpression(text: string, places: TableInfo[], schema: Schema): KnownMeaning | undefined {
  const match = expression.exec(text.trim().replace(/^(?:the\s+)?(?:sum|total)\s+of\s+(.+)$/i, "SUM($1)"));
  if (!match) return undefined;
  const [, fn = "", distinct, first = "", second] = match;
  const aggregate = fn.toUpperCase();
  if (aggregate === "COUNT") return toCount(first, distinct !== undefined, places);
  if (second === undefined && aggregate === "") return undefined;
  const pair = second === undefined ? undefined : findPair(first, second, places);
  if (second !== undefined && !pair) return undefined;
  const column = pair?.[0] ?? findColumn(first, places);
  if (!column || (aggregate === "" && !pair)) return undefined;
  if (aggregate === "" || aggregate === "SUM" || aggregate === "TOTAL") {
    const scalar: Scalar = { column: refOf(column), ...(pair ? { times: refOf(pair[1]) } : {}) };
    return isNumeric(column) || pair ? { kind: "measure", scalar } : undefined;
  }
  if (pair) return undefined;
  const said = { AVG: "average", MIN: "minimum", MAX: "maximum" }[aggregate] ?? "total";
  const owner = schema.table(column.table).words.join(" ");
  return { kind: "expansion", text: `${said} ${owner} ${column.words.join(" ")}` };
}

function toCount(text: string, distinct: boolean, places: TableInfo[]): KnownMeaning | undefined {
  const table = text === "*" ? places[0] : undefined;
  const column = text === "*" ? undefined : findColumn(text, places);
  const words = table?.words ?? (column?.isKey && !column.reference ? tableOf(column, places)?.words : column?.words);
  if (!words || words.length === 0) return undefined;
  const name = [...words.slice(0, -1), plural(words.at(-1) ?? "")].join(" ");
  return { kind: "expansion", text: `number of ${distinct && column?.reference ? "different " : ""}${name}` };
}

const tableOf = (column: ColumnInfo, places: TableInfo[]) => places.find(({ name }) => name === column.table);
const refOf = ({ table, column }: ColumnInfo) => ({ table, column });

/** Two factors stand in one row, so they are columns of one table. */
function findPair(first: string, second: string, places: TableInfo[]): [ColumnInfo, ColumnInfo] | undefined {
  for (const table of places) {
    const [one, other] = [findColumn(first, [table]), findColumn(second, [table])];
    if (one && other && isNumeric(one) && isNumeric(other)) return [one, other];
  }
  return undefined;
}

const keyOf = (text: string): string => nameWords(text).map(stem).join("");
const plain = (text: string): string => text.replaceAll(/["`[\]]/g, "").trim();

/** By `Table.Column`, by its name, or by its words; the first table that has it. */
function findColumn(text: string, places: TableInfo[]): ColumnInfo | undefined {
  const said = plain(text).replace(/^(?:the|an?)\s+/i, "");
  const dotted = /^(.+)\.([^.]+)$/.exec(said);
  const column = (dotted?.[2] ?? said).trim().toLowerCase();
  if (column === "") return undefined;
  const tables = dotted ? places.filter(({ name }) => name.toLowerCase() === dotted[1]?.trim().toLowerCase()) : places;
  const all = tables.flatMap((table) => table.columns);
  return (
    all.find((known) => known.column.toLowerCase() === column) ??
    all.find((known) => known.stems.join("") === keyOf(column)) ??
    all.find((known) => !dotted && keyOf(`${known.table} ${known.column}`) === keyOf(column)) ??
    all.find((known) => known.isKey && known.reference && known.stems.slice(0, -1).join("") === keyOf(column))
  );
}

function findTable(text: string, places: TableInfo[]): TableInfo | undefined {
  const said = plain(text).replace(/^(?:the|an?)\s+/i, "");
  return (
    places.find(({ name }) => name.toLowerCase() === said.toLowerCase()) ??
    places.find(({ stems }) => stems.join("") === keyOf(said))
  );
}

/** A word that names something already needs no other meaning, unless a rule lists it. */
const isName = (word: string, schema: Schema): boolean => findTable(word, schema.tables) !== undefined;
