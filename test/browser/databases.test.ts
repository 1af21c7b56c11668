/** Other engines in the page: a database is added by hand, tested, asked, and answered through all gates. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { MysqlConnection, PostgresConnection } from "../../src/database/connection.ts";
import { writeDataFolder } from "../fixtures/data-folder.ts";
import { loadChinook, startMariadb } from "../fixtures/mariadb-engine.ts";
import { startPostgres } from "../fixtures/postgres-engine.ts";
import { Product } from "../fixtures/product.ts";

const pagila = fileURLToPath(new URL("../../../shared/data/postgres/pagila.psql.sql", import.meta.url));
const shots = process.env.THOTH_SCREENSHOTS;
let product: Product;
let browser: Browser;
let folder: string;
beforeAll(async () => {
  product = await Product.start();
  browser = await chromium.launch({
    executablePath: process.env.THOTH_CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox"],
  });
  folder = mkdtempSync(join(tmpdir(), "thoth-databases-"));
});
afterAll(async () => {
  await browser?.close();
  await product?.remove();
  rmSync(folder, { recursive: true, force: true });
});

const review = (page: Page) => page.getByRole("region", { name: "Review" });
const gateTitle = (page: Page) => review(page).getByRole("heading", { level: 2 });
const patience = { timeout: 45_000 };

async function openPage(): Promise<Page> {
  const page = await (await browser.newContext({ viewport: { width: 1440, height: 900 } })).newPage();
  await page.goto(await product.address());
  await page.waitForURL(`${product.base}/`);
  return page;
}
const shoot = async (page: Page, name: string) => {
  if (shots) await page.screenshot({ path: join(shots, `${name}.png`) });
};

/** Through the dialog, as a person does it. */
async function addDatabase(page: Page, name: string, where: string, password?: string): Promise<string> {
  await page.getByRole("button", { name: "Add your database" }).first().click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByLabel("File, folder or address").fill(where);
  if (password !== undefined) await dialog.getByLabel("Password").fill(password);
  await dialog.getByRole("button", { name: "Test connection" }).click();
  await expect.poll(() => dialog.getByText(/\d tables?/).count(), patience).toBeGreaterThan(0);
  const said = (await dialog.textContent()) ?? "";
  await shoot(page, `${name}-1-tested`);
  await dialog.getByRole("button", { name: "Add", exact: true }).click();
  await expect.poll(() => page.getByRole("dialog").count(), patience).toBe(0);
  return said;
}

/** Continue at every gate; the text of the result. */
async function askThrough(page: Page, name: string, question: string): Promise<string> {
  await page.getByRole("textbox", { name: "Question" }).fill(question);
  await page.getByRole("button", { name: "Start", exact: true }).click();
  const result = page.getByRole("region", { name: "Result" });
  const titles: string[] = [];
  for (;;) {
    const state = async () => {
      if ((await page.getByRole("status", { name: "Turn: failed" }).count()) > 0) return "failed";
      if ((await page.getByRole("status", { name: "Turn: idle" }).count()) > 0 && (await result.count()) > 0)
        return "done";
      const title = (await gateTitle(page).count()) > 0 ? await gateTitle(page).textContent() : null;
      return title !== null && title !== titles.at(-1) ? title : null;
    };
    await expect.poll(state, { ...patience, message: `after ${titles.join(" | ")}` }).not.toBeNull();
    const now = (await state()) ?? "";
    if (now === "done") break;
    expect([titles.length < 12, now]).not.toContain("failed");
    expect(titles.length).toBeLessThan(12);
    titles.push(now);
    await shoot(page, `${name}-2-gate-${titles.length}`);
    await page.getByRole("button", { name: "Continue", exact: true }).click();
  }
  // The rows come by a request of their own.
  await expect.poll(() => result.textContent(), patience).not.toContain("Running the SQL");
  await shoot(page, `${name}-3-result`);
  expect(titles.at(-1)).toBe("Is this SQL what you accepted?");
  return (await result.textContent()) ?? "";
}

