/** Gates and tabs as people and browsers treat them: reloads, double clicks, stray keys, too many tabs, odd characters. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { activity, launch, noteSources, patience, ScriptedPage, sourcesOf, turn } from "./scripted-page.ts";

let product: ScriptedPage;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [product, browser] = await Promise.all([ScriptedPage.start(), launch()]);
  context = await product.enter(browser);
  await noteSources(context);
});
// A tab that a failed test left would take a live slot from the next one.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

/** With `closes` false the next proposal comes in the same phase. */
const propose = (text: string, closes = true) => ({
  tool: { name: "reviewer_decide", args: { phase: "F1", text, closes } },
});
const review = (page: Page) => page.getByRole("region", { name: "Review" });
const shows = (page: Page, text: string) =>
  expect.poll(() => review(page).textContent(), { timeout: patience, message: text }).toContain(text);
const goOn = (page: Page) => page.getByRole("button", { name: "Continue", exact: true });
const answersOf = (id: string) => product.entries(id).filter((entry) => entry.type === "gate-answered");

describe("an open gate", () => {
  it("C7.2 is there after a reload and in a second browser, still waiting, and one answer closes it in both", async () => {
    product.play({ start: [propose("Count the rows."), { text: "Thank you." }] });
    const id = await product.create("Is it still there?");
    const page = await product.open(context, id);
    await shows(page, "Count the rows.");
    await page.reload();
    await shows(page, "Count the rows.");
    await turn(page, "waiting");
    const elsewhere = await product.enter(browser);
    const other = await product.open(elsewhere, id);
    await shows(other, "Count the rows.");
    await goOn(other).click();
    await Promise.all([turn(page, "idle"), turn(other, "idle")]);
    await expect.poll(() => page.getByText("Count the rows.").count(), { timeout: patience }).toBe(1);
    expect(answersOf(id)).toHaveLength(1);
    await elsewhere.close();
  });

  it("C7.2 a double click answers once, and never the gate that comes next", async () => {
    product.play({ start: [propose("The first.", false), propose("The second.")] });
    const id = await product.create("How often?");
    const page = await product.open(context, id);
    await shows(page, "The first.");
    await goOn(page).dblclick();
    await shows(page, "The second.");
    await turn(page, "waiting");
    expect(answersOf(id)).toHaveLength(1);
    expect((await product.view(id)).openGate).not.toBeNull();
  });

  it("C7.2 an answer to a gate that is gone is never shown as taken, and the page says what became of it", async () => {
    product.play({ start: [propose("Soon gone."), { text: "Thank you." }] });
    const id = await product.create("Who was first?");
    const page = await product.open(context, id);
    await shows(page, "Soon gone.");
    // The tab hears nothing of the answer that somebody else gives before its own arrives.
    let release = () => undefined as unknown;
    await page.route("**/gates/*", async (route) => {
      await new Promise((go) => (release = () => go(undefined)));
      await route.continue();
    });
    await goOn(page).click();
    await expect.poll(() => review(page).textContent()).toContain("Your answer is on its way.");
    const gate = (await product.view(id)).openGate;
    const body = { answerId: "elsewhere-1", hash: gate?.hash, answer: "other", text: "Not like this." };
    expect((await product.call(`/api/sessions/${id}/gates/${gate?.gateId}`, "POST", body)).status).toBe(200);
    const refused = page.waitForResponse((response) => response.url().includes("/gates/"));
    release();
    expect((await refused).status()).toBe(409);
    await expect
      .poll(() => page.getByText(/Already answered in another tab: Other/).count(), { timeout: patience })
      .toBeGreaterThan(0);
    expect(answersOf(id).map((entry) => (entry as { answer: string }).answer)).toEqual(["other"]);
    expect(product.entries(id).filter((entry) => entry.type === "decision")).toEqual([]);
  });

  it("C7.2 opens under someone who types: no key decides anything, the words stay, and the gate is announced", async () => {
    product.play({ start: [{ text: "Working. ".repeat(60), delay: 50, ...propose("Typed over.") }] });
    const id = await product.create("Who types?");
    const page = await product.open(context, id);
    await turn(page, "running");
    const box = page.getByRole("textbox", { name: "Steer the model" });
    await box.click();
    let typed = "";
    for (const until = Date.now() + patience; Date.now() < until; ) {
      await page.keyboard.type("so ");
      typed += "so ";
      if ((await page.getByText("Typed over.").count()) > 0) break;
    }
    await page.keyboard.press("Enter");
    await page.keyboard.press("Space");
    await page.keyboard.type("still");
    await turn(page, "waiting");
    expect(await box.inputValue()).toBe(`${typed}\n still`);
    expect(await box.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(answersOf(id)).toEqual([]);
    expect(await page.getByText("Review required: F1", { exact: false }).count()).toBe(1);
    // The gate can be reached without a mouse.
    for (let step = 0; step < 60; step += 1) {
      if (await goOn(page).evaluate((element) => element === document.activeElement)) break;
      await page.keyboard.press("Tab");
    }
    expect(await goOn(page).evaluate((element) => element === document.activeElement)).toBe(true);
  });
});

it("C9.3 with seven tabs every one loads, four hold a stream, the others say so, and answers get through from any", async () => {
  product.play({ start: [propose("Seen seven times.", false), propose("Seen again."), { text: "Thank you." }] });
  const id = await product.create("How many tabs?");
  const tabs: Page[] = [];
  for (let tab = 0; tab < 7; tab += 1) {
    const page = await product.open(context, id);
    await shows(page, "Seen seven times.");
    tabs.push(page);
  }
  const open = await Promise.all(
    tabs.map(async (page) => (await sourcesOf(page)).filter(([, isOpen]) => isOpen).length),
  );
  expect(open).toEqual([1, 1, 1, 1, 0, 0, 0]);
  const notice = (page: Page) => page.getByText("Live updates are on in four other tabs", { exact: false }).count();
  expect(await Promise.all(tabs.map(notice))).toEqual([0, 0, 0, 0, 1, 1, 1]);
  await goOn(tabs[1] as Page).click();
  for (const page of tabs) await shows(page, "Seen again.");
  // From a tab without a stream too.
  await goOn(tabs[6] as Page).click();
  await Promise.all(tabs.map((page) => turn(page, "idle")));
  expect(answersOf(id)).toHaveLength(2);
  // A tab that goes leaves its place to one that waits for it.
  await tabs[0]?.close();
  await expect
    .poll(
      async () => {
        const now = await Promise.all(tabs.slice(1).map(sourcesOf));
        return now.filter((sources) => sources.some(([, isOpen]) => isOpen)).length;
      },
      { timeout: patience },
    )
    .toBe(4);
}, 120_000);

it("C1.2 C10.1 line separators inside what a child says, proposes and is told are characters like others, to the page's end", async () => {
  const odd = "one\u2028two\u2029three\u0085four";
  product.play({
    start: [
      { think: `Thinking ${odd}.`, text: `Saying ${odd}.`, ...propose(`Count ${odd}.`) },
      { text: "Heard: {heard}" },
    ],
  });
  const id = await product.create(`Asking ${odd}?`);
  const page = await product.open(context, id);
  await shows(page, "three");
  await goOn(page).click();
  await turn(page, "idle");
  const log = (await activity(page).textContent()) ?? "";
  expect(log).toContain(`Asking ${odd}?`);
  expect(log).toContain(`Saying ${odd}.`);
  expect(log).toContain(`Thinking ${odd}.`);
  expect(product.entries(id).find((entry) => entry.type === "decision")).toMatchObject({
    decision: { text: `Count ${odd}.` },
  });
});
