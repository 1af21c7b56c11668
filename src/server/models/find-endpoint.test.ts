/** Against servers that list their models the way each kind of server does. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import { startWireServer, toModelList, type WireServer } from "../../../test/fixtures/wire/wire-server.ts";
import { findEndpoint } from "./find-endpoint.ts";
import { findLocalEndpoints } from "./local-endpoints.ts";
import { toProviderEntry } from "./to-provider-entry.ts";

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});
async function serve(options: Parameters<typeof startWireServer>[0]): Promise<WireServer> {
  const server = await startWireServer(options);
  open.push(server);
  return server;
}
async function page(answer: (response: import("node:http").ServerResponse) => void): Promise<string> {
  const server: Server = createServer((_request, response) => answer(response));
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  open.push({ close: () => server.closeAllConnections() ?? server.close() });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: { code: string }) => error.code,
  );

it("finds an OpenAI-compatible server from whatever part of its address was copied", async () => {
  const { origin } = await serve({ lists: { "/v1/models": toModelList("a", "b", "text-embedding-3") } });
  for (const url of [
    origin,
    `${origin}/`,
    `${origin}/v1`,
    `${origin}/v1/chat/completions`,
    origin.replace("http://", ""),
  ]) {
    const { found } = await findEndpoint({ url });
    expect(found).toMatchObject({ kind: "openai", url: `${origin}/v1`, server: "OpenAI-compatible", warning: null });
    expect(found.models.map((model) => model.id)).toEqual(["a", "b"]);
  }
});

it("asks Ollama for what each model can: context, thinking, tools", async () => {
  const show = {
    capabilities: ["completion", "tools", "thinking"],
    model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 },
  };
  const list = { object: "list", data: [{ id: "qwen3:8b", object: "model", owned_by: "library" }] };
  const { origin } = await serve({ lists: { "/v1/models": list, "/api/show": show } });
  const { found } = await findEndpoint({ url: origin });
  expect(found.server).toBe("Ollama");
  expect(found.models).toEqual([
    { id: "qwen3:8b", name: "qwen3:8b", reasoning: true, contextWindow: 40_960, tools: true },
  ]);
  expect(toProviderEntry("local", found, false, undefined)).toEqual({
    name: "Ollama (local)",
    baseUrl: `${origin}/v1`,
    api: "openai-completions",
    apiKey: "none-needed",
    compat: { maxTokensField: "max_tokens" },
    models: [{ id: "qwen3:8b", name: "qwen3:8b", reasoning: true, contextWindow: 40_960, maxTokens: 10_240 }],
  });
});

it("reads the context that vLLM, llama.cpp and LM Studio tell, each in its place", async () => {
  const vllm = await serve({
    lists: {
      "/v1/models": { object: "list", data: [{ id: "m", object: "model", owned_by: "vllm", max_model_len: 8192 }] },
    },
  });
  expect((await findEndpoint({ url: vllm.origin })).found).toMatchObject({
    server: "vLLM",
    models: [{ contextWindow: 8192 }],
  });
  const llama = await serve({
    lists: {
      "/v1/models": {
        object: "list",
        data: [{ id: "m.gguf", object: "model", owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }],
      },
      "/props": { default_generation_settings: { n_ctx: 16_384 } },
    },
  });
  expect((await findEndpoint({ url: llama.origin })).found).toMatchObject({
    server: "llama.cpp",
    models: [{ contextWindow: 16_384 }],
  });
  const entry = (id: string) => ({ id, object: "model", owned_by: "organization_owner" });
  const studio = await serve({
    lists: {
      "/v1/models": { object: "list", data: [entry("llm"), entry("nomic")] },
      "/api/v0/models": {
        data: [
          {
            id: "llm",
            type: "llm",
            max_context_length: 32_768,
            loaded_context_length: 4096,
            capabilities: ["tool_use"],
          },
          { id: "nomic", type: "embeddings" },
        ],
      },
    },
  });
  expect((await findEndpoint({ url: studio.origin })).found).toMatchObject({
    server: "LM Studio",
    models: [{ id: "llm", contextWindow: 4096, tools: true }],
  });
});

it("tells an Anthropic-compatible server by its list, and keeps its address without the version", async () => {
  const list = {
    data: [{ type: "model", id: "claude-x", display_name: "Claude X", created_at: "2026-01-01" }],
    has_more: false,
  };
  const { origin } = await serve({ lists: { "/v1/models": list } });
  expect((await findEndpoint({ url: `${origin}/v1/messages` })).found).toMatchObject({
    kind: "anthropic",
    url: origin,
    models: [{ id: "claude-x", name: "Claude X" }],
  });
});

it("a key in the address is taken out of it; one that is wanted or wrong is said so", async () => {
  const { origin, port, requests } = await serve({ key: "secret-key-1" });
  expect(await codeOf(findEndpoint({ url: origin }))).toBe("endpoint-key");
  expect(await codeOf(findEndpoint({ url: origin, key: "other" }))).toBe("endpoint-key");
  const { found, key } = await findEndpoint({ url: `http://user:secret-key-1@127.0.0.1:${port}/v1` });
  expect(key).toBe("secret-key-1");
  expect(JSON.stringify(found)).not.toContain("secret-key-1");
  expect(toProviderEntry("my-gate", found, true, undefined).apiKey).toBe("$THOTH_KEY_MY_GATE");
  expect(requests).toEqual([]);
});

it.each([
  ["file:///etc/passwd", "endpoint-url"],
  ["http://host/v1?key=SECRET", "endpoint-url"],
  ["http://$(id)/v1", "endpoint-url"],
  ["http://host/!run", "endpoint-url"],
  ["http://", "endpoint-url"],
  ["http://127.0.0.1:9/v1", "endpoint-unreachable"],
  ["http://no-such-host.invalid/v1", "endpoint-unreachable"],
])("%s is %s", async (url, code) => {
  const error = await findEndpoint({ url }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code });
  expect(JSON.stringify(error)).not.toContain("SECRET");
});

it("a page, a redirect, a fault and an empty list each have words of their own, and none of the server's", async () => {
  const html = await page((response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<html>PLANTED</html>"),
  );
  const redirect = await page((response) => response.writeHead(302, { location: "http://elsewhere/PLANTED" }).end());
  const broken = await page((response) => response.writeHead(503).end("PLANTED"));
  const silent = await page(() => undefined);
  const { origin: empty } = await serve({ lists: { "/v1/models": { object: "list", data: [] } } });
  const told = await Promise.all(
    [html, redirect, broken, empty, silent].map((url) =>
      findEndpoint({ url, kind: "openai" }, undefined, { timeoutMs: 400 }).catch(
        (error: Error & { code: string; action: string }) => `${error.code} ${error.message} ${error.action}`,
      ),
    ),
  );
  expect(told.map((words) => String(words).split(" ")[0])).toEqual([
    "endpoint-unknown",
    "endpoint-unknown",
    "endpoint-unreachable",
    "endpoint-empty",
    "endpoint-unreachable",
  ]);
  expect(told.join(" ")).not.toContain("PLANTED");
  // Whoever names the models may add a gateway that lists none.
  expect((await findEndpoint({ url: html, kind: "openai" }, ["m"])).found.models).toEqual([
    { id: "m", name: "m", reasoning: false, contextWindow: null, tools: null },
  ]);
});

it("looks at the given ports of this machine only, and says what is added already", async () => {
  const one = await serve({});
  const two = await serve({});
  const known = new Map([["mine", { baseUrl: `http://localhost:${two.port}/v1` }]]);
  const { endpoints } = await findLocalEndpoints(known, [
    ["a", one.port],
    ["b", two.port],
    ["c", 9],
  ]);
  expect(endpoints).toEqual([
    { name: "a", server: "OpenAI-compatible", url: one.origin, models: 1, added: false },
    { name: "b", server: "OpenAI-compatible", url: two.origin, models: 1, added: true },
  ]);
  expect(one.paths).toEqual(["/v1/models"]);
});
