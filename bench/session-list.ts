/**
 * The list of sessions in a home with many of them: what a poll costs, before anything was read, with all in memory,
 * after a restart, and with a search. `node bench/session-list.ts [SESSIONS]`, 10,000 when absent.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSessions } from "../src/server/sessions/sessions.ts";

const count = Number(process.argv[2] ?? 10_000);
const home = mkdtempSync(join(tmpdir(), "thoth-bench-sessions-"));
const silent = () => undefined;
const words = ["artists", "customers", "invoices", "tracks"];

function write(index: number): void {
  const time = Date.UTC(2026, 0, 1) + index * 600_000;
  const at = new Date(time).toISOString();
  const id = time.toString(36).padStart(9, "0") + index.toString(16).padStart(12, "0");
  const dir = join(home, "sessions", id);
  mkdirSync(dir, { recursive: true });
  const question = `Which ${words[index % words.length]} of region ${index} earned the most?`;
  const manifest = {
    ...{ version: 1, id, workspace: "demo", question, provider: "thoth", model: "offline", thinking: "low" },
    ...{ review: "every-phase", promptVersion: "1", catalogChecksum: "c", createdAt: at, updatedAt: at },
  };
  const query = { type: "query", tool: "run_query", sql: `SELECT ${"x, ".repeat(60)}y`, ok: true, rowCount: 1, ms: 2 };
  const entries = [
    { type: "prompt", text: question, kind: "question" },
    ...Array.from({ length: 20 }, () => query),
    { type: "outcome", outcome: "answered" },
  ].map((entry, at0) => ({ seq: at0 + 1, at, ...entry }));
  writeFileSync(join(dir, "manifest.json"), JSON.stringify(manifest));
  writeFileSync(join(dir, "ledger.json"), JSON.stringify({ version: 1, sessionId: id, entries }));
}

async function time(name: string, work: () => Promise<{ total: number }>, times = 1): Promise<number> {
  const spans: number[] = [];
  let total = 0;
  for (let run = 0; run < times; run++) {
    const start = performance.now();
    total = (await work()).total;
    spans.push(performance.now() - start);
  }
  const sorted = spans.toSorted((a, b) => a - b);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const most = sorted.at(-1) ?? 0;
  process.stdout.write(
    `${name.padEnd(34)} ${middle.toFixed(1).padStart(8)} ms  most ${most.toFixed(1)} ms  ${total} sessions\n`,
  );
  return total;
}

const open = () => createSessions({ home, log: { info: silent, warn: silent, error: silent } });

try {
  for (let index = 0; index < count; index++) write(index);
  let sessions = open();
  const page = { limit: 200 };
  await time("first ever", () => sessions.list(page));
  const start = performance.now();
  while ((await sessions.list(page)).total < count) await new Promise((resolve) => setTimeout(resolve, 200));
  process.stdout.write(`all read after                     ${(performance.now() - start).toFixed(0)} ms more\n`);
  await time("poll", () => sessions.list(page), 20);
  await time("search", () => sessions.list({ ...page, text: "tracks 77" }), 20);
  await time("everything", () => sessions.list(), 5);
  await sessions.close();
  sessions = open();
  await time("first after a restart", () => sessions.list(page));
  await time("poll after a restart", () => sessions.list(page), 20);
  await sessions.close();
} finally {
  rmSync(home, { recursive: true, force: true });
}
