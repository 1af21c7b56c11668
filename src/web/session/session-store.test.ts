import { beforeEach, describe, expect, it } from "vitest";
import type { EventData, EventName, Frame } from "../../protocol/events.ts";
import { createSessionStore, type SessionStore, type StoreEffects } from "./session-store.ts";

let clock = 0;
let waiting: { run: () => void; gone: boolean; what: "frame" | "timer"; ms?: number }[];
const put = (run: () => void, what: "frame" | "timer", ms?: number) => {
  const entry = { run, gone: false, what, ms };
  waiting.push(entry);
  return entry;
};
const effects: StoreEffects = {
  requestFrame: (run) => put(run, "frame"),
  cancelFrame: (handle) => {
    (handle as { gone: boolean }).gone = true;
  },
  setTimer: (run, ms) => put(run, "timer", ms),
  clearTimer: (handle) => {
    (handle as { gone: boolean }).gone = true;
  },
  now: () => clock,
};
/** All that is due; a frame takes 25 ms unless said otherwise. */
const run = (what: "frame" | "timer", ms = 25) => {
  clock += ms;
  for (const entry of waiting.filter((one) => one.what === what && !one.gone)) {
    entry.gone = true;
    entry.run();
  }
};

const frame = <N extends EventName>(event: N, data: EventData<N>, seq: number) =>
  ({ event, data, at: seq, id: `e-${seq}` }) as unknown as Frame;
const delta = (seq: number, text = `${seq} `) => frame("activity_delta", { block: "b", delta: text }, seq);
const open = (lastSeq: number): Frame => ({
  event: "stream_open",
  at: 0,
  data: {
    epoch: "e",
    firstSeq: 0,
    lastSeq,
    turn: "running",
    openGate: null,
    phase: "F1",
    phases: [],
    outcome: null,
    thinking: "medium",
    thinkingInForce: null,
    failure: null,
  },
});

let store: SessionStore;
let shown: number;
const text = () =>
  store
    .getState()
    .entries.map((entry) => ("text" in entry ? entry.text : entry.kind))
    .join("|");
beforeEach(() => {
  waiting = [];
  shown = 0;
  store = createSessionStore(effects);
  store.subscribe(() => {
    shown += 1;
  });
  store.receive(open(-1));
  run("frame");
  shown = 0;
});

describe("the store", () => {
  it("shows any number of deltas once per animation frame", () => {
    for (let seq = 0; seq < 200; seq += 1) store.receive(delta(seq));
    expect(shown).toBe(0);
    expect(waiting.filter((one) => !one.gone)).toHaveLength(2);
    run("frame");
    expect(shown).toBe(1);
    expect(text()).toBe(Array.from({ length: 200 }, (_, seq) => `${seq} `).join(""));
    run("timer");
    expect(shown).toBe(1);
  });

  it("leaves a gap of 20 ms between two showings, so that a fast screen does not render at every frame", () => {
    for (let seq = 0; seq < 60; seq += 1) {
      store.receive(delta(seq));
      run("frame", 1000 / 60);
    }
    expect(shown).toBeGreaterThanOrEqual(29);
    expect(shown).toBeLessThanOrEqual(31);
  });

  it("falls back to a timer of 50 ms where there are no animation frames", () => {
    store.receive(delta(0));
    expect(waiting.find((one) => one.what === "timer" && !one.gone)?.ms).toBe(50);
    run("timer");
    expect(text()).toBe("0 ");
    run("frame");
    expect(shown).toBe(1);
  });

  it("shows buffered deltas before a lifecycle frame, and both at once", () => {
    const seen: string[] = [];
    store.subscribe(() => seen.push(`${store.getState().turn}:${text()}`));
    store.receive(delta(0, "all of it"));
    store.receive(frame("turn", { turn: "waiting" }, 1));
    expect(seen).toEqual(["running:all of it", "waiting:all of it"]);
    expect(waiting.every((one) => one.gone)).toBe(true);
  });

  it("shows a gate without waiting for a frame", () => {
    store.receive(frame("gate_opened", { gateId: "g", kind: "question", phase: "F1", payload: {}, hash: "h" }, 0));
    expect(store.getState().openGate?.gateId).toBe("g");
  });

  it("keeps the identity of finished rows while another one grows", () => {
    store.setQuestion("How many?", 1);
    store.receive(frame("tool", { callId: "c", name: "t", status: "running" }, 0));
    store.receive(frame("tool", { callId: "c", name: "t", status: "completed" }, 1));
    const before = store.getState().entries;
    for (let seq = 2; seq < 50; seq += 1) {
      store.receive(delta(seq));
      run("frame");
    }
    const after = store.getState().entries;
    expect(after).toHaveLength(3);
    expect(after.at(0)).toBe(before.at(0));
    expect(after.at(1)).toBe(before.at(1));
  });

  it("says nothing for a heartbeat", () => {
    store.receive({ event: "heartbeat", data: {}, at: 5 });
    expect(shown).toBe(0);
    expect(waiting.filter((one) => !one.gone)).toHaveLength(0);
  });

  it("replaces the rows of a new source in one go, with the replay", () => {
    store.receive(delta(0, "kept"));
    run("frame");
    shown = 0;
    store.sourceOpened();
    store.receive(open(1));
    store.receive(delta(0, "kept"));
    store.receive(frame("turn", { turn: "running" }, 1));
    expect([shown, text()]).toEqual([0, "kept"]);
    run("frame");
    expect([shown, text()]).toEqual([1, "kept"]);
  });
});
