import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openScripted, readStream, type Scripted } from "../fixtures/scripted-sessions.ts";

let scripted: Scripted;
beforeEach(async () => {
  scripted = await openScripted();
});
afterEach(() => scripted.close());

const decide = (text: string, phase = "F1") => ({ name: "reviewer_decide", args: { phase, text } });

describe("a turn with a real child", () => {
  it("C1.1 C1.2 C12.1 reasoning, text and tools come in order; a gate waits, an answer goes on, and it ends idle", async () => {
    const { sessions, play } = scripted;
    await play({
      start: [
        {
          think: "I look it up first.",
          text: "Looking it up.",
          tool: { name: "catalog_search", args: { text: "MARKER-ARGS" } },
        },
        { think: "Now I propose.", tool: decide("rows per artist") },
        { text: "That is all." },
      ],
    });
    const { id } = await sessions.create({
      workspace: "demo",
      question: "How many artists are there?",
      thinking: "high",
    });
    const reader = await readStream(sessions, id);
    await reader.turn("waiting");
    const gate = reader.of("gate_opened")[0];
    expect(gate?.data).toMatchObject({ kind: "decision-review", phase: "F1" });

    const joined = (event: "activity_delta" | "text_delta") =>
      Object.entries(Object.groupBy(reader.of(event), (frame) => frame.data.block)).map(([, frames]) =>
        frames?.map((frame) => frame.data.delta).join(""),
      );
    expect(joined("activity_delta")).toEqual(["I look it up first.", "Now I propose."]);
    expect(joined("text_delta")).toEqual(["Looking it up."]);
    expect(reader.of("tool").map(({ data: { at: _, ...data } }) => data)).toEqual([
      { callId: "call_catalog_search", name: "catalog_search", status: "running" },
      { callId: "call_catalog_search", name: "catalog_search", status: "completed" },
      { callId: "call_reviewer_decide", name: "reviewer_decide", status: "running" },
    ]);
    const order = reader.frames.map((frame) => frame.event).filter((event, index, all) => event !== all[index - 1]);
    expect(order).toEqual([
      "stream_open",
      "ledger",
      "turn",
      "prompt",
      "activity_delta",
      "text_delta",
      "tool",
      "activity_delta",
      "tool",
      "gate_opened",
      "ledger",
      "phase",
      "turn",
    ]);

    expect(await sessions.view(id)).toMatchObject({
      turn: "waiting",
      thinking: "high",
      thinkingInForce: "high",
      live: true,
      phase: "F1",
      openGate: { gateId: gate?.data.gateId },
    });
    const answered = await sessions.answer(id, gate?.data.gateId ?? "", {
      answerId: "a1",
      hash: gate?.data.hash ?? "",
      answer: "continue",
    });
    expect(answered).toEqual({ gateId: gate?.data.gateId, answer: "continue", seqs: [4], next: "F2" });
    await reader.turn("idle");
    expect(reader.of("turn").map((frame) => frame.data.turn)).toEqual(["running", "waiting", "running", "idle"]);
    expect(joined("text_delta").at(-1)).toBe("That is all.");
    await reader.until((seen) => seen.of("ledger").at(-1)?.data.lastSeq === 6, "the delivery");
    expect((await scripted.entries(id)).map((entry) => entry.type)).toEqual([
      "prompt",
      "gate-opened",
      "gate-answered",
      "decision",
      "summary",
      "gate-delivered",
    ]);
    expect(await sessions.view(id)).toMatchObject({ turn: "idle", phase: "F2", openGate: null });
    expect(reader.bytes()).not.toContain("MARKER-ARGS");
  }, 60_000);

  it("C3.3 Other sends the gate back with the reviewer's words, and nothing of it is kept", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ tool: decide("rows per artist") }, { tool: decide("rows per album") }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("waiting");
    const first = reader.of("gate_opened")[0]?.data;
    const answer = { answerId: "a1", hash: first?.hash ?? "", answer: "other" as const, text: "per album, please" };
    expect(await sessions.answer(id, first?.gateId ?? "", answer)).toEqual({
      gateId: first?.gateId,
      answer: "other",
      seqs: [],
      next: "F1",
    });
    await reader.until((seen) => seen.of("gate_opened").length === 2, "the corrected gate");
    expect(reader.of("gate_closed")[0]?.data).toMatchObject({
      gateId: first?.gateId,
      reason: "answered",
      answer: "other",
    });
    expect((await scripted.entries(id)).filter((entry) => entry.type === "decision")).toEqual([]);
    // The same answer again is the same answer; another one, or the first gate's for the second, isn't taken.
    expect(await sessions.answer(id, first?.gateId ?? "", answer)).toMatchObject({ answer: "other" });
    await expect(
      sessions.answer(id, first?.gateId ?? "", { ...answer, answerId: "a2", answer: "continue" }),
    ).rejects.toMatchObject({ code: "gate-conflict" });
    const second = reader.of("gate_opened")[1]?.data;
    await expect(sessions.answer(id, second?.gateId ?? "", { ...answer, answerId: "a3" })).rejects.toMatchObject({
      code: "gate-hash",
    });
    await expect(
      sessions.answer(id, second?.gateId ?? "", {
        answerId: "a4",
        hash: second?.hash ?? "",
        answer: "other",
        text: " ",
      }),
    ).rejects.toMatchObject({ code: "text-missing" });
    await expect(sessions.answer(id, "no-such-gate", answer)).rejects.toMatchObject({ code: "gate-unknown" });
    expect(await sessions.view(id)).toMatchObject({ turn: "waiting", openGate: { gateId: second?.gateId } });
  }, 60_000);

  it("two answers at once: one is taken, and the ledger has one", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ tool: decide("rows per artist") }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("waiting");
    const { gateId = "", hash = "" } = reader.of("gate_opened")[0]?.data ?? {};
    const tried = await Promise.allSettled([
      sessions.answer(id, gateId, { answerId: "tab-1", hash, answer: "continue" }),
      sessions.answer(id, gateId, { answerId: "tab-1", hash, answer: "continue" }),
      sessions.answer(id, gateId, { answerId: "tab-2", hash, answer: "other", text: "no" }),
    ]);
    expect(tried.map((one) => (one.status === "fulfilled" ? one.value.answer : one.reason.code))).toEqual([
      "continue",
      "continue",
      "gate-conflict",
    ]);
    expect((await scripted.entries(id)).filter((entry) => entry.type === "gate-answered")).toHaveLength(1);
  }, 60_000);

  it("C7.3 Stop in the middle of an answer and at a gate ends idle, without a failure, and closes the gate", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ text: "word ".repeat(200), delay: 20 }], resume: [{ tool: decide("rows per artist") }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.until((seen) => seen.of("text_delta").length > 3, "text");
    await sessions.abort(id);
    expect(await sessions.view(id)).toMatchObject({ turn: "idle", failure: null, live: true });
    expect(reader.of("status").at(-1)?.data.code).toBe("stopped");

    expect((await sessions.resume(id)).resumed).toBe("cold");
    const again = await readStream(sessions, id);
    await again.turn("waiting");
    const { gateId = "", hash = "" } = again.of("gate_opened")[0]?.data ?? {};
    await sessions.abort(id);
    expect(await sessions.view(id)).toMatchObject({ turn: "idle", failure: null, openGate: null });
    expect(again.of("gate_closed").at(-1)?.data).toMatchObject({ gateId, reason: "stopped" });
    await expect(sessions.answer(id, gateId, { answerId: "late", hash, answer: "continue" })).rejects.toMatchObject({
      code: "gate-gone",
    });
    expect(again.of("turn").map((frame) => frame.data.turn)).not.toContain("failed");
  }, 60_000);

  it("C7.2 steering at a gate closes it, keeps nothing of it, and gives the model the words", async () => {
    const { sessions, play } = scripted;
    await play({
      start: [{ tool: decide("rows per artist") }, { text: "never said" }],
      steer: [{ text: "I heard you." }, { text: "never said" }],
    });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("waiting");
    const { gateId = "" } = reader.of("gate_opened")[0]?.data ?? {};
    await sessions.steer(id, "look at albums instead");
    await reader.turn("idle");
    expect(
      reader
        .of("text_delta")
        .map((frame) => frame.data.delta)
        .join(""),
    ).toBe("I heard you.");
    expect(reader.of("gate_closed")[0]?.data).toMatchObject({ gateId, reason: "superseded" });
    expect(reader.of("prompt").at(-1)?.data).toMatchObject({ text: "look at albums instead", kind: "steer" });
    expect((await scripted.entries(id)).map((entry) => entry.type)).toEqual([
      "prompt",
      "gate-opened",
      "gate-closed",
      "prompt",
    ]);
    expect((await scripted.entries(id))[2]).toMatchObject({ gateId, reason: "superseded" });
    expect(reader.of("turn").map((frame) => frame.data.turn)).toEqual(["running", "waiting", "running", "idle"]);
  }, 60_000);

  it("C7.2 steering while it works is the next thing the model reads", async () => {
    const { sessions, play } = scripted;
    await play({
      start: [{ text: "word ".repeat(40), delay: 10, tool: { name: "catalog_search", args: { text: "x" } } }],
      steer: [{ text: "I heard you." }],
    });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.until((seen) => seen.of("text_delta").length > 2, "text");
    await sessions.steer(id, "albums");
    await reader.turn("idle");
    expect(
      reader
        .of("text_delta")
        .map((frame) => frame.data.delta)
        .join(""),
    ).toMatch(/word I heard you\.$/);
  }, 60_000);

  it("C7.3 C12.2 a provider's failure after its retries: a fixed code, and no byte of its own words; the log has them without the key", async () => {
    const { sessions, play, logged } = scripted;
    await play({
      start: [
        {
          think: "half a thou",
          text: "half an ans",
          error: '429: {"message":"MARKER-RAW at /MARKER/path","authorization":"Bearer MARKERTOKEN123456"}',
        },
      ],
    });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("failed");
    expect(reader.of("turn").at(-1)?.data.failure).toMatchObject({
      code: "rate-limited",
      message: "The provider is limiting requests.",
    });
    expect(reader.of("status").map((frame) => [frame.data.code, frame.data.blocks])).toEqual([
      ["retrying", ["m1.0", "m1.1"]],
    ]);
    expect(reader.of("text_delta").map((frame) => frame.data.block)).toContain("m2.1");
    const everything =
      reader.bytes() + JSON.stringify([await sessions.view(id), await sessions.ledger(id), await sessions.list()]);
    expect(everything).not.toContain("MARKER");
    expect(logged.join("\n")).toContain("MARKER-RAW");
    expect(logged.join("\n")).not.toContain("MARKERTOKEN");
    // Settling came after the failure, and the failure stays.
    expect(await sessions.view(id)).toMatchObject({ turn: "failed", failure: { code: "rate-limited" }, live: true });
  }, 60_000);

  it("C12.2 arguments, updates, results, errors and other dialogs stay on the server", async () => {
    const { sessions, play } = scripted;
    await play({
      start: [
        { tool: { name: "catalog_search", args: { text: "MARKER-A" } } },
        { tool: { name: "catalog_search", args: { text: "throw MARKER-B" } } },
        { tool: { name: "no_such_tool", args: { text: "MARKER-C" } } },
        { tool: { name: "run_query", args: { method: "select", title: "MARKER-D", text: "MARKER-E" } } },
        { tool: { name: "run_query", args: { method: "confirm", title: "MARKER-D", text: "MARKER-E" } } },
        { tool: { name: "run_query", args: { method: "input", title: "MARKER-D", text: "MARKER-E" } } },
        { tool: { name: "run_query", args: { method: "input", title: "gate:v1:bad", text: '{"MARKER":' } } },
        {
          tool: {
            name: "run_query",
            args: {
              method: "input",
              title: "gate:v1:bad2",
              text: JSON.stringify({
                v: 1,
                gateId: "bad2",
                kind: "join-review",
                phase: "F1",
                tool: "x",
                payload: { MARKER: 1 },
              }),
            },
          },
        },
        {
          tool: {
            name: "run_query",
            args: {
              method: "input",
              title: "gate:v1:bad3",
              text: JSON.stringify({
                v: 1,
                gateId: "bad3",
                kind: "join-review",
                phase: "F1",
                tool: "x",
                payload: "x".repeat(300_000),
              }),
            },
          },
        },
        { text: "All refused." },
      ],
    });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?" });
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    expect(
      reader
        .of("text_delta")
        .map((frame) => frame.data.delta)
        .join(""),
    ).toBe("All refused.");
    expect(reader.bytes()).not.toContain("MARKER");
    const ended = reader
      .of("tool")
      .filter((frame) => frame.data.status !== "running")
      .map((frame) => `${frame.data.name} ${frame.data.status}`);
    expect(ended.slice(0, 3)).toEqual(["catalog_search completed", "catalog_search failed", "no_such_tool failed"]);
    expect(reader.of("tool").every((frame) => Object.keys(frame.data).sort().join() === "at,callId,name,status")).toBe(
      true,
    );
    expect(new Set(reader.of("tool").map((frame) => frame.data.callId)).size).toBe(9);
    expect(reader.of("gate_opened")).toEqual([]);
    expect((await scripted.entries(id)).map((entry) => entry.type)).toEqual(["prompt"]);
  }, 60_000);

  it("C2.1 C2.2 C2.3 the wish is kept, the level in force is shown, and off is off", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ think: "thinking aloud", text: "Said." }] });
    const { id } = await sessions.create({
      workspace: "demo",
      question: "How many?",
      provider: "thoth",
      model: "capped",
      thinking: "high",
    });
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    expect(await sessions.view(id)).toMatchObject({ thinking: "high", thinkingInForce: "medium" });
    await sessions.patch(id, { model: "second" });
    expect(await sessions.view(id)).toMatchObject({
      model: "second",
      thinking: "high",
      thinkingInForce: "high",
      turn: "idle",
    });
    await sessions.patch(id, { thinking: "off", name: "Mine" });
    expect(await sessions.view(id)).toMatchObject({ name: "Mine", thinking: "off", thinkingInForce: "off" });
    await expect(sessions.patch(id, { model: "no-such" })).rejects.toMatchObject({ code: "model-missing" });

    const quiet = await sessions.create({ workspace: "demo", question: "Again?", thinking: "off" });
    const other = await readStream(sessions, quiet.id);
    await other.turn("idle");
    expect(other.of("activity_delta")).toEqual([]);
    expect((await readStream(sessions, quiet.id)).of("stream_open")[0]?.data).toMatchObject({
      thinking: "off",
      thinkingInForce: "off",
    });
  }, 60_000);

  it("a session ends with cannot-answer: the child is told, says its last, and a follow-up starts anew", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ tool: { name: "cannot_answer", args: { missing: "salaries" } } }, { text: "Sorry." }] });
    const { id } = await sessions.create({ workspace: "demo", question: "Who earns most?" });
    const reader = await readStream(sessions, id);
    await reader.turn("waiting");
    const { gateId = "", hash = "" } = reader.of("gate_opened")[0]?.data ?? {};
    await sessions.answer(id, gateId, { answerId: "a", hash, answer: "continue" });
    await reader.turn("idle");
    expect(
      reader
        .of("text_delta")
        .map((frame) => frame.data.delta)
        .join(""),
    ).toBe("Sorry.");
    expect(await sessions.view(id)).toMatchObject({
      outcome: "cannot-answer",
      cannotAnswer: { missing: "salaries" },
      turn: "idle",
    });
    await play({ start: [{ tool: decide("albums") }] });
    await sessions.prompt(id, "Then how many albums?");
    await reader.turn("waiting");
    expect(await sessions.view(id)).toMatchObject({ outcome: null, phase: "F1", turn: "waiting" });
    expect(reader.of("prompt").at(-1)?.data).toMatchObject({ kind: "follow-up", text: "Then how many albums?" });
  }, 60_000);

  it("a gate that comes together with the word that a follow-up was taken is shown, not overtaken by the follow-up", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ tool: { name: "cannot_answer", args: { missing: "salaries" } } }, { text: "Sorry." }] });
    const { id } = await sessions.create({ workspace: "demo", question: "Who earns most?" });
    const reader = await readStream(sessions, id);
    await reader.turn("waiting");
    const { gateId = "", hash = "" } = reader.of("gate_opened")[0]?.data ?? {};
    await sessions.answer(id, gateId, { answerId: "a", hash, answer: "continue" });
    await reader.turn("idle");
    await play({ start: [{ tool: decide("albums") }] });
    // This process hears nothing for as long as the child needs to take the words and ask: both then come at once.
    const deaf = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
    const close = await sessions.stream(id, undefined, {
      write: (frame) => {
        if (frame.includes("Then how many albums?")) process.nextTick(deaf);
        return true;
      },
      close: () => undefined,
      bufferedBytes: () => 0,
    });
    await sessions.prompt(id, "Then how many albums?");
    await reader.turn("waiting");
    expect(reader.of("gate_opened")).toHaveLength(2);
    expect(await sessions.view(id)).toMatchObject({ openGate: { kind: "decision-review" } });
    close();
  }, 60_000);

  it("when-needed: a gate with nothing to look at passes by policy, and the ledger says so", async () => {
    const { sessions, play } = scripted;
    await play({ start: [{ tool: decide("rows per artist") }, { text: "On I go." }] });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?", review: "when-needed" });
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    expect(
      (await scripted.entries(id)).filter((entry) => "by" in entry).map((entry) => (entry as { by: string }).by),
    ).toEqual(["policy", "policy", "policy"]);
    expect(await sessions.view(id)).toMatchObject({ phase: "F2", openGate: null });
  }, 60_000);

  it("going back a phase supersedes what was decided since, and the model goes on from there", async () => {
    const { sessions, play } = scripted;
    await play({
      start: [{ tool: decide("rows per artist") }, { tool: decide("x", "F2") }],
      resume: [{ tool: decide("rows per album") }],
    });
    const { id } = await sessions.create({ workspace: "demo", question: "How many?", review: "when-needed" });
    const reader = await readStream(sessions, id);
    await reader.turn("idle");
    await expect(sessions.reopen(id, "F4")).rejects.toMatchObject({ code: "phase-not-reached" });
    await sessions.reopen(id, "F1");
    await reader.until(() => reader.of("prompt").length === 2, "the words");
    await reader.turn("idle");
    const { entries } = await sessions.ledger(id);
    expect(entries.filter((entry) => entry.type === "decision").map((entry) => [entry.decision, entry.holds])).toEqual([
      [{ kind: "interpretation", aspect: "restatement", text: "rows per artist" }, false],
      [{ kind: "interpretation", aspect: "restatement", text: "rows per album" }, true],
    ]);
  }, 60_000);
});
