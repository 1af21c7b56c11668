/** Another site in the same browser: what it may send, what it may read, and that it can't show the page in a frame. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch } from "../browser/scripted-page.ts";
import type { Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { type Address, readRoutes, send, startTarget, staticAddresses } from "./target.ts";

const { attempt } = openAttacks("origins");
let product: Product;
let everyRoute: Address[];
let session: string;
beforeAll(async () => {
  product = await startTarget();
  session = await product.create("How many artists are there?");
  everyRoute = await readRoutes(product, session);
}, 300_000);
afterAll(() => product?.remove());

const inside = () => ({ cookie: `thoth_${product.port}=${product.token}`, host: `127.0.0.1:${product.port}` });
const foreign = (port: number): Record<string, string>[] => [
  { origin: "https://evil.example", "sec-fetch-site": "cross-site" },
  { origin: "https://evil.example" },
  { origin: "null" },
  { origin: `http://127.0.0.1:${port + 1}`, "sec-fetch-site": "same-site" },
  { origin: `http://localhost:3000` },
  { origin: `https://127.0.0.1:${port}` },
  { origin: `http://127.0.0.1:${port}.evil.example` },
  { "sec-fetch-site": "cross-site" },
  { "sec-fetch-site": "same-site" },
];

it("takes no change from another site on any route, though the browser sends the cookie", async () => {
  for (const { method, path, body } of everyRoute.filter((route) => route.method !== "GET")) {
    for (const headers of foreign(product.port)) {
      await attempt(`${method} ${path} ${JSON.stringify(headers)}`, async () => {
        const answer = await send(product.port, {
          method,
          path,
          headers: { ...inside(), ...headers, "content-type": "application/json" },
          ...(body ? { body: "{}" } : {}),
        });
        expect(answer.status).toBe(403);
      });
    }
  }
}, 300_000);

it("takes no body that a form or a script may send across sites without asking", async () => {
  for (const { method, path } of everyRoute.filter((route) => route.body)) {
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "text/plain;charset=application/json",
      "application/jsonx",
      "application/json-patch+json",
      undefined,
    ]) {
      await attempt(`${method} ${path} as ${type}`, async () => {
        const answer = await send(product.port, {
          method,
          path,
          headers: { ...inside(), "content-type": type },
          body: "{}",
        });
        expect(answer.status).toBe(415);
      });
    }
  }
}, 300_000);

it("lets no other site read: no answer carries a CORS header, asked for or not, and no foreign read is answered", async () => {
  const all = [...everyRoute, ...staticAddresses(session)];
  for (const { method, path } of all) {
    await attempt(`preflight ${method} ${path}`, async () => {
      const answer = await send(product.port, {
        method: "OPTIONS",
        path,
        headers: {
          host: `127.0.0.1:${product.port}`,
          origin: "https://evil.example",
          "access-control-request-method": method,
          "access-control-request-headers": "authorization,content-type",
          "access-control-request-private-network": "true",
        },
      });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
    });
  }
  for (const { path } of all.filter(({ method }) => method === "GET")) {
    await attempt(`foreign read of ${path}`, async () => {
      const answer = await send(product.port, {
        path,
        headers: {
          ...inside(),
          origin: "https://evil.example",
          "sec-fetch-site": "cross-site",
          "sec-fetch-mode": "cors",
        },
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(answer.headers["cross-origin-resource-policy"]).toBe("same-origin");
      // What may be open to anybody is the one word that the server is there.
      if (path.startsWith("/api/") && path !== "/api/health") expect([401, 403, 404]).toContain(answer.status);
    });
  }
}, 300_000);

/** What a page of another port of this machine tries: the same site, so that even a strict cookie goes along. */
const fromAnotherPort: [string, (page: Page, target: string) => Promise<unknown>][] = [
  [
    "fetch with the cookie",
    (page, target) =>
      page.evaluate(
        `fetch(${JSON.stringify(`${target}/api/sessions`)}, { credentials: "include" }).then((a) => a.text(), () => null)`,
      ),
  ],
  [
    "fetch without reading",
    (page, target) =>
      page.evaluate(
        `fetch(${JSON.stringify(`${target}/api/sessions`)}, { credentials: "include", mode: "no-cors" }).then((a) => a.text(), () => null).then((t) => t || null)`,
      ),
  ],
  [
    "a script from the API",
    (page, target) =>
      page.evaluate(
        `new Promise((done) => { const s = document.createElement("script"); s.src = ${JSON.stringify(`${target}/api/sessions`)}; s.onload = () => done("ran"); s.onerror = () => done(null); document.head.append(s); })`,
      ),
  ],
  [
    "a script of the page",
    (page, target) =>
      page.evaluate(
        `new Promise((done) => { const s = document.createElement("script"); s.src = ${JSON.stringify(`${target}/enter.js`)}; s.onload = () => done("ran"); s.onerror = () => done(null); document.head.append(s); })`,
      ),
  ],
  [
    "an event stream",
    (page, target) =>
      page.evaluate(
        `new Promise((done) => { const e = new EventSource(${JSON.stringify(`${target}/api/sessions/SESSION/events`)}, { withCredentials: true }); e.addEventListener("stream_open", (f) => done(f.data)); e.onerror = () => { e.close(); done(null); }; })`,
      ),
  ],
  [
    "a frame",
    (page, target) =>
      page.evaluate(
        `new Promise((done) => { const f = document.createElement("iframe"); f.src = ${JSON.stringify(`${target}/`)}; f.onload = () => { try { done(f.contentDocument && f.contentDocument.querySelector("#root") ? "shown" : null); } catch { done(null); } }; document.body.append(f); setTimeout(() => done(null), 3000); })`,
      ),
  ],
  [
    "a window that it opened",
    (page, target) =>
      page.evaluate(
        `new Promise((done) => { const w = window.open(${JSON.stringify(`${target}/`)}); setTimeout(() => { try { done(w && !w.closed && w.document.body ? w.document.body.innerText : null); } catch { done(null); } w && w.close(); }, 1500); })`,
      ),
  ],
  [
    "a change by fetch",
    (page, target) =>
      page.evaluate(
        `fetch(${JSON.stringify(`${target}/api/sessions/SESSION`)}, { method: "DELETE", credentials: "include" }).then((a) => (a.ok ? "done" : null), () => null)`,
      ),
  ],
  [
    "a change without asking",
    (page, target) =>
      page.evaluate(
        `fetch(${JSON.stringify(`${target}/api/sessions/SESSION/abort`)}, { method: "POST", credentials: "include", mode: "no-cors" }).then(() => null, () => null)`,
      ),
  ],
  [
    "a form",
    (page, target) =>
      page.evaluate(
        `new Promise((done) => { const f = document.createElement("form"); f.method = "post"; f.enctype = "text/plain"; f.target = "_blank"; f.action = ${JSON.stringify(`${target}/api/sessions`)}; f.innerHTML = '<input name=\\'{"workspace":"demo","question":"By a form?","x":"\\' value=\\'"}\\'>'; document.body.append(f); f.submit(); setTimeout(() => done(null), 1000); })`,
      ),
  ],
];

