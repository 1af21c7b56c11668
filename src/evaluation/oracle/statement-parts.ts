/** A statement as the parts that a reviewer talks about, with columns as `table.column` and steps seen through. */
import type { Catalog } from "../../protocol/index.ts";
import { parseStatements, type Tree } from "../../sql/parser.ts";
import { readStatement } from "../../sql/read-statement.ts";
import { fold, plainColumns } from "../../sql/scope.ts";
import type { BlockFact, EdgeFact, StatementFacts } from "../../sql/statement-facts.ts";

/** A column by folded names. */
export interface ColumnName {
  table: string;
  column: string;
}
/** What a SELECT list, an order or a comparison holds. */
export type Value =
  | { kind: "column"; of: ColumnName }
  | { kind: "aggregate"; fn: Aggregate; distinct: boolean; of: ColumnName | null }
  | { kind: "other"; form: string };
export type Aggregate = "COUNT" | "SUM" | "AVG" | "MIN" | "MAX";
export type Comparison =
  | "="
  | "<>"
  | "<"
  | "<="
  | ">"
  | ">="
  | "IN"
  | "NOT IN"
  | "LIKE"
  | "NOT LIKE"
  | "NULL"
  | "NOT NULL";
export interface Condition {
  form: string;
  /** Missing for anything but one value compared with literals. */
  simple?: { left: Value; comparison: Comparison; values: (string | number)[] };
}
export interface JoinPart {
  left: string;
  right: string;
  kind: EdgeFact["kind"];
  pairs: { left: ColumnName; right: ColumnName }[];
}
export interface StatementParts {
  /** Stored tables, folded, in the order they are read. */
  tables: string[];
  joins: JoinPart[];
  conditions: Condition[];
  outputs: Value[];
  groups: ColumnName[];
  grouped: boolean;
  distinct: boolean;
  order: { by: Value; descending: boolean }[];
  limit: number | null;
  /** UNION, INTERSECT, EXCEPT. */
  sets: string[];
}

const never = () => false;

/** Null when the statement can't be read. */
export function readParts(sql: string, catalog: Catalog): StatementParts | null {
  const facts = readFacts(sql, catalog);
  return facts ? toParts(facts) : null;
}

export function readFacts(sql: string, catalog: Catalog): StatementFacts | null {
  const parsed = parseStatements(sql, catalog.engine);
  const root = parsed.ok && parsed.value.length === 1 ? parsed.value[0] : undefined;
  if (!root) return null;
  return readStatement(plainColumns(root, catalog) as Tree, {
    catalog,
    tableKey: (origin) => fold(origin.table),
    isAcceptedStep: never,
    isAcceptedQuery: never,
    isAcceptedCondition: never,
    isAcceptedExpression: never,
  });
}

function toParts(facts: StatementFacts): StatementParts {
  const final = facts.blocks.filter((block) => block.final);
  const shown = final.find((block) => block.set === undefined);
  const end = final.find((block) => block.set !== undefined) ?? shown;
  const grouping = facts.blocks.findLast((block) => block.group !== undefined);
  const inSubquery = nestedBlocks(facts);
  return {
    tables: [...new Set(facts.tables.map((table) => fold(table.table)))],
    joins: facts.edges.flatMap(toJoin),
    conditions: facts.conditions
      .filter((condition) => !condition.trivial && !condition.edge && condition.clause !== "on")
      .map((condition) => toCondition(condition.form)),
    outputs: (shown?.outputs ?? []).map(toValue),
    groups: (grouping?.group ?? []).flatMap((form) => {
      const value = toValue(form);
      return value.kind === "column" ? [value.of] : [];
    }),
    grouped: grouping !== undefined,
    distinct: facts.blocks.some((block) => block.distinct && !inSubquery(block)),
    order: (end?.order ?? []).map(({ form, descending }) => ({ by: toValue(form), descending })),
    limit: toLimit(end),
    sets: final.flatMap((block) => (block.set === undefined ? [] : [block.set.toUpperCase()])),
  };
}

/** A DISTINCT inside a condition's query says nothing about the answer. */
function nestedBlocks(facts: StatementFacts): (block: BlockFact) => boolean {
  const inside = new Set(
    facts.edges.filter(({ kind }) => kind === "SEMI" || kind === "ANTI").map(({ block }) => block),
  );
  return (block) => !block.final && inside.has(block.block);
}

function toLimit(block: BlockFact | undefined): number | null {
  const count = /^#(\d+)$/.exec(block?.limit[0] ?? "")?.[1];
  return count === undefined ? null : Number(count);
}

