import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { ProviderItem } from "../../protocol/models.ts";
import { Button } from "../elements/button.tsx";
import { Field } from "../elements/field.tsx";
import { plural } from "../elements/numbers.ts";
import { Tag } from "../elements/tag.tsx";
import { VisibleText } from "../elements/visible-text.tsx";
import { ProblemNotice } from "../layout/notice.tsx";
import { toAuthWords } from "./model-words.ts";
import { modelsApi } from "./models-api.ts";
import { useChange } from "./use-change.ts";

/** Those that can be used; the others on demand, since there are dozens. */
export function ProviderList({ providers }: { providers: ProviderItem[] }) {
  const client = useQueryClient();
  const [all, setAll] = useState(false);
  const [text, setText] = useState("");
  const usable = providers.filter((item) => item.auth !== "none" || item.added);
  const wanted = text.trim().toLowerCase();
  const shown = (all ? providers : usable).filter((item) =>
    `${item.provider} ${item.name}`.toLowerCase().includes(wanted),
  );
  // Only the planner, which is always there: the child that knows the others could not be asked.
  if (providers.length <= 1)
    return (
      <p className="flex gap-3 text-sm text-ink-2">
        The providers could not be asked for.
        <button type="button" className="link" onClick={() => void client.invalidateQueries({ queryKey: ["models"] })}>
          Ask again
        </button>
      </p>
    );
  return (
    <div>
      {all ? (
        <label className="mb-2 block max-w-xs text-xs text-ink-2">
          <span className="sr-only">Find a provider</span>
          <input
            className="field py-1"
            value={text}
            onChange={(event) => setText(event.target.value)}
            placeholder="Find a provider"
          />
        </label>
      ) : null}
      <ul className="border-t border-line">
        {shown.map((item) => (
          <ProviderRow key={item.provider} item={item} />
        ))}
      </ul>
      {usable.length < providers.length ? (
        <button type="button" className="link mt-2 text-xs" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Only those that can be used" : `Add a key: ${providers.length - usable.length} more providers`}
        </button>
      ) : null}
    </div>
  );
}

function ProviderRow({ item }: { item: ProviderItem }) {
  const [asking, setAsking] = useState(false);
  const [key, setKey] = useState("");
  const change = useChange();
  const auth = toAuthWords(item);
  const blocked = change.busy ? "It is being kept." : undefined;
  const close = () => {
    setAsking(false);
    setKey("");
    change.forget();
  };
  return (
    <li className="border-b border-line py-2" aria-label={item.name}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <span className="text-sm font-medium text-ink">
            <VisibleText text={item.name} />
          </span>
          <span className="ml-2 font-mono text-2xs text-ink-3">{item.url || item.provider}</span>
        </div>
        <span className="num text-xs text-ink-3">{plural(item.models, "model")}</span>
        <Tag tone={auth.tone}>{auth.text}</Tag>
        <div className="flex gap-1">
          {item.variable !== "" && !asking ? (
            <Button
              size="sm"
              onClick={() => setAsking(true)}
              aria-label={`${item.auth === "stored" ? "Replace" : "Add"} key of ${item.name}`}
            >
              {item.auth === "stored" ? "Replace key" : "Add key"}
            </Button>
          ) : null}
          {item.auth === "stored" && item.variable !== "" && !item.added ? (
            <Button
              size="sm"
              variant="ghost"
              blocked={blocked}
              aria-label={`Remove key of ${item.name}`}
              onClick={() => void change.run(() => modelsApi.removeKey(item.provider))}
            >
              Remove key
            </Button>
          ) : null}
          {item.added ? (
            <Button
              size="sm"
              variant="ghost"
              blocked={blocked}
              aria-label={`Remove ${item.name}`}
              onClick={() => void change.run(() => modelsApi.remove(item.provider))}
            >
              Remove
            </Button>
          ) : null}
        </div>
      </div>
      {asking ? (
        <form
          className="mt-2 flex flex-wrap items-end gap-2"
          onSubmit={(event) => {
            event.preventDefault();
            if (key.trim() !== "")
              void change.run(() => modelsApi.storeKey(item.provider, key)).then((done) => done && close());
          }}
        >
          <Field label={`Key of ${item.name}`} secret value={key} onChange={setKey} className="w-80 max-w-full" />
          <Button type="submit" variant="primary" blocked={key.trim() === "" ? "The key is empty." : blocked}>
            Save key
          </Button>
          <Button variant="ghost" onClick={close}>
            Cancel
          </Button>
          <p className="w-full text-xs text-ink-3">
            Kept in a file that only your account can read, and never shown again. Only this provider’s own sessions get
            it.
            {item.auth === "environment" ? ` It then goes before ${item.variable}.` : ""}
          </p>
        </form>
      ) : null}
      {change.problem ? <ProblemNotice problem={change.problem} className="mt-2" /> : null}
    </li>
  );
}
