/** Words planted wherever a child's raw side could leak, and every byte looked at that the page could get. */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changeLedger } from "../../src/ledger/ledger.ts";
import type { SessionView } from "../../src/protocol/index.ts";
import { openScriptedServer, type ScriptedServer } from "../fixtures/scripted-server.ts";
import { childPids, openScripted, type Scripted } from "../fixtures/scripted-sessions.ts";

let scripted: Scripted;
let server: ScriptedServer;
beforeEach(async () => {
  scripted = await openScripted();
  server = await openScriptedServer(scripted);
});
afterEach(async () => {
  await server.close();
  await scripted.close();
});

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let left = 1000; !(await holds()); left -= 1) {
    if (left === 0) throw new Error(`never came: ${what}\n${server.bytes().slice(-2000)}`);
    await pause(10);
  }
}
const viewOf = async (id: string): Promise<SessionView> => JSON.parse((await server.call(`/api/sessions/${id}`)).text);
async function create(more: object = {}): Promise<string> {
  const made = await server.call("/api/sessions", "POST", { workspace: "demo", question: "How many?", ...more });
  expect(made.status).toBe(201);
  const { id } = JSON.parse(made.text) as { id: string };
  server.follow(id);
  return id;
}
/** Every route that tells something about a session, or about all of them. */
async function askEverything(id: string): Promise<void> {
  for (const path of [
    "",
    "/ledger",
    "/result?format=json",
    "/result?format=csv",
    "/report?format=html",
    "/report?format=md",
  ])
    await server.call(`/api/sessions/${id}${path}`);
  for (const path of ["/api/sessions", "/api/models", "/api/health", "/api/openapi.json", "/api/nowhere"])
    await server.call(path);
  await server.call(`/api/sessions/${id}/gates/none`, "POST", { answerId: "x", hash: "x", answer: "continue" });
}
/** Each planted word with whether the page's bytes and the log hold it. */
const found = (words: string[]): Record<string, { page: boolean; log: boolean }> =>
  Object.fromEntries(
    words.map((word) => [
      word,
      { page: server.bytes().includes(word), log: scripted.logged.join("\n").includes(word) },
    ]),
  );
const query = (name: string, args: Record<string, unknown>) => ({ tool: { name, args } });

it("C12.2 C12.1 nothing that was planted in tools, extension, Pi's session or the ledger's queries crosses", async () => {
  await scripted.play({
    sessionName: "MARK-NAME",
    extensionError: "MARK-EXTENSION at /MARK/path",
    start: [
      { ...query("catalog_search", { text: "MARK-ARGUMENT" }), stderr: "MARK-STDERR\n" },
      query("catalog_search", { text: "throw MARK-THROWN /MARK/stack.ts:1" }),
      query("MARK-TOOL with words", { text: "MARK-UNKNOWN" }),
      query("run_query", { method: "select", title: "MARK-DIALOG", text: "MARK-OPTION" }),
      query("run_query", { method: "input", title: "gate:v1:MARK-GATE", text: '{"MARK-JSON":' }),
      query("reviewer_decide", { phase: "F1", text: "shown on purpose", unlisted: "MARK-UNLISTED" }),
      { text: "Done." },
    ],
  });
  const id = await create();
  await until(async () => (await viewOf(id)).turn === "waiting", "the gate");
  await changeLedger(join(scripted.home, "sessions", id), id, () => ({
    entries: [{ type: "query", tool: "run_query", sql: "SELECT 'MARK-SQL'", ok: true, rowCount: 1, ms: 1 }],
    value: null,
  }));
  await askEverything(id);
  const { openGate } = await viewOf(id);
  expect(JSON.stringify(openGate)).toContain("shown on purpose");
  await server.call(`/api/sessions/${id}/gates/${openGate?.gateId}`, "POST", {
    answerId: "a",
    hash: openGate?.hash,
    answer: "continue",
  });
  await until(async () => (await viewOf(id)).turn === "idle", "the end");
  await askEverything(id);
  await until(() => server.bytes().includes('"delta":"Done."'), "the stream's last words");
  expect(server.bytes()).toContain("event: tool");
  expect(server.bytes()).toContain("shown on purpose");
  expect(server.bytes().match(/.{0,80}MARK.{0,80}/g)).toBe(null);
  // What went wrong is still to be found, where it belongs.
  expect(found(["MARK-EXTENSION"])).toEqual({ "MARK-EXTENSION": { page: false, log: true } });
}, 60_000);

it("C7.3 C12.2 a provider's error body, a child's last words and its stack reach the log alone, without keys", async () => {
  const body = `{"error":"MARK-BODY at https://api.MARK.example/v1?key=sk-MARKKEY12345678","authorization":"Bearer MARKBEARER123456"}`;
  await scripted.play({
    start: [{ think: "half", text: "half an answer", error: `503: ${body}`, times: 1 }, { error: `401: ${body}` }],
    resume: [{ text: "before the end", stderr: "MARK-LAST-WORDS at /MARK/child.ts\n", exit: 3 }],
  });
  const id = await create();
  await until(async () => (await viewOf(id)).turn !== "running", "the end");
  await scripted.play({
    start: [],
    resume: [{ error: `401: ${body}` }],
  });
  await server.call(`/api/sessions/${id}/resume`, "POST", {});
  server.follow(id);
  await until(async () => (await viewOf(id)).failure?.code === "wrong-key", "the provider's failure");
  await askEverything(id);
  await scripted.play({ start: [], resume: [{ stderr: "MARK-LAST-WORDS at /MARK/child.ts\n", exit: 3 }] });
  await server.call(`/api/sessions/${id}/resume`, "POST", {});
  server.follow(id);
  await until(async () => (await viewOf(id)).failure?.code === "child-exited", "the child's end");
  await until(async () => (await childPids(scripted.home)).length === 0, "no child");
  await askEverything(id);
  expect(server.bytes()).toContain('"code":"wrong-key"');
  expect(server.bytes().match(/.{0,80}MARK.{0,80}/g)).toBe(null);
  expect(found(["MARK-BODY", "MARK-LAST-WORDS", "MARKKEY", "MARKBEARER"])).toEqual({
    "MARK-BODY": { page: false, log: true },
    "MARK-LAST-WORDS": { page: false, log: true },
    MARKKEY: { page: false, log: false },
    MARKBEARER: { page: false, log: false },
  });
}, 60_000);

it("C7.3 no failure carries anything but its code and its two fixed sentences, whatever made it", async () => {
  await scripted.play({ start: [{ error: "400: MARK nonsense" }] });
  const id = await create();
  await until(async () => (await viewOf(id)).turn === "failed", "the failure");
  const { failure } = await viewOf(id);
  expect(Object.keys(failure ?? {}).sort()).toEqual(["action", "code", "message"]);
  expect(JSON.stringify(failure)).not.toContain("MARK");
}, 60_000);
