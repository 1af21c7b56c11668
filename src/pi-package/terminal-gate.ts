/**
 * A gate at the terminal. As on the server, it is in the ledger before anybody sees it, the answer with all its decisions
 * is one replacement made before the model is told, and `workflow` alone says what either may write.
 */
import { randomUUID } from "node:crypto";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Clean } from "typebox/value";
import { toGateText } from "../cli/gate-text.ts";
import { toLine } from "../cli/terminal-text.ts";
import { changeLedger, readLedger } from "../ledger/ledger.ts";
import {
  check,
  type GateAnswer,
  type GatePayload,
  type GateReply,
  GateRequest,
  gates,
  type OpenGate,
  ThothError,
} from "../protocol/index.ts";
import { foldLedger, type OpenedEntry, type SessionState } from "../workflow/fold-ledger.ts";
import { checkGateRequest, policyAnswers, toAnswerEntries, verifiedAnswers } from "../workflow/gate-rules.ts";
import { toOpenGate } from "../workflow/ledger-view.ts";
import type { Sitting } from "./sitting.ts";

type Dialogs = Pick<ExtensionContext["ui"], "select" | "input" | "notify">;
type Choice = Pick<GateAnswer, "answer" | "text" | "choice" | "acceptedDeviations">;

export interface GateDialog {
  gateId: string;
  /** A GateRequest as JSON. */
  text: string;
  signal: AbortSignal | undefined;
}

const other = "Other — specify";

/** A GateReply as JSON; undefined when the gate was closed without an answer, which the ledger then says too. */
export async function answerDialog(
  sitting: Sitting,
  ui: Dialogs,
  { gateId, text, signal }: GateDialog,
): Promise<string | undefined> {
  const request = parseRequest(text);
  const { value: told, ledger } = await changeLedger(sitting.dir, sitting.id, ({ entries }) => {
    const state = foldLedger(entries);
    const checked = checkGateRequest(state, request);
    if (!checked.ok) return { entries: [], value: toRefusal(state, gateId, checked.reason) };
    return "reply" in checked ? { entries: [], value: checked.reply } : { entries: [checked.entry], value: null };
  });
  if (told) return JSON.stringify(told);
  const state = foldLedger(ledger.entries);
  const opened = state.openGate;
  if (!opened) throw new Error("The gate was opened and isn't there.");
  const gate = toOpenGate(opened);
  const by = verifiedAnswers(gate, state) ? "verified" : policyAnswers(gate, sitting.manifest.review) ? "policy" : null;
  const reply =
    by === null
      ? await review(sitting, ui, opened, signal)
      : await commit(sitting, opened, { answerId: `${by}:${gateId}`, answer: "continue" }, by);
  return reply && JSON.stringify(reply);
}

/** Shows the gate that an end of Pi left open. False when it was closed without an answer; true also when there is none. */
export async function askAgain(sitting: Sitting, ui: Dialogs): Promise<boolean> {
  const { openGate } = foldLedger((await readLedger(sitting.dir, sitting.id)).entries);
  if (!openGate) return true;
  return (await review(sitting, ui, openGate, undefined)) !== undefined;
}

/** Asks until there is an answer that holds. */
async function review(
  sitting: Sitting,
  ui: Dialogs,
  opened: OpenedEntry,
  signal: AbortSignal | undefined,
): Promise<GateReply | undefined> {
  for (;;) {
    const choice = await choose(ui, toOpenGate(opened), signal);
    if (!choice) {
      await closeGate(sitting, opened);
      return undefined;
    }
    try {
      return await commit(sitting, opened, { answerId: randomUUID(), ...choice }, "reviewer");
    } catch (error) {
      if (!(error instanceof ThothError)) throw error;
      if (error.code === "gate-gone") return undefined;
      ui.notify([error.message, error.action ?? ""].join(" ").trim(), "error");
    }
  }
}

