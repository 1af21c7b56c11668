import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSessions, type Sessions } from "./sessions.ts";

let home: string;
let logged: string[];
const opened: Sessions[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "thoth-list-"));
  logged = [];
});
afterEach(async () => {
  for (const sessions of opened.splice(0)) await sessions.close();
  rmSync(home, { recursive: true, force: true });
});

function open(): Sessions {
  const note = (_detail: object, message: string) => void logged.push(message);
  const sessions = createSessions({ home, log: { info: note, warn: note, error: note } });
  opened.push(sessions);
  return sessions;
}

interface Wish {
  question?: string;
  followUp?: string;
  name?: string;
  at?: string;
  working?: boolean;
  outcome?: boolean;
  gate?: boolean;
}
function write(id: string, wish: Wish = {}): void {
  const { question = `What about ${id}?`, at = "2026-05-01T10:00:00.000Z", name } = wish;
  const dir = join(home, "sessions", id);
  mkdirSync(dir, { recursive: true });
  const manifest = {
    ...{ version: 1, id, workspace: "demo", question, provider: "thoth", model: "offline", thinking: "low" },
    ...{ review: "every-phase", promptVersion: "1", catalogChecksum: "", createdAt: at, updatedAt: at },
    ...(name ? { name } : {}),
  };
  const gate = {
    ...{ type: "gate-opened", gateId: "g1", kind: "question", phase: "F1", tool: "reviewer_ask" },
    ...{ payload: {}, hash: "h", proposalHash: "p" },
  };
  const entries = [
    { type: "prompt", text: question, kind: "question" },
    ...(wish.outcome ? [{ type: "outcome", outcome: "answered" }] : []),
    ...(wish.followUp ? [{ type: "prompt", text: wish.followUp, kind: "follow-up" }] : []),
    ...(wish.gate ? [gate] : []),
  ].map((entry, index) => ({ seq: index + 1, at, ...entry }));
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(dir, "ledger.json"), JSON.stringify({ version: 1, sessionId: id, entries }));
  if (wish.working) writeFileSync(join(dir, "working"), "");
}
const ids = async (sessions: Sessions, wish = {}) => (await sessions.list(wish)).sessions.map((one) => one.id);
const patience = { timeout: 20_000 };

it("open gates come first, then what failed and the rest, latest first in each", async () => {
  write("answered01", { outcome: true, at: "2026-05-03T10:00:00.000Z" });
  write("answered02", { outcome: true, at: "2026-05-04T10:00:00.000Z" });
  write("failed0001", { working: true });
  write("waiting001", { gate: true, at: "2026-01-01T10:00:00.000Z" });
  const sessions = open();
  await expect.poll(() => ids(sessions), patience).toEqual(["waiting001", "failed0001", "answered02", "answered01"]);
  expect(await sessions.list({ limit: 2 })).toMatchObject({
    sessions: [{ turn: "waiting" }, { turn: "failed" }],
    total: 4,
  });
});

it("finds by name, question, follow-up and workspace, all words, without case and accents", async () => {
  write("session001", { question: "Which artists earned most?", name: "Größte Künstler" });
  write("session002", { question: "How many tracks?", followUp: "And by artist?", outcome: true });
  const sessions = open();
  await expect.poll(() => ids(sessions), patience).toHaveLength(2);
  expect(await ids(sessions, { text: "ARTIST" })).toHaveLength(2);
  expect(await ids(sessions, { text: "kunstler artists" })).toEqual(["session001"]);
  expect(await ids(sessions, { text: "by tracks" })).toEqual(["session002"]);
  expect(await sessions.list({ text: "demo nothing" })).toEqual({ sessions: [], total: 0 });
  expect((await sessions.list({ text: "tracks" })).sessions[0]?.followUp).toBe("And by artist?");
});

it("another name shows at once and leaves the age; what others wrote shows at the next looks", async () => {
  write("session001");
  const sessions = open();
  await expect.poll(() => ids(sessions), patience).toEqual(["session001"]);
  write("session002", { question: "Written by another program" });
  await expect.poll(() => ids(sessions, { text: "another program" }), patience).toEqual(["session002"]);
  write("session002", { question: "Written again by another" });
  await expect.poll(() => ids(sessions, { text: "again" }), patience).toEqual(["session002"]);
  await sessions.patch("session001", { name: "Mine" });
  expect((await sessions.list({ text: "mine" })).sessions).toMatchObject([
    { id: "session001", name: "Mine", updatedAt: "2026-05-01T10:00:00.000Z" },
  ]);
});

it("a removed session is gone from the next answer, and back in the one after it was restored", async () => {
  write("session001", { outcome: true });
  const sessions = open();
  await expect.poll(() => ids(sessions), patience).toEqual(["session001"]);
  await sessions.remove("session001");
  expect(await ids(sessions)).toEqual([]);
  await sessions.restore("session001");
  expect(await ids(sessions)).toEqual(["session001"]);
  expect((await sessions.view("session001")).outcome).toBe("answered");
});

it("a session whose manifest is damaged is left out and told in the log, and can be removed all the same", async () => {
  write("session001");
  write("session002");
  writeFileSync(join(home, "sessions", "session002", "manifest.json"), "{");
  const sessions = open();
  await expect.poll(() => ids(sessions), patience).toEqual(["session001"]);
  await expect.poll(() => logged, patience).toContain("A session can't be listed.");
  await sessions.remove("session002");
  await expect(sessions.view("session002")).rejects.toMatchObject({ code: "session-unknown" });
});

it("the next server knows what this one read, unless the files changed meanwhile or the index is torn", async () => {
  write("session001");
  write("session002");
  const first = open();
  await expect.poll(() => ids(first), patience).toHaveLength(2);
  await first.close();
  const index = join(home, "cache", "sessions.json");
  // A mark that stands in no session's own files: only who read the index can show it.
  writeFileSync(index, readFileSync(index, "utf8").replaceAll("What about session", "Indexed session"));
  write("session002", { question: "Changed since" });
  const second = open();
  await expect.poll(() => ids(second, { text: "indexed" }), patience).toEqual(["session001"]);
  await expect.poll(() => ids(second, { text: "changed since" }), patience).toEqual(["session002"]);
  await second.close();
  writeFileSync(index, "{");
  const third = open();
  await expect.poll(() => ids(third, { text: "what about" }), patience).toEqual(["session001"]);
});
