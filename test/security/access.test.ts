/** Without the token there is nothing, and the token itself stands nowhere it could be read. */
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { type Address, readRoutes, send, startTarget, staticAddresses } from "./target.ts";

const { attempt } = openAttacks("access");
let product: Product;
let everyRoute: Address[];
let session: string;
/** Everything that any answer of this file held. */
let told = "";
beforeAll(async () => {
  product = await startTarget({ THOTH_LOG: "trace" });
  session = await product.create("How many artists are there?");
  everyRoute = await readRoutes(product, session);
}, 300_000);
afterAll(() => product?.remove());

const host = () => `127.0.0.1:${product.port}`;

it("needs the right token on every route, whatever else is given for it", async () => {
  const { token, port } = product;
  const changed = `${token.startsWith("A") ? "B" : "A"}${token.slice(1)}`;
  const wrong: [string, Record<string, string>, string][] = [
    ["nothing", {}, ""],
    ["another token", { authorization: `Bearer ${changed}` }, ""],
    ["the token and more", { authorization: `Bearer ${token}x` }, ""],
    ["half of it", { authorization: `Bearer ${token.slice(0, 20)}` }, ""],
    ["an empty bearer", { authorization: "Bearer " }, ""],
    ["no scheme", { authorization: token }, ""],
    ["Basic", { authorization: `Basic ${Buffer.from(`thoth:${token}`).toString("base64")}` }, ""],
    ["two bearers", { authorization: `Bearer ${changed}, Bearer ${token}` }, ""],
    ["the cookie of another port", { cookie: `thoth_${port + 1}=${token}` }, ""],
    ["the cookie with a wrong value", { cookie: `thoth_${port}=${changed}` }, ""],
    ["the token in the address", {}, `?token=${token}&access_token=${token}&authorization=Bearer%20${token}`],
    ["an own header", { "x-thoth-token": token, "x-api-key": token }, ""],
    [
      "as if it came from a proxy",
      { "x-forwarded-for": "127.0.0.1", "x-real-ip": "127.0.0.1", "x-original-url": "/api/health" },
      "",
    ],
  ];
  const closed = [...everyRoute, ...staticAddresses(session).filter(({ path }) => !path.includes("?"))].filter(
    ({ open }) => !open,
  );
  expect(closed.length).toBeGreaterThan(20);
  for (const { method, path } of closed) {
    for (const [what, headers, query] of path.startsWith("/assets/") ? wrong.slice(0, 2) : wrong) {
      await attempt(`${what}: ${method} ${path}`, async () => {
        const answer = await send(port, { method, path: path + query, headers: { host: host(), ...headers } });
        told += `${JSON.stringify(answer.headers)}${answer.text}`;
        expect(answer.status).toBe(401);
      });
    }
  }
}, 400_000);

it("isn't fooled by another spelling of the one address that is open", async () => {
  for (const path of [
    "/api/health/../sessions",
    "/api/health/%2e%2e/sessions",
    "/api/health%2f..%2fsessions",
    "//api/sessions",
    "/API/sessions",
    "/api//sessions",
    "/api/sessions/",
    "/api/sessions;/api/health",
    "/api/sessions?/api/health",
    "/api/sessions#/api/health",
    "/./api/sessions",
    "/assets/..%2f..%2fapi/sessions",
    "/api/sessions%00",
  ]) {
    for (const method of ["GET", "HEAD", "POST"]) {
      await attempt(`${method} ${path}`, async () => {
        const answer = await send(product.port, { method, path, headers: { host: host() } });
        expect([400, 401]).toContain(answer.status);
        expect(answer.text).not.toContain('"sessions":[');
      });
    }
  }
});

it("lets nobody in by a guessed, used or foreign code, and no code by a HEAD request", async () => {
  const code = new URL(await product.address()).searchParams.get("code") ?? "";
  const enter = (text: string, method = "GET") =>
    send(product.port, { method, path: `/?code=${text}`, headers: { host: host() } });
  for (const guess of [
    "",
    "a",
    "undefined",
    "null",
    "__proto__",
    "constructor",
    "*",
    code.slice(1),
    `${code.toLowerCase()}A`,
    `${code}%00`,
    `${code}&code=${code}x`.slice(1),
  ]) {
    await attempt(`code ${guess.slice(0, 12)}`, async () => {
      const answer = await enter(guess);
      expect(answer.status).toBe(401);
      expect(answer.headers["set-cookie"]).toBe(undefined);
    });
  }
  await attempt("HEAD uses no code up", async () => {
    expect((await enter(code, "HEAD")).headers["set-cookie"]).toBe(undefined);
  });
  const first = await enter(code);
  told += first.text;
  expect(first.status).toBe(200);
  expect(first.headers["set-cookie"]?.[0]).toMatch(/; HttpOnly; SameSite=Strict; Max-Age=/);
  await attempt("a used code", async () => {
    const answer = await enter(code);
    expect(answer.status).toBe(401);
    expect(answer.headers["set-cookie"]).toBe(undefined);
  });
  await attempt("a code in an address that is left: no Referer carries it", async () => {
    expect(first.headers["referrer-policy"]).toBe("no-referrer");
    expect(first.headers.location).toBe(undefined);
    expect(first.headers["cache-control"]).toBe("no-store");
  });
});

it("has the token in no answer, no log line, no argument of a process and no file but its own", async () => {
  const { token, port, home } = product;
  const authorization = `Bearer ${token}`;
  for (const { method, path } of everyRoute.filter(({ method }) => method === "GET")) {
    const answer = await send(port, {
      method,
      path,
      headers: {
        host: host(),
        authorization,
        cookie: `thoth_${port}=${token}`,
        referer: `http://${host()}/?code=${token}`,
      },
    });
    told += `${JSON.stringify(answer.headers)}${answer.text}`;
    await attempt(`no Referer may carry anything: ${path}`, () =>
      expect(answer.headers["referrer-policy"]).toBe("no-referrer"),
    );
  }
  // Faults, whose words go to the log.
  for (const path of [`/api/sessions/${token}`, `/api/workspaces/${token}/catalog`, `/${token}`, `/?code=${token}`])
    await send(port, { path, headers: { host: host(), authorization } });
  await product.settle(session).catch(() => undefined); // however far it has come on a busy machine
  await attempt("the log at its most talkative", () => {
    expect(product.log.replace(/^Open this address once.*$/m, "")).not.toContain(token);
  });
  await attempt("all answers", () => expect(told).not.toContain(token));
  for (const pid of (await readdir("/proc")).filter((name) => /^\d+$/.test(name))) {
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");
    if (!(await read("environ")).includes(home)) continue;
    await attempt(`process ${(await read("comm")).trim()}`, async () => {
      expect(await read("cmdline")).not.toContain(token);
      expect(await read("environ")).not.toContain(token);
    });
  }
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  expect(files.length).toBeGreaterThan(5);
  for (const entry of files) {
    const path = join(entry.parentPath, entry.name);
    if (path === join(home, "token")) continue;
    await attempt(`file ${path.slice(home.length)}`, async () => {
      expect(await readFile(path, "latin1").catch(() => "")).not.toContain(token);
    });
  }
}, 300_000);
