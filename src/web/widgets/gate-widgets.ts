/**
 * widgets/: one view per gate kind and the frame around them. A widget shows a proposal with its evidence and edits the
 * reviewer's draft; only the frame's buttons send anything. Map and types force a widget for each kind.
 */
import type { FC } from "react";
import type { GateKind } from "../../protocol/gates.ts";
import { CteReview } from "./cte-review.tsx";
import { DecisionReview } from "./decision-review.tsx";
import type { GateProps } from "./gate-props.ts";
import { JoinReview } from "./join-review.tsx";
import { PhaseSummary } from "./phase-summary.tsx";
import { Question } from "./question.tsx";
import { SqlReview } from "./sql-review.tsx";

export const gateWidgets: { [K in GateKind]: FC<GateProps<K>> } = {
  "phase-summary": PhaseSummary,
  question: Question,
  "decision-review": DecisionReview,
  "join-review": JoinReview,
  "cte-review": CteReview,
  "sql-review": SqlReview,
};
