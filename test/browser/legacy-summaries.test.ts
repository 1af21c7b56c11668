/** Real ledgers with summaries in every form but today's, opened in the page with React's development build in it. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildDevelopmentPage, type DevelopmentPage } from "./development-page.ts";
import { frame, keepSession, openedGate } from "./kept-session.ts";
import { generated, handPicked, type Legacy } from "./legacy-summaries.ts";
import { launch, patience, ScriptedPage, turn, visit, watchFaults } from "./scripted-page.ts";

const phases = ["F1", "F2", "F3", "F4", "F5", "F6"];
const corpus = [...handPicked, ...generated];
let built: DevelopmentPage;
let product: ScriptedPage;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [built, browser] = await Promise.all([buildDevelopmentPage(), launch()]);
  product = await ScriptedPage.start({ pageDir: built.dir });
  context = await product.enter(browser);
}, 120_000);
// A tab that a failed test left would take a live slot from the next one.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  built?.remove();
});

const toEntry = ({ value, entry }: Legacy, phase = "F1"): object =>
  entry
    ? { type: "summary", phase, gateId: "g", by: "reviewer", ...entry }
    : { type: "summary", phase, gateId: "g", by: "reviewer", summary: value };

async function openLedger(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Open ledger" }).click();
  const dialog = page.getByRole("dialog");
  const text = (await dialog.textContent()) ?? "";
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  return text;
}

describe("summaries that an earlier version kept", () => {
  it("C5.2 are all readable: not one error of React's, whatever they hold", async () => {
    expect(corpus.length).toBeGreaterThanOrEqual(60);
    const page = await context.newPage();
    const faults = watchFaults(page);
    await page.goto(`${product.base}/`);
    for (let first = 0; first < corpus.length; first += phases.length) {
      const some = corpus.slice(first, first + phases.length);
      // The gate that stands open holds one of them too: as what is asked, or as what closes the phase.
      const summary = some[0]?.value ?? null;
      const gate =
        first % 4 === 0
          ? openedGate("phase-summary", { frame: frame(), summary })
          : openedGate("decision-review", { frame: frame({ summary }), decisions: [] });
      const id = keepSession(product.home, `Which summaries, from ${first}?`, [
        ...some.map((one, index) => toEntry(one, phases[index])),
        gate,
      ]);
      await visit(page, id);
      await expect
        .poll(() => page.getByRole("heading", { name: `Which summaries, from ${first}?` }).count(), {
          timeout: patience,
        })
        .toBe(1);
      await turn(page, "waiting");
      const more = page.getByRole("button", { name: "Show summary" });
      await expect.poll(() => more.count(), { timeout: patience, message: `from ${first}` }).toBe(some.length);
      for (let left = some.length; left > 0; left -= 1) await more.first().click();
      for (const [index, { reads }] of some.entries()) {
        const text = (await page.locator(`#decisions-${phases[index]}`).textContent()) ?? "";
        expect(text.length, JSON.stringify(some[index]).slice(0, 200)).toBeGreaterThan(20);
        if (reads) expect(text).toContain(reads);
      }
      const whole = (await page.locator("body").textContent()) ?? "";
      expect(whole).not.toMatch(/\[object Object\]|could not show|cannot be shown/);
      expect(await page.getByRole("button", { name: "Continue", exact: true }).count()).toBe(1);
      expect(await openLedger(page)).toContain(`#${some.length + 2}`);
      expect(faults, `from ${first}`).toEqual([]);
    }
    expect(await page.evaluate(() => (window as unknown as { harmed?: number }).harmed)).toBeUndefined();
  }, 120_000);

  it("C5.2 of no phase we know stand in the ledger, take nothing away, and stay as they were when more is written", async () => {
    const odd = [{ phase: "F9" }, { phase: null }, { phase: { id: "F1" } }, {}].map((more, index) => ({
      type: "summary",
      ...more,
      summary: { version: 1, text: `Kept somewhere ${index}` },
    }));
    const id = keepSession(product.home, "Which phase?", [
      ...odd,
      openedGate("decision-review", { frame: frame(), decisions: [] }),
    ]);
    const before = JSON.stringify(product.entries(id).slice(1, 5));
    const page = await product.open(context, id);
    const faults = watchFaults(page);
    await turn(page, "waiting");
    const ledger = await openLedger(page);
    for (const index of odd.keys()) expect(ledger).toContain(`Kept somewhere ${index}`);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await turn(page, "idle");
    expect(product.entries(id).at(-1)).toMatchObject({ seq: 7, type: "gate-closed" });
    expect(JSON.stringify(product.entries(id).slice(1, 5))).toBe(before);
    expect(faults).toEqual([]);
  });
});
