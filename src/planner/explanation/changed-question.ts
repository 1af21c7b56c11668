/** Words said after F1 may change what F1 accepted: the gate where they are said tells, and how to have it accepted. */
import type { PhaseId } from "../../protocol/index.ts";
import type { Plan } from "../plan.ts";

const aspectsTold = ["grain", "measure", "output", "order", "limit", "period"] as const;

/** `plan` with an open question in `phase`, where it asks for something else than what was `accepted` in F1. */
export function tellChangedQuestion(plan: Plan, accepted: Plan, phase: PhaseId): Plan {
  if (phase === "F1" || phase === "F6") return plan;
  const changed = aspectsTold.flatMap((aspect) => {
    const [before, now] = [said(accepted, aspect), said(plan, aspect)];
    return before === now
      ? []
      : [`${aspect} ${now ? `"${now}"` : "left out"} (F1: ${before ? `"${before}"` : "none"})`];
  });
  if (changed.length === 0) return plan;
  const told = `This changes what was accepted in F1: ${changed.join("; ")}. Go back to F1 to accept it there; otherwise F6 shows it as a deviation.`;
  const summary = plan.summaries[phase];
  return {
    ...plan,
    summaries: {
      ...plan.summaries,
      [phase]: { ...summary, open_questions: [...(summary.open_questions ?? []), told.slice(0, 500)] },
    },
  };
}

const said = ({ interpretation }: Plan, aspect: string): string =>
  interpretation
    .filter((decision) => decision.aspect === aspect)
    .map(({ text }) => text)
    .join(", ");
