/** Every view without a serious fault for axe, in both themes; the keyboard reaches all, and reduced motion is heard. */
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allGates, frame } from "../../src/web/widgets/review.fixture.ts";
import { Product } from "../fixtures/product.ts";
import { keepSession, openedGate } from "./kept-session.ts";
import { launch, patience, ScriptedPage } from "./scripted-page.ts";

/** Shows gates that were kept: no model has to come to them first. */
let kept: ScriptedPage;
let browser: Browser;
beforeAll(async () => {
  [kept, browser] = await Promise.all([ScriptedPage.start(), launch()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await kept?.remove();
});

/** A session at this gate, with decisions before it. */
function keepAt(gate: (typeof allGates)[number]): string {
  const said = (aspect: string, text: string) => ({
    type: "decision",
    phase: "F1",
    by: "reviewer",
    gateId: "g1",
    decision: { kind: "interpretation", aspect, text },
  });
  return keepSession(kept.home, `Asked at ${gate.kind}?`, [
    said("grain", "artist"),
    said("filter", "genre is Rock"),
    openedGate(gate.kind, { ...gate.payload, frame: { ...frame(), ...gate.payload.frame } }, gate.phase),
  ]);
}

/** Serious and critical faults, as `rule: where`. Light is held against all rules, dark against those about colour. */
async function faultsOf(page: Page, view: string): Promise<string[]> {
  const faults: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset.theme), { timeout: patience })
      .toBe(colorScheme);
    // Without frames in the page there is no need of the second tab that it would otherwise open each time.
    const axe = new AxeBuilder({ page }).setLegacyMode(true);
    const { violations } = await (colorScheme === "light" ? axe : axe.withRules(["color-contrast"])).analyze();
    for (const { id, impact, nodes } of violations)
      if (impact === "serious" || impact === "critical")
        faults.push(...nodes.map((node) => `${view}, ${colorScheme}, ${id}: ${node.html.slice(0, 160)}`));
  }
  return faults;
}

const gateOf = (page: Page) => page.getByRole("region", { name: "Review" }).getByRole("heading", { level: 2 });

describe("axe", () => {
  it.each(allGates.map((gate) => [gate.kind, gate] as const))(
    "finds nothing serious at the gate %s, with the words and the preview of reopening open, nor on a phone",
    async (kind, gate) => {
      const context = await kept.enter(browser);
      const page = await kept.open(context, keepAt(gate));
      await expect.poll(() => gateOf(page).textContent(), { timeout: patience }).toBe(gate.payload.frame.title);
      const faults = await faultsOf(page, kind);
      await page.getByRole("button", { name: "Other — specify", exact: true }).click();
      await page.getByRole("button", { name: "Reopen F1", exact: true }).click();
      await page.getByRole("region", { name: "What reopening F1 supersedes" }).waitFor({ timeout: patience });
      faults.push(...(await faultsOf(page, `${kind} with words and preview`)));
      await page.setViewportSize({ width: 390, height: 844 });
      faults.push(...(await faultsOf(page, `${kind} on a phone`)));
      expect(faults).toEqual([]);
      await context.close();
    },
    300_000,
  );

  describe("with the product and its demo", () => {
    let product: Product;
    beforeAll(async () => {
      product = await Product.start();
    }, 200_000);
    afterAll(() => product?.remove());
    async function enter(
      options: Parameters<Browser["newContext"]>[0] = {},
    ): Promise<{ context: BrowserContext; page: Page }> {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      await page.goto(await product.address());
      await page.waitForURL(`${product.base}/`);
      return { context, page };
    }

    it("finds nothing serious on the empty page, the keys and the narrow form", async () => {
      const { context, page } = await enter();
      await page.getByText("In this workspace").waitFor();
      const faults = await faultsOf(page, "empty page");
      await page.getByRole("button", { name: "Keys", exact: true }).first().click();
      await page.getByRole("dialog").waitFor();
      faults.push(...(await faultsOf(page, "keys")));
      await page.keyboard.press("Escape");
      await page.setViewportSize({ width: 390, height: 844 });
      faults.push(...(await faultsOf(page, "empty page on a phone")));
      expect(faults).toEqual([]);
      await context.close();
    }, 300_000);

    it("finds nothing serious in the catalog, on a table of it, and among the models", async () => {
      const { context, page } = await enter();
      const faults: string[] = [];
      for (const [path, sign] of [
        ["/catalog/demo", "InvoiceLine"],
        ["/catalog/demo/Track", "Milliseconds"],
        ["/models", "Offline planner"],
      ] as const) {
        await page.goto(product.base + path);
        await page.getByText(sign, { exact: false }).first().waitFor({ timeout: patience });
        faults.push(...(await faultsOf(page, path)));
      }
      expect(faults).toEqual([]);
      await context.close();
    }, 300_000);

    it("finds nothing serious at the end and in the ledger", async () => {
      const { context, page } = await enter();
      const id = await product.create("How many tracks does each genre have?");
      await product.run(id);
      await page.goto(`${product.base}/s/${id}`);
      await page.getByRole("region", { name: "Result" }).waitFor({ timeout: patience });
      const faults = await faultsOf(page, "answered");
      await page.getByRole("button", { name: "Open ledger" }).click();
      await page.getByRole("dialog").waitFor();
      faults.push(...(await faultsOf(page, "ledger")));
      expect(faults).toEqual([]);
      await context.close();
    }, 400_000);
  });
});

