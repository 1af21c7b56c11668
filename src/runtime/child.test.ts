import { setTimeout as pause } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { startChild } from "./child.ts";
import type { PiRecord } from "./rpc-client.ts";
import { createWatchdog } from "./watchdog.ts";

/** A child that is no Pi: a few lines of script that speak its protocol, or break it. */
function start(script: string, grace = { afterEofMs: 10_000, afterTermMs: 10_000 }) {
  const records: PiRecord[] = [];
  const faults: string[] = [];
  const child = startChild(
    { file: process.execPath, args: ["-e", script], env: { PATH: process.env.PATH ?? "" }, cwd: "/tmp" },
    { onRecord: (record) => records.push(record), onFault: (fault) => faults.push(fault), grace },
  );
  return { child, records, faults };
}

const echo = `
  let text = "";
  process.stdin.on("data", (chunk) => {
    text += chunk;
    for (let end; (end = text.indexOf("\\n")) >= 0; text = text.slice(end + 1)) {
      const command = JSON.parse(text.slice(0, end));
      process.stdout.write(JSON.stringify({ type: "event", of: command.type }) + "\\nnot json\\nnull\\n[1]\\n");
      if (command.type === "silent") continue;
      process.stdout.write(JSON.stringify({ type: "response", id: command.id, success: command.type !== "bad", data: command, error: "raw detail" }) + "\\n");
    }
  });`;

it("responses find their commands, other records the listener, and what is no record nobody", async () => {
  const { child, records } = start(echo);
  const [a, b] = await Promise.all([child.rpc.send({ type: "one" }), child.rpc.send({ type: "two" })]);
  expect([a, b]).toMatchObject([{ type: "one" }, { type: "two" }]);
  expect(records).toEqual([
    { type: "event", of: "one" },
    { type: "event", of: "two" },
  ]);
  await expect(child.rpc.send({ type: "bad" })).rejects.toMatchObject({
    fault: "refused",
    command: "bad",
    detail: "raw detail",
  });
  await expect(child.rpc.send({ type: "silent" }, 100)).rejects.toMatchObject({ fault: "timeout" });
  expect(() => child.rpc.post(null as never)).toThrow("an object");
  expect(await child.stop()).toMatchObject({ code: 0, signal: null, intended: true });
  await expect(child.rpc.send({ type: "late" })).rejects.toMatchObject({ fault: "closed" });
});

it("writing to a child that has just gone fails the command and nothing else", async () => {
  const { child } = start("process.exit(3)");
  const sent = Array.from({ length: 20 }, (_, index) =>
    child.rpc.send({ type: "prompt", message: "x".repeat(100_000), index }).catch((error: unknown) => error),
  );
  for (const error of await Promise.all(sent)) expect(error).toMatchObject({ fault: "closed" });
  const exit = await child.exited;
  expect(exit.intended).toBe(false);
  child.rpc.post({ type: "extension_ui_response" });
  await pause(50);
});

it("the force follows when neither the end of stdin nor SIGTERM is heeded, decided on the exit itself", async () => {
  const { child, records } = start(
    `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); console.error("last words"); console.log('{"type":"up"}');`,
    { afterEofMs: 150, afterTermMs: 150 },
  );
  while (records.length === 0) await pause(10);
  const started = performance.now();
  const exit = await child.stop();
  expect(exit).toMatchObject({ code: null, signal: "SIGKILL", intended: true });
  expect(exit.stderr).toContain("last words");
  expect(performance.now() - started).toBeGreaterThan(280);
});

it("an end nobody asked for is unintended, also with code 0 and by a signal", async () => {
  expect(await start("process.exit(0)").child.exited).toMatchObject({ code: 0, intended: false });
  expect(await start(`process.kill(process.pid, "SIGKILL")`).child.exited).toMatchObject({
    code: null,
    signal: "SIGKILL",
    intended: false,
  });
  const missing = startChild({ file: "/no/such/node", args: [], env: {}, cwd: "/tmp" }, { onRecord: () => undefined });
  expect(await missing.exited).toMatchObject({ code: null, intended: false });
});

it("an over-long record is a typed fault, and the child is ended", async () => {
  const { child, faults } = start(
    `const piece = "x".repeat(1 << 20); for (let n = 0; n < 34; n += 1) process.stdout.write(piece); setInterval(() => {}, 1000);`,
  );
  expect(await child.exited).toMatchObject({ signal: "SIGKILL" });
  expect(faults).toEqual(["line-too-long"]);
});

it("the watchdog barks after silence only, and not while it is paused", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  try {
    let barks = 0;
    const dog = createWatchdog(1000, () => {
      barks += 1;
    });
    dog.start();
    for (let n = 0; n < 6; n += 1) {
      vi.advanceTimersByTime(600);
      dog.touch();
    }
    vi.advanceTimersByTime(999);
    expect(barks).toBe(0);
    dog.pause();
    vi.advanceTimersByTime(60_000);
    expect(barks).toBe(0);
    dog.start();
    vi.advanceTimersByTime(1001);
    expect(barks).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(barks).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
