/** What the planner takes and gives. */
import type { ValueIndex } from "../catalog/value-index.ts";
import type { Read } from "../database/database.ts";
import type {
  Catalog,
  ColumnDecision,
  CteDecision,
  FilterDecision,
  InterpretationDecision,
  JoinDecision,
  Knowledge,
  KnowledgeOrigin,
  PhaseId,
  TableDecision,
} from "../protocol/index.ts";
import type { QuestionMatch } from "./reuse/reuse-match.ts";

/** The reviewer's words after `Other — specify`, in the order they were said. */
export interface Correction {
  phase: PhaseId;
  text: string;
}

export interface PlannerInput {
  question: string;
  catalog: Catalog;
  values: ValueIndex;
  corrections: Correction[];
  /** Question id to the label of the option that was chosen. */
  choices: Record<string, string>;
  /** Lets near ties be broken by looking at results; never overturns a cue of the question. */
  run?: (sqls: string[]) => Promise<Read[]>;
  /** The day that "last month" is counted from, as YYYY-MM-DD; by default the clock's. */
  today?: string;
  /** What people told of the database. */
  knowledge?: Knowledge | undefined;
}

export interface AskOption {
  id: string;
  label: string;
  detail?: string;
  proposed?: boolean;
}
export type Planned =
  | { outcome: "plan"; plan: Plan }
  | { outcome: "ask"; phase: PhaseId; id: string; question: string; why: string; options: AskOption[] }
  | { outcome: "cannot-answer"; missing: string; reason: string; why: string };

export interface Plan {
  interpretation: InterpretationDecision[];
  tables: TableDecision[];
  columns: ColumnDecision[];
  joins: JoinDecision[];
  filters: FilterDecision[];
  steps: CteDecision[];
  /** The steps verbatim, then the final SELECT. */
  sql: string;
  explanation: string;
  summaries: Record<PhaseId, { title: string; summary: string; open_questions?: string[] }>;
  reasoning: Record<PhaseId, string>;
  /** What a model would have looked up on the way. */
  lookups: { catalog: string[]; values: { text: string; table?: string; column?: string }[]; tables: string[] };
  /** Set when this is a verified query, as it is or with parameters swapped. */
  verified?: {
    file: string;
    origin: KnowledgeOrigin;
    match: QuestionMatch;
    differences: string;
    /** The decisions are those that a reviewer accepted with it. */
    accepted: boolean;
  };
}
