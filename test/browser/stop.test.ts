/** Stop in a real browser, with a child that is slow to hear it. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { activity, launch, patience, ScriptedPage, turn } from "./scripted-page.ts";

let product: ScriptedPage;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [product, browser] = await Promise.all([ScriptedPage.start(), launch()]);
  context = await product.enter(browser);
});
// A tab that a failed test left would take a live slot from the next one.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

/** From now on notes each state that header and Stop pass through, as `turn/button`. */
const noteLabels = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const seen: string[] = [];
    const look = () => {
      const chip = document.querySelector('[role="status"][aria-label^="Turn: "]')?.getAttribute("aria-label");
      const button = [...document.querySelectorAll("header button")].find((one) => /Stop/.test(one.textContent ?? ""));
      const now = `${chip?.slice(6)}/${button?.textContent ?? "none"}`;
      if (seen.at(-1) !== now) seen.push(now);
    };
    look();
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
    Object.assign(window, { seenLabels: seen });
  });
const labelsOf = (page: Page): Promise<string[]> =>
  page.evaluate(() => (window as unknown as { seenLabels: string[] }).seenLabels);
const stop = (page: Page) => page.getByRole("button", { name: "Stop", exact: true });
const stopping = (page: Page) => page.getByRole("button", { name: "Stopping", exact: true });

describe("Stop", () => {
  it("C7.1 says Stopping from the click until the turn is settled, which it always is; another tab sees the end too", async () => {
    // Both tabs are open before the turn that is stopped begins: no slow start may eat its time.
    product.play({ start: [{ text: "Ready." }] });
    const id = await product.create("How slow is it?");
    const page = await product.open(context, id);
    const other = await product.open(context, id);
    await Promise.all([turn(page, "idle"), turn(other, "idle")]);
    // For eight seconds the child hears nothing, so Stop is long on its way.
    product.play({
      resume: [{ text: "I am at it.", deaf: 8000, tool: { name: "catalog_search", args: { text: "x" } } }],
    });
    expect((await product.call(`/api/sessions/${id}/prompt`, "POST", { text: "Look again." })).status).toBe(200);
    await expect.poll(() => activity(page).textContent(), { timeout: patience }).toContain("I am at it.");
    await Promise.all([turn(page, "running"), turn(other, "running")]);
    await noteLabels(page);
    const [answered] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith("/abort")),
      stop(page).click(),
    ]);
    await stopping(page).waitFor({ timeout: 6000 });
    expect((await product.view(id)).turn).toBe("running");
    // A second press while it is on its way does nothing: no second request.
    const aborts: string[] = [];
    page.on("request", (request) => request.url().endsWith("/abort") && aborts.push(request.url()));
    await stopping(page).click({ force: true });
    expect((await answered.response())?.status()).toBe(200);
    await Promise.all([turn(page, "idle"), turn(other, "idle")]);
    expect(aborts).toEqual([]);
    expect(await stopping(page).count()).toBe(0);
    expect(await labelsOf(page)).toEqual(["running/Stop", "running/Stopping", "idle/none"]);
    // Settled, and no failure: the next words start anew, with a Stop that is fresh.
    product.play({ resume: [{ text: "Going on. ".repeat(40), delay: 60 }] });
    expect((await product.call(`/api/sessions/${id}/prompt`, "POST", { text: "Go on." })).status).toBe(200);
    await turn(page, "running");
    await stop(page).click();
    await Promise.all([turn(page, "idle"), turn(other, "idle")]);
  });

  it("C7.2 a gate is stopped from waiting: it goes away, nothing of it is kept, and both tabs pressing count once", async () => {
    product.play({
      start: [
        { tool: { name: "reviewer_decide", args: { phase: "F1", text: "Count them." } } },
        { text: "Never said." },
      ],
    });
    const id = await product.create("How many are there?");
    const page = await product.open(context, id);
    const other = await product.open(context, id);
    await Promise.all([turn(page, "waiting"), turn(other, "waiting")]);
    // Both buttons are found before either is pressed: what one tab does may take the other's button away.
    const buttons = await Promise.all([page, other].map((tab) => stop(tab).elementHandle({ timeout: patience })));
    await Promise.all(buttons.map((button) => button?.evaluate((element) => (element as HTMLElement).click())));
    await Promise.all([turn(page, "idle"), turn(other, "idle")]);
    await expect.poll(() => page.getByRole("heading", { name: "Is this right?" }).count()).toBe(0);
    expect(product.entries(id).map((entry) => entry.type)).toEqual(["prompt", "gate-opened", "gate-closed"]);
    expect(await activity(page).textContent()).not.toContain("Never said.");
  });

  it("C7.4 Stop takes words back that wait in the queue: they start no further run after it", async () => {
    product.play({
      start: [{ text: "Working on it. ".repeat(60), delay: 50 }],
      steer: [{ text: "These words came through." }],
    });
    const id = await product.create("How long does it take?");
    const page = await product.open(context, id);
    await turn(page, "running");
    await expect.poll(() => activity(page).textContent(), { timeout: patience }).toContain("Working on it.");
    expect((await product.call(`/api/sessions/${id}/steer`, "POST", { text: "Faster." })).status).toBe(200);
    await stop(page).click();
    await turn(page, "idle");
    // What Pi would do with words left in its queue comes at once; a later prompt then shows that it had the time.
    product.play({ resume: [{ text: "A new beginning." }], steer: [{ text: "These words came through." }] });
    expect((await product.call(`/api/sessions/${id}/prompt`, "POST", { text: "Anew." })).status).toBe(200);
    await expect.poll(() => activity(page).textContent(), { timeout: patience }).toContain("A new beginning.");
    await turn(page, "idle");
    expect(await activity(page).textContent()).not.toContain("These words came through.");
  });
});
