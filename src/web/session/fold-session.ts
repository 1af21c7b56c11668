/**
 * Frames in, state out; no clock and no effects. `stream_open` is the authority on turn, gate and phase: frames up
 * to the sequence number it names are replay and only fill the rows of the activity, never change those facts.
 */
import type { Failure } from "../../protocol/errors.ts";
import type { EventData, Frame, Outcome } from "../../protocol/events.ts";
import type { GateKind, OpenGate } from "../../protocol/gates.ts";
import {
  type PhaseId,
  type PhaseView,
  phaseTitles,
  type ThinkingLevel,
  type TurnState,
} from "../../protocol/phases.ts";
import { EntryList } from "./entry-list.ts";

/** `at` and `endAt` are the frames' epoch milliseconds. A row that nothing touches keeps its identity. */
interface Row {
  id: string;
  at: number;
}
export interface PromptEntry extends Row {
  kind: "prompt";
  text: string;
  from: "question" | "follow-up" | "steer" | "resume";
}
export interface BlockEntry extends Row {
  kind: "reasoning" | "text";
  block: string;
  text: string;
  live: boolean;
  discarded: boolean;
  endAt: number;
}
export interface ToolEntry extends Row {
  kind: "tool";
  callId: string;
  name: string;
  status: "running" | "completed" | "failed" | "ended";
  endAt: number | null;
}
export interface GateEntry extends Row {
  kind: "gate";
  gateId: string;
  gate: GateKind;
  phase: PhaseId;
  what: "opened" | "continue" | "other" | "superseded" | "stopped" | "failed" | "reopened";
}
export interface StatusEntry extends Row {
  kind: "status";
  /** What the status is about, e.g. `retrying`; absent for rows that the page makes itself. */
  code?: string;
  text: string;
  problem: boolean;
}
export interface DividerEntry extends Row {
  kind: "divider";
  text: string;
}
export type Entry = PromptEntry | BlockEntry | ToolEntry | GateEntry | StatusEntry | DividerEntry;

export interface SessionState {
  /** False until a `stream_open` was seen; the facts below then come from elsewhere. */
  known: boolean;
  turn: TurnState;
  failure: Failure | null;
  phase: PhaseId;
  phases: PhaseView[];
  outcome: Outcome;
  openGate: OpenGate | null;
  thinking: ThinkingLevel | null;
  thinkingInForce: ThinkingLevel | null;
  /** When the turn got its present state, as far as a frame told. */
  turnAt: number | null;
  /** Grows with every `ledger` frame. */
  ledgerSeq: number;
  entries: EntryList<Entry>;
  /** How the rows are being filled. */
  rows: {
    epoch: string | null;
    fresh: boolean;
    seen: number;
    replayTo: number;
    turn: TurnState | null;
    turns: number;
    phase: PhaseId;
    /** Key of the block that was written last, which a new row ends. */
    block: string;
  };
}

const noRows = {
  epoch: null,
  fresh: true,
  seen: -1,
  replayTo: -1,
  turn: null,
  turns: 0,
  phase: "F1",
  block: "",
} as const;

const blockKey = (kind: BlockEntry["kind"], block: string): string => `${kind} ${block}`;
const toolKey = (callId: string): string => `tool ${callId}`;
const gateKey = (gateId: string): string => `gate ${gateId}`;
/** What frames name a row by. */
function keyOf(entry: Entry): string | undefined {
  if (isBlock(entry)) return blockKey(entry.kind, entry.block);
  if (entry.kind === "tool") return toolKey(entry.callId);
  return entry.kind === "gate" ? gateKey(entry.gateId) : undefined;
}
export const toEntries = (entries: Iterable<Entry>): EntryList<Entry> => EntryList.from(entries, keyOf);

export const emptySession: SessionState = {
  known: false,
  turn: "idle",
  failure: null,
  phase: "F1",
  phases: [],
  outcome: null,
  openGate: null,
  thinking: null,
  thinkingInForce: null,
  turnAt: null,
  ledgerSeq: 0,
  entries: toEntries([]),
  rows: noRows,
};

const questionId = "question";

/** The first row, made here from the session's question before any frame and kept through every replacement. */
export function foldQuestion(state: SessionState, text: string, at: number): SessionState {
  const first = state.entries.at(0);
  if (first?.id === questionId) return state;
  const entry: PromptEntry = { kind: "prompt", id: questionId, at, text, from: "question" };
  return { ...state, entries: toEntries([entry, ...state.entries]) };
}

