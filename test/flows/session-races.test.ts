/** Things that happen at the same time, or in the moment between two others, with a real child. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeLedger } from "../../src/ledger/ledger.ts";
import type { LedgerEntry } from "../../src/protocol/index.ts";
import { childPids, openScripted, type Reader, readStream, type Scripted } from "../fixtures/scripted-sessions.ts";

let scripted: Scripted;
beforeEach(async () => {
  scripted = await openScripted();
});
afterEach(() => scripted.close());

const decide = (text: string, phase = "F1") => ({ name: "reviewer_decide", args: { phase, text } });
const atGate = { start: [{ tool: decide("rows per artist") }, { text: "On I go." }], resume: [{ text: "On I go." }] };
const textOf = (reader: Reader): string =>
  reader
    .of("text_delta")
    .map((frame) => frame.data.delta)
    .join("");
const gateOf = (reader: Reader, index = 0) => {
  const { gateId = "", hash = "" } = reader.of("gate_opened")[index]?.data ?? {};
  return { gateId, accept: { answerId: `a-${gateId}`, hash, answer: "continue" as const } };
};
const count = (entries: LedgerEntry[], type: LedgerEntry["type"]): number =>
  entries.filter((entry) => entry.type === type).length;

async function openAtGate(script: Parameters<Scripted["play"]>[0] = atGate) {
  await scripted.play(script);
  const { id } = await scripted.sessions.create({ workspace: "demo", question: "How many?" });
  const reader = await readStream(scripted.sessions, id);
  await reader.turn("waiting");
  return { id, reader, ...gateOf(reader) };
}

async function killChild(): Promise<void> {
  const pids = await childPids(scripted.home);
  expect(pids).toHaveLength(1);
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

/** Whatever happened in between: one decision, one answer, one delivery, no gap, and the model has gone on. */
function expectOneOfEach(entries: LedgerEntry[]): void {
  expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
  for (const type of ["gate-answered", "decision", "summary", "gate-delivered"] as const)
    expect([type, count(entries, type)]).toEqual([type, 1]);
}

