/** Many processes on one ledger, some of them killed, and a reader beside them. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { changeLedger, readLedger } from "../../src/ledger/ledger.ts";
import type { LedgerEntry, NewEntry } from "../../src/protocol/index.ts";

const id = "session0001";
const ledgerModule = JSON.stringify(new URL("../../src/ledger/ledger.ts", import.meta.url).href);
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "ledger-"));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

/** A process that appends `changes` times two entries at once, named after itself. */
function startWriter(changes: number, text = ""): ChildProcess {
  const script = `import { changeLedger } from ${ledgerModule};
    for (let n = 0; n < ${changes}; n += 1)
      await changeLedger(${JSON.stringify(dir)}, "${id}", () => ({ value: null, entries: ["a", "b"].map((half) => (
        { type: "prompt", text: [process.pid, n, half].join(":") + ${JSON.stringify(text)}, kind: "steer" })) }));`;
  return spawn(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], {
    stdio: ["ignore", "ignore", "inherit"],
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });
}
const ended = (child: ChildProcess) => new Promise((done) => child.once("exit", done));
const prompt = (text: string): NewEntry => ({ type: "prompt", text, kind: "steer" });

async function entriesOnDisk(): Promise<(LedgerEntry & { text: string })[]> {
  return JSON.parse(await readFile(join(dir, "ledger.json"), "utf8")).entries;
}
const upTo = (length: number): number[] => Array.from({ length }, (_, index) => index + 1);

describe("ledger between processes", () => {
  it("C4.1 C4.2 eight processes append 200 changes each: no gap, no number twice, the two entries of a change together", async () => {
    const writers = upTo(8).map(() => startWriter(200));
    await Promise.all(writers.map(ended));
    const entries = await entriesOnDisk();
    expect(entries.map((entry) => entry.seq)).toEqual(upTo(8 * 200 * 2));
    expect(new Set(entries.map((entry) => entry.text)).size).toBe(8 * 200 * 2);
    for (let at = 0; at < entries.length; at += 2)
      expect(entries[at + 1]?.text).toBe(entries[at]?.text.replace(/a$/, "b"));
  }, 120_000);

  it("C4.3 C4.2 with a process killed every 50 ms the ledger is whole and gap-free all the time", async () => {
    const blank = "x".repeat(30_000);
    const writers = upTo(3).map(() => startWriter(1e6, blank));
    await pause(600);
    for (let kill = 0; kill < 20; kill += 1) {
      await pause(50);
      writers.shift()?.kill("SIGKILL");
      writers.push(startWriter(1e6, blank));
      const { entries } = await readLedger(dir, id);
      expect(entries.map((entry) => entry.seq)).toEqual(upTo(entries.length));
      expect(entries.length % 2).toBe(0);
    }
    for (const writer of writers) writer.kill("SIGKILL");
    await Promise.all(writers.map((writer) => (writer.exitCode ?? writer.signalCode) === null && ended(writer)));
    const started = performance.now();
    const { appended, ledger } = await changeLedger(dir, id, () => ({ entries: [prompt("after")], value: null }));
    // A lock that the dead had kept would hold for 30 s; the rest is a busy machine's own.
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(appended[0]?.seq).toBe(ledger.entries.length);
  }, 120_000);

  it("C4.1 C4.3 a reader beside a busy writer sees a whole ledger each time, old or new, and waits for nobody", async () => {
    await changeLedger(dir, id, () => ({ entries: [prompt("y".repeat(2_000_000))], value: null }));
    const writer = startWriter(1e6);
    let last = 0;
    let changed = 0;
    for (const until = performance.now() + 25_000; changed < 20 && performance.now() < until; ) {
      // The file itself, without what this process may have kept of it.
      const entries = await entriesOnDisk();
      expect(entries.map((entry) => entry.seq)).toEqual(upTo(entries.length));
      expect(entries.length).toBeGreaterThanOrEqual(last);
      if (entries.length > last) changed += 1;
      last = entries.length;
    }
    writer.kill("SIGKILL");
    await ended(writer);
    expect(changed).toBeGreaterThan(5);
  }, 60_000);

  it("C3.2 C4.1 one entry that can't be written keeps the whole change out", async () => {
    const join = (right: unknown) =>
      ({
        type: "decision",
        phase: "F3",
        gateId: "g",
        by: "reviewer",
        decision: {
          kind: "join",
          left: { table: "Artist", alias: "a" },
          type: "INNER",
          right,
          pairs: [{ left: "ArtistId", right: "ArtistId" }],
        },
      }) as NewEntry;
    await changeLedger(dir, id, () => ({ entries: [prompt("q")], value: null }));
    const before = await readFile(`${dir}/ledger.json`);
    await expect(
      changeLedger(dir, id, () => ({
        entries: [join({ table: "Album", alias: "b" }), join({ table: 7 })],
        value: null,
      })),
    ).rejects.toMatchObject({ code: "ledger-entry" });
    expect(await readFile(`${dir}/ledger.json`)).toEqual(before);
  });
});
