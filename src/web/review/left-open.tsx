import { useId, useState } from "react";
import type { PhaseId } from "../../protocol/phases.ts";
import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { api } from "../session/api.ts";
import type { Facts } from "./facts.ts";
import { WordsForm } from "./words-form.tsx";

/** What an answer does depends on whether there is somebody at work to hear it. */
export function toAnswerWay(facts: Pick<Facts, "turn" | "openGate">): { way: "steer" | "follow-up"; words: string } {
  if (facts.turn === "running") return { way: "steer", words: "Goes to the model at once." };
  if (facts.turn === "waiting" && facts.openGate)
    return {
      way: "steer",
      words: `Goes to the model at once; the gate ${facts.openGate.phase} closes and is proposed again.`,
    };
  return { way: "follow-up", words: "Starts a follow-up, which keeps what you decided here." };
}

/** Questions that an accepted summary left open, to be answered where they stand. */
export function LeftOpen({
  sessionId,
  phase,
  questions,
  facts,
}: {
  sessionId: string;
  phase: PhaseId;
  questions: string[];
  facts: Facts;
}) {
  return (
    <ul aria-label={`Left open in ${phase}`} className="mt-1 space-y-1.5 md:ml-[100px]">
      {questions.map((question, index) => (
        // An earlier version's summary may ask the same twice.
        <LeftOpenQuestion key={`${index} ${question}`} sessionId={sessionId} question={question} facts={facts} />
      ))}
    </ul>
  );
}

function LeftOpenQuestion({ sessionId, question, facts }: { sessionId: string; question: string; facts: Facts }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const [text, setText] = useState("");
  const [sent, setSent] = useState(false);
  const { way, words } = toAnswerWay(facts);
  const send = async (answer: string) => {
    const said = `“${question}”: ${answer}`;
    await (way === "steer" ? api.steer(sessionId, said) : api.prompt(sessionId, said));
    setOpen(false);
    setSent(true);
  };
  return (
    <li className="text-sm">
      <div className="flex items-baseline gap-2">
        <Icon name="info" className="h-3.5 w-3.5 translate-y-0.5 text-notice" />
        <p className="min-w-0 text-ink [overflow-wrap:anywhere]">
          <span className="font-medium text-notice">Left open</span> <VisibleText text={question} />
        </p>
        {sent ? (
          <span className="text-xs text-ink-3">answered just now</span>
        ) : (
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="shrink-0 rounded-sm text-xs font-medium text-accent-ink hover:underline"
          >
            {open ? "Not now" : "Answer it"}
          </button>
        )}
      </div>
      {open ? (
        <div className="mt-1 max-w-[640px] pl-[22px]">
          <WordsForm
            id={id}
            label="Your answer"
            button="Answer"
            placeholder="Your answer"
            text={text}
            onText={setText}
            send={send}
            className="bg-transparent"
          />
          <p className="mt-1 text-xs text-ink-3">{words}</p>
        </div>
      ) : null}
    </li>
  );
}
