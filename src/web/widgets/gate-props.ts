import type { GateKind, GatePayload } from "../../protocol/gates.ts";
import type { PhaseId } from "../../protocol/phases.ts";
import type { Draft } from "./draft.ts";

/** What a widget may do with the reviewer's draft. Only SQL of their own is sent from within a widget. */
export interface DraftControl {
  draft: Draft;
  isOtherOpen: boolean;
  /** True when the phrase stands in `What should change`. */
  hasWords: (words: string) => boolean;
  /** Puts a phrase into `What should change` or takes it out, and opens it. */
  toggleWords: (words: string) => void;
  answerQuestion: (question: string, answer: string) => void;
  choose: (optionId: string) => void;
  toggleAccepted: (deviationId: string) => void;
  /** Begins, goes on with or, by null, ends writing the final SQL. */
  writeSql: (sql: string | null) => void;
  proposeSql: () => void;
  /** Why nothing can be sent now. */
  unavailable: string | undefined;
  /** What was said of the SQL that was sent last. */
  refused: string | undefined;
}

export interface GateProps<K extends GateKind> {
  gateId: string;
  phase: PhaseId;
  payload: GatePayload<K>;
  control: DraftControl;
}
