/**
 * The ledger alone says which gates are open and what was decided. This folder turns it into the state of a session
 * and decides, purely, what a gate request or an answer may add to it.
 */
import {
  addUsage,
  type Budget,
  type Decision,
  type LedgerEntry,
  noUsage,
  type Outcome,
  type PhaseId,
  type PhaseView,
  phaseIds,
  phaseTitles,
  type Usage,
} from "../protocol/index.ts";
import { budgetOf } from "./budget.ts";

type Entry<T extends LedgerEntry["type"]> = Extract<LedgerEntry, { type: T }>;
export type OpenedEntry = Entry<"gate-opened">;
export type AnsweredEntry = Entry<"gate-answered">;

export interface HeldDecision {
  seq: number;
  at: string;
  phase: PhaseId;
  gateId: string;
  decision: Decision;
  by: Entry<"decision">["by"];
}

/** One gate and how it ended; `seqs` are the decisions its answer wrote, whether they still hold or not. */
export interface GateRecord {
  opened: OpenedEntry;
  answered: AnsweredEntry | null;
  closed: Entry<"gate-closed"> | null;
  seqs: number[];
}

export interface SessionState {
  /** The question being worked on: the first one or the latest follow-up. */
  question: string;
  phase: PhaseId;
  phases: PhaseView[];
  openGate: OpenedEntry | null;
  /** The latest answer, when the child has not acknowledged it. */
  undelivered: { opened: OpenedEntry; answered: AnsweredEntry } | null;
  /** Decisions that no later entry superseded, in ledger order. */
  decisions: HeldDecision[];
  superseded: ReadonlySet<number>;
  /** The reviewer's words of this question, in order: gates sent back and steering. */
  corrections: { phase: PhaseId; text: string }[];
  /** Answers to questions, by topic: the chosen option's label or the reviewer's own words. */
  choices: Record<string, string>;
  /** A join set was sent back and no complete set has been accepted since. */
  joinsOwed: boolean;
  gates: ReadonlyMap<string, GateRecord>;
  outcome: Outcome;
  cannotAnswer: { missing: string; reason: string } | null;
  sql: string | null;
  explanation: string | null;
  /** The final SQL as the reviewer wrote it, until they accept one or send it back in turn. */
  ownSql: string | null;
  /** Each answer of a model that was counted, in order, and all of them together. */
  usages: readonly { seq: number; usage: Usage }[];
  usage: Usage;
  budget: Budget | null;
  /** Number of the entry with the latest question or follow-up. */
  askedAt: number;
  /** The day of that entry, UTC: what "last month" was counted from when the question was put. */
  askedOn: string;
  lastSeq: number;
}

export const nextPhase = (phase: PhaseId): PhaseId | null => phaseIds[phaseIds.indexOf(phase) + 1] ?? null;
export const phaseLabel = (phase: PhaseId): string => `${phase} ${phaseTitles[phase]}`;

