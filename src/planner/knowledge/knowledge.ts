/**
 * What people told the workspace, tied to one schema: words with their meaning, columns by their description, joins
 * beyond the keys. The same knowledge gives the same links; what names nothing that is there is left out. Pure.
 */
import type { Catalog, Knowledge, Relation, RelationPiece } from "../../protocol/index.ts";
import type { Scalar } from "../frame/frame.ts";
import type { ColumnOption, Item } from "../linking/linking.ts";
import type { LearnedPicks } from "../reuse/knowledge-learned.ts";
import { nameScore, toSaid, toSpokenName } from "../schema/name-score.ts";
import { createSchema, isNumeric, type Schema } from "../schema/schema.ts";
import { nameWords, stem, type Token, tokenize } from "../words/language.ts";
import { concepts } from "../words/lexicon.ts";
import { readEvidence } from "./knowledge-evidence.ts";

export type KnownMeaning =
  | { kind: "table"; table: string }
  | { kind: "column"; table: string; column: string }
  | { kind: "value"; table: string; column: string; value: string }
  /** A sum of this over rows. */
  | { kind: "measure"; scalar: Scalar }
  /** A measure that only a model can write. */
  | { kind: "formula"; name: string; formula: string }
  /** Says by which join a table is meant; nothing else. */
  | { kind: "role" }
  /** Said otherwise, in words that the schema's names answer to. */
  | { kind: "expansion"; text: string };

export interface KnownWord {
  /** As a person wrote it. */
  word: string;
  tokens: Pick<Token, "lower" | "keys">[];
  meaning: KnownMeaning;
  /** Id of the piece that says so. */
  from: string;
  /** Concluded from a verified query: what the question names otherwise comes first. */
  learned?: boolean;
}

interface Described {
  table: string;
  column: string;
  words: string[];
  stems: string[];
  from: string;
}

export interface KnownWords {
  byFirst: ReadonlyMap<string, KnownWord[]>;
  expansions: KnownWord[];
  formulas: KnownWord[];
  described: Described[];
  /** Joins of relations.yaml by `relationKey`. */
  relations: ReadonlyMap<string, RelationPiece>;
  /** Choices that verified queries made otherwise than usual. */
  picks?: LearnedPicks;
}

/** The catalog's schema with the knowledge in it. */
export function createKnownSchema(catalog: Catalog, knowledge: Knowledge): Schema {
  const relations = new Map<string, RelationPiece>();
  const added: Relation[] = [];
  const declared = new Set(catalog.relations.map(relationKey));
  for (const piece of knowledge.relations) {
    const relation = toRelation(piece, catalog);
    if (!relation || piece.source === "proposed") continue;
    const key = relationKey(relation);
    relations.set(key, piece);
    if (!declared.has(key) && !declared.has(relationKey(turned(relation)))) added.push(relation);
    declared.add(key);
  }
  const schema = createSchema(added.length > 0 ? { ...catalog, relations: [...catalog.relations, ...added] } : catalog);
  const known = {
    byFirst: new Map(),
    expansions: [],
    formulas: [],
    described: toDescribed(schema, knowledge),
    relations,
  };
  return withWords({ ...schema, knowledge: known }, toWords(schema, knowledge));
}

/** The same schema, in which these words mean something as well. */
export function withWords(schema: Schema, words: KnownWord[]): Schema {
  const before: KnownWords = schema.knowledge ?? {
    byFirst: new Map(),
    expansions: [],
    formulas: [],
    described: [],
    relations: new Map(),
  };
  const byFirst = new Map(before.byFirst);
  for (const word of words) {
    if (word.meaning.kind === "expansion" || word.meaning.kind === "formula") continue;
    for (const key of word.tokens[0]?.keys ?? []) byFirst.set(key, [...(byFirst.get(key) ?? []), word]);
  }
  const of = (kind: KnownMeaning["kind"]) => words.filter(({ meaning }) => meaning.kind === kind);
  const expansions = [...before.expansions, ...of("expansion")];
  const formulas = [...before.formulas, ...of("formula")];
  return { ...schema, knowledge: { ...before, byFirst, expansions, formulas } };
}

/** What a piece says of a word; undefined when the words are none that a question can hold. */
export function toKnownWord(word: string, meaning: KnownMeaning, from: string, schema: Schema): KnownWord | undefined {
  const tokens = tokenize(word);
  return tokens.length === 0 || tokens.length > 6
    ? undefined
    : { word, tokens, meaning: asAmount(word, meaning, schema), from };
}

export const relationKey = ({ from, fromColumns, to, toColumns }: Relation): string =>
  JSON.stringify([from, fromColumns, to, toColumns]).toLowerCase();

const turned = (relation: Relation): Relation => ({
  ...relation,
  from: relation.to,
  fromColumns: relation.toColumns,
  to: relation.from,
  toColumns: relation.fromColumns,
});

