import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { eventNames, heartbeatMs, type SessionEvent, unnumberedEvents } from "../../protocol/index.ts";
import { createRing } from "./ring.ts";
import { createSessionStream, type SessionStream, type StreamSink } from "./session-stream.ts";

const snapshot: Parameters<SessionStream["subscribe"]>[1] = {
  turn: "idle",
  openGate: null,
  phase: "F1",
  phases: [],
  outcome: null,
  thinking: "low",
  thinkingInForce: null,
  failure: null,
};
const text = (delta: string): SessionEvent => ({ event: "text_delta", data: { block: "m1.0", delta } });

interface TestSink extends StreamSink {
  frames: { event: string; id?: string | undefined; data: Record<string, unknown> }[];
  closed: boolean;
  buffered: number;
}
function sink(): TestSink {
  const one: TestSink = {
    frames: [],
    closed: false,
    buffered: 0,
    write(frame) {
      const found = /^event: (\w+)\n(?:id: (\S+)\n)?data: (.*)\n\n$/s.exec(frame);
      one.frames.push({ event: found?.[1] ?? "?", id: found?.[2], data: JSON.parse(found?.[3] ?? "null") });
      return true;
    },
    close() {
      one.closed = true;
    },
    bufferedBytes: () => one.buffered,
  };
  return one;
}
const deltas = (one: TestSink) =>
  one.frames.filter((frame) => frame.event === "text_delta").map((frame) => frame.data.delta);
afterEach(() => vi.useRealTimers());

describe("ring", () => {
  it("holds the newest frames within both bounds, numbered without gaps", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 }), (sizes) => {
        const ring = createRing({ frames: 5, bytes: 60 });
        const all = sizes.map((size, index) => `${index}:${"x".repeat(size)}`);
        for (const frame of all) ring.push(frame);
        const held: (string | undefined)[] = [];
        for (let seq = ring.firstSeq; seq < ring.nextSeq; seq += 1) held.push(ring.get(seq));
        expect(held).toEqual(all.slice(all.length - held.length));
        expect(ring.nextSeq).toBe(all.length + 1);
        expect(ring.get(ring.firstSeq - 1)).toBeUndefined();
        expect(held.length).toBeLessThanOrEqual(5);
        expect(held.length === 1 || held.join("").length <= 60).toBe(true);
        expect(held.length > 0).toBe(all.length > 0);
      }),
    );
  });
});

