/** What a statement is taken apart into: its SELECTs, and what stands in each. */
import type { Column, Table } from "../../protocol/index.ts";
import type { Tree } from "../../sql/parser.ts";
import type { Scope, Source } from "../../sql/scope.ts";

export type Role = "condition" | "join" | "group" | "output" | "measure" | "order";
export interface Side {
  source: Source;
  alias: string;
  /** Undefined for what a step computes. */
  table?: Table;
  column?: Column;
  /** It came out of a step or derived table. */
  through: boolean;
}
export interface Pair {
  left: Side;
  right: Side;
  /** `Inner`, `Left`, … or `Where`. */
  kind: string;
  /** Both sides as they stand in the tree; none for USING. */
  nodes: unknown[];
  /** One side stands in an outer query. */
  correlated: boolean;
}
export interface Aggregate {
  name: string;
  argument: unknown;
  distinct: boolean;
  star: boolean;
  window: boolean;
  node: unknown;
  /** Stored columns whose values are aggregated; those that only decide in CASE are not among them. */
  columns: Side[];
}
export interface Block {
  place: "top" | "step" | "derived" | "nested";
  /** Of a step or derived table. */
  name?: string;
  select: Tree;
  scope: Scope;
  tables: { table: Table; alias: string; kind: string }[];
  /** Alias of a source → name of the step or derived table that it is. */
  stepOf: Map<string, string>;
  pairs: Pair[];
  /** Conjuncts of WHERE, HAVING and ON that are no pairs. */
  conditions: unknown[];
  aggregates: Aggregate[];
  /** GROUP BY terms; positions and output names are replaced by what they stand for. */
  groups: unknown[];
  orders: { term: unknown; descending: boolean }[];
  limit?: number;
  outer?: Block;
}
export interface Statement {
  blocks: Block[];
  /** Where stored tables are named: code point offsets. */
  references: { table: Table; start: number; end: number; aliased: boolean }[];
  /** `table.column`, folded → roles in which it stands anywhere. */
  uses: Map<string, Set<Role>>;
  blockOf: Map<unknown, Block>;
  /** Of top-level steps and derived tables: name → its block. */
  steps: Map<string, Block>;
}
