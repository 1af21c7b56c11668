/** Keys and endpoints over HTTP, as the page and the command use it: where they end up, who gets them, and that nobody is told. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ErrorBody, ModelList, ModelTest, OpenGate } from "../../src/protocol/index.ts";
import { Product } from "../fixtures/product.ts";
import { sixPhases } from "../fixtures/wire/six-phases.ts";
import { startWireServer, type WireServer } from "../fixtures/wire/wire-server.ts";

const secret = "sk-PLANTEDKEY-4711";
const question = "How many tracks are there in total?";
let product: Product;
let wire: WireServer;
/** Every byte that a client got. */
let got = "";
beforeAll(async () => {
  wire = await startWireServer({ key: secret });
  product = await Product.start({ THOTH_LOG: "debug", MISTRAL_API_KEY: "mistral-PLANTED-0815" });
});
afterAll(async () => {
  await product?.remove();
  await wire?.close();
});

async function call<T>(path: string, method = "GET", body?: unknown): Promise<{ status: number; body: T }> {
  const answer = await product.call<T>(path, method, body);
  got += JSON.stringify(answer.body);
  return answer;
}
const providerOf = (list: ModelList, name: string) => list.providers.find((item) => item.provider === name);

it("providers are told with where their key is, and every one that Pi knows can be given one", async () => {
  const { body } = await call<ModelList>("/api/models");
  expect(providerOf(body, "thoth")).toMatchObject({ auth: "not-needed", local: true });
  expect(providerOf(body, "mistral")).toMatchObject({ auth: "environment", variable: "MISTRAL_API_KEY" });
  expect(providerOf(body, "anthropic")).toMatchObject({ auth: "none", variable: "ANTHROPIC_API_KEY", added: false });
  expect(body.providers.length).toBeGreaterThan(30);
  expect(new Set(body.models.map((model) => model.provider))).toEqual(new Set(["thoth", "mistral"]));
  expect(body.models.find((model) => model.provider === "mistral")).toMatchObject({
    local: false,
    price: { input: expect.any(Number) },
  });
}, 120_000);

it("C12.2 a stored key lies in a file for its owner alone, is never told, and can be taken away", async () => {
  const { status, body } = await call<ModelList>("/api/models/keys", "POST", { provider: "groq", key: ` ${secret}\n` });
  expect(status).toBe(200);
  expect(providerOf(body, "groq")?.auth).toBe("stored");
  expect(body.models.some((model) => model.provider === "groq")).toBe(true);
  const file = join(product.home, "keys.json");
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({ groq: secret });
  const gone = await call<ModelList>("/api/models/keys/groq", "DELETE", {});
  expect(providerOf(gone.body, "groq")?.auth).toBe("none");
  expect(readFileSync(file, "utf8")).not.toContain(secret);
  for (const [wish, code] of [
    [{ provider: "nobody", key: "x-y-z" }, "provider-unknown"],
    [{ provider: "groq", key: "two words" }, "key-malformed"],
  ] as const)
    expect((await call<ErrorBody>("/api/models/keys", "POST", wish)).body.error.code).toBe(code);
}, 120_000);

