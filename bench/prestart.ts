/**
 * `node bench/prestart.ts [rounds]`: how long a new session takes to its first `activity_delta` or `tool` event, with a
 * child that is started for it and with one that was ready. Both in one run, by turns, on one machine. Prints the ratio.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createSessions, type Sessions } from "../src/server/sessions/sessions.ts";

const rounds = Number(process.argv[2] ?? 7);
const quiet = { info: () => undefined, warn: () => undefined, error: console.error };
const question = "How many artists are there?";

/** Milliseconds from the question to the first sign of work. */
async function timeFirstSign(sessions: Sessions): Promise<number> {
  const begun = performance.now();
  const { id } = await sessions.create({ workspace: "demo", question });
  const first = await new Promise<number>((resolve) => {
    void sessions.stream(id, undefined, {
      write(frame) {
        if (/^event: (activity_delta|tool)\n/.test(frame)) resolve(performance.now() - begun);
        return true;
      },
      close: () => undefined,
      bufferedBytes: () => 0,
    });
  });
  await sessions.abort(id);
  await sessions.remove(id);
  return first;
}

async function waitUntilReady(sessions: Sessions): Promise<void> {
  for (const deadline = performance.now() + 120_000; (await sessions.count()).children.reserved === 0; await pause(50))
    if (performance.now() > deadline) throw new Error("No child became ready: the machine is too busy to measure.");
  await pause(500); // what the start stirred up has settled
}

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const home = await mkdtemp(join(tmpdir(), "thoth-prestart-"));
const other = await mkdtemp(join(tmpdir(), "thoth-prestart-"));
const cold = createSessions({ home, log: quiet });
const ready = createSessions({ home: other, log: quiet, prestartMs: 200 });
try {
  // The first round fills caches: the catalog, the values' index, V8's.
  await timeFirstSign(cold);
  await waitUntilReady(ready);
  await timeFirstSign(ready);
  const figures: { cold: number[]; ready: number[] } = { cold: [], ready: [] };
  for (let round = 0; round < rounds; round += 1) {
    await waitUntilReady(ready);
    figures.cold.push(await timeFirstSign(cold));
    figures.ready.push(await timeFirstSign(ready));
  }
  const [coldMs, readyMs] = [median(figures.cold), median(figures.ready)];
  const all = (values: number[]) => values.map(Math.round).join(", ");
  console.log(`started for it: ${Math.round(coldMs)} ms (${all(figures.cold)})`);
  console.log(`ready before:   ${Math.round(readyMs)} ms (${all(figures.ready)})`);
  console.log(`ratio ${(readyMs / coldMs).toFixed(3)} (budget 0.2)`);
} finally {
  await Promise.all([cold.close(), ready.close()]);
  await rm(home, { recursive: true, force: true });
  await rm(other, { recursive: true, force: true });
}
