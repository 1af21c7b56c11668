/** Gates that a ledger holds in no form we know: said in words, and everything else of the page goes on. */
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { frame, keepSession, openedGate } from "./kept-session.ts";
import { launch, patience, ScriptedPage, turn, visit } from "./scripted-page.ts";

let product: ScriptedPage;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [product, browser] = await Promise.all([ScriptedPage.start(), launch()]);
  context = await product.enter(browser);
});
// A tab that a failed test left would take a live slot from the next one.
afterEach(() => Promise.all(context.pages().map((page) => page.close())));
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

const endless = { toString: "nobody", valueOf: 1, $$typeof: "Symbol(react.transitional.element)", type: "script" };
const join = { kind: "join", left: null, right: {}, type: "SIDEWAYS", pairs: "all" };
const hostile: [string, string, unknown][] = [
  ["nothing at all", "phase-summary", null],
  ["a number for a payload", "join-review", 7],
  ["no frame", "decision-review", { decisions: [] }],
  ["a title that is an object", "decision-review", { frame: frame({ title: endless }), decisions: [] }],
  ["findings that are no list", "decision-review", { frame: frame({ findings: { 0: null } }), decisions: [] }],
  ["options that are no list", "question", { frame: frame(), topic: 3, question: endless, options: null }],
  ["decisions that are words", "decision-review", { frame: frame(), decisions: "all of them" }],
  ["joins without sides or evidence", "join-review", { frame: frame(), decisions: [join], evidence: null }],
  ["steps that are null", "cte-review", { frame: frame(), decisions: [null], sql: {}, steps: [null], checks: null }],
  ["words for evidence", "decision-review", { frame: frame(), decisions: [{ kind: "table" }], tables: "none" }],
  ["an answer without conformance", "sql-review", { frame: frame(), sql: endless, result: null, checks: [] }],
  [
    "an answer without rows",
    "sql-review",
    { frame: frame(), sql: "SELECT 1", explanation: "One.", conformance: { deviations: [], lines: [] }, ms: 1 },
  ],
];

/** The page is all there, and says in words what it can't show. */
async function expectContained(page: Page, what: string): Promise<void> {
  const question = `What stands here: ${what}?`;
  await expect
    .poll(() => page.getByRole("heading", { name: question }).count(), { timeout: patience, message: question })
    .toBe(1);
  await turn(page, "waiting");
  await expect
    .poll(() => page.getByText(/This gate cannot be shown|could not show this proposal/).count(), {
      timeout: patience,
      message: what,
    })
    .toBe(1);
  expect(await page.getByRole("log", { name: "Activity" }).textContent()).toContain(question);
  expect(await page.getByRole("list", { name: "Phases" }).count()).toBeGreaterThan(0);
  expect(await page.getByRole("textbox", { name: "Steer the model" }).count()).toBe(1);
  expect(await page.locator("body").textContent()).not.toContain("[object Object]");
  // Nobody accepts what they have not seen.
  const go = page.getByRole("button", { name: "Continue", exact: true });
  if ((await go.count()) > 0) expect(await go.getAttribute("aria-disabled"), what).toBe("true");
}

describe("a gate that cannot be shown", () => {
  it("C5.2 is contained, whatever it holds, and Stop ends it", async () => {
    const page = await context.newPage();
    await page.goto(`${product.base}/`);
    for (const [what, kind, payload] of hostile) {
      const id = keepSession(product.home, `What stands here: ${what}?`, [openedGate(kind, payload)]);
      await visit(page, id);
      await expectContained(page, what);
      await page.getByRole("button", { name: "Stop", exact: true }).click();
      await turn(page, "idle");
      await expect.poll(() => page.getByText(/cannot be shown|could not show/).count(), { timeout: patience }).toBe(0);
      expect(product.entries(id).at(-1), what).toMatchObject({ type: "gate-closed", reason: "stopped" });
    }
  }, 120_000);

  it.each(hostile.filter((_, index) => [0, 9, 11].includes(index)))(
    "C5.2 %s: Other sends it back, and the next gate is shown",
    async (what, kind, payload) => {
      product.play({ resume: [{ tool: { name: "reviewer_decide", args: { phase: "F1", text: "Count them." } } }] });
      const id = keepSession(product.home, `What stands here: ${what}?`, [openedGate(kind, payload)]);
      const page = await product.open(context, id);
      await expectContained(page, what);
      const other = page.getByRole("button", { name: "Other — specify", exact: true });
      if ((await other.count()) > 0) await other.click();
      await page.getByRole("textbox", { name: "What should change" }).fill("Say it so that it can be read.");
      await page.getByRole("button", { name: "Send", exact: true }).click();
      await expect
        .poll(() => page.getByRole("heading", { level: 2, name: "Is this right?" }).count(), { timeout: patience })
        .toBe(1);
      await expect
        .poll(() => page.getByRole("region", { name: "Review" }).textContent(), { timeout: patience })
        .toContain("Count them.");
      expect(await page.getByText(/cannot be shown|could not show/).count()).toBe(0);
      expect(product.entries(id)[2]).toMatchObject({
        type: "gate-answered",
        answer: "other",
        text: "Say it so that it can be read.",
      });
      expect(product.entries(id).filter((entry) => entry.type === "decision")).toEqual([]);
    },
  );
});
