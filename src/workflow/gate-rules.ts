/** What a gate request or an answer may add to the ledger. Pure: the caller holds the lock and does the writing. */
import {
  check,
  type Decision,
  type GateAnswer,
  type GateAnswered,
  type GateKind,
  type GatePayload,
  type GateReply,
  type GateRequest,
  gates,
  type NewEntry,
  type OpenGate,
  type PhaseId,
  type PhaseSummary,
  PhaseSummary as PhaseSummarySchema,
  type ReviewMode,
} from "../protocol/index.ts";
import { budgetOf, toBudgetEntries } from "./budget.ts";
import { hashOf } from "./canonical.ts";
import {
  type AnsweredEntry,
  type GateRecord,
  nextPhase,
  type OpenedEntry,
  reopenReason,
  type SessionState,
} from "./fold-ledger.ts";
import { promptVersion } from "./phase-prompts.ts";
import { proposalOf, refuseProposal, refuseSummary } from "./proposals.ts";

type Who = Extract<NewEntry, { type: "gate-answered" }>["by"];
type Requested =
  | { ok: true; entry: Extract<NewEntry, { type: "gate-opened" }> }
  | { ok: true; reply: GateReply }
  | { ok: false; reason: string };

/** How the refusal of a repeated proposal begins. */
export const sentBackWords = "This is the proposal the reviewer just sent back";

/** A request is checked by its own kind's schema, against the phase, and against what was already said to the same proposal. */
export function checkGateRequest(state: SessionState, request: GateRequest): Requested {
  const { kind, phase, gateId, tool } = request;
  const checked = check(gates[kind], request.payload);
  if (!checked.ok) return { ok: false, reason: `The ${kind} request is malformed: ${checked.problem}.` };
  if (state.openGate) return { ok: false, reason: "Another gate is still open: wait for the reviewer's answer." };
  const refused = refuseByKind(state, kind, phase, request.payload);
  if (refused) return { ok: false, reason: refused };
  const proposalHash = hashOf({ phase, kind, proposal: proposalOf(kind, request.payload) });
  if (kind !== "phase-summary" && kind !== "question" && isLastSentBack(state, phase, proposalHash)) {
    return {
      ok: false,
      reason: `${sentBackWords}. Change it as they said, or ask with reviewer_ask.`,
    };
  }
  return {
    ok: true,
    entry: {
      type: "gate-opened",
      gateId,
      kind,
      phase,
      tool,
      payload: request.payload,
      hash: hashOf(request.payload),
      proposalHash,
    },
  };
}

function refuseByKind(state: SessionState, kind: GateKind, phase: PhaseId, payload: unknown): string | null {
  switch (kind) {
    case "phase-summary":
      return refuseSummary(state, phase);
    case "question":
      return state.outcome === null ? null : "This question is closed. Wait for the reviewer's next words.";
    case "sql-review":
      return state.phase === "F6" ? null : `The session is in ${state.phase}: the final SQL comes in F6.`;
    default:
      return refuseProposal(state, phase, (payload as GatePayload<"join-review">).decisions);
  }
}

/** A question in between settles it: the reviewer may have said that the proposal is right as it was. */
function isLastSentBack(state: SessionState, phase: PhaseId, proposalHash: string): boolean {
  const last = [...state.gates.values()].findLast(
    ({ opened, answered }) => opened.phase === phase && answered && !budgetOf(opened),
  );
  return last?.answered?.answer === "other" && last.opened.proposalHash === proposalHash;
}

type Answered =
  | { ok: true; entries: NewEntry[]; answered: GateAnswered; reply: GateReply }
  | { ok: true; repeated: GateAnswered }
  | {
      ok: false;
      code:
        | "gate-unknown"
        | "gate-conflict"
        | "gate-gone"
        | "gate-hash"
        | "deviation-open"
        | "text-missing"
        | "choice-unknown"
        | "sql-misplaced"
        | "sql-unchanged";
      message: string;
      action: string;
    };

