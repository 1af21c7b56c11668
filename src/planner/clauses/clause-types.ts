/** The clause tree: noun phrases with their determiners, clauses with a scope of negation of their own, sentences. */

import type { Item, ItemOf } from "../linking/linking.ts";
import type { Period } from "../words/dates.ts";
import type { Aggregate, ConceptName, DateUnit, Direction, Operator } from "../words/lexicon.ts";

export type Head =
  | { kind: "table"; table: string; person?: boolean }
  | { kind: "column"; item: ItemOf<"column">; boss?: boolean }
  | { kind: "concept"; concept: ConceptName }
  | { kind: "count"; of?: NounPhrase }
  | { kind: "share"; of?: NounPhrase }
  | { kind: "bucket"; unit: DateUnit }
  | { kind: "values" }
  | { kind: "person" }
  | { kind: "boss" }
  | { kind: "sold" }
  | { kind: "unknown"; text: string }
  | { kind: "none" };

export interface Superlative {
  direction: Direction;
  concept?: ConceptName;
  counting?: boolean;
  popular?: boolean;
  /** 2 for "the second highest". */
  place?: number;
}

export interface Cardinal {
  operator: Operator | "BETWEEN";
  value: number;
  upper?: number;
  unit?: string;
  money: boolean;
  words: string;
}

export interface NounPhrase {
  head: Head;
  words: string;
  start: number;
  end: number;
  /** Tables named inside the phrase beside the head ("customer country", "genre tracks"). */
  owners: string[];
  each: boolean;
  none: boolean;
  all: boolean;
  distinct: boolean;
  aggregate?: Aggregate;
  superlative?: Superlative;
  top?: number;
  cardinal?: Cardinal;
  unit?: string;
  values: ItemOf<"value">[];
  valueJoin?: "and" | "or";
  /** Concept that stood beside another head: "sales" in "invoice sales". */
  beside?: ConceptName;
  boss?: boolean;
  average?: Operator;
  /** Further aggregates that share the head: "average, minimum and maximum age". */
  shared?: Aggregate[];
  clauses: Clause[];
  of?: NounPhrase;
}

export interface Clause {
  subject: NounPhrase | undefined;
  negated: boolean;
  /** Joined to the clause before by "or". */
  or: boolean;
  link: {
    kind: "preposition" | "have" | "be" | "verb" | "self" | "sold" | "relative" | "none";
    word: string;
    /** "by" behind a participle. */
    agent?: boolean;
  };
  object?: NounPhrase;
  compare?: {
    operator: Operator | "BETWEEN";
    value?: number;
    upper?: number;
    unit?: string;
    money?: boolean;
    against?: NounPhrase;
    concept?: ConceptName;
  };
  period?: Period;
  isNull?: boolean;
  /** Rows of this noun hold the same value: "in the same city as an employee". */
  sameAs?: NounPhrase;
  like?: { mode: "starts" | "ends" | "contains"; text: string };
  words: string;
  /** Words near the clause that may name a column: the verb of "billed to the USA". */
  hints: string[];
}

export interface Order {
  by?: NounPhrase;
  direction?: Direction;
  alphabetical: boolean;
  words: string;
}

export interface Sentence {
  intent: "list" | "count" | "how-much" | "when" | "where" | "none";
  outputs: NounPhrase[];
  groups: NounPhrase[];
  clauses: Clause[];
  orders: Order[];
  limit?: number;
  distinct: boolean;
  includeNone: boolean;
  onlyCount: boolean;
  /** Refers back with "them", "those", "also": adds to what was asked before. */
  additive: boolean;
  percent: boolean;
  /** Words whose meaning was seen but has no place in a plan: the plan must not pretend. */
  unread: string[];
  unused: Item[];
}

export const emptyPhrase = (head: Head, item: Item | undefined): NounPhrase => ({
  head,
  words: item?.text ?? "",
  start: item?.start ?? 0,
  end: item?.end ?? 0,
  owners: [],
  each: false,
  none: false,
  all: false,
  distinct: false,
  values: [],
  clauses: [],
});

export const isCue = <C extends string>(item: Item | undefined, ...cues: C[]): item is ItemOf<"cue"> & { cue: C } =>
  item?.kind === "cue" && (cues as string[]).includes(item.cue);

/** All noun phrases of a sentence, inner ones too. */
export function allPhrases(sentence: Sentence): NounPhrase[] {
  const found: NounPhrase[] = [];
  const visit = (phrase: NounPhrase | undefined) => {
    if (!phrase || found.includes(phrase)) return;
    found.push(phrase);
    if (phrase.head.kind === "count" || phrase.head.kind === "share") visit(phrase.head.of);
    visit(phrase.of);
  };
  for (const phrase of [...sentence.outputs, ...sentence.groups]) visit(phrase);
  for (const clause of sentence.clauses) {
    visit(clause.object);
    visit(clause.compare?.against);
    visit(clause.subject);
  }
  for (const order of sentence.orders) visit(order.by);
  return found;
}
