/**
 * `node bench/load.ts [--quick]`: a real server with scripted models under more than one person's load: 200 readers on 20
 * running sessions (some slow, some vanishing), 50 questions at once, and the memory after 1,000 sessions.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createSessions } from "../src/server/sessions/sessions.ts";
import { StrainedServer } from "../test/load/strained-server.ts";
import { StreamReader } from "../test/load/stream-reader.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { quantile, toMs } from "./figures.ts";
import { writeSession } from "./session-list.ts";
import type { StreamPlan } from "./stream-extension.ts";

const group = "load" as const;
/** Milliseconds for one stage; the bench as a whole has its limit from what started it. */
const patience = 200_000;
const silent = () => undefined;

async function measureReaders(sessions: number, readers: number, seconds: number): Promise<Row[]> {
  const perSecond = 50;
  const deltas = perSecond * seconds;
  const plan: StreamPlan = { rows: 5, deltas, perSecond, perBlock: 200, padding: 100 };
  const server = await StrainedServer.start(
    {},
    { environment: { EXTENSION: fileURLToPath(new URL("stream-extension.ts", import.meta.url)) } },
  );
  try {
    writeFileSync(join(server.home, "stream.json"), JSON.stringify(plan));
    const ids = await Promise.all(Array.from({ length: sessions }, (_, at) => server.create(`Question ${at}?`)));
    await server.until(
      async () => (await Promise.all(ids.map(server.view))).every((view) => view.live),
      "the children",
    );
    const all = Array.from({ length: readers }, (_, at) => new StreamReader(server, ids[at % ids.length] ?? ""));
    await Promise.all(all.map((reader) => reader.open()));
    const tenth = Math.floor(readers / 10);
    const [slow, gone, good] = [all.slice(0, tenth), all.slice(tenth, 2 * tenth), all.slice(2 * tenth)];
    for (const reader of slow) reader.stall();
    writeFileSync(join(server.home, "go"), "");
    const from = performance.now();
    await pause((seconds * 1000) / 2);
    for (const reader of gone) reader.vanish();
    await server.until(
      async () => (await Promise.all(ids.map(server.view))).every((view) => view.turn === "idle"),
      "the end of all answers",
      patience,
    );
    await server.until(async () => good.every((reader) => reader.lastSeq >= deltas), "the last frames", patience);
    const took = (performance.now() - from) / 1000;
    for (const reader of slow) reader.goOn();
    for (const reader of gone) await reader.open();
    await server.until(
      async () => [...slow, ...gone].every((reader) => reader.lastSeq >= deltas || reader.ended),
      "the last frames for those that came back",
      patience,
    );
    for (const reader of slow.filter((one) => one.ended)) await reader.open();
    await server.until(
      async () => all.every((reader) => reader.lastSeq >= deltas),
      "the last frame for everyone",
      patience,
    );
    const lost = good.reduce((sum, reader) => sum + reader.gaps + (reader.lastSeq - reader.frames), 0);
    const silently = [...slow, ...gone].reduce((sum, reader) => sum + reader.gaps, 0);
    const ages = good.flatMap((reader) => reader.ages);
    const what = `${readers} readers on ${sessions} running sessions`;
    const frames = all.reduce((sum, reader) => sum + reader.frames, 0);
    for (const reader of all) reader.vanish();
    return [
      toRow({
        group,
        what: `${what}: frames lost for ${good.length} that read`,
        budget: "0",
        figure: String(lost),
        holds: lost === 0,
        values: { frames, framesPerSecond: Math.round(frames / took) },
      }),
      toRow({
        group,
        what: `${what}: untold gaps for ${slow.length} slow and ${gone.length} that vanished`,
        budget: "0",
        figure: String(silently),
        holds: silently === 0,
        values: { resets: [...slow, ...gone].reduce((sum, reader) => sum + reader.resets.length, 0) },
      }),
      toRow({
        group,
        what: `${what}: child's write to reader`,
        budget: "",
        figure: `p50 ${toMs(quantile(ages, 0.5))}, p99 ${toMs(quantile(ages, 0.99))} at ${Math.round(frames / took).toLocaleString("en-US")} frames/s`,
        holds: null,
        values: { p50Ms: quantile(ages, 0.5), p99Ms: quantile(ages, 0.99) },
      }),
    ];
  } finally {
    await server.remove();
  }
}

