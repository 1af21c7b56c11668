import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readStaticFile } from "./static-files.ts";

let root: string;
beforeEach(async () => {
  root = join(await mkdtemp(join(tmpdir(), "thoth-static-")), "web");
  await mkdir(join(root, "assets"), { recursive: true });
  await writeFile(join(root, "index.html"), "page");
  await writeFile(join(root, "..", "secret.txt"), "secret");
  await mkdir(join(root, "..", "web-beside"));
  await writeFile(join(root, "..", "web-beside", "secret.txt"), "secret");
});
afterEach(() => rm(join(root, ".."), { recursive: true, force: true }));

it("sends nothing from outside its folder, however the path is written", async () => {
  const paths = [
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/assets/../../secret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/..\\secret.txt",
    "/..%5csecret.txt",
    "//etc/passwd",
    "/%2fetc%2fpasswd",
    "/%00",
    "/index.html%00.js",
    "/%ff",
    "/%",
    "/../web-beside/secret.txt",
    "/..%252fsecret.txt",
  ];
  for (const path of paths) expect([path, await readStaticFile(root, path)]).toEqual([path, null]);
});

it("follows no link that leads out", async () => {
  await symlink(join(root, "..", "secret.txt"), join(root, "assets", "link.txt"));
  expect(await readStaticFile(root, "/assets/link.txt")).toBeNull();
});

it("sends no folder and nothing that isn't there", async () => {
  for (const path of ["/assets", "/assets/", "/assets/none.js", "/index.html/x", `/${"a".repeat(5000)}`])
    expect(await readStaticFile(root, path)).toBeNull();
});
