/**
 * Names in the reviewer's corrections: "age", "singer.Name", "the average horsepower", "the number of concerts". At a gate
 * people name what they see there, so names are taken as they stand and not weighed as those of a question are.
 */
import type { Building } from "../frame/building.ts";
import {
  type Condition,
  conditionColumns,
  type Frame,
  keyTable,
  type Measure,
  measureTable,
  type Output,
} from "../frame/frame.ts";
import { isAmount } from "../frame/meanings.ts";
import type { JoinGraph } from "../relations/joins.ts";
import { type ColumnRef, isNumeric, type Schema } from "../schema/schema.ts";
import { stem } from "../words/language.ts";

export type Aggregate = "COUNT" | "SUM" | "AVG" | "MIN" | "MAX";

export interface NamedValue {
  words: string;
  fn?: Aggregate;
  distinct?: boolean;
  /** Columns of that name; the nearest one is meant. */
  columns: ColumnRef[];
  table?: string;
}

const aggregateWords: [RegExp, Aggregate][] = [
  [/^(?:average|mean|avg)\s+/i, "AVG"],
  [/^(?:total|sum)\s+/i, "SUM"],
  [/^(?:maximum|max|highest|largest|greatest|latest|longest)\s+/i, "MAX"],
  [/^(?:minimum|min|lowest|smallest|least|earliest|shortest)\s+/i, "MIN"],
];

