/** What the parts of the conformance report share while it is being written. */
import type { Catalog, ConformanceRow, Deviation } from "../protocol/index.ts";
import type { Accepted, AcceptedFilter, OfKind } from "./accepted.ts";
import type { Token } from "./parser.ts";
import type { Snippets } from "./snippets.ts";
import type { ConditionFact, StatementFacts } from "./statement-facts.ts";

export type DraftDeviation = Omit<Deviation, "id"> & { kind: string };

export interface Report {
  tokens: Token[];
  facts: StatementFacts;
  accepted: Accepted;
  catalog: Catalog;
  snippets: Snippets;
  steps: StepMatch[];
  equalText: Map<AcceptedFilter, ConditionFact[]>;
  rows: ConformanceRow[];
  drafts: DraftDeviation[];
}

export interface StepMatch {
  step: OfKind<"cte">;
  status: ConformanceRow["status"];
  lines: number[];
  onlyJoinWords: number;
  /** Normal form of what computes the same, when the text is another one. */
  form?: string;
}

export const atLine = (line: number | undefined): string => (line === undefined ? "The SQL" : `Line ${line}`);
