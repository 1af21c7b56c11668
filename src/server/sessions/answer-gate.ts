/** The reviewer's answer: committed in one piece, then shown, then told to the child, with or without one there. */
import { type GateAnswer, type GateAnswered, type GateReply, ThothError } from "../../protocol/index.ts";
import { budgetOf, usedUp } from "../../workflow/budget.ts";
import type { OpenedEntry } from "../../workflow/fold-ledger.ts";
import { toAnswerEntries } from "../../workflow/gate-rules.ts";
import { reply } from "./gate-reply.ts";
import { type LiveSession, toGateClosed } from "./live-session.ts";
import { sendWords, startColdOrFail, toResumeWords } from "./start-cold.ts";

/** Runs inside the session's queue. Throws ThothError with the code of what holds instead. */
export async function answerGate(
  session: LiveSession,
  gateId: string,
  answer: GateAnswer,
  by: "reviewer" | "policy" | "verified",
): Promise<GateAnswered> {
  const opened = session.state.openGate;
  const committed = await session.commit<{ answered: GateAnswered; reply: GateReply | null }>(
    (state) => {
      const checked = toAnswerEntries(state, state.lastSeq, gateId, answer, by);
      if (!checked.ok) throw new ThothError(checked.code, checked.message, checked.action);
      // The same answer again: what it wrote then is told again, and nothing is written or sent.
      if ("repeated" in checked) return { entries: [], value: { answered: checked.repeated, reply: null } };
      return { entries: checked.entries, value: { answered: checked.answered, reply: checked.reply } };
    },
    ({ answered }) => (opened?.gateId === gateId ? [toGateClosed(opened, "answered", answered.answer)] : []),
  );
  if (committed.reply) await deliver(session, gateId, committed.reply, opened);
  return committed.answered;
}

async function deliver(
  session: LiveSession,
  gateId: string,
  answer: GateReply,
  opened: OpenedEntry | null,
): Promise<void> {
  const runtime = session.runtime;
  const dialogId = runtime?.dialogs.get(gateId);
  if (runtime && dialogId !== undefined) {
    runtime.dialogs.delete(gateId);
    // Noted as delivered when the tool that asked has ended: then the child's own record has the answer.
    runtime.unacknowledged = gateId;
    reply(runtime, dialogId, answer);
    session.take({ type: "gate-closed", goesOn: true });
    return;
  }
  const budget = opened && budgetOf(opened);
  if (budget && usedUp(session.state)) {
    session.rest();
    return;
  }
  if (session.state.outcome !== null) {
    // The question is closed and nobody is there to be told.
    await session.noteDelivered(gateId);
    session.rest();
    return;
  }
  session.take({ type: "work-started" });
  if (budget) {
    session.inBackground("A session could not go on.", () => startColdOrFail(session, { toWords: toResumeWords }));
    return;
  }
  session.inBackground("An answer could not be delivered.", () => deliverAsWords(session));
}

/** Without the dialog the answer goes as a prompt. Resume may have done it meanwhile. */
async function deliverAsWords(session: LiveSession): Promise<void> {
  const { undelivered } = session.state;
  if (!undelivered) return;
  if (!session.runtime) {
    await startColdOrFail(session, { toWords: toResumeWords });
    return;
  }
  const words = toResumeWords(session.state);
  if (words) await sendWords(session, words);
  if (session.turn.state !== "failed") await session.noteDelivered(undelivered.opened.gateId);
}