const bare = (text: string): string =>
  text
    .trim()
    .replace(/["'`]/g, "")
    .replace(/^(?:the|its|their|column|field|an?)\s+/i, "")
    .replace(/\s+(?:column|field)$/i, "")
    .trim();

const toKey = (text: string): string =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(stem)
    .join("");

/** Undefined when a word of it is the name of nothing. */
export function readNamedValue(text: string, schema: Schema): NamedValue | undefined {
  const words = bare(text);
  if (/^(?:counts?|number|number of rows|rows|how many(?: rows)?)$/i.test(words)) {
    const own = readName(words, schema);
    return own && own.columns.length > 0 ? own : { words, fn: "COUNT", columns: [] };
  }
  const counted = /^(?:number of|count of|count|how many)\s+(?:the\s+)?(different|distinct|unique)?\s*(.+)$/i.exec(
    words,
  );
  if (counted?.[2]) {
    const of = readName(counted[2], schema);
    return of && { ...of, words, fn: "COUNT", ...(counted[1] ? { distinct: true } : {}) };
  }
  // A column may be called so: "average", "lowest".
  const plain = readName(words, schema);
  if (plain) return plain;
  for (const [pattern, fn] of aggregateWords) {
    if (!pattern.test(words)) continue;
    const of = readName(words.replace(pattern, "").replace(/^of\s+(?:the\s+)?/i, ""), schema);
    if (of && of.columns.length > 0) return { words, fn, columns: of.columns };
  }
  return undefined;
}

/** A column or a table, by its name or its words; a column's may be told with its table's. */
export function readName(text: string, schema: Schema): NamedValue | undefined {
  const words = bare(text);
  const key = toKey(words);
  if (key === "") return undefined;
  const columns = schema.tables.flatMap((table) =>
    table.columns
      .filter((column) => {
        const [own, owner] = [toKey(column.column), toKey(table.name)];
        const spoken = column.stems.join("");
        return [own, spoken, `${owner}${own}`, `${table.stems.join("")}${spoken}`].includes(key);
      })
      .map((column): ColumnRef => ({ table: table.name, column: column.column })),
  );
  const table = schema.tables.find((known) => toKey(known.name) === key || known.stems.join("") === key)?.name;
  if (columns.length === 0 && table === undefined) return undefined;
  return { words, columns, ...(table === undefined ? {} : { table }) };
}

/** "name, age and the number of concerts": every part must be readable. */
export function readNamedValues(text: string, schema: Schema): NamedValue[] | undefined {
  const parts = text.split(/\s*,\s*(?:and\s+)?|\s+and\s+(?:also\s+)?/i).filter(Boolean);
  const values = parts.map((part) => readNamedValue(part, schema));
  return values.length > 0 && values.every((value) => value !== undefined) ? (values as NamedValue[]) : undefined;
}

/** Tables that a frame reads from. */
export function frameTables(frame: Frame): string[] {
  const outputs = [...frame.outputs, ...frame.order.map((order) => order.by)].flatMap((output) => {
    if (output.kind === "measure") return [measureTable(output.measure)];
    if (output.kind === "key") return [keyTable(output.key)];
    return [output.kind === "column" ? output.ref.table : output.of.column.table];
  });
  const conditions = frame.conditions.flatMap((condition: Condition) => conditionColumns(condition));
  return [
    ...new Set([
      frame.entity,
      ...frame.groups.map(keyTable),
      ...outputs,
      ...conditions.map((ref) => ref.table),
      ...frame.having.map((having) => measureTable(having.measure)),
      ...frame.required,
    ]),
  ];
}

/** The column that lies nearest to what the frame reads already. */
export function nearestColumn(
  columns: readonly ColumnRef[],
  { frame, graph, schema }: Building,
): ColumnRef | undefined {
  const tables = frameTables(frame);
  const far = (table: string) => tables.reduce((sum, other) => sum + Math.min(graph.distance(other, table), 9), 0);
  const rated = columns.map((ref) => ({
    ref,
    worth: (tables.includes(ref.table) ? 0 : 5) + far(ref.table) + (schema.column(ref).reference ? 0.5 : 0),
  }));
  return rated.sort((a, b) => a.worth - b.worth)[0]?.ref;
}

/** The table whose rows a join of all of them has: the one that refers to the others. */
export function finestTable(tables: readonly string[], graph: JoinGraph): string | undefined {
  return tables.find((table) => tables.every((other) => other === table || graph.toOne(table, other))) ?? tables[0];
}

const isOwn = (value: NamedValue, build: Building): boolean =>
  value.table !== undefined && frameTables(build.frame).includes(value.table);

export function toNamedMeasure(value: NamedValue, build: Building): Measure | undefined {
  const { frame, graph, schema } = build;
  const { fn, words } = value;
  if (!fn) return undefined;
  if (fn !== "COUNT") {
    const column = nearestColumn(value.columns, build);
    return column && { kind: "aggregate", fn, of: { column }, words };
  }
  if (value.table !== undefined && (!value.distinct || value.columns.length === 0 || isOwn(value, build)))
    return { kind: "count", table: value.table, ...ownKey(value.table, build), words };
  const column = nearestColumn(value.columns, build);
  if (column) {
    const key = schema.table(column.table).table.primaryKey;
    const isKey = key.length === 1 && key[0] === column.column;
    if (!value.distinct && isNumeric(schema.column(column)) && isAmount(column, build))
      return { kind: "aggregate", fn: "SUM", of: { column }, words };
    return { kind: "count", table: column.table, ...(value.distinct && !isKey ? { distinct: column } : {}), words };
  }
  const table = finestTable(frameTables(frame), graph);
  return table === undefined ? undefined : { kind: "count", table, words };
}

/** In groups of finer rows, each thing is counted once: told by its key. */
function ownKey(table: string, { frame, graph, schema }: Building): { distinct?: ColumnRef } {
  const [key, ...more] = schema.table(table).table.primaryKey;
  const isRow = frame.groups.length === 0 || finestTable(frameTables(frame), graph) === table;
  const isInGroup = frame.groups.some((group) => keyTable(group) === table || graph.toOne(table, keyTable(group)));
  return isRow || isInGroup || key === undefined || more.length > 0 ? {} : { distinct: { table, column: key } };
}

/** A count that is told by no name is the one that is shown or compared, if there is one. */
export function knownCount(value: NamedValue, { frame }: Building): Measure | undefined {
  if (value.fn !== "COUNT" || value.table !== undefined || value.columns.length > 0) return undefined;
  const shown = frame.outputs.flatMap((output) => (output.kind === "measure" ? [output.measure] : []));
  return shown.find((measure) => measure.kind === "count");
}

export function toNamedOutput(value: NamedValue, build: Building): Output | undefined {
  const measure = knownCount(value, build) ?? toNamedMeasure(value, build);
  if (measure) return { kind: "measure", measure };
  const own = value.columns.some((ref) => frameTables(build.frame).includes(ref.table));
  if (value.table !== undefined && !own)
    return { kind: "key", key: { kind: "entity", table: value.table, words: value.words } };
  const ref = nearestColumn(value.columns, build);
  return ref && { kind: "column", ref, words: value.words };
}