function toJoin(edge: EdgeFact): JoinPart[] {
  const { left, right } = edge;
  if (left.table === undefined || right.table === undefined) return [];
  const pairs = edge.pairs.flatMap(({ left: from, right: to }) => {
    const [a, b] = [from[0], to[0]];
    return a && b
      ? [{ left: { table: fold(a.table), column: a.column }, right: { table: fold(b.table), column: b.column } }]
      : [];
  });
  const kind = edge.kind === "LEFT" && edge.alsoAnti ? "ANTI" : edge.kind;
  return [{ left: fold(left.table), right: fold(right.table), kind, pairs }];
}

const aggregateForm = /^(count|sum|avg|min|max)\((.*)\)$/;
const columnForm = /^([^.()?,:;'#]+)\.([^.()?,:;'#]+)$/;

/** Reads a normal form as `sql/` writes it. */
export function toValue(form: string): Value {
  const column = toColumn(form);
  if (column) return { kind: "column", of: column };
  const aggregate = aggregateForm.exec(form);
  if (aggregate) {
    const inner = new Map((aggregate[2] ?? "").split(";").map((part) => part.split(/:(.*)/s, 2) as [string, string]));
    const of = toColumn(inner.get("this") ?? "");
    if (of !== null || inner.has("star"))
      return {
        kind: "aggregate",
        fn: (aggregate[1] ?? "").toUpperCase() as Aggregate,
        distinct: inner.get("distinct") === "true",
        of,
      };
  }
  return { kind: "other", form };
}

function toColumn(form: string): ColumnName | null {
  const found = columnForm.exec(form);
  return found?.[1] && found[2] ? { table: found[1], column: found[2] } : null;
}

const comparisons: Record<string, [Comparison, Comparison]> = {
  eq: ["=", "="],
  neq: ["<>", "<>"],
  lt: ["<", ">"],
  lte: ["<=", ">="],
};

export function toCondition(form: string): Condition {
  const nulls = /^is( not)? null\((.*)\)$/.exec(form);
  if (nulls) return simple(form, nulls[2] ?? "", nulls[1] ? "NOT NULL" : "NULL", []);
  const negated = /^not\((like\(.*\))\)$/.exec(form);
  const like = /^like\(.*?left:([^;]+);right:('(?:[^']|'')*').*\)$/.exec(negated?.[1] ?? form);
  if (like) return simple(form, like[1] ?? "", negated ? "NOT LIKE" : "LIKE", [like[2] ?? ""]);
  const listed = /^(not )?in\(([^,[\]]+),\[(.*)\]\)$/.exec(form);
  if (listed) return simple(form, listed[2] ?? "", listed[1] ? "NOT IN" : "IN", splitLiterals(listed[3] ?? ""));
  const compared = /^(eq|neq|lt|lte)\((.*)\)$/s.exec(form);
  const sides = compared ? splitArguments(compared[2] ?? "") : [];
  const signs = comparisons[compared?.[1] ?? ""];
  if (!signs || sides.length !== 2) return { form };
  const [first, second] = sides as [string, string];
  if (isLiteral(second)) return simple(form, first, signs[0], [second]);
  if (isLiteral(first)) return simple(form, second, signs[1], [first]);
  return { form };
}

function simple(form: string, left: string, comparison: Comparison, literals: string[]): Condition {
  const value = toValue(left);
  if (value.kind === "other") return { form };
  return { form, simple: { left: value, comparison, values: literals.map(toLiteral) } };
}

const isLiteral = (form: string): boolean => /^(#-?[\d.]+|'(?:[^']|'')*')$/.test(form);
const toLiteral = (form: string): string | number =>
  form.startsWith("#") ? Number(form.slice(1)) : form.slice(1, -1).replaceAll("''", "'");
const splitLiterals = (text: string): string[] => text.match(/#-?[\d.]+|'(?:[^']|'')*'/g) ?? [];

export function splitArguments(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let quoted = false;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at];
    if (sign === "'") quoted = !quoted;
    if (quoted) continue;
    if (sign === "(" || sign === "[") depth += 1;
    if (sign === ")" || sign === "]") depth -= 1;
    if (sign === "," && depth === 0) {
      parts.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...parts, text.slice(from)];
}

export const columnKey = ({ table, column }: ColumnName): string => `${table}.${column}`;
/** Equal for values that say the same. */
export const valueKey = (value: Value): string =>
  value.kind === "column"
    ? columnKey(value.of)
    : value.kind === "aggregate"
      ? `${value.fn}(${value.distinct ? "distinct " : ""}${value.of ? columnKey(value.of) : "*"})`
      : value.form;
