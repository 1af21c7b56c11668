import { describe, expect, it } from "vitest";
import type { EventData, EventName, Frame } from "../../protocol/events.ts";
import {
  type BlockEntry,
  emptySession,
  foldQuestion,
  foldSession,
  foldSource,
  type SessionState,
  toFrameId,
} from "./fold-session.ts";

const open = (over: Partial<EventData<"stream_open">> = {}): Frame => ({
  event: "stream_open",
  at: 1,
  data: {
    epoch: "e-1",
    firstSeq: 0,
    lastSeq: -1,
    turn: "running",
    openGate: null,
    phase: "F1",
    phases: [],
    outcome: null,
    thinking: "medium",
    thinkingInForce: "medium",
    failure: null,
    ...over,
  },
});
const frame = <N extends EventName>(event: N, data: EventData<N>, seq: number, at = seq * 100, epoch = "e-1") =>
  ({ event, data, at, id: `${epoch}-${seq}` }) as unknown as Frame;
const thinking = (block: string, delta: string, seq: number) => frame("activity_delta", { block, delta }, seq);
const text = (block: string, delta: string, seq: number) => frame("text_delta", { block, delta }, seq);
const tool = (callId: string, status: "running" | "completed" | "failed", seq: number) =>
  frame("tool", { callId, name: "run_query", status }, seq);
const fold = (frames: Frame[], from: SessionState = emptySession) => frames.reduce(foldSession, from);
const words = (state: SessionState) =>
  state.entries.map((entry) =>
    "text" in entry
      ? entry.text
      : entry.kind === "tool"
        ? `${entry.name} ${entry.status}`
        : entry.kind === "gate"
          ? `${entry.phase} ${entry.what}`
          : "",
  );

describe("the rows", () => {
  it("C11.1 stand in the order things happened", () => {
    const state = fold(
      [
        open(),
        thinking("b1", "Think", 0),
        tool("c1", "running", 1),
        tool("c1", "completed", 2),
        text("t1", "Say", 3),
        frame("status", { code: "retry", text: "Trying again" }, 4),
        frame("gate_opened", { gateId: "g1", kind: "question", phase: "F1", payload: {}, hash: "h" }, 5),
        frame("gate_closed", { gateId: "g1", kind: "question", phase: "F1", reason: "answered", answer: "other" }, 6),
        frame("phase", { phase: "F2", phases: [], outcome: null }, 7),
        frame("turn", { turn: "idle" }, 8),
      ],
      foldQuestion(emptySession, "How many?", 0),
    );
    expect(words(state)).toEqual([
      "How many?",
      "Think",
      "run_query completed",
      "Say",
      "Trying again",
      "F1 other",
      "F2 Data",
    ]);
    expect(state.turn).toBe("idle");
  });

  it("C1.2 keep reasoning and text of one block name apart and join deltas only within a block", () => {
    const state = fold([
      open(),
      thinking("x", "a", 0),
      text("x", "1", 1),
      thinking("x", "b", 2),
      thinking("y", "c", 3),
      text("x", "2", 4),
    ]);
    expect(state.entries.map((entry) => [entry.kind, (entry as BlockEntry).text])).toEqual([
      ["reasoning", "ab"],
      ["text", "12"],
      ["reasoning", "c"],
    ]);
  });

  it("measure a tool and a block by the frames' times only", () => {
    const state = fold([
      open(),
      { ...thinking("b", "a", 0), at: 1000 },
      { ...thinking("b", "b", 1), at: 3500 },
      { ...tool("c", "running", 2), at: 4000 },
      { ...tool("c", "failed", 3), at: 4020 },
    ]);
    expect([...state.entries]).toMatchObject([
      { at: 1000, endAt: 3500, live: false },
      { at: 4000, endAt: 4020, status: "failed" },
    ]);
  });

  it("C11.2 begin with the local question, before any frame, and never repeat it", () => {
    const before = foldQuestion(emptySession, "How many?", 5);
    expect([...before.entries]).toMatchObject([{ kind: "prompt", text: "How many?", at: 5 }]);
    const state = fold(
      [
        open(),
        frame("prompt", { text: "How many?", kind: "question" }, 0),
        frame("prompt", { text: "And now?", kind: "follow-up" }, 1),
      ],
      before,
    );
    expect(words(state)).toEqual(["How many?", "And now?"]);
    const reset = foldSession(state, { event: "stream_reset", at: 9, data: { reason: "resumed" } });
    expect(words(reset)).toEqual(["How many?"]);
    expect(words(foldSession(foldSource(reset), open({ epoch: "e-2", turn: "failed" })))).toEqual(["How many?"]);
  });

  it("C11.2 put the question first even when frames came before it was known", () => {
    expect(words(foldQuestion(fold([open(), text("t", "Hi", 0)]), "How many?", 5))).toEqual(["How many?", "Hi"]);
  });

  it("C1.4 mark the blocks of a discarded attempt and keep them apart from the next one", () => {
    const state = fold([
      open(),
      thinking("a1", "first", 0),
      text("t1", "half", 1),
      frame("status", { code: "retry", text: "Trying again", blocks: ["a1", "t1"] }, 2),
      thinking("a2", "second", 3),
    ]);
    expect(state.entries.map((entry) => [(entry as BlockEntry).text, (entry as BlockEntry).discarded])).toEqual([
      ["first", true],
      ["half", true],
      ["Trying again", undefined],
      ["second", false],
    ]);
  });

  it("drop a frame that came before", () => {
    const frames = [text("t", "a", 0), text("t", "b", 1)];
    expect(words(fold([open(), ...frames, ...frames, text("t", "c", 2)]))).toEqual(["abc"]);
  });

  it("drop frames of another epoch", () => {
    expect(
      words(fold([open(), text("t", "a", 0), frame("text_delta", { block: "t", delta: "old" }, 7, 700, "e-0")])),
    ).toEqual(["a"]);
  });
});

