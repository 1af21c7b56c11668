/** What we say to the model, in words for it and, fenced, as state for a planner that reads no prose. */
import { type Static, Type } from "typebox";
import { check, PhaseId, stateClose, stateOpen } from "../protocol/index.ts";
import { phaseLabel, type SessionState } from "./fold-ledger.ts";

/** Where a question stands, as the last prompt told it. Answers that follow in the conversation move it on. */
export const Briefing = Type.Object({
  question: Type.String(),
  phase: PhaseId,
  corrections: Type.Array(Type.Object({ phase: PhaseId, text: Type.String() })),
  choices: Type.Record(Type.String(), Type.String()),
  /** The final SQL as the reviewer wrote it: to be submitted exactly so. */
  sql: Type.Optional(Type.String()),
});
export type Briefing = Static<typeof Briefing>;

const toBlock = (briefing: Briefing): string =>
  `${stateOpen}${JSON.stringify(briefing).replaceAll("<", "\\u003c")}${stateClose}`;

/** The state of the last prompt that carries one, or null for words without. */
export function readBriefing(text: string): Briefing | null {
  const start = text.lastIndexOf(stateOpen);
  const end = text.indexOf(stateClose, start);
  if (start < 0 || end < 0) return null;
  let value: unknown;
  try {
    value = JSON.parse(text.slice(start + stateOpen.length, end));
  } catch {
    return null; // a model's or a user's own words may hold the mark: then it is no state
  }
  const checked = check(Briefing, value);
  return checked.ok ? checked.value : null;
}

/** The first prompt of a question or a follow-up. A leading slash would run one of Pi's commands, so words come first. */
export function toStartPrompt(question: string): string {
  return `Question: ${question}\n\nStart with F1 Question.\n\n${toBlock({ question, phase: "F1", corrections: [], choices: {} })}`;
}

/** For a child that starts in the middle: everything accepted, the reviewer's last words, and where to go on. */
export function toResumePrompt(state: SessionState): string {
  const accepted = state.decisions.map((held) => `#${held.seq} ${held.phase} ${JSON.stringify(held.decision)}`);
  const words = state.corrections.map((correction) => `${correction.phase}: ${correction.text}`);
  const choices = Object.entries(state.choices).map(([topic, choice]) => `${topic}: ${choice}`);
  const last = state.undelivered;
  const { ownSql } = state;
  return [
    `Question: ${state.question}`,
    "This session goes on after a pause. What follows is from its ledger and holds.",
    accepted.length > 0 ? `Accepted decisions:\n${accepted.join("\n")}` : "Nothing is accepted yet.",
    words.length > 0 ? `The reviewer's words so far:\n${words.join("\n")}` : "",
    choices.length > 0 ? `The reviewer's choices:\n${choices.join("\n")}` : "",
    ownSql !== null
      ? `The reviewer wrote the final SQL. Call submit_sql with exactly this text, not a character changed:\n\n${ownSql}`
      : "",
    last && last.answered.sql === undefined
      ? `The reviewer answered the last gate (${last.opened.kind}, ${last.opened.phase}) with ${last.answered.answer}${last.answered.text ? `: ${last.answered.text}` : ""}.`
      : "",
    `Go on with ${phaseLabel(state.phase)}.`,
    toBlock({
      question: state.question,
      phase: state.phase,
      corrections: state.corrections,
      choices: state.choices,
      ...(ownSql === null ? {} : { sql: ownSql }),
    }),
  ]
    .filter((part) => part !== "")
    .join("\n\n");
}

/** Words of a reviewer who steers: no state block, so that they are read as a correction of what goes on. */
export function toSteerPrompt(text: string): string {
  return `The reviewer says: ${text}`;
}
