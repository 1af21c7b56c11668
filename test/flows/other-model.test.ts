/** A model named in models.json goes the same way as the planner: same tools, same gates, same proof. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ModelList } from "../../src/protocol/index.ts";
import { type ChatServer, type ScriptedCall, startChatServer } from "../fixtures/chat-server.ts";
import { Product } from "../fixtures/product.ts";

const summary = { title: "t", summary: "s" };
const step = { kind: "cte", name: "counted", purpose: "one row", sql: "SELECT COUNT(*) AS tracks FROM Track AS t" };
const decide = (phase: string, decisions: object[]) => ({
  tool: { name: "reviewer_decide", arguments: { phase, decisions, summary } },
});
const table = (name: string) => ({ kind: "table", table: name, use: "used", reason: "it holds the tracks" });
const script: ScriptedCall[] = [
  {
    reasoning: "The question counts tracks.",
    ...decide("F1", [{ kind: "interpretation", aspect: "measure", text: "number of tracks" }]),
  },
  decide("F2", [table("Tracks")]),
  decide("F2", [table("Track")]),
  {
    tool: {
      name: "phase_summary",
      arguments: { phase: "F3", title: "No joins", summary: "One table.", open_questions: [null] },
    },
  },
  { tool: { name: "phase_summary", arguments: { phase: "F3", title: "No joins", summary: "One table." } } },
  { tool: { name: "phase_summary", arguments: { phase: "F4", title: "No filters", summary: "All rows." } } },
  decide("F5", [step]),
  {
    tool: {
      name: "submit_sql",
      arguments: {
        sql: `WITH counted AS (\n${step.sql}\n)\nSELECT c.tracks FROM counted AS c`,
        explanation: "Counts all tracks.",
      },
    },
  },
  { text: "There are 3503 tracks." },
];

let product: Product;
let chat: ChatServer;
beforeAll(async () => {
  chat = await startChatServer(script);
  product = await Product.start();
  const models = [{ id: "scripted", reasoning: true, contextWindow: 32_768, maxTokens: 4096 }];
  const local = { baseUrl: chat.baseUrl, api: "openai-completions", apiKey: "unused", models };
  writeFileSync(join(product.home, "models.json"), JSON.stringify({ providers: { local } }));
});
afterAll(async () => {
  await product?.remove();
  await chat?.close();
});

it("C5.1 a model of models.json goes through all gates; its wrong name and malformed summary come back to it", async () => {
  const { body } = await product.call<ModelList>("/api/models");
  expect(body.models.map((model) => `${model.provider}/${model.id}`)).toContain("local/scripted");

  const id = await product.create("How many tracks are there in total?", { provider: "local", model: "scripted" });
  const { gates, view, result } = await product.run(id);
  expect(gates.map((gate) => `${gate.phase} ${gate.kind}`)).toEqual([
    "F1 decision-review",
    "F2 decision-review",
    "F3 phase-summary",
    "F4 phase-summary",
    "F5 cte-review",
    "F6 sql-review",
  ]);
  expect(view).toMatchObject({ outcome: "answered", provider: "local", model: "scripted" });
  expect(result?.rows).toEqual([[3503]]);
  const told = chat.requests.map((request) => JSON.stringify(request.messages.at(-1)));
  expect(told[2]).toContain("Did you mean Track?");
  expect(told[4]).toContain("open_questions");
  expect(chat.requests[0]?.tools?.map((tool) => tool.function.name)).toHaveLength(10);
}, 180_000);
