/** The reviewer's own words: steering while the question is open, a follow-up once it is closed; and going back a phase. */
import { type EventData, maxQuestion, type NewEntry, type PhaseId, ThothError } from "../../protocol/index.ts";
import { toResumePrompt, toStartPrompt, toSteerPrompt } from "../../workflow/briefing.ts";
import { phaseLabel, type SessionState } from "../../workflow/fold-ledger.ts";
import { toFollowUpEntries, toReopenEntries } from "../../workflow/gate-rules.ts";
import { reply, toSuperseded } from "./gate-reply.ts";
import { type LiveSession, toGateClosed } from "./live-session.ts";
import { sendWords, startCold, type Words } from "./start-cold.ts";

interface Saying {
  toEntries: (state: SessionState) => NewEntry[];
  shown: EventData<"prompt">;
  /** Why an open gate closes. */
  closes: "superseded" | "reopened";
  /** For a child that is in the middle of its work. */
  toRunning: (state: SessionState) => string;
  /** For a child that rests or has just been started. */
  toResting: (state: SessionState) => string;
}

/** Runs inside the session's queue. Throws `text-missing`, `question-too-long`, ResumeRefusedError. */
export async function say(session: LiveSession, text: string): Promise<void> {
  const words = text.trim();
  if (words === "")
    throw new ThothError("text-missing", "There are no words in it.", "Write what the model should know or do.");
  if (words.length > maxQuestion)
    throw new ThothError(
      "question-too-long",
      `That is longer than ${maxQuestion} characters.`,
      "Say it in fewer words.",
    );
  if (session.state.outcome !== null) {
    await tell(session, {
      toEntries: (state) => toFollowUpEntries(state, words),
      shown: { text: words, kind: "follow-up" },
      closes: "superseded",
      toRunning: () => toStartPrompt(words),
      toResting: () => toStartPrompt(words),
    });
    return;
  }
  await tell(session, {
    toEntries: (state) => [
      ...(state.openGate
        ? [
            {
              type: "gate-closed" as const,
              gateId: state.openGate.gateId,
              phase: state.openGate.phase,
              reason: "superseded" as const,
            },
          ]
        : []),
      { type: "prompt", text: words, kind: "steer" },
    ],
    shown: { text: words, kind: "steer" },
    closes: "superseded",
    toRunning: () => toSteerPrompt(words),
    toResting: toResumePrompt,
  });
}

/** Throws `phase-not-reached` for a phase that has not begun. */
export async function reopen(session: LiveSession, phase: PhaseId): Promise<void> {
  if (phase > session.state.phase)
    throw new ThothError("phase-not-reached", "That phase has not begun yet.", "Choose an earlier phase.");
  await tell(session, {
    toEntries: (state) => toReopenEntries(state, phase),
    shown: { text: `Back to ${phaseLabel(phase)}.`, kind: "resume" },
    closes: "reopened",
    toRunning: toResumePrompt,
    toResting: toResumePrompt,
  });
}

async function tell(session: LiveSession, saying: Saying): Promise<void> {
  if (session.damage) throw session.damage;
  const { runtime } = session;
  const opened = session.state.openGate;
  const commit = () =>
    session.commit(
      (state) => ({ entries: saying.toEntries(state), value: null }),
      () => (opened ? [toGateClosed(opened, saying.closes)] : []),
    );
  const toWords = (text: string): Words => ({ text, shown: saying.shown });
  if (!runtime) {
    await startCold(session, {
      commit: async () => {
        await commit();
      },
      toWords: (state) => toWords(saying.toResting(state)),
    });
    return;
  }
  // Committed first: an answer that comes at the same time finds the gate closed.
  await commit();
  const dialogId = opened ? runtime.dialogs.get(opened.gateId) : undefined;
  const works = session.turn.state === "running" || dialogId !== undefined;
  await sendWords(session, toWords(works ? saying.toRunning(session.state) : saying.toResting(session.state)));
  if (opened && dialogId !== undefined) {
    // The words wait in the child's queue by now, so that they are the next thing it reads after this.
    runtime.dialogs.delete(opened.gateId);
    reply(runtime, dialogId, toSuperseded(session, opened.gateId, saying.shown.text));
  }
  // The same for a gate that was asked for meanwhile and isn't open yet. A child that rested has asked because of these
  // very words: that gate is to be shown.
  if (!works) return;
  for (const gateId of runtime.asked.keys()) runtime.asked.set(gateId, saying.shown.text);
}