async function choose(ui: Dialogs, gate: OpenGate, signal: AbortSignal | undefined): Promise<Choice | null> {
  const with_ = signal ? { signal } : {};
  const ways = toWays(gate);
  for (;;) {
    // Not first what accepts: a key that was meant for something else must not.
    const chosen = await ui.select(toGateText(gate), [other, ...ways.keys()], with_);
    if (chosen === undefined) return null;
    if (chosen !== other) return ways.get(chosen) ?? null;
    const text = await ui.input("What should change?", "in your own words", with_);
    if (signal?.aborted) return null;
    if (text !== undefined && text.trim() !== "") return { answer: "other", text: text.trim() };
  }
}

/** What Continue may mean, by the words it is offered with. */
function toWays(gate: OpenGate): Map<string, Choice> {
  if (gate.kind === "question")
    return new Map(
      gate.payload.options.map(({ id, label, proposed }, at) => [
        `${at + 1}. ${toLine(label, 200)}${proposed ? " (proposed)" : ""}`,
        { answer: "continue", choice: id },
      ]),
    );
  const deviations =
    gate.kind === "sql-review" ? (gate.payload as GatePayload<"sql-review">).conformance.deviations : [];
  if (deviations.length === 0) return new Map([["Continue", { answer: "continue" }]]);
  const acceptedDeviations = deviations.map(({ id }) => id);
  const label = `Continue, and accept ${deviations.length === 1 ? "the deviation" : `all ${deviations.length} deviations`}`;
  return new Map([[label, { answer: "continue", acceptedDeviations }]]);
}

/** Throws ThothError with the code of what holds instead. An answer that was given elsewhere meanwhile is the answer. */
async function commit(
  sitting: Sitting,
  opened: OpenedEntry,
  answer: Omit<GateAnswer, "hash">,
  by: "reviewer" | "policy" | "verified",
): Promise<GateReply> {
  const { gateId, hash } = opened;
  const { value } = await changeLedger(sitting.dir, sitting.id, ({ entries }) => {
    const state = foldLedger(entries);
    const checked = toAnswerEntries(state, state.lastSeq, gateId, { ...answer, hash }, by);
    if (checked.ok && "entries" in checked) return { entries: checked.entries, value: checked.reply };
    const held = state.gates.get(gateId)?.answered;
    if (!held) throw new ThothError(checked.ok ? "gate-unknown" : checked.code, checked.ok ? "" : checked.message);
    return { entries: [], value: toHeld(state, opened, held) };
  });
  return value;
}

/** The reply that goes with an answer that stands in the ledger. */
function toHeld(
  state: SessionState,
  { gateId, hash }: OpenedEntry,
  { answerId, answer, text, choice, sql }: NonNullable<SessionState["undelivered"]>["answered"],
): GateReply {
  const words = { ...(text === undefined ? {} : { text }), ...(sql === undefined ? {} : { sql }) };
  const again = toAnswerEntries(state, state.lastSeq, gateId, { answerId, hash, answer, ...words }, "reviewer");
  if (!again.ok || !("repeated" in again)) throw new Error("An answer that holds isn't taken as the same.");
  const { seqs, next } = again.repeated;
  return { v: 1, gateId, answer, seqs, next, ...words, ...(choice === undefined ? {} : { choice }) };
}

async function closeGate(sitting: Sitting, { gateId, phase }: OpenedEntry): Promise<void> {
  await changeLedger(sitting.dir, sitting.id, ({ entries }) => {
    const open = foldLedger(entries).openGate?.gateId === gateId;
    return { entries: open ? [{ type: "gate-closed", gateId, phase, reason: "stopped" }] : [], value: null };
  });
}

/** It comes from this very process; only what the gate's kind lists is kept, as on the server. */
function parseRequest(text: string): GateRequest {
  const checked = check(GateRequest, JSON.parse(text));
  if (!checked.ok) throw new Error(`The gate's request is malformed: ${checked.problem}.`);
  const { kind, payload } = checked.value;
  return check(gates[kind], payload).ok ? { ...checked.value, payload: Clean(gates[kind], payload) } : checked.value;
}

const toRefusal = (state: SessionState, gateId: string, text: string): GateReply => ({
  v: 1,
  gateId,
  answer: "refused",
  text,
  seqs: [],
  next: state.phase,
});
