/**
 * The state of one session's turn: `idle`, `running`, `waiting` or `failed`, and nothing else. Pure: what Pi says, what
 * the reviewer does and how the child ends come in as inputs.
 */
import { childNotes, type Failure, type FailureCode, gaveUpCodes, type TurnState } from "../protocol/index.ts";
import { classifyFailure, classifyMessage, toFailure } from "./classify-failure.ts";
import type { PiRecord } from "./rpc-client.ts";

export interface Turn {
  state: TurnState;
  /** Set exactly while `state` is `failed`. */
  failure: Failure | null;
  /** Stop was asked for: what breaks off now is no failure. */
  stopping: boolean;
  /** The last answer ended with an error; it counts once Pi settles without having retried it. */
  pendingError: FailureCode | null;
}

export type TurnInput =
  /** Words were sent to the model, or are about to be: a prompt, a retry, Resume, steering. */
  | { type: "work-started" }
  | { type: "record"; record: PiRecord }
  | { type: "gate-opened" }
  /** Answered or superseded: the model goes on. Stopped: nobody does, once the child has settled. */
  | { type: "gate-closed"; goesOn: boolean }
  | { type: "stop" }
  | { type: "failed"; failure: Failure }
  | { type: "child-exited"; intended: boolean };

export const idleTurn: Turn = { state: "idle", failure: null, stopping: false, pendingError: null };
export const waitingTurn: Turn = { ...idleTurn, state: "waiting" };
export const toFailedTurn = (failure: Failure): Turn => ({ ...idleTurn, state: "failed", failure });

export function reduceTurn(turn: Turn, input: TurnInput): Turn {
  switch (input.type) {
    case "work-started":
      return { ...idleTurn, state: "running" };
    case "record":
      return reduceRecord(turn, input.record);
    case "gate-opened":
      return waitingTurn;
    case "gate-closed":
      if (turn.state !== "waiting") return turn;
      return input.goesOn ? { ...turn, state: "running" } : { ...turn, state: "idle" };
    case "stop":
      return turn.state === "running" || turn.state === "waiting" ? { ...turn, stopping: true } : turn;
    case "failed":
      return toFailedTurn(input.failure);
    case "child-exited":
      return reduceExit(turn, input.intended);
  }
}

function reduceExit(turn: Turn, intended: boolean): Turn {
  // A gate outlives its child in the ledger, so only what was being worked on ends with it.
  if (intended || turn.stopping) return turn.state === "running" ? idleTurn : turn;
  return turn.state === "failed" ? turn : toFailedTurn(toFailure("child-exited"));
}

function reduceRecord(turn: Turn, record: PiRecord): Turn {
  switch (record.type) {
    case "agent_start":
      return turn.state === "idle" ? { ...turn, state: "running", pendingError: null } : turn;
    case "message_end":
      return { ...turn, pendingError: errorOf(record.message, turn.pendingError) };
    case "entry_appended":
      return { ...turn, pendingError: gaveUp(record.entry, turn.pendingError) };
    case "auto_retry_start":
      return { ...turn, pendingError: null };
    case "compaction_end":
      return typeof record.errorMessage === "string" && record.aborted !== true
        ? { ...turn, pendingError: classifyFailure(record.errorMessage) }
        : turn;
    case "agent_settled":
      // Settling follows a failure too, and an open gate can be answered without a run: both stay as they are.
      if (turn.state !== "running") return { ...turn, stopping: false, pendingError: null };
      return turn.pendingError !== null && !turn.stopping ? toFailedTurn(toFailure(turn.pendingError)) : idleTurn;
    default:
      return turn;
  }
}

/** Only an assistant's message speaks about errors; a later good one takes the error back, one that was broken off says nothing. */
function errorOf(message: unknown, before: FailureCode | null): FailureCode | null {
  const { role, stopReason, ...rest } = (message ?? {}) as { role?: unknown; stopReason?: unknown };
  if (role !== "assistant" || stopReason === "aborted") return before;
  return stopReason === "error" ? classifyMessage(rest) : null;
}

/** The extension's own word that this run has come to nothing. */
function gaveUp(entry: unknown, before: FailureCode | null): FailureCode | null {
  const { customType, data } = (entry ?? {}) as { customType?: unknown; data?: { code?: unknown } | null };
  if (customType !== childNotes.gaveUp) return before;
  return gaveUpCodes.find((code) => code === data?.code) ?? before;
}
