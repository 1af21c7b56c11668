/** Words of the model and of the database on the page and in the report, as a browser shows them: text, and nothing else. */
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch, patience, ScriptedPage, turn } from "../browser/scripted-page.ts";
import { openAttacks } from "./attacks.ts";

const { attempt } = openAttacks("page");
let product: ScriptedPage;
let browser: Browser;
let context: BrowserContext;
beforeAll(async () => {
  [product, browser] = await Promise.all([ScriptedPage.start(), launch()]);
  context = await product.enter(browser);
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await product?.remove();
});

const payloads: [string, string][] = [
  ["a script", "<script>window.pwned=1</script>"],
  ["an image with a handler", "<img src=x onerror='window.pwned=1'>"],
  ["an image beacon", '<img src="https://evil.example/beacon.png">'],
  ["an image in Markdown", "![x](https://evil.example/markdown.png)"],
  ["a link in Markdown", "[press](javascript:window.pwned=1)"],
  ["a link by reference", "[press][1]\n\n[1]: javascript:window.pwned=1"],
  ["an automatic link", "<javascript:window.pwned=1> <https://evil.example/auto>"],
  ["a data link", "[x](data:text/html,<script>parent.pwned=1</script>)"],
  ["an SVG", "<svg onload='window.pwned=1'><use href='https://evil.example/x.svg#x'/></svg>"],
  ["a frame", '<iframe srcdoc="<script>parent.pwned=1</script>"></iframe>'],
  ["a style", "<style>body{background:url(https://evil.example/style.png)}</style>"],
  ["a form", '<form action="https://evil.example/form"><button id="evil-button">Continue</button></form>'],
  ["a base", '<base href="https://evil.example/">'],
  ["a refresh", '<meta http-equiv="refresh" content="0;url=https://evil.example/refresh">'],
  ["an end of everything", "</script></textarea></title></style>--><script>window.pwned=1</script>"],
  [
    "MathML",
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=window.pwned=1&gt;">',
  ],
  ["a template", `{{constructor.constructor('window.pwned=1')()}} \${window.pwned=1} #{7*7}`],
  ["an entity", "&lt;img src=x onerror=window.pwned=1&gt;"],
  ["a prefetch", '<link rel="prefetch" href="https://evil.example/prefetch">'],
  ["code that closes", "```\n</code></pre><script>window.pwned=1</script>\n```"],
];
const hidden: [string, string][] = [
  ["a turned text", "safe\u202egnp.exe"],
  ["an isolate", "\u2067abc\u2069"],
  ["nothing to be seen", "a\u200bb\u2060c"],
  ["tags", "x\u{e0041}\u{e0042}"],
  ["a terminal's colours", "\u001b[31mred\u001b[0m \u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007"],
];

/** What the page asked anybody for since it was opened. */
function watch(page: Page): Request[] {
  const asked: Request[] = [];
  page.on("request", (request) => void asked.push(request));
  return asked;
}

async function harmless(page: Page, asked: readonly Request[], payload: string): Promise<void> {
  // Not even tried: the policy is the second net, and must not be the one that holds.
  expect(
    asked.map((request) => request.url()).filter((url) => !/^(data|blob):/.test(url) && !url.startsWith(product.base)),
  ).toEqual([]);
  const found = await page.evaluate(`({
    pwned: window.pwned,
    base: document.baseURI,
    links: [...document.querySelectorAll("a[href], area[href], use")].map((a) => a.getAttribute("href") || "").filter((href) => /^(javascript|data|vbscript):|evil/i.test(href)),
    foreign: [...document.querySelectorAll("iframe, object, embed, base, meta[http-equiv=refresh], #evil-button, form[action*=evil], img[src*=evil], img[src=x], link[href*=evil], math")].length,
    handlers: [...document.querySelectorAll("*")].filter((e) => [...e.attributes].some((a) => /^on/i.test(a.name))).length,
  })`);
  expect({ payload, ...(found as object) }).toEqual({
    payload,
    pwned: undefined,
    base: page.url(),
    links: [],
    foreign: 0,
    handlers: 0,
  });
}

