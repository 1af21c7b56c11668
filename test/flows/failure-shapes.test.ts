/**
 * How Pi tells each protocol's errors, and what we make of it: one real child per protocol, one prompt per fault, the
 * turn reduced from its records as a session's is.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Child, startChild } from "../../src/runtime/child.ts";
import { toChildCommand, toChildDirs } from "../../src/runtime/child-command.ts";
import { idleTurn, reduceTurn, type Turn } from "../../src/runtime/turn.ts";
import { piCli } from "../../src/server/pi-cli.ts";
import { prepareChildDirs } from "../../src/server/sessions/launch-child.ts";
import type { WireStep } from "../fixtures/wire/reply.ts";
import { protocols, startWireServer, type WireServer } from "../fixtures/wire/wire-server.ts";

type Api = (typeof protocols)[number]["api"];

const faults: [Api, WireStep, string][] = [
  [
    "openai-completions",
    { fault: { status: 401, message: `Incorrect API key provided: sk-PLANTED`, type: "invalid_api_key" } },
    "wrong-key",
  ],
  [
    "openai-completions",
    { fault: { status: 402, message: `Insufficient balance sk-PLANTED`, type: "x" } },
    "no-credit",
  ],
  [
    "openai-completions",
    {
      fault: {
        status: 429,
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "insufficient_quota",
      },
    },
    "no-credit",
  ],
  [
    "openai-completions",
    {
      fault: {
        status: 429,
        message: `Rate limit reached sk-PLANTED`,
        type: "rate_limit_exceeded",
        headers: { "retry-after": "90" },
      },
    },
    "rate-limited",
  ],
  ["openai-completions", { fault: { status: 502, html: true } }, "overloaded"],
  [
    "openai-completions",
    { fault: { status: 404, message: "model 'wire' not found, try pulling it first", type: "not_found_error" } },
    "model-missing",
  ],
  ["openai-completions", { fault: { status: 404, html: true, message: "Not Found" } }, "endpoint-missing"],
  [
    "openai-completions",
    { fault: { status: 400, message: "registry.ollama.ai/library/wire does not support tools", type: "api_error" } },
    "tools-unsupported",
  ],
  [
    "openai-completions",
    {
      fault: {
        status: 400,
        message: "This model's maximum context length is 64000 tokens. However, you requested 90000 tokens",
        type: "invalid_request_error",
      },
    },
    "context-overflow",
  ],
  ["openai-completions", { fault: { cutAfter: 300 } }, "network"],
  [
    "openai-responses",
    { fault: { status: 401, message: `Incorrect API key provided: sk-PLANTED`, type: "invalid_api_key" } },
    "wrong-key",
  ],
  [
    "openai-responses",
    { fault: { status: 429, message: "Rate limit reached", type: "rate_limit_exceeded" } },
    "rate-limited",
  ],
  [
    "openai-responses",
    { fault: { status: 503, inStream: true, message: "The server is overloaded", type: "server_error" } },
    "overloaded",
  ],
  [
    "anthropic-messages",
    { fault: { status: 401, message: "invalid x-api-key", type: "authentication_error" } },
    "wrong-key",
  ],
  [
    "anthropic-messages",
    {
      fault: {
        status: 400,
        message: "Your credit balance is too low to access the API.",
        type: "invalid_request_error",
      },
    },
    "no-credit",
  ],
  ["anthropic-messages", { fault: { status: 529, message: "Overloaded", type: "overloaded_error" } }, "overloaded"],
  [
    "anthropic-messages",
    { fault: { inStream: true, status: 529, message: "Overloaded", type: "overloaded_error" } },
    "overloaded",
  ],
  ["anthropic-messages", { fault: { status: 404, message: "model: wire", type: "not_found_error" } }, "model-missing"],
  [
    "google-generative-ai",
    { fault: { status: 400, message: "API key not valid. Please pass a valid API key.", type: "INVALID_ARGUMENT" } },
    "wrong-key",
  ],
  [
    "google-generative-ai",
    {
      fault: {
        status: 429,
        message: "You exceeded your current quota, please check your plan and billing details.",
        type: "RESOURCE_EXHAUSTED",
      },
    },
    "rate-limited",
  ],
  [
    "google-generative-ai",
    { fault: { status: 404, message: "models/wire is not found for API version v1beta", type: "NOT_FOUND" } },
    "model-missing",
  ],
  ["openai-completions", { text: "I", ends: "content_filter" }, "refused"],
  ["openai-responses", { text: "I", ends: "content_filter" }, "refused"],
  ["anthropic-messages", { text: "I", ends: "refusal" }, "refused"],
  ["google-generative-ai", { text: "I", ends: "SAFETY" }, "refused"],
  ["google-generative-ai", { text: "I", ends: "MALFORMED_FUNCTION_CALL" }, "malformed-calls"],
];

describe.each(protocols.map(({ api }) => api))("%s", (api) => {
  const home = mkdtempSync(join(tmpdir(), "thoth-shapes-"));
  let wire: WireServer;
  let child: Child;
  let turn: Turn = idleTurn;
  let settled = Promise.withResolvers<void>();

  beforeAll(async () => {
    wire = await startWireServer();
    await writeFile(join(home, "models.json"), JSON.stringify({ providers: { wire: wire.provider(api) } }));
    const dirs = toChildDirs(home);
    const program = {
      home,
      nodePath: process.execPath,
      piCli,
      extensionFile: "",
      systemPromptFile: "",
      retry: { maxRetries: 0, baseDelayMs: 0 },
      environment: process.env,
    };
    await prepareChildDirs(program, dirs, "wire");
    child = startChild(
      toChildCommand({
        ...program,
        extensionFile: null,
        systemPromptFile: "Say ok.",
        dirs,
        sessionId: "shapes",
        model: { provider: "wire", id: "wire", thinking: "low" },
        path: process.env.PATH ?? "",
        compileCacheDir: join(home, "cache"),
        keys: {},
        thoth: null,
      }),
      {
        onRecord: (record) => {
          turn = reduceTurn(turn, { type: "record", record });
          if (record.type === "agent_settled") settled.resolve();
        },
      },
    );
    await child.rpc.send({ type: "get_state" }, 60_000);
  }, 90_000);
  afterAll(async () => {
    await child?.kill();
    await wire?.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });

  it.each(faults.filter(([of]) => of === api))(
    "C7.3 %s %o is %s",
    async (_api, step, code) => {
      wire.play([step]);
      settled = Promise.withResolvers();
      turn = reduceTurn(turn, { type: "work-started" });
      await child.rpc.send({ type: "prompt", message: "Say ok." }, 30_000);
      await settled.promise;
      expect(turn).toMatchObject({ state: "failed", failure: { code } });
      expect(wire.requests.length).toBeGreaterThan(0);
    },
    60_000,
  );

  it("a good answer after the faults is no failure", async () => {
    wire.play([{ reasoning: "hm", text: "ok" }]);
    settled = Promise.withResolvers();
    turn = reduceTurn(turn, { type: "work-started" });
    await child.rpc.send({ type: "prompt", message: "Say ok." }, 30_000);
    await settled.promise;
    expect(turn).toEqual(idleTurn);
  }, 60_000);
});
