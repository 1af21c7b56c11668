/** The summary a model sends with a proposal: checked raw, before Pi coerces `[null]` to `["null"]` and `"x"` to `["x"]`. */
import { type Static, Type } from "typebox";
import { check, type PhaseId, PhaseSummary } from "../../protocol/index.ts";
import { readJsonText } from "./exact-arguments.ts";

export const SummaryArgument = Type.Object(
  {
    version: Type.Optional(Type.Literal(2)),
    title: PhaseSummary.properties.title,
    summary: PhaseSummary.properties.summary,
    open_questions: PhaseSummary.properties.open_questions,
  },
  { additionalProperties: false, description: "closes the phase: what was decided, and questions that are still open" },
);
export type SummaryArgument = Static<typeof SummaryArgument>;

export const toSummary = (phase: PhaseId, argument: SummaryArgument): PhaseSummary => ({
  ...argument,
  version: 2,
  phase,
});

/** Throws words for the model when the raw summary is not what version 2 allows; absent is fine where it may be left out. */
export function refuseMalformedSummary(raw: unknown): void {
  if (raw === undefined) return;
  const checked = check(SummaryArgument, readJsonText(raw));
  if (checked.ok) return;
  throw new Error(
    `The summary is malformed (${checked.problem}). Send {title: string, summary: string, open_questions?: string[]}; leave open_questions out when there are none.`,
  );
}
