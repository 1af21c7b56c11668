/** A key and an endpoint added on the page, tried, made the default, used by the next question, and stopped by its budget. */
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Product } from "../fixtures/product.ts";
import { sixPhases } from "../fixtures/wire/six-phases.ts";
import { startWireServer, type WireServer } from "../fixtures/wire/wire-server.ts";
import { launch, watchFaults } from "./scripted-page.ts";

const secret = "sk-PLANTED-ON-THE-PAGE";
const patience = { timeout: 60_000 };
let product: Product;
let wire: WireServer;
let browser: Browser;
beforeAll(async () => {
  wire = await startWireServer({ key: secret });
  product = await Product.start();
  browser = await launch();
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  await wire?.close();
});

const gateTitle = (page: Page) => page.getByRole("region", { name: "Review" }).getByRole("heading", { level: 2 });

it("key, endpoint, test, default and budget, all on the page", async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  const faults = watchFaults(page);
  await page.goto(await product.address());
  await page.getByRole("button", { name: "Models", exact: true }).click();
  const main = page.getByRole("main", { name: "Models" });
  await main.getByRole("heading", { name: "Models that can be used" }).waitFor(patience);
  expect(new URL(page.url()).pathname).toBe("/models");

  await main.getByRole("button", { name: /more providers/ }).click(patience);
  await main.getByRole("textbox", { name: "Find a provider" }).fill("groq");
  await main.getByRole("button", { name: "Add key of Groq" }).click();
  await main.getByRole("textbox", { name: "Key of Groq" }).fill("gsk_PLANTED_GROQ_KEY");
  await main.getByRole("button", { name: "Save key" }).click();
  const groq = main.getByRole("listitem", { name: "Groq" });
  await groq.getByText("Key stored").waitFor(patience);
  await groq.getByRole("button", { name: "Remove key of Groq" }).click();
  await groq.getByText("No key", { exact: true }).waitFor(patience);

  const form = main.getByRole("form", { name: "Add an endpoint" });
  await form.getByRole("textbox", { name: "Name" }).fill("gate");
  await form.getByRole("textbox", { name: "Address" }).fill(wire.origin);
  await form.getByRole("button", { name: "Find models" }).click();
  await form.getByText(/wants a key/).waitFor(patience);
  await form.getByRole("textbox", { name: "Key, if it wants one" }).fill(secret);
  await form.getByRole("button", { name: "Find models" }).click();
  await form.getByText("OpenAI-compatible answers with 1 model.").waitFor(patience);
  await form.getByRole("button", { name: "Add endpoint" }).click();
  await form.getByText("gate is added.").waitFor(patience);

  wire.play([{ text: "ok", usage: { input: 20, output: 2 } }]);
  await main.getByRole("button", { name: "Test wire" }).click();
  const tested = main.getByRole("status", { name: "Test of wire" });
  await tested.waitFor(patience);
  expect(await tested.textContent()).toMatch(/It answers\. First word after .* done after .* 22 tokens\./);
  wire.play([{ fault: { status: 402, message: "PLANTED-BODY", type: "x" } }]);
  await main.getByRole("button", { name: "Test wire" }).click();
  await main.getByText("The provider's account has no credit left for this.").waitFor(patience);

  await main.getByRole("button", { name: "Make wire the default" }).click();
  await expect.poll(() => main.getByRole("button", { name: "Make wire the default" }).count(), patience).toBe(0);
  await main.getByRole("textbox", { name: "Budget per session" }).fill("lots");
  await main
    .getByText(/That is no amount/)
    .first()
    .waitFor(patience);
  await main.getByRole("textbox", { name: "Budget per session" }).fill("1.5k");
  await main.getByRole("button", { name: "Save budget" }).click();
  await expect
    .poll(() => main.getByRole("textbox", { name: "Budget per session" }).inputValue(), patience)
    .toBe("1,500 tokens");
  expect(await page.content()).not.toMatch(/PLANTED/);

  wire.play(sixPhases.map((step) => ({ usage: { input: 1000, output: 100 }, ...step })));
  wire.requests.length = 0;
  await page.getByRole("button", { name: "New question" }).first().click();
  expect(await page.getByRole("combobox", { name: "Model", exact: true }).inputValue()).toBe("gate/wire");
  expect(await page.getByRole("combobox", { name: "Budget" }).inputValue()).toBe("1,500 tokens");
  await page.getByRole("textbox", { name: "Question" }).fill("How many tracks are there in total?");
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const go = page.getByRole("button", { name: "Continue", exact: true });
  for (const title of ["Is this what you are asking?", "Is this the data that answers it?"]) {
    await expect.poll(() => gateTitle(page).textContent(), patience).toBe(title);
    await go.click();
  }
  await expect
    .poll(() => gateTitle(page).textContent(), patience)
    .toBe("The budget of 1,500 tokens is used up. Go on?");
  expect(wire.requests).toHaveLength(2);
  expect(await page.getByRole("region", { name: "Usage" }).textContent()).toBe(
    "Turn 2,200 tokensSession 2,200 tokens of 1,500 tokens",
  );
  await page.getByRole("radio", { name: /Go on, up to 3,700 tokens/ }).click();
  await go.click();
  await expect.poll(() => gateTitle(page).textContent(), patience).toBe("No join is needed. Is that right?");
  await expect
    .poll(() => page.getByRole("region", { name: "Usage" }).textContent(), patience)
    .toBe("Turn 3,300 tokensSession 3,300 tokens of 3,700 tokens");
  expect(await page.content()).not.toMatch(/PLANTED/);
  // The browser's own lines about the refused request; nothing of the page's.
  expect(faults.filter((line) => !/status of 4\d\d/.test(line))).toEqual([]);
  await context.close();
}, 600_000);
