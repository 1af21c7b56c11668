import { mkdir, mkdtemp, readdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Manifest } from "../protocol/index.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import { createSessionId, findSessionDir, listSessionDirs, sessionIdPattern, toSessionDir } from "./session-dirs.ts";

it("only an id becomes part of a path", () => {
  expect(toSessionDir("/home/x", "abcdefgh")).toBe("/home/x/sessions/abcdefgh");
  for (const bad of [
    "",
    "short",
    "../../etc",
    "..",
    "abcdefg/../h",
    "ABCDEFGH",
    "abcdefgh\n",
    "a".repeat(41),
    "abcdefg\0",
  ]) {
    expect(() => toSessionDir("/home/x", bad)).toThrow("no such session");
  }
  for (let n = 0; n < 50; n += 1) expect(createSessionId()).toMatch(sessionIdPattern);
});

it("a link in place of a session's folder isn't followed, and other files aren't listed", async () => {
  const home = await mkdtemp(join(tmpdir(), "home-"));
  expect(await listSessionDirs(home)).toEqual([]);
  await mkdir(join(home, "sessions", "session0001"), { recursive: true });
  await mkdir(join(home, "elsewhere"));
  await symlink(join(home, "elsewhere"), join(home, "sessions", "session0002"));
  await writeFile(join(home, "sessions", "session0003"), "");
  await mkdir(join(home, "sessions", "Not-A-Session"));
  expect((await listSessionDirs(home)).map((one) => one.id)).toEqual(["session0001"]);
  await expect(findSessionDir(home, "session0002")).rejects.toMatchObject({ code: "session-unknown" });
  await expect(findSessionDir(home, "session0009")).rejects.toMatchObject({ code: "session-unknown" });
  expect(await findSessionDir(home, "session0001")).toBe(join(home, "sessions", "session0001"));
});

it("a manifest is replaced as a whole, and a fault in it is named", async () => {
  const dir = join(await mkdtemp(join(tmpdir(), "home-")), "sessions", "session0001");
  const manifest: Manifest = {
    version: 1,
    id: "session0001",
    workspace: "demo",
    question: "q",
    provider: "thoth",
    model: "offline",
    thinking: "high",
    review: "every-phase",
    promptVersion: "p",
    catalogChecksum: "c",
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z",
  };
  await expect(readManifest(dir)).rejects.toMatchObject({ code: "session-unknown" });
  await writeManifest(dir, manifest);
  await writeManifest(dir, { ...manifest, name: "other" });
  expect(await readManifest(dir)).toEqual({ ...manifest, name: "other" });
  expect((await readdir(dir)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  await writeFile(join(dir, "manifest.json"), JSON.stringify({ ...manifest, thinking: "hard" }));
  await expect(readManifest(dir)).rejects.toMatchObject({
    code: "manifest-damaged",
    message: expect.stringContaining("thinking"),
  });
});