async function measureStarts(count: number): Promise<Row[]> {
  const decide = { tool: { name: "reviewer_decide", args: { phase: "F1", text: "rows per artist" } } };
  const server = await StrainedServer.start({ start: [decide] });
  try {
    const from = performance.now();
    const made = await Promise.all(Array.from({ length: count }, (_, at) => server.ask(`Question ${at}?`)));
    const acknowledged = performance.now() - from;
    const ids = made.flatMap((one) => ("id" in one ? [one.id] : []));
    let highest = 0;
    let failed = made.length - ids.length;
    for (let open = new Set(ids); open.size > 0; await pause(200)) {
      for (const id of open) {
        const view = await server.view(id);
        highest = Math.max(highest, view.startPlace ?? 0);
        if (view.turn === "failed") failed += 1;
        if (view.turn !== "running") open.delete(id);
      }
      if (performance.now() - from > 240_000) {
        failed += open.size;
        open = new Set();
      }
    }
    const all = performance.now() - from;
    return [
      toRow({
        group,
        what: `${count} questions at once: failures`,
        budget: "0, queued with their place shown",
        figure: `${failed}; highest place shown ${highest}`,
        holds: failed === 0 && highest > 0,
        values: { failed, highest },
      }),
      toRow({
        group,
        what: `${count} questions at once: until each was taken, and at its first gate`,
        budget: "",
        figure: `${toMs(acknowledged)}, ${toMs(all)}`,
        holds: null,
        values: { acknowledgedMs: acknowledged, allAtGateMs: all },
      }),
    ];
  } finally {
    await server.remove();
  }
}

/** Bytes of heap and what hangs on it, after collection. */
function weigh(): number {
  if (!globalThis.gc) throw new Error("start it with --expose-gc");
  for (let round = 0; round < 3; round += 1) globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function measureMemory(count: number): Promise<Row> {
  const home = mkdtempSync(join(tmpdir(), "thoth-memory-"));
  for (let index = 0; index < count; index += 1) writeSession(home, index);
  // A clock of our own: a session that nobody has touched for seconds may be forgotten.
  let now = Date.now();
  const log = { info: silent, warn: silent, error: silent };
  const sessions = createSessions({ home, log, clock: () => now });
  try {
    while ((await sessions.list()).total < count) await pause(100);
    const ids = (await sessions.list()).sessions.map(({ id }) => id);
    const weights: number[] = [];
    for (const [at, id] of ids.entries()) {
      const close = await sessions.stream(id, undefined, {
        write: () => true,
        close: silent,
        bufferedBytes: () => 0,
      });
      await sessions.view(id);
      close();
      now += 1000;
      if ((at + 1) % Math.floor(count / 10) === 0) weights.push(weigh());
    }
    const mean = (list: number[]) => list.reduce((sum, one) => sum + one, 0) / Math.max(1, list.length);
    const grown = mean(weights.slice(-3)) - mean(weights.slice(3, 6));
    const mega = (bytes = 0) => `${(bytes / 1e6).toFixed(1)} MB`;
    return toRow({
      group,
      what: `server's memory over ${count.toLocaleString("en-US")} sessions opened and closed`,
      budget: "flat: last third at most 2 MB above the second",
      figure: `${mega(grown)} above it`,
      reference: `${mega(weights[0])} to ${mega(weights.at(-1))} in all`,
      holds: grown <= 2e6,
      values: { megabytes: weights.map((one) => Math.round(one / 1e4) / 100) },
    });
  } finally {
    await sessions.close();
    rmSync(home, { recursive: true, force: true });
  }
}

export async function measure({ quick, keep }: BenchOptions): Promise<{ rows: Row[] }> {
  const rows = await measureReaders(quick ? 3 : 20, quick ? 30 : 200, quick ? 4 : 30);
  keep?.(rows);
  rows.push(...(await measureStarts(quick ? 6 : 50)));
  keep?.(rows);
  rows.push(await measureMemory(quick ? 300 : 1000));
  return { rows };
}

if (import.meta.main) await runAlone(measure);
