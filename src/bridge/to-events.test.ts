import { describe, expect, it } from "vitest";
import { check, type SessionEvent, events as schemas } from "../protocol/index.ts";
import { type BridgeState, initialBridge, toEvents } from "./to-events.ts";

type Piece = { type: string } & Record<string, unknown>;
function bridge(records: Piece[], from: BridgeState = initialBridge): SessionEvent[] {
  let state = from;
  return records.flatMap((record) => {
    const bridged = toEvents(state, record);
    state = bridged.state;
    return bridged.events;
  });
}
const start: Piece = { type: "message_start", message: { role: "assistant", content: [] } };
const update = (type: string, contentIndex: number, delta?: string): Piece => ({
  type: "message_update",
  usage: { cost: "SECRET" },
  assistantMessageEvent: { type, contentIndex, ...(delta === undefined ? {} : { delta }) },
});
const blocksOf = (list: SessionEvent[]) =>
  list.map(({ event, data }) => [event, (data as { block: string }).block, (data as { delta: string }).delta]);

describe("bridge", () => {
  it("C1.1 C1.2 reasoning and text become their own events, in order, with a name per block", () => {
    const list = bridge([
      start,
      update("thinking_start", 0),
      update("thinking_delta", 0, "I "),
      update("thinking_delta", 0, "think"),
      update("thinking_end", 0),
      update("text_start", 1),
      update("text_delta", 1, "So "),
      update("text_delta", 1, "be it"),
      update("text_end", 1),
      update("toolcall_start", 2),
      update("toolcall_delta", 2, '{"SECRET":1}'),
      update("toolcall_end", 2),
      start,
      update("thinking_delta", 0, "next"),
    ]);
    expect(blocksOf(list)).toEqual([
      ["activity_delta", "m1.0", "I "],
      ["activity_delta", "m1.0", "think"],
      ["text_delta", "m1.1", "So "],
      ["text_delta", "m1.1", "be it"],
      ["activity_delta", "m2.0", "next"],
    ]);
  });

  it("C1.1 reasoning that goes on after the text began is a block of its own, also without a thinking_end", () => {
    const list = bridge([
      start,
      update("thinking_delta", 0, "a"),
      update("text_start", 1),
      update("text_delta", 1, "b"),
      update("thinking_delta", 0, "c"),
      update("thinking_delta", 0, "d"),
      update("text_delta", 1, "e"),
    ]);
    expect(blocksOf(list)).toEqual([
      ["activity_delta", "m1.0", "a"],
      ["text_delta", "m1.1", "b"],
      ["activity_delta", "m1.0.2", "c"],
      ["activity_delta", "m1.0.2", "d"],
      ["text_delta", "m1.1", "e"],
    ]);
  });

  it("C1.4 a retried attempt's blocks are named as discarded, and the next attempt has others", () => {
    const list = bridge([
      start,
      update("thinking_delta", 0, "a"),
      update("text_delta", 1, "b"),
      {
        type: "message_end",
        message: {
          role: "assistant",
          stopReason: "error",
          errorMessage: "429: SECRET",
          content: [{ type: "text", text: "b" }],
        },
      },
      { type: "agent_end", willRetry: true, messages: ["SECRET"] },
      { type: "auto_retry_start", attempt: 1, maxAttempts: 2, delayMs: 1, errorMessage: "429: SECRET" },
      start,
      update("text_delta", 0, "c"),
      { type: "auto_retry_end", success: true, attempt: 1 },
    ]);
    expect(list[2]).toEqual({
      event: "status",
      data: { code: "retrying", text: "The answer broke off. Trying again (1 of 2).", blocks: ["m1.0", "m1.1"] },
    });
    const retry = { type: "auto_retry_start", attempt: 2, maxAttempts: 3, delayMs: 4000, errorMessage: "429: SECRET" };
    expect(toEvents(initialBridge, retry, "The provider is limiting requests.").events).toEqual([
      {
        event: "status",
        data: { code: "retrying", text: "The provider is limiting requests. Trying again in 4 s (2 of 3)." },
      },
    ]);
    expect(list[3]).toEqual({ event: "text_delta", data: { block: "m2.0", delta: "c" } });
    expect(JSON.stringify(list)).not.toContain("SECRET");
  });

  it("C12.1 a tool event has exactly three keys, and ids that repeat are told apart", () => {
    const run = (isError: boolean): Piece[] => [
      { type: "tool_execution_start", toolCallId: "call_1", toolName: "run_query", args: { sql: "SECRET" } },
      {
        type: "tool_execution_update",
        toolCallId: "call_1",
        toolName: "run_query",
        args: { sql: "SECRET" },
        partialResult: { content: "SECRET" },
      },
      {
        type: "tool_execution_end",
        toolCallId: "call_1",
        toolName: "run_query",
        result: { content: "SECRET" },
        isError,
      },
    ];
    const list = bridge([
      ...run(false),
      ...run(true),
      { type: "tool_execution_end", toolCallId: "never-began", toolName: "x" },
    ]);
    expect(list.map(({ data }) => data)).toEqual([
      { callId: "call_1", name: "run_query", status: "running" },
      { callId: "call_1", name: "run_query", status: "completed" },
      { callId: "call_1#2", name: "run_query", status: "running" },
      { callId: "call_1#2", name: "run_query", status: "failed" },
    ]);
  });

  it("C12.2 an id or a name that is a message of its own doesn't get through", () => {
    const list = bridge([
      { type: "tool_execution_start", toolCallId: "see /etc/SECRET", toolName: "SECRET words" },
      { type: "tool_execution_end", toolCallId: "see /etc/SECRET", toolName: "SECRET words" },
    ]);
    expect(list.map(({ data }) => data)).toEqual([
      { callId: "call", name: "unknown", status: "running" },
      { callId: "call", name: "unknown", status: "completed" },
    ]);
  });

  it("C12.2 C11.2 what isn't on the list becomes nothing", () => {
    const silent: Piece[] = [
      { type: "agent_start" },
      { type: "turn_start" },
      { type: "turn_end", message: { role: "assistant" }, toolResults: ["SECRET"] },
      { type: "agent_end", messages: ["SECRET"] },
      { type: "message_start", message: { role: "user", content: "SECRET" } },
      { type: "message_end", message: { role: "user", content: "SECRET" } },
      { type: "message_start", message: { role: "system", content: "SECRET" } },
      { type: "message_start", message: { role: "custom", content: "SECRET" } },
      { type: "message_end", message: { role: "toolResult", content: "SECRET" } },
      { type: "entry_appended", entry: { data: "SECRET" } },
      { type: "extension_error", error: "SECRET" },
      { type: "queue_update", steering: ["SECRET"] },
      { type: "extension_ui_request", method: "notify", message: "SECRET" },
      { type: "auto_retry_end", success: false, finalError: "SECRET" },
      { type: "compaction_end", errorMessage: "SECRET" },
      { type: "thinking_level_changed", level: "SECRET" },
      { type: "agent_settled", aborted: false },
      { type: "message_update" },
      { type: "message_update", assistantMessageEvent: null },
      { type: "message_update", assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: { SECRET: 1 } } },
      { type: "no_such_record", text: "SECRET" },
    ];
    expect(bridge(silent)).toEqual([]);
  });

  it("status events are in fixed words, and everything fits its schema", () => {
    const list = bridge([
      { type: "compaction_start", reason: "threshold" },
      { type: "compaction_end", result: { summary: "SECRET" } },
      { type: "thinking_level_changed", level: "medium" },
      { type: "agent_settled", aborted: true },
      start,
      update("text_delta", 0, "x"),
      { type: "tool_execution_start", toolCallId: "a", toolName: "b" },
    ]);
    expect(list.slice(0, 4).map(({ data }) => (data as { code: string }).code)).toEqual([
      "compacting",
      "compacted",
      "thinking",
      "stopped",
    ]);
    for (const { event, data } of list) expect(check(schemas[event], data)).toMatchObject({ ok: true });
    expect(JSON.stringify(list)).not.toContain("SECRET");
  });
});
