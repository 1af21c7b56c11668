/** The browser's side of the stream, with sources that do as they are told. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Frame } from "../../src/protocol/events.ts";
import { type EventStream, openEventStream, type SourceLike } from "../../src/web/session/event-stream.ts";
import {
  emptySession,
  foldQuestion,
  foldSession,
  foldSource,
  type SessionState,
} from "../../src/web/session/fold-session.ts";

class Source implements SourceLike {
  readyState = 1;
  open = true;
  listeners = new Map<string, ((event: { data?: unknown; lastEventId?: string }) => void)[]>();
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
  addEventListener(name: string, listener: (event: { data?: unknown; lastEventId?: string }) => void) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }
  close() {
    this.open = false;
  }
  emit(name: string, data: unknown = {}, lastEventId = "") {
    for (const listener of this.listeners.get(name) ?? []) listener({ data: JSON.stringify(data), lastEventId });
  }
}
let sources: Source[];
let frames: Frame[];
let timers: (() => void)[];
const openOnes = () => sources.filter((source) => source.open).length;
const start = (url = "/api/sessions/s/events"): EventStream =>
  openEventStream(
    url,
    { onSource: () => undefined, onFrame: (frame) => frames.push(frame), onStatus: () => undefined },
    {
      openSource: (at) => {
        const source = new Source(at);
        sources.push(source);
        // The old one is closed before the new one is opened: never two at a time.
        expect(openOnes()).toBeLessThanOrEqual(1);
        return source;
      },
      setTimer: (run) => timers.push(run),
      clearTimer: () => undefined,
      now: () => 0,
      warn: () => undefined,
    },
  );
beforeEach(() => {
  sources = [];
  frames = [];
  timers = [];
});

describe("the browser's stream", () => {
  it("C9.1 opens exactly the address it was given, each time anew", () => {
    const stream = start();
    stream.retryNow();
    stream.retryNow();
    expect(sources.map((source) => source.url)).toEqual(Array(3).fill("/api/sessions/s/events"));
  });

  it("C9.3 closes its source when it is closed, and there is never more than one open", () => {
    const stream = start();
    stream.retryNow();
    expect(openOnes()).toBe(1);
    stream.close();
    expect(openOnes()).toBe(0);
    // As a component that is mounted twice in a row: the first stream leaves before the second comes.
    const again = start();
    again.close();
    const last = start();
    expect(openOnes()).toBe(1);
    last.close();
    expect(openOnes()).toBe(0);
  });

  it("C9.3 a source that fails for good is closed and let go, and its late frames are nobody's", () => {
    start();
    const old = sources[0] as Source;
    old.readyState = 2;
    old.emit("error");
    expect(openOnes()).toBe(0);
    old.emit("turn", { at: 1, turn: "failed" }, "e-9");
    for (const timer of [...timers]) timer();
    expect(openOnes()).toBe(1);
    old.emit("turn", { at: 1, turn: "failed" }, "e-9");
    old.emit("error");
    expect(frames).toEqual([]);
    expect(openOnes()).toBe(1);
  });
});

const open = (epoch: string, lastSeq: number): Frame =>
  ({
    event: "stream_open",
    at: 1,
    data: {
      epoch,
      firstSeq: 1,
      lastSeq,
      turn: "waiting",
      openGate: null,
      phase: "F1",
      phases: [],
      outcome: null,
      thinking: "low",
      thinkingInForce: null,
      failure: null,
    },
  }) as Frame;
const delta = (id: string, text: string): Frame =>
  ({ event: "text_delta", at: 2, id, data: { block: "m1.0", delta: text } }) as Frame;
const fold = (state: SessionState, ...list: Frame[]) => list.reduce(foldSession, state);
const rows = (state: SessionState) => state.entries.map((entry) => ("text" in entry ? entry.text : entry.kind));

describe("the rows after a reconnect", () => {
  it("C9.1 replay takes the place of what was there, same epoch or another, and the question stays first", () => {
    const before = fold(foldQuestion(emptySession, "How many?", 1), open("a", 0), delta("a-1", "x"), delta("a-2", "y"));
    expect(rows(before)).toEqual(["How many?", "xy"]);
    expect(rows(fold(foldSource(before), open("a", 2), delta("a-1", "x"), delta("a-2", "y")))).toEqual([
      "How many?",
      "xy",
    ]);
    expect(rows(fold(foldSource(before), open("b", 1), delta("b-1", "new")))).toEqual(["How many?", "new"]);
  });

  it("C11.2 the question stays first after a reset, with a failed child, and when the echo comes back", () => {
    const asked = foldQuestion(emptySession, "How many?", 1);
    const reset = { event: "stream_reset", at: 1, data: { reason: "resumed" } } as Frame;
    const echo = { event: "prompt", at: 1, id: "a-1", data: { text: "How many?", kind: "question" } } as Frame;
    const failed = { event: "turn", at: 1, id: "a-2", data: { turn: "failed" } } as Frame;
    expect(rows(fold(asked, reset))).toEqual(["How many?"]);
    expect(rows(fold(asked, open("a", 0), echo, failed)).slice(0, 1)).toEqual(["How many?"]);
    expect(rows(fold(asked, open("a", 0), echo, delta("a-2", "x"), reset, open("b", 0)))).toEqual(["How many?"]);
    expect(rows(foldQuestion(fold(emptySession, open("a", 0), echo, delta("a-2", "x")), "How many?", 1))).toEqual([
      "How many?",
      "x",
    ]);
  });

  it("C11.1 has a row for each: prompt, reasoning, output, tool, gate, status, and the turn's end", () => {
    const at = (seq: number, event: string, data: unknown): Frame =>
      ({ event, at: seq, id: `a-${seq}`, data }) as Frame;
    const state = fold(
      foldQuestion(emptySession, "How many?", 0),
      open("a", 0),
      at(1, "turn", { turn: "running" }),
      at(2, "activity_delta", { block: "m1.0", delta: "hm" }),
      at(3, "text_delta", { block: "m1.1", delta: "so" }),
      at(4, "tool", { callId: "c", name: "catalog_search", status: "running" }),
      at(5, "tool", { callId: "c", name: "catalog_search", status: "completed" }),
      at(6, "gate_opened", { gateId: "g", kind: "question", phase: "F1", payload: {}, hash: "h" }),
      at(7, "gate_closed", { gateId: "g", kind: "question", phase: "F1", reason: "answered", answer: "continue" }),
      at(8, "prompt", { text: "albums", kind: "steer" }),
      at(9, "status", { code: "compacting", text: "Shortening." }),
      at(10, "turn", { turn: "idle" }),
    );
    expect(state.entries.map((entry) => entry.kind)).toEqual([
      "prompt",
      "reasoning",
      "text",
      "tool",
      "gate",
      "prompt",
      "status",
      "status",
    ]);
    expect(state.entries.findLast((entry) => entry.kind === "tool")).toMatchObject({
      status: "completed",
      at: 4,
      endAt: 5,
    });
    expect(state.entries.findLast((entry) => entry.kind === "gate")).toMatchObject({ what: "continue" });
  });
});
