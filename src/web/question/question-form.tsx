import { useQueryClient } from "@tanstack/react-query";
import { type KeyboardEvent, type RefObject, useEffect, useState } from "react";
import type { Static } from "typebox";
import type { ModelList } from "../../protocol/api.ts";
import { maxQuestion } from "../../protocol/api.ts";
import { offlineProvider } from "../../protocol/child.ts";
import type { ReviewMode, ThinkingLevel } from "../../protocol/phases.ts";
import { parseBudget } from "../../protocol/usage.ts";
import { Button } from "../elements/button.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { Picker } from "../layout/picker.tsx";
import { BudgetPicker } from "../models/budget-picker.tsx";
import { navigate, sessionPath } from "../route.ts";
import { type ApiProblem, api, asProblem } from "../session/api.ts";
import { type Asked, askedKey } from "../session/query-keys.ts";
import { keepDraft } from "./examples.ts";

export interface QuestionFormProps {
  workspace: string;
  placeholder: string;
  models: Static<typeof ModelList> | undefined;
  /** Why nothing can be started, e.g. the database is gone. */
  blocked: string | undefined;
  /** What blocks will be over by itself: a press now counts then. */
  opening: boolean;
  text: string;
  onText: (text: string) => void;
  box: RefObject<HTMLTextAreaElement | null>;
  onChoice: (choice: { model: string; local: boolean; thinking: ThinkingLevel }) => void;
}

const modelKey = (provider: string, id: string) => `${provider}/${id}`;

export function QuestionForm(props: QuestionFormProps) {
  const { workspace, placeholder, models, blocked, opening, text, onText, box, onChoice } = props;
  const client = useQueryClient();
  const [review, setReview] = useState<ReviewMode>("every-phase");
  const [picked, setPicked] = useState<string | null>(null);
  const [pickedThinking, setThinking] = useState<ThinkingLevel | null>(null);
  const [sending, setSending] = useState(false);
  const [pressed, setPressed] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [pickedBudget, setBudget] = useState<string | null>(null);

  const chosen =
    models?.models.find(
      (model) =>
        modelKey(model.provider, model.id) === (picked ?? modelKey(models.default.provider, models.default.model)),
    ) ?? models?.models.find((model) => model.provider === offlineProvider); // the default's key may be gone
  const thinking = pickedThinking ?? models?.default.thinking ?? "medium";
  useEffect(() => {
    if (chosen) onChoice({ model: chosen.name, local: chosen.local, thinking });
  }, [chosen, thinking, onChoice]);

  const tooLong = text.length > maxQuestion;
  const why =
    blocked ?? (tooLong ? `A question has at most ${maxQuestion.toLocaleString("en-US")} characters.` : undefined);

  const start = async () => {
    if (sending) return;
    if (opening && !tooLong && text.trim() !== "") return setPressed(true);
    if (why || text.trim() === "") return box.current?.focus();
    setSending(true);
    setProblem(null);
    const question = text.trim();
    try {
      const { id } = await api.create({
        workspace,
        question,
        review,
        thinking,
        ...(pickedBudget === null ? {} : { budget: parseBudget(pickedBudget) }),
        ...(chosen ? { provider: chosen.provider, model: chosen.id } : {}),
      });
      client.setQueryData<Asked>(askedKey(id), { question, at: Date.now() });
      void client.invalidateQueries({ queryKey: ["sessions"] });
      onText("");
      keepDraft("");
      navigate(sessionPath(id));
    } catch (cause) {
      setProblem(asProblem(cause));
    } finally {
      setSending(false);
    }
  };
  useEffect(() => {
    if (!pressed || opening) return;
    setPressed(false);
    void start();
  });
  const key = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    void start();
  };

  return (
    <form
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        void start();
      }}
    >
      <label htmlFor="question" className="mb-1 block text-xs font-medium text-ink-2">
        Question
      </label>
      <div className="rounded-md border border-control bg-raised focus-within:outline focus-within:outline-2 focus-within:outline-offset-1 focus-within:outline-accent">
        <textarea
          id="question"
          ref={box}
          rows={3}
          value={text}
          onChange={(event) => onText(event.target.value)}
          onKeyDown={key}
          className="block w-full resize-none rounded-md bg-transparent px-3 py-2.5 text-base text-ink outline-none [field-sizing:content] [min-height:80px] placeholder:text-ink-3 focus-visible:outline-none"
          placeholder={placeholder}
        />
        <div className="flex flex-wrap items-center gap-x-1 gap-y-2 border-t border-line px-2 py-2">
          <Picker
            label="Review mode"
            icon="hand"
            value={review}
            onPick={(value) => setReview(value === "when-needed" ? "when-needed" : "every-phase")}
            options={[
              { value: "every-phase", label: "Review every phase" },
              { value: "when-needed", label: "Review when needed" },
            ]}
          />
          {models && chosen ? (
            <Picker
              label="Model"
              icon="model"
              value={modelKey(chosen.provider, chosen.id)}
              onPick={setPicked}
              className="max-w-[240px]"
              options={models.models.map((model) => ({ value: modelKey(model.provider, model.id), label: model.name }))}
            />
          ) : models ? null : (
            <span className="px-2 text-xs text-ink-3">Looking for models…</span>
          )}
          {chosen && chosen.thinkingLevels.length > 1 ? (
            <Picker
              label="Thinking"
              icon={thinking === "off" ? "off" : "think"}
              value={thinking}
              onPick={(value) => setThinking(chosen.thinkingLevels.find((level) => level === value) ?? null)}
              options={chosen.thinkingLevels.map((level) => ({ value: level, label: `Thinking ${level}` }))}
            />
          ) : null}
          {models && chosen && chosen.provider !== offlineProvider ? (
            <BudgetPicker usual={models.default.budget} value={pickedBudget} onPick={setBudget} />
          ) : null}
          <span className="ml-auto hidden items-center gap-1 text-xs text-ink-3 md:flex">
            <span className="kbd">Ctrl</span>
            <span className="kbd">Enter</span>
          </span>
          <Button
            variant="primary"
            type="submit"
            className="ml-auto md:ml-2"
            blocked={sending ? "The session is being created." : why}
          >
            {sending || pressed ? "Starting" : "Start"}
          </Button>
        </div>
      </div>
      {problem ? <ProblemNotice problem={problem} className="mt-2" /> : null}
      {tooLong ? <p className="mt-2 text-xs text-problem">{why}</p> : null}
    </form>
  );
}
