/**
 * The reviewer's words after `Other — specify`, as typed edits. Joins and tables change what the plan is built from;
 * the rest changes the frame. What can't be read gives nothing, and the caller asks back instead of guessing.
 */
import type { ValueIndex } from "../../catalog/value-index.ts";
import type { FilterDecision, JoinType } from "../../protocol/index.ts";
import { linkQuestion } from "../linking/linking.ts";
import type { JoinWishes } from "../relations/joins.ts";
import { noWishes } from "../relations/joins.ts";
import type { ColumnRef, Schema } from "../schema/schema.ts";
import type { JoinNode } from "../statement/to-sql.ts";
import { stem } from "../words/language.ts";
import { readClauseEdit } from "./read-clause-edit.ts";
import { readFilterWords } from "./read-filter-words.ts";
import { type FrameEdit, toFrameEdit } from "./read-frame-edit.ts";
import { readWishes } from "./read-wishes.ts";

export type Edit =
  | { kind: "join-type"; type: JoinType; table?: string; index?: number }
  | { kind: "ban"; table: string }
  | { kind: "pairs"; tables: [string, string]; left: string; right: string }
  | { kind: "also-table"; table: string }
  | { kind: "prefer"; ref: ColumnRef }
  /** Asks for what was accepted before: the plan already keeps to it. */
  | { kind: "keep" }
  | { kind: "question"; text: string }
  /** Words of the question that are to be passed over. */
  | { kind: "ignore"; text: string }
  | { kind: "frame"; edit: FrameEdit };

export interface Corrected {
  wishes: JoinWishes;
  alsoTables: string[];
  preferred: ColumnRef[];
  frameEdits: FrameEdit[];
  ignored: string[];
  /** The reviewer put the question anew. */
  question?: string;
  /** Nothing of what the question says counts any more. */
  anew?: boolean;
}

export interface CorrectionContext {
  schema: Schema;
  values: ValueIndex;
  /** Joins of the plan the words speak about. */
  joins: JoinNode[];
  filters?: FilterDecision[];
  today?: string | undefined;
}

export type ReadEdit =
  | { ok: true; edits: Edit[] }
  | {
      ok: false;
      options?: string[];
      why?: string;
      /** The sentence that was not understood, and what the others ask for. */
      part?: string;
      understood?: Edit[];
    };

export function applyEdits(edits: Edit[]): Corrected {
  const corrected: Corrected = { wishes: noWishes(), alsoTables: [], preferred: [], ignored: [], frameEdits: [] };
  for (const edit of edits) {
    if (edit.kind === "join-type")
      corrected.wishes.types.unshift({
        type: edit.type,
        ...(edit.table ? { table: edit.table } : {}),
        ...(edit.index === undefined ? {} : { index: edit.index }),
      });
    if (edit.kind === "ban") {
      corrected.wishes.banned.add(edit.table);
      corrected.alsoTables = corrected.alsoTables.filter((table) => table !== edit.table);
    }
    if (edit.kind === "pairs")
      corrected.wishes.pairs = [
        ...corrected.wishes.pairs.filter(
          (pair) => !(pair.tables.includes(edit.tables[0]) && pair.tables.includes(edit.tables[1])),
        ),
        { tables: edit.tables, left: edit.left, right: edit.right },
      ];
    if (edit.kind === "also-table") {
      corrected.alsoTables.push(edit.table);
      corrected.wishes.banned.delete(edit.table);
    }
    if (edit.kind === "prefer") corrected.preferred.unshift(edit.ref);
    if (edit.kind === "ignore") corrected.ignored.push(edit.text);
    if (edit.kind === "frame") {
      if (edit.edit.kind === "anew") {
        corrected.anew = true;
        corrected.alsoTables = [];
        corrected.frameEdits = [];
      }
      corrected.frameEdits.push(edit.edit);
    }
    if (edit.kind === "question") {
      corrected.question = edit.text;
      corrected.frameEdits = [];
    }
  }
  return corrected;
}