export function foldLedger(entries: readonly LedgerEntry[]): SessionState {
  const gates = new Map<string, GateRecord>();
  const delivered = new Set<string>();
  const superseded = new Set<number>();
  const held: HeldDecision[] = [];
  let question = "";
  let phase: PhaseId = "F1";
  let corrections: SessionState["corrections"] = [];
  let choices: Record<string, string> = {};
  let joinsOwed = false;
  let ownSql: string | null = null;
  let outcome: Outcome = null;
  let cannotAnswer: SessionState["cannotAnswer"] = null;
  let lastAnswered: AnsweredEntry | null = null;
  const usages: { seq: number; usage: Usage }[] = [];
  let budget: Budget | null = null;
  let askedAt = 0;
  let askedOn = "";
  /** Since the latest question: the decisions that reopening set aside. */
  const setAside = new Set<number>();

  for (const entry of entries) {
    switch (entry.type) {
      case "prompt":
        if (entry.kind === "steer") {
          corrections.push({ phase, text: entry.text });
          ownSql = null;
          break;
        }
        question = entry.text;
        askedAt = entry.seq;
        askedOn = entry.at.slice(0, 10);
        setAside.clear();
        phase = "F1";
        corrections = [];
        choices = {};
        joinsOwed = false;
        ownSql = null;
        outcome = null;
        cannotAnswer = null;
        lastAnswered = null;
        break;
      case "gate-opened":
        gates.set(entry.gateId, { opened: entry, answered: null, closed: null, seqs: [] });
        break;
      case "gate-answered": {
        const gate = gates.get(entry.gateId);
        if (!gate) break;
        gate.answered = entry;
        if (budgetOf(gate.opened)) break;
        lastAnswered = entry;
        const topic = topicOf(gate.opened);
        if (topic !== null) choices[topic] = entry.text ?? entry.choice ?? "";
        if (entry.answer === "other" && entry.text !== undefined) {
          corrections.push({ phase: entry.phase, text: entry.text });
        }
        if (gate.opened.kind === "join-review") joinsOwed = entry.answer === "other";
        if (gate.opened.kind === "sql-review") ownSql = entry.sql ?? null;
        if (entry.closes) phase = nextPhase(entry.phase) ?? entry.phase;
        break;
      }
      case "gate-closed": {
        const gate = gates.get(entry.gateId);
        if (gate) gate.closed = entry;
        break;
      }
      case "gate-delivered":
        delivered.add(entry.gateId);
        break;
      case "decision":
        gates.get(entry.gateId)?.seqs.push(entry.seq);
        held.push({
          seq: entry.seq,
          at: entry.at,
          phase: entry.phase,
          gateId: entry.gateId,
          decision: entry.decision,
          by: entry.by,
        });
        break;
      case "superseded":
        for (const seq of entry.seqs) superseded.add(seq);
        if (entry.reason === reopenReason) {
          for (const seq of entry.seqs) setAside.add(seq);
          phase = entry.phase;
          corrections = corrections.filter((correction) => correction.phase < entry.phase);
          outcome = null;
          cannotAnswer = null;
          lastAnswered = null;
          joinsOwed = false;
          ownSql = null;
        }
        break;
      case "outcome":
        outcome = entry.outcome;
        if (entry.outcome === "cannot-answer")
          cannotAnswer = { missing: entry.missing ?? "", reason: entry.reason ?? "" };
        break;
      case "usage": {
        const { input, output, cacheRead, cacheWrite, cost } = entry;
        usages.push({ seq: entry.seq, usage: { input, output, cacheRead, cacheWrite, cost } });
        break;
      }
      case "budget":
        budget = entry.budget;
        break;
      case "summary":
      case "query":
      case "knowledge":
        break;
    }
  }

  const decisions = held.filter((decision) => !superseded.has(decision.seq));
  const open = [...gates.values()].findLast((gate) => !gate.answered && !gate.closed)?.opened ?? null;
  const lastGate = lastAnswered && !delivered.has(lastAnswered.gateId) ? gates.get(lastAnswered.gateId) : undefined;
  const sqlDecision = decisions.findLast(({ decision }) => decision.kind === "sql")?.decision;
  return {
    question,
    phase,
    phases: toPhaseViews(phase, outcome, open, decisions).map((view) =>
      withSetAside(
        view,
        held.filter(({ seq, phase: of }) => of === view.phase && setAside.has(seq)),
      ),
    ),
    openGate: open,
    undelivered: lastGate?.answered ? { opened: lastGate.opened, answered: lastGate.answered } : null,
    decisions,
    superseded,
    corrections,
    choices,
    joinsOwed,
    gates,
    outcome,
    cannotAnswer,
    sql: sqlDecision?.kind === "sql" ? sqlDecision.sql : null,
    explanation: sqlDecision?.kind === "sql" ? sqlDecision.explanation : null,
    ownSql,
    usages,
    usage: usages.reduce((sum, { usage }) => addUsage(sum, usage), noUsage),
    budget,
    askedAt,
    askedOn,
    lastSeq: entries.at(-1)?.seq ?? 0,
  };
}

/** Reason of a `superseded` entry that takes the session back to an earlier phase. */
export const reopenReason = "phase reopened";

function topicOf(opened: OpenedEntry): string | null {
  if (opened.kind !== "question") return null;
  const payload = opened.payload as { topic?: unknown } | null;
  return typeof payload?.topic === "string" ? payload.topic : "";
}

const withSetAside = (view: PhaseView, gone: HeldDecision[]): PhaseView =>
  view.state === "done" || view.decisions > 0 || gone.length === 0 ? view : { ...view, setAside: gone.length };

function toPhaseViews(
  phase: PhaseId,
  outcome: Outcome,
  open: OpenedEntry | null,
  decisions: HeldDecision[],
): PhaseView[] {
  const current = phaseIds.indexOf(phase);
  return phaseIds.map((id, index) => ({
    phase: id,
    title: phaseTitles[id],
    state:
      index < current || outcome === "answered" ? "done" : index > current ? "to-come" : open ? "waiting" : "current",
    decisions: decisions.filter((held) => held.phase === id).length,
  }));
}