/** All entries of one answer: written together or not at all. */
export function toAnswerEntries(
  state: SessionState,
  lastSeq: number,
  gateId: string,
  answer: GateAnswer,
  by: Who,
): Answered {
  const gate = state.gates.get(gateId);
  if (!gate)
    return {
      ok: false,
      code: "gate-unknown",
      message: "There is no such gate in this session.",
      action: "Load the session again to see what is open.",
    };
  const { opened } = gate;
  if (gate.answered) {
    const same =
      gate.answered.answerId === answer.answerId &&
      gate.answered.answer === answer.answer &&
      (gate.answered.text ?? "") === (answer.text?.trim() ?? "") &&
      gate.answered.sql === answer.sql;
    if (same) return { ok: true, repeated: toRepeated(gate, gate.answered) };
    const said = gate.answered.answer === "continue" ? "Continue" : "Other";
    return {
      ok: false,
      code: "gate-conflict",
      message: `Already answered: ${said}, ${gate.answered.at}.`,
      action: "That answer holds. Load the session again to go on from it.",
    };
  }
  if (gate.closed)
    return {
      ok: false,
      code: "gate-gone",
      message: `This gate was closed (${gate.closed.reason}) before your answer.`,
      action: "Load the session again to see what is asked now.",
    };
  if (answer.hash !== opened.hash)
    return {
      ok: false,
      code: "gate-hash",
      message: "What you saw is not what is asked now.",
      action: "Load the session again and look at the gate as it is.",
    };
  const refused = refuseOwnSql(opened, answer);
  if (refused) return refused;
  const made =
    answer.answer === "other" ? toSentBack(opened, answer, by) : toAccepted(state, lastSeq, opened, answer, by);
  return made.ok && "entries" in made
    ? { ...made, entries: [...made.entries, ...toBudgetEntries(opened, answer, by)] }
    : made;
}

/** Whether it runs is found out before, by whoever has the database. */
function refuseOwnSql(opened: OpenedEntry, { answer, sql }: GateAnswer): Answered | null {
  if (sql === undefined) return null;
  if (answer !== "other" || opened.kind !== "sql-review")
    return {
      ok: false,
      code: "sql-misplaced",
      message: "SQL of your own can only be sent instead of the final SQL.",
      action: "Write what should change in words.",
    };
  if (sql === (opened.payload as GatePayload<"sql-review">).sql)
    return {
      ok: false,
      code: "sql-unchanged",
      message: "This is the SQL that is shown already.",
      action: "Change it, or accept it with Continue.",
    };
  return null;
}

function toRepeated({ opened, seqs }: GateRecord, { gateId, phase, answer, closes }: AnsweredEntry): GateAnswered {
  const ends =
    answer === "continue" && opened.kind === "question" && (opened.payload as GatePayload<"question">).cannotAnswer;
  return { gateId, answer, seqs, next: ends ? null : closes ? nextPhase(phase) : phase };
}

function toSentBack(opened: OpenedEntry, answer: GateAnswer, by: Who): Answered {
  const text = answer.text?.trim() ?? "";
  const { sql } = answer;
  if (text === "" && sql === undefined)
    return {
      ok: false,
      code: "text-missing",
      message: "Other needs words: what should change?",
      action: "Write what should change, then send.",
    };
  return {
    ok: true,
    entries: [
      {
        type: "gate-answered",
        gateId: opened.gateId,
        phase: opened.phase,
        answerId: answer.answerId,
        answer: "other",
        ...(text === "" ? {} : { text }),
        ...(sql === undefined ? {} : { sql }),
        closes: false,
        by,
      },
    ],
    answered: { gateId: opened.gateId, answer: "other", seqs: [], next: opened.phase },
    reply: {
      v: 1,
      gateId: opened.gateId,
      answer: "other",
      ...(text === "" ? {} : { text }),
      ...(sql === undefined ? {} : { sql }),
      seqs: [],
      next: opened.phase,
    },
  };
}

