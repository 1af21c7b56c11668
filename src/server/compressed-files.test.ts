import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chooseEncoding } from "./compressed-files.ts";
import { readStaticFile } from "./static-files.ts";

const root = mkdtempSync(join(tmpdir(), "thoth-compressed-"));
const script = "export const answer = 42;\n".repeat(2000);
beforeAll(() => {
  mkdirSync(join(root, "assets"));
  writeFileSync(join(root, "index.html"), "<!doctype html>");
  writeFileSync(join(root, "assets", "main-a1b2c3.js"), script);
  writeFileSync(join(root, "assets", "font.woff2"), Buffer.alloc(5000, 7));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ask = async (path: string, acceptEncoding?: string, ifNoneMatch?: string) => {
  const answer = await readStaticFile(root, path, { acceptEncoding, ifNoneMatch });
  if (!answer) throw new Error("no such file");
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};

it("chooses what the reader takes, brotli first", () => {
  expect(
    ["gzip, deflate, br", "br;q=0, gzip;q=0.5", "gzip;q=0", "*", "identity", "", "br;q=0,*;q=0.1", "BR"].map(
      chooseEncoding,
    ),
  ).toEqual(["br", "gzip", null, "br", null, null, "gzip", "br"]);
  expect(chooseEncoding(undefined)).toBe(null);
});

it("sends the same bytes smaller, says so, and lets caches tell the forms apart", async () => {
  const plain = await ask("/assets/main-a1b2c3.js");
  const brotli = await ask("/assets/main-a1b2c3.js", "br, gzip");
  const gzip = await ask("/assets/main-a1b2c3.js", "gzip");
  expect(plain.bytes.toString()).toBe(script);
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(script);
  expect(gunzipSync(gzip.bytes).toString()).toBe(script);
  expect(brotli.bytes.length).toBeLessThan(script.length / 10);
  expect([plain, brotli, gzip].map(({ answer }) => answer.headers.get("content-encoding"))).toEqual([
    null,
    "br",
    "gzip",
  ]);
  for (const { answer, bytes } of [plain, brotli, gzip]) {
    expect(answer.headers.get("vary")).toBe("Accept-Encoding");
    expect(answer.headers.get("content-length")).toBe(String(bytes.length));
    expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
    expect(answer.headers.get("cache-control")).toContain("immutable");
  }
  expect(new Set([plain, brotli, gzip].map(({ answer }) => answer.headers.get("etag"))).size).toBe(3);
});

it("leaves alone what is small or packed already, and sends nothing to who has it", async () => {
  expect((await ask("/", "br")).answer.headers.get("content-encoding")).toBe(null);
  expect((await ask("/assets/font.woff2", "br")).answer.headers.get("content-encoding")).toBe(null);
  const first = await ask("/", "br");
  const again = await ask("/", "br", `"x", ${first.answer.headers.get("etag")}`);
  expect([again.answer.status, again.bytes.length]).toEqual([304, 0]);
});

it("a file that was built anew is compressed anew", async () => {
  await ask("/assets/main-a1b2c3.js", "br");
  const next = script.replaceAll("42", "43");
  writeFileSync(join(root, "assets", "main-a1b2c3.js"), next);
  utimesSync(join(root, "assets", "main-a1b2c3.js"), 1, 1);
  expect(brotliDecompressSync((await ask("/assets/main-a1b2c3.js", "br")).bytes).toString()).toBe(next);
});
