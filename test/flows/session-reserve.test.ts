/** A session that is ready before it is asked for, and a child that waited too long: what runs, what lies on the disk. */
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { childPids, openScripted, readStream, type Scripted } from "../fixtures/scripted-sessions.ts";

let scripted: Scripted;
afterEach(() => scripted?.close());

const decide = { tool: { name: "reviewer_decide", args: { phase: "F1", text: "rows per artist" } } };
const ask = { workspace: "demo", question: "How many?" };
const folders = (): string[] =>
  existsSync(join(scripted.home, "sessions")) ? readdirSync(join(scripted.home, "sessions")) : [];

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (const deadline = performance.now() + 45_000; !(await holds()); await pause(30))
    if (performance.now() > deadline) throw new Error(`never came: ${what}\n${scripted.logged.join("\n")}`);
}

/** The one child that is there, once it is there. */
async function oneChild(): Promise<number> {
  await until(async () => (await childPids(scripted.home)).length === 1, "one child");
  return (await childPids(scripted.home))[0] ?? 0;
}
const readyIds = (): string[] =>
  scripted.logged.flatMap((line) => (line.includes("is kept ready") ? [JSON.parse(line).session as string] : []));
const readyCount = (count: number) => until(() => readyIds().length === count, `${count} that became ready`);

it("becomes the next session: same id, folder and child; then one other is made ready, and none is listed", async () => {
  scripted = await openScripted({ prestartMs: 100 });
  await scripted.play({ start: [{ think: "I look.", ...decide }] });
  const first = await oneChild();
  await readyCount(1);
  const [reserved = ""] = folders();
  expect(await scripted.sessions.list()).toEqual({ sessions: [], total: 0 });
  await expect(scripted.sessions.view(reserved)).rejects.toMatchObject({ code: "session-unknown" });
  await expect(scripted.sessions.remove(reserved)).rejects.toMatchObject({ code: "session-unknown" });
  const { id } = await scripted.sessions.create({ ...ask, model: "second", thinking: "low" });
  expect(id).toBe(reserved);
  const reader = await readStream(scripted.sessions, id);
  await reader.turn("waiting");
  expect(await childPids(scripted.home)).toContain(first);
  expect(existsSync(join(scripted.home, "sessions", id, "reserved"))).toBe(false);
  // Another model of the same provider: set first, and the level after it.
  expect(await scripted.sessions.view(id)).toMatchObject({
    model: "second",
    thinking: "low",
    thinkingInForce: "low",
    live: true,
  });
  expect(
    reader
      .of("activity_delta")
      .map(({ data }) => data.delta)
      .join(""),
  ).toBe("I look.");

  await until(async () => (await childPids(scripted.home)).length === 2, "the next one");
  await pause(500);
  expect(await childPids(scripted.home)).toHaveLength(2);
  expect(folders()).toHaveLength(2);
  expect((await scripted.sessions.list()).sessions.map((item) => item.id)).toEqual([id]);
  reader.close();
  await scripted.sessions.close();
  expect(folders()).toEqual([id]);
  expect(await childPids(scripted.home)).toEqual([]);
}, 120_000);

it("goes when another workspace asks, and the one for that workspace takes its place", async () => {
  scripted = await openScripted({ prestartMs: 100 });
  await scripted.play({ start: [decide] });
  const first = await oneChild();
  await readyCount(1);
  const [reserved = ""] = folders();
  const { id } = await scripted.sessions.create({ ...ask, workspace: "other" });
  expect(id).not.toBe(reserved);
  await (await readStream(scripted.sessions, id)).turn("waiting");
  await until(() => !folders().includes(reserved), "the end of what was ready");
  await until(async () => (await childPids(scripted.home)).length === 2, "the next one");
  expect(await childPids(scripted.home)).not.toContain(first);
  await readyCount(2);
  const next = folders().find((name) => name !== id);
  expect((await scripted.sessions.create({ ...ask, workspace: "other" })).id).toBe(next);
}, 120_000);

