/**
 * From one record of the Pi child to what the page may know of it: an allow-list, and pure. Whatever isn't named here
 * (arguments, results, errors' own words, other roles' messages, entries) stays on the server.
 */
import {
  childNotes,
  type EventData,
  type SessionEvent,
  type ThinkingLevel,
  thinkingLevels,
} from "../protocol/index.ts";

export interface BridgeState {
  /** Number of the assistant's message within this epoch: makes its blocks' names unique. */
  message: number;
  /** Names of the blocks of the present message, in the order they began. */
  blocks: readonly string[];
  /** Present name of each content part of the message, e.g. `thinking:0` → `m3.0`. */
  names: ReadonlyMap<string, string>;
  /** Tool calls that run now: Pi's id → the id and name the page knows. */
  running: ReadonlyMap<string, { callId: string; name: string }>;
  /** How often each id was used: a provider may give the same one twice. */
  used: ReadonlyMap<string, number>;
}

export const initialBridge: BridgeState = {
  message: 0,
  blocks: [],
  names: new Map(),
  running: new Map(),
  used: new Map(),
};

export interface Bridged {
  state: BridgeState;
  events: SessionEvent[];
}

/** As it came from the child: only `type` is known. */
type Piece = { type: string } & Record<string, unknown>;

/** `reason`: a fixed sentence why Pi tries again, when its cause is known. */
export function toEvents(state: BridgeState, record: Piece, reason?: string): Bridged {
  switch (record.type) {
    case "message_start":
      return roleOf(record) === "assistant"
        ? { state: { ...state, message: state.message + 1, blocks: [], names: new Map() }, events: [] }
        : nothing(state);
    case "message_update":
      return toDelta(state, record.assistantMessageEvent);
    case "tool_execution_start":
      return startTool(state, record);
    case "tool_execution_end":
      return endTool(state, record);
    case "auto_retry_start":
      return {
        state: { ...state, blocks: [], names: new Map() },
        events: [status("retrying", toRetryWords(record, reason), state.blocks)],
      };
    case "auto_retry_end":
      return record.success === true ? say(state, "retried", "The model is answering again.") : nothing(state);
    case "compaction_start":
      return say(state, "compacting", "Shortening the conversation so that it fits the model.");
    case "compaction_end":
      return record.result ? say(state, "compacted", "The conversation was shortened.") : nothing(state);
    case "thinking_level_changed": {
      const level = thinkingLevels.find((one) => one === record.level);
      return level ? { state, events: [toThinkingStatus(level)] } : nothing(state);
    }
    case "entry_appended":
      return customTypeOf(record.entry) === childNotes.nudged
        ? say(state, "nudged", "The model answered in prose. It was asked to use its tools.")
        : nothing(state);
    case "agent_settled":
      return record.aborted === true ? say(state, "stopped", "Stopped.") : nothing(state);
    default:
      return nothing(state);
  }
}

export const toThinkingStatus = (level: ThinkingLevel, asked = level): SessionEvent => ({
  event: "status",
  data: {
    code: "thinking",
    text: `Thinking level in force: ${level}${asked === level ? "" : `, asked: ${asked}`}.`,
    level,
  },
});

const nothing = (state: BridgeState): Bridged => ({ state, events: [] });
const say = (state: BridgeState, code: string, text: string): Bridged => ({ state, events: [status(code, text)] });

/** `The provider is limiting requests. Trying again in 4 s (2 of 3).` */
function toRetryWords({ attempt, maxAttempts, delayMs }: Piece, reason = "The answer broke off."): string {
  const counted = (value: unknown): value is number =>
    typeof value === "number" && Number.isFinite(value) && value >= 0;
  const wait = counted(delayMs) && delayMs >= 1000 ? ` in ${Math.round(delayMs / 1000)} s` : "";
  const which = counted(attempt) && counted(maxAttempts) ? ` (${attempt} of ${maxAttempts})` : "";
  return `${reason} Trying again${wait}${which}.`;
}

