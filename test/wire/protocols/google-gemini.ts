/** Google's Gemini: whole parts, never fragments of a call; thoughts are parts with a mark. */
import type { Turn } from "../conversation.ts";
import { asList, type Fault, frame, json, type Protocol, toPieces, toPlain, usageOf } from "./protocol.ts";

const failed = (code: number, status: string, message: string, headers: Record<string, string> = {}): Fault =>
  json(code, { error: { code, message, status } }, headers);
const chunk = (mark: string, parts: object[], more: object = {}, usage: object = {}): string =>
  frame({
    candidates: [{ content: { role: "model", parts }, index: 0, ...more }],
    modelVersion: `served-by-${mark}`,
    responseId: `resp-${mark}`,
    ...usage,
  });

export const googleGemini: Protocol = {
  api: "google-generative-ai",
  base: "/v1beta",
  toModel: (path) => /^\/models\/([^/:]+):streamGenerateContent/.exec(path)?.[1] ?? null,
  keyOf: (headers) => headers["x-goog-api-key"]?.toString(),
  read({ systemInstruction, contents, tools }) {
    return {
      system: toPlain((systemInstruction as { parts?: unknown } | undefined)?.parts),
      tools: asList(tools).flatMap((tool) => asList(tool.functionDeclarations).map(({ name }) => String(name))),
      turns: asList(contents).flatMap(({ role, parts }): Turn[] => {
        const all = asList(parts);
        if (role !== "model")
          return all.map((part): Turn => {
            const response = (part.functionResponse as { response?: { output?: unknown; error?: unknown } } | undefined)
              ?.response;
            return response
              ? { role: "result", text: String(response.output ?? response.error) }
              : { role: "user", text: String(part.text ?? "") };
          });
        return [
          {
            role: "model",
            reasoning: toPlain(all.filter(({ thought }) => thought === true)),
            text: toPlain(all.filter(({ thought }) => thought !== true)),
            calls: all.flatMap(({ functionCall }) => {
              const call = functionCall as { name: string; args?: Record<string, unknown> } | undefined;
              return call ? [{ name: call.name, arguments: call.args ?? {} }] : [];
            }),
          },
        ];
      }),
    };
  },
  write(reply, _n, mark) {
    const { reasoning = "", text = "", calls = [], piece } = reply;
    const used = usageOf(reply);
    return [
      ...toPieces(reasoning, piece).map((part) => chunk(mark, [{ text: part, thought: true }])),
      ...toPieces(text, piece).map((part) => chunk(mark, [{ text: part }])),
      // Parallel calls are parts of one chunk; only the first carries the thought's signature.
      ...(calls.length > 0
        ? [
            chunk(
              mark,
              calls.map(({ name, arguments: args }, index) => ({
                functionCall: { name, args },
                ...(index === 0 ? { thoughtSignature: Buffer.from(mark).toString("base64") } : {}),
              })),
            ),
          ]
        : []),
      chunk(
        mark,
        [],
        { finishReason: "STOP" },
        {
          usageMetadata: {
            promptTokenCount: used.input,
            candidatesTokenCount: used.output,
            thoughtsTokenCount: Math.ceil(reasoning.length / 4),
            totalTokenCount: used.input + used.output,
          },
        },
      ),
    ];
  },
  fault(name, mark) {
    switch (name) {
      case "wrong key":
        return json(400, {
          error: {
            code: 400,
            message: `API key not valid. Please pass a valid API key: ${mark}.`,
            status: "INVALID_ARGUMENT",
            details: [{ "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: "API_KEY_INVALID" }],
          },
        });
      case "no credit":
        return failed(402, "FAILED_PRECONDITION", `Billing is not enabled for ${mark}.`);
      case "rate limited":
        return failed(
          429,
          "RESOURCE_EXHAUSTED",
          `You exceeded your current quota, please check your plan and billing: ${mark}.`,
          {
            "retry-after": "7",
          },
        );
      case "server error":
        return failed(500, "INTERNAL", `An internal error has occurred: ${mark}.`);
      case "overloaded":
        return failed(503, "UNAVAILABLE", `The model is overloaded. Please try again later: ${mark}.`);
      case "overloaded midway":
        return {
          frames: [
            chunk(mark, [{ text: "half an ans" }]),
            frame({ error: { code: 503, message: `The model is overloaded: ${mark}.`, status: "UNAVAILABLE" } }),
          ],
          ends: "cleanly",
        };
      case "context length":
        return failed(
          400,
          "INVALID_ARGUMENT",
          `The input token count (1196265) exceeds the maximum number of tokens allowed (1048575): ${mark}.`,
        );
      case "content refused":
        return { frames: [chunk(mark, [], { finishReason: "SAFETY" })], ends: "cleanly" };
      case "model gone":
        return failed(404, "NOT_FOUND", `models/${mark} is not found for API version v1beta.`);
      case "no tool calls":
        return failed(400, "INVALID_ARGUMENT", `Tool use is not supported by ${mark}.`);
      case "malformed call":
        return { frames: [chunk(mark, [], { finishReason: "MALFORMED_FUNCTION_CALL" })], ends: "cleanly" };
    }
  },
};