it("is not used with a key that is no longer in force, and the question is answered all the same", async () => {
  scripted = await openScripted({ prestartMs: 100 });
  await scripted.play({ start: [decide] });
  const first = await oneChild();
  await readyCount(1);
  writeFileSync(
    join(scripted.home, "models.json"),
    JSON.stringify({
      providers: {
        local: {
          baseUrl: "http://127.0.0.1:9/v1",
          apiKey: "none-needed",
          api: "openai-completions",
          models: [{ id: "m" }],
        },
      },
    }),
  );
  const { id } = await scripted.sessions.create(ask);
  await (await readStream(scripted.sessions, id)).turn("waiting");
  expect(await childPids(scripted.home)).not.toContain(first);
  expect(await scripted.sessions.view(id)).toMatchObject({ live: true, failure: null });
}, 120_000);

it("a child that died while it was ready is no fault of the next question", async () => {
  scripted = await openScripted({ prestartMs: 100 });
  await scripted.play({ start: [decide] });
  const first = await oneChild();
  await readyCount(1);
  process.kill(first, "SIGKILL");
  await until(() => folders().length === 0, "its folder's end");
  const { id } = await scripted.sessions.create(ask);
  await (await readStream(scripted.sessions, id)).turn("waiting");
  expect(await scripted.sessions.view(id)).toMatchObject({ live: true, failure: null });
}, 120_000);

it("what a killed server had reserved is removed at the next start, and nothing else", async () => {
  scripted = await openScripted();
  await scripted.play({ start: [decide] });
  const { id } = await scripted.sessions.create(ask);
  await (await readStream(scripted.sessions, id)).turn("waiting");
  await scripted.sessions.close();
  const left = join(scripted.home, "sessions", "0leftbehind00");
  await mkdir(join(left, "pi", "agent"), { recursive: true });
  writeFileSync(join(left, "reserved"), "");
  writeFileSync(join(scripted.home, "sessions", id, "reserved"), ""); // killed between the manifest and the mark's end
  await mkdir(join(scripted.home, "sessions", "0unmarked0000"));
  scripted.reopen({ prestartMs: 3_600_000 });
  await until(() => !existsSync(left), "the end of what was left");
  await until(() => !existsSync(join(scripted.home, "sessions", id, "reserved")), "the end of the mark");
  expect(folders().sort()).toEqual(["0unmarked0000", id].sort());
  expect(existsSync(join(scripted.home, "sessions", id, "manifest.json"))).toBe(true);
}, 120_000);

it("C8.2 a child that waited half an hour at a gate is stopped, the turn waits on, and the answer goes on without it", async () => {
  let now = Date.now();
  scripted = await openScripted({ clock: () => now, gateWaitMs: 30 * 60_000, lookAtGatesMs: 20 });
  await scripted.play({ start: [decide], resume: [{ text: "Going on." }] });
  const { id } = await scripted.sessions.create(ask);
  const reader = await readStream(scripted.sessions, id);
  await reader.turn("waiting");
  await oneChild();
  now += 29 * 60_000;
  await pause(300);
  expect(await childPids(scripted.home)).toHaveLength(1);
  now += 60_001;
  await until(async () => (await childPids(scripted.home)).length === 0, "the child's end");
  const view = await scripted.sessions.view(id);
  expect(view).toMatchObject({ turn: "waiting", live: false, failure: null });
  expect(reader.ended).toBe(false);
  const { gateId = "", hash = "" } = view.openGate ?? {};
  await scripted.sessions.answer(id, gateId, { answerId: "a1", hash, answer: "continue" });
  await until(() => reader.ended, "the old stream's end");
  const again = await readStream(scripted.sessions, id);
  await again.turn("idle");
  expect(
    again
      .of("text_delta")
      .map(({ data }) => data.delta)
      .join(""),
  ).toBe("Going on.");
  expect((await scripted.entries(id)).filter((entry) => entry.type === "gate-answered")).toHaveLength(1);
  // A turn that works is never stopped for the time it takes.
  expect(again.of("turn").map(({ data }) => data.turn)).not.toContain("failed");
}, 120_000);