describe("stream", () => {
  it("begins with stream_open, which has no id, replays, and goes on live with numbered ids and a time", () => {
    const stream = createSessionStream({ now: () => 42 });
    stream.publish(text("a"));
    const one = sink();
    const leave = stream.subscribe(undefined, snapshot, one);
    stream.publish(text("b"));
    expect(one.frames.map((frame) => [frame.event, frame.id])).toEqual([
      ["stream_open", undefined],
      ["text_delta", `${stream.epoch}-1`],
      ["text_delta", `${stream.epoch}-2`],
    ]);
    expect(one.frames[0]?.data).toEqual({ at: 42, epoch: stream.epoch, firstSeq: 1, lastSeq: 1, ...snapshot });
    expect(one.frames[2]?.data).toEqual({ at: 42, block: "m1.0", delta: "b" });
    leave();
    stream.publish(text("c"));
    expect(deltas(one)).toEqual(["a", "b"]);
    expect(stream.readers).toBe(0);
  });

  it("a reader that comes back gets what it missed and nothing twice", () => {
    const stream = createSessionStream({ now: Date.now });
    for (const delta of ["a", "b", "c", "d"]) stream.publish(text(delta));
    const one = sink();
    stream.subscribe(`${stream.epoch}-2`, snapshot, one);
    expect(deltas(one)).toEqual(["c", "d"]);
    expect(one.frames.map((frame) => frame.event)).not.toContain("stream_reset");
    const upToDate = sink();
    stream.subscribe(`${stream.epoch}-4`, snapshot, upToDate);
    expect(upToDate.frames.map((frame) => frame.event)).toEqual(["stream_open"]);
  });

  it("a cursor that can't be followed is answered with a reset and the whole buffer, never with silence", () => {
    const stream = createSessionStream({ now: Date.now, limits: { frames: 3, bytes: 10_000 } });
    for (const delta of ["a", "b", "c", "d", "e"]) stream.publish(text(delta));
    const reasonOf = (cursor: string) => {
      const one = sink();
      stream.subscribe(cursor, snapshot, one);
      expect(one.frames[0]).toMatchObject({ event: "stream_open", data: { firstSeq: 3, lastSeq: 5 } });
      expect(deltas(one)).toEqual(["c", "d", "e"]);
      expect(one.frames[1]?.id).toBeUndefined();
      return one.frames[1]?.data.reason;
    };
    expect(reasonOf("0123456789ab-3")).toBe("epoch");
    expect(reasonOf(`${stream.epoch}-1`)).toBe("evicted");
    for (const bad of [
      "bad",
      "-1",
      `${stream.epoch}--1`,
      `${stream.epoch}-99`,
      `${stream.epoch}-1x`,
      `${stream.epoch}`,
    ])
      expect(reasonOf(bad)).toBe("cursor");
  });

  it("C8.2 a new epoch tells the readers, ends their streams and forgets the old frames", () => {
    const stream = createSessionStream({ now: Date.now });
    stream.publish(text("old"));
    const one = sink();
    stream.subscribe(undefined, snapshot, one);
    const before = stream.epoch;
    stream.renew();
    expect(one.frames.at(-1)).toMatchObject({ event: "stream_reset", data: { reason: "resumed" } });
    expect(one.closed).toBe(true);
    expect(stream.epoch).not.toBe(before);
    stream.publish(text("new"));
    expect(deltas(one)).toEqual(["old"]);
    const two = sink();
    stream.subscribe(`${before}-1`, snapshot, two);
    expect(two.frames.map((frame) => frame.event)).toEqual(["stream_open", "stream_reset", "text_delta"]);
    expect(two.frames.at(-1)?.id).toBe(`${stream.epoch}-1`);
  });

  it("C10.1 a heartbeat is a named event, comes in time and only while somebody reads", () => {
    vi.useFakeTimers();
    const stream = createSessionStream({ now: () => 7 });
    const one = sink();
    const leave = stream.subscribe(undefined, snapshot, one);
    vi.advanceTimersByTime(heartbeatMs * 3);
    expect(one.frames.slice(1)).toEqual([1, 2, 3].map(() => ({ event: "heartbeat", id: undefined, data: { at: 7 } })));
    leave();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a reader that lags is cut off, with everything up to there in order, and the others go on", () => {
    const stream = createSessionStream({ now: Date.now, readerBytes: 1000 });
    const [slow, quick] = [sink(), sink()];
    stream.subscribe(undefined, snapshot, slow);
    stream.subscribe(undefined, snapshot, quick);
    stream.publish(text("a"));
    slow.buffered = 1001;
    stream.publish(text("b"));
    stream.publish(text("c"));
    expect([slow.closed, deltas(slow)]).toEqual([true, ["a"]]);
    expect([quick.closed, deltas(quick)]).toEqual([false, ["a", "b", "c"]]);
    const again = sink();
    stream.subscribe(slow.frames.at(-1)?.id, snapshot, again);
    expect(deltas(again)).toEqual(["b", "c"]);
  });

  it("a long replay waits for its reader's socket instead of filling it, and live frames keep their place", () => {
    vi.useFakeTimers();
    const stream = createSessionStream({ now: Date.now });
    for (let n = 0; n < 6; n += 1) stream.publish(text(`${n}${"x".repeat(600_000)}`));
    const one = sink();
    const write = one.write;
    one.write = (frame) => {
      one.buffered += frame.length;
      return write(frame);
    };
    stream.subscribe(undefined, snapshot, one);
    expect(deltas(one)).toHaveLength(2);
    stream.publish(text("live"));
    expect(deltas(one)).toHaveLength(2);
    for (let n = 0; n < 4; n += 1) {
      one.buffered = 0;
      vi.advanceTimersByTime(30);
    }
    expect(deltas(one).map((delta) => String(delta).replace(/x+/, ""))).toEqual(["0", "1", "2", "3", "4", "5", "live"]);
    expect(one.closed).toBe(false);
  });

  it("readers and timers go back to none after a thousand of them, also when their socket is gone", () => {
    vi.useFakeTimers();
    const stream = createSessionStream({ now: Date.now });
    for (let n = 0; n < 1000; n += 1) {
      const one = sink();
      if (n % 3 === 0) one.write = () => false;
      const leave = stream.subscribe(undefined, snapshot, one);
      if (n % 3 === 1) leave();
      else if (n % 3 === 2) {
        one.write = () => false;
        stream.publish(text("x"));
      }
    }
    expect(stream.readers).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("C1.3 all event names can be published, and exactly the three that describe the stream have no id", () => {
    expect(eventNames.filter((name) => (unnumberedEvents as readonly string[]).includes(name))).toEqual([
      "stream_open",
      "stream_reset",
      "heartbeat",
    ]);
  });
});
