import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeLedger } from "../../src/ledger/ledger.ts";
import { ThothError } from "../../src/protocol/index.ts";
import { foldLedger } from "../../src/workflow/fold-ledger.ts";
import { toAnswerEntries } from "../../src/workflow/gate-rules.ts";
import { childPids, openScripted, readStream, type Scripted } from "../fixtures/scripted-sessions.ts";

let scripted: Scripted;
beforeEach(async () => {
  scripted = await openScripted();
});
afterEach(() => scripted.close());

const decide = (text: string, phase = "F1") => ({ name: "reviewer_decide", args: { phase, text } });
const atGate = { start: [{ tool: decide("rows per artist") }], resume: [{ text: "On I go." }] };

async function openAtGate() {
  const { sessions, play } = scripted;
  await play(atGate);
  const { id } = await sessions.create({ workspace: "demo", question: "How many?", thinking: "low" });
  const reader = await readStream(sessions, id);
  await reader.turn("waiting");
  const { gateId = "", hash = "" } = reader.of("gate_opened")[0]?.data ?? {};
  return { id, reader, gateId, hash, accept: { answerId: "a1", hash, answer: "continue" as const } };
}

async function killChild(): Promise<void> {
  const pids = await childPids(scripted.home);
  expect(pids).toHaveLength(1);
  for (const pid of pids) process.kill(pid, "SIGKILL");
}

