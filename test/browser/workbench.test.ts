/** Working at the page: every width, corrections by chips, going back a phase, the reviewer's own SQL, a long activity. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Product } from "../fixtures/product.ts";
import { activity, launch, patience, ScriptedPage, watchFaults } from "./scripted-page.ts";

const question = "Which ten artists earned the most revenue from rock tracks since 2023?";
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const named = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const title = (page: Page) => page.getByRole("region", { name: "Review" }).getByRole("heading", { level: 2 });
const asks = (page: Page, words: string | RegExp): Promise<void> =>
  expect.poll(() => title(page).textContent(), { timeout: patience }).toMatch(words);
const goOn = async (page: Page, next: string | RegExp): Promise<void> => {
  await named(page, "Continue").click();
  await asks(page, next);
};

describe("with the offline planner", () => {
  let product: Product;
  beforeAll(async () => {
    product = await Product.start();
  });
  afterAll(() => product?.remove());

  const enter = async (
    width: number,
    height: number,
    touch = false,
  ): Promise<{ context: BrowserContext; page: Page }> => {
    const context = await browser.newContext({ viewport: { width, height }, hasTouch: touch, isMobile: touch });
    const page = await context.newPage();
    await page.goto(await product.address());
    await page.waitForURL(`${product.base}/`);
    return { context, page };
  };

  it("on every width nothing runs out of the page, and what decides is in sight", async () => {
    const id = await product.create(question);
    await product.settle(id);
    for (const [width, height] of [
      [1024, 768],
      [1280, 800],
      [1440, 900],
      [2560, 1300],
    ] as const) {
      const { context, page } = await enter(width, height);
      await page.goto(`${product.base}/s/${id}`);
      await asks(page, "Is this what you are asking?");
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([width, wide <= width]).toEqual([width, true]);
      for (const name of ["Continue", "Other — specify"]) {
        const box = await named(page, name).boundingBox();
        expect([width, name, box !== null && box.y + box.height <= height && box.x + box.width <= width]).toEqual([
          width,
          name,
          true,
        ]);
      }
      await context.close();
    }
  });

  it("a phone answers a gate: by touch, with words, and nothing is wider than the screen", async () => {
    const { context, page } = await enter(390, 844, true);
    const faults = watchFaults(page);
    const id = await product.create("How many albums does each artist have? Show the artist name and the count.");
    await page.goto(`${product.base}/s/${id}`);
    await asks(page, "Is this what you are asking?");
    await named(page, "Continue").tap();
    await asks(page, "Is this the data that answers it?");
    await named(page, "Continue").tap();
    await asks(page, "Is this join right?");
    await named(page, "Other — specify").tap();
    await page.getByRole("textbox", { name: "What should change" }).fill("Use LEFT JOIN in 1");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await named(page, "Send").tap();
    await expect
      .poll(async () => (await product.view(id)).openGate?.payload, { timeout: patience })
      .toMatchObject({
        decisions: [{ kind: "join", type: "LEFT" }],
      });
    expect(faults).toEqual([]);
    await context.close();
  });

  it("a chip writes the correction, the gate comes back corrected, and an earlier phase is reopened with a look ahead", async () => {
    const { context, page } = await enter(1440, 900);
    await page.getByRole("textbox", { name: "Question" }).fill(question);
    await named(page, "Start").click();
    await asks(page, "Is this what you are asking?");
    await goOn(page, "Is this the data that answers it?");
    await goOn(page, "Are these five joins right?");
    // What it rests on, what Continue writes and how many gates are left stand at the gate.
    const review = page.getByRole("region", { name: "Review" });
    await expect.poll(() => review.textContent()).toMatch(/Writes all 5 joins as one set/);
    expect(await page.getByRole("main").textContent()).toMatch(/3 gates left/);
    await named(page, "Other — specify").click();
    const words = page.getByRole("textbox", { name: "What should change" });
    await page
      .getByRole("button", { name: /LEFT JOIN in 1/ })
      .first()
      .click();
    expect(await words.inputValue()).toMatch(/LEFT JOIN/);
    await named(page, "Send").click();
    await expect.poll(() => review.textContent(), { timeout: patience }).toContain("LEFT");
    await asks(page, "Are these five joins right?");
    await goOn(page, /filter/);

    // Back to F2: the page says first what that takes away, and the phases show it afterwards.
    const phases = page.getByRole("list", { name: "Phases" }).filter({ visible: true });
    await named(page, "Reopen F2").click();
    const ahead = page.getByRole("region", { name: /What reopening F2 supersedes/ });
    expect(await ahead.textContent()).toMatch(/Reopening F2 Data supersedes \d+ decisions/);
    await ahead.getByRole("button", { name: "Reopen F2 now" }).click();
    await asks(page, "Is this the data that answers it?");
    await expect.poll(() => phases.textContent(), { timeout: patience }).toMatch(/Reopened, waiting/);
    expect(await phases.textContent()).toMatch(/Joins5 superseded/);
    await context.close();
  });

  it("the reviewer's own SQL is run, held against what was accepted, and its difference stands before Continue", async () => {
    const { context, page } = await enter(1440, 900);
    const id = await product.create("How many tracks are there in total?");
    let view = await product.settle(id);
    while (view.openGate && view.openGate.kind !== "sql-review") {
      const { gateId, hash } = view.openGate;
      await product.call(`/api/sessions/${id}/gates/${gateId}`, "POST", { answerId: gateId, hash, answer: "continue" });
      view = await product.settle(id, new Set([gateId]));
    }
    await page.goto(`${product.base}/s/${id}`);
    await asks(page, "Is this SQL what you accepted?");
    await named(page, "Formatted").click();
    await expect.poll(() => page.getByText("Formatted, for reading").count()).toBe(1);
    await named(page, "Formatted").click();
    await named(page, "Edit SQL").click();
    const editor = page.getByRole("textbox", { name: /SQL/ }).last();
    await editor.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText("SELECT COUNT(*) AS tracks FROM Track AS t WHERE t.Milliseconds > 300000");
    await named(page, "Propose this SQL").click();
    const review = page.getByRole("region", { name: "Review" });
    await expect.poll(() => review.textContent(), { timeout: patience }).toMatch(/Accept as a new decision/);
    expect(await named(page, "Continue").getAttribute("aria-disabled")).toBe("true");
    await context.close();
  });
});

describe("a long activity", () => {
  let scripted: ScriptedPage;
  beforeAll(async () => {
    scripted = await ScriptedPage.start();
  });
  afterAll(() => scripted?.remove());

  it("follows its end, lets a reader go back, and leads to the latest again; of many rows few are drawn", async () => {
    const context = await scripted.enter(browser);
    scripted.play({
      start: Array.from({ length: 72 }, (_, n) => ({
        think: `Thought ${n}.`,
        text: `Line ${n}.`,
        delay: 40,
        tool: { name: "catalog_search", args: { text: "x" } },
      })),
    });
    const id = await scripted.create("How many are there?");
    const page = await scripted.open(context, id);
    await expect.poll(() => activity(page).textContent(), { timeout: 60_000 }).toContain("Line 40.");
    const log = activity(page);
    const fromEnd = () => log.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await expect.poll(fromEnd).toBeLessThanOrEqual(64);
    await log.hover();
    await page.mouse.wheel(0, -4000);
    const jump = named(page, "Jump to latest");
    await jump.waitFor({ timeout: patience });
    const before = await fromEnd();
    await expect.poll(fromEnd, { timeout: patience }).toBeGreaterThan(before);
    await jump.click();
    await expect.poll(fromEnd, { timeout: patience }).toBeLessThanOrEqual(64);
    await expect.poll(() => log.textContent(), { timeout: 60_000 }).toContain("Line 71.");
    const rows = await page.getByRole("region", { name: "Model activity" }).textContent();
    expect(Number(/(\d+) entries/.exec(rows ?? "")?.[1])).toBeGreaterThan(200);
    expect(await log.locator("li").count()).toBeLessThan(180);
    await context.close();
  });
});
