/** One person, one browser: from the empty page through all gates to the result, with one correction at the join review. */
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

const review = (page: Page) => page.getByRole("region", { name: "Review" });
const gateTitle = (page: Page) => review(page).getByRole("heading", { level: 2 });

describe("the page", () => {
  it("leads from the empty page to the result through all gates", async () => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
    const page = await context.newPage();
    const faults: string[] = [];
    page.on("pageerror", (fault) => faults.push(fault.message));
    page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
    const outside: string[] = [];
    page.on(
      "request",
      (request) =>
        !request.url().startsWith(product.base) && !request.url().startsWith("data:") && outside.push(request.url()),
    );

    await page.goto(await product.address());
    await page
      .getByRole("textbox", { name: "Question" })
      .fill("How many albums does each artist have? Show the artist name and the count.");
    await page.getByRole("button", { name: "Start", exact: true }).click();

    await expect.poll(() => gateTitle(page).textContent(), { timeout: 60_000 }).toBe("Is this what you are asking?");
    await expect.poll(() => page.getByRole("status", { name: "Turn: waiting" }).count()).toBe(1);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    await expect
      .poll(() => gateTitle(page).textContent(), { timeout: 60_000 })
      .toBe("Is this the data that answers it?");
    await page.getByRole("button", { name: "Continue", exact: true }).click();

    await expect.poll(() => gateTitle(page).textContent(), { timeout: 60_000 }).toBe("Is this join right?");
    expect(await review(page).textContent()).toContain("INNER");
    await page.getByRole("button", { name: "Other — specify", exact: true }).click();
    await page.getByRole("textbox", { name: "What should change" }).fill("Use LEFT JOIN in 1");
    await page.getByRole("button", { name: "Send", exact: true }).click();
    await expect
      .poll(async () => (await review(page).textContent())?.includes("LEFT JOIN"), { timeout: 60_000 })
      .toBe(true);

    for (const title of ["No filter is needed. Is that right?", /step/, "Is this SQL what you accepted?"]) {
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await expect.poll(() => gateTitle(page).textContent(), { timeout: 60_000 }).toMatch(title);
    }
    await page.getByRole("button", { name: "Continue", exact: true }).click();
    const result = page.getByRole("region", { name: "Result" });
    await expect.poll(() => result.textContent(), { timeout: 60_000 }).toContain("Iron Maiden");
    await expect.poll(() => page.getByRole("status", { name: "Turn: idle" }).count()).toBe(1);
    expect(await page.getByRole("region", { name: "Model activity" }).textContent()).toContain("reviewer_decide");
    expect(faults).toEqual([]);
    expect(outside).toEqual([]);
    await context.close();
  });

  it("C8.4 shows the same gate after the server was killed and started again, and goes on from it", async () => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(await product.address());
    await page.getByRole("textbox", { name: "Question" }).fill("Which genre earned the most revenue?");
    await page.getByRole("button", { name: "Start", exact: true }).click();
    await expect.poll(() => gateTitle(page).textContent(), { timeout: 60_000 }).toBe("Is this what you are asking?");
    await product.end("SIGKILL");
    await product.serve();
    await expect.poll(() => page.getByRole("status", { name: "Turn: waiting" }).count(), { timeout: 60_000 }).toBe(1);
    for (let gate = 0; gate < 6; gate++) {
      const title = await gateTitle(page).textContent();
      const go = page.getByRole("button", { name: "Continue", exact: true });
      // Blocked until the page has heard of the server again.
      await expect.poll(() => go.getAttribute("aria-disabled"), { timeout: 60_000 }).not.toBe("true");
      await go.click();
      await expect
        .poll(async () => (await gateTitle(page).count()) === 0 || (await gateTitle(page).textContent()) !== title, {
          timeout: 60_000,
        })
        .toBe(true);
    }
    await expect
      .poll(() => page.getByRole("region", { name: "Result" }).textContent(), { timeout: 60_000 })
      .toContain("Rock");
    await context.close();
  });
});