describe("after the child or the server has gone", () => {
  it("C7.3 C8.2 a child killed at a gate fails the turn; a cold Resume brings the gate back, and its answer is delivered", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate();
    await killChild();
    await reader.turn("failed");
    expect(reader.of("turn").at(-1)?.data.failure).toMatchObject({ code: "child-exited" });
    expect(reader.of("tool").at(-1)?.data.status).toBe("failed");
    expect(await sessions.view(id)).toMatchObject({ turn: "failed", live: false, openGate: { gateId } });

    const before = reader.of("stream_open")[0]?.data.epoch;
    const resumed = await sessions.resume(id);
    expect(resumed.resumed).toBe("cold");
    expect(resumed.epoch).not.toBe(before);
    expect(reader.frames.at(-1)).toMatchObject({ event: "stream_reset", data: { reason: "resumed" } });
    expect(reader.ended).toBe(true);
    const again = await readStream(sessions, id, reader.frames.findLast((frame) => frame.id)?.id);
    expect(again.frames[0]).toMatchObject({
      event: "stream_open",
      data: { epoch: resumed.epoch, turn: "waiting", openGate: { gateId }, thinking: "low", thinkingInForce: "low" },
    });
    expect(again.frames[1]).toMatchObject({ event: "stream_reset", data: { reason: "epoch" } });
    expect(await sessions.view(id)).toMatchObject({ live: true, turn: "waiting" });
    expect(await sessions.answer(id, gateId, accept)).toMatchObject({ answer: "continue", next: "F2" });
    await again.turn("idle");
    expect(
      again
        .of("text_delta")
        .map((frame) => frame.data.delta)
        .join(""),
    ).toBe("On I go.");
    await again.until(() => again.of("ledger").at(-1)?.data.lastSeq === 6, "the delivery");
    expect((await scripted.entries(id)).at(-1)).toMatchObject({ type: "gate-delivered", gateId });
  }, 60_000);

  it("C8.2 an answer right after the crash needs no Resume: it is committed, then a child is started for it", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate();
    await killChild();
    await reader.turn("failed");
    await sessions.answer(id, gateId, accept);
    expect((await scripted.entries(id)).map((entry) => entry.type)).toContain("decision");
    const again = await readStream(sessions, id);
    await again.until(() => again.ended || again.of("text_delta").length > 0, "the new epoch or its text");
    const last = again.ended ? await readStream(sessions, id) : again;
    await last.turn("idle");
    await last.until(() => last.bytes().includes("On I go."), "the answer's effect");
    expect(await sessions.view(id)).toMatchObject({ turn: "idle", phase: "F2", live: true });
  }, 60_000);

  it("the server ends at a gate: the next one shows the gate with no child, takes the answer, and delivers it", async () => {
    const { sessions } = scripted;
    const { id, gateId, accept, reader } = await openAtGate();
    await sessions.close();
    expect(reader.ended).toBe(true);
    expect(await childPids(scripted.home)).toEqual([]);
    const before = await scripted.entries(id);
    const next = scripted.reopen();
    expect(await next.list()).toMatchObject({ sessions: [{ id, turn: "waiting", phase: "F1" }], total: 1 });
    const again = await readStream(next, id);
    expect(again.of("stream_open")[0]?.data).toMatchObject({ turn: "waiting", openGate: { gateId } });
    expect(await next.view(id)).toMatchObject({ live: false });
    expect(await scripted.entries(id)).toEqual(before);
    expect(await childPids(scripted.home)).toEqual([]);

    await next.answer(id, gateId, accept);
    await again.until(() => again.ended, "the end of the old epoch");
    const last = await readStream(next, id);
    await last.until(() => last.bytes().includes("On I go."), "the answer's effect");
    await last.turn("idle");
    await last.until(() => last.of("ledger").at(-1)?.data.lastSeq === 6, "the delivery");
    expect((await scripted.entries(id)).map((entry) => entry.type)).toEqual([
      "prompt",
      "gate-opened",
      "gate-answered",
      "decision",
      "summary",
      "gate-delivered",
    ]);
  }, 60_000);

  it("an answer that was committed and not delivered when the server died is delivered by Resume", async () => {
    const { sessions } = scripted;
    const { id, gateId, accept } = await openAtGate();
    await sessions.close();
    await changeLedger(join(scripted.home, "sessions", id), id, ({ entries }) => {
      const answered = toAnswerEntries(foldLedger(entries), entries.length, gateId, accept, "reviewer");
      if (!answered.ok || "repeated" in answered) throw new Error("not taken");
      return { entries: answered.entries, value: null };
    });
    const next = scripted.reopen();
    expect(await next.view(id)).toMatchObject({
      turn: "failed",
      failure: { code: "child-exited", message: expect.stringContaining("restarted") },
      openGate: null,
    });
    expect(await next.answer(id, gateId, accept)).toMatchObject({ answer: "continue" });
    expect((await next.resume(id)).resumed).toBe("cold");
    const reader = await readStream(next, id);
    await reader.turn("idle");
    await reader.until(() => reader.of("ledger").at(-1)?.data.lastSeq === 6, "the delivery");
    expect((await scripted.entries(id)).filter((entry) => entry.type === "gate-delivered")).toHaveLength(1);
    expect((await scripted.entries(id)).filter((entry) => entry.type === "gate-answered")).toHaveLength(1);
  }, 60_000);

  it("the server ends while the model works: the next one says so, and Resume goes on; a stopped session is at rest", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ text: "word ".repeat(400), delay: 20 }], resume: [{ text: "On I go." }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.until(() => reader.of("text_delta").length > 2, "text");
    await sessions.close();
    const next = scripted.reopen();
    expect(await next.view(id)).toMatchObject({ turn: "failed", failure: { action: "Press Resume to go on." } });
    await next.resume(id);
    const again = await readStream(next, id);
    expect(again.of("prompt")[0]?.data).toMatchObject({ kind: "resume", text: "Go on with F1 Question." });
    await again.turn("idle");
    await next.close();
    expect(await scripted.reopen().view(id)).toMatchObject({ turn: "idle", failure: null });
  }, 60_000);

  it("C8.1 Resume keeps a running and a waiting child: same child, same epoch, same readers", async () => {
    const { sessions } = scripted;
    const { id, reader, gateId, accept } = await openAtGate();
    const pids = await childPids(scripted.home);
    const epoch = reader.of("stream_open")[0]?.data.epoch;
    expect(await sessions.resume(id)).toEqual({ resumed: "kept", epoch });
    expect(await childPids(scripted.home)).toEqual(pids);
    expect(reader.ended).toBe(false);
    await scripted.play({ start: [{ text: "x" }, { text: "word ".repeat(100), delay: 20 }] });
    await sessions.answer(id, gateId, accept);
    await reader.until(() => reader.of("text_delta").length > 1, "text");
    expect(await sessions.resume(id)).toEqual({ resumed: "kept", epoch });
    expect(await childPids(scripted.home)).toEqual(pids);
    expect(reader.of("stream_reset")).toEqual([]);
  }, 60_000);

  it("C8.4 a refused Resume names every problem, clears nothing and starts nothing", async () => {
    const { sessions } = scripted;
    const { id, reader } = await openAtGate();
    await sessions.close();
    const manifest = join(scripted.home, "sessions", id, "manifest.json");
    await writeFile(manifest, (await readFile(manifest, "utf8")).replace('"offline"', '"gone"'));
    const next = scripted.reopen({
      openWorkspace: async () => {
        throw new ThothError("workspace-unknown", "There is no such workspace.", "Add it.");
      },
    });
    await writeFile(join(scripted.home, "keys.json"), "no json");
    const again = await readStream(next, id);
    const epoch = again.of("stream_open")[0]?.data.epoch;
    await expect(next.resume(id)).rejects.toMatchObject({
      code: "resume-refused",
      problems: expect.arrayContaining([
        expect.objectContaining({ code: "workspace-unknown", action: "Add it." }),
        expect.objectContaining({ code: "model-missing" }),
        expect.objectContaining({ code: "keys-damaged" }),
      ]),
    });
    expect(again.ended).toBe(false);
    expect(again.of("stream_reset")).toEqual([]);
    expect((await readStream(next, id)).of("stream_open")[0]?.data.epoch).toBe(epoch);
    expect(await childPids(scripted.home)).toEqual([]);
    expect(await next.view(id)).toMatchObject({ turn: "waiting", openGate: { kind: "decision-review" } });
    await expect(next.steer(id, "words")).rejects.toMatchObject({ code: "resume-refused" });
    expect((await scripted.entries(id)).map((entry) => entry.type)).toEqual(["prompt", "gate-opened"]);
    expect(reader.ended).toBe(true);
  }, 60_000);

  it("C8.2 a start that fails itself ends in `failed`, in a new epoch, and says nothing raw", async () => {
    const { sessions } = scripted;
    const { id } = await openAtGate();
    await sessions.close();
    const broken = join(scripted.home, "broken.ts");
    await writeFile(broken, 'export default function () { throw new Error("MARKER at /secret/path"); }');
    const next = scripted.reopen({ extensionFile: broken });
    const reader = await readStream(next, id);
    const epoch = reader.of("stream_open")[0]?.data.epoch;
    await expect(next.resume(id)).rejects.toMatchObject({ code: "child-start" });
    const again = await readStream(next, id);
    expect(again.of("stream_open")[0]?.data).toMatchObject({
      turn: "failed",
      failure: { code: "child-start" },
      openGate: { kind: "decision-review" },
    });
    expect(again.of("stream_open")[0]?.data.epoch).not.toBe(epoch);
    expect(reader.bytes() + again.bytes() + JSON.stringify(await next.view(id))).not.toContain("MARKER");
    expect(scripted.logged.join("\n")).toContain("MARKER");
  }, 60_000);

  it("C8.3 a child that comes up with another model is refused", async () => {
    const { sessions } = scripted;
    const { id } = await openAtGate();
    await sessions.close();
    const other = join(scripted.home, "other.mjs");
    // Speaks the protocol as far as a start needs it, and says that it runs something else.
    await writeFile(
      other,
      `let text = ""; process.stdin.on("data", (chunk) => { text += chunk; for (let end; (end = text.indexOf("\\n")) >= 0; text = text.slice(end + 1)) {
      const { id, type } = JSON.parse(text.slice(0, end)); console.log(JSON.stringify({ type: "response", id, command: type, success: true, data: { model: { provider: "thoth", id: "cheaper" }, thinkingLevel: "low" } })); } }); process.stdin.on("end", () => process.exit(0));`,
    );
    const next = scripted.reopen({ piCli: other });
    await expect(next.resume(id)).rejects.toMatchObject({ code: "child-differs" });
    expect(await next.view(id)).toMatchObject({ turn: "failed", live: false, model: "offline" });
    expect(await childPids(scripted.home)).toEqual([]);
  }, 60_000);

  it("one child per session: a second server's Resume is refused while the first has it, and goes through afterwards", async () => {
    const { sessions } = scripted;
    const { id } = await openAtGate();
    const second = scripted.reopen();
    await expect(second.resume(id)).rejects.toMatchObject({
      problems: [{ code: "session-owned", message: expect.stringContaining(String(process.pid)) }],
    });
    expect(await childPids(scripted.home)).toHaveLength(1);
    await sessions.close();
    expect((await second.resume(id)).resumed).toBe("cold");
    expect(await childPids(scripted.home)).toHaveLength(1);
  }, 60_000);

  it("the server is killed at a gate: its child ends with it, and the next server goes on from the ledger", async () => {
    await scripted.play(atGate);
    const server = spawn(
      process.execPath,
      ["--no-warnings", fileURLToPath(new URL("../fixtures/sessions-process.ts", import.meta.url)), scripted.home],
      { stdio: ["ignore", "pipe", "inherit"] },
    );
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    const { id } = JSON.parse(line.toString()) as { id: string };
    await expect(scripted.sessions.resume(id)).rejects.toMatchObject({
      problems: [{ code: "session-owned", message: expect.stringContaining(String(server.pid)) }],
    });
    const orphans = await childPids(scripted.home);
    expect(orphans).toHaveLength(1);
    server.kill("SIGKILL");
    await once(server, "exit");
    const { openGate, turn } = await scripted.sessions.view(id);
    expect(turn).toBe("waiting");
    await scripted.sessions.answer(id, openGate?.gateId ?? "", {
      answerId: "a",
      hash: openGate?.hash ?? "",
      answer: "continue",
    });
    const reader = await readStream(scripted.sessions, id);
    await reader.until(() => reader.ended || reader.bytes().includes("On I go."), "the new epoch");
    const last = reader.ended ? await readStream(scripted.sessions, id) : reader;
    await last.until(() => last.bytes().includes("On I go."), "the answer's effect");
    const children = await childPids(scripted.home);
    expect(children).toHaveLength(1);
    expect(children).not.toEqual(orphans);
  }, 60_000);

  it("a child that says nothing for too long is stopped as stalled; a gate may take as long as it likes", async () => {
    const quick = scripted.reopen({ watchdogMs: 700 });
    await scripted.play({ start: [{ text: "One moment.", hang: true }] });
    const { id } = await quick.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(quick, id);
    await reader.turn("failed");
    expect(reader.of("turn").at(-1)?.data.failure?.code).toBe("stalled");
    await reader.until(() => scripted.logged.length > 0, "the log");
    for (let left = 50; (await childPids(scripted.home)).length > 0 && left > 0; left -= 1) await pause(20);
    expect(await childPids(scripted.home)).toEqual([]);

    await scripted.play(atGate);
    const waits = await quick.create({ workspace: "demo", question: "And now?" });
    const other = await readStream(quick, waits.id);
    await other.turn("waiting");
    await pause(1200);
    expect(await quick.view(waits.id)).toMatchObject({ turn: "waiting", live: true });
  }, 60_000);

  it("a damaged ledger is shown as one, and Resume names the fault", async () => {
    const { sessions } = scripted;
    const { id } = await openAtGate();
    await sessions.close();
    const file = join(scripted.home, "sessions", id, "ledger.json");
    await writeFile(file, (await readFile(file, "utf8")).slice(0, -20));
    const next = scripted.reopen();
    expect(await next.view(id)).toMatchObject({ turn: "failed", failure: { code: "unknown" } });
    await expect(next.ledger(id)).rejects.toMatchObject({ code: "ledger-damaged" });
    await expect(next.resume(id)).rejects.toMatchObject({
      problems: [expect.objectContaining({ code: "ledger-damaged" })],
    });
  }, 60_000);

  it("no question, too long a question, an unknown model or session; the list of models; a removed session", async () => {
    const { sessions } = scripted;
    const create = (question: string, more = {}) => sessions.create({ workspace: "demo", question, ...more });
    await expect(create("  ")).rejects.toMatchObject({ code: "question-empty" });
    await expect(create("x".repeat(10_001))).rejects.toMatchObject({ code: "question-too-long" });
    await expect(create("x", { provider: "nobody", model: "x" })).rejects.toMatchObject({ code: "model-missing" });
    for (const bad of ["../../etc", "nosuchsession"])
      await expect(sessions.view(bad)).rejects.toMatchObject({ code: "session-unknown" });
    const { models, default: usual } = await sessions.models.list();
    expect(models.map((model) => [model.id, model.thinkingLevels])).toEqual([
      ["offline", ["off", "minimal", "low", "medium", "high"]],
      ["second", ["off", "minimal", "low", "medium", "high"]],
      ["mute", ["off"]],
      ["capped", ["off", "minimal", "low", "medium"]],
    ]);
    expect(usual).toEqual({ provider: "thoth", model: "offline", thinking: "medium", budget: null });
    const { id, reader } = await openAtGate();
    await sessions.remove(id);
    expect(reader.ended).toBe(true);
    expect(await sessions.list()).toEqual({ sessions: [], total: 0 });
    await expect(sessions.restore("0".repeat(12))).rejects.toMatchObject({ code: "session-unknown" });
    await expect(sessions.view(id)).rejects.toMatchObject({ code: "session-unknown" });
    expect(await readFile(join(scripted.home, "trash", id, "ledger.json"), "utf8")).toContain("gate-opened");
    expect(await childPids(scripted.home)).toEqual([]);
  }, 60_000);
});
