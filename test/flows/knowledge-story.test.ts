/**
 * The whole story, through browser, command line and Git: a wrong answer, the reviewer's own words kept, the next
 * question of the like right at once, the change reviewed in Git and reverted, and the answer wrong again.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch } from "../browser/scripted-page.ts";
import { Product } from "../fixtures/product.ts";

const main = fileURLToPath(new URL("../../src/cli/main.ts", import.meta.url));
let product: Product;
let browser: Browser;
beforeAll(async () => {
  product = await Product.start();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

const folder = () => join(product.home, "workspaces", "demo");
const git = (...args: string[]): string =>
  execFileSync("git", ["-C", folder(), "-c", "user.name=A", "-c", "user.email=a@example.org", ...args], {
    encoding: "utf8",
  });
const thoth = (...args: string[]): string =>
  execFileSync(process.execPath, [main, "workspace", ...args], {
    encoding: "utf8",
    env: { ...process.env, THOTH_HOME: product.home },
  });
const review = (page: Page) => page.getByRole("region", { name: "Review" });
const result = (page: Page) => page.getByRole("region", { name: "Result" });

/** Asks, and says yes to everything until there is a result; `words` go back at the first gate. */
async function ask(page: Page, question: string, words?: string): Promise<string> {
  await page.goto(`${product.base}/`);
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  let told = words === undefined;
  let title = "";
  for (let gate = 0; gate < 12; gate++) {
    await expect
      .poll(
        async () => {
          if ((await result(page).count()) > 0 && (await page.getByRole("status", { name: "Turn: idle" }).count()) > 0)
            return true;
          const heading = review(page).getByRole("heading", { level: 2 });
          const now = (await heading.count()) > 0 ? ((await heading.first().textContent()) ?? "") : title;
          return now !== title && (await page.getByRole("status", { name: "Turn: waiting" }).count()) > 0;
        },
        { timeout: 45_000 },
      )
      .toBe(true);
    if ((await page.getByRole("status", { name: "Turn: idle" }).count()) > 0) break;
    title = (await review(page).getByRole("heading", { level: 2 }).first().textContent()) ?? "";
    if (!told) {
      told = true;
      await page.getByRole("button", { name: "Other — specify", exact: true }).click();
      await page.getByRole("textbox", { name: "What should change" }).fill(words ?? "");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      // The corrected gate has the title of the one before.
      await page.getByText(`Sent back: “${words}”`).first().waitFor();
      title = "";
    } else await page.getByRole("button", { name: "Continue", exact: true }).click();
  }
  return (await result(page).textContent()) ?? "";
}

it("what a reviewer said once holds for the next question, for as long as its file says so", async () => {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  const faults: string[] = [];
  page.on("pageerror", (fault) => faults.push(fault.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  await page.goto(await product.address());

  // Here sales are counted in pieces, and nothing in the database says so.
  const money = "826.65";
  const pieces = "835";
  const question = "What are the sales per genre?";
  expect(await ask(page, question)).toContain(money);
  // Told at the gate, it holds for this session at once, and for no other.
  expect(await ask(page, question, "sales means Quantity")).toContain(pieces);
  const toldAt = page.url();
  expect(await ask(page, question)).toContain(money);

  await page.goto(toldAt);
  await page.getByRole("button", { name: /^Remember #\d+$/ }).click();
  expect(await page.getByRole("textbox", { name: "Word" }).inputValue()).toBe("sales");
  expect(await page.getByRole("textbox", { name: "Table", exact: true }).inputValue()).toBe("InvoiceLine");
  await page.getByRole("button", { name: "Keep it", exact: true }).click();
  await page.getByText("kept in").waitFor();

  expect(thoth("lint", "demo")).toBe("demo: 1 piece that can be used, no fault.\n");
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "What sales are");
  expect(git("show", "--stat", "--format=%s")).toMatch(/What sales are\n\n synonyms\.yaml \| 5 \+/);

  const right = await ask(page, "Show the sales of each genre.");
  expect(right).toContain(pieces);
  expect(right).not.toContain(money);

  await page.getByRole("button", { name: "Save as verified" }).click();
  await page.getByRole("button", { name: "Save it", exact: true }).click();
  await page.getByText("Saved as").waitFor();
  expect(thoth("verify", "demo")).toContain("1 of 1 verified queries hold.");
  git("clean", "--quiet", "--force", "-d");
  git("rm", "--quiet", "synonyms.yaml");
  git("commit", "--quiet", "-m", "Not so");

  const wrong = await ask(page, "Show the sales of each genre.");
  expect(wrong).toContain(money);
  expect(faults).toEqual([]);
}, 240_000);
