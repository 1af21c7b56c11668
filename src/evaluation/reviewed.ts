/** Gates as a reviewer sees them, and what comes back: the same for a session with a child and for the planner alone. */
import type {
  ColumnDecision,
  FilterDecision,
  InterpretationDecision,
  JoinDecision,
  OpenGate,
  PhaseId,
  TableDecision,
} from "../protocol/index.ts";
import type { Place } from "./places.ts";
import type { Question } from "./questions.ts";

export type ReviewedDecision = InterpretationDecision | TableDecision | ColumnDecision | FilterDecision;
export type SeenGate = {
  phase: PhaseId;
  /** Questions that the proposal left open. */
  openQuestions: string[];
  /** What the phase comes to, in words; it stays in sight when it was accepted. */
  summary?: string;
  /** All text at the gate, evidence included. */
  shown(): Promise<string>;
} & (
  | { kind: "phase-summary" }
  | { kind: "question"; question: string; options: SeenOption[]; cannotAnswer: boolean }
  | { kind: "decision-review"; decisions: ReviewedDecision[] }
  | { kind: "join-review"; decisions: JoinDecision[] }
  | { kind: "cte-review"; sql: string }
  | { kind: "sql-review"; sql: string }
);
export interface SeenOption {
  id: string;
  label: string;
  detail?: string;
  proposed?: boolean;
}

export type ReviewerReply =
  /** `blind`: a question was answered with what it proposed, for want of better knowledge. */
  | { answer: "continue"; choice?: string; template?: string; blind?: boolean }
  | { answer: "other"; text: string; template: string };
export type Reviewer = (gate: SeenGate) => Promise<ReviewerReply>;

/** How one question went through the six phases. */
export interface Walked {
  end: "answered" | "cannot-answer" | "failed";
  sql: string | null;
  /** What is missing, or why it failed. */
  note?: string;
  tokens: number;
}
/** Code of the ThothError of a walk that never began; any other one is an end of the question. */
export const childStart = "child-start";
/** Throws only where the question wasn't gone into, or when the signal stopped it. */
export type Walk = (question: Question, place: Place, review: Reviewer, signal: AbortSignal) => Promise<Walked>;

/** What an open gate of the server shows. */
export function toSeenGate(gate: OpenGate): SeenGate {
  const summary = gate.kind === "phase-summary" ? gate.payload.summary : gate.payload.frame.summary;
  const shared = {
    phase: gate.phase,
    shown: () => Promise.resolve(JSON.stringify(gate.payload)),
    ...(summary ? { summary: summary.summary } : {}),
  };
  const openQuestions = gate.payload.frame.summary?.open_questions ?? [];
  switch (gate.kind) {
    case "phase-summary":
      return { ...shared, kind: gate.kind, openQuestions: gate.payload.summary.open_questions ?? [] };
    case "question": {
      const { options, cannotAnswer } = gate.payload;
      const question = cannotAnswer ? toRefusal(cannotAnswer) : gate.payload.question;
      return { ...shared, openQuestions, kind: gate.kind, question, options, cannotAnswer: cannotAnswer !== undefined };
    }
    case "decision-review":
      return { ...shared, openQuestions, kind: gate.kind, decisions: gate.payload.decisions };
    case "join-review":
      return { ...shared, openQuestions, kind: gate.kind, decisions: gate.payload.decisions };
    default:
      return { ...shared, openQuestions, kind: gate.kind, sql: gate.payload.sql };
  }
}

/** What a gate says that ends a question without an answer. */
export const toRefusal = ({ missing, reason }: { missing: string; reason: string }): string =>
  `Missing: ${missing}. ${reason}`;

/** Accepts everything; a question gets what it proposes. */
export const acceptAll: Reviewer = (gate) =>
  Promise.resolve({ answer: "continue", ...(gate.kind === "question" && !gate.cannotAnswer ? { blind: true } : {}) });
