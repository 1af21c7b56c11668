/**
 * `node bench/page-memory.ts [--quick]`: what the page keeps after sessions were opened and left, and after reconnects of
 * one stream. Measured after garbage collection, as heap, DOM nodes and listeners; flat means that the last third doesn't
 * stand higher than the second by more than a tenth.
 */
import type { CDPSession, Page } from "playwright-core";
import { launch, noteSources, ScriptedPage, sourcesOf, visit } from "../test/browser/scripted-page.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";

/** What the page waits before it opens a stream again that the browser gave up. */
const firstWaitMs = 1_000;
/** Growth between the second and the last third that still counts as flat. */
const allowed = 1.1;

async function weigh(cdp: CDPSession): Promise<{ heap: number; nodes: number; listeners: number }> {
  for (let round = 0; round < 3; round += 1) await cdp.send("HeapProfiler.collectGarbage");
  const { metrics } = await cdp.send("Performance.getMetrics");
  const read = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: read("JSHeapUsedSize"), nodes: read("Nodes"), listeners: read("JSEventListeners") };
}

type Weight = Awaited<ReturnType<typeof weigh>>;
const mean = (weights: Weight[], key: keyof Weight): number =>
  weights.reduce((sum, weight) => sum + weight[key], 0) / Math.max(1, weights.length);

function judge(weights: Weight[]) {
  const third = Math.floor(weights.length / 3);
  const growth = (key: keyof Weight) => mean(weights.slice(-third), key) / mean(weights.slice(third, 2 * third), key);
  const round = (value: number) => Math.round(value * 1000) / 1000;
  return {
    heapMb: { first: toMb(weights[0]?.heap), last: toMb(weights.at(-1)?.heap) },
    nodes: { first: weights[0]?.nodes ?? 0, last: weights.at(-1)?.nodes ?? 0 },
    growth: { heap: round(growth("heap")), nodes: round(growth("nodes")), listeners: round(growth("listeners")) },
  };
}
const toMb = (bytes = 0) => Math.round(bytes / 10_000) / 100;

/** Samples spread over the run; the first comes once everything that is loaded late is there. */
async function over(count: number, cdp: CDPSession, step: (index: number) => Promise<void>): Promise<Weight[]> {
  const every = Math.max(1, Math.floor(count / 30));
  const weights: Weight[] = [];
  for (let index = 0; index < count; index += 1) {
    await step(index);
    if (index % every === 0) weights.push(await weigh(cdp));
  }
  return weights;
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const count = quick ? { sessions: 24, reconnects: 60 } : { sessions: 200, reconnects: 1000 };
  const product = await ScriptedPage.start();
  const browser = await launch();
  try {
    product.play({
      start: [
        { think: "Thinking about it. ".repeat(40), tool: { name: "catalog_search", args: { text: "something" } } },
        { text: "A sentence that says what was found. ".repeat(20) },
      ],
    });
    const context = await product.enter(browser);
    await noteSources(context);
    // The wait before a reconnect is no part of what is measured, and a thousand of them would take a quarter of an hour.
    await context.addInitScript((waitMs) => {
      const original = window.setTimeout;
      window.setTimeout = ((run: TimerHandler, ms?: number, ...given: unknown[]) =>
        original(run, ms === waitMs ? 5 : ms, ...given)) as typeof window.setTimeout;
    }, firstWaitMs);
    // A few sessions, opened again and again: what is measured is the page, not the server's list.
    const ids: string[] = [];
    for (let made = 0; made < 8; made += 1) ids.push(await product.create(`Question number ${made}?`));
    const page: Page = await product.open(context, ids[0] ?? "");
    const cdp = await context.newCDPSession(page);
    await cdp.send("Performance.enable");
    const shown = (id: string) =>
      page.getByRole("heading", { level: 1, name: `Question number ${ids.indexOf(id)}?` }).waitFor({ timeout: 30_000 });
    await shown(ids[0] ?? "");

    const sessions = await over(count.sessions, cdp, async (index) => {
      const id = ids[(index + 1) % ids.length] ?? "";
      await visit(page, id);
      await shown(id);
      // What was made by other sessions is gone from the note, or the note itself would hold it.
      await page.evaluate(() => {
        const { made } = window as unknown as { made: EventSource[] };
        made.splice(0, made.length, ...made.filter((source) => source.readyState !== EventSource.CLOSED));
      });
    });
    const open = (await sourcesOf(page)).filter(([, isOpen]) => isOpen).length;
    const reconnects = await over(count.reconnects, cdp, async () => {
      // A source that the browser gave up is replaced by a new one, as after a lost connection.
      await page.evaluate(async () => {
        const { made } = window as unknown as { made: EventSource[] };
        const count = made.length;
        const last = made.at(-1);
        last?.close();
        last?.dispatchEvent(new Event("error"));
        for (let waited = 0; made.length === count && waited < 200; waited += 1)
          await new Promise((done) => setTimeout(done, 10));
        const next = made.at(-1);
        if (next && next.readyState === EventSource.CONNECTING)
          await new Promise((done) => {
            next.addEventListener("stream_open", done, { once: true });
            setTimeout(done, 2_000);
          });
        made.splice(0, made.length - 1);
      });
    });
    const toRowOf = (what: string, weights: Weight[]): Row => {
      const { heapMb, nodes, growth } = judge(weights);
      const worst = Math.max(growth.heap, growth.nodes, growth.listeners);
      return toRow({
        group: "page",
        what,
        budget: `flat: last third at most ${allowed} × the second`,
        figure: `heap ${heapMb.first} to ${heapMb.last} MB`,
        reference: `growth of heap ${growth.heap}, nodes ${growth.nodes}, listeners ${growth.listeners}`,
        ratio: worst,
        holds: worst <= allowed,
        values: { firstMb: heapMb.first, lastMb: heapMb.last, firstNodes: nodes.first, lastNodes: nodes.last },
      });
    };
    return {
      rows: [
        toRowOf(`page's memory over ${count.sessions} sessions opened and left`, sessions),
        toRowOf(`page's memory over ${count.reconnects} reconnects`, reconnects),
        toRow({
          group: "page",
          what: "streams left open by them",
          budget: "1",
          figure: String(open),
          holds: open === 1,
        }),
      ],
    };
  } finally {
    await browser.close();
    await product.remove();
  }
}

if (import.meta.main) await runAlone(measure);
