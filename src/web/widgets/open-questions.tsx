import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import type { DraftControl } from "./gate-props.ts";

/** What the model left open, each with a field: an answer goes into `What should change`, and so back to the model. */
export function OpenQuestions({ questions, control }: { questions: string[]; control: DraftControl }) {
  if (questions.length === 0) return null;
  return (
    <div
      id="open-questions"
      className="mx-5 mt-3 scroll-mt-4 rounded-md border border-notice-line bg-notice-soft/70 px-3 py-2.5"
    >
      <h3 className="flex items-center gap-2 text-sm font-semibold text-notice">
        <Icon name="info" />
        {questions.length === 1 ? "Open question" : `${questions.length} open questions`}
      </h3>
      <ol className="mt-1 space-y-2.5 pl-6">
        {questions.map((question, index) => (
          <li key={index}>
            <p id={`open-${index}`} className="max-w-[96ch] text-sm font-medium text-ink [overflow-wrap:anywhere]">
              <VisibleText text={question} />
            </p>
            <input
              type="text"
              aria-label={`Your answer to ${index + 1}`}
              aria-describedby={`open-${index}`}
              autoComplete="off"
              maxLength={2000}
              placeholder="Your answer goes back to the model"
              value={control.draft.answers[question] ?? ""}
              onChange={(event) => control.answerQuestion(question, event.target.value)}
              className="mt-1 block h-8 w-full max-w-[640px] scroll-mb-64 rounded-md border border-control bg-raised px-2.5 text-sm text-ink placeholder:text-ink-3"
            />
          </li>
        ))}
      </ol>
      <p className="mt-2 pl-6 text-xs text-ink-3">
        Continue accepts what is proposed and leaves {questions.length === 1 ? "this" : "these"} open.
      </p>
    </div>
  );
}