const customTypeOf = (entry: unknown): unknown => (entry as { customType?: unknown } | null | undefined)?.customType;

function status(code: string, text: string, blocks: readonly string[] = []): SessionEvent {
  return { event: "status", data: { code, text, ...(blocks.length > 0 ? { blocks: [...blocks] } : {}) } };
}

const roleOf = (record: Piece): unknown => (record.message as { role?: unknown } | null | undefined)?.role;

function toDelta(state: BridgeState, update: unknown): Bridged {
  const { type, contentIndex, delta } = (update ?? {}) as { type?: unknown; contentIndex?: unknown; delta?: unknown };
  switch (type) {
    case "thinking_delta":
      return addDelta(state, "activity_delta", "thinking", contentIndex, delta);
    case "text_delta":
      return addDelta(state, "text_delta", "text", contentIndex, delta);
    case "text_start":
    case "toolcall_start":
      return nothing(endReasoning(state));
    default:
      return nothing(state);
  }
}

/**
 * Some providers tell the end of reasoning only after all the text. It ends where text or a call begins; what would
 * still come of it is a new block.
 */
function endReasoning(state: BridgeState): BridgeState {
  const names = new Map([...state.names].filter(([part]) => !part.startsWith("thinking:")));
  return names.size === state.names.size ? state : { ...state, names };
}

function addDelta(
  state: BridgeState,
  event: "activity_delta" | "text_delta",
  kind: string,
  contentIndex: unknown,
  delta: unknown,
): Bridged {
  if (typeof contentIndex !== "number" || typeof delta !== "string" || delta === "") return nothing(state);
  const part = `${kind}:${contentIndex}`;
  const known = state.names.get(part);
  if (known !== undefined) return { state, events: [{ event, data: { block: known, delta } }] };
  const block = freshName(`m${state.message}.${contentIndex}`, state.blocks);
  const next = { ...state, blocks: [...state.blocks, block], names: new Map(state.names).set(part, block) };
  return { state: next, events: [{ event, data: { block, delta } }] };
}

function freshName(name: string, taken: readonly string[]): string {
  for (let n = 1; ; n += 1) {
    const candidate = n === 1 ? name : `${name}.${n}`;
    if (!taken.includes(candidate)) return candidate;
  }
}

/** Both come from the model: anything that doesn't look like a name could be a message to the page. */
const plainId = /^[\w.:-]{1,64}$/;
const plainName = /^[\w-]{1,64}$/;
const toName = (value: unknown): string => (typeof value === "string" && plainName.test(value) ? value : "unknown");

function startTool(state: BridgeState, record: Piece): Bridged {
  const piId = String(record.toolCallId);
  const base = plainId.test(piId) ? piId : "call";
  const count = (state.used.get(base) ?? 0) + 1;
  const call = { callId: count === 1 ? base : `${base}#${count}`, name: toName(record.toolName) };
  const next = {
    ...state,
    used: new Map(state.used).set(base, count),
    running: new Map(state.running).set(piId, call),
  };
  return { state: next, events: [tool({ ...call, status: "running" })] };
}

function endTool(state: BridgeState, record: Piece): Bridged {
  const piId = String(record.toolCallId);
  const call = state.running.get(piId);
  if (call === undefined) return nothing(state);
  const running = new Map(state.running);
  running.delete(piId);
  const ended = record.isError === true ? "failed" : "completed";
  return { state: { ...state, running }, events: [tool({ ...call, status: ended })] };
}

/** The child is gone: what still ran has failed, and nobody will say so any more. */
export function endRunningTools(state: BridgeState): Bridged {
  return {
    state: { ...state, running: new Map() },
    events: [...state.running.values()].map((call) => tool({ ...call, status: "failed" })),
  };
}

const tool = (data: EventData<"tool">): SessionEvent => ({ event: "tool", data });
