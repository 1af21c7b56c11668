import { expect, it } from "vitest";
import type { SessionItem } from "../../protocol/api.ts";
import { toListRows, toRowState } from "./group-sessions.ts";

const now = new Date(2026, 4, 20, 15, 0).getTime();
const item = (id: string, over: Partial<SessionItem> = {}, hoursAgo = 1): SessionItem => ({
  id,
  name: null,
  workspace: "chinook",
  question: `Question ${id}`,
  turn: "idle",
  phase: "F4",
  outcome: null,
  createdAt: new Date(now - hoursAgo * 3_600_000).toISOString(),
  updatedAt: new Date(now - hoursAgo * 3_600_000).toISOString(),
  ...over,
});

it("puts open gates first, then what runs, what failed and the rest by day, latest first", () => {
  const rows = toListRows(
    [
      item("old", {}, 24 * 9),
      item("b", { outcome: "answered" }, 2),
      item("a"),
      item("late", { turn: "failed" }, 24 * 40),
      item("wait", { turn: "waiting" }, 24 * 30),
      item("gate", { turn: "waiting" }, 24 * 29),
      item("week", {}, 24 * 3),
      item("works", { turn: "running" }, 24 * 3),
      item("night", {}, 16),
    ],
    now,
  );
  expect(rows.map((row) => (row.kind === "title" ? [row.title, row.count] : row.session.id))).toEqual([
    ["Waiting for you", 2],
    "gate",
    "wait",
    ["Running", 1],
    "works",
    ["Failed", 1],
    "late",
    ["Today", null],
    "a",
    "b",
    ["Last 7 days", null],
    "night",
    "week",
    ["Older", null],
    "old",
  ]);
});

it("names the six states of a row", () => {
  const words = [
    { turn: "waiting" },
    { turn: "running" },
    { turn: "failed" },
    { outcome: "answered" },
    { outcome: "cannot-answer" },
    {},
  ] as Partial<SessionItem>[];
  expect(words.map((over) => toRowState(item("x", over)).word)).toEqual([
    "F4 Filters",
    "F4 Filters",
    "Failed in F4",
    "Answered",
    "Cannot answer",
    "Idle in F4",
  ]);
});