describe("races", () => {
  it("C8.2 the buffer is cleared while other tabs stay subscribed: all are told, and nobody gets an old frame after it", async () => {
    const { sessions } = scripted;
    const { id, reader } = await openAtGate();
    const others = [await readStream(sessions, id), await readStream(sessions, id)];
    await killChild();
    await reader.turn("failed");
    const resuming = sessions.resume(id);
    // Tabs that open while it goes on, before and after the buffer is cleared.
    const between: Reader[] = [];
    let resumed = false;
    void resuming.then(() => (resumed = true));
    while (!resumed) {
      between.push(await readStream(sessions, id));
      await pause(15);
    }
    const { epoch } = await resuming;
    for (const tab of [reader, ...others]) {
      expect(tab.ended).toBe(true);
      expect(tab.frames.at(-1)).toMatchObject({ event: "stream_reset", data: { reason: "resumed" } });
    }
    for (const tab of between) {
      const of = tab.of("stream_open")[0]?.data.epoch;
      expect(tab.ended).toBe(of !== epoch);
      expect(tab.frames.every((frame) => frame.id === undefined || frame.id.startsWith(`${of}-`))).toBe(true);
    }
    const late = await readStream(sessions, id, reader.frames.findLast((frame) => frame.id)?.id);
    expect(late.of("stream_reset")[0]?.data.reason).toBe("epoch");
    expect(late.frames.every((frame) => frame.id === undefined || frame.id.startsWith(`${epoch}-`))).toBe(true);
    expect(late.of("gate_opened")).toEqual([]);
  }, 60_000);

  it("C8.2 another model: the old child is gone before the new one starts, and what it still says is nobody's", async () => {
    const { sessions, play } = scripted;
    await play({
      start: [{ text: "working on it", deaf: 8000, tool: decide("from the old child") }],
      resume: [{ text: "{model} goes on." }],
    });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.until(() => textOf(reader) === "working on it", "text");
    await pause(60);
    const [old] = await childPids(scripted.home);
    let most = 0;
    let patched = false;
    const patching = sessions.patch(id, { model: "second" }).finally(() => {
      patched = true;
    });
    while (!patched) {
      most = Math.max(most, (await childPids(scripted.home)).length);
      await pause(10);
    }
    await patching;
    expect(most).toBe(1);
    const children = await childPids(scripted.home);
    expect(children).toHaveLength(1);
    expect(children).not.toEqual([old]);
    expect(reader.ended).toBe(true);
    const after = reader.frames.slice(reader.frames.findIndex((frame) => frame.event === "text_delta"));
    expect(after.map((frame) => frame.event)).not.toContain("status");
    expect(after.map((frame) => frame.event)).not.toContain("gate_opened");
    const again = await readStream(sessions, id);
    await again.turn("idle");
    expect(textOf(again)).toBe("second goes on.");
    expect(again.of("prompt")).toHaveLength(1);
  }, 60_000);

  it("C8.2 an old child that is stopped in the middle of its words says nothing more in the old stream either", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ text: "word ".repeat(6000), delay: 10 }], resume: [{ text: "On I go." }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.until(() => reader.of("text_delta").length > 3, "text");
    await sessions.patch(id, { model: "second" });
    expect(reader.ended).toBe(true);
    expect(reader.of("status")).toEqual([]);
    expect(reader.of("turn").map((frame) => frame.data.turn)).toEqual(["running"]);
  }, 60_000);

  it("C8.2 an old child that talks while it is being stopped is heard by nobody: no frame, no gate, no end of the turn", async () => {
    const talker = join(scripted.home, "talker.mjs");
    // Speaks the protocol as far as a session needs it, and has last words when its stdin ends.
    await writeFile(
      talker,
      `const model = process.argv[process.argv.indexOf("--model") + 1].split("/")[1];
      const tell = (record) => console.log(JSON.stringify(record));
      const say = (delta) => tell({ type: "message_update", assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta } });
      let text = "";
      process.stdin.on("data", (chunk) => {
        text += chunk;
        for (let end; (end = text.indexOf("\\n")) >= 0; text = text.slice(end + 1)) {
          const { id, type } = JSON.parse(text.slice(0, end));
          const models = ["offline", "second"].map((name) => ({ provider: "thoth", id: name }));
          tell({ type: "response", id, command: type, success: true, data: { models, model: { provider: "thoth", id: model }, thinkingLevel: "low" } });
          if (type === "prompt") {
            tell({ type: "agent_start" });
            tell({ type: "message_start", message: { role: "assistant" } });
            say("words of " + model);
          }
        }
      });
      process.stdin.on("end", () => {
        say("LATE");
        tell({ type: "tool_execution_start", toolCallId: "late", toolName: "LATE" });
        tell({ type: "extension_ui_request", id: "late", method: "input", title: "gate:v1:LATE", placeholder: "{}" });
        tell({ type: "agent_settled", aborted: true });
        setTimeout(() => process.exit(0), 100);
      });`,
    );
    const sessions = scripted.reopen({ piCli: talker });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.until(() => textOf(reader) === "words of offline", "words");
    await sessions.patch(id, { model: "second" });
    const again = await readStream(sessions, id);
    await again.until(() => textOf(again) === "words of second", "the new child's words");
    await pause(300);
    expect(reader.bytes() + again.bytes()).not.toContain("LATE");
    expect([...reader.of("turn"), ...again.of("turn")].map((frame) => frame.data.turn)).toEqual(["running"]);
    expect(again.of("stream_open")[0]?.data.turn).toBe("running");
    expect(await sessions.view(id)).toMatchObject({ turn: "running", model: "second", openGate: null });
  }, 60_000);

  it("C8.2 the server is killed between an answer's commit and the child's hearing of it: nothing is lost or doubled", async () => {
    await scripted.play(atGate);
    const server = spawn(
      process.execPath,
      [
        "--no-warnings",
        fileURLToPath(new URL("../fixtures/sessions-process.ts", import.meta.url)),
        scripted.home,
        "answer",
      ],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const { id } = JSON.parse(line.toString()) as { id: string };
    const file = join(scripted.home, "sessions", id, "ledger.json");
    // The file itself says when the answer is committed; no point in the code is asked.
    while (!readFileSync(file, "utf8").includes('"gate-answered"')) await pause(0);
    server.kill("SIGKILL");
    await once(server, "exit");
    const { sessions } = scripted;
    expect(count(await scripted.entries(id), "gate-answered")).toBe(1);
    expect((await sessions.resume(id)).resumed).toBe("cold");
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    await reader.until(() => reader.of("ledger").length > 0 || reader.of("turn").length > 0, "the delivery");
    for (let left = 100; count(await scripted.entries(id), "gate-delivered") === 0 && left > 0; left -= 1)
      await pause(20);
    expectOneOfEach(await scripted.entries(id));
    expect(textOf(reader)).toBe("On I go.");
  }, 60_000);

  it.each(["resume first", "answer first"])(
    "C8.2 an answer while a Resume is validating is taken once and delivered once: %s",
    async (order) => {
      const { id, reader, gateId, accept } = await openAtGate();
      await killChild();
      await reader.turn("failed");
      await scripted.sessions.close();
      let validating = false;
      const slow = scripted.reopen({
        ensureCatalog: async () => {
          validating = true;
          await pause(300);
          return { checksum: "catalog-1" };
        },
      });
      await slow.view(id);
      const first = order === "resume first" ? slow.resume(id) : slow.answer(id, gateId, accept);
      while (order === "resume first" && !validating) await pause(5);
      const second = order === "resume first" ? slow.answer(id, gateId, accept) : slow.resume(id);
      const done = await Promise.allSettled([first, second]);
      expect(done.map((one) => one.status)).toEqual(["fulfilled", "fulfilled"]);
      for (let left = 500; count(await scripted.entries(id), "gate-delivered") === 0 && left > 0; left -= 1)
        await pause(20);
      const last = await readStream(slow, id);
      await last.until(() => textOf(last).includes("On I go."), "the answer's effect");
      await last.turn("idle");
      expectOneOfEach(await scripted.entries(id));
      expect(textOf(last)).toBe("On I go.");
      expect(await childPids(scripted.home)).toHaveLength(1);
      expect(await slow.view(id)).toMatchObject({ phase: "F2", turn: "idle", openGate: null });
    },
    60_000,
  );

  it("C7.2 a late answer to a gate that was steered away never answers the next one", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate({
      start: [{ tool: decide("rows per artist") }, { text: "never said" }],
      steer: [{ tool: decide("rows per album") }, { text: "Thank you." }],
    });
    await sessions.steer(id, "albums");
    await reader.until(() => reader.of("gate_opened").length === 2, "the second gate");
    await reader.turn("waiting");
    const next = gateOf(reader, 1);
    await expect(sessions.answer(id, gateId, accept)).rejects.toMatchObject({ code: "gate-gone" });
    await expect(sessions.answer(id, gateId, { ...accept, hash: next.accept.hash })).rejects.toMatchObject({
      code: "gate-gone",
    });
    await expect(sessions.answer(id, next.gateId, accept)).rejects.toMatchObject({ code: "gate-hash" });
    await pause(200);
    expect(await sessions.view(id)).toMatchObject({ turn: "waiting", openGate: { gateId: next.gateId } });
    expect(count(await scripted.entries(id), "decision")).toBe(0);
    await sessions.answer(id, next.gateId, next.accept);
    await reader.turn("idle");
    expect(textOf(reader)).toBe("Thank you.");
  }, 60_000);

  it("C7.2 two tabs answer differently at once, and a third steers: one holds, and the others hear what", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate({
      start: [{ tool: decide("rows per artist") }, { text: "I heard: {heard}" }],
      steer: [{ text: "steered" }],
      resume: [{ text: "steered" }],
    });
    const other = { ...accept, answerId: "tab-2", answer: "other" as const, text: "per album" };
    const tried = await Promise.allSettled([
      sessions.answer(id, gateId, other),
      sessions.answer(id, gateId, accept),
      sessions.steer(id, "look at tracks"),
    ]);
    expect(tried.map((one) => (one.status === "fulfilled" ? "taken" : one.reason.code))).toEqual([
      "taken",
      "gate-conflict",
      "taken",
    ]);
    // The first turn may end before the words reach it; they then begin one of their own.
    const steered = () => textOf(reader).includes("steered") && reader.of("turn").at(-1)?.data.turn === "idle";
    await reader.until(steered, "the words that steer are heard, and the turn ends");
    const entries = await scripted.entries(id);
    expect([count(entries, "gate-answered"), count(entries, "decision"), count(entries, "gate-closed")]).toEqual([
      1, 0, 0,
    ]);
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
  }, 60_000);

  it("C7.2 an answer goes on with the model, steering too: waiting and running alternate, nothing else", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate({
      start: [{ tool: decide("one") }, { text: "ok", tool: decide("two", "F2") }, { text: "end" }],
      steer: [{ text: "heard {heard}" }],
    });
    await sessions.answer(id, gateId, accept);
    await reader.turn("idle");
    expect(reader.of("turn").map((frame) => frame.data.turn)).toEqual(["running", "waiting", "running", "idle"]);
    await sessions.steer(id, "count albums instead");
    await reader.until(() => reader.of("turn").length === 6, "a second turn");
    expect(
      reader
        .of("turn")
        .map((frame) => frame.data.turn)
        .slice(4),
    ).toEqual(["running", "idle"]);
  }, 60_000);

  it("C7.2 the words of steering at a gate reach the model as they were written", async () => {
    const { sessions } = scripted;
    const { id, reader } = await openAtGate({
      start: [{ tool: decide("rows per artist") }],
      steer: [{ text: "[{heard}]" }],
    });
    await sessions.steer(id, 'albums, "not" artists');
    await reader.turn("idle");
    expect(textOf(reader)).toContain('albums, "not" artists');
  }, 60_000);

  it("C3.3 the words of Other reach the model, and it goes on in the same phase", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate({
      start: [{ tool: decide("rows per artist") }, { text: "[{heard}]" }],
    });
    await sessions.answer(id, gateId, { ...accept, answer: "other", text: "per album, please" });
    await reader.turn("idle");
    expect(textOf(reader)).toContain("The reviewer says: per album, please");
    expect(textOf(reader)).toContain("complete corrected set");
    expect(await sessions.view(id)).toMatchObject({ phase: "F1" });
  }, 60_000);

  it("C3.4 C4.1 an answer is numbered after what others wrote since the gate opened", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate();
    await changeLedger(join(scripted.home, "sessions", id), id, () => ({
      entries: [1, 2].map((n) => ({
        type: "query" as const,
        tool: "run_query",
        sql: `SELECT ${n}`,
        ok: true,
        rowCount: 1,
        ms: 1,
      })),
      value: null,
    }));
    const answered = await sessions.answer(id, gateId, accept);
    await reader.turn("idle");
    const entries = await scripted.entries(id);
    expect(answered.seqs).toEqual(entries.filter((entry) => entry.type === "decision").map((entry) => entry.seq));
    expect(entries.map((entry) => entry.seq)).toEqual(entries.map((_, index) => index + 1));
  }, 60_000);
});

