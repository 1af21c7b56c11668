/** A server's list of models, as the usual servers write it, and what each of them says besides in places of its own. */
import { type Static, Type } from "typebox";
import { check, type EndpointKind, type FoundModel } from "../../protocol/index.ts";
import { askEndpoint } from "./ask-endpoint.ts";

const number = Type.Optional(Type.Union([Type.Number(), Type.Null()]));
const ListedModel = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200 }),
  type: Type.Optional(Type.Unknown()),
  display_name: Type.Optional(Type.Unknown()),
  name: Type.Optional(Type.Unknown()),
  owned_by: Type.Optional(Type.Unknown()),
  /** vLLM, OpenRouter and gateways, llama.cpp, Anthropic. */
  max_model_len: number,
  context_length: number,
  max_context_length: number,
  max_input_tokens: number,
  meta: Type.Optional(Type.Union([Type.Null(), Type.Object({ n_ctx: number, n_ctx_train: number })])),
  supported_parameters: Type.Optional(Type.Union([Type.Null(), Type.Array(Type.String())])),
});
type ListedModel = Static<typeof ListedModel>;
const List = Type.Object({ data: Type.Array(Type.Unknown()) });

export interface Listed {
  kind: EndpointKind;
  /** Null when nothing in the list tells. */
  server: string | null;
  models: FoundModel[];
}

const mostModels = 500;
/** They answer no questions. */
const otherKinds = /(?:^|[-_/.])(?:embed|embedding|embeddings|rerank|reranker|whisper|tts|moderation)(?:[-_/.:]|$)/i;

/** Null when it is no list of models. */
export function toListed(json: unknown): Listed | null {
  const list = check(List, json);
  if (!list.ok) return null;
  const entries = list.value.data.flatMap((entry) => {
    const checked = check(ListedModel, entry);
    // An id goes into Pi's command line and into requests: a plain word, or it isn't one.
    return checked.ok && /^[\x21-\x7e]+$/.test(checked.value.id) ? [checked.value] : [];
  });
  if (entries.length === 0 && list.value.data.length > 0) return null;
  const models = entries.filter((entry) => !otherKinds.test(entry.id)).slice(0, mostModels);
  return {
    kind: entries.some((entry) => entry.type === "model") ? "anthropic" : "openai",
    server: toServer(entries),
    models: models.map(toModel),
  };
}

function toServer(entries: readonly ListedModel[]): string | null {
  const owners = new Set(entries.map((entry) => entry.owned_by));
  if (owners.has("llamacpp")) return "llama.cpp";
  if (owners.has("vllm")) return "vLLM";
  if (owners.has("library")) return "Ollama";
  return owners.has("organization_owner") ? "LM Studio" : null;
}

function toModel(entry: ListedModel): FoundModel {
  const context =
    entry.max_model_len ??
    entry.context_length ??
    entry.max_context_length ??
    entry.meta?.n_ctx ??
    entry.meta?.n_ctx_train ??
    entry.max_input_tokens;
  const parameters = entry.supported_parameters;
  return {
    id: entry.id,
    name: toName(entry.display_name) ?? toName(entry.name) ?? entry.id,
    reasoning: parameters?.includes("reasoning") ?? false,
    contextWindow: toContext(context),
    tools: parameters ? parameters.includes("tools") : null,
  };
}

/** A name is shown: one line of visible characters. */
const toName = (value: unknown): string | undefined =>
  typeof value === "string" && /^[^\p{C}\p{Zl}\p{Zp}]{1,120}$/u.test(value) ? value : undefined;
const toContext = (value: unknown): number | null =>
  typeof value === "number" && value >= 256 && value <= 1e9 ? Math.floor(value) : null;

interface DetailOptions {
  key: string | null;
  timeoutMs: number;
}

/** Asks Ollama, LM Studio and llama.cpp for what their common list leaves out. What isn't answered stays unknown. */
export async function addDetails(url: URL, listed: Listed, options: DetailOptions): Promise<FoundModel[]> {
  const ask = async (path: string, body?: unknown): Promise<unknown> => {
    const headers: Record<string, string> = options.key ? { authorization: `Bearer ${options.key}` } : {};
    const answered = await askEndpoint(`${url.origin}${path}`, { headers, timeoutMs: options.timeoutMs, body });
    return "json" in answered && answered.status === 200 ? answered.json : null;
  };
  switch (listed.server) {
    case "Ollama":
      return addFromOllama(listed.models, ask);
    case "LM Studio":
      return addFromLmStudio(listed.models, await ask("/api/v0/models"));
    case "llama.cpp":
      return addFromLlamaCpp(listed.models, await ask("/props"));
    default:
      return listed.models;
  }
}

const OllamaShow = Type.Object({
  capabilities: Type.Optional(Type.Array(Type.String())),
  model_info: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});
/** Each is a question of its own. */
const mostAsked = 40;

async function addFromOllama(
  models: FoundModel[],
  ask: (path: string, body?: unknown) => Promise<unknown>,
): Promise<FoundModel[]> {
  const added: FoundModel[] = [];
  for (const [index, model] of models.entries()) {
    const shown = index < mostAsked ? check(OllamaShow, await ask("/api/show", { model: model.id })) : null;
    if (!shown?.ok) {
      added.push(model);
      continue;
    }
    const { capabilities, model_info = {} } = shown.value;
    if (capabilities && !capabilities.includes("completion")) continue;
    const context = Object.entries(model_info).find(([name]) => name.endsWith(".context_length"))?.[1];
    added.push({
      ...model,
      reasoning: capabilities?.includes("thinking") ?? false,
      tools: capabilities?.includes("tools") ?? null,
      contextWindow: toContext(context) ?? model.contextWindow,
    });
  }
  return added;
}

const LmStudioList = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      type: Type.Optional(Type.String()),
      max_context_length: number,
      loaded_context_length: number,
      capabilities: Type.Optional(Type.Array(Type.String())),
    }),
  ),
});

function addFromLmStudio(models: FoundModel[], json: unknown): FoundModel[] {
  const checked = check(LmStudioList, json);
  if (!checked.ok) return models;
  const told = new Map(checked.value.data.map((entry) => [entry.id, entry]));
  return models.flatMap((model) => {
    const entry = told.get(model.id);
    if (!entry) return [model];
    if (entry.type === "embeddings") return [];
    const context = toContext(entry.loaded_context_length ?? entry.max_context_length);
    return [
      {
        ...model,
        contextWindow: context ?? model.contextWindow,
        tools: entry.capabilities?.includes("tool_use") ?? null,
      },
    ];
  });
}

const LlamaCppProps = Type.Object({ default_generation_settings: Type.Object({ n_ctx: Type.Number() }) });

/** What a model was trained with says nothing about the context it was started with. */
function addFromLlamaCpp(models: FoundModel[], json: unknown): FoundModel[] {
  const checked = check(LlamaCppProps, json);
  const context = checked.ok ? toContext(checked.value.default_generation_settings.n_ctx) : null;
  return context === null ? models : models.map((model) => ({ ...model, contextWindow: context }));
}
