import { beforeEach, describe, expect, it } from "vitest";
import { eventNames, type Frame, heartbeatMs } from "../../protocol/events.ts";
import { openEventStream, type SourceLike, type StreamEffects, type StreamStatus } from "./event-stream.ts";

type Listener = (event: { data?: unknown; lastEventId?: string }) => void;
class FakeSource implements SourceLike {
  readyState = 0;
  readonly listeners = new Map<string, Listener[]>();
  closed = 0;
  readonly url: string;
  constructor(url: string) {
    this.url = url;
  }
  addEventListener(name: string, listener: Listener) {
    this.listeners.set(name, [...(this.listeners.get(name) ?? []), listener]);
  }
  close() {
    this.closed += 1;
    this.readyState = 2;
  }
  emit(name: string, data: unknown = {}, lastEventId = "") {
    for (const listener of this.listeners.get(name) ?? [])
      listener({ data: typeof data === "string" ? data : JSON.stringify(data), lastEventId });
  }
  fail(readyState: number) {
    this.readyState = readyState;
    this.emit("error");
  }
}

let sources: FakeSource[];
let timers: { at: number; run: () => void; gone: boolean }[];
let now: number;
let frames: Frame[];
let statuses: StreamStatus[];
let warnings: string[];
let opened: number;
const effects: StreamEffects = {
  openSource: (url) => {
    const source = new FakeSource(url);
    sources.push(source);
    return source;
  },
  setTimer: (run, ms) => {
    const timer = { at: now + ms, run, gone: false };
    timers.push(timer);
    return timer;
  },
  clearTimer: (timer) => {
    (timer as { gone: boolean }).gone = true;
  },
  now: () => now,
  warn: (text) => warnings.push(text),
};
/** Runs what falls due; `late` runs cleared timers too, as a callback that was already queued. */
function pass(ms: number) {
  const end = now + ms;
  for (;;) {
    const due = timers.filter((timer) => !timer.gone && timer.at <= end).sort((a, b) => a.at - b.at)[0];
    if (!due) break;
    now = due.at;
    due.gone = true;
    due.run();
  }
  now = end;
}
const start = () =>
  openEventStream(
    "/api/sessions/s/events",
    {
      onSource: () => {
        opened += 1;
      },
      onFrame: (frame) => frames.push(frame),
      onStatus: (status) => statuses.push(status),
    },
    effects,
  );
const source = (index: number): FakeSource => {
  const found = sources[index];
  if (!found) throw new Error(`no source ${index}`);
  return found;
};
beforeEach(() => {
  sources = [];
  timers = [];
  now = 1_000;
  frames = [];
  statuses = [];
  warnings = [];
  opened = 0;
});

describe("openEventStream", () => {
  it("C1.3 subscribes by name to every event the server can send", () => {
    start();
    for (const name of eventNames) expect(source(0).listeners.get(name), name).toHaveLength(1);
    expect(source(0).listeners.has("message")).toBe(false);
  });

  it("hands on checked frames with the envelope's time and the id", () => {
    start();
    source(0).emit("text_delta", { at: 77, block: "b", delta: "x" }, "e-3");
    expect(frames).toEqual([{ event: "text_delta", data: { block: "b", delta: "x" }, at: 77, id: "e-3" }]);
  });

  it("gives no id to events that have none, though the browser repeats the last one", () => {
    start();
    source(0).emit("heartbeat", { at: 5 }, "e-3");
    expect(frames).toEqual([{ event: "heartbeat", data: {}, at: 5 }]);
  });

  it("drops a payload that does not fit, with a warning, and goes on", () => {
    start();
    source(0).emit("text_delta", { at: 1, block: "b", delta: { evil: true } }, "e-1");
    source(0).emit("turn", "not json", "e-2");
    source(0).emit("no_such_event", { at: 1 }, "e-3");
    source(0).emit("turn", { at: 1, turn: "idle", later: "unknown keys are fine" }, "e-4");
    expect(frames.map((frame) => frame.id)).toEqual(["e-4"]);
    expect(warnings).toHaveLength(2);
  });

  it("C9.3 lets nothing of a superseded source through: no frame, no error, no timer", () => {
    const stream = start();
    const old = source(0);
    const oldTimers = [...timers];
    stream.retryNow();
    expect(sources).toHaveLength(2);
    expect(old.closed).toBe(1);
    const told = statuses.length;
    old.emit("turn", { at: 1, turn: "failed" }, "e-1");
    old.fail(2);
    for (const timer of oldTimers) timer.run();
    expect(frames).toEqual([]);
    expect(statuses).toHaveLength(told);
    expect(sources).toHaveLength(2);
    expect(source(1).closed).toBe(0);
  });

  it("C9.3 ignores everything after it was closed, queued timers included", () => {
    const stream = start();
    source(0).fail(2);
    const queued = [...timers];
    stream.close();
    for (const timer of queued) timer.run();
    stream.retryNow();
    source(0).emit("turn", { at: 1, turn: "idle" }, "e-1");
    expect(sources).toHaveLength(1);
    expect(frames).toEqual([]);
  });

  it("leaves a source alone that is reconnecting by itself", () => {
    start();
    source(0).emit("heartbeat", { at: 1 });
    source(0).fail(0);
    pass(3 * heartbeatMs - 1);
    expect(sources).toHaveLength(1);
    expect(source(0).closed).toBe(0);
    expect(statuses.at(-1)).toMatchObject({ state: "lost" });
    source(0).emit("heartbeat", { at: 2 });
    expect(statuses.at(-1)).toMatchObject({ state: "live" });
  });

  it("C10.1 replaces a source after three silent heartbeats, and never a healthy one", () => {
    start();
    for (let beat = 0; beat < 25; beat += 1) {
      source(0).emit("heartbeat", { at: 1 });
      pass(heartbeatMs);
    }
    expect(sources).toHaveLength(1);
    source(0).emit("heartbeat", { at: 1 });
    pass(3 * heartbeatMs - 1);
    expect(sources).toHaveLength(1);
    pass(1);
    expect(sources.map((one) => [one.url, one.closed])).toEqual([
      ["/api/sessions/s/events", 1],
      ["/api/sessions/s/events", 0],
    ]);
    expect(opened).toBe(2);
    expect(statuses.at(-1)).toMatchObject({ state: "lost", lastAt: now - 3 * heartbeatMs });
  });

  it("opens a CLOSED source again, later each time, and soon again once it worked", () => {
    start();
    const waits: number[] = [];
    for (let turn = 0; turn < 6; turn += 1) {
      const before = now;
      source(sources.length - 1).fail(2);
      const count = sources.length;
      while (sources.length === count) pass(100);
      waits.push(now - before);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 15000, 15000]);
    source(sources.length - 1).emit("heartbeat", { at: 1 });
    source(sources.length - 1).fail(2);
    expect(statuses.at(-1)).toMatchObject({ state: "lost", nextTryAt: now + 1000 });
  });
});
