/** Loaded by the child that only lists models: tells every provider that Pi knows, with a key or without. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { childNotes } from "../protocol/index.ts";

export default function listProviders(pi: ExtensionAPI): void {
  pi.on("session_start", (_event, { modelRegistry }) => {
    const counts = new Map<string, number>();
    for (const { provider } of modelRegistry.getAll()) counts.set(provider, (counts.get(provider) ?? 0) + 1);
    const providers = [...counts].map(([provider, models]) => ({
      provider,
      name: modelRegistry.getProviderDisplayName(provider),
      models,
    }));
    pi.appendEntry(childNotes.providers, { providers });
  });
}