it("shows hostile HTML and Markdown of the model, the reviewer and a gate as text", async () => {
  const all = payloads.map(([, text]) => text).join("\n\n");
  product.play({
    start: [
      { think: all, text: all, tool: { name: "catalog_search", args: { text: all } } },
      { tool: { name: "reviewer_decide", args: { phase: "F1", text: all } } },
    ],
  });
  const id = await product.create(`Hostile? ${all}`.slice(0, 3000));
  const page = await context.newPage();
  const asked = watch(page);
  await page.goto(`${product.base}/s/${id}`);
  await turn(page, "waiting");
  // The gate's own words, besides those of the question.
  await expect.poll(() => page.getByText("In other words").count(), { timeout: patience }).toBeGreaterThan(0);
  for (const name of ["Activity", "Reasoning", "Model activity"]) {
    const more = page.getByRole("button", { name: new RegExp(name, "i") }).first();
    if ((await more.count()) > 0) await more.click({ timeout: 2000 }).catch(() => undefined); // not there to be pressed now
  }
  for (const [what, payload] of payloads) await attempt(`on the page: ${what}`, () => harmless(page, asked, payload));
  await page.close();
  for (const format of ["html", "md"]) {
    const report = await context.newPage();
    const askedThere = watch(report);
    const opened = await report.goto(`${product.base}/api/sessions/${id}/report?format=${format}`).catch(() => null);
    for (const [what, payload] of payloads) {
      await attempt(`in the report as ${format}: ${what}`, async () => {
        if (format === "html") await harmless(report, askedThere, payload);
        else {
          const text = opened ? await opened.text() : "";
          expect(text).not.toMatch(
            /(?<!\\)!\[|(?<!\\)\]\((?:javascript|data|https?):|(?<!\\)<(?:script|img|iframe|svg|style|form|base|meta|link)\b/i,
          );
        }
      });
    }
    await report.close();
  }
}, 300_000);

it("shows what turns or hides text as marks, so that what is read is what is there", async () => {
  const all = hidden.map(([, text]) => text).join(" | ");
  product.play({ start: [{ text: all }, { tool: { name: "reviewer_decide", args: { phase: "F1", text: all } } }] });
  const id = await product.create("What is hidden here?");
  const page = await context.newPage();
  await page.goto(`${product.base}/s/${id}`);
  await page.waitForTimeout(500);
  product.play({ start: [{ tool: { name: "reviewer_decide", args: { phase: "F1", text: all } } }] });
  const gate = await product.create("What is hidden in a gate?");
  await page.goto(`${product.base}/s/${gate}`);
  await turn(page, "waiting");
  await expect.poll(() => page.locator("body").textContent(), { timeout: patience }).toMatch(/safe/i);
  /** Characters that act and stand in no mark: the mark draws their code, and keeps what they do inside. */
  const bare = await page.evaluate<string[]>(String.raw`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement.closest("[data-code]")) found.push(...(node.data.match(/[\u202a-\u202e\u2066-\u2069\u200b\u2060\u001b\u0007]|[\u{e0000}-\u{e007f}]/gu) ?? []));
    return found;
  })()`);
  for (const [what, payload] of hidden) {
    await attempt(`in a gate: ${what}`, () => {
      const acting = payload.match(/[\u202a-\u202e\u2066-\u2069\u200b\u2060]|\p{Cc}|[\u{e0000}-\u{e007f}]/gu) ?? [];
      expect(acting.length).toBeGreaterThan(0);
      expect(
        acting
          .filter((character) => bare.includes(character))
          .map((character) => character.codePointAt(0)?.toString(16)),
      ).toEqual([]);
    });
  }
  const html = await (await context.request.get(`${product.base}/api/sessions/${gate}/report?format=html`)).text();
  for (const [what, payload] of hidden)
    await attempt(`in the report: ${what}`, () => {
      for (const character of payload.match(/[\u202a-\u202e\u2066-\u2069]|\p{Cc}/gu) ?? [])
        expect(html.includes(character)).toBe(false);
    });
  await page.close();
}, 300_000);
