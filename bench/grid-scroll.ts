/**
 * `node bench/grid-scroll.ts [--quick]`: scrolls a result of 100,000 rows in headless Chromium and tells the longest
 * frame. The same number of frames at rest, in the same run, shows what of it is the machine's.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { QueryResult } from "../src/protocol/index.ts";
import { pageDir } from "../src/server/project.ts";
import { startServer } from "../src/server/serve.ts";
import { keepAnswered } from "../test/browser/kept-session.ts";
import { launch } from "../test/browser/scripted-page.ts";
import { freePort } from "../test/fixtures/product.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { toMs } from "./figures.ts";

const rows = 100_000;
const budgetMs = 50;
/** What the result route would answer; the database's own time is not what is measured. */
const toResult = (): QueryResult => ({
  columns: ["id", "name", "note", "wide", "amount", "json", "day", "even"].map((name, index) => ({
    name,
    type: ["INTEGER", "TEXT", "TEXT", "BIGINT", "REAL", "TEXT", "DATE", "BOOLEAN"][index] ?? "",
  })),
  rows: Array.from({ length: rows }, (_, i) => [
    i,
    `name ${(i * 7919) % 100003}`,
    i % 5 === 0 ? null : i % 7 === 0 ? "" : `Notiz ${i % 13} für später`,
    String(9007199254740993n + BigInt(i)),
    Math.round(i * 137) / 100,
    `{"a":${i},"list":[1,2]}`,
    new Date(Date.UTC(2020, 0, 1 + (i % 900))).toISOString().slice(0, 10),
    i % 2 === 0,
  ]),
  rowCount: rows,
  truncated: false,
});

interface Frames {
  frames: number;
  longestMs: number;
  p99Ms: number;
  over: number;
  /** Milliseconds of the main thread's own time per frame. */
  workMs?: number;
}

/** Frame times in milliseconds; the first two are the loop's own start. */
function toFrames(times: number[]): Frames {
  const sorted = times.slice(2).sort((a, b) => a - b);
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) / 10;
  return {
    frames: sorted.length,
    longestMs: at(1),
    p99Ms: at(0.99),
    over: sorted.filter((ms) => ms > budgetMs).length,
  };
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const frames = quick ? 60 : 240;
  const home = mkdtempSync(join(tmpdir(), "thoth-scroll-"));
  const server = await startServer({ home, port: await freePort(), page: pageDir });
  const browser = await launch();
  try {
    const id = keepAnswered(home, "A hundred thousand rows", "SELECT 1");
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.createEntry());
    await page.waitForURL(`${server.address}/`);
    const result = toResult();
    await page.route(/\/result\?/, (route) => route.fulfill({ json: result }));
    await page.goto(`${server.address}/s/${id}`);
    await page.locator(`[role=grid][aria-rowcount="${rows + 1}"]`).waitFor({ timeout: 180_000 });
    await page.waitForTimeout(1000);

    /** Pixels per frame: at rest, as one reads, as one flings, and in leaps across the whole. */
    const scroll = (pixels: number, count: number): Promise<number[]> =>
      page.evaluate(
        ({ pixels, count }) =>
          new Promise<number[]>((done) => {
            const scroller = document.querySelector("[role=grid]")?.parentElement;
            if (!scroller) throw new Error("There is no grid.");
            const times: number[] = [];
            let last = performance.now();
            let down = 1;
            const tick = (now: number) => {
              times.push(now - last);
              last = now;
              if (times.length > count) return done(times);
              if (scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 1) down = -1;
              scroller.scrollTop += pixels * down;
              requestAnimationFrame(tick);
            };
            requestAnimationFrame(tick);
          }),
        { pixels, count },
      );
    // Work of the page's main thread alone, whatever else the machine does meanwhile.
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
    const worked = async (pixels: number, count: number): Promise<Frames> => {
      const read = async () =>
        (await cdp.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
      const before = await read();
      const frames = toFrames(await scroll(pixels, count));
      return { ...frames, workMs: Math.round((((await read()) - before) * 10_000) / count) / 10 };
    };
    await scroll(200, 60); // what is compiled at the first scrolling is no frame of a grid that is used
    const rest = await worked(0, frames);
    const read = await worked(60, frames);
    const fling = await worked(1500, frames);
    const leap = await worked(90_000, frames);
    const drawn = await page.locator("[role=grid] tbody tr").count();
    const longestMs = Math.max(read.longestMs, fling.longestMs, leap.longestMs);
    return {
      rows: [
        toRow({
          group: "page",
          what: `scrolling a grid of ${rows.toLocaleString("en-US")} rows`,
          budget: `no frame over ${budgetMs} ms`,
          figure: `longest ${toMs(longestMs)}`,
          reference: `at rest ${toMs(rest.longestMs)}`,
          holds: longestMs <= budgetMs,
          values: {
            longestMs,
            restMs: rest.longestMs,
            readMs: read.longestMs,
            flingMs: fling.longestMs,
            leapMs: leap.longestMs,
            p99Ms: Math.max(read.p99Ms, fling.p99Ms, leap.p99Ms),
            workPerFrameMs: fling.workMs ?? 0,
            rowsInDom: drawn,
          },
        }),
      ],
    };
  } finally {
    await browser.close();
    await server.close();
    rmSync(home, { recursive: true, force: true });
  }
}

if (import.meta.main) {
  await runAlone(measure);
  process.exit(0); // the server's readers may linger
}
