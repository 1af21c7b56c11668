/**
 * What verified queries teach beyond their own question: which column, value or table a word meant there. Each is
 * planned as if it were asked now; where the plan doesn't read what the verified SQL reads, and exactly one change would
 * make it do so, that change counts for questions that share the word. Pure: nothing is run.
 */
import type { Catalog, Knowledge, VerifiedPiece } from "../../protocol/index.ts";
import type { Choice } from "../frame/candidates.ts";
import type { KnownMeaning, KnownWord } from "../knowledge/knowledge.ts";
import type { Plan } from "../plan.ts";
import type { ColumnInfo, Schema, TableInfo } from "../schema/schema.ts";
import { stem, type Token } from "../words/language.ts";
import { emptyNouns } from "../words/lexicon.ts";
import { staleReason } from "./reuse.ts";
import { readFacts } from "./reuse-decisions.ts";
import { findLiterals } from "./reuse-literals.ts";

/** One reading of a question. */
export interface Trial {
  plan?: Plan | undefined;
  choices: Choice[];
  /** Words that were tied to nothing. */
  loose: Token[];
}
export type Try = (question: string, schema: Schema) => Trial;

/** A choice that is made otherwise than usual: by key, the label that usually wins, and the one that is meant. */
export type LearnedPicks = ReadonlyMap<string, ReadonlyMap<string, string>>;

type Lesson =
  | { kind: "pick"; key: string; from: string; to: string }
  | { kind: "word"; word: KnownWord }
  /** The usual reading was right: these choices stand. */
  | { kind: "confirmed"; picks: [key: string, label: string][] };

/** So many verified questions are looked at, the nearest by their words. */
const mostPieces = 8;
/** Learning from one means planning it again and again: fewer, and not for ever. */
const mostLessons = 4;
const mostTrials = 12;

interface Taught {
  lessons: Map<VerifiedPiece, Lesson | null>;
  /** Schemas by the files that taught them something, so that what is kept of one stays. */
  schemas: Map<string, Schema>;
}
const taught = new WeakMap<Schema, Taught>();

/** The schema with what the verified queries near to the question teach; the same schema when they teach nothing. */
export function withLessons(
  question: string,
  schema: Schema,
  knowledge: Knowledge,
  catalog: Catalog,
  attempt: Try,
): Schema {
  const open = openWords(attempt(question, schema));
  if (open.size === 0) return schema;
  const kept: Taught = taught.get(schema) ?? { lessons: new Map(), schemas: new Map() };
  taught.set(schema, kept);
  // Only a question that shares one of the words in doubt can say what it means.
  const shares = (words: ReadonlySet<string>) => [...open].some((word) => words.has(word));
  const near = nearest(question, knowledge, catalog, shares).slice(0, mostLessons);
  const learned = near.flatMap((piece) => {
    const known = kept.lessons.get(piece);
    const lesson = known === undefined ? learn(piece, schema, catalog, attempt) : known;
    kept.lessons.set(piece, lesson);
    return lesson ? [{ file: piece.file, lesson }] : [];
  });
  const key = learned.map(({ file }) => file).join("\0");
  const made =
    kept.schemas.get(key) ??
    teach(
      schema,
      learned.map(({ lesson }) => lesson),
    );
  kept.schemas.set(key, made);
  return made;
}

/** Stems of the words that were tied to nothing, or to one of several things. */
function openWords({ loose, choices }: Trial): Set<string> {
  const chosen = choices.filter(({ options }) => options.length > 1).flatMap(({ words }) => [...contentOf(words)]);
  return new Set([...loose.flatMap(({ keys }) => keys), ...chosen]);
}

