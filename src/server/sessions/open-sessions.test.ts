import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as turnAround } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { createSessions, type Sessions } from "./sessions.ts";

let home: string;
let sessions: Sessions;
afterEach(async () => {
  await sessions.close();
  rmSync(home, { recursive: true, force: true });
});

const at = "2026-01-05T09:00:00.000Z";
const idOf = (index: number): string => `0kept${String(index).padStart(16, "0")}`;

/** A home with so many answered sessions, and a server whose clock moves a minute with each look. */
function open(count: number): { look(index: number): Promise<void>; inMemory(): Promise<number> } {
  home = mkdtempSync(join(tmpdir(), "thoth-open-"));
  for (let index = 0; index < count; index += 1) {
    const id = idOf(index);
    const dir = join(home, "sessions", id);
    mkdirSync(dir, { recursive: true });
    const manifest = {
      ...{ version: 1, id, workspace: "demo", question: `Question ${index}?`, provider: "thoth", model: "offline" },
      ...{ thinking: "low", review: "every-phase", promptVersion: "1", catalogChecksum: "c" },
      ...{ createdAt: at, updatedAt: at },
    };
    const entries = [
      { type: "prompt", text: manifest.question, kind: "question" },
      { type: "outcome", outcome: "answered" },
    ].map((entry, index0) => ({ seq: index0 + 1, at, ...entry }));
    writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
    writeFileSync(join(dir, "ledger.json"), JSON.stringify({ version: 1, sessionId: id, entries }));
  }
  let now = Date.parse(at);
  const silent = () => undefined;
  sessions = createSessions({ home, clock: () => now, log: { info: silent, warn: silent, error: silent } });
  return {
    async look(index) {
      now += 60_000;
      expect(await sessions.view(idOf(index))).toMatchObject({ question: `Question ${index}?`, outcome: "answered" });
      await turnAround();
      await turnAround();
    },
    async inMemory() {
      const { turns } = await sessions.count();
      return turns.idle + turns.running + turns.waiting + turns.failed;
    },
  };
}

it("keeps the hundred sessions that were used last, and reads the others again as they were", async () => {
  const { look, inMemory } = open(160);
  for (let index = 0; index < 160; index += 1) await look(index);
  expect(await inMemory()).toBe(100);
  await look(0);
  await look(159);
  expect(await inMemory()).toBe(100);
  expect((await sessions.list()).total).toBe(160);
});

it("forgets none that somebody watches, however long ago it was opened", async () => {
  const { look, inMemory } = open(150);
  const frames: string[] = [];
  const close = await sessions.stream(idOf(0), undefined, {
    write: (frame) => frames.push(frame) > 0,
    close: () => frames.push("closed"),
    bufferedBytes: () => 0,
  });
  for (let index = 1; index < 150; index += 1) await look(index);
  expect(await inMemory()).toBe(101);
  await sessions.patch(idOf(0), { name: "Watched" });
  expect((await sessions.view(idOf(0))).name).toBe("Watched");
  expect(frames).not.toContain("closed");
  close();
  await look(1);
  await look(2);
  expect(await inMemory()).toBe(100);
});
