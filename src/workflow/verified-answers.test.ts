import { describe, expect, it } from "vitest";
import type { Finding, GateRequest, LedgerEntry, NewEntry } from "../protocol/index.ts";
import { foldLedger } from "./fold-ledger.ts";
import { checkGateRequest, toAnswerEntries, verifiedAnswers } from "./gate-rules.ts";
import { toLedgerView, toOpenGate } from "./ledger-view.ts";

const verifiedBy = { file: "verified/q.yaml", origin: { session: "s1", seq: 40 } };
const finding = (severity: Finding["severity"]): Finding =>
  ({
    id: "f",
    code: "c",
    severity,
    title: "t",
    body: "b",
    waysOut: [],
  }) as unknown as Finding;

function requestOf(more: Record<string, unknown> = {}): GateRequest {
  return {
    v: 1,
    gateId: "g1",
    kind: "decision-review",
    phase: "F1",
    tool: "reviewer_decide",
    payload: {
      frame: {
        title: "Right?",
        intro: "",
        findings: [],
        writes: [],
        consequence: "",
        otherConsequence: "",
        chips: [],
        restsOn: [],
        gatesLeft: 5,
        summary: { version: 2, phase: "F1", title: "t", summary: "s" },
        ...more,
      },
      decisions: [{ kind: "interpretation", aspect: "grain", text: "one artist" }],
    },
  };
}

const stamp = (entries: NewEntry[]): LedgerEntry[] =>
  entries.map((entry, index) => ({ ...entry, seq: index + 1, at: "2026-01-01T00:00:00.000Z" }) as LedgerEntry);

function open(more: Record<string, unknown> = {}, before: NewEntry[] = []) {
  const first: NewEntry[] = [{ type: "prompt", text: "How many?", kind: "question" }, ...before];
  const checked = checkGateRequest(foldLedger(stamp(first)), requestOf(more));
  if (!checked.ok || !("entry" in checked)) throw new Error(JSON.stringify(checked));
  const entries = [...first, checked.entry];
  const state = foldLedger(stamp(entries));
  if (!state.openGate) throw new Error("no gate");
  return { entries, state, gate: toOpenGate(state.openGate) };
}

describe("a gate that a verified query answers", () => {
  it("is one that repeats it, whatever else was found but a problem", () => {
    expect(verifiedAnswers(open({ verifiedBy }).gate, { corrections: [] })).toBe(true);
    expect(verifiedAnswers(open().gate, { corrections: [] })).toBe(false);
    const found = (severity: Finding["severity"]) =>
      verifiedAnswers(open({ verifiedBy, findings: [finding(severity)] }).gate, { corrections: [] });
    expect(found("warning")).toBe(true);
    expect(found("problem")).toBe(false);
  });

  it("is none once the reviewer has said something, and never the final SQL or a question", () => {
    const { gate } = open({ verifiedBy });
    expect(verifiedAnswers(gate, { corrections: [{ phase: "F1", text: "no" }] })).toBe(false);
    for (const kind of ["sql-review", "question"] as const)
      expect(verifiedAnswers({ ...gate, kind } as typeof gate, { corrections: [] })).toBe(false);
  });

  it("is noted with the file and the entry that accepted it, and the view says so", () => {
    const { entries, state, gate } = open({ verifiedBy });
    const answer = { answerId: "verified:g1", hash: gate.hash, answer: "continue" as const };
    const made = toAnswerEntries(state, entries.length, "g1", answer, "verified");
    if (!made.ok || !("entries" in made)) throw new Error(JSON.stringify(made));
    expect(made.entries[0]).toMatchObject({ type: "gate-answered", by: "verified", verified: verifiedBy });
    expect(made.entries.every((entry) => !("by" in entry) || entry.by === "verified")).toBe(true);
    const view = toLedgerView(stamp([...entries, ...made.entries])).entries;
    expect(view.find(({ type }) => type === "gate-answered")).toMatchObject({
      by: "verified",
      text: "As accepted in verified/q.yaml (session s1).",
    });
  });

  it("by the reviewer's own hand names no file", () => {
    const { entries, state, gate } = open({ verifiedBy });
    const answer = { answerId: "a", hash: gate.hash, answer: "continue" as const };
    const made = toAnswerEntries(state, entries.length, "g1", answer, "reviewer");
    expect(JSON.stringify(made)).not.toContain("verified/q.yaml");
  });
});