const clean = (text: string) =>
  text
    .trim()
    .replace(/[.!]+$/, "")
    .replace(
      /^(please|no,|no(?! limit| duplicates),?|yes,? but|but|and|i think|i would|we should|you should|it should|actually,?|rather,?)\s+/i,
      "",
    )
    .replace(/\s+/g, " ");

/** What sending a deviation back begins with: "Keep #27, as accepted: … . Not as in this SQL: … ." */
const keepWords =
  /\bkeep #\d+(?:.*?\. Not as in this SQL:.*?(?:\.(?=\s+\p{Lu})|\.?$)|, as accepted:.*$|\.(?=\s)|\.?$)/gisu;

/** Sentences apart, but not inside quotation marks. */
function toSentences(text: string): string[] {
  const cuts = [...text.matchAll(/"[^"]*"|'[^']*'(?!\p{L})|[.;!]\s+(?=[\p{Lu}"'#])/gu)].filter((match) =>
    /^[.;!]/.test(match[0]),
  );
  let from = 0;
  const found: string[] = [];
  for (const cut of cuts) {
    found.push(text.slice(from, cut.index));
    from = cut.index + cut[0].length;
  }
  return [...found, text.slice(from)].map((part) => part.trim()).filter(Boolean);
}

/** Every sentence is read; those that are understood hold although one is not. */
export function readCorrection(text: string, context: CorrectionContext): ReadEdit {
  const rest = text.replace(keepWords, " ").trim();
  const kept: Edit[] = rest === text.trim() ? [] : [{ kind: "keep" }];
  if (rest === "" && kept.length > 0) return { ok: true, edits: kept };
  const sentences = toSentences(rest);
  if (sentences.length < 2) {
    const read = readSentence(rest, context);
    if (read.ok) return { ok: true, edits: [...kept, ...read.edits] };
    return { ...read, ...(read.understood ? { understood: [...kept, ...read.understood] } : {}) };
  }
  const edits = [...kept];
  let failed: { read: Extract<ReadEdit, { ok: false }>; part: string } | undefined;
  for (const part of sentences) {
    const read = readSentence(part, context);
    edits.push(...(read.ok ? read.edits : (read.understood ?? [])));
    if (!read.ok) failed ??= { read, part: read.part ?? part };
  }
  if (!failed) return { ok: true, edits };
  const whole = readSentence(rest, context);
  if (whole.ok && edits.length === 0) return whole;
  return { ...failed.read, part: failed.part, understood: edits };
}

function readSentence(text: string, context: CorrectionContext): ReadEdit {
  return readWishes(clean(text), context, (wish) => readOne(clean(wish), context));
}