describe("a turn that ends or never does", () => {
  it("C7.3 a provider that accepts and never answers ends as stalled, with Resume offered", async () => {
    const quick = scripted.reopen({ watchdogMs: 600 });
    await scripted.play({ start: [{ hang: true }], resume: [{ text: "On I go." }] });
    const { id } = await quick.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(quick, id);
    await reader.turn("failed");
    expect(reader.of("turn").at(-1)?.data.failure).toMatchObject({
      code: "stalled",
      action: expect.stringContaining("Resume"),
    });
    expect(await quick.view(id)).toMatchObject({ turn: "failed", failure: { code: "stalled" } });
    await quick.resume(id);
    const again = await readStream(quick, id);
    await again.turn("idle");
    expect(textOf(again)).toBe("On I go.");
  }, 60_000);

  it("C7.2 a gate may wait many times longer than the model may be silent, and the answer still goes through", async () => {
    const quick = scripted.reopen({ watchdogMs: 400 });
    await scripted.play(atGate);
    const { id } = await quick.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(quick, id);
    await reader.turn("waiting");
    await pause(2500);
    expect(await quick.view(id)).toMatchObject({ turn: "waiting", live: true, failure: null });
    const { gateId, accept } = gateOf(reader);
    await quick.answer(id, gateId, accept);
    await reader.turn("idle");
    expect(textOf(reader)).toBe("On I go.");
  }, 60_000);

  it("C10.1 no turn's end, good or bad, ends the stream; a session without a child has one too", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ text: "Done." }], resume: [{ error: "401: no" }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    await pause(150);
    expect(reader.ended).toBe(false);
    await sessions.steer(id, "again");
    await reader.turn("failed");
    await killChild();
    await pause(150);
    expect(reader.ended).toBe(false);
    await sessions.close();
    const next = scripted.reopen();
    const again = await readStream(next, id);
    expect(again.frames[0]?.event).toBe("stream_open");
    expect(again.ended).toBe(false);
    expect(await next.view(id)).toMatchObject({ live: false });
  }, 60_000);

  it("C7.4 a failure stays while the child that has settled is looked at, steered away only by new work", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ error: "401: no" }], resume: [{ text: "Better." }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("failed");
    await pause(300);
    expect(await sessions.view(id)).toMatchObject({ turn: "failed", live: true });
    await sessions.steer(id, "again");
    await reader.turn("idle");
    expect(textOf(reader)).toBe("Better.");
    expect(reader.of("turn").map((frame) => frame.data.turn)).toEqual(["running", "failed", "running", "idle"]);
  }, 60_000);
});

