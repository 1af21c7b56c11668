/** Requests that are too big, too deep, too slow or too many: refused early, and others don't notice. */
import { connect, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { requestPatience } from "../../src/server/request-limits.ts";
import type { Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { readMemory } from "./read-memory.ts";
import { type Address, readRoutes, send, sendBytes, startTarget } from "./target.ts";

const { attempt } = openAttacks("bodies");
let product: Product;
let changing: Address[];
beforeAll(async () => {
  product = await startTarget();
  changing = (await readRoutes(product, await product.create("How many artists are there?"))).filter(
    ({ method }) => method !== "GET",
  );
}, 300_000);
afterAll(() => product?.remove());

const inside = () => ({
  host: `127.0.0.1:${product.port}`,
  authorization: `Bearer ${product.token}`,
  "content-type": "application/json",
});
const lives = async () => expect((await product.call("/api/health")).status).toBe(200);

/** Sends until the server has had enough, or all of it; what it said. How much it throws away until then is a matter of speed. */
function pour(address: Address, size: number, headers: Record<string, string>): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(product.port, "127.0.0.1");
    const chunk = Buffer.alloc(64 * 1024, " ");
    const chunked = headers["transfer-encoding"] === "chunked";
    let text = "";
    let sent = 0;
    socket.setTimeout(15_000, () => socket.destroy());
    const more = (): void => {
      while (!socket.destroyed && sent < size) {
        sent += chunk.length;
        const room = chunked
          ? socket.write(`${chunk.length.toString(16)}\r\n`) && socket.write(chunk) && socket.write("\r\n")
          : socket.write(chunk);
        if (!room) return;
      }
    };
    socket.on("connect", () => {
      const all = { ...inside(), ...headers };
      socket.write(
        `${address.method} ${address.path} HTTP/1.1\r\n${Object.entries(all)
          .map(([name, value]) => `${name}: ${value}\r\n`)
          .join("")}\r\n`,
      );
      more();
    });
    socket.on("drain", more);
    socket.on("data", (part: Buffer) => {
      text += part.toString("latin1");
      if (text.includes("\r\n\r\n")) setTimeout(() => socket.destroy(), 300).unref();
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(text));
  });
}

it("takes no body of 100 MB, declared or not, wanted or not, and its memory stays where it was", async () => {
  const size = 100 * 1024 * 1024;
  await lives();
  const before = readMemory(product.pid);
  for (const address of changing) {
    for (const [what, headers] of [
      ["declared", { "content-length": String(size) }],
      ["in chunks", { "transfer-encoding": "chunked" }],
    ] as const) {
      await attempt(`100 MB ${what}: ${address.method} ${address.path}`, async () => {
        const text = await pour(address, size, headers);
        // Where none is wanted, one that isn't declared is thrown away. A reset may overtake the answer.
        const unwanted = !address.body && what === "in chunks";
        expect(text).toMatch(unwanted ? /^(HTTP\/1\.1 [24]\d\d|$)/ : /^(HTTP\/1\.1 413|$)/);
      });
    }
  }
  await lives();
  await attempt("memory", () => expect(readMemory(product.pid) - before).toBeLessThan(120));
}, 400_000);

it("reads JSON of any depth and shape as what it is: not a fitting body", async () => {
  const depth = 100_000;
  const bodies: [string, string | Buffer][] = [
    ["arrays 100,000 deep", "[".repeat(depth) + "]".repeat(depth)],
    ["objects 100,000 deep", `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`],
    ["arrays that never close", "[".repeat(depth)],
    ["a hundred thousand keys", `{${Array.from({ length: 60_000 }, (_, at) => `"k${at}":1`).join(",")}}`],
    ["__proto__", '{"__proto__":{"workspace":"demo","question":"How many?"},"text":"x"}'],
    ["constructor", '{"constructor":{"prototype":{"workspace":"demo"}}}'],
    ["a number without end", `{"workspace":${"9".repeat(500_000)}}`],
    ["not UTF-8", Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ["a lone surrogate", '"\\ud800"'],
    ["gzip", gzipSync(Buffer.alloc(50 * 1024 * 1024))],
    ["null", "null"],
    ["true", "true"],
    ["an empty text", ""],
    ["NaN", "NaN"],
    ["a comment", "/* */ {}"],
  ];
  for (const { method, path } of changing.filter(({ body }) => body)) {
    for (const [what, body] of bodies) {
      await attempt(`${what}: ${method} ${path}`, async () => {
        const answer = await send(product.port, {
          method,
          path,
          headers: { ...inside(), ...(what === "gzip" ? { "content-encoding": "gzip" } : {}) },
          body,
        });
        // Fields that a schema doesn't know are left out, so that a PATCH of nothing may succeed.
        expect(answer.status).toBeGreaterThanOrEqual(200);
        expect(answer.status).toBeLessThan(500);
        if (!["__proto__", "constructor", "a hundred thousand keys"].includes(what))
          expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.text.length).toBeLessThan(5000);
      });
    }
  }
  await attempt("no prototype was changed", async () => {
    const created = await send(product.port, { method: "POST", path: "/api/sessions", headers: inside(), body: "{}" });
    expect(created.status).toBe(400);
  });
}, 400_000);