it("in a real browser: a page of another port reads nothing, changes nothing and frames nothing", async () => {
  let browser: Browser | undefined;
  const evil = createServer((_request, response) =>
    response.setHeader("content-type", "text/html").end("<body>evil</body>"),
  );
  await new Promise<void>((done) => evil.listen(0, "127.0.0.1", done));
  try {
    browser = await launch();
    const context = await browser.newContext();
    const entered = await context.newPage();
    await entered.goto(await product.address());
    await entered.waitForURL(`${product.base}/`);
    const before = (await product.call<{ total: number }>("/api/sessions")).body.total;
    for (const [what, attack] of fromAnotherPort) {
      const page = await context.newPage();
      await page.goto(`http://127.0.0.1:${(evil.address() as AddressInfo).port}/`);
      await attempt(`browser: ${what}`, async () => {
        const evaluate = page.evaluate.bind(page);
        page.evaluate = ((text: string) => evaluate(text.replaceAll("SESSION", session))) as typeof page.evaluate;
        expect(await attack(page, product.base)).toBe(null);
        const list = (await product.call<{ total: number; sessions: { id: string }[] }>("/api/sessions")).body;
        expect(list.total).toBe(before);
        expect(list.sessions.map(({ id }) => id)).toContain(session);
      });
      await page.close();
    }
    await attempt("browser: a frame is refused by its own words too", async () => {
      const { headers } = await send(product.port, { path: "/", headers: inside() });
      expect(headers["x-frame-options"]).toBe("DENY");
      expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    });
  } finally {
    await browser?.close();
    evil.close();
  }
}, 300_000);
