/** What can go wrong, and that each has a look of its own that says what to do. */
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { Product } from "../fixtures/product.ts";
import { openCutLine } from "./cut-line.ts";
import { frame, keepSession, openedGate } from "./kept-session.ts";
import { launch, patience, ScriptedPage, turn } from "./scripted-page.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser?.close());

const goOn = (page: Page) => page.getByRole("button", { name: "Continue", exact: true });
const review = (page: Page) => page.getByRole("region", { name: "Review" });
const says = (page: Page, text: string | RegExp) =>
  expect.poll(() => page.getByText(text).count(), { timeout: patience, message: String(text) }).toBeGreaterThan(0);

describe("with a scripted model", () => {
  let product: ScriptedPage;
  let context: BrowserContext;
  beforeAll(async () => {
    product = await ScriptedPage.start();
    context = await product.enter(browser);
  });
  afterEach(() => Promise.all(context.pages().map((page) => page.close())));
  afterAll(() => product?.remove());

  it("C7.3 a provider that fails: what happened, what is kept, Resume or another model, and none of the provider's words", async () => {
    product.play({ start: [{ error: "429 rate limit exceeded for org-CANARY at https://api.example" }] });
    const id = await product.create("Who is too busy?");
    const page = await product.open(context, id);
    await turn(page, "failed");
    const failed = page.getByRole("region", { name: /rate limit|busy|provider/i });
    await failed.waitFor({ timeout: patience });
    const text = (await failed.textContent()) ?? "";
    expect(text).toContain("Resume starts F1 Question again");
    expect(text).toContain("rate-limited");
    expect(await failed.getByRole("button", { name: "Resume", exact: true }).count()).toBe(1);
    expect(await failed.getByRole("button", { name: "Use another model" }).count()).toBe(1);
    expect(await page.content()).not.toMatch(/CANARY|api\.example/);
  }, 60_000);

  it("cannot answer: a gate that says what is missing, and an end that is no failure", async () => {
    product.play({
      start: [{ tool: { name: "cannot_answer", args: { missing: "a cost column" } } }, { text: "So be it." }],
    });
    const id = await product.create("What is the margin?");
    const page = await product.open(context, id);
    await expect.poll(() => review(page).textContent(), { timeout: patience }).toContain("Missing: a cost column");
    await goOn(page).click();
    await turn(page, "idle");
    await says(page, "The data is not there: a cost column.");
    await says(page, "This is a finding about the data, not a fault.");
    expect(await page.getByRole("alert").count()).toBe(0);
    expect(await page.getByRole("textbox", { name: "Follow-up" }).count()).toBe(1);
  }, 60_000);

  it("a turn that ends with words only: the page says what they were, and offers another model", async () => {
    product.play({ start: [{ text: "I could not finish: <b>nothing</b> fits." }] });
    const page = await product.open(context, await product.create("What is there?"));
    await turn(page, "idle");
    const paused = page.getByRole("region", { name: "The model is not at work" });
    await paused.waitFor({ timeout: patience });
    expect(await paused.getByRole("figure").textContent()).toContain("I could not finish: <b>nothing</b> fits.");
    expect(await paused.getByRole("button", { name: "Use another model" }).count()).toBe(1);
  }, 60_000);

  it("a question sent while its workspace is still being opened is asked once that is done", async () => {
    product.play({ start: [{ text: "Done." }] });
    const page = await context.newPage();
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    await page.route("**/api/workspaces", async (route) => {
      await opened;
      await route.continue();
    });
    await page.goto(`${product.base}/`);
    await page.getByRole("textbox", { name: "Question" }).fill("Asked too early?");
    await page.keyboard.press("Control+Enter");
    await page.getByRole("button", { name: "Starting" }).waitFor({ timeout: patience });
    open();
    await page.waitForURL(/\/s\//, { timeout: patience });
    await says(page, "Asked too early?");
  }, 60_000);

  it("no such session, and a search that finds nothing, say so and what to do", async () => {
    product.play({ start: [{ text: "Done." }] });
    await product.create("Something to search for");
    const page = await product.open(context, "nosuchsession");
    await says(page, "There is no such session");
    await says(page, /Choose another on the left, or ask a new question/);
    const search = page.getByRole("searchbox", { name: "Search sessions" });
    await search.fill("zebra");
    await says(page, /zebra/);
    expect(await page.getByRole("navigation", { name: "Sessions" }).getByRole("link").count()).toBe(0);
  }, 60_000);

  it("zero matches: no stored value is near, and Continue still says what it writes", async () => {
    const filter = { kind: "filter", table: "Genre", column: "Name", words: "rokc", condition: "g.Name = 'rokc'" };
    const id = keepSession(product.home, "Who plays rokc?", [
      openedGate(
        "decision-review",
        {
          frame: frame({ title: "Does this filter mean what you said?", consequence: "Writes 1 filter." }),
          decisions: [filter],
          filters: [{ n: 1, kept: 0, of: 25, matches: [], searched: 25, partial: false }],
        },
        "F4",
      ),
    ]);
    const page = await product.open(context, id);
    await says(page, /No stored value is near “rokc”/);
    expect(await review(page).textContent()).toContain("Writes 1 filter.");
  }, 60_000);

  it("a browser without the key is told how to get in, and sees nothing else", async () => {
    const stranger = await browser.newContext();
    const page = await stranger.newPage();
    const answer = await page.goto(`${product.base}/`);
    expect(answer?.status()).toBe(401);
    expect(await page.textContent("body")).toContain("thoth open");
    await stranger.close();
  }, 60_000);
});

it("backend gone: said above all, Continue blocked with the reason; once it is back the same gate, unchanged and answerable", async () => {
  const line = await openCutLine();
  const product = await ScriptedPage.start({ publicPort: line.port });
  line.to(product.port);
  const id = keepSession(product.home, "Is anybody there?", [
    openedGate("decision-review", {
      frame: frame({ title: "Still the same gate?" }),
      decisions: [{ kind: "interpretation", aspect: "restatement", text: "Count them." }],
    }),
  ]);
  const context = await product.enter(browser);
  const page = await product.open(context, id);
  await expect.poll(() => review(page).textContent(), { timeout: patience }).toContain("Still the same gate?");
  line.cut(10 * patience);
  await says(page, "ThothII is not running.");
  await expect.poll(() => goOn(page).getAttribute("aria-disabled"), { timeout: patience }).toBe("true");
  const reason = (await goOn(page).getAttribute("aria-describedby")) ?? "";
  expect(await page.locator(`[id="${reason}"]`).textContent()).toMatch(/not running\. Start it again/);
  // The proposal stays readable meanwhile.
  expect(await review(page).textContent()).toContain("Count them.");
  line.cut();
  await expect.poll(() => page.getByText("ThothII is not running.").count(), { timeout: patience }).toBe(0);
  await expect.poll(() => goOn(page).getAttribute("aria-disabled"), { timeout: patience }).not.toBe("true");
  expect(await review(page).textContent()).toContain("Still the same gate?");
  const answer = page.waitForResponse((response) => response.url().includes("/gates/"), { timeout: patience });
  await goOn(page).click();
  expect((await answer).status()).toBe(200);
  await context.close();
  await product.remove();
  await line.close();
}, 200_000);

describe("with the product itself", () => {
  let product: Product;
  let folder: string;
  beforeAll(async () => {
    product = await Product.start();
    folder = mkdtempSync(join(tmpdir(), "thoth-looks-"));
  });
  afterAll(async () => {
    await product?.remove();
    rmSync(folder, { recursive: true, force: true });
  });
  const enter = async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    await page.goto(await product.address());
    await page.waitForURL(`${product.base}/`);
    return { context, page };
  };

  it("database gone: no question can be started, Resume is refused, and both say what to do", async () => {
    const file = join(folder, "shop.sqlite");
    copyFileSync(fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url)), file);
    expect((await product.call("/api/workspaces", "POST", { name: "shop", file })).status).toBe(201);
    const id = await product.create("How many tracks are there?", { workspace: "shop" });
    await product.end();
    renameSync(file, `${file}.away`);
    await product.serve();
    const { context, page } = await enter();
    await page.getByRole("combobox", { name: /^Workspace/ }).selectOption("shop", { timeout: patience });
    await says(page, "shop cannot be opened.");
    expect(await page.getByRole("button", { name: "Start", exact: true }).getAttribute("aria-disabled")).toBe("true");
    await page.goto(`${product.base}/s/${id}`);
    await page.getByRole("button", { name: "Session menu" }).click({ timeout: patience });
    const refused = page.waitForResponse((response) => response.url().endsWith("/resume"), { timeout: patience });
    await page.getByRole("button", { name: "Resume", exact: true }).last().click();
    expect((await refused).status()).toBe(409);
    const told = async () => (await page.getByRole("alert").allTextContents()).join(" ");
    await expect.poll(told, { timeout: patience }).toMatch(/database|file/i);
    expect(await page.content()).not.toContain(folder);
    await context.close();
  }, 200_000);
});
