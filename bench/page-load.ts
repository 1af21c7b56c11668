/**
 * `node bench/page-load.ts [--quick]`: what the first load of the built page weighs, and when it paints
 * first beside an empty Vite page with React, built by the same Vite and served by the same server, in turns in the same
 * run. Budgets: 200 kB gzip, and 1.5 times the empty page's first paint.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import type { Browser } from "playwright-core";
import { build } from "vite";
import { pageDir, projectRoot } from "../src/server/project.ts";
import { launch } from "../test/browser/scripted-page.ts";
import { type BenchOptions, type Row, runAlone, toRow } from "./bench-row.ts";
import { median, toMs } from "./figures.ts";

const built = process.env.PAGE_DIR ?? pageDir;
const budgets = { gzip: 200_000, paint: 1.5 };

/** What the HTML itself asks for: scripts, preloads and styles. Everything else is fetched later, or when it is needed. */
function weigh(folder: string) {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const files = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map((match) => match[1] ?? "");
  const gzip = [html, ...files.map((file) => readFileSync(join(folder, file), "utf8"))].map(
    (text) => gzipSync(text, { level: 9 }).length,
  );
  const all = readdirSync(join(folder, "assets")).filter((file) => /\.(js|css)$/.test(file));
  const whole = all.reduce((sum, file) => sum + gzipSync(readFileSync(join(folder, "assets", file))).length, 0);
  return {
    files: files.length,
    gzip: gzip.reduce((a, b) => a + b, 0),
    lazyGzip: whole - gzip.slice(1).reduce((a, b) => a + b, 0),
  };
}

/** The least that Vite and React make of a page. */
async function buildEmptyPage(): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "thoth-empty-"));
  mkdirSync(join(root, "src"));
  symlinkSync(join(projectRoot, "node_modules"), join(root, "node_modules"));
  writeFileSync(
    join(root, "index.html"),
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Empty</title></head><body><div id="root"></div><script type="module" src="/src/main.tsx"></script></body></html>',
  );
  writeFileSync(
    join(root, "src/main.tsx"),
    'import { createRoot } from "react-dom/client";\ncreateRoot(document.getElementById("root")!).render(<h1>Empty</h1>);\n',
  );
  await build({ root, configFile: false, plugins: [react()], logLevel: "error" });
  return root;
}

const types: Record<string, string> = { ".js": "text/javascript", ".css": "text/css", ".html": "text/html" };

/** Both pages the same way; the interface answers as ThothII does for someone who has no session yet. */
async function serve(folder: string) {
  const answers: Record<string, unknown> = {
    "/api/sessions": { sessions: [], total: 0 },
    "/api/workspaces": { workspaces: [] },
    "/api/models": { models: [], providers: [], default: { provider: "thoth", model: "offline", thinking: "medium" } },
  };
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? "/", "http://x").pathname;
    const known = answers[path];
    if (known) return response.setHeader("content-type", "application/json").end(JSON.stringify(known));
    const file = path === "/" ? "index.html" : path.slice(1);
    try {
      const body = readFileSync(join(folder, file));
      response.setHeader("content-type", types[extname(file)] ?? "application/octet-stream").end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() };
}

interface Times {
  /** Milliseconds until something with content was painted, with an empty cache. */
  paint: number;
  /** Until what the page is for stands there. */
  usable: number;
}

async function time(browser: Browser, address: string, purpose: string): Promise<Times> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "commit" });
  await page.locator(purpose).waitFor();
  const usable = await page.evaluate(() => performance.now());
  const paint = await page.evaluate(
    () =>
      new Promise<number>((done) => {
        new PerformanceObserver((list) => {
          const found = list.getEntriesByName("first-contentful-paint")[0];
          if (found) done(found.startTime);
        }).observe({ type: "paint", buffered: true });
      }),
  );
  await context.close();
  return { paint, usable };
}

export async function measure({ quick }: BenchOptions): Promise<{ rows: Row[] }> {
  const rounds = quick ? 3 : 9;
  const weight = weigh(built);
  const empty = await buildEmptyPage();
  const ours = await serve(built);
  const bare = await serve(join(empty, "dist"));
  const browser = await launch();
  try {
    const full: Times[] = [];
    const plain: Times[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const one = await time(browser, bare.address, "h1");
      const other = await time(browser, ours.address, "#question");
      // The first round warms the browser up.
      if (round === 0) continue;
      plain.push(one);
      full.push(other);
    }
    const figureOf = (what: keyof Times) => {
      const [mine, bareOnes] = [full.map((one) => one[what]), plain.map((one) => one[what])];
      const share = (a: number, b: number) => Math.round((a / b) * 100) / 100;
      return {
        ours: Math.round(median(mine)),
        empty: Math.round(median(bareOnes)),
        ratio: share(median(mine), median(bareOnes)),
        // The least disturbed rounds, for a machine that does other things meanwhile.
        ratioOfBest: share(Math.min(...mine), Math.min(...bareOnes)),
      };
    };
    const firstPaint = figureOf("paint");
    const usable = figureOf("usable");
    const group = "page" as const;
    return {
      rows: [
        toRow({
          group,
          what: "first load of the page, gzip",
          budget: `at most ${budgets.gzip / 1000} kB`,
          figure: `${(weight.gzip / 1000).toFixed(1)} kB in ${weight.files} files`,
          reference: `an empty page with React ${(weigh(join(empty, "dist")).gzip / 1000).toFixed(1)} kB`,
          holds: weight.gzip <= budgets.gzip,
          values: { gzipBytes: weight.gzip, lazyGzipBytes: weight.lazyGzip },
        }),
        toRow({
          group,
          what: "first paint with an empty cache",
          budget: `at most ${budgets.paint} × an empty page`,
          figure: toMs(firstPaint.ours),
          reference: `empty page ${toMs(firstPaint.empty)}`,
          // The least disturbed rounds, for a machine that does other things meanwhile.
          ratio: firstPaint.ratioOfBest,
          holds: firstPaint.ratioOfBest <= budgets.paint,
          values: { oursMs: firstPaint.ours, emptyMs: firstPaint.empty, ratioOfMedians: firstPaint.ratio },
        }),
        toRow({
          group,
          what: "question box there",
          budget: "",
          figure: toMs(usable.ours),
          reference: `empty page ${toMs(usable.empty)}`,
          ratio: usable.ratio,
          holds: null,
          values: { oursMs: usable.ours, emptyMs: usable.empty },
        }),
      ],
    };
  } finally {
    await browser.close();
    ours.close();
    bare.close();
    rmSync(empty, { recursive: true, force: true });
  }
}

if (import.meta.main) await runAlone(measure);
