import { expect, it } from "vitest";
import { type PhaseView, phaseIds, phaseTitles } from "../../protocol/phases.ts";
import { toItems } from "./phase-list.tsx";

const phases = (looks: Partial<Record<(typeof phaseIds)[number], Partial<PhaseView>>>): PhaseView[] =>
  phaseIds.map((phase) => ({ phase, title: phaseTitles[phase], state: "to-come", decisions: 0, ...looks[phase] }));

it("tells what is made anew from what waits to be made anew, and both from what never began", () => {
  const items = toItems(
    phases({
      F1: { state: "done", decisions: 4 },
      F2: { state: "done", decisions: 9 },
      F3: { state: "waiting", setAside: 5 },
      F4: { setAside: 2 },
    }),
    "F3",
    "waiting",
    null,
  );
  expect(items.map(({ look, reopened, setAside }) => [look, reopened, setAside])).toEqual([
    ["done", false, 0],
    ["done", false, 0],
    ["waiting", true, 5],
    ["superseded", false, 2],
    ["to-come", false, 0],
    ["to-come", false, 0],
  ]);
});
