/**
 * A model for measuring: as a Pi extension it first writes `rows` short blocks, waits for the file `go` in the home,
 * and then gives numbered deltas at a steady rate, each with the time at which the child wrote it. What to write stands
 * in `stream.json` in the home.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AssistantMessage,
  type Context,
  createAssistantMessageEventStream,
  type Model,
} from "@earendil-works/pi-ai/compat";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export interface StreamPlan {
  rows: number;
  deltas: number;
  perSecond: number;
  /** Deltas after which a new block begins, reasoning and text in turns. */
  perBlock: number;
  /** Characters added to each delta, for readers that shall fall behind. */
  padding?: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const home = () => join(process.env.THOTH_SESSION_DIR ?? "", "..", "..");
const usage = {
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  totalTokens: 0,
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
};

function speak(model: Model<string>, _context: Context) {
  const stream = createAssistantMessageEventStream();
  const partial: AssistantMessage = {
    role: "assistant",
    content: [],
    api: model.api,
    provider: model.provider,
    model: model.id,
    usage,
    stopReason: "stop",
    timestamp: Date.now(),
  };
  let index = -1;
  const begin = (kind: "thinking" | "text") => {
    partial.content.push(kind === "thinking" ? { type: "thinking", thinking: "" } : { type: "text", text: "" });
    index += 1;
    stream.push({ type: `${kind}_start`, contentIndex: index, partial });
  };
  const add = (delta: string) => {
    const part = partial.content[index];
    if (part?.type === "thinking") {
      part.thinking += delta;
      stream.push({ type: "thinking_delta", contentIndex: index, delta, partial });
    } else if (part?.type === "text") {
      part.text += delta;
      stream.push({ type: "text_delta", contentIndex: index, delta, partial });
    }
  };
  const end = () => {
    const part = partial.content[index];
    if (part?.type === "thinking")
      stream.push({ type: "thinking_end", contentIndex: index, content: part.thinking, partial });
    if (part?.type === "text") stream.push({ type: "text_end", contentIndex: index, content: part.text, partial });
  };
  const kindOf = (block: number) => (block % 2 === 0 ? ("thinking" as const) : ("text" as const));
  const play = async () => {
    const plan = JSON.parse(readFileSync(join(home(), "stream.json"), "utf8")) as StreamPlan;
    stream.push({ type: "start", partial });
    for (let row = 0; row < plan.rows; row += 1) {
      begin(kindOf(row));
      add(`Row ${row} stands here and never changes again.`);
      end();
      if (row % 50 === 49) await pause(5);
    }
    while (!existsSync(join(home(), "go"))) await pause(20);
    const padding = "x".repeat(plan.padding ?? 0);
    const from = performance.now();
    const blocks = Math.ceil(plan.deltas / plan.perBlock);
    for (let sent = 0; sent < plan.deltas; ) {
      const due = Math.min(plan.deltas, Math.floor(((performance.now() - from) / 1000) * plan.perSecond) + 1);
      for (; sent < due; sent += 1) {
        if (sent % plan.perBlock === 0) {
          if (sent > 0) end();
          // The last is text: reasoning folds up as it ends, and its last words are then nowhere to be seen.
          begin(kindOf(blocks - sent / plan.perBlock));
        }
        add(` and so on <${sent}@${Date.now()}>${padding}`);
      }
      await pause(1);
    }
    end();
    stream.push({ type: "done", reason: "stop", message: partial });
    stream.end();
  };
  play().catch((error: unknown) => {
    stream.push({
      type: "error",
      reason: "error",
      error: { ...partial, stopReason: "error", errorMessage: String(error) },
    });
    stream.end();
  });
  return stream;
}

export default function paced(pi: ExtensionAPI): void {
  pi.registerProvider("thoth", {
    name: "Measured",
    baseUrl: "http://127.0.0.1:9",
    apiKey: "none",
    api: "measured",
    streamSimple: speak as never,
    models: [
      {
        id: "offline",
        name: "offline",
        reasoning: true,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 10_000_000,
        maxTokens: 1_000_000,
      },
    ],
  });
}
