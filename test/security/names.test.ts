/** DNS rebinding: a page under a foreign name that resolves to this machine is this origin to a browser. Only Host tells. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { type Address, readRoutes, send, sendBytes, startTarget, staticAddresses } from "./target.ts";

const { attempt } = openAttacks("names");
let product: Product;
let everyRoute: Address[];
let session: string;
beforeAll(async () => {
  product = await startTarget();
  session = await product.create("How many artists are there?");
  everyRoute = await readRoutes(product, session);
}, 300_000);
afterAll(() => product?.remove());

const foreignNames = () => {
  const { port } = product;
  return [
    "evil.example",
    `evil.example:${port}`,
    `127.0.0.1.evil.example:${port}`,
    `localhost.evil.example:${port}`,
    `127.0.0.1:${port + 1}`,
    "127.0.0.1",
    "localhost",
    `localhost.:${port}`,
    `0.0.0.0:${port}`,
    `2130706433:${port}`,
    `127.1:${port}`,
    `127.0.0.2:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `evil.example@127.0.0.1:${port}`,
    `127.0.0.1:${port}@evil.example`,
    `127.0.0.1:${port}, evil.example`,
    `127.0.0.1:${port}/`,
    `127.0.0.1:0${port}`,
  ];
};

it("answers 421 under a foreign name, on every route and every file, with the right token and all", async () => {
  const tries = [
    ...everyRoute.flatMap((address) => foreignNames().map((host) => ({ ...address, host }))),
    // One check stands before all of them: three kinds of name show that no file is served before it.
    ...staticAddresses(session).flatMap((address) =>
      foreignNames()
        .slice(1, 4)
        .map((host) => ({ ...address, host })),
    ),
  ];
  for (const { method, path, host } of tries) {
    await attempt(`Host: ${host} ${method} ${path}`, async () => {
      const answer = await send(product.port, {
        method,
        path,
        headers: { host, authorization: `Bearer ${product.token}` },
      });
      expect(answer.status).toBe(421);
      expect(JSON.parse(answer.text || "{}")).toEqual({ error: expect.objectContaining({ code: "host-not-allowed" }) });
    });
  }
}, 300_000);

it("is not talked into another name by what stands beside Host", async () => {
  const { port, token } = product;
  const own = `127.0.0.1:${port}`;
  const head = (line: string, hosts: string[], more: string[] = []) =>
    `${[line, ...hosts.map((host) => `Host: ${host}`), `Authorization: Bearer ${token}`, ...more, "Connection: close"].join("\r\n")}\r\n\r\n`;
  const requests: [string, string][] = [
    ["no Host at all", head("GET /api/sessions HTTP/1.1", [])],
    ["an empty Host", head("GET /api/sessions HTTP/1.1", [""])],
    ["a Host of blanks", head("GET /api/sessions HTTP/1.1", ["   "])],
    ["no Host, HTTP/1.0", head("GET /api/sessions HTTP/1.0", [])],
    ["two Hosts, ours first", head("GET /api/sessions HTTP/1.1", [own, "evil.example"])],
    ["two Hosts, ours last", head("GET /api/sessions HTTP/1.1", ["evil.example", own])],
    ["two Hosts, both ours", head("GET /api/sessions HTTP/1.1", [own, own])],
    ["X-Forwarded-Host", head("GET /api/sessions HTTP/1.1", ["evil.example"], [`X-Forwarded-Host: ${own}`])],
    ["Forwarded", head("GET /api/sessions HTTP/1.1", ["evil.example"], [`Forwarded: host=${own}`])],
    ["a whole address and a foreign Host", head(`GET http://${own}/api/sessions HTTP/1.1`, ["evil.example"])],
    [
      "a web socket",
      head(
        "GET / HTTP/1.1",
        ["evil.example"],
        ["Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="],
      ),
    ],
    ["a tunnel", head("CONNECT evil.example:443 HTTP/1.1", ["evil.example:443"])],
  ];
  for (const [what, bytes] of requests) {
    await attempt(what, async () => {
      const text = await sendBytes(port, bytes);
      expect(text).not.toMatch(/^HTTP\/1\.[01] (2|3)\d\d/);
      expect(text).not.toContain('"sessions"');
    });
  }
  await attempt("a whole address of another server under our Host", async () => {
    // The path alone counts: there is no forwarding to anywhere.
    const text = await sendBytes(port, head("GET http://evil.example/api/sessions HTTP/1.1", [own]));
    expect(text).not.toContain("evil.example");
  });
}, 300_000);