it("an endpoint is found, added with its key, tested, made the default, used and removed", async () => {
  const url = `http://:${secret}@127.0.0.1:${wire.port}`;
  expect((await call<ErrorBody>("/api/models/endpoints/find", "POST", { url: wire.origin })).body.error.code).toBe(
    "endpoint-key",
  );
  const { body: found } = await call<{ models: { id: string }[]; url: string }>("/api/models/endpoints/find", "POST", {
    url,
  });
  expect(found).toMatchObject({ url: `${wire.origin}/v1`, models: [{ id: "wire" }] });
  for (const name of ["openai", "thoth"])
    expect((await call<ErrorBody>("/api/models/endpoints", "POST", { name, url })).body.error.code).toBe(
      "provider-exists",
    );
  const added = await call<ModelList>("/api/models/endpoints", "POST", { name: "gate", url });
  expect(added.status).toBe(201);
  expect(providerOf(added.body, "gate")).toMatchObject({
    auth: "stored",
    added: true,
    url: `${wire.origin}/v1`,
    local: true,
  });
  // Pi's own format, with a variable where the key would be.
  const described = JSON.parse(readFileSync(join(product.home, "models.json"), "utf8"));
  expect(described.providers.gate).toMatchObject({
    api: "openai-completions",
    apiKey: "$THOTH_KEY_GATE",
    baseUrl: `${wire.origin}/v1`,
  });

  wire.play([{ text: "ok" }]);
  const { body: test } = await call<ModelTest>("/api/models/test", "POST", { provider: "gate", model: "wire" });
  expect(test).toMatchObject({ ok: true, failure: null });
  expect(wire.requests.at(-1)?.headers.authorization).toBe(`Bearer ${secret}`);

  const wish = { provider: "gate", model: "wire", thinking: "off", budget: { tokens: 90_000 } };
  const { body: usual } = await call<ModelList>("/api/models/default", "POST", wish);
  expect(usual.default).toEqual({
    provider: "gate",
    model: "wire",
    thinking: "off",
    budget: { tokens: 90_000, cost: null },
  });
  expect(
    (await call<ErrorBody>("/api/models/default", "POST", { provider: "gate", model: "other" })).body.error.code,
  ).toBe("model-missing");

  wire.play([...sixPhases]);
  const id = await product.create(question);
  const { view, result } = await product.run(id);
  expect(view).toMatchObject({
    provider: "gate",
    model: "wire",
    thinking: "off",
    outcome: "answered",
    budget: { tokens: 90_000, cost: null },
  });
  expect(result?.rows).toEqual([[3503]]);
  for (const path of [`/api/sessions/${id}`, `/api/sessions/${id}/ledger`, "/api/models", "/api/openapi.json"])
    await call(path);
  // Of the other endpoints and keys this session's child saw nothing.
  const agent = join(product.home, "sessions", id, "pi", "agent");
  expect(Object.keys(JSON.parse(readFileSync(join(agent, "models.json"), "utf8")).providers)).toEqual(["gate"]);
  for (const name of readdirSync(agent)) expect(readFileSync(join(agent, name), "utf8")).not.toContain(secret);
  const report = await fetch(`${product.base}/api/sessions/${id}/report?format=md`, {
    headers: { authorization: `Bearer ${product.token}` },
  });
  got += await report.text();
  expect(readFileSync(join(product.home, "sessions", id, "ledger.json"), "utf8")).not.toContain(secret);

  const removed = await call<ModelList>("/api/models/endpoints/gate", "DELETE", {});
  expect(providerOf(removed.body, "gate")).toBe(undefined);
  expect(readFileSync(join(product.home, "keys.json"), "utf8")).not.toContain(secret);
  // What a new session would take is gone: it says so instead of taking another one silently.
  const refused = await call<ErrorBody>("/api/sessions", "POST", { workspace: "demo", question });
  expect(refused.body.error.code).toBe("model-missing");
  await call("/api/models/default", "POST", { provider: "thoth", model: "offline", budget: null });
}, 180_000);

it("C2.1 C2.2 the level is chosen at create and changed between turns; wish and level in force are told apart", async () => {
  await call("/api/models/endpoints", "POST", { name: "plain", url: wire.origin, key: secret });
  wire.play([...sixPhases]);
  // Nothing says that this model reasons: any wish is clamped to off, and kept.
  const id = await product.create(question, { provider: "plain", model: "wire", thinking: "high" });
  const { openGate } = await product.settle(id);
  expect(await product.view(id)).toMatchObject({ thinking: "high", thinkingInForce: "off" });
  await call(`/api/sessions/${id}`, "PATCH", { thinking: "low" });
  expect(await product.view(id)).toMatchObject({ thinking: "low", thinkingInForce: "off", turn: "waiting" });
  const stop = new AbortController();
  const answer = await fetch(`${product.base}/api/sessions/${id}/events`, {
    headers: { authorization: `Bearer ${product.token}` },
    signal: stop.signal,
  });
  let stream = "";
  for await (const chunk of answer.body ?? []) {
    stream += Buffer.from(chunk).toString();
    if (stream.includes("asked: low")) break;
  }
  stop.abort();
  expect(stream).toContain('"text":"Thinking level in force: off, asked: low.","level":"off"');
  got += stream;
  expect(await product.answer(id, openGate as OpenGate)).toBe(200);
  await call(`/api/sessions/${id}/abort`, "POST", {});
}, 120_000);

it("C12.2 a provider that quotes the key in its error is not quoted", async () => {
  await call("/api/models/keys", "POST", { provider: "plain", key: "sk-WRONGKEY-PLANTED-1" });
  const { body } = await call<ModelTest>("/api/models/test", "POST", { provider: "plain", model: "wire" });
  expect(body.failure?.code).toBe("wrong-key");
  for (const word of [secret, "sk-WRONGKEY", "sk-PLANTED-IN-BODY", "mistral-PLANTED"]) {
    expect(got).not.toContain(word);
    expect(product.log).not.toContain(word);
  }
}, 120_000);
