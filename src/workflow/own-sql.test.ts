import { describe, expect, it } from "vitest";
import type { GateAnswer, LedgerEntry, NewEntry } from "../protocol/index.ts";
import { readBriefing, toResumePrompt } from "./briefing.ts";
import { foldLedger } from "./fold-ledger.ts";
import { toAnswerEntries } from "./gate-rules.ts";
import { toLedgerView } from "./ledger-view.ts";

const shown = "SELECT Name FROM Genre";
const own = "SELECT Name\nFROM Genre\nORDER BY Name -- mine\n";
const opened = (gateId: string, sql: string, kind: "sql-review" | "cte-review" = "sql-review"): NewEntry => ({
  type: "gate-opened",
  gateId,
  kind,
  phase: kind === "sql-review" ? "F6" : "F5",
  tool: "submit_sql",
  payload: { sql, conformance: { rows: [], deviations: [] }, explanation: "e", frame: {} },
  hash: `hash of ${gateId}`,
  proposalHash: gateId,
});
const ledger = (...entries: NewEntry[]): LedgerEntry[] =>
  [{ type: "prompt" as const, text: "Which genres?", kind: "question" as const }, ...entries].map(
    (entry, index) => ({ ...entry, seq: index + 1, at: "2026-01-01T00:00:00.000Z" }) as LedgerEntry,
  );
const answer = (entries: LedgerEntry[], gateId: string, more: Partial<GateAnswer>) =>
  toAnswerEntries(
    foldLedger(entries),
    entries.length,
    gateId,
    { answerId: "a", hash: `hash of ${gateId}`, answer: "other", ...more },
    "reviewer",
  );

describe("a reviewer's own SQL", () => {
  it("is written with the answer, byte for byte, and told to the child", () => {
    const done = answer(ledger(opened("g1", shown)), "g1", { sql: own });
    expect(done).toMatchObject({
      ok: true,
      entries: [{ type: "gate-answered", answer: "other", sql: own, closes: false }],
      reply: { answer: "other", sql: own, next: "F6" },
    });
    expect(done.ok && "entries" in done && "text" in (done.entries[0] ?? {})).toBe(false);
  });

  it("is refused elsewhere, with Continue, and when it is what is shown", () => {
    const atSteps = ledger(opened("g1", shown, "cte-review"));
    expect(answer(atSteps, "g1", { sql: own })).toMatchObject({ ok: false, code: "sql-misplaced" });
    const atSql = ledger(opened("g1", shown));
    expect(answer(atSql, "g1", { sql: own, answer: "continue" })).toMatchObject({ ok: false, code: "sql-misplaced" });
    expect(answer(atSql, "g1", { sql: shown })).toMatchObject({ ok: false, code: "sql-unchanged" });
  });

  it("the same answer counts once; another text under its id is another answer", () => {
    const entries = ledger(opened("g1", shown));
    const done = answer(entries, "g1", { sql: own });
    const after = ledger(opened("g1", shown), ...(done.ok && "entries" in done ? done.entries : []));
    expect(answer(after, "g1", { sql: own })).toMatchObject({ ok: true, repeated: { answer: "other" } });
    expect(answer(after, "g1", { sql: `${own} ` })).toMatchObject({ ok: false, code: "gate-conflict" });
  });

  it("stands in the briefing of a child that starts later, until it is answered", () => {
    const sent = ledger(opened("g1", shown), {
      type: "gate-answered",
      gateId: "g1",
      phase: "F6",
      answerId: "a",
      answer: "other",
      sql: own,
      closes: false,
      by: "reviewer",
    });
    // The five phases before are not in this ledger, so it starts at F1; the text is what counts.
    const prompt = toResumePrompt(foldLedger(sent));
    expect(prompt).toContain(`not a character changed:\n\n${own}`);
    expect(readBriefing(prompt)?.sql).toBe(own);
    expect(foldLedger(sent).corrections).toEqual([]);
    expect(toLedgerView(sent).entries.at(-1)?.text).toBe("Their own SQL, sent as the next proposal.");

    const back: NewEntry[] = [
      opened("g1", shown),
      { ...(sent[2] as NewEntry) },
      opened("g2", own),
      {
        type: "gate-answered",
        gateId: "g2",
        phase: "F6",
        answerId: "b",
        answer: "other",
        text: "take yours after all",
        closes: false,
        by: "reviewer",
      },
    ];
    expect(foldLedger(ledger(...back)).ownSql).toBeNull();
    expect(readBriefing(toResumePrompt(foldLedger(ledger(...back))))?.sql).toBeUndefined();
  });
});
