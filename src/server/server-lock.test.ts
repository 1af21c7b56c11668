import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { findServer, lockServer } from "./server-lock.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "thoth-lock-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

it("lets one server have a home, and tells a second one who it is", async () => {
  const lock = await lockServer(home);
  await lock.announce("http://127.0.0.1:1234");
  await expect(lockServer(home)).rejects.toMatchObject({
    code: "server-running",
    message: expect.stringContaining(`process ${process.pid} at http://127.0.0.1:1234`),
  });
  expect(await findServer(home)).toMatchObject({ pid: process.pid, address: "http://127.0.0.1:1234" });
  await lock.release();
  expect(await findServer(home)).toBeNull();
  await (await lockServer(home)).release();
});

it("lets exactly one of several that start at once have it", async () => {
  const tried = await Promise.allSettled(Array.from({ length: 5 }, () => lockServer(home)));
  const got = tried.filter((one) => one.status === "fulfilled");
  expect(got).toHaveLength(1);
  for (const one of got) await one.value.release();
});

it("is free again at once when its holder was killed, whatever that one left behind", async () => {
  const module = pathToFileURL(join(import.meta.dirname, "server-lock.ts")).href;
  const script = `const { lockServer } = await import(${JSON.stringify(module)}); const lock = await lockServer(${JSON.stringify(home)}); await lock.announce("http://127.0.0.1:9"); console.log("held"); setInterval(() => {}, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout, "data");
  expect(await findServer(home)).toMatchObject({ pid: holder.pid, address: "http://127.0.0.1:9" });
  await expect(lockServer(home)).rejects.toMatchObject({
    code: "server-running",
    message: expect.stringContaining(String(holder.pid)),
  });
  holder.kill("SIGKILL");
  await once(holder, "exit");
  expect(JSON.parse(await readFile(join(home, "server.json"), "utf8"))).toMatchObject({ pid: holder.pid });
  expect(await findServer(home)).toBeNull();
  await (await lockServer(home)).release();
});

it("doesn't mind a record that can't be read", async () => {
  await writeFile(join(home, "server.json"), "{half");
  expect(await findServer(home)).toBeNull();
  await (await lockServer(home)).release();
});
