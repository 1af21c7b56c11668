/** What the person at the terminal types, as the ledger and the model get it. */
import { changeLedger } from "../ledger/ledger.ts";
import { maxQuestion, type NewEntry, ThothError } from "../protocol/index.ts";
import { toResumePrompt, toStartPrompt, toSteerPrompt } from "../workflow/briefing.ts";
import { foldLedger, type SessionState } from "../workflow/fold-ledger.ts";
import { toFollowUpEntries } from "../workflow/gate-rules.ts";
import type { Sitting } from "./sitting.ts";

/** A follow-up once the question is closed, steering before. Throws `text-missing`, `question-too-long`. */
export async function say(sitting: Sitting, said: string, works: boolean): Promise<string> {
  const text = said.trim();
  if (text === "")
    throw new ThothError("text-missing", "There are no words in it.", "Write what the model should know or do.");
  if (text.length > maxQuestion)
    throw new ThothError(
      "question-too-long",
      `That is longer than ${maxQuestion} characters.`,
      "Say it in fewer words.",
    );
  const { value: follows, ledger } = await changeLedger(sitting.dir, sitting.id, ({ entries }) => {
    const state = foldLedger(entries);
    const closed = state.outcome !== null;
    return { entries: closed ? toFollowUpEntries(state, text) : toSteerEntries(state, text), value: closed };
  });
  if (follows) return toStartPrompt(text);
  return works ? toSteerPrompt(text) : toResumePrompt(foldLedger(ledger.entries));
}

/** Where the question stands, for a model that has just been started; null when nothing is left to do. */
export async function goOn(sitting: Sitting): Promise<string | null> {
  const state = await sitting.session.state();
  if (state.outcome !== null) return null;
  const words = toResumePrompt(state);
  await toDelivered(sitting);
  return words;
}

/** The model has the last answer. */
export async function toDelivered(sitting: Sitting): Promise<void> {
  await changeLedger(sitting.dir, sitting.id, ({ entries }) => {
    const { undelivered } = foldLedger(entries);
    return {
      entries: undelivered ? [{ type: "gate-delivered", gateId: undelivered.opened.gateId }] : [],
      value: null,
    };
  });
}

function toSteerEntries({ openGate }: SessionState, text: string): NewEntry[] {
  const closing: NewEntry[] = openGate
    ? [{ type: "gate-closed", gateId: openGate.gateId, phase: openGate.phase, reason: "superseded" }]
    : [];
  return [...closing, { type: "prompt", text, kind: "steer" }];
}