/** From the side with many rows to the side with one; undefined for names that aren't there. */
export function toRelation(piece: RelationPiece, catalog: Catalog): Relation | undefined {
  const end = ({ table, columns }: RelationPiece["from"]) => {
    const found = catalog.tables.find(({ name }) => name.toLowerCase() === table.toLowerCase());
    const names = columns.map(
      (column) => found?.columns.find(({ name }) => name.toLowerCase() === column.toLowerCase())?.name,
    );
    return found && names.every((name) => name !== undefined)
      ? { table: found.name, columns: names as string[] }
      : null;
  };
  const [from, to] = [end(piece.from), end(piece.to)];
  if (!from || !to || from.columns.length !== to.columns.length) return undefined;
  const [many, one] = piece.cardinality === "1:N" ? [to, from] : [from, to];
  return {
    from: many.table,
    fromColumns: many.columns,
    to: one.table,
    toColumns: one.columns,
    origin: "inferred",
    why: `${piece.file} says so${piece.when ? `: ${piece.when}` : ""}`,
  };
}

/** How many partners a row can have in each direction, where a person said it. */
export function knownCardinality(
  schema: Schema,
  relation: Relation,
): { toOne: boolean; backToOne: boolean } | undefined {
  const piece = schema.knowledge?.relations.get(relationKey(relation));
  if (!piece) return undefined;
  return { toOne: piece.cardinality !== "N:M", backToOne: piece.cardinality === "1:1" };
}

/** Whether the question says the role that this join plays. */
export function isKnownRole(schema: Schema, relation: Relation, said: ReadonlySet<string> | undefined): boolean {
  const role = schema.knowledge?.relations.get(relationKey(relation))?.role;
  return role !== undefined && nameWords(role).some((word) => said?.has(stem(word)) ?? false);
}

function toWords(schema: Schema, knowledge: Knowledge): KnownWord[] {
  const words: KnownWord[] = [];
  const add = (word: string, meaning: KnownMeaning | undefined, from: string) => {
    const known = meaning && toKnownWord(word, meaning, from, schema);
    if (known) words.push(known);
  };
  for (const { word, means, id } of knowledge.synonyms) add(word, toMeaning(schema, means), id);
  for (const { table, column, value, text, id } of knowledge.descriptions) {
    if (column === null || value === null) continue;
    const meaning = toMeaning(schema, { table, column, value });
    for (const phrase of toPhrases(text)) add(phrase, meaning, id);
  }
  for (const { role, source, id } of knowledge.relations)
    if (role !== undefined && source !== "proposed") add(role, { kind: "role" }, id);
  for (const piece of knowledge.evidence)
    for (const { word, meaning } of readEvidence(piece, schema)) add(word, meaning, piece.id);
  return words;
}

const amounts = new Set([...concepts.money.words, ...concepts.quantity.words]);

/** "Revenue" that means a column of numbers is added up, as it would be without anybody's word for it. */
function asAmount(word: string, meaning: KnownMeaning, schema: Schema): KnownMeaning {
  if (meaning.kind !== "column" || !amounts.has(word.trim().toLowerCase())) return meaning;
  const { table, column } = meaning;
  return isNumeric(schema.column(meaning)) ? { kind: "measure", scalar: { column: { table, column } } } : meaning;
}

/** `shipped, sent (to the customer)` says it in two ways; a whole sentence is no way to say it. */
function toPhrases(text: string): string[] {
  return text
    .replaceAll(/\([^)]*\)/g, " ")
    .split(/[,;/\n]|\bor\b/i)
    .map((part) => part.trim().replace(/[.!]+$/, ""))
    .filter((part) => part !== "" && part.split(/\s+/).length <= 4);
}

interface Named {
  table: string;
  column?: string | undefined;
  value?: string | number | boolean | undefined;
}

function toMeaning(schema: Schema, { table, column, value }: Named): KnownMeaning | undefined {
  const info = schema.tables.find(({ name }) => name.toLowerCase() === table.toLowerCase());
  if (!info) return undefined;
  if (column === undefined) return { kind: "table", table: info.name };
  const found = info.columns.find((known) => known.column.toLowerCase() === column.toLowerCase());
  if (!found) return undefined;
  const place = { table: info.name, column: found.column };
  if (value === undefined) return { kind: "column", ...place };
  const stored = typeof value !== "boolean" || found.info.kind === "boolean" ? String(value) : value ? "1" : "0";
  return { kind: "value", ...place, value: stored };
}

const emptyWords = new Set(
  "a an the of for in on at to by is are was and or that which this it its per with".split(" "),
);

