import { expect, it } from "vitest";
import { toAnswerWay } from "./left-open.tsx";
import { toSuperseded } from "./reopen.tsx";
import type { DecisionGroup } from "./to-decision-groups.ts";

const group = (phase: DecisionGroup["phase"], holding: number): DecisionGroup => ({
  phase,
  lines: [],
  superseded: [],
  holding,
  summary: undefined,
  by: "you",
  at: null,
});

it("counts what a reopened phase takes along: itself and all that came later, and nothing that holds no more", () => {
  const groups = [group("F1", 4), group("F2", 7), group("F3", 5), group("F4", 0), group("F5", 2)];
  const of = (phase: DecisionGroup["phase"]) => {
    const { groups: found, count } = toSuperseded(groups, phase);
    return [found.map((one) => one.phase).join(" "), count];
  };
  expect(of("F1")).toEqual(["F1 F2 F3 F5", 18]);
  expect(of("F3")).toEqual(["F3 F5", 7]);
  expect(of("F6")).toEqual(["", 0]);
});

it("says what an answer to a question left open does, before it is given", () => {
  const gate = { gateId: "g", kind: "join-review", phase: "F3", payload: {}, hash: "h" } as never;
  expect(toAnswerWay({ turn: "running", openGate: null }).way).toBe("steer");
  expect(toAnswerWay({ turn: "waiting", openGate: gate })).toEqual({
    way: "steer",
    words: "Goes to the model at once; the gate F3 closes and is proposed again.",
  });
  expect(toAnswerWay({ turn: "idle", openGate: null }).way).toBe("follow-up");
});
