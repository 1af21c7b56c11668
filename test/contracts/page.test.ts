/** What only a real browser can show: which streams are open, what the panel says, and how much padding there is. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Product } from "../fixtures/product.ts";

let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await Product.start();
  browser = await chromium.launch({
    executablePath: process.env.THOTH_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

/** A page that notes each EventSource it ever made. */
async function openPage(): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.addInitScript(() => {
    const made: EventSource[] = [];
    const Original = window.EventSource;
    Object.assign(window, { made });
    window.EventSource = class extends Original {
      constructor(url: string | URL) {
        super(url);
        made.push(this);
      }
    };
  });
  await page.goto(await product.address());
  await page.waitForURL(`${product.base}/`);
  return page;
}
/** Addresses of the sources, with whether each is still open. */
const sourcesOf = (page: Page): Promise<[string, boolean][]> =>
  page.evaluate(() =>
    (window as unknown as { made: EventSource[] }).made.map((source): [string, boolean] => [
      new URL(source.url).pathname,
      source.readyState !== EventSource.CLOSED,
    ]),
  );
const turn = (page: Page, state: string) =>
  expect.poll(() => page.getByRole("status", { name: `Turn: ${state}` }).count(), { timeout: 30_000 }).toBe(1);

function killChild(): void {
  const children = execFileSync("ps", ["-o", "pid=", "--ppid", String(product.pid)], { encoding: "utf8" });
  for (const pid of children.split("\n").map(Number))
    if (pid > 0 && readFileSync(`/proc/${pid}/environ`, "latin1").includes("THOTH_SESSION_ID="))
      process.kill(pid, "SIGKILL");
}

describe("in a browser", () => {
  it("C2.3 the activity panel says that reasoning is off, and only then", async () => {
    const page = await openPage();
    const activity = page.getByRole("region", { name: "Model activity" });
    for (const [thinking, count] of [
      ["off", 1],
      ["low", 0],
    ] as const) {
      const id = await product.create("How many artists are there?", { thinking });
      await page.goto(`${product.base}/s/${id}`);
      await turn(page, "waiting");
      await expect.poll(() => activity.getByText("Reasoning is off").count(), { timeout: 10_000 }).toBe(count);
    }
    await page.context().close();
  }, 90_000);

  it("C9.3 C9.1 a resume, another session and leaving each close the stream: never more than one is open", async () => {
    const page = await openPage();
    const first = await product.create("How many albums are there?");
    const path = `/api/sessions/${first}/events`;
    await page.goto(`${product.base}/s/${first}`);
    await turn(page, "waiting");
    expect((await sourcesOf(page)).filter(([, open]) => open)).toEqual([[path, true]]);
    killChild();
    await turn(page, "failed");
    await page.getByRole("button", { name: "Resume", exact: true }).first().click();
    await turn(page, "waiting");
    await expect.poll(async () => (await sourcesOf(page)).length, { timeout: 20_000 }).toBe(2);
    expect(await sourcesOf(page)).toEqual([
      [path, false],
      [path, true],
    ]);
    const second = await product.create("How many genres are there?");
    await page.getByText("How many genres are there?").first().click({ timeout: 20_000 });
    await expect
      .poll(async () => (await sourcesOf(page)).filter(([, open]) => open), { timeout: 20_000 })
      .toEqual([[`/api/sessions/${second}/events`, true]]);
    await page.context().close();
  }, 90_000);

  it("C13.1 every element's computed padding is what its class says, and not 0", async () => {
    const page = await openPage();
    const wrong = () =>
      page.evaluate(() => {
        const sides = { t: "Top", r: "Right", b: "Bottom", l: "Left" } as const;
        const of: Record<string, (keyof typeof sides)[]> = {
          p: ["t", "r", "b", "l"],
          px: ["r", "l"],
          py: ["t", "b"],
          pt: ["t"],
          pr: ["r"],
          pb: ["b"],
          pl: ["l"],
        };
        const faults: string[] = [];
        let seen = 0;
        for (const element of document.querySelectorAll<HTMLElement>("#root *, body > *")) {
          const tokens = [...element.classList];
          // At some width or state another value may hold; what the plain token says can't be asked then.
          if (tokens.some((token) => /:p[xytrbl]?-/.test(token))) continue;
          const wanted = new Map<string, number>();
          for (const name of Object.keys(of))
            for (const token of tokens) {
              const step = /^(p[xytrbl]?)-(\d+(?:\.5)?|px)$/.exec(token);
              if (step?.[1] !== name) continue;
              for (const side of of[name] ?? []) wanted.set(side, step[2] === "px" ? 1 : Number(step[2]) * 4);
            }
          const style = getComputedStyle(element);
          for (const [side, pixels] of wanted) {
            seen += 1;
            const actual = Number.parseFloat(style[`padding${sides[side as keyof typeof sides]}`]);
            if (Math.abs(actual - pixels) > 0.01)
              faults.push(`${element.className}: ${side} ${actual} instead of ${pixels}`);
          }
        }
        return { faults, seen };
      });
    const start = await wrong();
    expect(start.faults).toEqual([]);
    const id = await product.create("How many albums does each artist have?");
    const seen = new Set<string>();
    await page.goto(`${product.base}/s/${id}`);
    for (let gate = 0; gate < 3; gate += 1) {
      const { openGate } = await product.settle(id, seen);
      await turn(page, "waiting");
      await page.waitForTimeout(300);
      const found = await wrong();
      expect(found.faults).toEqual([]);
      expect(found.seen).toBeGreaterThan(60);
      if (!openGate) break;
      const opened = openGate as Parameters<Product["answer"]>[1];
      seen.add(opened.gateId);
      await product.answer(id, opened);
    }
    await page.context().close();
  }, 90_000);
});
