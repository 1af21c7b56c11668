import { describe, expect, it } from "vitest";
import { type BlockEntry, type Entry, emptySession, toEntries } from "./fold-session.ts";
import { toLastWords } from "./last-words.ts";

const said = (text: string, more: Partial<BlockEntry> = {}): BlockEntry => ({
  kind: "text",
  id: `b${text.length}`,
  at: 1,
  block: "b",
  text,
  live: false,
  discarded: false,
  endAt: 2,
  ...more,
});
const ended: Entry = { kind: "status", id: "s", at: 3, text: "Turn ended", problem: false };
const tool: Entry = {
  kind: "tool",
  id: "t",
  at: 3,
  callId: "t",
  name: "run_query",
  status: "failed",
  endAt: 4,
};
const words = (...entries: Entry[]) => toLastWords({ ...emptySession, entries: toEntries(entries) });

describe("toLastWords", () => {
  it("gives what was said before the turn ended", () => {
    expect(words(tool, said(" I could not finish F5. "), ended)).toBe("I could not finish F5.");
  });

  it("gives nothing when the model did something after it, took it back, or only thought", () => {
    expect(words(said("I look."), tool, ended)).toBeNull();
    expect(words(said("I look.", { discarded: true }), ended)).toBeNull();
    expect(words(said("Hm.", { kind: "reasoning" }), ended)).toBeNull();
    expect(words(said("  "), ended)).toBeNull();
    expect(words()).toBeNull();
  });

  it("gives nothing while the model works", () => {
    expect(toLastWords({ ...emptySession, turn: "running", entries: toEntries([said("I look.")]) })).toBeNull();
  });

  it("cuts what is long", () => {
    expect(words(said("x".repeat(5_000)))).toHaveLength(602);
  });
});
