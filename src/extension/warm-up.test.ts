import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { afterEach, expect, it, vi } from "vitest";
import { offlineProvider } from "../protocol/index.ts";
import { createSessionContext } from "./session-context.ts";
import { registerWarmUp } from "./warm-up.ts";

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A child's environment in a folder of its own, and what the extension asks Pi to call. */
function open(file: string, waits: boolean) {
  const folder = mkdtempSync(join(tmpdir(), "thoth-warm-"));
  folders.push(folder);
  const dir = join(folder, "session");
  mkdirSync(dir);
  const session = createSessionContext({
    THOTH_SESSION_ID: "s",
    THOTH_SESSION_DIR: dir,
    THOTH_CONNECTION: JSON.stringify({ engine: "sqlite", file }),
    THOTH_CATALOG_DIR: join(folder, "catalogs"),
    ...(waits ? { THOTH_WAITS: "1" } : {}),
  });
  const called: ((event: object, context: object) => void)[] = [];
  const pi = { on: (_event: string, handler: (typeof called)[number]) => called.push(handler) };
  registerWarmUp(pi as unknown as ExtensionAPI, session);
  const start = () => {
    for (const handler of called) handler({}, { model: { provider: offlineProvider } });
  };
  return { session, folder, dir, called, start };
}
const demo = fileURLToPath(new URL("../../demo/chinook.sqlite", import.meta.url));

it("a child that waits opens the catalog by itself and writes nothing into its session", async () => {
  const { session, folder, dir, start } = open(demo, true);
  start();
  await vi.waitFor(
    () => expect(readdirSync(join(folder, "catalogs")).some((name) => name.endsWith(".json"))).toBe(true),
    {
      timeout: 30_000,
    },
  );
  // The same catalog that the question will get, and not a second one.
  const opened = await session.catalog();
  expect((await session.catalog()).catalog).toBe(opened.catalog);
  expect(readdirSync(dir)).toEqual([]);
  opened.close();
  await (await session.database()).close();
}, 60_000);

it("a child with a question waits for nothing and warms nothing", () => {
  expect(open(demo, false).called).toEqual([]);
});

it("a database that can't be read is no fault of a child that waits", async () => {
  const { session, start } = open("/nowhere/none.sqlite", true);
  start();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await expect(session.catalog()).rejects.toMatchObject({ code: "database-missing" });
});
