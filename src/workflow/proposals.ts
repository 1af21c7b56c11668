/** What a model may propose when: checked on the child's side before evidence is measured and again at the gate. */
import type { GateKind, GatePayload, JoinDecision, PhaseId, ProposedDecision } from "../protocol/index.ts";
import { phaseLabel, type SessionState } from "./fold-ledger.ts";

export const kindsOfPhase: Record<PhaseId, ProposedDecision["kind"][]> = {
  F1: ["interpretation"],
  F2: ["table", "column"],
  F3: ["join"],
  F4: ["filter"],
  F5: ["cte"],
  F6: [],
};

export const mixedJoins = "Propose the joins alone, as one complete set.";

/** The widget a proposal of these decisions is shown in. */
export function gateKindOf(decisions: readonly ProposedDecision[]): GateKind {
  const kind = decisions[0]?.kind;
  return kind === "join" ? "join-review" : kind === "cte" ? "cte-review" : "decision-review";
}

/** Null when the decisions may be proposed now, otherwise the words for the model. */
export function refuseProposal(
  state: Pick<SessionState, "phase" | "outcome">,
  phase: PhaseId,
  decisions: readonly ProposedDecision[],
): string | null {
  if (state.outcome !== null) return "This question is closed. Wait for the reviewer's next words.";
  const joins = decisions.filter((decision) => decision.kind === "join");
  if (joins.length > 0 && joins.length < decisions.length) return mixedJoins;
  if (phase !== state.phase)
    return `The session is in ${phaseLabel(state.phase)}, not in ${phase}: work on ${state.phase}.`;
  if (decisions.length === 0)
    return "A proposal needs at least one decision; for a phase with nothing to decide call phase_summary.";
  const wrong = decisions.find((decision) => !kindsOfPhase[phase].includes(decision.kind));
  if (wrong) {
    const allowed = kindsOfPhase[phase].join(" and ") || "nothing (call submit_sql)";
    return `In ${phaseLabel(phase)} the decisions are of kind ${allowed}; got ${wrong.kind}.`;
  }
  return refuseJoinSet(joins) ?? refuseSteps(decisions);
}

/** A set must hang together: aliases unique, and every join's left side known before it. */
function refuseJoinSet(joins: readonly JoinDecision[]): string | null {
  const first = joins[0];
  if (!first) return null;
  const known = new Map([[first.left.alias, first.left.table]]);
  for (const [index, join] of joins.entries()) {
    const n = index + 1;
    const left = known.get(join.left.alias);
    if (left === undefined)
      return `Join ${n}: alias ${join.left.alias} is not joined before; order the joins so that each left side is already there.`;
    if (left !== join.left.table)
      return `Join ${n}: alias ${join.left.alias} stands for ${left}, not for ${join.left.table}.`;
    if (known.has(join.right.alias))
      return `Join ${n}: alias ${join.right.alias} is used twice; every joined table needs its own alias.`;
    if (join.pairs.length === 0 && join.type !== "CROSS") return `Join ${n}: name at least one pair of columns.`;
    known.set(join.right.alias, join.right.table);
  }
  return null;
}

function refuseSteps(decisions: readonly ProposedDecision[]): string | null {
  const names = new Set<string>();
  for (const decision of decisions) {
    if (decision.kind !== "cte") continue;
    const folded = decision.name.toLowerCase();
    if (names.has(folded)) return `Two steps are called ${decision.name}: give each step its own name.`;
    names.add(folded);
  }
  return null;
}

/** Null when the phase may be closed with a summary now. */
export function refuseSummary(
  state: Pick<SessionState, "phase" | "outcome" | "joinsOwed">,
  phase: PhaseId,
): string | null {
  if (state.outcome !== null) return "This question is closed. Wait for the reviewer's next words.";
  if (phase !== state.phase)
    return `The session is in ${phaseLabel(state.phase)}, not in ${phase}: summarise ${state.phase}.`;
  if (phase === "F3" && state.joinsOwed)
    return "The reviewer sent the joins back: propose the complete corrected set again with reviewer_decide.";
  if (phase === "F5") return "F5 Steps is closed by a reviewed chain of steps: propose it with reviewer_decide.";
  if (phase === "F6") return "F6 Answer is closed by submit_sql.";
  return null;
}

/** The part of a payload that is the proposal itself: no evidence, no prose. */
export function proposalOf(kind: GateKind, payload: unknown): unknown {
  switch (kind) {
    case "phase-summary":
      return { phase: (payload as GatePayload<"phase-summary">).summary.phase };
    case "question":
      return {
        topic: (payload as GatePayload<"question">).topic,
        question: (payload as GatePayload<"question">).question,
      };
    case "sql-review":
      return { sql: (payload as GatePayload<"sql-review">).sql };
    default:
      return (payload as GatePayload<"join-review">).decisions.map(({ ...decision }) => {
        const { reason, purpose, ...rest } = decision as Record<string, unknown>;
        return rest;
      });
  }
}
