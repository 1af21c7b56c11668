/** Each answer of a model is counted in the session's ledger before anybody else can see it: the budget rests on that. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { toUsage } from "../protocol/index.ts";
import type { SessionContext } from "./session-context.ts";

export function registerUsageCount(pi: ExtensionAPI, session: SessionContext): void {
  pi.on("message_end", async ({ message }) => {
    if (message.role !== "assistant") return;
    const usage = toUsage(message.usage);
    if (usage) await session.noteUsage({ provider: message.provider, model: message.model, ...usage });
  });
  // Shortening the conversation is a request to the model like any other.
  pi.on("session_compact", async ({ compactionEntry }, { model }) => {
    const usage = toUsage(compactionEntry.usage);
    if (usage && model) await session.noteUsage({ provider: model.provider, model: model.id, ...usage });
  });
}
