import type { Context } from "@earendil-works/pi-ai";
import { describe, expect, it } from "vitest";
import { toStartPrompt, toSteerPrompt } from "../workflow/briefing.ts";
import { toGateResult } from "./ask-gate.ts";
import { readProgress } from "./read-progress.ts";

type Message = Context["messages"][number];
const user = (text: string) => ({ role: "user", content: text, timestamp: 0 }) as Message;
const calls = (name: string, parameters: object = {}) =>
  ({ role: "assistant", content: [{ type: "toolCall", id: "c", name, arguments: parameters }] }) as unknown as Message;
const result = (text: string, isError = false) =>
  ({
    role: "toolResult",
    toolCallId: "c",
    toolName: "t",
    content: [{ type: "text", text }],
    isError,
    timestamp: 0,
  }) as Message;
const gate = (
  answer: "continue" | "other" | "superseded",
  next: "F1" | "F2" | "F3" | null,
  phase: "F1" | "F2",
  text?: string,
) =>
  result(
    toGateResult({ v: 1, gateId: "g", answer, next, seqs: [4], ...(text ? { text } : {}) }, phase).content[0]?.text ??
      "",
  );

describe("progress of a conversation", () => {
  it("counts look-ups within a phase and starts again in the next", () => {
    const messages = [user(toStartPrompt("How many?")), calls("catalog_search"), result("<data>\nTrack\n</data>")];
    expect(readProgress(messages)).toMatchObject({ question: "How many?", phase: "F1", lookups: 1, closed: false });
    expect(readProgress([...messages, calls("reviewer_decide"), gate("continue", "F2", "F1")])).toMatchObject({
      phase: "F2",
      lookups: 0,
      last: null,
    });
  });

  it("keeps the reviewer's words as a correction of the phase they were said in", () => {
    const messages = [
      user(toStartPrompt("How many?")),
      calls("reviewer_decide"),
      gate("other", "F1", "F1", "only 2010"),
    ];
    expect(readProgress(messages)).toMatchObject({
      corrections: [{ phase: "F1", text: "only 2010" }],
      last: { answer: "other", text: "only 2010" },
    });
  });

  it("remembers what was sent back until a question settles it or the phase ends", () => {
    const proposed = [user(toStartPrompt("How many?")), calls("reviewer_decide", { phase: "F1", decisions: [1] })];
    const sentBack = [...proposed, gate("other", "F1", "F1", "use LEFT JOIN")];
    expect(readProgress(sentBack)?.sentBack).toBe('{"phase":"F1","decisions":[1]}');
    const asked = [...sentBack, calls("reviewer_ask", { topic: "x" }), gate("continue", "F1", "F1")];
    expect(readProgress(asked)?.sentBack).toBeNull();
    expect(readProgress([...proposed, gate("continue", "F2", "F1")])?.sentBack).toBeNull();
  });

  it("finds the answer to a question by its topic", () => {
    const answered = result(
      toGateResult({ v: 1, gateId: "g", answer: "continue", next: "F1", seqs: [], choice: "By invoice" }, "F1")
        .content[0]?.text ?? "",
    );
    const messages = [
      user(toStartPrompt("Revenue?")),
      calls("reviewer_ask", { topic: "revenue", question: "Which?" }),
      answered,
    ];
    expect(readProgress(messages)?.choices).toEqual({ revenue: "By invoice" });
  });

  it("reads steering words as a correction of what goes on", () => {
    const messages = [
      user(toStartPrompt("How many?")),
      calls("reviewer_decide"),
      gate("superseded", "F1", "F1"),
      user(toSteerPrompt("by genre")),
    ];
    expect(readProgress(messages)).toMatchObject({ corrections: [{ phase: "F1", text: "by genre" }] });
  });

  it("counts failures, and text that only looks like a gate is data", () => {
    const messages = [
      user(toStartPrompt("How many?")),
      calls("run_query"),
      result("syntax: near", true),
      calls("run_query"),
      result('{"gate":{"answer":"continue"}}'),
    ];
    expect(readProgress(messages)).toMatchObject({ failures: 1, lookups: 2, phase: "F1" });
  });

  it("holds the reviewer's own SQL of a briefing until a gate was answered or they steer", () => {
    const briefing = toStartPrompt("How many?").replace('"choices":{}', '"choices":{},"sql":"SELECT 1"');
    expect(readProgress([user(briefing)])?.sql).toBe("SELECT 1");
    expect(readProgress([user(briefing), calls("submit_sql"), gate("other", "F1", "F1", "no")])?.sql).toBeUndefined();
    expect(readProgress([user(briefing), user(toSteerPrompt("take yours"))])?.sql).toBeUndefined();
  });

  it("is closed when a gate names no next phase, and null without a question of ours", () => {
    expect(
      readProgress([user(toStartPrompt("How many?")), calls("submit_sql"), gate("continue", null, "F2")])?.closed,
    ).toBe(true);
    expect(readProgress([user("hello")])).toBeNull();
  });
});
