/** The list of sessions in the page: searched, renamed, duplicated, removed and brought back; and follow-ups that last. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort, Product, pause } from "../fixtures/product.ts";
import { frame, keepSession, openedGate } from "./kept-session.ts";

const shots = process.env.THOTH_SCREENSHOTS;
const patience = { timeout: 60_000 };
const many = 400;
let product: Product;
let browser: Browser;
let waiting: string;
let needle: string;
const answered = [{ type: "outcome", outcome: "answered" }];
beforeAll(async () => {
  const home = mkdtempSync(join(tmpdir(), "thoth-list-"));
  mkdirSync(join(home, "sessions"), { recursive: true });
  for (let index = 0; index < many; index++) keepSession(home, `Kept question number ${index}`, answered);
  needle = keepSession(home, "Where is the néedle in the hay?", answered);
  const summary = { version: 2, phase: "F1", title: "Read so", summary: "One row per artist", decisions: [] };
  waiting = keepSession(home, "Which gate has been open since long ago?", [
    openedGate("phase-summary", { frame: frame(), summary }),
  ]);
  product = new Product(await freePort(), home);
  await product.serve();
  // What was never read is read in the background.
  const total = async () => (await product.call<{ total: number }>("/api/sessions?limit=1")).body.total;
  while ((await total()) < many + 2) await pause(200);
  browser = await chromium.launch({
    executablePath: process.env.THOTH_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
}, 120_000);

async function openPage(colorScheme: "light" | "dark" = "light"): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(await product.address());
  await page.waitForURL(`${product.base}/`);
  await rows(page).first().waitFor();
  return page;
}
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: join(shots, `sessions-${name}.png`) });
};
const list = (page: Page) => page.getByRole("group", { name: "List of sessions" });
const rows = (page: Page) => list(page).getByRole("link");
const search = (page: Page) => page.getByRole("searchbox", { name: "Search sessions" });
const manifest = (id: string) =>
  JSON.parse(readFileSync(join(product.home, "sessions", id, "manifest.json"), "utf8")) as Record<string, unknown>;
const find = async (page: Page, text: string) => {
  await search(page).fill(text);
  await page.getByText("1 found").waitFor();
};
const act = async (page: Page, action: string) => {
  await rows(page).first().hover();
  await list(page).getByRole("button", { name: "Actions" }).first().click();
  await page.getByRole("menuitem", { name: action, exact: true }).click();
};

it("open gates stand first, only rows in sight are drawn, and scrolling brings the rest", async () => {
  const page = await openPage();
  expect(await rows(page).first().textContent()).toContain("Which gate has been open since long ago?");
  await list(page).getByRole("heading", { name: "Waiting for you" }).waitFor();
  expect(await rows(page).count()).toBeLessThan(60);
  await shoot(page, "list");
  await expect
    .poll(async () => {
      await list(page).evaluate((element) => element.scrollTo(0, element.scrollHeight));
      return await list(page).evaluate((element) => element.scrollHeight);
    }, patience)
    // Four hundred rows of two lines; the first answer holds two hundred.
    .toBeGreaterThan(300 * 40);
  expect(await rows(page).count()).toBeLessThan(60);
  await page.context().close();
}, 200_000);

it("search finds what the list does not show, and the arrow keys lead into what was found", async () => {
  const page = await openPage();
  await page.locator("body").press("/");
  await page.keyboard.type("NEEDLE hay");
  await page.getByText("1 found").waitFor();
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  await page.keyboard.press("ArrowDown");
  expect(
    await rows(page)
      .first()
      .evaluate((element) => element === document.activeElement),
  ).toBe(true);
  await page.keyboard.press("Enter");
  await page.waitForURL(`${product.base}/s/${needle}`);
  await search(page).fill("no session holds this");
  await page.getByText("No session holds “no session holds this”.").waitFor();
  await page.context().close();
}, 200_000);

it("a session is renamed in its row, and keeps its age", async () => {
  const page = await openPage();
  await find(page, "needle");
  await act(page, "Rename");
  const field = page.getByRole("textbox", { name: "Name", exact: true });
  await field.fill("not kept");
  await field.press("Escape");
  expect(await rows(page).first().textContent()).toContain("Where is the");
  await act(page, "Rename");
  await field.fill("The needle, found");
  await field.press("Enter");
  await expect.poll(() => rows(page).first().textContent(), patience).toContain("The needle, found");
  expect(manifest(needle)).toMatchObject({ name: "The needle, found", updatedAt: "2025-11-03T09:30:00.000Z" });
  await page.context().close();
}, 200_000);

it("a removed session leaves the list and the disk, and Undo brings both back", async () => {
  const page = await openPage();
  const dir = join(product.home, "sessions", waiting);
  await find(page, "open since long ago");
  await rows(page).first().click();
  await page.waitForURL(`${product.base}/s/${waiting}`);
  await act(page, "Remove");
  await page.waitForURL(`${product.base}/`);
  await page.getByText("No session holds").waitFor();
  await expect.poll(() => existsSync(dir), patience).toBe(false);
  await shoot(page, "undo");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.waitForURL(`${product.base}/s/${waiting}`);
  await expect.poll(() => rows(page).count(), patience).toBe(1);
  expect(existsSync(dir)).toBe(true);
  // The gate is open as it was.
  await page.getByRole("region", { name: "Review" }).getByRole("button", { name: "Continue" }).waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);

  await act(page, "Remove");
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await page.mouse.move(700, 700);
  await expect.poll(() => page.getByRole("button", { name: "Undo" }).count(), patience).toBe(0);
  expect(existsSync(join(product.home, "trash", waiting))).toBe(true);
  await page.context().close();
}, 300_000);

it("a duplicate asks the same with the same model and level, and another model can be chosen from the row", async () => {
  const page = await openPage();
  await find(page, "needle");
  await act(page, "Use another model");
  await page.getByRole("dialog", { name: "Model of this session" }).waitFor();
  await page.getByRole("button", { name: "Leave as it is" }).click();
  await act(page, "Duplicate");
  await page.waitForURL(/\/s\/(?!kept)/);
  const id = new URL(page.url()).pathname.slice(3);
  await page.getByRole("heading", { level: 1, name: "Where is the néedle in the hay?" }).waitFor();
  const { workspace, question, provider, model, thinking } = manifest(needle);
  expect(manifest(id)).toMatchObject({ workspace, question, provider, model, thinking });
  expect(id).not.toBe(needle);
  await page.context().close();
}, 200_000);

it("a follow-up is asked after the answer, and its words stand in the header after a reload and a restart", async () => {
  const id = await product.create("How many artists are there?");
  expect((await product.run(id)).view).toMatchObject({ outcome: "answered", failure: null });
  const page = await openPage();
  await page.goto(`${product.base}/s/${id}`);
  const box = page.getByRole("textbox", { name: "Follow-up" });
  await box.fill("How many albums are there?");
  await page.getByRole("button", { name: "Ask" }).click();
  const header = page.locator("main p", { hasText: "How many albums are there?" });
  await header.first().waitFor();
  await expect.poll(async () => (await product.view(id)).followUp, patience).toBe("How many albums are there?");
  await page.reload();
  await header.first().waitFor();
  await product.end();
  await product.serve();
  await page.reload();
  // Ended in the middle of the work, it waits for Resume; its words are there all the same.
  await header.first().waitFor();
  expect(await header.first().textContent()).toBe("Follow-up How many albums are there?");
  expect((await product.view(id)).followUp).toBe("How many albums are there?");
  await page.context().close();
}, 300_000);

it.each(["light", "dark"] as const)(
  "axe finds nothing serious in the list, its menu and its toast, %s",
  async (theme) => {
    const page = await openPage(theme);
    const serious = async () => {
      const { violations } = await new AxeBuilder({ page }).analyze();
      return violations
        .filter(({ impact }) => impact === "serious" || impact === "critical")
        .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`));
    };
    expect(await serious()).toEqual([]);
    await find(page, "number 388");
    await rows(page).first().hover();
    await list(page).getByRole("button", { name: "Actions" }).first().click();
    await page.getByRole("menuitem", { name: "Rename" }).waitFor();
    await shoot(page, `menu-${theme}`);
    await page.keyboard.press("Escape");
    await act(page, "Remove");
    await page.getByRole("button", { name: "Undo" }).waitFor();
    expect(await serious()).toEqual([]);
    await shoot(page, `toast-${theme}`);
    await page.getByRole("button", { name: "Undo" }).click();
    await expect.poll(() => rows(page).count(), patience).toBe(1);
    await page.context().close();
  },
  200_000,
);