it("gives up on a request that trickles in, header or body, and answers others meanwhile", async () => {
  expect(requestPatience.headersMs).toBeLessThanOrEqual(15_000);
  expect(requestPatience.wholeMs).toBeLessThanOrEqual(60_000);
  const sockets: Socket[] = [];
  /** When each of them was closed by the server. */
  const ended: number[] = [];
  const begun = performance.now();
  const trickle = (head: string): void => {
    const socket = connect(product.port, "127.0.0.1", () => socket.write(head));
    const timer = setInterval(() => socket.write("x"), 1000);
    socket.on("error", () => undefined);
    socket.on("data", () => undefined);
    socket.on("close", () => {
      clearInterval(timer);
      ended.push(performance.now() - begun);
    });
    sockets.push(socket);
  };
  try {
    const { host, authorization } = inside();
    for (let count = 0; count < 150; count += 1) trickle(`GET /api/sessions HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
    for (let count = 0; count < 50; count += 1)
      trickle(
        `POST /api/sessions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
      );
    await pause(500);
    await attempt("others are served beside 200 slow ones", async () => {
      const asked = performance.now();
      await lives();
      expect((await product.call("/api/sessions")).status).toBe(200);
      expect(performance.now() - asked).toBeLessThan(5000);
    });
    const limit = requestPatience.wholeMs + 15_000;
    while (ended.length < sockets.length && performance.now() - begun < limit) await pause(200);
    await attempt("slow headers", () =>
      expect(ended.filter((ms) => ms < requestPatience.headersMs + 15_000).length).toBeGreaterThanOrEqual(150),
    );
    await attempt("slow bodies", () => expect(ended.length).toBe(200));
    await lives();
  } finally {
    for (const socket of sockets) socket.destroy();
  }
}, 300_000);

it("refuses requests that two readers would divide differently", async () => {
  const { host, authorization } = inside();
  const head = `Host: ${host}\r\nAuthorization: ${authorization}\r\nContent-Type: application/json\r\n`;
  const hidden = `GET /api/models HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`;
  const cases: [string, string][] = [
    [
      "length and chunks",
      `POST /api/sessions HTTP/1.1\r\n${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    ],
    ["two lengths", `POST /api/sessions HTTP/1.1\r\n${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}${hidden}`],
    ["a length with a sign", `POST /api/sessions HTTP/1.1\r\n${head}Content-Length: +2\r\n\r\n{}`],
    ["a negative length", `POST /api/sessions HTTP/1.1\r\n${head}Content-Length: -1\r\n\r\n{}`],
    ["an unknown transfer", `POST /api/sessions HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    [
      "a chunk size with blanks",
      `POST /api/sessions HTTP/1.1\r\n${head}Transfer-Encoding: chunked\r\n\r\n 2 \r\n{}\r\n0\r\n\r\n`,
    ],
    ["a bare line feed", `POST /api/sessions HTTP/1.1\nHost: ${host}\nAuthorization: ${authorization}\n\n`],
    [
      "a folded header",
      `GET /api/sessions HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer\r\n ${product.token}\r\n\r\n`,
    ],
    [
      "a blank before the colon",
      `GET /api/sessions HTTP/1.1\r\nHost : ${host}\r\nAuthorization: ${authorization}\r\n\r\n`,
    ],
    ["a header of 100 kB", `GET /api/sessions HTTP/1.1\r\n${head}X-Big: ${"x".repeat(100_000)}\r\n\r\n`],
    ["an address of 100 kB", `GET /api/sessions?${"x".repeat(100_000)} HTTP/1.1\r\n${head}\r\n`],
    ["ten thousand headers", `GET /api/sessions HTTP/1.1\r\n${head}${"A: b\r\n".repeat(10_000)}\r\n`],
    ["no HTTP", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ["HTTP/0.9", "GET /api/sessions\r\n\r\n"],
    ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ];
  for (const [what, bytes] of cases) {
    await attempt(what, async () => {
      const text = await sendBytes(product.port, bytes);
      expect(text).not.toMatch(/HTTP\/1\.1 2\d\d/);
      expect(text).not.toMatch(/"sessions":|"models":/);
      expect(text).not.toMatch(/node:|\.ts:|at \w+ \(/);
    });
  }
  await lives();
}, 300_000);
