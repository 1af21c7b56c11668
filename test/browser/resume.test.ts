/** Resume in a real browser: a refused one leaves the stream alone, a successful one opens the same address again. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page, type Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { childOf } from "../fixtures/child-of.ts";
import { Product } from "../fixtures/product.ts";

const chinook = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));
let product: Product;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  product = await Product.start();
  browser = await chromium.launch({
    executablePath: process.env.THOTH_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  folder = mkdtempSync(join(tmpdir(), "thoth-resume-"));
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const turn = (page: Page, state: string) =>
  expect
    .poll(() => page.getByRole("status", { name: `Turn: ${state}` }).count(), { timeout: 30_000, message: state })
    .toBe(1);

async function openSession(page: Page, id: string): Promise<void> {
  await page.goto(await product.address());
  await page.waitForURL(`${product.base}/`);
  await page.goto(`${product.base}/s/${id}`);
}

/** All text files of the home apart from Pi's own session files. */
function textsOf(path: string): string[] {
  return readdirSync(path).flatMap((name) => {
    const entry = join(path, name);
    const info = statSync(entry, { throwIfNoEntry: false });
    if (!info || name === "pi") return [];
    return info.isDirectory() ? textsOf(entry) : [readFileSync(entry, "latin1")];
  });
}

describe("resume in the browser", () => {
  it("C9.2 a refused Resume opens no new stream; C9.1 a successful one opens the same address again", async () => {
    const file = join(folder, "shop.sqlite");
    copyFileSync(chinook, file);
    expect((await product.call("/api/workspaces", "POST", { name: "shop", file })).status).toBe(201);
    const id = await product.create("How many tracks are there in total?", { workspace: "shop" });
    // Before the first gate: a gate could be answered without a child, and needs no Resume.
    const child = () => childOf(join(product.home, "sessions", id));
    await expect.poll(child, { timeout: 30_000, interval: 20 }).not.toBe(0);
    process.kill(child(), "SIGKILL");
    const page = await (await browser.newContext()).newPage();
    const streams: Request[] = [];
    page.on("request", (request) => request.url().includes("/events") && streams.push(request));
    await openSession(page, id);
    await turn(page, "failed");
    // The turn is shown from the session's view, which may come before the stream is asked for.
    await expect.poll(() => streams.length).toBe(1);

    renameSync(file, `${file}.away`);
    const resume = page.getByRole("button", { name: "Resume", exact: true });
    const refused = page.waitForResponse((response) => response.url().endsWith("/resume"));
    await resume.click();
    expect((await refused).status()).toBe(409);
    await page.waitForTimeout(500);
    expect(streams).toHaveLength(1);
    await turn(page, "failed");

    renameSync(`${file}.away`, file);
    await resume.click();
    // One that the page opened anew: a browser that reconnects by itself, as it may before the 200, names its last frame.
    const openedByPage = async () => {
      const cursors = await Promise.all(streams.map((stream) => stream.headerValue("last-event-id")));
      return cursors.filter((cursor) => cursor === null).length;
    };
    await expect.poll(openedByPage, { timeout: 30_000 }).toBe(2);
    expect(new Set(streams.map((stream) => stream.url())).size).toBe(1);
    await turn(page, "waiting");
    await page.context().close();
  });

  it("C11.3 activity is kept nowhere and starts afresh after a cold resume", async () => {
    const id = await product.create("Which genre has the most tracks?");
    await product.settle(id);
    const page = await (await browser.newContext()).newPage();
    await openSession(page, id);
    await turn(page, "waiting");
    const activity = page.getByRole("region", { name: "Model activity" });
    await expect.poll(() => activity.textContent(), { timeout: 30_000 }).toContain("catalog_search");
    await activity
      .getByRole("button", { name: /Reasoning/ })
      .first()
      .click();
    const reasoning = (await activity.getByRole("log").textContent()) ?? "";
    const said = /Reasoning[\d.<\s]+s(.{40,80})/.exec(reasoning)?.[1] ?? "";
    expect(said.length).toBeGreaterThan(30);
    const kept = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    expect(kept).not.toContain(said);
    expect(textsOf(product.home).some((text) => text.includes("catalog_search") || text.includes(said))).toBe(false);

    await product.end("SIGKILL");
    await product.serve();
    await turn(page, "waiting");
    await expect.poll(() => activity.textContent(), { timeout: 30_000 }).not.toContain("catalog_search");
    expect(await activity.textContent()).toContain("Which genre has the most tracks?");
    await page.context().close();
  });
});
