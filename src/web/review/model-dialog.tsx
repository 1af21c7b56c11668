import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SessionView } from "../../protocol/api.ts";
import { type ThinkingLevel, thinkingLevels } from "../../protocol/phases.ts";
import { Button } from "../elements/button.tsx";
import { Dialog } from "../layout/dialog.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { Picker } from "../layout/picker.tsx";
import { type ApiProblem, api, asProblem } from "../session/api.ts";

/** Model and thinking level of one session. The wish is kept; the level in force is the model's to say. */
export function ModelDialog({
  view,
  onChanged,
  onClose,
}: {
  view: SessionView;
  onChanged: () => void;
  onClose: () => void;
}) {
  const { data } = useQuery({ queryKey: ["models"], queryFn: api.models, staleTime: 30_000 });
  const [key, setKey] = useState(`${view.provider}/${view.model}`);
  const [thinking, setThinking] = useState<ThinkingLevel>(view.thinking);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [sending, setSending] = useState(false);
  const models = data?.models ?? [];
  const chosen = models.find((model) => `${model.provider}/${model.id}` === key);
  const levels = chosen ? chosen.thinkingLevels : thinkingLevels;
  const save = async () => {
    setSending(true);
    setProblem(null);
    try {
      await api.change(view.id, { thinking, ...(chosen ? { provider: chosen.provider, model: chosen.id } : {}) });
      onChanged();
      onClose();
    } catch (cause) {
      setProblem(asProblem(cause));
      setSending(false);
    }
  };
  return (
    <Dialog
      title="Model of this session"
      intro="Your decisions stay. The model you choose goes on from them."
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap gap-2">
          <Picker
            label="Model"
            icon="model"
            value={key}
            onPick={setKey}
            className="border border-line-strong"
            options={[
              ...(chosen ? [] : [{ value: key, label: key }]),
              ...models.map((model) => ({
                value: `${model.provider}/${model.id}`,
                label: `${model.name}${model.local ? ", on this machine" : ""}`,
              })),
            ]}
          />
          <Picker
            label="Thinking"
            icon={thinking === "off" ? "off" : "think"}
            value={thinking}
            className="border border-line-strong"
            onPick={(value) => setThinking(thinkingLevels.find((level) => level === value) ?? thinking)}
            options={levels.map((level) => ({ value: level, label: `Thinking ${level}` }))}
          />
        </div>
        {chosen && chosen.provider !== view.provider && !chosen.local ? (
          <p className="text-xs text-ink-2">
            This model is hosted: your question, the names of tables and columns, and sampled values leave this machine.
          </p>
        ) : null}
        {problem ? <ProblemNotice problem={problem} /> : null}
        <div className="flex gap-2">
          <Button variant="primary" onClick={() => void save()} blocked={sending ? "On its way." : undefined}>
            Use this model
          </Button>
          <Button variant="ghost" onClick={onClose}>
            Leave as it is
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
