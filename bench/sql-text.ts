/** The shapes a statement is cut into: spans of tokens for its steps, blocks, sources and clauses. */
import type { Token } from "../src/sql/parser.ts";
import type { Span } from "./sql-words.ts";

export type JoinWord = "FROM" | "COMMA" | "INNER" | "LEFT" | "RIGHT" | "FULL" | "CROSS";
export interface SourceText extends Span {
  /** As written, schema included; missing for a derived table. */
  table?: string;
  /** Token of the table's own name. */
  nameAt: number;
  alias: string;
  aliasAt?: number;
  query?: QueryText;
  join: JoinWord;
  natural: boolean;
  /** From the first word of the join to its end. */
  whole: Span;
  on?: Span;
  using: string[];
}
export interface ItemText extends Span {
  alias?: string;
  /** Without its alias. */
  expression: Span;
}
export interface BlockText extends Span {
  distinctAt?: number;
  items: ItemText[];
  sources: SourceText[];
  fromAt?: number;
  /** Clauses with their words. */
  where?: Span;
  group?: Span;
  groups: Span[];
  having?: Span;
}
export interface OrderText extends Span {
  expression: Span;
  descending: boolean;
  directionAt?: number;
}
export interface StepText extends Span {
  name: string;
  nameAt: number;
  columns: string[];
  query: QueryText;
}
export interface QueryText extends Span {
  steps: StepText[];
  /** First token after the steps. */
  main: number;
  blocks: BlockText[];
  operators: string[];
  order: OrderText[];
  orderSpan?: Span;
  limit?: Span;
  offset?: Span;
}

export interface SqlText {
  sql: string;
  tokens: Token[];
  query: QueryText;
  /** The word at a token, in capitals; empty for strings and quoted names. */
  word(at: number): string;
  text(span: Span): string;
  close(at: number): number;
  parse(span: Span): QueryText;
  /** The conditions that AND joins, brackets around them taken off. */
  conjuncts(span: Span): Span[];
  split(span: Span, separator: string): Span[];
}
