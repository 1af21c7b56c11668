/** The catalog in the page: found by words and keys, described in place, kept in the workspace's file, read by a model. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import AxeBuilder from "@axe-core/playwright";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { OpenGate } from "../../src/protocol/index.ts";
import { Product } from "../fixtures/product.ts";

const shots = process.env.THOTH_SCREENSHOTS;
const patience = { timeout: 60_000 };
let product: Product;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "thoth-catalog-"));
  product = await Product.start();
  browser = await chromium.launch({
    executablePath: process.env.THOTH_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
}, 120_000);

async function openCatalog(path: string, colorScheme: "light" | "dark" = "light"): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, colorScheme });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(await product.address());
  await page.waitForURL(`${product.base}/`);
  if (path !== "") await page.goto(product.base + path);
  return page;
}
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: join(shots, `catalog-${name}.png`) });
};
const file = (workspace = "demo") => join(product.home, "workspaces", workspace, "descriptions.yaml");
const search = (page: Page) => page.getByRole("combobox", { name: "Search the catalog" });
const options = (page: Page) => page.getByRole("listbox", { name: "Tables and columns" }).getByRole("option");
const row = (page: Page, column: string) =>
  page
    .getByRole("row")
    .filter({ hasText: new RegExp(`^${column}`) })
    .first();
/** While it is on its way, the words stand in the box. */
const saved = (page: Page) => page.getByRole("textbox", { name: "Description" }).waitFor({ state: "detached" });
const seriousFaults = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`));
};

/** Everything that Pi wrote down of a session, its tools' results among it. */
function writtenBelow(path: string): string {
  if (!existsSync(path)) return "";
  return readdirSync(path, { withFileTypes: true })
    .map((entry) => {
      const inner = join(path, entry.name);
      return entry.isDirectory()
        ? writtenBelow(inner)
        : entry.name.endsWith(".jsonl")
          ? readFileSync(inner, "utf8")
          : "";
    })
    .join("\n");
}

it("a column is found and opened by keys, described in place, and a new session's model reads what was written", async () => {
  const page = await openCatalog("");
  await page.getByRole("button", { name: "Catalog" }).first().click();
  await page.getByRole("heading", { name: "Catalog of demo" }).waitFor();
  await page.getByRole("group", { name: "How the tables join" }).first().waitFor();
  await shoot(page, "overview");

  await page.keyboard.press("/");
  await page.keyboard.type("customer country");
  await page.getByText("1 column found").waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(`${product.base}/catalog/demo/Customer`);
  await page.getByRole("heading", { level: 1, name: "Customer" }).waitFor();
  expect(await search(page).evaluate((element) => element === document.activeElement)).toBe(true);
  // What introspection found, what refers to what, and rows as they are stored.
  expect(await row(page, "CustomerId").textContent()).toContain("primary key");
  expect(await row(page, "SupportRepId").textContent()).toContain("refers to Employee");
  expect(await row(page, "Company").textContent()).toContain("49 NULL");
  await page.getByRole("listitem").filter({ hasText: "Invoice.CustomerId = Customer.CustomerId" }).waitFor();
  await page.getByText("luisg@embraer.com.br").first().waitFor();
  await shoot(page, "table");

  await row(page, "Country").getByRole("button", { name: "Edit description" }).click();
  await page.getByRole("textbox", { name: "Description" }).fill("The land the invoices go to: not where people live");
  await shoot(page, "edit");
  await page.keyboard.press("Control+Enter");
  await saved(page);
  await row(page, "Country").getByText("The land the invoices go to").waitFor();
  expect(readFileSync(file(), "utf8")).toBe(
    'version: 1\ntables:\n  Customer:\n    columns:\n      Country:\n        description: "The land the invoices go to: not where people live"\n',
  );
  await search(page).fill("land invoices");
  await page.getByText("1 column found").waitFor();
  await page.reload();
  await row(page, "Country").getByText("The land the invoices go to").waitFor();

  const id = await product.create("How many customers are there in each country?");
  const seen = new Set<string>();
  for (let gates = 0; gates < 12; gates++) {
    if (writtenBelow(join(product.home, "sessions", id)).includes("-- The land the invoices go to")) break;
    const { openGate } = await product.settle(id, seen);
    if (!openGate) break;
    seen.add(openGate.gateId);
    await product.answer(id, openGate as OpenGate);
  }
  expect(writtenBelow(join(product.home, "sessions", id))).toContain("Country NVARCHAR(40), e.g. 'USA'");
  expect(writtenBelow(join(product.home, "sessions", id))).toContain(
    "-- The land the invoices go to: not where people live",
  );
  // Its model is stopped before the home goes.
  await product.call(`/api/sessions/${id}`, "DELETE");
  await page.context().close();
}, 300_000);

it("an edit from an older description says so and what stands there now, and a second Save decides", async () => {
  const page = await openCatalog("/catalog/demo/Genre");
  await row(page, "Name").getByRole("button", { name: "Edit description" }).click();
  await page.getByRole("textbox", { name: "Description" }).fill("Mine");
  mkdirSync(join(file(), ".."), { recursive: true });
  const before = existsSync(file()) ? readFileSync(file(), "utf8") : "version: 1\ntables:\n";
  writeFileSync(file(), `${before}  Genre:\n    columns:\n      Name: By hand # the team's\n`);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Somebody changed it meanwhile.").waitFor();
  await page.getByText("“By hand”").waitFor();
  await shoot(page, "conflict");
  expect(readFileSync(file(), "utf8")).toContain("By hand # the team's");
  await page.getByRole("button", { name: "Save" }).click();
  await saved(page);
  await row(page, "Name").getByText("Mine").waitFor();
  expect(readFileSync(file(), "utf8")).toContain("Name: Mine # the team's");
  await page.context().close();
}, 200_000);