const contentOf = (question: string): Set<string> =>
  new Set(
    (question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter((word) => word.length > 2).map((word) => stem(word)),
  );

const contents = new WeakMap<VerifiedPiece, Set<string>>();

function contentOfPiece(piece: VerifiedPiece): Set<string> {
  const known = contents.get(piece);
  if (known) return known;
  const made = contentOf(piece.question);
  contents.set(piece, made);
  return made;
}

/** Verified queries that may be used, nearest by their words first. */
export function nearest(
  question: string,
  knowledge: Knowledge,
  catalog: Catalog,
  isWanted: (words: ReadonlySet<string>) => boolean = () => true,
): VerifiedPiece[] {
  const asked = contentOf(question);
  const rated = knowledge.verified
    .flatMap((piece) => {
      const own = contentOfPiece(piece);
      const shared = [...own].filter((word) => asked.has(word)).length;
      return shared > 0 && isWanted(own) ? [{ piece, near: (2 * shared) / (own.size + asked.size) }] : [];
    })
    .sort((a, b) => b.near - a.near || a.piece.file.localeCompare(b.piece.file));
  const found: VerifiedPiece[] = [];
  for (const { piece } of rated) {
    if (found.length === mostPieces) break;
    if (staleReason(piece, catalog) === undefined) found.push(piece);
  }
  return found;
}

// — what a statement reads —

interface Reads {
  /** Columns that aren't keys, wherever they stand; keys only where they are shown. */
  columns: Set<string>;
  tables: Set<string>;
  texts: Set<string>;
}

function readsOf(sql: string, schema: Schema, catalog: Catalog, shownKeys?: readonly string[]): Reads | undefined {
  const facts = readFacts(sql, catalog);
  if (!facts || facts.tables.some(({ known }) => !known)) return undefined;
  const isKey = new Set(
    schema.tables.flatMap((table) => table.columns.filter((column) => column.isKey).map((column) => nameOf(column))),
  );
  const shown = shownKeys ?? [...facts.projected.keys()].filter((name) => isKey.has(name));
  return {
    columns: new Set([...[...facts.used.keys()].filter((name) => !isKey.has(name)), ...shown]),
    tables: new Set(facts.tables.map(({ table }) => table.toLowerCase())),
    texts: new Set(
      findLiterals(sql, catalog.engine).flatMap(({ kind, value }) => (kind === "text" ? [value.toLowerCase()] : [])),
    ),
  };
}

const nameOf = ({ table, column }: { table: string; column: string }): string => `${table}.${column}`.toLowerCase();
const equal = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size === b.size && [...a].every((one) => b.has(one));
const sameReads = (a: Reads, b: Reads): boolean =>
  equal(a.columns, b.columns) && equal(a.tables, b.tables) && equal(a.texts, b.texts);

/** A plan's steps carry keys along: only those it shows in the end count. */
function readsOfPlan(plan: Plan, schema: Schema, catalog: Catalog): Reads | undefined {
  const keys = plan.columns.filter(
    ({ role, table, column }) => role === "output" && schema.column({ table, column }).isKey,
  );
  return readsOf(plan.sql, schema, catalog, keys.map(nameOf));
}

// — learning —

function learn(piece: VerifiedPiece, schema: Schema, catalog: Catalog, attempt: Try): Lesson | null {
  const wanted = readsOf(piece.sql, schema, catalog);
  if (!wanted) return null;
  const first = attempt(piece.question, schema);
  const fits = (trial: Trial): boolean => {
    const reads = trial.plan && readsOfPlan(trial.plan, schema, catalog);
    return reads !== undefined && sameReads(reads, wanted);
  };
  if (fits(first)) {
    const open = first.choices.filter(({ options }) => options.length > 1);
    return { kind: "confirmed", picks: open.map(({ key, chosen }) => [key, chosen]) };
  }
  const tried = [...candidates(first, wanted, schema, piece)].slice(0, mostTrials);
  const fitting = tried.filter((lesson) => fits(attempt(piece.question, teach(schema, [lesson]))));
  // Two ways to the same columns say nothing about what a word means.
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function* candidates(first: Trial, wanted: Reads, schema: Schema, piece: VerifiedPiece): Generator<Lesson> {
  const isKey = (label: string) =>
    schema.tables.some((table) =>
      table.columns.some((column) => column.isKey && nameOf(column) === label.toLowerCase()),
    );
  for (const { key, options, chosen } of first.choices)
    for (const { label } of options.slice(0, 5))
      if (label !== chosen && isWanted(label, wanted) && !isKey(label) && !isKey(chosen))
        yield { kind: "pick", key, from: chosen, to: label };
  // A reading that came about without the word needs no meaning for it.
  if (first.plan) return;
  const places = schema.tables.filter(({ name }) => wanted.tables.has(name.toLowerCase()));
  const columns = places.flatMap((table) => table.columns.filter((column) => wanted.columns.has(nameOf(column))));
  for (const token of first.loose.filter(({ pos, lower }) => pos !== "VERB" && lower.length > 2))
    for (const meaning of meaningsFor(places, columns, wanted))
      yield {
        kind: "word",
        word: {
          word: token.text,
          tokens: [{ lower: token.lower, keys: token.keys }],
          meaning,
          from: piece.id,
          learned: true,
        },
      };
}

/** `Album.Title`, `Genre.Name = Rock`, `Track`: what the label speaks of is read by the verified SQL. */
function isWanted(label: string, wanted: Reads): boolean {
  const name = (label.split(" = ")[0] ?? "").split(" × ")[0]?.toLowerCase() ?? "";
  return wanted.columns.has(name) || wanted.tables.has(name);
}

/** What the verified SQL reads, as a meaning of a word. */
function meaningsFor(places: TableInfo[], columns: ColumnInfo[], wanted: Reads): KnownMeaning[] {
  const values = columns.flatMap((column) =>
    [...wanted.texts].flatMap((text): KnownMeaning[] => {
      // As it is stored, where that is known.
      const stored = column.info.samples.find((sample) => sample.toLowerCase() === text);
      return stored === undefined ? [] : [{ kind: "value", table: column.table, column: column.column, value: stored }];
    }),
  );
  return [
    ...values,
    ...columns
      .filter(({ isKey }) => !isKey)
      .map(({ table, column }): KnownMeaning => ({ kind: "column", table, column })),
    ...places.map(({ name }): KnownMeaning => ({ kind: "table", table: name })),
  ];
}

// — teaching —

function teach(schema: Schema, learned: readonly Lesson[]): Schema {
  const votes = new Map<string, number>();
  const vote = (...key: string[]) => votes.set(key.join("\0"), (votes.get(key.join("\0")) ?? 0) + 1);
  for (const lesson of learned) {
    if (lesson.kind === "confirmed") for (const [key, label] of lesson.picks) vote(key, label);
    if (lesson.kind === "pick") vote(lesson.key, lesson.from, lesson.to);
  }
  const of = (...key: string[]) => votes.get(key.join("\0")) ?? 0;
  const picks = new Map<string, Map<string, string>>();
  const words: KnownWord[] = [];
  for (const lesson of learned) {
    if (lesson.kind === "pick" && of(lesson.key, lesson.from, lesson.to) > of(lesson.key, lesson.from))
      picks.set(lesson.key, (picks.get(lesson.key) ?? new Map<string, string>()).set(lesson.from, lesson.to));
    if (lesson.kind === "word" && !words.some(({ word }) => word.toLowerCase() === lesson.word.word.toLowerCase()))
      words.push(lesson.word);
  }
  const { knowledge } = schema;
  if (!knowledge || (picks.size === 0 && words.length === 0)) return schema;
  const byFirst = new Map(knowledge.byFirst);
  for (const word of words)
    for (const key of word.tokens[0]?.keys ?? []) byFirst.set(key, [...(byFirst.get(key) ?? []), word]);
  return { ...schema, knowledge: { ...knowledge, byFirst, picks } };
}

/** Words of a question that no link explains and that could stand for something, a name of two letters too. */
export const looseTokens = (tokens: readonly Token[]): Token[] =>
  tokens.filter(
    ({ pos, text, lower, lemma, quoted }) =>
      !quoted &&
      /\p{L}/u.test(lower) &&
      !emptyNouns.has(lemma) &&
      (/^(NOUN|ADJ|PROPN|VERB|NUM|X)$/.test(pos) || /^\p{Lu}{2,}$/u.test(text)),
  );
