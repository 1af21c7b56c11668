/** Names that become paths: sessions, workspaces, files of the page, and links that lie in their way. */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readStaticFile } from "../../src/server/static-files.ts";
import type { Product } from "../fixtures/product.ts";
import { openAttacks } from "./attacks.ts";
import { readRoutes, send, startTarget } from "./target.ts";

const { attempt } = openAttacks("paths");
const marker = "PLANTED-OUTSIDE";
let product: Product;
let outside: string;
let session: string;
beforeAll(async () => {
  product = await startTarget({ THOTH_PRESTART: "0" });
  outside = mkdtempSync(join(tmpdir(), "thoth-outside-"));
  session = await product.create("How many artists are there?");
}, 300_000);
afterAll(async () => {
  await product?.remove();
  rmSync(outside, { recursive: true, force: true });
});

const asked = (path: string, method = "GET", body?: string) =>
  send(product.port, {
    method,
    path,
    headers: {
      host: `127.0.0.1:${product.port}`,
      authorization: `Bearer ${product.token}`,
      ...(body ? { "content-type": "application/json" } : {}),
    },
    ...(body ? { body } : {}),
  });

const hostileNames = [
  "..",
  ".",
  "%2e%2e",
  "%2e%2e%2f%2e%2e%2fetc%2fpasswd",
  "..%2f..%2f..%2f..%2fetc%2fpasswd",
  "..%5c..%5cwindows",
  "..;",
  "%252e%252e%252f",
  "%c0%ae%c0%ae%2f",
  "%2fetc%2fpasswd",
  "%00",
  "a%00b",
  "%0d%0aSet-Cookie:x=y",
  "C%3a%5c",
  "con",
  "~",
  "~root",
  "$HOME",
  "{id}",
  "__proto__",
  "constructor",
  "toString",
  "a".repeat(41),
  "a".repeat(4000),
  "%F0%9F%92%A9",
  "%E2%80%AE",
  "%",
  "%zz",
];

it("takes no traversal for a session, a gate, a workspace or a provider, on any route that has a name in it", async () => {
  const routes = await readRoutes(product, "SESSIONID");
  const named = routes.filter(({ path }) => /SESSIONID|\/demo\b|\/none\b/.test(path));
  expect(named.length).toBeGreaterThan(12);
  for (const { method, path, body } of named) {
    for (const name of hostileNames) {
      await attempt(`${method} ${path.replace("SESSIONID", name.slice(0, 40))}`, async () => {
        const address = path.replace("SESSIONID", name).replace(/\/demo\b|\/none\b/, () => `/${name}`);
        const answer = await asked(address, method, body ? "{}" : undefined);
        // Nothing is found, nothing breaks, and no part of the disk is told.
        expect(answer.status).toBeGreaterThanOrEqual(
          name.startsWith(".") || /^%2e/i.test(name) || method === "DELETE" ? 200 : 400,
        );
        expect(answer.status).toBeLessThan(500);
        expect(answer.text).not.toMatch(/root:|ENOENT|EISDIR|node:internal/);
        expect(answer.text).not.toContain(product.home);
      });
    }
  }
  await attempt("nothing was written or removed beside", () => {
    const known = ["cache", "catalogs", "config.json", "probe", "server.json", "sessions", "token", "trash"];
    expect(
      readdirSync(product.home).filter((name) => !known.includes(name) && !name.startsWith("server.lock")),
    ).toEqual([]);
    expect(readdirSync(join(product.home, "sessions"))).toEqual([session]);
  });
}, 400_000);

it("follows no link that stands for a session, a workspace or their files", async () => {
  const linked = `${session.slice(0, -2)}zz`;
  mkdirSync(join(outside, "session"));
  for (const file of ["manifest.json", "ledger.json"]) {
    const text = readFileSync(join(product.home, "sessions", session, file), "utf8");
    writeFileSync(
      join(outside, "session", file),
      text.replaceAll(session, linked).replaceAll("How many artists", marker),
    );
  }
  symlinkSync(join(outside, "session"), join(product.home, "sessions", linked));
  mkdirSync(join(product.home, "workspaces"), { recursive: true });
  mkdirSync(join(outside, "space"));
  writeFileSync(join(outside, "space", "workspace.yaml"), `engine: sqlite\nfile: ${join(outside, marker)}\n`);
  symlinkSync(join(outside, "space"), join(product.home, "workspaces", "linked"));
  mkdirSync(join(product.home, "workspaces", "within"));
  symlinkSync(join(outside, "space", "workspace.yaml"), join(product.home, "workspaces", "within", "workspace.yaml"));
  for (const route of await readRoutes(product, linked)) {
    if (!route.path.includes(linked) || route.path.endsWith("/restore")) continue;
    await attempt(`a linked session: ${route.method} ${route.path}`, async () => {
      const answer = await asked(
        route.path,
        route.method,
        route.body ? '{"text":"x","phase":"F1","name":"x","answerId":"a","hash":"h","answer":"continue"}' : undefined,
      );
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(marker);
    });
  }
  await attempt("the list of sessions", async () => expect((await asked("/api/sessions")).text).not.toContain(marker));
  await attempt("the list of workspaces", async () =>
    expect((await asked("/api/workspaces")).text).not.toContain(marker),
  );
  for (const name of ["linked", "within"]) {
    await attempt(`workspace ${name}`, async () => {
      const answer = await asked(`/api/workspaces/${name}/catalog`);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.text).not.toContain(marker);
      expect(
        (await asked("/api/sessions", "POST", JSON.stringify({ workspace: name, question: "How many?" }))).status,
      ).toBeGreaterThanOrEqual(400);
    });
  }
});

it("serves files of the page only, by no spelling anything else", async () => {
  const page = join(outside, "page");
  mkdirSync(join(page, "assets"), { recursive: true });
  writeFileSync(join(outside, "secret.txt"), marker);
  writeFileSync(join(page, "index.html"), "<!doctype html>");
  symlinkSync(join(outside, "secret.txt"), join(page, "assets", "link.txt"));
  symlinkSync(outside, join(page, "up"));
  cpSync(join(outside, "secret.txt"), `${page}-beside.txt`);
  for (const path of [
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/assets/%2e%2e/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/..%5csecret.txt",
    "/..\\secret.txt",
    "/%252e%252e/secret.txt",
    "//secret.txt",
    "/assets/link.txt",
    "/up/secret.txt",
    "/up/page-beside.txt",
    "/../page-beside.txt",
    "/.",
    "/..",
    "/assets",
    "/assets/",
    "/\0",
    "/index.html\0.png",
    `${outside}/secret.txt`,
    `/${"a".repeat(5000)}`,
    `/${"a/".repeat(3000)}`,
  ]) {
    await attempt(`file ${path.slice(0, 60)}`, async () => {
      const found = await readStaticFile(page, path);
      expect(found === null ? "" : await found.text()).not.toContain(marker);
    });
  }
  for (const path of [
    "/../../package.json",
    "/..%2f..%2fpackage.json",
    "/assets/..%2f..%2f..%2fpackage.json",
    "/src/server/app.ts",
    "/node_modules/hono/package.json",
    "/.git/config",
    "/token",
    "/@fs/etc/passwd",
  ]) {
    await attempt(`over HTTP ${path}`, async () => expect((await asked(path)).status).toBe(404));
  }
});