/** A column is also called what the first words of its description say. */
function toDescribed(schema: Schema, knowledge: Knowledge): Described[] {
  return knowledge.descriptions.flatMap(({ table, column, value, text, id }) => {
    const meaning = column === null || value !== null ? undefined : toMeaning(schema, { table, column });
    if (meaning?.kind !== "column") return [];
    const words = nameWords(text.split(/[,;:.(\n]/)[0] ?? "").filter((word) => !emptyWords.has(word));
    if (words.length === 0 || words.length > 6) return [];
    return [{ table: meaning.table, column: meaning.column, words, stems: words.map(stem), from: id }];
  });
}

const none: ReadonlySet<string> = new Set();

/** Columns whose description says what the span says, beside those whose name does. */
export function describedOptions(schema: Schema, span: Token[], named: readonly ColumnOption[]): ColumnOption[] {
  const described = schema.knowledge?.described ?? [];
  const [first, last] = [span[0], span.at(-1)];
  if (described.length === 0 || !first || !last || emptyWords.has(first.lower) || emptyWords.has(last.lower)) return [];
  const said = toSaid(span.filter((token) => !emptyWords.has(token.lower)));
  return described.flatMap(({ table, column, words, stems }) => {
    const score = 0.98 * nameScore(said, toSpokenName(words, stems), none);
    const better = named.some((option) => option.table === table && option.column === column && option.score >= score);
    return score < 0.6 || better ? [] : [{ table, column, score, owned: false }];
  });
}

type AddItem = (
  start: number,
  end: number,
  weight: number,
  item: Record<string, unknown> & { kind: Item["kind"] },
) => unknown;

/** What people say the span means. `isCue`: it is also a word of the language itself. */
export function addKnown(schema: Schema, span: Token[], at: { start: number; isCue: boolean }, add: AddItem): void {
  const { knowledge } = schema;
  const first = span[0];
  if (!knowledge || !first) return;
  const found = [...new Set(first.keys.flatMap((key) => knowledge.byFirst.get(key) ?? []))].filter(
    ({ tokens, meaning }) =>
      tokens.length === span.length &&
      tokens.every((token, index) => sameToken(token, span[index] as Token)) &&
      isThere(schema, meaning),
  );
  const size = span.length;
  const isLearned = found.every(({ learned }) => learned === true);
  const weight = isLearned ? size * 0.9 : size * (at.isCue ? 1.32 : 1.75) + (size - 1) * 0.4;
  const say = (item: Record<string, unknown> & { kind: Item["kind"] }, from: string) =>
    add(at.start, at.start + size, weight, { ...item, known: from });
  const columns = found.flatMap(({ meaning }) =>
    meaning.kind === "column" ? [{ table: meaning.table, column: meaning.column, score: 1.05, owned: true }] : [],
  );
  const values = found.flatMap(({ meaning: one }) =>
    one.kind === "value"
      ? [{ table: one.table, column: one.column, value: one.value, rows: 1, score: 1.3, how: "exact" }]
      : [],
  );
  const fromOf = (kind: KnownMeaning["kind"]) => found.find(({ meaning }) => meaning.kind === kind)?.from ?? "";
  if (values.length > 0) say({ kind: "value", options: values }, fromOf("value"));
  for (const { meaning, from } of found) {
    if (meaning.kind === "measure")
      say({ kind: "concept", concept: "money", verbal: false, defined: meaning.scalar }, from);
    // A role that is also a name is that name.
    if (meaning.kind === "role")
      add(at.start, at.start + size, size * 0.5, { kind: "cue", cue: "filler", known: from });
    if (meaning.kind === "table") say({ kind: "table", table: meaning.table, score: 1 }, from);
  }
  if (columns.length > 0) say({ kind: "column", options: columns }, fromOf("column"));
}

/** Tables may have been ruled out since. */
const isThere = (schema: Schema, meaning: KnownMeaning): boolean => {
  const table =
    meaning.kind === "measure" ? meaning.scalar.column.table : "table" in meaning ? meaning.table : undefined;
  return table === undefined || schema.tables.some(({ name }) => name === table);
};

const sameToken = (a: Pick<Token, "lower" | "keys">, b: Token): boolean =>
  a.lower === b.lower || a.keys.some((key) => b.keys.includes(key));

/** The question with short forms written out as people explained them. */
export function expandWords(question: string, schema: Schema): string {
  let text = question;
  for (const { word, meaning } of schema.knowledge?.expansions ?? []) {
    if (meaning.kind !== "expansion") continue;
    const pattern = word
      .trim()
      .replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll(/\s+/g, "\\s+");
    // A short form in capitals is one only in capitals.
    const flags = /^[^\p{Ll}]+$/u.test(word) ? "u" : "iu";
    text = text.replaceAll(new RegExp(`(?<![\\p{L}\\p{N}])${pattern}(?![\\p{L}\\p{N}])`, `g${flags}`), meaning.text);
  }
  return text;
}

/** A measure of the question that people defined by a formula beyond the planner: its own idea of it would be wrong. */
export function findFormula(question: string, schema: Schema): KnownWord | undefined {
  const formulas = schema.knowledge?.formulas ?? [];
  if (formulas.length === 0) return undefined;
  const said = tokenize(question);
  return formulas.find(({ tokens }) =>
    said.some((_, at) =>
      tokens.every((token, index) => said[at + index] && sameToken(token, said[at + index] as Token)),
    ),
  );
}
