/** An endpoint that was found, as an entry of models.json in Pi's own format. */
import type { FoundEndpoint, FoundModel } from "../../protocol/index.ts";
import { isLoopback } from "./addresses.ts";
import { noKeyNeeded } from "./provider-keys.ts";

/** For a server on this machine that doesn't say: more would only be cut off silently. */
const localContext = 32_768;

export function toProviderEntry(
  name: string,
  { kind, url, models, server }: FoundEndpoint,
  hasKey: boolean,
  chosen: readonly string[] | undefined,
): { name: string; baseUrl: string; api: string; apiKey: string; compat?: object; models: object[] } {
  const known = new Map(models.map((model) => [model.id, model]));
  const kept =
    chosen?.map((id): FoundModel => known.get(id) ?? toUnknownModel(id)) ??
    models.filter((model) => model.tools !== false);
  return {
    name: server.endsWith("-compatible") ? name : `${server} (${name})`,
    baseUrl: url,
    api: kind === "anthropic" ? "anthropic-messages" : "openai-completions",
    apiKey: hasKey ? `$${toKeyVariable(name)}` : noKeyNeeded,
    // The newer name of that field is unknown to most servers that speak the protocol.
    ...(kind === "openai" ? { compat: { maxTokensField: "max_tokens" } } : {}),
    models: kept.map(({ id, name: shown, reasoning, contextWindow }) => {
      const context = contextWindow ?? (isLoopback(url) ? localContext : null);
      return {
        id,
        name: shown,
        reasoning,
        ...(context === null
          ? {}
          : { contextWindow: context, maxTokens: Math.min(16_384, Math.max(256, Math.floor(context / 4))) }),
      };
    }),
  };
}

const toUnknownModel = (id: string): FoundModel => ({
  id,
  name: id,
  reasoning: false,
  contextWindow: null,
  tools: null,
});

/** Only ever set in the environment of this provider's child. */
const toKeyVariable = (name: string): string => `THOTH_KEY_${name.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