/** A table by its name, its words, or a word of the question that links to it. */
export function findTableNamed(text: string, schema: Schema): string | undefined {
  const words = text
    .toLowerCase()
    .replace(/["'`]/g, "")
    .replace(/\b(the|table|tables|a|an)\b/g, " ")
    .trim();
  const key = words
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(stem)
    .join("");
  if (key === "") return undefined;
  return (
    schema.tables.find((table) => table.name.toLowerCase() === words) ??
    schema.tables.find((table) => table.stems.join("") === key)
  )?.name;
}

export function findColumnsNamed(text: string, schema: Schema): ColumnRef[] {
  const plain = text
    .trim()
    .replace(/["'`]/g, "")
    .replace(/^(the|column|field)\s+/i, "")
    .replace(/\s+(column|field)$/i, "");
  const dotted = /^([\p{L}\p{N}_ ]+)\.([\p{L}\p{N}_ ]+)$/u.exec(plain);
  const key = (value: string) =>
    value
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter(Boolean)
      .map(stem)
      .join("");
  const found: ColumnRef[] = [];
  for (const table of schema.tables) {
    for (const column of table.columns) {
      const own = column.stems.join("");
      const name = column.column.toLowerCase();
      const match = dotted
        ? table.name.toLowerCase() === dotted[1]?.trim().toLowerCase() &&
          (name === dotted[2]?.trim().toLowerCase() || own === key(dotted[2] ?? ""))
        : name === plain.toLowerCase() || own === key(plain) || `${table.stems.join("")}${own}` === key(plain);
      if (match) found.push({ table: table.name, column: column.column });
    }
  }
  return found;
}

function readOne(text: string, context: CorrectionContext): ReadEdit {
  const filter = readFilterWords(text, context);
  if (filter) return filter.ok ? done({ kind: "frame", edit: filter.edit }) : { ok: false, why: filter.why };
  const ignored =
    /^(?:leave|keep|take)\s+["“'‘](.+)["”'’]\s+out(?:\s+of\s+(?:it|the question))?$/i.exec(text) ??
    /^(?:go on without|ignore|pass over|forget)\s+(?:the words?\s+)?["“'‘](.+)["”'’]$/i.exec(text);
  if (ignored?.[1]) return done({ kind: "ignore", text: ignored[1] });
  const clause = readClauseEdit(text, context.schema);
  if (clause) return done({ kind: "frame", edit: clause });
  const aggregate = toFrameEdit(text, context);
  if (
    aggregate?.kind === "aggregate" ||
    aggregate?.kind === "keep-empty" ||
    aggregate?.kind === "count-distinct" ||
    aggregate?.kind === "compare"
  )
    return done({ kind: "frame", edit: aggregate });
  return (
    readJoin(text, context) ??
    readTables(text, context) ??
    readFrame(text, context) ??
    readQuestion(text, context) ?? { ok: false }
  );
}

const done = (...edits: Edit[]): ReadEdit => ({ ok: true, edits });

function readJoin(text: string, context: CorrectionContext): ReadEdit | undefined {
  const { schema, joins } = context;
  const type =
    /\b(left|inner|full|cross)(?:[ -]outer)?[ -]?joins?\b/i.exec(text) ??
    (/\b(outer join)s?\b/i.test(text) ? ["", "left"] : null);
  if (type) {
    const made = (type[1] ?? "").toUpperCase().replace("OUTER JOIN", "LEFT") as JoinType;
    const index =
      /\bjoins?\s+(?:in\s+)?(?:join\s+)?(?:no\.?\s*|number\s*|#)?(\d+)\b/i.exec(text) ??
      /\b(?:the\s+)?(first|second|third|fourth|last)\s+join\b/i.exec(text);
    if (index) {
      const ordinal = ["first", "second", "third", "fourth"].indexOf((index[1] ?? "").toLowerCase());
      const at = ordinal >= 0 ? ordinal + 1 : /last/i.test(index[1] ?? "") ? joins.length : Number(index[1]);
      if (at < 1 || at > joins.length)
        return {
          ok: false,
          why: `There are ${joins.length} joins, so there is no join ${at}.`,
          options: joins.map((_, number) => `Use ${made} JOIN in join ${number + 1}`),
        };
      return done({ kind: "join-type", type: made, index: at });
    }
    const rest = text
      .replace(/^.*?\bjoins?\b/i, "")
      .replace(
        /\b(for|in|on|to|with|between|instead|the|of|inner|left|join|please|there|here|everywhere|all|not|an?)\b/gi,
        " ",
      )
      .trim();
    if (rest !== "") {
      for (const part of [rest, ...rest.split(/\s+and\s+|,|\s+/)]) {
        const table = findTableNamed(part, schema);
        if (table) return done({ kind: "join-type", type: made, table });
      }
    }
    const before = findTableNamed(text.replace(/\b(left|inner|full|cross)\b.*$/i, ""), schema);
    return done({ kind: "join-type", type: made, ...(before ? { table: before } : {}) });
  }
  const equality = /([\p{L}\p{N}_]+)\.([\p{L}\p{N}_]+)\s*=\s*([\p{L}\p{N}_]+)\.([\p{L}\p{N}_]+)/u.exec(text);
  if (equality) {
    const resolve = (name: string) =>
      joins.flatMap((join) => [join.left, join.right]).find((side) => side.alias.toLowerCase() === name.toLowerCase())
        ?.table ?? findTableNamed(name, schema);
    const [left, right] = [resolve(equality[1] ?? ""), resolve(equality[3] ?? "")];
    const leftColumn = left ? columnIn(schema, left, equality[2] ?? "") : undefined;
    const rightColumn = right ? columnIn(schema, right, equality[4] ?? "") : undefined;
    if (left && right && leftColumn && rightColumn)
      return done({ kind: "pairs", tables: [left, right], left: leftColumn, right: rightColumn });
    return { ok: false, why: `${equality[0]} names a column that isn't there.` };
  }
  const on =
    /\b(?:join(?:ed)?|match|pair|connect)\b(.*?)\b(?:on|by|over|using|through|via)\s+(?:the\s+)?(?:column\s+)?["'`]?([\p{L}\p{N}_ ]+?)["'`]?(?:\s+instead)?$/iu.exec(
      text,
    ) ??
    /^(?:use|take)\s+()(?:the\s+)?(?:column\s+)?["'`]?([\p{L}\p{N}_]+)["'`]?\s+(?:for the join|as (?:the )?(?:join )?key|to join)(?:\s+instead)?$/iu.exec(
      text,
    );
  if (!on) return undefined;
  const key = on[2] ?? "";
  const number = Number(/join\s+(\d+)/i.exec(text)?.[1] ?? 0);
  const named = (on[1] ?? "")
    .split(/\s+(?:and|with|to)\s+/)
    .map((part) => findTableNamed(part, schema))
    .filter((table) => table !== undefined);
  const candidates: [string, string][] =
    named.length === 2
      ? [[named[0] as string, named[1] as string]]
      : joins
          .filter((_, index) => number === 0 || index + 1 === number)
          .map((join) => [join.left.table, join.right.table]);
  const both = candidates.filter(([left, right]) => columnIn(schema, left, key) && columnIn(schema, right, key));
  const first = both[0];
  if (first)
    return done({
      kind: "pairs",
      tables: first,
      left: columnIn(schema, first[0], key) as string,
      right: columnIn(schema, first[1], key) as string,
    });
  // Only one side has it: offer what it could be compared with.
  const options: string[] = [];
  for (const [left, right] of candidates) {
    for (const [own, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const column = columnIn(schema, own, key);
      if (!column) continue;
      const target = schema.table(other);
      for (const primary of target.table.primaryKey) options.push(`Use ${own}.${column} = ${other}.${primary} instead`);
      for (const same of target.columns
        .filter((candidate) => candidate.words.at(-1) === schema.column({ table: own, column }).words.at(-1))
        .slice(0, 2))
        options.push(`Use ${own}.${column} = ${other}.${same.column} instead`);
    }
  }
  return {
    ok: false,
    why: `No two joined tables both have a column "${key}".`,
    ...(options.length > 0 ? { options: [...new Set(options)].slice(0, 4) } : {}),
  };
}

const columnIn = (schema: Schema, table: string, name: string): string | undefined => {
  const wanted = name
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);
  const key = wanted.map(stem).join("");
  return schema
    .table(table)
    .columns.find(
      (column) => column.column.toLowerCase() === name.trim().toLowerCase() || column.stems.join("") === key,
    )?.column;
};

function readTables(text: string, context: CorrectionContext): ReadEdit | undefined {
  const { schema } = context;
  const without =
    /^(?:without|leave out|omit|drop|remove|exclude|skip|don'?t use|do not use|not|avoid|get rid of|ignore|no)\s+(?:the\s+)?(?:tables?\s+)?(.+?)(?:\s+table)?(?:\s+please)?$/i.exec(
      text,
    ) ??
    /^(?:we don'?t need|i don'?t need|you don'?t need|not needed:?)\s+(.+)$/i.exec(text) ??
    /^(?:the\s+)?(?:table\s+)?(.+?)\s+(?:is|are)\s+(?:not needed|unnecessary|superfluous)$/i.exec(text);
  if (without?.[1]) {
    const tables = without[1].split(/\s+and\s+|,\s*/).map((part) => findTableNamed(part, schema));
    if (tables.length > 0 && tables.every((table) => table !== undefined))
      return done(...tables.map((table): Edit => ({ kind: "ban", table: table as string })));
  }
  const also =
    /^(?:also|add|include|use|take)\s+(?:also\s+)?(?:the\s+)?(?:tables?\s+)(.+)$/i.exec(text) ??
    /^(?:also|add)\s+(?:use\s+|join\s+|include\s+)?(?:the\s+)?(.+?)(?:\s+table)?$/i.exec(text) ??
    /^(?:join|include|use)\s+(?:also\s+)?(?:the\s+)?(.+?)(?:\s+table)?(?:\s+(?:too|as well))?$/i.exec(text);
  if (also?.[1]) {
    const table = findTableNamed(also[1], schema);
    if (table) return done({ kind: "also-table", table });
  }
  const swap =
    /^(?:use\s+)?(?:the\s+)?(?:table\s+)?(.+?)\s+(?:instead of|rather than|not)\s+(?:the\s+)?(?:table\s+)?(.+)$/i.exec(
      text,
    );
  if (swap?.[1] && swap[2]) {
    const [to, from] = [findTableNamed(swap[1], schema), findTableNamed(swap[2], schema)];
    if (to && from && /table|^use/i.test(text))
      return done({ kind: "ban", table: from }, { kind: "also-table", table: to });
  }
  const column =
    /^(?:use\s+)?(?:the\s+)?(?:column|field)\s+(.+?)(?:\s+(?:instead of|rather than|not)\s+(?:the\s+)?(?:column\s+)?(.+)|\s+instead)?$/i.exec(
      text,
    ) ??
    /^(?:i\s+mean|i\s+meant|we\s+mean|meant(?:\s+is)?|take|use)\s+(?:the\s+)?([\p{L}\p{N}_. ]+?)(?:\s+(?:instead of|rather than|not)\s+(?:the\s+)?([\p{L}\p{N}_. ]+)|\s+instead|\s+column)?$/iu.exec(
      text,
    ) ??
    /^(?:the\s+)?([\p{L}\p{N}_.]+)\s+(?:instead of|rather than)\s+(?:the\s+)?([\p{L}\p{N}_.]+)$/iu.exec(text);
  if (column?.[1]) {
    const to = findColumnsNamed(column[1], schema);
    const from = column[2] ? findColumnsNamed(column[2], schema) : [];
    if (to.length > 0) {
      return done(...to.slice(0, 3).map((ref): Edit => ({ kind: "prefer", ref })), {
        kind: "frame",
        edit: { kind: "use-column", to, from, words: text },
      });
    }
  }
  return undefined;
}

function readFrame(text: string, context: CorrectionContext): ReadEdit | undefined {
  const edit = toFrameEdit(text, context);
  return edit ? done({ kind: "frame", edit }) : undefined;
}

/** A whole new question is read as such. */
function readQuestion(text: string, context: CorrectionContext): ReadEdit | undefined {
  if (
    !/^(i want|i need|i asked|show|list|give|what|which|who|how|count|find|it'?s|i would like|for each|the question is)/i.test(
      text,
    ) ||
    text.split(" ").length < 4
  )
    return undefined;
  const linked = linkQuestion(text, context.schema, context.values, context.today);
  const named = linked.items.filter((item) => item.kind === "table" || item.kind === "column").length;
  return named > 0 ? done({ kind: "question", text }) : undefined;
}
