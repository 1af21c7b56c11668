/** The result in the page: rows one can sort, filter, look into and copy, a chart to change and keep, SQL of one's own, and the report. */
import { readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Download, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { OpenGate } from "../../src/protocol/index.ts";
import { Product } from "../fixtures/product.ts";
import { keepAnswered } from "./kept-session.ts";
import { launch, patience, watchFaults } from "./scripted-page.ts";

const chinook = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));
const slow = 240_000;
const within = { timeout: patience * 2 };

let product: Product;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  product = await Product.start();
  browser = await launch();
  context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: product.base });
  const page = await context.newPage();
  await page.goto(await product.address());
  await page.waitForURL(`${product.base}/`);
  await page.close();
}, slow);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

const many = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
SELECT i AS id, CASE WHEN i % 4 = 0 THEN NULL WHEN i % 4 = 1 THEN '' ELSE 'note ' || i END AS note,
  CASE i WHEN 1 THEN '{"big":9007199254740993,"list":[1,2]}' WHEN 2 THEN '=1+1' ELSE 'zero' || char(8203) || 'width' END AS text,
  20001 - i AS id FROM n`;
const genres = `SELECT g.Name AS genre, COUNT(*) AS tracks FROM Track t JOIN Genre g ON g.GenreId = t.GenreId
GROUP BY g.Name ORDER BY 2 DESC LIMIT 5`;

/** On a busy machine a child may take longer to start than one wait lasts. */
const settle = (id: string, seen?: ReadonlySet<string>) =>
  product.settle(id, seen).catch(() => product.settle(id, seen));

async function open(id: string): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage();
  const faults = watchFaults(page);
  await page.goto(`${product.base}/s/${id}`);
  return { page, faults };
}
const result = (page: Page) => page.getByRole("region", { name: "Result" });
const grid = (page: Page) => result(page).getByRole("grid");
/** Cells of the rows that are drawn, by their place from the top. */
const drawn = (page: Page, rows = 3): Promise<string[][]> =>
  grid(page).evaluate(
    (table, rows) =>
      [...table.querySelectorAll("tr[data-row]")]
        .sort((a, b) => Number(a.getAttribute("data-row")) - Number(b.getAttribute("data-row")))
        .slice(0, rows)
        .map((row) => [...row.querySelectorAll("td[data-column]")].map((cell) => cell.textContent ?? "")),
    rows,
  );
const textOf = async (download: Download) => readFileSync(await download.path(), "utf8");

async function copied(page: Page, item: string): Promise<string> {
  await result(page).getByRole("button", { name: "Copy" }).click();
  await page.getByRole("menuitem", { name: item }).click();
  await expect.poll(() => result(page).getByRole("button", { name: "Copied" }).count(), within).toBe(1);
  return page.evaluate(() => navigator.clipboard.readText());
}

describe("the grid", () => {
  it(
    "sorts, filters, shows a cell in full and copies, with few of 10,000 rows in the DOM",
    async () => {
      const { page, faults } = await open(keepAnswered(product.home, "Twenty thousand rows", many));
      await expect.poll(() => grid(page).getAttribute("aria-rowcount"), within).toBe("10001");
      expect(await grid(page).locator("tr[data-row]").count()).toBeLessThan(80);
      expect(await drawn(page, 1)).toEqual([["1", "empty", '{"big":9007199254740993,"list":[1,2]}', "20000"]]);
      expect((await drawn(page, 4))[3]?.[1]).toBe("NULL");

      // Both columns are called id: the last is sorted, and only it.
      const heads = grid(page).getByRole("columnheader");
      expect(await heads.allTextContents()).toEqual(["idINTEGER", "noteTEXT", "textTEXT", "idINTEGER"]);
      await heads.nth(3).click();
      await expect.poll(() => heads.nth(3).getAttribute("aria-sort"), within).toBe("ascending");
      expect((await drawn(page, 2)).map((row) => [row[0], row[3]])).toEqual([
        ["10000", "10001"],
        ["9999", "10002"],
      ]);
      await heads.nth(3).click();
      await expect.poll(async () => (await drawn(page, 1))[0]?.[3], within).toBe("20000");

      await page.getByRole("searchbox", { name: "Filter rows" }).fill("NOTE 99");
      await expect.poll(() => grid(page).getAttribute("aria-rowcount"), within).not.toBe("10001");
      const kept = await drawn(page, 500);
      expect(kept.length).toBeGreaterThan(5);
      expect(kept.every((row) => row[1]?.startsWith("note 99"))).toBe(true);
      await page.getByRole("searchbox", { name: "Filter rows" }).fill("");
      await expect.poll(() => grid(page).getAttribute("aria-rowcount"), within).toBe("10001");

      // By keyboard: the first arrow shows the cursor, Enter looks into the cell.
      await grid(page).focus();
      for (const key of ["ArrowDown", "ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
      const dialog = page.getByRole("dialog");
      await expect.poll(() => dialog.count(), within).toBe(1);
      expect(await dialog.getByLabel("Text of the cell").textContent()).toBe(
        '{\n  "big": 9007199254740993,\n  "list": [\n    1,\n    2\n  ]\n}',
      );
      expect(await dialog.textContent()).toContain("37 characters");
      await page.keyboard.press("Escape");
      await expect.poll(() => dialog.count(), within).toBe(0);
      await grid(page).focus();
      await page.keyboard.press("Control+End");
      await expect.poll(() => grid(page).locator("tr[data-row='9999']").count(), within).toBe(1);
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("Enter");
      await expect.poll(() => dialog.locator("[data-code='U+200B']").count(), within).toBe(1);
      await page.keyboard.press("Escape");

      // A rectangle of two rows and columns, in the order that is shown.
      await grid(page).focus();
      await page.keyboard.press("Control+Home");
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("ArrowRight");
      await page.keyboard.press("Shift+ArrowDown");
      await page.keyboard.press("Shift+ArrowRight");
      expect(await copied(page, "As CSV")).toBe("note,text\r\nnote 2,'=1+1\r\nnote 3,zero\u200bwidth\r\n");
      expect(await copied(page, "As Markdown")).toContain("| note 2 | =1+1 |");
      expect(await copied(page, "As SQL INSERT")).toBe(
        `INSERT INTO "result" ("note", "text") VALUES\n  ('note 2', '=1+1'),\n  ('note 3', 'zero\u200bwidth');\n`,
      );
      expect(faults).toEqual([]);
      await page.close();
    },
    slow,
  );
});

describe("the chart", () => {
  it(
    "is picked from the shape, can be changed, and is saved as SVG and PNG, with nothing fetched",
    async () => {
      const { page, faults } = await open(keepAnswered(product.home, "Tracks per genre", genres));
      const outside: string[] = [];
      page.on(
        "request",
        (request) =>
          !/^(blob:|data:)/.test(request.url()) &&
          !request.url().startsWith(product.base) &&
          outside.push(request.url()),
      );
      const bars = page.getByRole("img", { name: "Bar chart: tracks per genre" });
      await expect.poll(() => bars.locator("svg").count(), within).toBe(1);
      const text = (await bars.textContent()) ?? "";
      for (const word of ["Rock", "1297", "Latin", "579"]) expect(text).toContain(word);

      const saving = page.waitForEvent("download", within);
      await result(page).getByRole("button", { name: "SVG" }).click();
      const download = await saving;
      expect(download.suggestedFilename()).toBe("tracks-per-genre.svg");
      const svg = await textOf(download);
      expect(svg).toMatch(/^<svg[\s\S]*Rock[\s\S]*<\/svg>/);
      expect(svg).not.toContain("<script");
      const png = page.waitForEvent("download", within);
      await result(page).getByRole("button", { name: "PNG" }).click();
      expect(
        readFileSync(await (await png).path())
          .subarray(1, 4)
          .toString(),
      ).toBe("PNG");

      await result(page).getByRole("combobox", { name: "Kind of chart" }).selectOption("scatter");
      await expect
        .poll(
          () =>
            page
              .getByRole("img", { name: /^Scatter chart/ })
              .locator("svg")
              .count(),
          within,
        )
        .toBe(1);
      await result(page).getByRole("button", { name: "Chart", exact: true }).click();
      await expect.poll(() => page.getByRole("img", { name: /chart:/ }).count(), within).toBe(0);
      expect(outside).toEqual([]);
      expect(faults).toEqual([]);
      await page.close();
    },
    slow,
  );
});

describe("a session's end", () => {
  it(
    "SQL of one's own becomes the answer, bad SQL is told beside it, and the report tells all of it",
    async () => {
      const id = await product.create("How many albums does each artist have? Show the artist name and the count.");
      const seen = new Set<string>();
      let gate = (await settle(id)).openGate as OpenGate;
      while (gate.kind !== "sql-review") {
        seen.add(gate.gateId);
        expect(await product.answer(id, gate)).toBe(200);
        gate = (await settle(id, seen)).openGate as OpenGate;
      }
      const { page, faults } = await open(id);
      const review = page.getByRole("region", { name: "Review" });
      await review.getByRole("button", { name: "Edit SQL" }).click();
      const editor = review.getByRole("textbox", { name: "SQL" });
      await expect.poll(() => editor.getAttribute("contenteditable"), within).toBe("true");
      const go = page.getByRole("button", { name: "Continue", exact: true });
      expect(await go.getAttribute("aria-disabled")).toBe("true");
      const write = async (sql: string) => {
        await editor.click();
        await page.keyboard.press("Control+a");
        await page.keyboard.insertText(sql);
        await review.getByRole("button", { name: "Propose this SQL" }).click();
      };
      await write("SELECT Nmae FROM Artist");
      await expect.poll(() => review.getByRole("alert").textContent(), within).toContain("no such column: Nmae");
      expect((await product.view(id)).openGate?.gateId).toBe(gate.gateId);

      const own = "SELECT Name AS mine\nFROM Artist\nWHERE Name LIKE 'AC%'";
      await write(own);
      await expect.poll(() => review.getByRole("heading", { name: "Your SQL" }).count(), within).toBe(1);
      expect((await review.textContent()) ?? "").toContain("This is your SQL.");
      for (const accept of await review.getByRole("button", { name: "Accept as a new decision" }).all())
        await accept.click();
      await page.getByRole("button", { name: "Continue", exact: true }).click();
      await expect.poll(() => grid(page).textContent(), within).toContain("AC/DC");
      await expect.poll(() => result(page).getByRole("button", { name: "Report" }).count(), within).toBe(1);

      await result(page).getByRole("button", { name: "Report" }).click();
      const saving = page.waitForEvent("download", within);
      await page.getByRole("menuitem", { name: "Save as Markdown" }).click();
      const markdown = await textOf(await saving);
      expect(markdown).toContain(`\`\`\`sql\n${own}\n\`\`\``);
      expect(markdown).toMatch(/\| Join \| Measured \|[^\n]*\n[^\n]*\n\| 1\\?\. Album|\| Join \| Measured \|/);
      expect(markdown).toContain("Sent back with SQL of their own");
      const database = new DatabaseSync(chinook, { readOnly: true });
      const rows = database.prepare(own).all();
      database.close();
      expect(rows.length).toBeGreaterThan(1);
      expect(markdown).toContain(`Rows: ${rows.length}.`);
      expect(markdown).toContain("| AC/DC |");
      const report = await context.newPage();
      const reportFaults = watchFaults(report);
      await report.goto(`${product.base}/api/sessions/${id}/report?format=html`);
      expect(await report.getByRole("heading", { level: 2 }).allTextContents()).toContain("F3 Joins");
      // The browser notes that the bad SQL was refused; nothing else.
      const unexpected = [...faults, ...reportFaults].filter((fault) => !fault.includes("status of 422"));
      expect(unexpected).toEqual([]);
      await report.close();
      await page.close();
    },
    slow,
  );
});