describe("stream_open", () => {
  it("C9.1 of a new source replaces the rows, and the replay fills them", () => {
    const frames = [text("t", "a", 0), tool("c", "running", 1), tool("c", "completed", 2)];
    const first = fold([open(), ...frames], foldQuestion(emptySession, "Q", 0));
    const again = fold([open({ lastSeq: 2 }), ...frames, text("u", "new", 3)], foldSource(first));
    expect(words(again)).toEqual(["Q", "a", "run_query completed", "new"]);
  });

  it("of a native reconnect keeps the rows and adds what was missed", () => {
    const first = fold([open(), text("t", "a", 0), text("t", "b", 1)]);
    const again = fold(
      [open({ lastSeq: 3, turn: "idle" }), text("t", "c", 2), frame("turn", { turn: "idle" }, 3)],
      first,
    );
    expect(words(again)).toEqual(["abc"]);
    expect(again.turn).toBe("idle");
  });

  it("of another epoch replaces the rows though the source is the same", () => {
    expect(
      words(
        fold([
          open(),
          text("t", "a", 0),
          open({ epoch: "e-2" }),
          frame("text_delta", { block: "t", delta: "z" }, 0, 0, "e-2"),
        ]),
      ),
    ).toEqual(["z"]);
  });

  it("is the authority: replayed frames change rows, never turn, gate or phase", () => {
    const gate = { gateId: "g1", kind: "question" as const, phase: "F1" as const, payload: {}, hash: "h" };
    const state = fold([
      open({ lastSeq: 3, turn: "idle", phase: "F2", outcome: "answered" }),
      frame("turn", { turn: "running" }, 0),
      frame("gate_opened", gate, 1),
      frame("turn", { turn: "waiting" }, 2),
      frame("phase", { phase: "F1", phases: [], outcome: null }, 3),
    ]);
    expect(state).toMatchObject({ turn: "idle", openGate: null, phase: "F2", outcome: "answered" });
    expect(words(state)).toEqual(["F1 opened"]);
    expect(fold([frame("turn", { turn: "waiting" }, 4), frame("gate_opened", gate, 5)], state)).toMatchObject({
      turn: "waiting",
      openGate: { gateId: "g1" },
    });
  });
});

describe("the turn", () => {
  it("shows a failure as a row and ends what was running", () => {
    const failure = {
      code: "rate-limited" as const,
      message: "The provider’s rate limit was reached.",
      action: "Wait.",
    };
    const state = fold([
      open(),
      frame("turn", { turn: "running" }, 0),
      tool("c", "running", 1),
      frame("turn", { turn: "failed", failure }, 2),
    ]);
    expect(words(state)).toEqual(["run_query ended", "Turn failed: The provider’s rate limit was reached."]);
    expect(state).toMatchObject({ turn: "failed", failure, turnAt: 200 });
    expect(fold([frame("turn", { turn: "running" }, 3)], state)).toMatchObject({ turn: "running", failure: null });
  });

  it("gets a divider from the second one on; a gate in between is none", () => {
    const turns = (["running", "waiting", "running", "idle", "running"] as const).map((turn, seq) =>
      frame("turn", { turn }, seq),
    );
    expect(words(fold([open(), ...turns]))).toEqual(["Turn ended", "Turn 2"]);
  });

  it("lets go of a gate only when that gate closes", () => {
    const gate = (gateId: string) => ({
      gateId,
      kind: "question" as const,
      phase: "F1" as const,
      payload: {},
      hash: gateId,
    });
    const closed = (gateId: string, seq: number) =>
      frame("gate_closed", { gateId, kind: "question", phase: "F1", reason: "superseded" }, seq);
    const state = fold([
      open(),
      frame("gate_opened", gate("a"), 0),
      frame("gate_opened", gate("b"), 1),
      closed("a", 2),
    ]);
    expect(state.openGate?.gateId).toBe("b");
    expect(fold([closed("b", 3)], state).openGate).toBeNull();
  });
});

it("C2.2 a level that comes into force later is known from then on; other statuses say nothing of it", () => {
  const state = fold([
    open({ thinking: "high", thinkingInForce: null }),
    frame("status", { code: "thinking", text: "Thinking level in force: medium, asked: high.", level: "medium" }, 0),
    frame("status", { code: "compacting", text: "Shortening." }, 1),
  ]);
  expect(state).toMatchObject({ thinking: "high", thinkingInForce: "medium" });
});

it("toFrameId reads the last dash, since an epoch may hold some", () => {
  expect(toFrameId("a-b-12")).toEqual({ epoch: "a-b", seq: 12 });
  expect([undefined, "", "12", "-3", "a-", "a-x", "a-1.5"].map(toFrameId)).toEqual([
    null,
    null,
    null,
    null,
    null,
    null,
    null,
  ]);
});
