/** `POST /api/models/test` through real children and servers that speak each protocol: speed, or the fault in our own words. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ModelTest } from "../../src/protocol/index.ts";
import { Product } from "../fixtures/product.ts";
import type { WireStep } from "../fixtures/wire/reply.ts";
import { startWireServer, type WireServer } from "../fixtures/wire/wire-server.ts";

let product: Product;
let wire: WireServer;
const names = {
  chat: "openai-completions",
  responses: "openai-responses",
  anthropic: "anthropic-messages",
  google: "google-generative-ai",
} as const;
type Name = keyof typeof names;

beforeAll(async () => {
  wire = await startWireServer();
  product = await Product.start({ THOTH_LOG: "debug" });
  const described = Object.fromEntries(Object.entries(names).map(([name, api]) => [name, wire.provider(api)]));
  const gone = wire.provider("openai-completions", { baseUrl: "http://127.0.0.1:9/v1" });
  writeFileSync(join(product.home, "models.json"), JSON.stringify({ providers: { ...described, gone } }));
});
afterAll(async () => {
  await product?.remove();
  await wire?.close();
});

async function test(provider: string, step: WireStep): Promise<ModelTest> {
  wire.play([step]);
  const { status, body } = await product.call<ModelTest>("/api/models/test", "POST", { provider, model: "wire" });
  expect(status).toBe(200);
  return body;
}

it.each(Object.keys(names) as Name[])(
  "%s: speed and usage of a good answer; the request is tiny and has no tools",
  async (name) => {
    const before = wire.requests.length;
    const answer = await test(name, { text: "ok", usage: { input: 20, output: 2 } });
    expect(answer).toMatchObject({ ok: true, failure: null, usage: { input: 20, output: 2 } });
    expect(answer.firstTokenMs).toBeGreaterThanOrEqual(0);
    expect(answer.totalMs).toBeGreaterThanOrEqual(answer.firstTokenMs ?? Number.POSITIVE_INFINITY);
    expect(wire.requests.length).toBe(before + 1);
    const asked = wire.requests.at(-1);
    expect(asked?.api).toBe(names[name]);
    expect(asked?.body.tools ?? []).toEqual([]);
    expect(JSON.stringify(asked?.body).length).toBeLessThan(1500);
  },
);

const secret = "sk-PLANTED-9917";

it.each([
  ["chat", { status: 401, message: `Incorrect API key provided: ${secret}`, type: "invalid_api_key" }, "wrong-key"],
  ["chat", { status: 429, message: `Rate limit reached ${secret}`, headers: { "retry-after": "90" } }, "rate-limited"],
  ["anthropic", { status: 502, html: true, message: secret }, "overloaded"],
] as const)("C7.3 C12.2 %s %o is told as %s at once, without a word of the provider", async (name, fault, code) => {
  const answer = await test(name, { text: "half", fault });
  expect(answer).toMatchObject({ ok: false, failure: { code } });
  const said = JSON.stringify(answer);
  for (const word of [secret, "nginx", "Incorrect", "Rate limit reached"]) expect(said).not.toContain(word);
  expect(product.log).not.toContain(secret);
});

it("a server that isn't there, and a model that isn't listed", async () => {
  expect(await test("gone", {})).toMatchObject({ ok: false, failure: { code: "network" }, firstTokenMs: null });
  const unknown = await product.call<{ error: { code: string } }>("/api/models/test", "POST", {
    provider: "chat",
    model: "other",
  });
  expect(unknown).toMatchObject({ status: 400, body: { error: { code: "model-missing" } } });
});

it("the offline planner answers a test too, at no cost", async () => {
  const { body } = await product.call<ModelTest>("/api/models/test", "POST", { provider: "thoth", model: "offline" });
  expect(body).toMatchObject({ ok: true, usage: null, failure: null });
});
