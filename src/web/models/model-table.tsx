import { useState } from "react";
import type { ModelItem, ModelList } from "../../protocol/api.ts";
import type { ModelTest } from "../../protocol/models.ts";
import { Button } from "../elements/button.tsx";
import { Icon } from "../elements/icon.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { type ApiProblem, asProblem } from "../session/api.ts";
import { modelKey, toContextWords, toPriceWords, toTestWords } from "./model-words.ts";
import { modelsApi } from "./models-api.ts";
import { useChange } from "./use-change.ts";

/** Some providers offer hundreds. */
const mostShown = 60;

export function ModelTable({ list }: { list: ModelList }) {
  const [text, setText] = useState("");
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting = list.models.filter((model) => {
    const all = `${model.provider}/${model.id} ${model.name}`.toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const shown = fitting.slice(0, mostShown);
  return (
    <div>
      {list.models.length > 8 ? (
        <label className="mb-2 block max-w-xs">
          <span className="sr-only">Find a model</span>
          <input
            className="field py-1"
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder="Find a model"
          />
        </label>
      ) : null}
      <div className="overflow-x-auto">
        <table className="num w-full min-w-[640px] text-xs">
          <thead>
            <tr className="text-left">
              <th className="th pb-1">Model</th>
              <th className="th pb-1">Runs</th>
              <th className="th pb-1 text-right">Context</th>
              <th className="th pb-1 pl-4 text-right">In / out per million</th>
              <th className="th pb-1 pl-4">Thinking</th>
              <th className="th pb-1">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((model) => (
              <ModelRow key={modelKey(model.provider, model.id)} model={model} usual={list.default} />
            ))}
          </tbody>
        </table>
      </div>
      {fitting.length > shown.length ? (
        <p className="mt-2 text-xs text-ink-3">{fitting.length - shown.length} more: narrow the search.</p>
      ) : fitting.length === 0 ? (
        <p className="mt-2 text-xs text-ink-3">No model fits these words.</p>
      ) : null}
    </div>
  );
}

function ModelRow({ model, usual }: { model: ModelItem; usual: ModelList["default"] }) {
  const [testing, setTesting] = useState(false);
  const [result, setResult] = useState<ModelTest | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const change = useChange();
  const isDefault = model.provider === usual.provider && model.id === usual.model;
  const test = async () => {
    setTesting(true);
    setResult(null);
    setProblem(null);
    try {
      setResult(await modelsApi.test({ provider: model.provider, model: model.id }));
    } catch (cause) {
      setProblem(asProblem(cause));
    } finally {
      setTesting(false);
    }
  };
  const levels = model.thinkingLevels.filter((level) => level !== "off");
  const fault = problem ?? change.problem;
  return (
    <>
      <tr className="border-t border-line align-top">
        <td className="py-1.5 pr-3">
          <span className="block text-sm font-medium text-ink [overflow-wrap:anywhere]">
            <VisibleText text={model.name} />
            {isDefault ? <span className="ml-1.5 text-xs font-normal text-ink-3">default</span> : null}
          </span>
          <span className="font-mono text-2xs text-ink-3 [overflow-wrap:anywhere]">
            {model.provider}/<VisibleText text={model.id} />
          </span>
        </td>
        <td className="py-1.5 pr-3 text-ink-2">{model.local ? "on this machine" : "hosted"}</td>
        <td className="py-1.5 text-right text-ink-2">{toContextWords(model.contextWindow)}</td>
        <td className="py-1.5 pl-4 text-right text-ink-2">{toPriceWords(model)}</td>
        <td className="py-1.5 pl-4 text-ink-2">{levels.length > 0 ? levels.join(", ") : "none"}</td>
        <td className="py-1.5 pl-3">
          <div className="flex justify-end gap-1">
            <Button
              size="sm"
              blocked={testing ? "The model is being asked." : undefined}
              aria-label={`Test ${model.name}`}
              onClick={() => void test()}
            >
              {testing ? "Testing" : "Test"}
            </Button>
            {isDefault ? null : (
              <Button
                size="sm"
                variant="ghost"
                blocked={change.busy ? "It is being kept." : undefined}
                aria-label={`Make ${model.name} the default`}
                onClick={() =>
                  void change.run(() =>
                    modelsApi.setDefault({
                      provider: model.provider,
                      model: model.id,
                      ...(model.thinkingLevels.includes(usual.thinking)
                        ? {}
                        : { thinking: model.thinkingLevels.at(-1) ?? "off" }),
                    }),
                  )
                }
              >
                Make default
              </Button>
            )}
          </div>
        </td>
      </tr>
      {result || fault ? (
        <tr>
          <td colSpan={6} className="pb-2">
            {fault ? <ProblemNotice problem={fault} /> : null}
            {result ? <TestResult name={model.name} result={result} /> : null}
          </td>
        </tr>
      ) : null}
    </>
  );
}

function TestResult({ name, result }: { name: string; result: ModelTest }) {
  return (
    <p role="status" aria-label={`Test of ${name}`} className="flex gap-2 text-xs text-ink-2">
      <Icon name={result.ok ? "ok" : "problem"} className={result.ok ? "text-ok" : "text-problem"} />
      {result.failure ? (
        <span>
          <span className="font-medium text-ink">{result.failure.message}</span>{" "}
          {result.failure.action
            .replace(/,? then press Resume/, "")
            .replace(/^Press Resume to try again[^.]*\./, "Test it again.")}
        </span>
      ) : (
        <span className="num">
          <span className="font-medium text-ink">It answers.</span> {toTestWords(result)}
        </span>
      )}
    </p>
  );
}
