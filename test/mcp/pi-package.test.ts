/** ThothII as a Pi package: Pi's own process, its own dialogs, and the ledger in the home as the server would write it. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { changeLedger } from "../../src/ledger/ledger.ts";
import { readManifest } from "../../src/ledger/manifest.ts";
import { toolNames } from "../../src/protocol/index.ts";
import { acquireOwner } from "../../src/server/sessions/owner-lock.ts";
import { foldLedger } from "../../src/workflow/fold-ledger.ts";
import { toAnswerEntries } from "../../src/workflow/gate-rules.ts";
import { startChatServer } from "../fixtures/chat-server.ts";
import { type Dialog, PiTerminal } from "./pi-terminal.ts";

const chinook = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));
const question = "How many customers are from Germany?";
const other = "Other — specify";
let pi: PiTerminal;
beforeEach(() => {
  pi = new PiTerminal();
  pi.start();
});
afterEach(() => pi.remove());

/** Every gate, until the run ends; what stands in the ledger while one is shown is looked at. */
async function acceptAll(first?: Dialog | null): Promise<string[]> {
  const titles: string[] = [];
  for (let dialog = first ?? (await pi.dialog()); dialog; dialog = await pi.dialog()) {
    const { state } = await pi.ledger();
    expect(state.openGate).not.toBeNull();
    // What a stray Enter takes is never what accepts.
    expect(dialog.options[0]).toBe(other);
    titles.push(dialog.title);
    pi.answer(dialog, dialog.options[1] ?? "");
  }
  return titles;
}

it("asks through gates that are Pi's own select, and writes the home's ledger", async () => {
  pi.type(`/thoth ${question}`);
  const titles = await acceptAll();
  expect(titles[0]).toMatch(/F1 Question[\s\S]*Is this what you are asking\?[\s\S]*Continue: Writes/);
  expect(titles.at(-1)).toMatch(/F6 Answer[\s\S]*SELECT[\s\S]*\(1 row\)/);
  const { dir, id, entries, state } = await pi.ledger();
  expect(state).toMatchObject({ outcome: "answered", openGate: null, undelivered: null, question });
  expect(state.sql).toContain("'Germany'");
  expect(await readManifest(dir)).toMatchObject({
    id,
    workspace: "demo",
    question,
    provider: "thoth",
    model: "offline",
  });
  const opened = entries.filter(({ type }) => type === "gate-opened");
  const answered = entries.filter((entry) => entry.type === "gate-answered");
  expect(opened).toHaveLength(titles.length);
  expect(answered.map(({ by, answer }) => [by, answer])).toEqual(titles.map(() => ["reviewer", "continue"]));
  expect(entries.filter(({ type }) => type === "gate-delivered")).toHaveLength(titles.length);
  expect((await readManifest(dir)).catalogChecksum).toMatch(/^[0-9a-f]{64}$/);
  // While Pi sits at it, nobody else may start a child for it; afterwards anybody may.
  await expect(acquireOwner(dir)).rejects.toMatchObject({ code: "session-owned" });
  await pi.end();
  await (await acquireOwner(dir)).release();
}, 240_000);

it("takes the reviewer's words by Pi's own input, and a follow-up as it is typed", async () => {
  pi.type("/thoth How many tracks does each genre have?");
  let dialog = (await pi.dialog()) as Dialog;
  for (; !dialog.title.startsWith("── F3 Joins"); dialog = (await pi.dialog()) as Dialog) pi.answer(dialog, "Continue");
  pi.answer(dialog, other);
  const words = (await pi.dialog()) as Dialog;
  expect(words).toMatchObject({ method: "input", title: "What should change?" });
  // Empty words are none: the gate is shown again.
  pi.answer(words, "  ");
  const again = (await pi.dialog()) as Dialog;
  expect(again.title).toBe(dialog.title);
  pi.answer(again, other);
  pi.answer((await pi.dialog()) as Dialog, "use LEFT JOIN");
  await acceptAll();
  let { state, entries } = await pi.ledger();
  expect(state).toMatchObject({ outcome: "answered" });
  expect(state.sql).toContain("LEFT JOIN");
  expect(state.corrections).toEqual([{ phase: "F3", text: "use LEFT JOIN" }]);

  pi.type("How many artists are there?");
  await acceptAll();
  ({ state, entries } = await pi.ledger());
  expect(state).toMatchObject({ outcome: "answered", question: "How many artists are there?" });
  expect(entries.flatMap((entry) => (entry.type === "prompt" ? [entry.kind] : []))).toEqual(["question", "follow-up"]);
  expect(pi.sessionIds).toHaveLength(1);
}, 240_000);

it("stops when a gate is left by Escape, and goes on by /thoth", async () => {
  pi.type(`/thoth ${question}`);
  pi.answer((await pi.dialog()) as Dialog, null);
  expect(await pi.dialog()).toBeNull();
  const { state, entries } = await pi.ledger();
  expect(entries.at(-1)).toMatchObject({ type: "gate-closed", reason: "stopped" });
  expect(state).toMatchObject({ openGate: null, outcome: null });
  pi.type("/thoth");
  await acceptAll();
  expect((await pi.ledger()).state.outcome).toBe("answered");
}, 240_000);

