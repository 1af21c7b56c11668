/** What is known while a frame is being built. */
import type { Sentence } from "../clauses/clause-types.ts";
import type { Linked } from "../linking/linking.ts";
import type { JoinGraph } from "../relations/joins.ts";
import type { Schema } from "../schema/schema.ts";
import type { Frame, Key, Output } from "./frame.ts";
import type { Resolver } from "./resolve.ts";

export interface Building {
  schema: Schema;
  graph: JoinGraph;
  resolver: Resolver;
  linked: Linked;
  frame: Frame;
  main: Sentence;
  /** What the asked-for thing could not be found for; the plan must not pretend. */
  missing: string[];
  /** Decisions taken silently that a reviewer should know. */
  notes: string[];
  /** Ranking found in the outputs or clauses, not yet placed. */
  ranking?: Ranking;
  /** The ranking behind "when was the first …", for a sentence that then asks for more of that row. */
  rankedWhen?: Ranking;
  /** A word of the question names a value that is stored nowhere. */
  unknownValues: string[];
  /** "and how many": refers to whatever is counted elsewhere in the question. */
  bareCounts: Output[];
  /** "and how much", "and how long is it": the amount something is ranked by. */
  bareAmounts: Output[];
  /** Words of measures that mean money in general, not one named column. */
  moneyWords: Set<string>;
  /** Groups that the reviewer named: they stay although nothing of them is shown. */
  namedGroups?: Key[];
}

export interface Ranking {
  by: Output | undefined;
  direction: "ASC" | "DESC";
  count: number;
  /** 2 for the second one. */
  place?: number;
  words: string;
  /** Table whose rows, or groups, are ranked. */
  of?: string;
}

export const emptyFrame = (entity: string): Frame => ({
  entity,
  outputs: [],
  groups: [],
  conditions: [],
  having: [],
  order: [],
  distinct: false,
  keepEmpty: false,
  keepUnreferenced: false,
  required: [],
});
