import { chmod, readFile, stat } from "node:fs/promises";
import { afterEach, expect, it } from "vitest";
import { openToken, tokenFile } from "./access.ts";
import { type AppFixture, knownSession, openAppFixture, testHost, testPort } from "./app-fixture.ts";
import { routes } from "./routes/routes.ts";

let fixture: AppFixture;
afterEach(() => fixture.close());

/** Every address there is: each route, the document, the page, a static file and one that isn't there. */
const everyAddress: [string, string][] = [
  ...routes.map((route): [string, string] => [
    route.method,
    route.path.replace(":id", knownSession).replace(":gateId", "g1").replace(":name", "demo"),
  ]),
  ["GET", "/api/openapi.json"],
  ["GET", "/"],
  ["GET", `/s/${knownSession}`],
  ["GET", "/assets/main-a1b2c3.js"],
  ["GET", "/enter.js"],
  ["GET", "/nothing"],
  ["GET", "/api/nothing"],
  ["GET", "/?code=abc"],
  ["HEAD", "/"],
  ["OPTIONS", "/api/sessions"],
];

it("answers 421 to any name that isn't its own, on every address", async () => {
  fixture = await openAppFixture();
  for (const host of [
    "evil.example",
    "127.0.0.1",
    `127.0.0.1:${testPort + 1}`,
    `127.0.0.1.evil.example:${testPort}`,
    `evil.example:${testPort}`,
    `${testHost}.`,
    null,
  ]) {
    for (const [method, path] of everyAddress) {
      const response = await fixture.request(path, { method, headers: { host } });
      expect([host, method, path, response.status]).toEqual([host, method, path, 421]);
      if (method !== "HEAD") expect(await response.json()).toMatchObject({ error: { code: "host-not-allowed" } });
    }
  }
});

it("answers under each of its own names, and under one that was allowed", async () => {
  fixture = await openAppFixture({ allowHosts: ["thoth.example"] });
  for (const host of [
    `127.0.0.1:${testPort}`,
    `localhost:${testPort}`,
    `LOCALHOST:${testPort}`,
    `[::1]:${testPort}`,
    "thoth.example",
    `thoth.example:${testPort}`,
  ]) {
    expect((await fixture.request("/api/health", { headers: { host } })).status).toBe(200);
  }
});

it("needs access on every address but the health route", async () => {
  fixture = await openAppFixture();
  for (const [method, path] of everyAddress) {
    const response = await fixture.request(path, { method, headers: { authorization: null } });
    expect([method, path, response.status]).toEqual([method, path, path === "/api/health" ? 200 : 401]);
  }
});

it("takes the token as a bearer or as the cookie named for the port, and nothing else", async () => {
  fixture = await openAppFixture();
  const status = async (headers: Record<string, string | null>) =>
    (await fixture.request("/api/sessions", { headers: { authorization: null, ...headers } })).status;
  expect(await status({ authorization: `Bearer ${fixture.token}` })).toBe(200);
  expect(await status({ cookie: `thoth_${testPort}=${fixture.token}` })).toBe(200);
  expect(await status({ cookie: `a=b; thoth_${testPort}=old; thoth_${testPort}=${fixture.token}` })).toBe(200);
  expect(await status({ authorization: `Bearer ${fixture.token}x` })).toBe(401);
  expect(await status({ authorization: "Bearer" })).toBe(401);
  expect(await status({ authorization: `Basic ${fixture.token}` })).toBe(401);
  expect(await status({ cookie: `thoth_${testPort + 1}=${fixture.token}` })).toBe(401);
  expect(
    (await fixture.request(`/api/sessions?token=${fixture.token}`, { headers: { authorization: null } })).status,
  ).toBe(401);
});

it("lets a browser in once per code: a page, the cookie, no inline script", async () => {
  fixture = await openAppFixture();
  const code = fixture.access.createCode();
  const enter = () => fixture.request(`/?code=${code}`, { headers: { authorization: null, accept: "text/html" } });
  const head = await fixture.request(`/?code=${code}`, { method: "HEAD", headers: { authorization: null } });
  expect(head.status).toBe(401);
  const first = await enter();
  expect(first.status).toBe(200);
  expect(first.headers.get("set-cookie")).toBe(
    `thoth_${testPort}=${fixture.token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000`,
  );
  const html = await first.text();
  expect([...html.matchAll(/<script[^>]*>/g)].map((match) => match[0])).toEqual(['<script src="/enter.js">']);
  expect(html).not.toContain(fixture.token);
  const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
  const script = await fixture.request("/enter.js", { headers: { authorization: null, cookie } });
  expect(await script.text()).toBe('location.replace("/");\n');
  expect(await (await fixture.request("/", { headers: { authorization: null, cookie } })).text()).toContain("the page");
  const second = await enter();
  expect(second.status).toBe(401);
  expect(second.headers.get("set-cookie")).toBeNull();
  expect(await second.text()).toContain("thoth open");
});

