import { expect, it } from "vitest";
import type { OpenGate } from "../../protocol/gates.ts";
import { toChipGroups } from "./gate-answer.ts";
import { toProposalChips } from "./proposal-chips.ts";
import { allGates } from "./review.fixture.ts";

const labels = (gate: OpenGate) => toProposalChips(gate).flatMap(({ chips }) => chips.map((one) => one.label));
const said = (...decisions: [string, string][]): OpenGate =>
  ({
    gateId: "g",
    kind: "decision-review",
    phase: "F1",
    hash: "h",
    payload: {
      frame: { findings: [], chips: [] },
      decisions: decisions.map(([aspect, text]) => ({ kind: "interpretation", aspect, text })),
    },
  }) as unknown as OpenGate;

it("turns the order round, lifts limit, filter and period, and asks for the figure that is only sorted by", () => {
  const gate = said(
    ["output", "name"],
    ["filter", "genre is Rock."],
    ["period", "invoice date since 2023"],
    ["order", "revenue (unit price × quantity), highest first"],
    ["limit", "10, ties broken by name"],
  );
  expect(labels(gate)).toEqual([
    "Without the filter: genre is Rock",
    "Without the period: invoice date since 2023",
    "Lowest first",
    "Also show the revenue",
    "No limit",
  ]);
  expect(labels(said(["output", "name, revenue"], ["order", "revenue, lowest first"]))).toEqual(["Highest first"]);
});

it("stands beside the chips that came with the gate, and offers nothing twice", () => {
  const frame = {
    findings: [],
    chips: [{ group: "Steps", chips: [{ label: "Use fewer steps", text: "Use fewer steps." }] }],
  };
  const extra = [
    {
      group: "Steps",
      chips: [
        { label: "Use fewer steps", text: "Use fewer steps." },
        { label: "b", text: "b." },
      ],
    },
  ];
  expect(toChipGroups(frame as never, extra)).toEqual([
    {
      group: "Steps",
      chips: [
        { label: "Use fewer steps", text: "Use fewer steps." },
        { label: "b", text: "b." },
      ],
    },
  ]);
});

it("never offers words longer than an answer may hold, for any gate", () => {
  for (const gate of allGates)
    for (const { chips } of toProposalChips(gate))
      for (const one of chips) {
        expect(one.label.length).toBeLessThanOrEqual(120);
        expect(one.text.length).toBeLessThanOrEqual(400);
      }
});