function toAccepted(state: SessionState, lastSeq: number, opened: OpenedEntry, answer: GateAnswer, by: Who): Answered {
  const { gateId, phase, kind } = opened;
  const choice =
    kind === "question" ? chosenLabel(opened.payload as GatePayload<"question">, answer.choice) : undefined;
  if (choice === null)
    return {
      ok: false,
      code: "choice-unknown",
      message: "That option is not among those shown.",
      action: "Choose one of the options, or use Other.",
    };
  const deviations = kind === "sql-review" ? (opened.payload as GatePayload<"sql-review">).conformance.deviations : [];
  const accepted = new Set(answer.acceptedDeviations ?? []);
  if (deviations.some((deviation) => !accepted.has(deviation.id))) {
    return {
      ok: false,
      code: "deviation-open",
      message: "The SQL differs from what you accepted.",
      action: "Accept each deviation as a new decision, or send the SQL back with Other.",
    };
  }
  const summary = summaryOf(opened);
  const cannotAnswer = kind === "question" ? (opened.payload as GatePayload<"question">).cannotAnswer : undefined;
  const closes = kind === "sql-review" || (kind !== "question" && summary !== null);
  const entries: NewEntry[] = [
    {
      type: "gate-answered",
      gateId,
      phase,
      answerId: answer.answerId,
      answer: "continue",
      closes,
      by,
      ...(by === "verified" ? verifiedOf(opened) : {}),
      ...(choice === undefined ? {} : { choice }),
      ...(accepted.size > 0 ? { acceptedDeviations: [...accepted] } : {}),
    },
  ];
  const decisions: Decision[] = [
    ...decisionsOf(opened),
    ...deviations.map((deviation): Decision => ({ kind: "deviation", text: deviation.title })),
  ];
  const replaced = [...replacedBy(state, phase, decisions), ...leftOutBy(state, opened)];
  if (replaced.length > 0)
    entries.push({ type: "superseded", seqs: replaced, reason: "a later proposal was accepted", phase });
  const seqs = decisions.map((decision) => {
    entries.push({ type: "decision", phase, gateId, decision, by });
    return lastSeq + entries.length;
  });
  if (summary) entries.push({ type: "summary", phase, gateId, summary: { ...summary, decisions: seqs }, by });
  if (kind === "sql-review") entries.push({ type: "outcome", outcome: "answered" });
  if (cannotAnswer) entries.push({ type: "outcome", outcome: "cannot-answer", ...cannotAnswer });
  const next = cannotAnswer || kind === "sql-review" ? null : closes ? nextPhase(phase) : phase;
  return {
    ok: true,
    entries,
    answered: { gateId, answer: "continue", seqs, next },
    reply: { v: 1, gateId, answer: "continue", seqs, next, ...(choice === undefined ? {} : { choice }) },
  };
}

/** The label that Continue means: the named option, or the proposed one; null for an id that was not shown. */
function chosenLabel(payload: GatePayload<"question">, choice: string | undefined): string | undefined | null {
  if (choice !== undefined) return payload.options.find((option) => option.id === choice)?.label ?? null;
  return (payload.options.find((option) => option.proposed) ?? payload.options[0])?.label;
}

function summaryOf(opened: OpenedEntry): PhaseSummary | null {
  const payload = opened.payload as { summary?: unknown; frame?: { summary?: unknown } };
  const checked = check(PhaseSummarySchema, opened.kind === "phase-summary" ? payload.summary : payload.frame?.summary);
  return checked.ok ? checked.value : null;
}

function decisionsOf(opened: OpenedEntry): Decision[] {
  if (opened.kind === "phase-summary" || opened.kind === "question") return [];
  if (opened.kind === "sql-review") {
    const { sql, explanation } = opened.payload as GatePayload<"sql-review">;
    return [{ kind: "sql", sql, explanation }];
  }
  return (opened.payload as GatePayload<"join-review">).decisions;
}

