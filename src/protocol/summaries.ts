/** Phase summary, version 2, as a model sends it and as a gate shows it. */
import { type Static, Type } from "typebox";
import { PhaseId } from "./phases.ts";

export const PhaseSummary = Type.Object(
  {
    version: Type.Literal(2),
    phase: PhaseId,
    title: Type.String({ minLength: 1, maxLength: 200 }),
    summary: Type.String({ minLength: 1, maxLength: 8000 }),
    /** Ledger sequence numbers; filled in by the backend at commit, empty in a proposal. */
    decisions: Type.Optional(Type.Array(Type.Integer({ minimum: 1 }))),
    open_questions: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), { maxItems: 20 })),
  },
  { additionalProperties: false },
);
export type PhaseSummary = Static<typeof PhaseSummary>;