/** A new source: its `stream_open` replaces the rows. A native reconnect keeps them, since only missed frames follow. */
export function foldSource(state: SessionState): SessionState {
  return { ...state, rows: { ...state.rows, fresh: true } };
}

const keptRows = (state: SessionState) =>
  toEntries(state.entries.slice(0, state.entries.at(0)?.id === questionId ? 1 : 0));

/** `<epoch>-<seq>`; the epoch itself may hold dashes. */
export function toFrameId(id: string | undefined): { epoch: string; seq: number } | null {
  const cut = id?.lastIndexOf("-") ?? -1;
  if (id === undefined || cut < 1) return null;
  const digits = id.slice(cut + 1);
  return /^\d{1,15}$/.test(digits) ? { epoch: id.slice(0, cut), seq: Number(digits) } : null;
}

/** True while the frame only repeats what `stream_open` already summed up. */
export function isReplay(state: SessionState, frame: Frame): boolean {
  const id = toFrameId(frame.id);
  return id !== null && id.epoch === state.rows.epoch && id.seq <= state.rows.replayTo;
}

export function foldSession(state: SessionState, frame: Frame): SessionState {
  if (frame.event === "heartbeat") return state;
  if (frame.event === "stream_open") return foldOpen(state, frame.data);
  if (frame.event === "stream_reset") {
    return { ...state, entries: keptRows(state), rows: { ...state.rows, seen: -1, turn: null, turns: 0, phase: "F1" } };
  }
  const id = toFrameId(frame.id);
  if (id && state.rows.epoch !== null) {
    if (id.epoch !== state.rows.epoch || id.seq <= state.rows.seen) return state;
    state = { ...state, rows: { ...state.rows, seen: id.seq } };
  }
  const rowed = foldRow(state, frame);
  return id && id.seq <= state.rows.replayTo ? rowed : foldFact(rowed, frame);
}

function foldOpen(state: SessionState, data: EventData<"stream_open">): SessionState {
  const replace = state.rows.fresh || data.epoch !== state.rows.epoch;
  return {
    ...state,
    known: true,
    turn: data.turn,
    failure: data.failure,
    phase: data.phase,
    phases: data.phases,
    outcome: data.outcome,
    openGate: data.openGate as OpenGate | null,
    thinking: data.thinking,
    thinkingInForce: data.thinkingInForce,
    turnAt: replace || data.turn !== state.turn ? null : state.turnAt,
    entries: replace ? keptRows(state) : state.entries,
    rows: replace
      ? {
          ...noRows,
          epoch: data.epoch,
          fresh: false,
          replayTo: data.lastSeq,
          phase: data.lastSeq < data.firstSeq ? data.phase : "F1",
        }
      : { ...state.rows, replayTo: data.lastSeq },
    ledgerSeq: state.ledgerSeq,
  };
}

/** What a live frame says about the session as a whole. */
function foldFact(state: SessionState, frame: Frame): SessionState {
  switch (frame.event) {
    case "turn":
      return {
        ...state,
        turn: frame.data.turn,
        failure: frame.data.turn === "failed" ? (frame.data.failure ?? null) : null,
      };
    case "gate_opened":
      return { ...state, openGate: frame.data as OpenGate };
    case "gate_closed":
      return state.openGate?.gateId === frame.data.gateId ? { ...state, openGate: null } : state;
    case "phase":
      return { ...state, phase: frame.data.phase, phases: frame.data.phases, outcome: frame.data.outcome };
    case "ledger":
      return { ...state, ledgerSeq: frame.data.lastSeq };
    case "status":
      return frame.data.level === undefined ? state : { ...state, thinkingInForce: frame.data.level };
    default:
      return state;
  }
}

function foldRow(state: SessionState, frame: Frame): SessionState {
  const id = frame.id ?? `${frame.event}-${frame.at}-${state.entries.length}`;
  const { at } = frame;
  switch (frame.event) {
    case "prompt":
      // The session's own question stands there already.
      return frame.data.kind === "question"
        ? state
        : push(state, { kind: "prompt", id, at, text: frame.data.text, from: frame.data.kind });
    case "activity_delta":
      return appendDelta(state, "reasoning", frame.data, id, at);
    case "text_delta":
      return appendDelta(state, "text", frame.data, id, at);
    case "tool":
      return foldTool(state, frame.data, id, at);
    case "gate_opened":
      return push(state, {
        kind: "gate",
        id,
        at,
        gateId: frame.data.gateId,
        gate: frame.data.kind,
        phase: frame.data.phase,
        what: "opened",
      });
    case "gate_closed":
      return foldGateClosed(state, frame.data, id, at);
    case "status": {
      const blocks = new Set(frame.data.blocks ?? []);
      const entries =
        blocks.size === 0
          ? state.entries
          : state.entries.replaceAll((entry) =>
              isBlock(entry) && blocks.has(entry.block) && !entry.discarded
                ? { ...entry, discarded: true, live: false }
                : entry,
            );
      const { code, text } = frame.data;
      const status: StatusEntry = { kind: "status", id, at, code, text, problem: false };
      return push({ ...state, entries }, status);
    }
    case "phase":
      if (frame.data.phase === state.rows.phase) return state;
      return push(
        { ...state, rows: { ...state.rows, phase: frame.data.phase } },
        { kind: "divider", id, at, text: `${frame.data.phase} ${phaseTitles[frame.data.phase]}` },
      );
    case "turn":
      return foldTurn(state, frame.data, id, at);
    default:
      return state;
  }
}

