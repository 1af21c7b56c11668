/**
 * The stream of one session. An SSE frame's data is `{at, ...payload}`: `at` is epoch milliseconds, the envelope's
 * own key. `stream_open`, `stream_reset` and `heartbeat` carry no id; all others have `<epoch>-<seq>`.
 */
import { type Static, type TSchema, Type } from "typebox";
import { Failure } from "./errors.ts";
import { GateKindSchema, OpenGate } from "./gates.ts";
import { PhaseId, PhaseView, ThinkingLevel, TurnState } from "./phases.ts";

export const Outcome = Type.Union([Type.Null(), Type.Literal("answered"), Type.Literal("cannot-answer")]);
export type Outcome = Static<typeof Outcome>;

export const events = {
  stream_open: Type.Object({
    epoch: Type.String(),
    firstSeq: Type.Integer(),
    lastSeq: Type.Integer(),
    turn: TurnState,
    openGate: Type.Union([OpenGate, Type.Null()]),
    phase: PhaseId,
    phases: Type.Array(PhaseView),
    outcome: Outcome,
    thinking: ThinkingLevel,
    thinkingInForce: Type.Union([ThinkingLevel, Type.Null()]),
    failure: Type.Union([Failure, Type.Null()]),
  }),
  stream_reset: Type.Object({
    reason: Type.Union([
      Type.Literal("epoch"),
      Type.Literal("evicted"),
      Type.Literal("resumed"),
      Type.Literal("cursor"),
    ]),
  }),
  heartbeat: Type.Object({}),
  /** Words sent to the model. `question` repeats the session's own question: the page shows that one by itself. */
  prompt: Type.Object({
    text: Type.String(),
    kind: Type.Union([
      Type.Literal("question"),
      Type.Literal("follow-up"),
      Type.Literal("steer"),
      Type.Literal("resume"),
    ]),
  }),
  /** Reasoning. `block` is unique per block within an epoch: deltas of one block are concatenated, never across. */
  activity_delta: Type.Object({ block: Type.String(), delta: Type.String() }),
  text_delta: Type.Object({ block: Type.String(), delta: Type.String() }),
  tool: Type.Object({
    callId: Type.String(),
    name: Type.String(),
    status: Type.Union([Type.Literal("running"), Type.Literal("completed"), Type.Literal("failed")]),
  }),
  gate_opened: OpenGate,
  gate_closed: Type.Object({
    gateId: Type.String(),
    kind: GateKindSchema,
    phase: PhaseId,
    reason: Type.Union([
      Type.Literal("answered"),
      Type.Literal("superseded"),
      Type.Literal("stopped"),
      Type.Literal("failed"),
      Type.Literal("reopened"),
    ]),
    answer: Type.Optional(Type.Union([Type.Literal("continue"), Type.Literal("other")])),
  }),
  phase: Type.Object({ phase: PhaseId, phases: Type.Array(PhaseView), outcome: Outcome }),
  /** Something was appended: fetch the ledger route for what it says. */
  ledger: Type.Object({ lastSeq: Type.Integer() }),
  /**
   * Fixed words only. `blocks` names blocks of an attempt that Pi discarded and tries again; `level` is the thinking
   * level in force from now on.
   */
  status: Type.Object({
    code: Type.String(),
    text: Type.String(),
    blocks: Type.Optional(Type.Array(Type.String())),
    level: Type.Optional(ThinkingLevel),
  }),
  turn: Type.Object({ turn: TurnState, failure: Type.Optional(Failure) }),
} satisfies Record<string, TSchema>;

export type EventName = keyof typeof events;
export const eventNames = Object.keys(events) as EventName[];
/** Events without an id: they describe the stream itself and are never replayed. */
export const unnumberedEvents = ["stream_open", "stream_reset", "heartbeat"] as const satisfies EventName[];
export type EventData<N extends EventName = EventName> = Static<(typeof events)[N]>;
export type SessionEvent = { [N in EventName]: { event: N; data: EventData<N> } }[EventName];
/** One frame as the browser store sees it. */
export type Frame = SessionEvent & { at: number; id?: string };

/** The server beats at this period; a client declares the stream dead after three misses. */
export const heartbeatMs = 12_000;
