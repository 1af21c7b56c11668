import { expect, it } from "vitest";
import type { LedgerViewEntry } from "../../protocol/api.ts";
import type { Decision } from "../../protocol/decisions.ts";
import type { PhaseId } from "../../protocol/phases.ts";
import { toCourse, toDecisionGroups, toSeqs } from "./to-decision-groups.ts";

const at = "2026-05-20T12:00:00.000Z";
const decision = (seq: number, phase: PhaseId, value: Decision, holds = true): LedgerViewEntry => ({
  seq,
  at,
  type: "decision",
  phase,
  decision: value,
  by: "reviewer",
  holds,
});
const table = (name: string, use: "used" | "left-out"): Decision => ({ kind: "table", table: name, use, reason: "r" });
const join = (left: string, right: string, type: "INNER" | "LEFT" = "INNER"): Decision => ({
  kind: "join",
  left: { table: left, alias: "l" },
  type,
  right: { table: right, alias: "r" },
  pairs: [{ left: "Id", right: "Id" }],
});

it("puts like decisions on one line with their numbers", () => {
  const [group] = toDecisionGroups([
    decision(11, "F2", table("Artist", "used")),
    decision(12, "F2", table("Album", "used")),
    decision(14, "F2", table("Playlist", "left-out")),
  ]);
  expect(group?.lines).toEqual([
    { seqs: "#11–12", text: "Two tables: Artist, Album" },
    { seqs: "#14", text: "Left out: Playlist" },
  ]);
  expect(group).toMatchObject({ by: "you", at: Date.parse(at), holding: 3 });
});

it("keeps what was sent back in place and what was superseded apart", () => {
  const [group] = toDecisionGroups([
    decision(22, "F3", join("Track", "Genre"), false),
    { seq: 23, at, type: "gate-answered", phase: "F3", answer: "other", text: "Use LEFT JOIN", by: "reviewer" },
    decision(24, "F3", join("Track", "Genre", "LEFT")),
  ]);
  expect(group?.lines).toEqual([
    { seqs: "#23", text: "Sent back: “Use LEFT JOIN”", sentBack: true },
    { seqs: "#24", text: "One join, accepted as one set: Track to Genre (LEFT)" },
  ]);
  expect(group?.superseded.map((line) => line.seqs)).toEqual(["#22"]);
});

it("C5.2 takes a legacy summary as it is and an empty ledger for nothing", () => {
  expect(toDecisionGroups([{ seq: 3, at, type: "summary", phase: "F1", summary: [null, 7] }])).toMatchObject([
    { phase: "F1", summary: [null, 7], lines: [] },
  ]);
  expect(toDecisionGroups([])).toEqual([]);
});

it("writes runs of numbers", () => {
  expect([[4], [24, 25, 26], [13, 11], [1, 2, 4, 5]].map(toSeqs)).toEqual(["#4", "#24–26", "#11, #13", "#1–2, #4–5"]);
});

it("tells how a session went from its gates", () => {
  const answered = (seq: number, answer: string): LedgerViewEntry => ({
    seq,
    at,
    type: "gate-answered",
    phase: "F1",
    answer,
  });
  expect(toCourse([answered(1, "continue"), answered(2, "other"), answered(3, "continue")])).toBe(
    "two gates, one sent back, the SQL does what you accepted",
  );
  expect(toCourse([answered(1, "continue"), decision(2, "F6", { kind: "deviation", text: "JOIN" })])).toBe(
    "one gate, 1 deviation accepted as decisions",
  );
});
