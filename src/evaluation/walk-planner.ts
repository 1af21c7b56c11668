/**
 * One question through the six phases without a server and a child: the offline planner is called as its provider calls
 * it, from a conversation that grows by the same prompts, calls and gate results.
 */
import type { Context } from "@earendil-works/pi-ai";
import type { OpenedCatalog } from "../catalog/open-catalog.ts";
import { measureFilters } from "../evidence/measure-filters.ts";
import { toGateResult } from "../extension/ask-gate.ts";
import { toChips } from "../extension/gate-frame.ts";
import { type PlannerTurn, toTurn } from "../extension/planner-turns.ts";
import { type Progress, readProgress } from "../extension/read-progress.ts";
import { type Planned, type PlannerInput, planQuestion } from "../planner/plan-question.ts";
import type { FilterDecision, GateReply, PhaseId, ProposedDecision } from "../protocol/index.ts";
import { assembleSteps } from "../sql/assemble-steps.ts";
import { toStartPrompt } from "../workflow/briefing.ts";
import { nextPhase } from "../workflow/fold-ledger.ts";
import { gateKindOf } from "../workflow/proposals.ts";
import type { Place } from "./places.ts";
import type { Question } from "./questions.ts";
import {
  type ReviewedDecision,
  type Reviewer,
  type ReviewerReply,
  type SeenGate,
  type SeenOption,
  toRefusal,
  type Walk,
  type Walked,
} from "./reviewed.ts";

type Message = Context["messages"][number];
type Call = PlannerTurn["calls"][number];

/** A planner that asks for ever is no answer. */
const mostTurns = 80;

/** Rows that near ties may be settled by; the same figures as in the child. */
const scoring = { maxRows: 200, maxBytes: 200_000, deadlineMs: 3000 };

/** Plans of a few questions are kept: a plan is the same at all gates between two corrections. */
const keptPlans = 64;

export function createPlannerWalk(): Walk {
  const plans = new Map<string, Promise<Planned>>();
  const plan = (place: Place, { catalog, values }: OpenedCatalog, { question, corrections, choices }: Progress) => {
    const key = JSON.stringify([place.file, question, corrections, choices]);
    const known = plans.get(key);
    if (known) return known;
    const run: PlannerInput["run"] = (statements) => place.database.readAll(statements, scoring);
    const made = planQuestion({ question, catalog, values, corrections, choices, run, knowledge: place.knowledge });
    plans.set(key, made);
    for (const oldest of plans.keys()) {
      if (plans.size <= keptPlans) break;
      plans.delete(oldest);
    }
    return made;
  };
  return (question, place, review, signal) => walk(question, place, review, signal, plan);
}

async function walk(
  { question }: Question,
  place: Place,
  review: Reviewer,
  signal: AbortSignal,
  plan: (place: Place, opened: OpenedCatalog, progress: Progress) => Promise<Planned>,
): Promise<Walked> {
  const opened = await place.catalog();
  const messages = [{ role: "user", content: toStartPrompt(question) }] as unknown as Message[];
  for (let turn = 0; turn < mostTurns; turn++) {
    signal.throwIfAborted();
    const progress = readProgress(messages);
    if (!progress) break;
    const planned = await plan(place, opened, progress);
    const { calls, text } = toTurn(planned, progress);
    if (calls.length === 0) return { end: "failed", sql: null, note: text, tokens: 0 };
    for (const call of calls) {
      const gate = toGate(call, progress, place, opened);
      messages.push({ role: "assistant", content: [{ type: "toolCall", id: "call", ...call }] } as unknown as Message);
      if (!gate) {
        messages.push(toResult(call, ""));
        continue;
      }
      const reply = await review(gate);
      const ends = reply.answer === "continue" && (gate.kind === "sql-review" || isCannotAnswer(gate));
      if (ends && gate.kind === "sql-review") return { end: "answered", sql: gate.sql, tokens: 0 };
      if (ends) return { end: "cannot-answer", sql: null, note: toMissing(call), tokens: 0 };
      messages.push(toResult(call, toGateResult(toReply(gate, reply), gate.phase).content[0]?.text ?? ""));
    }
  }
  return { end: "failed", sql: null, note: "It went round in circles.", tokens: 0 };
}

