/** The facts a statement is taken apart into, and the small judgements about single conditions and joins. */
import type { Catalog } from "../protocol/index.ts";
import type { NormalContext } from "./normal-form.ts";
import type { Origin, Scope, Source } from "./scope.ts";
import { resolveColumn } from "./scope.ts";
import { isTree, nameOf, toNode, unwrap } from "./tree.ts";

export interface Place {
  /** Code point offset of the first name in it; -1 when the parser doesn't say. */
  at: number;
  end: number;
  /** Inside a step whose text was accepted, or inside an accepted condition: nothing here is unaccounted for. */
  covered: boolean;
  /** Number of the SELECT it stands in, nested ones apart. */
  block?: number;
}
export interface TableFact extends Place {
  table: string;
  alias: string;
  known: boolean;
}
export type EdgeKind = "INNER" | "LEFT" | "FULL" | "CROSS" | "SEMI" | "ANTI";
export interface EdgePair {
  left: Origin[];
  right: Origin[];
  text: string;
}
export interface EdgeFact extends Place {
  /** For LEFT, SEMI and ANTI the left side is the one whose rows are kept, or tested. */
  left: Source;
  right: Source;
  kind: EdgeKind;
  /** LEFT JOIN … WHERE right.key IS NULL keeps the rows without a partner. */
  alsoAnti: boolean;
  pairs: EdgePair[];
  /** A side is a step or a derived table. */
  overSteps: boolean;
  /** It has no pairs, but a condition that was accepted as such. */
  explained?: boolean;
}
export interface ConditionFact extends Place {
  form: string;
  /** The parser's name of its outermost sign, e.g. `eq`, `or`. */
  kind: string;
  /** Set for `IN (SELECT …)` and `EXISTS`: the join it is. */
  edge?: EdgeFact;
  /** True when nothing is filtered, e.g. `1 = 1`. */
  trivial: boolean;
  clause: "where" | "having" | "on";
  /** Offset of a name before the clause: `COUNT(*) > 1` holds no name of its own. */
  near: number;
}
/** One SELECT, or the end of a set operation: what tells its rows apart, shows, sorts and cuts. Forms are normal forms. */
export interface BlockFact extends Place {
  /** The whole answer's own SELECT, or one branch of it. */
  final: boolean;
  /** A branch of a set operation. */
  branch: boolean;
  /** It gives one row, whatever is stored. */
  single: boolean;
  /** Set operator, when this stands for the end of one. */
  set?: string;
  group?: string[];
  distinct: boolean;
  outputs: string[];
  order: { form: string; descending: boolean }[];
  /** Number of rows, then what is left out before them. */
  limit: string[];
  /** Rarer clauses, such as named windows. */
  other: string;
}
export interface StatementFacts {
  tables: TableFact[];
  edges: EdgeFact[];
  conditions: ConditionFact[];
  /** Normal forms of everything in covered steps, CASE and FILTER included, with the place of each. */
  loose: Map<string, number>;
  /** `table.column` (folded) of every column in a SELECT list → code point offsets. */
  projected: Map<string, number[]>;
  /** The same for every column, wherever it stands. */
  used: Map<string, number[]>;
  blocks: BlockFact[];
  /** Steps (folded names) and derived tables → normal form of what they compute. */
  forms: { name: string; form: string }[];
  /** Steps and derived tables that are read, as normal forms. */
  reads: { form: string; block?: number }[];
  /** SELECTs read so far. */
  count: number;
}

export const emptyFacts = (): StatementFacts => ({
  tables: [],
  edges: [],
  conditions: [],
  loose: new Map(),
  projected: new Map(),
  used: new Map(),
  blocks: [],
  forms: [],
  reads: [],
  count: 0,
});

