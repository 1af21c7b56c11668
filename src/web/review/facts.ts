/** One answer to "what holds now": the stream's once it has spoken, the route's before that and while polling. */
import { useMemo } from "react";
import type { Failure } from "../../protocol/errors.ts";
import type { Outcome } from "../../protocol/events.ts";
import type { OpenGate } from "../../protocol/gates.ts";
import type { PhaseId, PhaseView, ThinkingLevel, TurnState } from "../../protocol/phases.ts";
import { useSelected } from "../session/session-store.ts";
import type { LiveSession } from "../session/use-session.ts";

export interface Facts {
  turn: TurnState;
  phase: PhaseId;
  phases: PhaseView[];
  outcome: Outcome;
  openGate: OpenGate | null;
  failure: Failure | null;
  thinking: ThinkingLevel | null;
  thinkingInForce: ThinkingLevel | null;
  /** When the turn got its state, if a frame told. */
  turnAt: number | null;
  decisions: number;
  /** False until anything is known. */
  ready: boolean;
}

export function useFacts({ store, view, mode, status }: LiveSession): Facts {
  const known = useSelected(store, (state) => state.known);
  const turn = useSelected(store, (state) => state.turn);
  const phase = useSelected(store, (state) => state.phase);
  const phases = useSelected(store, (state) => state.phases);
  const outcome = useSelected(store, (state) => state.outcome);
  const openGate = useSelected(store, (state) => state.openGate);
  const failure = useSelected(store, (state) => state.failure);
  const thinking = useSelected(store, (state) => state.thinking);
  const thinkingInForce = useSelected(store, (state) => state.thinkingInForce);
  const turnAt = useSelected(store, (state) => state.turnAt);
  // A stream that is lost is older than what the route says.
  const fromStream = known && mode === "live" && status?.state !== "lost";
  return useMemo(() => {
    // The wish changes by a request of this page or another; only the level in force comes with the stream.
    const wish = view?.thinking ?? thinking;
    const streamed = { turn, phase, phases, outcome, openGate, failure, thinking: wish, thinkingInForce };
    const facts =
      fromStream || !view
        ? streamed
        : {
            turn: view.turn,
            phase: view.phase,
            phases: view.phases,
            outcome: view.outcome,
            openGate: view.openGate as OpenGate | null,
            failure: view.failure,
            thinking: view.thinking,
            thinkingInForce: view.thinkingInForce,
          };
    return {
      ...facts,
      turnAt,
      ready: known || view !== undefined,
      decisions: facts.phases.reduce((sum, one) => sum + one.decisions, 0),
    };
  }, [fromStream, known, view, turn, phase, phases, outcome, openGate, failure, thinking, thinkingInForce, turnAt]);
}