const isBlock = (entry: Entry): entry is BlockEntry => entry.kind === "reasoning" || entry.kind === "text";

/** A new row ends the block that was being written. */
function push(state: SessionState, entry: Entry): SessionState {
  const rows = isBlock(entry) ? { ...state.rows, block: blockKey(entry.kind, entry.block) } : state.rows;
  return { ...state, rows, entries: closeBlock(state).push(entry) };
}

function closeBlock({ entries, rows }: SessionState): EntryList<Entry> {
  const index = entries.placeOf(rows.block);
  const open = entries.at(index);
  return index >= 0 && open && isBlock(open) && open.live ? entries.with(index, { ...open, live: false }) : entries;
}

function appendDelta(
  state: SessionState,
  kind: BlockEntry["kind"],
  data: { block: string; delta: string },
  id: string,
  at: number,
): SessionState {
  const index = state.entries.placeOf(blockKey(kind, data.block));
  const found = index < 0 ? undefined : state.entries.at(index);
  if (found && isBlock(found))
    return { ...state, entries: state.entries.with(index, { ...found, text: found.text + data.delta, endAt: at }) };
  return push(state, { kind, id, at, endAt: at, block: data.block, text: data.delta, live: true, discarded: false });
}

function foldTool(state: SessionState, data: EventData<"tool">, id: string, at: number): SessionState {
  const index = state.entries.placeOf(toolKey(data.callId));
  const found = index < 0 ? undefined : state.entries.at(index);
  if (found?.kind !== "tool") {
    return push(state, {
      kind: "tool",
      id,
      at,
      callId: data.callId,
      name: data.name,
      status: data.status,
      endAt: null,
    });
  }
  return {
    ...state,
    entries: state.entries.with(index, { ...found, status: data.status, endAt: data.status === "running" ? null : at }),
  };
}

/** The row of an open gate becomes the row of its answer. */
function foldGateClosed(state: SessionState, data: EventData<"gate_closed">, id: string, at: number): SessionState {
  const what = data.reason === "answered" ? (data.answer ?? "continue") : data.reason;
  const index = state.entries.placeOf(gateKey(data.gateId));
  const found = index < 0 ? undefined : state.entries.at(index);
  if (found?.kind !== "gate") {
    return push(state, { kind: "gate", id, at, gateId: data.gateId, gate: data.kind, phase: data.phase, what });
  }
  return { ...state, entries: state.entries.with(index, { ...found, at, what }) };
}

function foldTurn(state: SessionState, data: EventData<"turn">, id: string, at: number): SessionState {
  const before = state.rows.turn;
  const starts = data.turn === "running" && before !== "running" && before !== "waiting";
  const turns = state.rows.turns + (starts ? 1 : 0);
  const next: SessionState = { ...state, turnAt: at, rows: { ...state.rows, turn: data.turn, turns } };
  if (data.turn === "running") {
    // The first turn's heading stands above the question.
    return starts && turns > 1 ? push(next, { kind: "divider", id, at, text: `Turn ${turns}` }) : next;
  }
  if (data.turn === "waiting") return { ...next, entries: closeBlock(next) };
  if (data.turn === before) return next;
  const ended: SessionState = {
    ...next,
    entries: next.entries.replaceAll((entry) =>
      entry.kind === "tool" && entry.status === "running" ? { ...entry, status: "ended", endAt: at } : entry,
    ),
  };
  if (data.turn === "failed") {
    return push(ended, {
      kind: "status",
      id,
      at,
      text: `Turn failed: ${data.failure?.message ?? "unknown reason"}`,
      problem: true,
    });
  }
  return before === null ? ended : push(ended, { kind: "status", id, at, text: "Turn ended", problem: false });
}
