import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { acquireOwner } from "./owner-lock.ts";

const freshDir = () => mkdtemp(join(tmpdir(), "owner-"));

it("one owner at a time, in this process too; a released session is free", async () => {
  const dir = await freshDir();
  const first = await acquireOwner(dir);
  await first.nameChild(process.pid);
  await expect(acquireOwner(dir)).rejects.toMatchObject({
    code: "session-owned",
    message: expect.stringContaining(String(process.pid)),
  });
  await first.release();
  expect(existsSync(join(dir, "owner.json"))).toBe(false);
  await (await acquireOwner(dir)).release();
});

it("a record that names a living but different process, or is no record at all, blocks nobody", async () => {
  const dir = await freshDir();
  const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await new Promise((resolve) => stranger.once("spawn", resolve));
  const mark = { pid: stranger.pid, startedAt: "1" };
  await writeFile(join(dir, "owner.json"), JSON.stringify({ mark: "m", server: mark, child: mark }));
  await (await acquireOwner(dir)).release();
  expect(stranger.exitCode).toBe(null);
  expect(stranger.signalCode).toBe(null);
  await writeFile(join(dir, "owner.json"), "{ torn");
  await (await acquireOwner(dir)).release();
  stranger.kill("SIGKILL");
});

it.runIf(process.platform === "linux")(
  "a dead server's child that doesn't end by itself is ended before the next owner starts",
  async () => {
    const dir = await freshDir();
    const orphan = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    await new Promise((resolve) => orphan.once("spawn", resolve));
    const owner = await acquireOwner(dir);
    await owner.nameChild(orphan.pid);
    const record = await readFile(join(dir, "owner.json"), "utf8");
    await owner.release();
    await writeFile(join(dir, "owner.json"), record);
    const ended = new Promise((resolve) => orphan.once("exit", (_code, signal) => resolve(signal)));
    await (await acquireOwner(dir)).release();
    expect(await ended).toBe("SIGKILL");
  },
  10_000,
);
