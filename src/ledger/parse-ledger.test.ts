import { expect, it } from "vitest";
import type { Ledger, LedgerEntry } from "../protocol/index.ts";
import { appendText, emptyText, parseLedger, toLedgerText } from "./parse-ledger.ts";

const entry = (seq: number, text: string): LedgerEntry => ({
  seq,
  at: "2026-01-02T03:04:05.000Z",
  type: "prompt",
  text,
  kind: "steer",
});

it("a change that wasn't kept leaves no trace in the next one, though both are written in the same place", () => {
  let ledger: Ledger = { version: 1, sessionId: "s", entries: [] };
  let text = emptyText("s");
  for (let seq = 1; seq <= 60; seq += 1) {
    appendText(text, ledger, [entry(seq, "lost ".repeat(seq)), entry(seq + 1, "lost")]);
    const added = [entry(seq, `kept é ${seq}`)];
    const next = appendText(text, ledger, added);
    ledger = { ...ledger, entries: [...ledger.entries, ...added] };
    expect(parseLedger(next.file.toString("utf8"), "s")).toEqual(ledger);
    // As another process would go on from the file.
    text = seq % 7 === 0 ? toLedgerText(Buffer.from(next.file), ledger) : next.text;
  }
  const spelled = Buffer.from(JSON.stringify(ledger, null, 2));
  const last = appendText(toLedgerText(spelled, ledger), ledger, [entry(61, "last")]);
  expect(parseLedger(last.file.toString("utf8"), "s").entries).toHaveLength(61);
});
