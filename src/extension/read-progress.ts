/** Where a conversation stands, read from its messages alone: the planner keeps no memory of its own. */
import type { Context, ToolCall } from "@earendil-works/pi-ai";
import { type Static, Type } from "typebox";
import { check, GateReply, PhaseId } from "../protocol/index.ts";
import { type Briefing, readBriefing } from "../workflow/briefing.ts";

type Message = Context["messages"][number];

export interface Progress extends Briefing {
  /** Tools called since the phase was entered, gates apart. */
  lookups: number;
  /** The latest gate's answer in this phase, if any. */
  last: { answer: GateReply["answer"]; text?: string | undefined } | null;
  /** The last tool call failed: its words for the model. */
  failed: string | null;
  /** How often a tool failed in this phase. */
  failures: number;
  /** The proposal that the reviewer sent back last, as `proposalKey` spells it; null once a question settled it. */
  sentBack: string | null;
  /** The question is closed. */
  closed: boolean;
}

/** What a call proposes, without its prose: the same key is the same proposal. */
export function proposalKey(call: Pick<ToolCall, "name" | "arguments">): string | null {
  const { phase, decisions, sql } = call.arguments;
  if (call.name === "reviewer_decide") return JSON.stringify({ phase, decisions });
  if (call.name === "submit_sql") return JSON.stringify({ sql });
  return call.name === "phase_summary" ? JSON.stringify({ phase }) : null;
}

const GateLine = Type.Object({
  gate: Type.Object({
    answer: GateReply.properties.answer,
    phase: PhaseId,
    next: Type.Union([PhaseId, Type.Null()]),
    seqs: Type.Array(Type.Integer()),
    text: Type.Optional(Type.String()),
    choice: Type.Optional(Type.String()),
  }),
});
type GateLine = Static<typeof GateLine>;

const atPhaseStart = { lookups: 0, last: null, failures: 0, sentBack: null };

interface Asked {
  topic: string | null;
  proposal: string | null;
}

/** Null when no prompt of ours with a state stands in the conversation. */
export function readProgress(messages: readonly Message[]): Progress | null {
  let progress: Progress | null = null;
  let asked: Asked = { topic: null, proposal: null };
  for (const message of messages) {
    if (message.role === "user") {
      const text = textOf(message);
      const briefing = readBriefing(text);
      if (briefing) progress = { ...structuredClone(briefing), ...atPhaseStart, failed: null, closed: false };
      else if (progress) steer(progress, text);
    } else if (message.role === "assistant") {
      for (const part of message.content) {
        if (part.type === "toolCall")
          asked = { topic: topicOf(part.name, part.arguments), proposal: proposalKey(part) };
      }
    } else if (message.role === "toolResult" && progress) {
      take(progress, textOf(message), message.isError, asked);
    }
  }
  return progress;
}

function steer(progress: Progress, prompt: string): void {
  const text = prompt.replace(/^The reviewer says:\s*/, "");
  progress.corrections.push({ phase: progress.phase, text });
  delete progress.sql;
  progress.last = { answer: "other", text };
  progress.closed = false;
}

function take(progress: Progress, text: string, isError: boolean, { topic, proposal }: Asked): void {
  const line = isError ? null : readGateLine(text);
  if (!line) {
    progress.lookups += 1;
    progress.failed = isError ? text : null;
    progress.failures += isError ? 1 : 0;
    return;
  }
  const { answer, phase, next, text: words, choice } = line.gate;
  progress.failed = null;
  delete progress.sql;
  progress.last = { answer, text: words };
  if (topic !== null && (choice ?? words) !== undefined) progress.choices[topic] = words ?? choice ?? "";
  if (answer === "other" && words !== undefined) progress.corrections.push({ phase, text: words });
  if (answer === "other" && proposal !== null) progress.sentBack = proposal;
  if (answer !== "continue") return;
  progress.sentBack = null;
  if (next === null) progress.closed = true;
  else if (next !== progress.phase) Object.assign(progress, { phase: next, ...atPhaseStart });
}

function readGateLine(text: string): GateLine | null {
  if (!text.startsWith("{")) return null;
  try {
    const checked = check(GateLine, JSON.parse(text.split("\n", 1)[0] ?? ""));
    return checked.ok ? checked.value : null;
  } catch {
    return null; // a data tool's own text
  }
}

/** Questions are remembered by topic, so that their answer finds the planner again. */
function topicOf(tool: string, parameters: Record<string, unknown>): string | null {
  if (tool === "cannot_answer") return "cannot-answer";
  if (tool !== "reviewer_ask") return null;
  return typeof parameters.topic === "string" ? parameters.topic : String(parameters.question ?? "");
}

function textOf(message: { content: string | readonly { type: string; text?: string }[] }): string {
  return typeof message.content === "string"
    ? message.content
    : message.content.map((part) => part.text ?? "").join("");
}