describe("thinking and model", () => {
  it("C2.1 a new session thinks at the configured level, and a resumed one at its own", async () => {
    const { sessions, play, home } = scripted;
    await writeFile(
      join(home, "config.json"),
      JSON.stringify({ provider: "thoth", model: "offline", thinking: "high" }),
    );
    await play({ start: [{ text: "{model} {thinking}" }], resume: [{ text: "{model} {thinking}" }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    expect(textOf(reader)).toBe("offline high");
    await writeFile(join(home, "config.json"), JSON.stringify({ provider: "thoth", model: "second", thinking: "low" }));
    await sessions.close();
    const next = scripted.reopen();
    await next.resume(id);
    const again = await readStream(next, id);
    await again.turn("idle");
    expect(textOf(again)).toBe("offline high");
  }, 60_000);

  it("C2.1 C2.2 C8.3 a clamped wish outlives the clamping model, resumes included, and is sent to each next one", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ text: "{thinking}" }], resume: [{ text: "{model} {thinking}" }] });
    const { id } = await sessions.create({
      workspace: "demo",
      question: "How many?",
      provider: "thoth",
      model: "capped",
      thinking: "high",
    });
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    expect(textOf(reader)).toBe("medium");
    await sessions.resume(id);
    const resumed = await readStream(sessions, id);
    await resumed.turn("idle");
    expect(textOf(resumed)).toBe("capped medium");
    expect(resumed.of("stream_open")[0]?.data).toMatchObject({ thinking: "high", thinkingInForce: "medium" });
    await sessions.patch(id, { model: "mute" });
    expect(await sessions.view(id)).toMatchObject({ thinking: "high", thinkingInForce: "off" });
    await sessions.patch(id, { model: "second" });
    expect(await sessions.view(id)).toMatchObject({ thinking: "high", thinkingInForce: "high" });
    await sessions.resume(id);
    const last = await readStream(sessions, id);
    await last.turn("idle");
    expect(textOf(last)).toBe("second high");
    const manifest = JSON.parse(readFileSync(join(scripted.home, "sessions", id, "manifest.json"), "utf8"));
    expect(manifest).toMatchObject({ provider: "thoth", model: "second", thinking: "high" });
  }, 60_000);

  it("C8.3 C8.4 a model that is gone at Resume is refused with the reason, and the old stream goes on", async () => {
    const { sessions, play, home } = scripted;
    await play(atGate);
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    await (await readStream(sessions, id)).turn("waiting");
    await sessions.close();
    const path = join(home, "sessions", id, "manifest.json");
    await writeFile(path, (await readFile(path, "utf8")).replace('"offline"', '"no-longer-there"'));
    const next = scripted.reopen();
    const reader = await readStream(next, id);
    await expect(next.resume(id)).rejects.toMatchObject({
      problems: [
        { code: "model-missing", message: expect.stringContaining("no-longer-there"), action: expect.any(String) },
      ],
    });
    expect(reader.ended).toBe(false);
    expect(reader.of("stream_reset")).toEqual([]);
    expect(await childPids(home)).toEqual([]);
  }, 60_000);
});
