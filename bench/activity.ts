/**
 * `node bench/activity.ts [--quick]`: a real Pi child streams into a visible page, steadily beside 500 finished rows and
 * then as a flood. Age of a delta: from the child's write to the DOM, by one clock.
 */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { launch, ScriptedPage } from "../test/browser/scripted-page.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { quantile, toMs } from "./figures.ts";
import type { StreamPlan } from "./stream-extension.ts";
import { lastSeen, readWatched, startWatching, watchCommits } from "./watch-page.ts";

export async function watch(browser: Browser, plan: StreamPlan) {
  const page = await ScriptedPage.start({
    extension: fileURLToPath(new URL("stream-extension.ts", import.meta.url)),
    setUp: (home) => writeFileSync(join(home, "stream.json"), JSON.stringify(plan)),
  });
  try {
    const context = await page.enter(browser);
    await watchCommits(context);
    const id = await page.create("How fast?");
    const tab = await page.open(context, id);
    await tab
      .getByText(`Row ${plan.rows - 1} stands here`, { exact: false })
      .last()
      .waitFor({ timeout: 60_000 });
    await tab.waitForTimeout(1_500);
    await startWatching(tab);
    const from = performance.now();
    writeFileSync(join(page.home, "go"), "");
    const patience = performance.now() + (plan.deltas / plan.perSecond) * 1000 * 4 + 60_000;
    while ((await lastSeen(tab)) < plan.deltas - 1) {
      if (performance.now() > patience) throw new Error(`only ${await lastSeen(tab)} deltas arrived`);
      await tab.waitForTimeout(250);
    }
    const seconds = (performance.now() - from) / 1000;
    const seen = await readWatched(tab);
    await context.close();
    return {
      seconds,
      seen,
      p50: quantile(seen.ages, 0.5),
      p99: quantile(seen.ages, 0.99),
      commitsPerSecond: Math.round((seen.commits / seconds) * 10) / 10,
      longestTaskMs: Math.max(0, ...seen.longTasks),
    };
  } finally {
    await page.remove();
    rmSync(page.home, { recursive: true, force: true });
  }
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const browser = await launch();
  try {
    const [rows, rate] = [500, 200];
    const steady = await watch(browser, { rows, deltas: quick ? 800 : 4000, perSecond: rate, perBlock: 400 });
    const flood = await watch(browser, { rows, deltas: quick ? 5000 : 50_000, perSecond: rate * 10, perBlock: 5_000 });
    const beside = `${rate} deltas/s beside ${rows} rows`;
    const group = "budget" as const;
    return {
      rows: [
        toRow({
          group,
          what: `Pi record to DOM, ${beside}`,
          budget: "p99 < 50 ms",
          figure: `p99 ${toMs(steady.p99)}, p50 ${toMs(steady.p50)}`,
          holds: steady.p99 < 50,
          values: { p50Ms: steady.p50, p99Ms: steady.p99, longestTaskMs: steady.longestTaskMs },
        }),
        toRow({
          group,
          what: `React commits, ${beside}`,
          budget: "at most 60/s",
          figure: `${steady.commitsPerSecond}/s`,
          holds: steady.commitsPerSecond <= 60,
          values: { commitsPerSecond: steady.commitsPerSecond, longTasks: steady.seen.longTasks.length },
        }),
        toRow({
          group,
          what: `finished rows rendered again, ${beside}`,
          budget: "0",
          figure: String(steady.seen.finishedRenders),
          holds: steady.seen.finishedRenders === 0,
        }),
        toRow({
          group: "page",
          what: `the same as a flood of ${rate * 10} deltas/s`,
          budget: "",
          figure: `p99 ${toMs(flood.p99)}, ${flood.commitsPerSecond} commits/s, longest task ${flood.longestTaskMs} ms`,
          holds: null,
          values: {
            p99Ms: flood.p99,
            commitsPerSecond: flood.commitsPerSecond,
            longestTaskMs: flood.longestTaskMs,
            finishedRenders: flood.seen.finishedRenders,
            deltasPerSecond: Math.round(flood.seen.ages.length / flood.seconds),
          },
        }),
      ],
    };
  } finally {
    await browser.close();
  }
}

if (import.meta.main) await runAlone(measure);