it("a broken file is named with its line, takes nothing else away, and is not written over", async () => {
  mkdirSync(join(file(), ".."), { recursive: true });
  const before = existsSync(file()) ? readFileSync(file(), "utf8") : "version: 1\n";
  writeFileSync(file(), "version: 1\ntables:\n  Artist: fine\n  Album:\n    descripton: x\n");
  const page = await openCatalog("/catalog/demo/Artist");
  await page.getByText("workspaces/demo/descriptions.yaml, line 5: descripton: isn't known").waitFor();
  await page.getByText("fine", { exact: true }).waitFor();
  await shoot(page, "broken");
  await row(page, "Name").getByRole("button", { name: "Edit description" }).click();
  await page.getByRole("textbox", { name: "Description" }).fill("lost?");
  await page.getByRole("button", { name: "Save" }).click();
  await expect.poll(() => page.getByRole("alert").count(), patience).toBeGreaterThan(0);
  expect(await page.getByRole("textbox", { name: "Description" }).inputValue()).toBe("lost?");
  expect(readFileSync(file(), "utf8")).toContain("descripton: x");
  writeFileSync(file(), before);
  await page.context().close();
}, 200_000);

it("a thousand tables are a list of those in sight, searched as one types", async () => {
  const path = join(folder, "large.sqlite");
  const database = new DatabaseSync(path);
  const columns = Array.from({ length: 20 }, (_, index) => `column_${index} TEXT`).join(", ");
  database.exec("BEGIN");
  for (let index = 0; index < 1000; index++)
    database.exec(`CREATE TABLE t_${String(index).padStart(4, "0")}(${columns})`);
  database.exec("CREATE TABLE needle(hay TEXT)");
  database.exec("COMMIT");
  database.close();
  expect((await product.call("/api/workspaces", "POST", { name: "large", file: path })).status).toBe(201);
  const page = await openCatalog("/catalog/large");
  await options(page).first().waitFor();
  expect(await options(page).count()).toBeLessThan(80);
  await search(page).focus();
  for (let pages = 0; pages < 60; pages++) await page.keyboard.press("PageDown");
  await options(page).filter({ hasText: "t_0999" }).waitFor();
  expect(await options(page).count()).toBeLessThan(80);
  await search(page).fill("hay");
  await page.getByText("1 of 1,001 tables, 1 column found").waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "needle" }).waitFor();
  await page.context().close();
}, 300_000);

it.each(["light", "dark"] as const)(
  "axe finds nothing serious, %s",
  async (theme) => {
    const page = await openCatalog("/catalog/demo", theme);
    await page.getByRole("heading", { name: "Catalog of demo" }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await page.goto(`${product.base}/catalog/demo/Track`);
    await page.getByText("For Those About To Rock").first().waitFor();
    await row(page, "Name").getByRole("button", { name: "Edit description" }).click();
    await page.getByRole("textbox", { name: "Description" }).waitFor();
    expect(await seriousFaults(page)).toEqual([]);
    await shoot(page, `track-${theme}`);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    await shoot(page, `phone-${theme}`);
    await page.context().close();
  },
  200_000,
);
