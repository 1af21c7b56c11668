/** A machine that can't go on: nothing that was acknowledged is lost, what fails says why, and mended it goes on. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { canMount, StrainedServer } from "./strained-server.ts";

let server: StrainedServer;
afterEach(() => server?.remove());

const decide = (text: string) => ({ tool: { name: "reviewer_decide", args: { phase: "F1", text, closes: false } } });
const twice = { start: [decide("the first"), decide("the second"), { text: "Done." }] };
const mounts = canMount();
if (!mounts) console.log("Left out: disks that are full or read-only, since this system lets nobody mount one.");

/** The texts that were accepted, as they stand on disk. */
const accepted = (id: string): unknown[] =>
  server
    .entries(id)
    .flatMap((entry) => (entry.type === "decision" ? [(entry.decision as { text?: string }).text] : []));

/** Waits for the session's gate of that number. */
const nextGate = (id: string, number: number): Promise<void> =>
  server.until(
    async () => server.entries(id).filter((entry) => entry.type === "gate-opened").length === number,
    `gate ${number}`,
  );

/** What a fault of the disk must look like from outside, and that it is over once it is mended. */
async function survive(fault: { begin(): void; mend(): void; code: string; words: RegExp }): Promise<void> {
  const id = await server.create("How many?");
  await server.turn(id, "waiting");
  const other = await server.create("Another?");
  await server.turn(other, "waiting");
  expect((await server.answer(other)).status).toBe(200);
  await nextGate(other, 2);
  const before = readFileSync(server.inside("sessions", id, "ledger.json"), "utf8");

  const slowly = { think: "Thinking about it for a while.", delay: 900, ...decide("the slow one") };
  server.play({ ...twice, start: [slowly], resume: [decide("the slow one")] });
  const slow = await server.create("Slowly?");
  await server.until(async () => (await server.view(slow)).live, "a child");
  server.play(twice);

  fault.begin();
  const refused = await server.answer(id);
  expect(refused.body.error).toMatchObject({ code: fault.code, message: expect.stringMatching(fault.words) });
  expect(refused.status).toBeGreaterThanOrEqual(500);
  expect(JSON.stringify(refused.body)).not.toContain(server.home);
  expect(readFileSync(server.inside("sessions", id, "ledger.json"), "utf8")).toBe(before);
  const asked = await server.ask("A third?");
  expect(asked).toMatchObject({ problem: { code: fault.code } });
  // Looking goes on, and shows what was acknowledged.
  expect(await server.view(id)).toMatchObject({ turn: "waiting", openGate: { kind: "decision-review" } });
  expect(accepted(other)).toEqual(["the first"]);
  expect((await server.list()).sessions.map((one) => one.id).sort()).toEqual([id, other, slow].sort());
  // A model that was at work can't have its proposal written down: it ends there, and the page says why.
  await server.turn(slow, "failed");
  expect((await server.view(slow)).failure).toMatchObject({ code: "storage" });

  fault.mend();
  for (const one of [id, other]) expect((await server.answer(one)).status).toBe(200);
  await server.turn(other, "idle");
  await nextGate(id, 2);
  expect(accepted(id)).toEqual(["the first"]);
  expect(accepted(other)).toEqual(["the first", "the second"]);
  server.play({ ...twice, resume: [decide("the slow one")] });
  expect((await server.call(`/api/sessions/${slow}/resume`, "POST", {})).status).toBe(200);
  await server.turn(slow, "waiting");
  const third = await server.create("A third?");
  await server.turn(third, "waiting");
}

it.runIf(mounts)(
  "a full disk: refused with its reason, whole on disk, and gone on with once there is room",
  async () => {
    server = await StrainedServer.start(twice, { disk: "48m" });
    const filler = server.inside("filler");
    await survive({
      begin: () => {
        for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 2)) fill(filler, size);
      },
      mend: () => server.atDisk("rm", join(server.home, "filler")),
      code: "disk-full",
      words: /full/,
    });
  },
  240_000,
);

/** Appends blocks of that size for as long as they fit. */
function fill(file: string, size: number): void {
  try {
    for (;;) writeFileSync(file, Buffer.alloc(size), { flag: "a" });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
  }
}

it.runIf(mounts)(
  "a disk that became read-only: the same",
  async () => {
    server = await StrainedServer.start(twice, { disk: "48m" });
    await survive({
      // Over the same place, since a disk on which files are open for writing can't be made read-only.
      begin: () => {
        server.atDisk("mount", "--bind", server.home, server.home);
        server.atDisk("mount", "-o", "remount,bind,ro", server.home);
      },
      mend: () => server.atDisk("umount", server.home),
      code: "disk-read-only",
      words: /may not|can't open/,
    });
  },
  240_000,
);

it("too many open files: what can't be done is refused with its reason, and done when there are fewer", async () => {
  server = await StrainedServer.start(twice, { files: 80 });
  const id = await server.create("How many?");
  await server.turn(id, "waiting");
  const sockets: Socket[] = [];
  const open = () =>
    new Promise<boolean>((done) => {
      const socket = connect(server.port, "127.0.0.1", () => {
        sockets.push(socket);
        socket.write("GET /api/health HTTP/1.1\r\n");
        setTimeout(() => done(!socket.destroyed), 20);
      });
      socket.on("error", () => done(false));
    });
  // One is left, for a request.
  const openFiles = () => readdirSync(`/proc/${server.pid}/fd`).length;
  while (openFiles() < 79 && (await open())) if (sockets.length > 100) throw new Error("no limit in force");
  const refused = await server.answer(id);
  expect(refused.body.error).toMatchObject({ code: expect.stringMatching(/too-many-files|disk-read-only/) });
  const asked = await server.ask("Another?");
  expect(asked).toMatchObject({ problem: { message: expect.stringMatching(/files/) } });
  for (const socket of sockets) socket.destroy();
  await server.until(async () => openFiles() < 70, "the sockets' end");
  expect(accepted(id)).toEqual([]);
  expect((await server.answer(id)).status).toBe(200);
  await nextGate(id, 2);
  expect(accepted(id)).toEqual(["the first"]);
  await server.turn(await server.create("Another?"), "waiting");
}, 240_000);

it("a clock that jumps years ahead and back: gates, order and decisions stay", async () => {
  const clock = fileURLToPath(new URL("./jumping-clock.ts", import.meta.url));
  server = await StrainedServer.start(twice, { preload: clock });
  const jump = (days: number) => writeFileSync(join(server.home, "clock"), String(days * 86_400_000));
  const id = await server.create("How many?");
  await server.turn(id, "waiting");
  jump(3650);
  // The child that now "waited" for years is stopped, and its gate stays open.
  await server.until(async () => !(await server.view(id)).live, "the end of its child");
  expect(await server.view(id)).toMatchObject({ turn: "waiting", failure: null });
  const later = await server.create("In ten years?");
  await server.turn(later, "waiting");
  jump(-3650);
  const earlier = await server.create("Ten years ago?");
  await server.turn(earlier, "waiting");
  for (const one of [id, later, earlier]) {
    expect((await server.answer(one)).status).toBe(200);
    await server.until(async () => accepted(one).length === 1, "its decision");
    expect(server.entries(one).map((entry) => entry.seq)).toEqual(server.entries(one).map((_, at) => at + 1));
  }
  expect((await server.list()).total).toBe(3);
  jump(0);
  for (const one of [later, earlier]) {
    await nextGate(one, 2);
    await server.turn(one, "waiting");
  }
}, 240_000);