/** Every text below the folder, Pi's own files too. */
function textsBelow(path: string): string[] {
  return readdirSync(path).flatMap((name) => {
    const entry = join(path, name);
    const info = statSync(entry, { throwIfNoEntry: false });
    if (!info) return [];
    if (info.isDirectory()) return name === "secrets" ? [] : textsBelow(entry);
    return info.isFile() ? [readFileSync(entry, "latin1")] : [];
  });
}

const addressOf = ({ engine, user, host, port, database }: PostgresConnection | MysqlConnection) =>
  `${engine}://${user}@${host}:${port}/${database}`;
const passwordOf = ({ password }: PostgresConnection | MysqlConnection) =>
  password && "file" in password ? readFileSync(password.file, "utf8").trim() : "";

it("a database of one's own: questions made from its names, and one that is picked can be asked", async () => {
  const file = join(folder, "shop.sqlite");
  copyFileSync(fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url)), file);
  const page = await openPage();
  await addDatabase(page, "shop", file);
  const offered = page.getByRole("region", { name: "Try one of these" }).getByRole("button");
  await expect.poll(() => offered.count(), patience).toBe(5);
  await shoot(page, "shop-0-questions");
  await offered.filter({ hasText: "Which album has the most tracks?" }).click();
  expect(await page.getByRole("textbox", { name: "Question" }).inputValue()).toBe("Which album has the most tracks?");
  await page.keyboard.press("Control+Enter");
  await expect.poll(() => gateTitle(page).allTextContents(), patience).toContain("Is this what you are asking?");
  await page.context().close();
}, 90_000);

describe("a session on another engine", () => {
  it("a folder of Parquet and CSV files", async () => {
    const files = join(folder, "exports");
    mkdirSync(files);
    await writeDataFolder(files);
    const page = await openPage();
    expect(await addDatabase(page, "exports", files)).toContain("DuckDB");
    const text = await askThrough(page, "exports", "Which customer has spent the most money?");
    expect(text).toContain("Holý");
    await page.context().close();
  });

  it("Chinook in MariaDB, with the password nowhere but in its own file", async (test) => {
    const engine = await startMariadb();
    if (!engine) return test.skip();
    try {
      await loadChinook(engine);
      const connection = engine.connection("reader") as MysqlConnection;
      const password = passwordOf(connection);
      expect(password).not.toBe("");
      const page = await openPage();
      expect(await addDatabase(page, "music", addressOf(connection), password)).toContain("MariaDB");
      const text = await askThrough(page, "music", "How many albums does each artist have?");
      expect(text).toContain("Iron Maiden");
      expect(textsBelow(product.home).filter((one) => one.includes(password))).toEqual([]);
      expect(product.log).not.toContain(password);
      expect(statSync(join(product.home, "secrets")).mode & 0o077).toBe(0);
      await page.context().close();
    } finally {
      await engine.stop();
    }
  });

  it("Pagila in PostgreSQL", async (test) => {
    if (!existsSync(pagila) || spawnSync("psql", ["--version"]).status !== 0) {
      console.log("skipped: Pagila's dump or psql is not here");
      return test.skip();
    }
    const engine = await startPostgres();
    if (!engine) return test.skip();
    try {
      await engine.createDatabase("pagila");
      const owner = { ...engine.connection("owner"), database: "pagila" };
      const args = ["-q", "-v", "ON_ERROR_STOP=0", "-h", owner.host, "-p", String(owner.port), "-U", owner.user];
      execFileSync("psql", [...args, "-d", "pagila", "-f", pagila], {
        env: { ...process.env, PGPASSWORD: passwordOf(owner) },
        stdio: "ignore",
      });
      await engine.grant("pagila");
      const reader = { ...engine.connection("reader"), database: "pagila" };
      const page = await openPage();
      expect(await addDatabase(page, "rentals", addressOf(reader), passwordOf(reader))).toContain("PostgreSQL");
      const text = await askThrough(page, "rentals", "How many films are there in each category?");
      expect(text).toContain("Sports");
      expect(text).toContain("74");
      await page.context().close();
    } finally {
      await engine.stop();
    }
  });
});
