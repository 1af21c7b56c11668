import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { endpointKinds, type FoundEndpoint, type LocalEndpoints } from "../../protocol/models.ts";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { plural } from "../elements/numbers.ts";
import { VisibleText } from "../elements/visible-text.tsx";
import { Notice, ProblemNotice } from "../layout/notice.tsx";
import { Picker } from "../layout/picker.tsx";
import { type ApiProblem, asProblem } from "../session/api.ts";
import { toContextWords } from "./model-words.ts";
import { modelsApi } from "./models-api.ts";
import { useChange } from "./use-change.ts";

const namePattern = /^[a-z0-9][a-z0-9_-]{0,62}$/;
const kindWords = { openai: "OpenAI-compatible", anthropic: "Anthropic-compatible" };

/** An address that speaks one of the usual protocols: looked at first, then kept. */
export function EndpointForm() {
  const [name, setName] = useState("");
  const [url, setUrl] = useState("");
  const [key, setKey] = useState("");
  const [kind, setKind] = useState("");
  const [finding, setFinding] = useState(false);
  const [found, setFound] = useState<FoundEndpoint | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const [added, setAdded] = useState<string | null>(null);
  const change = useChange();

  const edit = (set: () => void) => {
    set();
    setFound(null);
    setProblem(null);
    setAdded(null);
    change.forget();
  };
  const chosenKind = endpointKinds.find((one) => one === kind);
  const wish = {
    url: url.trim(),
    ...(chosenKind ? { kind: chosenKind } : {}),
    ...(key.trim() === "" ? {} : { key: key.trim() }),
  };
  const noUrl = url.trim() === "" ? "Give the endpoint’s address." : undefined;
  const noName = namePattern.test(name)
    ? undefined
    : "The name needs lower-case letters, digits, - or _, and a letter or digit first.";
  const busy = finding || change.busy ? "The endpoint is being asked." : undefined;
  const find = async () => {
    setFinding(true);
    setProblem(null);
    setFound(null);
    try {
      setFound(await modelsApi.find(wish));
    } catch (cause) {
      setProblem(asProblem(cause));
    } finally {
      setFinding(false);
    }
  };
  const add = async () => {
    if (noUrl || noName || busy) return;
    if (!(await change.run(() => modelsApi.add({ name, ...wish })))) return;
    edit(() => {
      setName("");
      setUrl("");
      setKey("");
      setKind("");
    });
    setAdded(name);
  };
  return (
    <>
      <LocalOffers />
      <form
        aria-label="Add an endpoint"
        className="flex max-w-[640px] flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        <div className="flex flex-wrap gap-3">
          <Field
            label="Name"
            value={name}
            onChange={(value) => edit(() => setName(value))}
            placeholder="gateway"
            className="w-40"
          />
          <Field
            label="Address"
            mono
            value={url}
            onChange={(value) => edit(() => setUrl(value))}
            placeholder="https://gateway.example/v1"
            className="min-w-60 flex-1"
          />
        </div>
        <div className="flex flex-wrap items-end gap-3">
          <Field
            label="Key, if it wants one"
            secret
            value={key}
            onChange={(value) => edit(() => setKey(value))}
            className="w-64"
          />
          <Picker
            label="Protocol"
            icon="link"
            value={kind}
            onPick={(value) => edit(() => setKind(value))}
            className="border border-line-strong"
            options={[
              { value: "", label: "Find out the protocol" },
              ...endpointKinds.map((one) => ({ value: one, label: kindWords[one] })),
            ]}
          />
        </div>
        {(problem ?? change.problem) ? <ProblemNotice problem={(problem ?? change.problem) as ApiProblem} /> : null}
        {found ? <Found found={found} /> : null}
        {added ? (
          <Notice tone="ok" title={`${added} is added.`}>
            Its models stand in the list below: test one before the first session.
          </Notice>
        ) : null}
        <div className="flex flex-wrap items-center gap-3">
          <Button blocked={noUrl ?? busy} onClick={() => void find()}>
            {finding ? "Looking" : "Find models"}
          </Button>
          <Button type="submit" variant="primary" blocked={noUrl ?? noName ?? busy}>
            {change.busy ? "Adding" : "Add endpoint"}
          </Button>
          {(noUrl ?? noName) && (name || url) ? <span className="text-xs text-ink-3">{noUrl ?? noName}</span> : null}
        </div>
      </form>
    </>
  );
}

const mostShown = 12;

function Found({ found }: { found: FoundEndpoint }) {
  const usable = found.models.filter((model) => model.tools !== false);
  const left = found.models.length - usable.length;
  return (
    <>
      <Notice tone="ok" title={`${found.server} answers with ${plural(found.models.length, "model")}.`}>
        <ul className="mt-1 grid gap-x-6 gap-y-0.5 text-xs sm:grid-cols-2">
          {usable.slice(0, mostShown).map((model) => (
            <li key={model.id} className="flex gap-2">
              <span className="min-w-0 flex-1 truncate font-mono text-ink">
                <VisibleText text={model.id} />
              </span>
              <span className="num text-ink-3">
                {model.contextWindow === null ? "" : toContextWords(model.contextWindow)}
              </span>
            </li>
          ))}
        </ul>
        {usable.length > mostShown ? (
          <p className="mt-1 text-xs text-ink-3">and {usable.length - mostShown} more</p>
        ) : null}
        {left > 0 ? (
          <p className="mt-1 text-xs text-ink-3">{plural(left, "model")} can’t call tools and will be left out.</p>
        ) : null}
      </Notice>
      {found.warning ? <Notice tone="warning">{found.warning}</Notice> : null}
    </>
  );
}

/** Asked when this page is looked at, and not before. */
function LocalOffers() {
  const { data, isFetching, refetch } = useQuery<LocalEndpoints>({
    queryKey: ["local-endpoints"],
    queryFn: modelsApi.local,
    staleTime: 5_000,
  });
  const change = useChange();
  const offers = data?.endpoints.filter((one) => !one.added) ?? [];
  const add = async (name: string, url: string) => {
    if (await change.run(() => modelsApi.add({ name, url }))) void refetch();
  };
  return (
    <div className="mb-4">
      <div className="flex items-center gap-3 text-xs text-ink-3">
        {isFetching
          ? "Looking for model servers on this machine…"
          : offers.length > 0
            ? "Found on this machine:"
            : "No further model server answers on this machine’s usual ports (Ollama, LM Studio, llama.cpp, vLLM)."}
        <button type="button" className="link" onClick={() => void refetch()}>
          Look again
        </button>
      </div>
      <ul>
        {offers.map(({ name, server, url, models }) => (
          <li
            key={url}
            className="mt-2 flex flex-wrap items-center gap-3 rounded-md border border-ok-line bg-ok-soft/60 px-3 py-2 text-sm"
          >
            <span className="font-medium text-ink">{server}</span>
            <span className="font-mono text-xs text-ink-2">{url}</span>
            <span className="num text-xs text-ink-3">{plural(models, "model")}, nothing leaves this machine</span>
            <Button
              size="sm"
              className="ml-auto"
              blocked={change.busy ? "It is being added." : undefined}
              aria-label={`Add ${server} on this machine`}
              onClick={() => void add(name, url)}
            >
              Add
            </Button>
          </li>
        ))}
      </ul>
      {change.problem ? <ProblemNotice problem={change.problem} className="mt-2" /> : null}
    </div>
  );
}
