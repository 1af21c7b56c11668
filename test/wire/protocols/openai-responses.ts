/** OpenAI's responses: items that begin, grow and end by their place in the output. */
import type { Turn } from "../conversation.ts";
import { asList, frame, json, type Protocol, toPieces, toPlain, usageOf } from "./protocol.ts";

const error = (message: string, type: string, code: string | null) => ({ error: { message, type, param: null, code } });
const event = (type: string, fields: object): string => frame({ type, ...fields }, type);

export const openaiResponses: Protocol = {
  api: "openai-responses",
  base: "/v1",
  toModel: (path, { model }) => (path === "/responses" ? String(model) : null),
  keyOf: ({ authorization }) => authorization?.replace(/^Bearer /, ""),
  read({ input, instructions, tools }) {
    const items = asList(input);
    const system = items.filter(({ role }) => role === "system" || role === "developer");
    const turns: Turn[] = [];
    for (const item of items) {
      if (item.role === "user") turns.push({ role: "user", text: toPlain(item.content) });
      else if (item.type === "function_call_output") turns.push({ role: "result", text: toPlain(item.output) });
      else if (item.role === "assistant" || item.type === "reasoning" || item.type === "function_call") {
        // Items of one answer follow one another: they are one turn again.
        const last = turns.at(-1);
        const turn = last?.role === "model" ? last : { role: "model" as const, reasoning: "", text: "", calls: [] };
        if (turn !== last) turns.push(turn);
        if (item.type === "reasoning") turn.reasoning += toPlain(item.summary);
        else if (item.type === "function_call")
          turn.calls.push({ name: String(item.name), arguments: JSON.parse(String(item.arguments)) });
        else turn.text += toPlain(item.content);
      }
    }
    return {
      system: [String(instructions ?? ""), ...system.map(({ content }) => toPlain(content))].join("\n"),
      tools: asList(tools).map(({ name }) => String(name)),
      turns,
    };
  },
  write(reply, n, mark) {
    const { reasoning = "", text = "", calls = [], piece } = reply;
    const used = usageOf(reply);
    const frames = [event("response.created", { response: { id: `resp_${mark}_${n}`, status: "in_progress" } })];
    const items: object[] = [];
    const add = (begun: object, type: string, whole: string, done: object) => {
      const output_index = items.length;
      items.push(done);
      frames.push(event("response.output_item.added", { output_index, item: begun }));
      frames.push(...toPieces(whole, piece).map((delta) => event(type, { output_index, delta })));
      if (type.includes("arguments"))
        frames.push(event("response.function_call_arguments.done", { output_index, arguments: whole }));
      frames.push(event("response.output_item.done", { output_index, item: done }));
    };
    if (reasoning !== "") {
      const item = { id: `rs_${n}`, type: "reasoning", summary: [] as object[] };
      const done = { ...item, summary: [{ type: "summary_text", text: reasoning }], encrypted_content: mark };
      add(item, "response.reasoning_summary_text.delta", reasoning, done);
    }
    if (text !== "") {
      const item = {
        id: `msg_${n}`,
        type: "message",
        role: "assistant",
        status: "in_progress",
        content: [] as object[],
      };
      const done = { ...item, status: "completed", content: [{ type: "output_text", text, annotations: [] }] };
      add(item, "response.output_text.delta", text, done);
    }
    for (const [index, call] of calls.entries()) {
      const whole = JSON.stringify(call.arguments);
      const item = {
        id: `fc_${n}_${index}`,
        type: "function_call",
        call_id: `call_${n}_${index}`,
        name: call.name,
        arguments: "",
      };
      add(item, "response.function_call_arguments.delta", whole, { ...item, arguments: whole, status: "completed" });
    }
    const usage = {
      input_tokens: used.input,
      output_tokens: used.output,
      total_tokens: used.input + used.output,
      output_tokens_details: { reasoning_tokens: Math.ceil(reasoning.length / 4) },
    };
    frames.push(
      event("response.completed", { response: { id: `resp_${mark}_${n}`, status: "completed", output: items, usage } }),
    );
    return frames;
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
        return json(429, error(`Rate limit reached for ${mark}.`, "tokens", "rate_limit_exceeded"), {
          "retry-after": "7",
        });
      case "server error":
        return json(500, error(`The server had an error for ${mark}.`, "server_error", null));
      case "overloaded":
        return json(
          503,
          error(`We're currently experiencing high demand: ${mark}.`, "service_unavailable_error", "server_busy"),
        );
      case "overloaded midway":
        return {
          frames: [
            event("response.failed", {
              response: {
                id: mark,
                status: "failed",
                error: { code: "server_error", message: `It is overloaded: ${mark}.` },
              },
            }),
          ],
          ends: "cleanly",
        };
      case "context length":
        return json(
          400,
          error(
            `Your input exceeds the context window of this model: ${mark}.`,
            "invalid_request_error",
            "context_length_exceeded",
          ),
        );
      case "content refused":
        return {
          frames: [
            event("response.incomplete", {
              response: {
                id: mark,
                status: "incomplete",
                incomplete_details: { reason: "content_filter" },
                output: [],
              },
            }),
          ],
          ends: "cleanly",
        };
      case "model gone":
        return json(404, error(`The model \`${mark}\` does not exist.`, "invalid_request_error", "model_not_found"));
      case "no tool calls":
        return json(400, error(`${mark}: tools are not supported with this model.`, "invalid_request_error", null));
      case "malformed call": {
        // The call begins and never ends, and the answer counts as complete all the same.
        const item = {
          id: "fc_0",
          type: "function_call",
          call_id: mark,
          name: "reviewer_decide",
          arguments: '{"phase":',
        };
        return {
          frames: [
            event("response.output_item.added", { output_index: 0, item }),
            event("response.completed", { response: { id: mark, status: "completed", output: [] } }),
          ],
          ends: "cleanly",
        };
      }
    }
  },
};