it("forgets a code after ten minutes, and lets who is inside already pass with a stale one", async () => {
  let now = 1_000_000;
  fixture = await openAppFixture({ now: () => now });
  const code = fixture.access.createCode();
  now += 10 * 60_000 + 1;
  expect((await fixture.request(`/?code=${code}`, { headers: { authorization: null } })).status).toBe(401);
  expect((await fixture.request(`/?code=${code}`)).status).toBe(200);
});

it("gives programs a fresh address over POST /api/codes", async () => {
  fixture = await openAppFixture();
  const response = await fixture.request("/api/codes", { method: "POST" });
  expect(response.status).toBe(201);
  const { address } = (await response.json()) as { address: string };
  expect(address).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:${testPort}/\\?code=[\\w-]{20,}$`));
  const path = address.slice(`http://${testHost}`.length);
  expect((await fixture.request(path, { headers: { authorization: null } })).status).toBe(200);
});

it("says how to get in: a page for a browser, the error shape for a program", async () => {
  fixture = await openAppFixture();
  const page = await fixture.request("/", { headers: { authorization: null, accept: "text/html,*/*" } });
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(await page.text()).toMatch(/thoth open/);
  const program = await fixture.request("/api/sessions", { headers: { authorization: null } });
  expect(await program.json()).toMatchObject({
    error: { code: "no-access", action: expect.stringContaining("Bearer") },
  });
});

it("refuses unsafe requests from another site and bodies that aren't JSON", async () => {
  fixture = await openAppFixture();
  const post = (headers: Record<string, string | null>, body: unknown = { workspace: "demo", question: "How many?" }) =>
    fixture.request("/api/sessions", { method: "POST", body, headers });
  expect((await post({})).status).toBe(201);
  expect((await post({ origin: `http://localhost:${testPort}` })).status).toBe(201);
  expect((await post({ "sec-fetch-site": "same-origin" })).status).toBe(201);
  for (const origin of [
    "http://evil.example",
    "null",
    `http://127.0.0.1:${testPort + 1}`,
    `https://127.0.0.1:${testPort}`,
  ]) {
    expect([origin, (await post({ origin })).status]).toEqual([origin, 403]);
  }
  expect((await post({ "sec-fetch-site": "cross-site" })).status).toBe(403);
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "text/plain; application/json", null]) {
    expect([type, (await post({ "content-type": type })).status]).toEqual([type, 415]);
  }
  expect(
    (
      await fixture.request(`/api/sessions/${knownSession}`, {
        method: "DELETE",
        headers: { origin: "http://evil.example" },
      })
    ).status,
  ).toBe(403);
  // No body, no type: nothing a form could send.
  expect((await fixture.request(`/api/sessions/${knownSession}/abort`, { method: "POST" })).status).toBe(200);
});

it("sends the security headers with every answer and never a CORS header", async () => {
  fixture = await openAppFixture();
  for (const [path, headers] of [
    ["/", {}],
    ["/api/sessions", { origin: "http://evil.example" }],
    ["/nothing", {}],
    ["/api/health", { host: "evil.example" }],
    ["/", { authorization: null }],
  ] as [string, Record<string, string | null>][]) {
    const response = await fixture.request(path, { headers });
    expect(response.headers.get("content-security-policy")).toBe(
      "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; object-src 'none'; base-uri 'none'; form-action 'self'",
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(response.headers.get("referrer-policy")).toBe("no-referrer");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect([...response.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

it("keeps the token in a file for its owner only, over restarts, until a new one is asked for", async () => {
  fixture = await openAppFixture();
  const { home, token } = fixture;
  expect((await stat(tokenFile(home))).mode & 0o777).toBe(0o600);
  expect((await readFile(tokenFile(home), "utf8")).trim()).toBe(token);
  await chmod(tokenFile(home), 0o644);
  expect(await openToken(home, false)).toBe(token);
  expect((await stat(tokenFile(home))).mode & 0o777).toBe(0o600);
  const renewed = await openToken(home, true);
  expect(renewed).not.toBe(token);
  expect(await openToken(home, false)).toBe(renewed);
});
