import { useState } from "react";
import type { ModelList } from "../../protocol/api.ts";
import { type ThinkingLevel, thinkingLevels } from "../../protocol/phases.ts";
import { parseBudget, toBudgetWords } from "../../protocol/usage.ts";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { Picker } from "../layout/picker.tsx";
import { modelKey } from "./model-words.ts";
import { modelsApi } from "./models-api.ts";
import { useChange } from "./use-change.ts";

/** What a new session takes when it names nothing else. */
export function DefaultForm({ list }: { list: ModelList }) {
  const usual = list.default;
  const change = useChange();
  const [budget, setBudget] = useState<string | null>(null);
  const chosen = list.models.find((model) => model.provider === usual.provider && model.id === usual.model);
  const levels = chosen?.thinkingLevels ?? thinkingLevels;
  const words = budget ?? (usual.budget ? toBudgetWords(usual.budget) : "");
  const parsed = words.trim() === "" ? null : parseBudget(words);
  const unread = words.trim() !== "" && parsed === null;
  const pickModel = (key: string) => {
    const model = list.models.find((one) => modelKey(one.provider, one.id) === key);
    if (!model) return;
    const thinking = model.thinkingLevels.includes(usual.thinking) ? usual.thinking : model.thinkingLevels.at(-1);
    void change.run(() =>
      modelsApi.setDefault({ provider: model.provider, model: model.id, ...(thinking ? { thinking } : {}) }),
    );
  };
  return (
    <form
      aria-label="Default for new sessions"
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (!unread)
          void change.run(() => modelsApi.setDefault({ budget: parsed })).then((done) => done && setBudget(null));
      }}
    >
      <div className="flex flex-wrap gap-2">
        <Picker
          label="Default model"
          icon="model"
          value={modelKey(usual.provider, usual.model)}
          onPick={pickModel}
          className="max-w-[360px] border border-line-strong"
          options={[
            ...(chosen
              ? []
              : [{ value: modelKey(usual.provider, usual.model), label: `${usual.model} (can’t be used now)` }]),
            ...list.models.map((model) => ({
              value: modelKey(model.provider, model.id),
              label: `${model.name} · ${model.provider}`,
            })),
          ]}
        />
        <Picker
          label="Default thinking"
          icon={usual.thinking === "off" ? "off" : "think"}
          value={usual.thinking}
          onPick={(level) => {
            const thinking = levels.find((one): one is ThinkingLevel => one === level);
            if (thinking) void change.run(() => modelsApi.setDefault({ thinking }));
          }}
          className="border border-line-strong"
          options={[...new Set([...levels, usual.thinking])].map((level) => ({
            value: level,
            label: `Thinking ${level}`,
          }))}
        />
      </div>
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Budget per session" value={words} onChange={setBudget} placeholder="none" className="w-64" />
        <Button
          type="submit"
          blocked={
            budget === null
              ? "The budget is as it was."
              : unread
                ? "That is no amount."
                : change.busy
                  ? "It is being kept."
                  : undefined
          }
        >
          Save budget
        </Button>
      </div>
      <p className="text-xs text-ink-3">
        {unread
          ? "That is no amount: write tokens, dollars or both, like 200k, $0.50 or 200k $0.50."
          : "In tokens, dollars or both: 200k, $0.50, 200k $0.50. When it is used up, the session pauses and asks before it goes on."}
      </p>
      {change.problem ? <ProblemNotice problem={change.problem} /> : null}
    </form>
  );
}