export interface ReadContext {
  catalog: Catalog;
  tableKey: NormalContext["tableKey"];
  /** A top-level step with the text the reviewer accepted. */
  isAcceptedStep(name: string): boolean;
  /** The same for what is computed, under whatever name. */
  isAcceptedQuery(form: string): boolean;
  /** An accepted condition: its inner tables and joins are accounted for, and it is no join pair. */
  isAcceptedCondition(form: string): boolean;
  /** The same for what is shown, grouped by or sorted by. */
  isAcceptedExpression(form: string): boolean;
}

/** A join of one FROM while it is being read; its sources are those from `first` to `last`. */
export interface JoinItem {
  kind: string;
  on: unknown;
  /** `also` are earlier sources whose column an earlier USING made the same one. */
  using: { left: Source; right: Source; name: string; also: Source[] }[];
  first: number;
  last: number;
  at: number;
  /** A condition of it was accepted as such. */
  explained?: boolean;
}
/** A comparison or test that may belong to a join, and where it stood. */
export type Found =
  | { left: Source; right: Source; pair: EdgePair; outer: boolean; origin: JoinItem | "where" | "having"; place: Place }
  | { nullTest: Source; origin: JoinItem | "where" | "having"; place: Place };

export const conditionKinds = new Set([
  "eq",
  "neq",
  "lt",
  "lte",
  "gt",
  "gte",
  "in",
  "not",
  "like",
  "i_like",
  "glob",
  "is_null",
  "is",
  "between",
  "exists",
  "and",
  "or",
  "regexp_like",
  "null_safe_eq",
  "null_safe_neq",
  "any",
  "all",
]);

/** A comparison in WHERE over a LEFT JOIN filters; it doesn't belong to the join. */
export function isOuterJoined(pair: { left: Source; right: Source; outer: boolean }, found: readonly Found[]): boolean {
  if (pair.outer) return false;
  return found.some(
    (other) =>
      "pair" in other &&
      typeof other.origin !== "string" &&
      /left|right|full/i.test(other.origin.kind) &&
      ((other.left === pair.left && other.right === pair.right) ||
        (other.left === pair.right && other.right === pair.left)),
  );
}

export function edgeKind(kind: string): EdgeKind {
  if (/semi/i.test(kind)) return "SEMI";
  if (/anti/i.test(kind)) return "ANTI";
  if (/left|right/i.test(kind)) return "LEFT";
  if (/full/i.test(kind)) return "FULL";
  return /cross/i.test(kind) ? "CROSS" : "INNER";
}

/** A column made text to meet a text column is still that column of a join. */
export function withoutTextCast(value: unknown): unknown {
  const node = toNode(unwrap(value));
  const type = node?.kind === "cast" && isTree(node.value.to) ? String(node.value.to.data_type) : "";
  if (!node || !/^(text|char|var_char)$/.test(type)) return value;
  return toNode(unwrap(node.value.this))?.kind === "column" ? node.value.this : value;
}

export function columnText(value: unknown): string {
  const node = toNode(unwrap(value));
  if (node?.kind !== "column") return "…";
  const qualifier = nameOf(node.value.table);
  return `${qualifier === undefined ? "" : `${qualifier}.`}${nameOf(node.value.name) ?? "?"}`;
}

export function nullTested(conjunct: unknown, scope: Scope): Source | undefined {
  const node = toNode(conjunct);
  return node?.kind === "is_null" && node.value.not !== true
    ? resolveColumn(node.value.this, scope)?.source
    : undefined;
}

export function isTrivial(conjunct: unknown): boolean {
  const node = toNode(conjunct);
  if (node?.kind === "boolean") return node.value.value === true;
  if (node?.kind === "literal") return Number(node.value.value) !== 0 && node.value.literal_type === "number";
  if (node?.kind !== "eq") return false;
  const [left, right] = [toNode(unwrap(node.value.left)), toNode(unwrap(node.value.right))];
  return left?.kind === "literal" && right?.kind === "literal" && JSON.stringify(left) === JSON.stringify(right);
}
