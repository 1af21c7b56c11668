/**
 * `node bench/session-list.ts [--quick]`: the list of sessions in a home with 10,000 of them (2,000 when quick): what a poll costs with all
 * in memory, after a restart, and with a search.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSessions } from "../src/server/sessions/sessions.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { quantile, toMs } from "./figures.ts";

const silent = () => undefined;
const words = ["artists", "customers", "invoices", "tracks"];

/** Writes one answered session as it stands on disk. */
export function writeSession(home: string, index: number): void {
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

async function time(work: () => Promise<unknown>, times: number): Promise<{ p50: number; most: number }> {
  const spans: number[] = [];
  for (let run = 0; run < times; run++) {
    const start = performance.now();
    await work();
    spans.push(performance.now() - start);
  }
  return { p50: quantile(spans, 0.5), most: Math.max(...spans) };
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const count = quick ? 2_000 : 10_000;
  const all = `list of ${count.toLocaleString("en-US")} sessions`;
  const home = mkdtempSync(join(tmpdir(), "thoth-bench-sessions-"));
  const open = () => createSessions({ home, log: { info: silent, warn: silent, error: silent } });
  const page = { limit: 200 };
  try {
    for (let index = 0; index < count; index++) writeSession(home, index);
    let sessions = open();
    const begun = performance.now();
    await sessions.list(page);
    const firstEver = performance.now() - begun;
    while ((await sessions.list(page)).total < count) await new Promise((resolve) => setTimeout(resolve, 100));
    const allRead = performance.now() - begun;
    const poll = await time(() => sessions.list(page), 20);
    const search = await time(() => sessions.list({ ...page, text: "tracks 77" }), 20);
    await sessions.close();
    sessions = open();
    const restarted = await time(() => sessions.list(page), 1);
    await sessions.close();
    const group = "load" as const;
    const budget = "< 100 ms";
    return {
      rows: [
        toRow({
          group,
          what: `${all}, a poll`,
          budget,
          figure: `${toMs(poll.p50)}, most ${toMs(poll.most)}`,
          holds: poll.most < 100,
          values: { p50Ms: poll.p50, mostMs: poll.most },
        }),
        toRow({
          group,
          what: `${all}, searched`,
          budget,
          figure: `${toMs(search.p50)}, most ${toMs(search.most)}`,
          holds: search.most < 100,
          values: { p50Ms: search.p50, mostMs: search.most },
        }),
        toRow({
          group,
          what: `${all}, first after a restart`,
          budget,
          figure: toMs(restarted.p50),
          holds: restarted.p50 < 100,
          values: { ms: restarted.p50 },
        }),
        toRow({
          group,
          what: `${all} never read before`,
          budget: "",
          figure: `first answer ${toMs(firstEver)}, all read after ${toMs(allRead)}`,
          holds: null,
          values: { firstMs: firstEver, allReadMs: allRead },
        }),
      ],
    };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) await runAlone(measure);
