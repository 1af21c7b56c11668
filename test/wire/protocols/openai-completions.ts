/** OpenAI's chat completions, which most local servers and gateways speak. */
import type { Call, Turn } from "../conversation.ts";
import { asList, frame, json, type Protocol, toPieces, toPlain, usageOf } from "./protocol.ts";

const error = (message: string, type: string, code: string | null) => ({ error: { message, type, param: null, code } });

export const openaiCompletions: Protocol = {
  api: "openai-completions",
  base: "/v1",
  toModel: (path, { model }) => (path === "/chat/completions" ? String(model) : null),
  keyOf: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  read({ messages, tools }) {
    const said = asList(messages);
    const system = said.filter(({ role }) => role === "system" || role === "developer");
    return {
      system: system.map(({ content }) => toPlain(content)).join("\n"),
      tools: asList(tools).map((tool) => String((tool.function as { name?: unknown }).name)),
      turns: said.flatMap((message): Turn[] => {
        const text = toPlain(message.content);
        if (message.role === "user") return [{ role: "user", text }];
        if (message.role === "tool") return [{ role: "result", text }];
        if (message.role !== "assistant") return [];
        const reasoning = String(message.reasoning_content ?? "");
        return [{ role: "model", reasoning, text, calls: asList(message.tool_calls).map(toCall) }];
      }),
    };
  },
  write(reply, n, mark) {
    const { reasoning = "", text = "", calls = [], piece } = reply;
    const chunk = (delta: object, finish: string | null = null) =>
      frame({
        id: `chatcmpl-${mark}-${n}`,
        object: "chat.completion.chunk",
        created: 1,
        model: `served-by-${mark}`,
        choices: [{ index: 0, delta, finish_reason: finish }],
      });
    const cut = calls.map((call) => toPieces(JSON.stringify(call.arguments), piece));
    const rounds = Math.max(0, ...cut.map((pieces) => pieces.length));
    const used = usageOf(reply);
    return [
      chunk({ role: "assistant", content: "" }),
      ...toPieces(reasoning, piece).map((part) => chunk({ reasoning_content: part })),
      ...toPieces(text, piece).map((part) => chunk({ content: part })),
      ...calls.map(({ name }, index) =>
        chunk({
          tool_calls: [{ index, id: `call_${n}_${index}`, type: "function", function: { name, arguments: "" } }],
        }),
      ),
      // Parallel calls come interleaved: only the index says which one a fragment belongs to.
      ...Array.from({ length: rounds }, (_, round) =>
        cut.flatMap((pieces, index) => {
          const part = pieces[round];
          return part === undefined ? [] : [chunk({ tool_calls: [{ index, function: { arguments: part } }] })];
        }),
      ).flat(),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      frame({
        id: `chatcmpl-${mark}-${n}`,
        object: "chat.completion.chunk",
        created: 1,
        model: `served-by-${mark}`,
        choices: [],
        usage: { prompt_tokens: used.input, completion_tokens: used.output, total_tokens: used.input + used.output },
      }),
      "data: [DONE]\n\n",
    ];
  },
  fault(name, mark) {
    switch (name) {
      case "wrong key":
        return json(401, error(`Incorrect API key provided: ${mark}.`, "invalid_request_error", "invalid_api_key"));
      case "no credit":
        return json(
          429,
          error(`You exceeded your current quota, see ${mark}.`, "insufficient_quota", "insufficient_quota"),
        );
      case "rate limited":
        return json(429, error(`Rate limit reached for ${mark}.`, "requests", "rate_limit_exceeded"), {
          "retry-after": "7",
        });
      case "server error":
        return json(500, error(`The server had an error for ${mark}.`, "server_error", null));
      case "overloaded":
        return json(503, error(`The engine is currently overloaded: ${mark}.`, "server_error", "overloaded"));
      case "overloaded midway":
        return {
          frames: [frame(error(`The server is overloaded: ${mark}.`, "server_error", "overloaded"))],
          ends: "cleanly",
        };
      case "context length":
        return json(
          400,
          error(
            `This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens: ${mark}.`,
            "invalid_request_error",
            "context_length_exceeded",
          ),
        );
      case "content refused": {
        const choices = [{ index: 0, delta: { content: "I will not" }, finish_reason: "content_filter" }];
        return {
          frames: [frame({ id: mark, object: "chat.completion.chunk", created: 1, model: "m", choices })],
          ends: "cleanly",
        };
      }
      case "model gone":
        return json(404, error(`The model \`${mark}\` does not exist.`, "invalid_request_error", "model_not_found"));
      case "no tool calls":
        return json(400, error(`registry/${mark} does not support tools`, "api_error", null));
      case "malformed call":
        return json(400, error(`Failed to call a function: ${mark}.`, "invalid_request_error", "tool_use_failed"));
    }
  },
};

function toCall(call: Record<string, unknown>): Call {
  const { name, arguments: text } = call.function as { name: string; arguments: string };
  return { name, arguments: JSON.parse(text) };
}