describe("without a mouse", () => {
  it("a whole gate is read and answered by keys: ? shows them, g leads to it, o opens the words, Tab reaches Continue", async () => {
    const context = await kept.enter(browser);
    const gate = allGates.find((one) => one.kind === "join-review");
    const page = await kept.open(context, keepAt(gate as (typeof allGates)[number]));
    await expect.poll(() => gateOf(page).count(), { timeout: patience }).toBe(1);
    const focused = () =>
      page.evaluate(() => document.activeElement?.id || (document.activeElement?.textContent ?? ""));
    // Nothing has taken the focus by itself.
    expect(await page.evaluate(() => document.activeElement === document.body)).toBe(true);
    // Keys sleep for a moment after a gate opened.
    await page.waitForTimeout(1_000);
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await expect.poll(focused, { timeout: patience }).toBe("review");
    await page.keyboard.press("o");
    const words = page.getByRole("textbox", { name: "What should change" });
    await words.waitFor();
    await expect
      .poll(() => words.evaluate((element) => element === document.activeElement), { timeout: patience })
      .toBe(true);
    await page.keyboard.press("Escape");
    await words.waitFor({ state: "hidden" });
    await page.keyboard.press("g");
    await expect.poll(focused, { timeout: patience }).toBe("review");
    const reached: string[] = [];
    for (let step = 0; step < 120 && reached.at(-1) !== "Continue"; step += 1) {
      await page.keyboard.press("Tab");
      reached.push(await focused());
    }
    expect(reached.at(-1)).toBe("Continue");
    const answer = page.waitForRequest((request) => request.method() === "POST" && request.url().includes("/gates/"));
    await page.keyboard.press("Enter");
    expect((await answer).postDataJSON()).toMatchObject({ answer: "continue" });
    await context.close();
  }, 200_000);

  it("the side columns are drawn wider with the arrow keys, and stay so after a reload", async () => {
    const context = await kept.enter(browser);
    const page = await context.newPage();
    await page.goto(`${kept.base}/`);
    const handle = page.getByRole("separator", { name: "Width of the activity" });
    const width = () =>
      page.getByRole("region", { name: "Model activity" }).evaluate((element) => (element as HTMLElement).offsetWidth);
    const before = await width();
    await handle.focus();
    for (let press = 0; press < 5; press += 1) await page.keyboard.press("ArrowLeft");
    const wider = await width();
    expect(wider).toBe(before + 80);
    await page.reload();
    await expect.poll(width, { timeout: patience }).toBe(wider);
    await context.close();
  }, 200_000);
});

it("nothing moves for whoever asked for less motion", async () => {
  const context = await kept.enter(browser);
  const gate = allGates.find((one) => one.kind === "question");
  const page = await kept.open(context, keepAt(gate as (typeof allGates)[number]));
  await page.emulateMedia({ reducedMotion: "reduce" });
  await expect.poll(() => gateOf(page).count(), { timeout: patience }).toBe(1);
  const moving = await page.evaluate(
    () =>
      [...document.querySelectorAll("*")].filter((element) => {
        const style = getComputedStyle(element);
        return (
          style.animationName !== "none" ||
          style.transitionDuration.split(",").some((one) => Number.parseFloat(one) > 0)
        );
      }).length,
  );
  expect(moving).toBe(0);
  // The same page does move for everyone else, so that the line above could fail.
  await page.emulateMedia({ reducedMotion: "no-preference" });
  expect(
    await page.evaluate(
      () =>
        [...document.querySelectorAll("*")].filter((element) => getComputedStyle(element).transitionDuration !== "0s")
          .length,
    ),
  ).toBeGreaterThan(0);
  await context.close();
}, 200_000);
