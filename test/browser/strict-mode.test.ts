/** The built page under a StrictMode that does what it does in development: every effect runs, is undone, runs again. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { childOf } from "../fixtures/child-of.ts";
import { buildDevelopmentPage, type DevelopmentPage } from "./development-page.ts";
import { launch, noteSources, patience, ScriptedPage, sourcesOf, turn, watchFaults } from "./scripted-page.ts";

let built: DevelopmentPage;
let product: ScriptedPage;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [built, browser] = await Promise.all([buildDevelopmentPage(), launch()]);
  product = await ScriptedPage.start({ pageDir: built.dir });
  context = await product.enter(browser);
  await noteSources(context);
  await context.addInitScript(() => {
    Object.assign(window, { asked: 0 });
    const request = LockManager.prototype.request as (...given: unknown[]) => unknown;
    LockManager.prototype.request = function (this: LockManager, ...given: unknown[]) {
      (window as unknown as { asked: number }).asked += 1;
      return request.apply(this, given);
    } as LockManager["request"];
  });
}, 120_000);
// A tab that a failed test left would take a live slot from the next one.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  built?.remove();
});

const gate = { tool: { name: "reviewer_decide", args: { phase: "F1", text: "Count them." } } };
const openSources = async (page: Page) => (await sourcesOf(page)).filter(([, open]) => open).map(([path]) => path);
/** How many of the browser's live slots are held, over all tabs. */
const slots = (page: Page): Promise<number> =>
  page.evaluate(async () => (await navigator.locks.query()).held?.length ?? 0);
const eventsOf = (id: string) => `/api/sessions/${id}/events`;

describe("under StrictMode", () => {
  it("C9.3 effects that run twice leave one stream and one slot, through Resume, another session and leaving", async () => {
    product.play({ start: [gate], resume: [gate] });
    const [id, second] = [await product.create("How many albums?"), await product.create("How many genres?")];
    const page = await context.newPage();
    const faults = watchFaults(page);
    await page.goto(`${product.base}/s/${id}`);
    await turn(page, "waiting");
    // What shows that effects run twice in this build: the slot was asked for, given back and asked for again.
    expect(await page.evaluate(() => (window as unknown as { asked: number }).asked)).toBeGreaterThanOrEqual(2);
    await expect.poll(() => openSources(page), { timeout: patience }).toEqual([eventsOf(id)]);
    await expect.poll(() => slots(page), { timeout: patience }).toBe(1);

    process.kill(childOf(`${product.home}/sessions/${id}`), "SIGKILL");
    await turn(page, "failed");
    const before = (await sourcesOf(page)).length;
    await page.getByRole("button", { name: "Resume", exact: true }).first().click();
    await turn(page, "waiting");
    await expect.poll(async () => (await sourcesOf(page)).length, { timeout: patience }).toBe(before + 1);
    expect(await openSources(page)).toEqual([eventsOf(id)]);

    await page.getByText("How many genres?").first().click();
    await expect.poll(() => openSources(page), { timeout: patience }).toEqual([eventsOf(second)]);
    await expect.poll(() => slots(page), { timeout: patience }).toBe(1);
    await page.getByRole("link", { name: "ThothII" }).click();
    await page.waitForURL(`${product.base}/`);
    await expect.poll(() => openSources(page), { timeout: patience }).toEqual([]);
    await expect.poll(() => slots(page), { timeout: patience }).toBe(0);
    expect(faults).toEqual([]);
  }, 90_000);

  it("C9.3 four tabs hold four live streams: none of them took a second one", async () => {
    product.play({ start: [gate] });
    const id = await product.create("How many artists?");
    const tabs: Page[] = [];
    for (let tab = 0; tab < 4; tab += 1) tabs.push(await product.open(context, id));
    for (const page of tabs) {
      await turn(page, "waiting");
      await expect.poll(() => openSources(page), { timeout: patience }).toEqual([eventsOf(id)]);
      expect(await page.getByText("Live updates are on in four other tabs").count()).toBe(0);
    }
    expect(await slots(tabs[0] as Page)).toBe(4);
  }, 90_000);

  it("C9.3 an answer is sent once, also by a double click, and stands once in the ledger", async () => {
    product.play({ start: [gate, { text: "Thank you." }] });
    const id = await product.create("How many tracks?");
    const page = await product.open(context, id);
    const faults = watchFaults(page);
    const sent: string[] = [];
    page.on("request", (request) => request.url().includes("/gates/") && sent.push(request.postData() ?? ""));
    await turn(page, "waiting");
    await page.getByRole("button", { name: "Continue", exact: true }).dblclick();
    await turn(page, "idle");
    expect(sent).toHaveLength(1);
    expect(product.entries(id).filter((entry) => entry.type === "gate-answered")).toHaveLength(1);
    expect(product.entries(id).filter((entry) => entry.type === "decision")).toHaveLength(1);
    expect(faults).toEqual([]);
  });
});
