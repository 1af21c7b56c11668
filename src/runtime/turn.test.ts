import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { turnStates } from "../protocol/index.ts";
import { toFailure } from "./classify-failure.ts";
import { idleTurn, reduceTurn, type Turn, type TurnInput } from "./turn.ts";

const record = (type: string, rest: object = {}): TurnInput => ({ type: "record", record: { type, ...rest } });
const errorEnd = (errorMessage: string) =>
  record("message_end", { message: { role: "assistant", content: [], stopReason: "error", errorMessage } });
const goodEnd = record("message_end", { message: { role: "assistant", content: [], stopReason: "stop" } });
const settled = record("agent_settled", { aborted: false });
const start: TurnInput = { type: "work-started" };

const states = (inputs: TurnInput[]): string[] => {
  let turn: Turn = idleTurn;
  return inputs.map((input) => {
    turn = reduceTurn(turn, input);
    return turn.failure ? `${turn.state}:${turn.failure.code}` : turn.state;
  });
};

describe("turn", () => {
  it("C7.4 agent_settled ends a turn, agent_end doesn't", () => {
    expect(
      states([
        start,
        record("agent_start"),
        goodEnd,
        record("agent_end", { willRetry: false }),
        record("compaction_start"),
        record("agent_end"),
        settled,
      ]),
    ).toEqual(["running", "running", "running", "running", "running", "running", "idle"]);
  });

  it("C7.2 a gate waits, an answer and steering go on", () => {
    expect(
      states([start, { type: "gate-opened" }, { type: "gate-closed", goesOn: true }, { type: "gate-opened" }, start]),
    ).toEqual(["running", "waiting", "running", "waiting", "running"]);
  });

  it("C7.3 a provider's error counts once Pi settles with it, and not while it retries", () => {
    expect(
      states([
        start,
        errorEnd("429: x"),
        record("agent_end", { willRetry: true }),
        record("auto_retry_start"),
        goodEnd,
        settled,
      ]).at(-1),
    ).toBe("idle");
    expect(
      states([
        start,
        errorEnd("429: x"),
        record("auto_retry_start"),
        errorEnd("429: x"),
        record("auto_retry_end", { success: false }),
        settled,
      ]),
    ).toEqual(["running", "running", "running", "running", "running", "failed:rate-limited"]);
    expect(states([start, errorEnd("401: x"), settled]).at(-1)).toBe("failed:wrong-key");
    expect(
      states([start, record("compaction_end", { errorMessage: "Context overflow recovery failed" }), settled]).at(-1),
    ).toBe("failed:context-overflow");
  });

  it("C7.3 C7.4 failed stays through settling and further records until work starts again", () => {
    expect(
      states([start, { type: "child-exited", intended: false }, settled, record("agent_start"), goodEnd, start]),
    ).toEqual([
      "running",
      "failed:child-exited",
      "failed:child-exited",
      "failed:child-exited",
      "failed:child-exited",
      "running",
    ]);
  });

  it("C7.3 Stop and an intended shutdown are no failures", () => {
    expect(states([start, { type: "stop" }, errorEnd("Retry cancelled"), settled]).at(-1)).toBe("idle");
    expect(
      states([
        start,
        { type: "stop" },
        record("message_end", { message: { role: "assistant", stopReason: "aborted" } }),
        settled,
      ]).at(-1),
    ).toBe("idle");
    expect(states([start, { type: "child-exited", intended: true }]).at(-1)).toBe("idle");
    expect(states([start, { type: "stop" }, { type: "child-exited", intended: false }]).at(-1)).toBe("idle");
    expect(states([start, { type: "gate-opened" }, { type: "child-exited", intended: true }]).at(-1)).toBe("waiting");
  });

  it("C7.3 the child's end at a gate is a failure, and a gate stays through settling", () => {
    expect(states([start, { type: "gate-opened" }, settled, { type: "child-exited", intended: false }])).toEqual([
      "running",
      "waiting",
      "waiting",
      "failed:child-exited",
    ]);
  });

  it("C7.1 no sequence of inputs leads anywhere but to the four states, with a failure exactly in `failed`", () => {
    const inputs = fc.constantFrom<TurnInput>(
      start,
      settled,
      goodEnd,
      errorEnd("500: x"),
      record("agent_start"),
      record("auto_retry_start"),
      { type: "gate-opened" },
      { type: "gate-closed", goesOn: true },
      { type: "gate-closed", goesOn: false },
      { type: "stop" },
      { type: "failed", failure: toFailure("stalled") },
      { type: "child-exited", intended: true },
      { type: "child-exited", intended: false },
    );
    fc.assert(
      fc.property(fc.array(inputs, { maxLength: 30 }), (list) => {
        let turn: Turn = idleTurn;
        // After each input, not only at the end: a later one may lead back from a state that must not be.
        return list.every((input) => {
          turn = reduceTurn(turn, input);
          return turnStates.includes(turn.state) && (turn.failure !== null) === (turn.state === "failed");
        });
      }),
      { numRuns: 1000 },
    );
  });
});
