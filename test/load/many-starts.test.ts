/** Many questions at once: each is taken, told its place, started in its turn, and none fails. */
import { afterEach, expect, it } from "vitest";
import type { SessionView } from "../../src/protocol/index.ts";
import { StrainedServer } from "./strained-server.ts";

let server: StrainedServer;
afterEach(() => server?.remove());

const decide = { tool: { name: "reviewer_decide", args: { phase: "F1", text: "rows per artist" } } };

it("queues what can't be started at once, shows the place, and starts all of them in order", async () => {
  server = await StrainedServer.start({ start: [decide] });
  const count = 10;
  const ids = await Promise.all(Array.from({ length: count }, (_, at) => server.create(`Question ${at}?`)));
  const places = new Map<string, number[]>();
  const views = new Map<string, SessionView>();
  await server.until(async () => {
    for (const id of ids) {
      const view = await server.view(id);
      views.set(id, view);
      if (view.startPlace !== undefined) places.set(id, [...(places.get(id) ?? []), view.startPlace]);
      expect(view.turn).not.toBe("failed");
      if (view.startPlace !== undefined) expect(view.live).toBe(false);
    }
    return [...views.values()].every((view) => view.turn === "waiting");
  }, "a gate for each");
  // At least those that found every place taken, and each only ever moved up.
  expect(places.size).toBeGreaterThanOrEqual(count / 2);
  for (const seen of places.values()) expect(seen).toEqual(seen.toSorted((a, b) => b - a));
  for (const view of views.values()) expect(view.startPlace).toBeUndefined();
}, 240_000);

it("a question that is stopped while it waits starts no child, and Resume starts it later", async () => {
  server = await StrainedServer.start({ start: [decide], resume: [decide] });
  const ids = await Promise.all(Array.from({ length: 6 }, (_, at) => server.create(`Question ${at}?`)));
  const last = await findQueued(ids);
  await server.call(`/api/sessions/${last}/abort`, "POST", {});
  expect(await server.view(last)).toMatchObject({ turn: "idle", live: false, failure: null });
  expect((await server.view(last)).startPlace).toBeUndefined();
  for (const id of ids) if (id !== last) await server.turn(id, "waiting");
  expect(await server.view(last)).toMatchObject({ turn: "idle", live: false });
  expect((await server.call(`/api/sessions/${last}/resume`, "POST", {})).status).toBe(200);
  await server.turn(last, "waiting");
}, 240_000);

/** The one with the highest place. */
async function findQueued(ids: string[]): Promise<string> {
  let found = "";
  await server.until(async () => {
    const views = await Promise.all(ids.map(server.view));
    const queued = views.filter((view) => view.startPlace !== undefined);
    found = queued.toSorted((a, b) => (b.startPlace ?? 0) - (a.startPlace ?? 0))[0]?.id ?? "";
    return found !== "";
  }, "one that waits for its start");
  return found;
}
