/** The offline planner as a Pi provider, `thoth/offline`: it streams reasoning and tool calls like any model. */

import {
  type AssistantMessage,
  type AssistantMessageEventStream,
  type Context,
  createAssistantMessageEventStream,
  type Model,
  type SimpleStreamOptions,
} from "@earendil-works/pi-ai/compat";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { planQuestion } from "../planner/plan-question.ts";
import { offlineModel, offlineProvider } from "../protocol/index.ts";
import { type PlannerTurn, toTurn } from "./planner-turns.ts";
import { readProgress } from "./read-progress.ts";
import type { SessionContext } from "./session-context.ts";

const api = "thoth-offline";
/** Nothing is metered: the planner runs on this machine. */
const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};
const scoring = { maxRows: 200, maxBytes: 200_000, deadlineMs: 3000 };

export function registerOfflinePlanner(pi: ExtensionAPI, session: SessionContext): void {
  pi.registerProvider(offlineProvider, {
    name: "Offline planner",
    baseUrl: "http://127.0.0.1:9", // never asked: streamSimple below answers
    apiKey: "none-needed",
    api,
    streamSimple: (model, context, options) => speak(session, model, context, options),
    models: [
      {
        id: offlineModel,
        name: "Offline planner",
        reasoning: true,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 1_000_000,
        maxTokens: 100_000,
      },
    ],
  });
}

async function think(session: SessionContext, context: Context): Promise<PlannerTurn> {
  const progress = readProgress(context.messages);
  if (!progress) return { reasoning: "", text: "I need a question to work on.", calls: [] };
  const { catalog, values } = await session.catalog();
  const database = await session.database();
  const { question, corrections, choices } = progress;
  // A session that goes on after midnight must not turn its SQL.
  const { askedOn } = await session.state();
  const planned = await planQuestion({
    question,
    catalog,
    values,
    corrections,
    choices,
    knowledge: await session.knowledge(),
    ...(askedOn === "" ? {} : { today: askedOn }),
    run: (statements) => database.readAll(statements, scoring),
  });
  return toTurn(planned, progress);
}

function speak(
  session: SessionContext,
  model: Model<string>,
  context: Context,
  options?: SimpleStreamOptions,
): AssistantMessageEventStream {
  const stream = createAssistantMessageEventStream();
  const message: AssistantMessage = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage,
    stopReason: "stop",
    timestamp: Date.now(),
  };
  const partial = () => structuredClone(message);
  const say = (kind: "thinking" | "text", content: string) => {
    if (content === "") return;
    const contentIndex = message.content.length;
    const grow = (said: string) => {
      message.content[contentIndex] = kind === "thinking" ? { type: kind, thinking: said } : { type: kind, text: said };
    };
    grow("");
    stream.push({ type: `${kind}_start`, contentIndex, partial: partial() });
    let said = "";
    for (const delta of toChunks(content)) {
      said += delta;
      grow(said);
      stream.push({ type: `${kind}_delta`, contentIndex, delta, partial: partial() });
    }
    stream.push({ type: `${kind}_end`, contentIndex, content, partial: partial() });
  };
  const run = async () => {
    const turn = await think(session, context);
    stream.push({ type: "start", partial: partial() });
    // With thinking off a model sends no reasoning; the other levels behave alike here.
    if (options?.reasoning) say("thinking", turn.reasoning);
    say("text", turn.text);
    for (const call of turn.calls) {
      const toolCall = {
        type: "toolCall" as const,
        id: `call_${context.messages.length}_${message.content.length}`,
        name: call.name,
        arguments: call.arguments,
      };
      const contentIndex = message.content.push(toolCall) - 1;
      stream.push({ type: "toolcall_start", contentIndex, partial: partial() });
      stream.push({ type: "toolcall_delta", contentIndex, delta: JSON.stringify(call.arguments), partial: partial() });
      stream.push({ type: "toolcall_end", contentIndex, toolCall, partial: partial() });
    }
    const reason = turn.calls.length > 0 ? "toolUse" : "stop";
    message.stopReason = reason;
    stream.push({ type: "done", reason, message: partial() });
    stream.end();
  };
  run().catch((fault: unknown) => {
    const reason = options?.signal?.aborted ? "aborted" : "error";
    message.stopReason = reason;
    message.errorMessage = fault instanceof Error ? fault.message : String(fault);
    stream.push({ type: "error", reason, error: partial() });
    stream.end();
  });
  return stream;
}

/** A few words at a time, so that the page shows it growing. */
const toChunks = (text: string): string[] => text.match(/[\s\S]{1,24}(?=\s|$)|[\s\S]{1,24}/g) ?? [];
