/**
 * `npm run screens`: takes the pictures of `docs/screens/` anew, with the offline planner on the demo database, from the
 * page as it is built. Ten states; those that differ most in the dark are taken in both themes.
 */
import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import type { OpenGate } from "../src/protocol/index.ts";
import { Product } from "../test/fixtures/product.ts";

const folder = fileURLToPath(new URL("../docs/screens/", import.meta.url));
const question = "Which ten artists earned the most revenue from rock tracks since 2023?";
const unanswerable = "What is the profit margin of each album?";
/** All pictures together, in bytes. */
const most = 3_000_000;

type Scheme = "light" | "dark";
const desktop = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };

/** A page of its own per picture size, so that each shows what someone sees who opens it so. */
async function enter(browser: Browser, product: Product, viewport: typeof desktop): Promise<Page> {
  const context = await browser.newContext({ viewport, timezoneId: "UTC", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(await product.address());
  await page.waitForURL(`${product.base}/`);
  return page;
}

async function take(page: Page, name: string, schemes: Scheme[] = ["light"]): Promise<void> {
  await page.evaluate(() => document.fonts.ready);
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme });
    await page.waitForTimeout(700);
    await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`) });
  }
  await page.emulateMedia({ colorScheme: "light" });
  console.log(name);
}

/** Shows the open gate of a phase, going on from the ones before. */
async function reach(product: Product, id: string, phase: string): Promise<OpenGate> {
  const seen = new Set<string>();
  for (;;) {
    const gate = (await product.settle(id, seen)).openGate as OpenGate | null;
    if (!gate) throw new Error(`the session ended before ${phase}`);
    seen.add(gate.gateId);
    if (gate.phase === phase) return gate;
    await product.answer(id, gate);
  }
}

const both: Scheme[] = ["light", "dark"];
mkdirSync(folder, { recursive: true });
for (const file of readdirSync(folder)) if (file.endsWith(".png")) rmSync(join(folder, file));
const product = await Product.start();
const browser = await chromium.launch({
  executablePath: process.env.THOTH_CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox"],
});
try {
  const wide = await enter(browser, product, desktop);
  await wide.getByText("and 4 more tables").waitFor();
  await take(wide, "1-new-question", both);

  const id = await product.create(question);
  const other = await product.create("Which playlists contain no tracks?");
  await product.run(other);
  await product.create("Which customer spent the most in each country?");
  const at = async (phase: string) => {
    await reach(product, id, phase);
    await wide.goto(`${product.base}/s/${id}`);
    await wide.getByText(`${phase} gate opened`).waitFor();
  };
  await at("F1");
  await take(wide, "2-question");
  await at("F3");
  await take(wide, "3-joins", both);
  const small = await enter(browser, product, phone);
  await small.goto(`${product.base}/s/${id}`);
  await small.getByRole("button", { name: "Continue", exact: true }).waitFor();
  await take(small, "4-joins-on-a-phone");
  await wide.getByRole("button", { name: "Other — specify", exact: true }).click();
  await wide.getByRole("button", { name: "Use LEFT JOIN in 1", exact: true }).last().click();
  await take(wide, "5-what-should-change");
  await at("F4");
  await take(wide, "6-filters");
  await at("F5");
  await take(wide, "7-steps");
  await at("F6");
  await take(wide, "8-sql", both);
  await product.answer(id, (await product.view(id)).openGate as OpenGate);
  await product.settle(id);
  await wide.goto(`${product.base}/s/${id}`);
  await wide.getByRole("region", { name: "Result" }).waitFor();
  await take(wide, "9-answered", both);
  const cannot = await product.create(unanswerable);
  await product.run(cannot);
  await wide.goto(`${product.base}/s/${cannot}`);
  await wide.getByText("This is a finding about the data", { exact: false }).waitFor();
  await take(wide, "10-cannot-answer");
} finally {
  await browser.close();
  await product.remove();
}
const total = readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0);
console.log(`${readdirSync(folder).length} pictures, ${Math.round(total / 1000)} kB`);
if (total > most) throw new Error(`the pictures are larger than ${most / 1_000_000} MB together`);
