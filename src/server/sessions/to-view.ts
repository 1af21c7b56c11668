/** A session as the page and the list see it. Pure but for the session's own present state. */
import type { Failure, SessionItem, SessionView } from "../../protocol/index.ts";
import { toOpenGate } from "../../workflow/ledger-view.ts";
import type { LiveSession } from "./live-session.ts";

/** Of a session whose ledger can't be read: Resume names the fault. */
export const damagedFailure: Failure = {
  code: "unknown",
  message: "This session's ledger can't be read.",
  action: "Press Resume to see what is wrong with it.",
};

export function toSessionView(session: LiveSession): SessionView {
  const { manifest, state } = session;
  return {
    ...toSessionItem(session),
    provider: manifest.provider,
    model: manifest.model,
    thinking: manifest.thinking,
    thinkingInForce: session.thinkingInForce,
    review: manifest.review,
    phases: state.phases,
    openGate: state.openGate ? toOpenGate(state.openGate) : null,
    sql: state.sql,
    explanation: state.explanation,
    cannotAnswer: state.cannotAnswer,
    failure: session.turn.failure,
    live: session.runtime !== null,
    ...(session.startPlace === null ? {} : { startPlace: session.startPlace }),
    usage: session.usage(),
    budget: state.budget,
  };
}

export function toSessionItem({ id, manifest, state, turn, lastAt }: LiveSession): SessionItem {
  return {
    id,
    name: manifest.name ?? null,
    workspace: manifest.workspace,
    question: manifest.question,
    ...(state.question === "" || state.question === manifest.question ? {} : { followUp: state.question }),
    turn: turn.state,
    phase: state.phase,
    outcome: state.outcome,
    createdAt: manifest.createdAt,
    updatedAt: lastAt !== null && lastAt > manifest.updatedAt ? lastAt : manifest.updatedAt,
  };
}
