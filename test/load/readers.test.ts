/** Many readers on several running sessions, some of them slow, some gone in the middle: the good ones miss nothing. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import type { StreamPlan } from "../../bench/stream-extension.ts";
import { StrainedServer } from "./strained-server.ts";
import { StreamReader } from "./stream-reader.ts";

let server: StrainedServer;
afterEach(() => server?.remove());

it("gives well-behaved readers every frame, cuts slow ones off, and takes both back from their cursor", async () => {
  // More than the ring and a reader's share of memory hold together.
  const plan: StreamPlan = { rows: 5, deltas: 8000, perSecond: 2000, perBlock: 4000, padding: 4000 };
  server = await StrainedServer.start(
    {},
    { environment: { EXTENSION: fileURLToPath(new URL("../../bench/stream-extension.ts", import.meta.url)) } },
  );
  writeFileSync(join(server.home, "stream.json"), JSON.stringify(plan));
  const ids = [await server.create("One?"), await server.create("Two?")];
  for (const id of ids) await server.until(async () => (await server.view(id)).live, "a child");
  const open = async (id: string): Promise<StreamReader> => {
    const reader = new StreamReader(server, id);
    await reader.open();
    return reader;
  };
  const of = async (count: number) =>
    Promise.all(Array.from({ length: count }, (_, at) => open(ids[at % ids.length] ?? "")));
  const [good, slow, gone] = [await of(12), await of(4), await of(6)];
  for (const reader of slow) reader.stall();
  writeFileSync(join(server.home, "go"), "");
  await server.until(async () => gone.every((reader) => reader.frames > 50), "frames for those that go");
  for (const reader of gone) reader.vanish();

  for (const id of ids) await server.turn(id, "idle");
  const lastOf = (at: number) => good[at % ids.length]?.lastSeq ?? 0;
  await server.until(
    async () => good.every((reader, at) => reader.lastSeq === lastOf(at) && reader.lastSeq >= plan.deltas),
    "the last frame for each",
  );
  for (const reader of good) expect(reader).toMatchObject({ gaps: 0, resets: [], ended: false });
  expect(good.every((reader, at) => reader.frames === lastOf(at))).toBe(true);

  // What was in the sockets arrives, and then the end: the server kept no more for them.
  for (const reader of slow) reader.goOn();
  await server.until(async () => slow.every((reader) => reader.ended), "the slow ones' end");
  for (const reader of slow) expect(reader.frames).toBeLessThan(plan.deltas);
  for (const reader of [...slow, ...gone]) await reader.open();
  await server.until(
    async () => [...slow, ...gone].every((reader) => reader.lastSeq >= plan.deltas),
    "the last frame for those that came back",
  );
  for (const reader of [...slow, ...gone]) {
    expect(reader.gaps).toBe(0);
    expect(reader.resets.every((reason) => reason === "evicted")).toBe(true);
  }
  for (const reader of [...good, ...slow, ...gone]) reader.vanish();
}, 240_000);