const isCannotAnswer = (gate: SeenGate): boolean => gate.kind === "question" && gate.cannotAnswer;
const toMissing = ({ arguments: { missing, reason } }: Call): string =>
  toRefusal({ missing: String(missing), reason: String(reason) });

const toResult = (call: Call, text: string): Message =>
  ({
    role: "toolResult",
    toolCallId: "call",
    toolName: call.name,
    content: [{ type: "text", text }],
    isError: false,
  }) as unknown as Message;

/** As the server answers the dialog. */
function toReply(gate: SeenGate, reply: ReviewerReply): GateReply {
  const shared = { v: 1 as const, gateId: "gate", seqs: [] };
  if (reply.answer === "other") return { ...shared, answer: "other", text: reply.text, next: gate.phase };
  if (gate.kind !== "question") return { ...shared, answer: "continue", next: nextPhase(gate.phase) };
  const chosen =
    gate.options.find((option) => (reply.choice === undefined ? option.proposed : option.id === reply.choice)) ??
    gate.options[0];
  return { ...shared, answer: "continue", next: gate.phase, ...(chosen ? { choice: chosen.label } : {}) };
}

/** Null for a tool that only looks something up. */
function toGate(call: Call, progress: Progress, place: Place, opened: OpenedCatalog): SeenGate | null {
  const { phase } = progress;
  const parameters = call.arguments as Record<string, unknown>;
  const words = parameters.summary;
  const summary = (typeof words === "object" ? words : parameters) as { open_questions?: string[]; summary?: string };
  const shared = {
    phase,
    openQuestions: summary.open_questions ?? [],
    ...(summary.summary === undefined ? {} : { summary: summary.summary }),
    shown: () => Promise.resolve(JSON.stringify(parameters)),
  };
  switch (call.name) {
    case "phase_summary":
      return { ...shared, kind: "phase-summary" };
    case "reviewer_ask": {
      const options = (parameters.options as Omit<SeenOption, "id">[]).map((option, index) => ({
        ...option,
        id: `option-${index + 1}`,
      }));
      return { ...shared, kind: "question", question: String(parameters.question), options, cannotAnswer: false };
    }
    case "cannot_answer":
      return {
        ...shared,
        kind: "question",
        question: toRefusal({ missing: String(parameters.missing), reason: String(parameters.reason) }),
        options: [],
        cannotAnswer: true,
      };
    case "submit_sql":
      return { ...shared, kind: "sql-review", sql: String(parameters.sql) };
    case "reviewer_decide":
      return toProposal(parameters.decisions as ProposedDecision[], phase, shared, place, opened);
    default:
      return null;
  }
}

function toProposal(
  decisions: ProposedDecision[],
  phase: PhaseId,
  shared: Pick<SeenGate, "phase" | "openQuestions" | "summary" | "shown">,
  place: Place,
  opened: OpenedCatalog,
): SeenGate {
  const kind = gateKindOf(decisions);
  if (kind === "cte-review") {
    const steps = decisions.filter((decision) => decision.kind === "cte");
    return { ...shared, kind, sql: assembleSteps(steps) };
  }
  if (kind === "join-review")
    return { ...shared, kind, decisions: decisions.filter((decision) => decision.kind === "join") };
  const shown = async () => {
    const chips = toChips(phase, decisions);
    const filters = decisions.filter((decision): decision is FilterDecision => decision.kind === "filter");
    // Values near the chosen ones stand in the evidence; measured only when somebody looks.
    const measured =
      filters.length > 0 ? await measureFilters(place.database, opened.catalog, opened.values, filters) : null;
    return JSON.stringify([decisions, chips, measured, shared.summary]);
  };
  return { ...shared, kind: "decision-review", decisions: decisions as ReviewedDecision[], shown };
}