it("shows the same gate again after Pi was killed at it", async () => {
  pi.type(`/thoth ${question}`);
  pi.answer((await pi.dialog()) as Dialog, "Continue");
  const second = (await pi.dialog()) as Dialog;
  const { openGate } = (await pi.ledger()).state;
  await pi.end("SIGKILL");
  pi.start();
  expect(await pi.notice()).toContain("ThothII session");
  pi.type("/thoth");
  const again = (await pi.dialog()) as Dialog;
  expect(again.title).toBe(second.title);
  expect((await pi.ledger()).state.openGate?.gateId).toBe(openGate?.gateId);
  await acceptAll(again);
  const { state, entries } = await pi.ledger();
  expect(state.outcome).toBe("answered");
  expect(entries.filter((entry) => entry.type === "gate-closed")).toEqual([]);
}, 240_000);

it("goes on with an answer that was given on the page meanwhile", async () => {
  pi.type(`/thoth ${question}`);
  const dialog = (await pi.dialog()) as Dialog;
  const { dir, id } = await pi.ledger();
  await changeLedger(dir, id, ({ entries }) => {
    const state = foldLedger(entries);
    const { gateId = "", hash = "" } = state.openGate ?? {};
    const answer = { answerId: "page", hash, answer: "continue" as const };
    const checked = toAnswerEntries(state, state.lastSeq, gateId, answer, "reviewer");
    if (!checked.ok || !("entries" in checked)) throw new Error("the page's answer was refused");
    return { entries: checked.entries, value: null };
  });
  pi.answer(dialog, other);
  pi.answer((await pi.dialog()) as Dialog, "something else");
  await acceptAll();
  const { state, entries } = await pi.ledger();
  expect(state).toMatchObject({ outcome: "answered", corrections: [] });
  expect(entries.filter((entry) => entry.type === "gate-answered" && entry.answerId === "page")).toHaveLength(1);
}, 240_000);

it("gives a language model our rules, our tools and no others, and counts what it used", async () => {
  const summary = { title: "t", summary: "s" };
  const measure = { kind: "interpretation", aspect: "measure", text: "number of customers" };
  const propose = { name: "reviewer_decide", arguments: { phase: "F1", decisions: [measure], summary } };
  const chat = await startChatServer([
    { text: "Hello." },
    { tool: propose },
    { tool: { name: "bash", arguments: { command: "id" } } },
    { tool: { name: "cannot_answer", arguments: { missing: "customers", reason: "There are none." } } },
  ]);
  try {
    await pi.end();
    const models = [{ id: "scripted", reasoning: false, contextWindow: 100_000, maxTokens: 4096 }];
    const local = { baseUrl: chat.baseUrl, api: "openai-completions", apiKey: "unused", models };
    writeFileSync(join(pi.home, "agent", "models.json"), JSON.stringify({ providers: { local } }));
    pi.start({}, ["--model", "local/scripted"]);
    pi.type("hello");
    expect(await pi.dialog()).toBeNull();
    pi.type(`/thoth ${question}`);
    const titles = await acceptAll();
    expect(titles).toHaveLength(2);
    const [before, first, second, third] = chat.requests.map((request) => ({
      told: JSON.stringify(request.messages),
      tools: (request.tools ?? []).map((tool) => tool.function.name),
    }));
    expect(before?.tools).toContain("bash");
    expect(before?.tools).not.toContain("submit_sql");
    expect(first?.tools.toSorted()).toEqual([...toolNames].toSorted());
    expect(first?.told).toContain("You turn one question about a database into SQL");
    expect(first?.told).not.toContain("coding agent");
    expect(first?.told).toContain("Phase F1 Question");
    expect(second?.told).toContain("Phase F2 Data");
    expect(third?.told).toContain("bash not found");
    const { state, dir } = await pi.ledger();
    expect(state).toMatchObject({ outcome: "cannot-answer", usage: { input: 40, output: 20 } });
    expect(await readManifest(dir)).toMatchObject({ provider: "local", model: "scripted" });
  } finally {
    await chat.close();
  }
}, 240_000);

it("says what is missing", async () => {
  pi.type("/thoth");
  expect(await pi.notice()).toMatch(/There is no question\.\nWhat to do: /);
  await pi.end();
  pi.start({ THOTH_WORKSPACE: "nowhere" });
  pi.type(`/thoth ${question}`);
  expect(await pi.notice()).toMatch(/no workspace called "nowhere"/);
  expect(pi.sessionIds).toEqual([]);
}, 240_000);

it("asks which database when there are several, and takes the only one by itself", async () => {
  const add = (name: string) => {
    const folder = join(pi.thothHome, "workspaces", name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, "workspace.yaml"), `version: 1\nengine: sqlite\nfile: ${chinook}\n`);
  };
  add("music");
  add("shop");
  pi.type(`/thoth ${question}`);
  const which = (await pi.dialog()) as Dialog;
  expect(which).toMatchObject({ title: "Which database?", options: ["demo", "music", "shop"] });
  pi.answer(which, null);
  rmSync(join(pi.thothHome, "workspaces", "shop"), { recursive: true });
  pi.type(`/thoth ${question}`);
  expect(((await pi.dialog()) as Dialog).title).toContain("F1 Question");
  expect(pi.sessionIds).toHaveLength(1);
  expect(await readManifest((await pi.ledger()).dir)).toMatchObject({ workspace: "music" });
}, 240_000);
