/** The home's files by which a user would reach the fake providers: endpoints in models.json, their keys in keys.json. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { ModelList } from "../../src/protocol/index.ts";
import { type ModelServer, type ProtocolName, protocolNames, protocols, toSlug } from "./model-server.ts";

export const providerOf = (protocol: ProtocolName): string => `wire-${toSlug(protocol)}`;
const slugInCapitals = (protocol: ProtocolName): string => toSlug(protocol).toUpperCase().replaceAll("-", "_");
export const keyVariableOf = (protocol: ProtocolName): string => `WIRE_KEY_${slugInCapitals(protocol)}`;
export const keyOf = (protocol: ProtocolName): string => `markkey${toSlug(protocol)}0123456789`;
export const headerOf = (protocol: ProtocolName): string => `markheader${toSlug(protocol)}0123456789`;
/** Planted in what the providers themselves say. */
export const bodyMark = "markbody7731";

export function writeWireHome(home: string, server: ModelServer, models: readonly string[]): void {
  const entries = protocolNames.map((protocol) => [
    providerOf(protocol),
    {
      baseUrl: server.baseUrl(protocol),
      api: protocols[protocol].api,
      apiKey: `$${keyVariableOf(protocol)}`,
      headers: { "x-wire-gateway": headerOf(protocol) },
      models: models.map((id) => ({ id, reasoning: true, contextWindow: 200_000, maxTokens: 8192 })),
    },
  ]);
  writeFileSync(join(home, "models.json"), JSON.stringify({ providers: Object.fromEntries(entries) }), { mode: 0o600 });
  const keys = protocolNames.map((protocol) => [providerOf(protocol), keyOf(protocol)]);
  writeFileSync(join(home, "keys.json"), JSON.stringify(Object.fromEntries(keys)), { mode: 0o600 });
}

/** One more endpoint, reached without a key of its own. */
export function addProvider(home: string, name: string, entry: { api: string; baseUrl: string }): void {
  const file = join(home, "models.json");
  const { providers } = JSON.parse(readFileSync(file, "utf8")) as { providers: object };
  const added = { ...entry, apiKey: "none-needed", models: [{ id: "strong" }] };
  writeFileSync(file, JSON.stringify({ providers: { ...providers, [name]: added } }), { mode: 0o600 });
}

/** Until the product knows these models of every provider: a child lists them, and a busy machine takes its time. */
export async function waitForModels(list: () => Promise<ModelList>, models: readonly string[]): Promise<void> {
  const wanted = protocolNames.flatMap((protocol) => models.map((model) => `${providerOf(protocol)}/${model}`));
  for (const deadline = performance.now() + 600_000; ; await pause(500)) {
    const { models: listed } = await list();
    const known = new Set(listed.map(({ provider, id }) => `${provider}/${id}`));
    if (wanted.every((one) => known.has(one))) return;
    if (performance.now() > deadline) throw new Error(`the models are not known: ${[...known].join(", ")}`);
  }
}
