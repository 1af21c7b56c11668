/** Sessions as an earlier ThothII could have left them on disk: manifest and ledger, written without the product's code. */
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const at = "2025-11-03T09:30:00.000Z";

/** Writes the folder of one session; `entries` get their numbers here. Gives the session's id. */
export function keepSession(home: string, question: string, entries: readonly object[]): string {
  const id = `kept${randomBytes(6).toString("hex")}`;
  const dir = join(home, "sessions", id);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const manifest = {
    version: 1,
    id,
    workspace: "demo",
    question,
    provider: "thoth",
    model: "offline",
    thinking: "low",
    review: "every-phase",
    promptVersion: "an earlier one",
    catalogChecksum: "catalog-1",
    createdAt: at,
    updatedAt: at,
  };
  const all = [{ type: "prompt", text: question, kind: "question" }, ...entries];
  const ledger = { version: 1, sessionId: id, entries: all.map((entry, index) => ({ seq: index + 1, at, ...entry })) };
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(dir, "ledger.json"), JSON.stringify(ledger));
  return id;
}

/** A gate that was open when the session was left. */
export const openedGate = (kind: string, payload: unknown, phase = "F1"): object => ({
  type: "gate-opened",
  gateId: `gate${randomBytes(6).toString("hex")}`,
  kind,
  phase,
  tool: "reviewer_decide",
  payload,
  hash: randomBytes(16).toString("hex"),
  proposalHash: randomBytes(16).toString("hex"),
});

export const frame = (more: object = {}): object => ({
  title: "Is this right?",
  intro: "",
  findings: [],
  writes: ["one"],
  consequence: "Goes on.",
  otherConsequence: "Sends it back.",
  chips: [],
  restsOn: [],
  gatesLeft: 1,
  ...more,
});

/** A session that was answered with this SQL; its rows are read when it is looked at. */
export function keepAnswered(home: string, question: string, sql: string, explanation = "Here it is."): string {
  const gateId = `gate${randomBytes(6).toString("hex")}`;
  return keepSession(home, question, [
    { type: "decision", phase: "F6", gateId, decision: { kind: "sql", sql, explanation }, by: "reviewer" },
    { type: "outcome", outcome: "answered" },
  ]);
}
