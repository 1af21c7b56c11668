/**
 * `node bench/activity.ts [--deltas 4000] [--rate 200] [--rows 500] [--flood 50000] [--json FILE]`: a real Pi child
 * streams into a visible page. Prints one line per case, then JSON. Budgets: record to DOM p99 below 50 ms, at most
 * 60 commits a second, no long task, finished rows rendered 0 times.
 */
import { rmSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import type { Browser } from "playwright-core";
import { launch, ScriptedPage } from "../test/browser/scripted-page.ts";
import type { StreamPlan } from "./stream-extension.ts";
import { lastSeen, readWatched, startWatching, watchCommits } from "./watch-page.ts";

const text = (fallback: string) => ({ type: "string" as const, default: fallback });
const { values } = parseArgs({
  options: { deltas: text("4000"), rate: text("200"), rows: text("500"), flood: text("50000"), json: text("") },
});

const quantile = (sorted: number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;

async function measure(browser: Browser, name: string, plan: StreamPlan) {
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
    const ages = seen.ages.toSorted((a, b) => a - b);
    const figures = {
      case: name,
      rows: plan.rows,
      deltas: plan.deltas,
      deltasPerSecond: Math.round(plan.deltas / seconds),
      commitsPerSecond: Math.round((seen.commits / seconds) * 10) / 10,
      finishedRowRenders: seen.finishedRenders,
      longTasks: seen.longTasks.length,
      longestTaskMs: Math.max(0, ...seen.longTasks),
      lateFrames: seen.lateFrames.length,
      longestFrameMs: Math.max(0, ...seen.lateFrames),
      recordToDomMs: { p50: quantile(ages, 0.5), p95: quantile(ages, 0.95), p99: quantile(ages, 0.99) },
      gaps: seen.gaps,
      load: Math.round(loadavg()[0] ?? 0),
    };
    const { p50, p99 } = figures.recordToDomMs;
    console.log(
      `${name}: ${figures.deltasPerSecond} deltas/s beside ${plan.rows} rows, ${figures.commitsPerSecond} commits/s, ` +
        `finished rows rendered ${figures.finishedRowRenders} times, ${figures.longTasks} long tasks ` +
        `(longest ${figures.longestTaskMs} ms), record to DOM p50 ${p50} ms, p99 ${p99} ms, machine load ${figures.load}`,
    );
    await context.close();
    return figures;
  } finally {
    await page.remove();
    rmSync(page.home, { recursive: true, force: true });
  }
}

const browser = await launch();
try {
  const rate = Number(values.rate);
  const rows = Number(values.rows);
  const cases = [
    await measure(browser, "steady", { rows, deltas: Number(values.deltas), perSecond: rate, perBlock: 400 }),
  ];
  const flood = Number(values.flood);
  if (flood > 0)
    cases.push(await measure(browser, "flood", { rows, deltas: flood, perSecond: rate * 10, perBlock: 5_000 }));
  console.log(JSON.stringify(cases));
  if (values.json) writeFileSync(values.json, `${JSON.stringify(cases, null, 2)}\n`);
} finally {
  await browser.close();
}