/** An accepted proposal replaces what stood in the same phase for the same kinds: a join set as a whole. */
function replacedBy(state: SessionState, phase: PhaseId, decisions: readonly Decision[]): number[] {
  const kinds = new Set(decisions.map((decision) => decision.kind));
  return state.decisions
    .filter((held) => held.phase === phase && kinds.has(held.decision.kind))
    .map((held) => held.seq);
}

/** Tables that stood in a join set the reviewer sent back and no longer stand in the accepted one: F2 loses them too. */
function leftOutBy(state: SessionState, opened: OpenedEntry): number[] {
  if (opened.kind !== "join-review") return [];
  const accepted = tablesOf(opened);
  const sentBack = [...state.gates.values()].filter(
    (gate) => gate.opened.kind === "join-review" && gate.answered?.answer === "other",
  );
  const dropped = new Set(
    sentBack.flatMap((gate) => [...tablesOf(gate.opened)]).filter((table) => !accepted.has(table)),
  );
  return state.decisions
    .filter(({ decision }) =>
      (decision.kind === "table" && decision.use === "used") || decision.kind === "column"
        ? dropped.has(decision.table)
        : false,
    )
    .map((held) => held.seq);
}

function tablesOf(opened: OpenedEntry): Set<string> {
  const { decisions } = opened.payload as GatePayload<"join-review">;
  return new Set(decisions.flatMap((join) => [join.left.table, join.right.table]));
}

/** `when-needed`: a gate without open question, warning or join passes by itself; joins and the final SQL always stop. */
export function policyAnswers(gate: OpenGate, review: ReviewMode): boolean {
  if (review !== "when-needed" || gate.kind === "join-review" || gate.kind === "sql-review" || gate.kind === "question")
    return false;
  const { frame } = gate.payload;
  const summary = gate.kind === "phase-summary" ? gate.payload.summary : frame.summary;
  const questions = summary?.open_questions?.length ?? 0;
  return (
    questions === 0 && frame.findings.every((finding) => finding.severity === "info" || finding.severity === "notice")
  );
}

/**
 * A proposal that repeats what was accepted for the very same question answers itself, whatever the review mode; a
 * problem found now, the final SQL and questions stop. So does everything once the reviewer has sent something back.
 */
export function verifiedAnswers(gate: OpenGate, state: Pick<SessionState, "corrections">): boolean {
  if (gate.kind === "sql-review" || gate.kind === "question" || state.corrections.length > 0) return false;
  const { frame } = gate.payload;
  return frame.verifiedBy !== undefined && frame.findings.every((finding) => finding.severity !== "problem");
}

function verifiedOf(opened: OpenedEntry): Pick<AnsweredEntry, "verified"> {
  const { verifiedBy } = (opened.payload as GatePayload<"decision-review">).frame;
  return verifiedBy ? { verified: verifiedBy } : {};
}

/** Going back to a phase: its decisions and all later ones are superseded, an open gate is closed, nothing is deleted. */
export function toReopenEntries(state: SessionState, phase: PhaseId): NewEntry[] {
  const seqs = state.decisions.filter((held) => held.phase >= phase).map((held) => held.seq);
  const open: NewEntry[] = state.openGate
    ? [{ type: "gate-closed", gateId: state.openGate.gateId, phase: state.openGate.phase, reason: "reopened" }]
    : [];
  return [...open, { type: "superseded", seqs, reason: reopenReason, phase }];
}

/** A follow-up starts at F1: what was decided before stays in the ledger and no longer holds. */
export function toFollowUpEntries(state: SessionState, text: string): NewEntry[] {
  const seqs = state.decisions.map((held) => held.seq);
  const earlier: NewEntry[] =
    seqs.length > 0 ? [{ type: "superseded", seqs, reason: "a follow-up was asked", phase: "F1" }] : [];
  return [...earlier, { type: "prompt", text, kind: "follow-up", promptVersion }];
}
