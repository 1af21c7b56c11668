/** What a model uses is counted and kept, a budget stops it before it is passed, and a model that gets nowhere is ended. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { LedgerEntry, OpenGate, SessionView } from "../../src/protocol/index.ts";
import { Product, pause } from "../fixtures/product.ts";
import type { WireStep } from "../fixtures/wire/reply.ts";
import { sixPhases } from "../fixtures/wire/six-phases.ts";
import { startWireServer, type WireServer } from "../fixtures/wire/wire-server.ts";

const question = "How many tracks are there in total?";
let product: Product;
let wire: WireServer;
beforeAll(async () => {
  wire = await startWireServer();
  product = await Product.start();
  const providers = { chat: wire.provider("openai-completions"), claude: wire.provider("anthropic-messages") };
  writeFileSync(join(product.home, "models.json"), JSON.stringify({ providers }));
});
afterAll(async () => {
  await product?.remove();
  await wire?.close();
});

const entriesOf = (id: string): LedgerEntry[] =>
  JSON.parse(readFileSync(join(product.home, "sessions", id, "ledger.json"), "utf8")).entries;
const play = (steps: readonly WireStep[]) => {
  wire.requests.length = 0;
  wire.play(steps.map((step) => ({ usage: { input: 1000, output: 100, cacheRead: 200 }, ...step })));
};
const create = (more: object) => product.create(question, { provider: "chat", model: "wire", ...more });
async function until(id: string, holds: (view: SessionView) => boolean): Promise<SessionView> {
  for (let left = 400; left > 0; left -= 1) {
    const view = await product.view(id);
    if (holds(view)) return view;
    await pause(100);
  }
  throw new Error(`never came: ${JSON.stringify(await product.view(id)).slice(0, 800)}`);
}

it("tokens and cost of every answer stand in the ledger and, by session and turn, in the view", async () => {
  play(sixPhases);
  const id = await create({});
  const { view, result } = await product.run(id);
  expect(result?.rows).toEqual([[3503]]);
  const done = await until(id, ({ usage }) => usage?.session.output === 700);
  // Seven answers of 1000 in, 100 out, 200 from the cache; 1, 2 and 0.1 dollars per million.
  const each = (1000 * 1 + 100 * 2 + 200 * 0.1) / 1e6;
  expect(done.usage?.session).toMatchObject({ input: 7000, output: 700, cacheRead: 1400, cacheWrite: 0 });
  expect(done.usage?.session.cost).toBeCloseTo(7 * each, 9);
  expect(done.usage?.turn).toEqual(done.usage?.session);
  expect(entriesOf(id).filter((entry) => entry.type === "usage")).toHaveLength(7);
  expect(view.budget).toBe(null);

  play([{ text: "It was asked again." }]);
  await product.call(`/api/sessions/${id}/prompt`, "POST", { text: "And again?" });
  const again = await until(id, ({ usage, turn }) => turn !== "running" && (usage?.session.output ?? 0) > 700);
  expect(again.usage?.turn.output).toBe((again.usage?.session.output ?? 0) - 700);
}, 120_000);

it("a used-up budget pauses at a question before the next request; stop, raise and own words do as they say", async () => {
  play(sixPhases);
  const id = await create({ budget: { tokens: 1500 } });
  const seen = new Set<string>();
  const next = async () => {
    const view = await product.settle(id, seen);
    const gate = view.openGate as OpenGate | null;
    if (gate) seen.add(gate.gateId);
    return { view, gate };
  };
  const first = await next();
  expect(first.gate?.phase).toBe("F1");
  expect(await product.answer(id, first.gate as OpenGate)).toBe(200);
  const second = await next();
  expect(second.gate).toMatchObject({ phase: "F2", kind: "decision-review" });
  await product.answer(id, second.gate as OpenGate);

  const asked = await next();
  expect(asked.view.turn).toBe("waiting");
  expect(asked.gate?.kind).toBe("question");
  const payload = asked.gate?.payload as OpenGate["payload"] & { options: { id: string; label: string }[] };
  expect(JSON.stringify(payload)).toContain("The budget of 1,500 tokens is used up.");
  expect(payload.options.map((option) => option.id)).toEqual(["stop", "raise"]);
  expect(wire.requests).toHaveLength(2);

  // Continue without a choice is the careful one.
  await product.answer(id, asked.gate as OpenGate);
  const stopped = await until(id, ({ turn }) => turn === "idle");
  expect(stopped).toMatchObject({ phase: "F3", outcome: null, failure: null });
  expect(wire.requests).toHaveLength(2);

  await product.call(`/api/sessions/${id}/resume`, "POST", {});
  const again = await next();
  expect(again.gate?.kind).toBe("question");
  await product.answer(id, again.gate as OpenGate, { answer: "other", text: "as much as you like" });
  const misread = await next();
  expect(JSON.stringify(misread.gate?.payload)).toContain("names no amount");
  await product.answer(id, misread.gate as OpenGate, { answer: "other", text: "go on to 5k tokens" });
  const third = await next();
  expect(third.gate).toMatchObject({ phase: "F3", kind: "phase-summary" });
  expect(third.view.budget).toEqual({ tokens: 5000, cost: null });
  await product.answer(id, third.gate as OpenGate);
  const fourth = await next();
  expect(fourth.gate?.phase).toBe("F4");
  await product.answer(id, fourth.gate as OpenGate);
  const over = await next();
  expect(over.gate?.kind).toBe("question");
  await product.answer(id, over.gate as OpenGate, { choice: "raise" });
  const { view } = await product.run(id);
  expect(view).toMatchObject({ outcome: "answered", budget: { tokens: 11_000, cost: null } });
  const ledger = entriesOf(id);
  expect(ledger.flatMap((entry) => (entry.type === "budget" ? [entry.budget?.tokens] : []))).toEqual([
    1500, 5000, 11_000,
  ]);
  // What was said about the budget is no correction and no choice of the question's.
  for (const { body } of wire.requests) expect(JSON.stringify(body)).not.toContain("as much as you like");
}, 180_000);

it("a model that answers in prose is told twice to use its tools, then fails clearly; another model goes on", async () => {
  play(Array.from({ length: 9 }, () => ({ text: "I would count the tracks." })));
  const id = await create({});
  const view = await until(id, ({ turn }) => turn === "failed");
  expect(view.failure?.code).toBe("no-tools");
  expect(wire.requests).toHaveLength(3);
  expect(JSON.stringify(wire.requests[2]?.body)).toContain("as a tool call and not as text");

  play(sixPhases);
  const changed = await product.call(`/api/sessions/${id}`, "PATCH", { provider: "claude", model: "wire" });
  expect(changed.status).toBe(200);
  await product.call(`/api/sessions/${id}/resume`, "POST", {});
  const { view: answered } = await product.run(id);
  expect(answered).toMatchObject({ outcome: "answered", provider: "claude" });
  expect(new Set(wire.requests.map((request) => request.api))).toEqual(new Set(["anthropic-messages"]));
}, 120_000);

it("calls that are never right end after eight, with the phase kept", async () => {
  const wrong: WireStep = { tools: [{ name: "reviewer_decide", arguments: { phase: "F2", decisions: "none" } }] };
  play([sixPhases[0] as WireStep, ...Array.from({ length: 30 }, () => wrong)]);
  const id = await create({});
  const first = await product.settle(id);
  await product.answer(id, first.openGate as OpenGate);
  const view = await until(id, ({ turn }) => turn === "failed");
  expect(view).toMatchObject({ phase: "F2", failure: { code: "malformed-calls" } });
  expect(wire.requests).toHaveLength(9);
  expect(view.phases[0]?.decisions).toBe(1);
}, 120_000);

it("a retry that Pi makes is told with its reason while it lasts", async () => {
  play([{ fault: { status: 429, message: "Rate limit PLANTED", type: "rate_limit_exceeded" } }, ...sixPhases]);
  const id = await create({});
  const stop = new AbortController();
  const answer = await fetch(`${product.base}/api/sessions/${id}/events`, {
    headers: { authorization: `Bearer ${product.token}` },
    signal: stop.signal,
  });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("event: gate_opened")) break;
  }
  stop.abort();
  expect(text).toContain("The provider is limiting requests. Trying again in 2 s (1 of 2).");
  expect(text).not.toContain("PLANTED");
  await product.call(`/api/sessions/${id}/abort`, "POST", {});
}, 120_000);
