/** Anthropic's messages: content blocks that start, grow and stop, each with its index. */
import type { Turn } from "../conversation.ts";
import { asList, type Fault, frame, json, type Protocol, toPieces, toPlain, usageOf } from "./protocol.ts";

const event = (type: string, fields: object): string => frame({ type, ...fields }, type);
const failed = (status: number, type: string, message: string, headers: Record<string, string> = {}): Fault =>
  json(status, { type: "error", error: { type, message }, request_id: "req_1" }, headers);
const start = (mark: string, n: number, input: number): string =>
  event("message_start", {
    message: {
      id: `msg_${mark}_${n}`,
      type: "message",
      role: "assistant",
      model: `served-by-${mark}`,
      content: [],
      stop_reason: null,
      usage: { input_tokens: input, output_tokens: 1 },
    },
  });

export const anthropicMessages: Protocol = {
  api: "anthropic-messages",
  base: "",
  toModel: (path, { model }) => (path === "/v1/messages" ? String(model) : null),
  keyOf: (headers) => headers["x-api-key"]?.toString(),
  read({ system, messages, tools }) {
    return {
      system: toPlain(system),
      tools: asList(tools).map(({ name }) => String(name)),
      turns: asList(messages).flatMap(({ role, content }): Turn[] => {
        const parts = typeof content === "string" ? [{ type: "text", text: content }] : asList(content);
        if (role === "user")
          return parts.map(
            (part): Turn =>
              part.type === "tool_result"
                ? { role: "result", text: toPlain(part.content) }
                : { role: "user", text: String(part.text ?? "") },
          );
        const of = (type: string) => parts.filter((part) => part.type === type);
        return [
          {
            role: "model",
            reasoning: of("thinking")
              .map(({ thinking }) => String(thinking))
              .join(""),
            text: toPlain(of("text")),
            calls: of("tool_use").map(({ name, input }) => ({
              name: String(name),
              arguments: input as Record<string, unknown>,
            })),
          },
        ];
      }),
    };
  },
  write(reply, n, mark) {
    const { reasoning = "", text = "", calls = [], piece } = reply;
    const used = usageOf(reply);
    const frames = [start(mark, n, used.input), event("ping", {})];
    let index = 0;
    const add = (block: object, deltas: object[]) => {
      frames.push(event("content_block_start", { index, content_block: block }));
      frames.push(...deltas.map((delta) => event("content_block_delta", { index, delta })));
      frames.push(event("content_block_stop", { index }));
      index += 1;
    };
    if (reasoning !== "")
      add({ type: "thinking", thinking: "", signature: "" }, [
        ...toPieces(reasoning, piece).map((thinking) => ({ type: "thinking_delta", thinking })),
        { type: "signature_delta", signature: Buffer.from(mark).toString("base64") },
      ]);
    if (text !== "")
      add(
        { type: "text", text: "" },
        toPieces(text, piece).map((part) => ({ type: "text_delta", text: part })),
      );
    for (const [at, call] of calls.entries())
      add(
        { type: "tool_use", id: `toolu_${n}_${at}`, name: call.name, input: {} },
        toPieces(JSON.stringify(call.arguments), piece).map((part) => ({
          type: "input_json_delta",
          partial_json: part,
        })),
      );
    frames.push(
      event("message_delta", {
        delta: { stop_reason: calls.length > 0 ? "tool_use" : "end_turn", stop_sequence: null },
        usage: { output_tokens: used.output },
      }),
      event("message_stop", {}),
    );
    return frames;
  },
  fault(name, mark) {
    switch (name) {
      case "wrong key":
        return failed(401, "authentication_error", `invalid x-api-key ${mark}`);
      case "no credit":
        return failed(
          400,
          "invalid_request_error",
          `Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing: ${mark}.`,
        );
      case "rate limited":
        return failed(429, "rate_limit_error", `This request would exceed the rate limit of ${mark}.`, {
          "retry-after": "7",
        });
      case "server error":
        return failed(500, "api_error", `Internal server error ${mark}`);
      case "overloaded":
        return failed(529, "overloaded_error", `Overloaded ${mark}`);
      case "overloaded midway":
        return {
          frames: [
            start(mark, 0, 10),
            event("error", { error: { type: "overloaded_error", message: `Overloaded ${mark}` } }),
          ],
          ends: "cleanly",
        };
      case "context length":
        return failed(400, "invalid_request_error", `prompt is too long: 213462 tokens > 200000 maximum ${mark}`);
      case "content refused":
        return {
          frames: [
            start(mark, 0, 10),
            event("message_delta", {
              delta: {
                stop_reason: "refusal",
                stop_sequence: null,
                stop_details: { explanation: `Not about ${mark}.` },
              },
              usage: { output_tokens: 1 },
            }),
            event("message_stop", {}),
          ],
          ends: "cleanly",
        };
      case "model gone":
        return failed(404, "not_found_error", `model: ${mark}`);
      case "no tool calls":
        return failed(400, "invalid_request_error", `${mark} does not support tool use.`);
      case "malformed call":
        return null; // a call that can't be read comes as a call
    }
  },
};
