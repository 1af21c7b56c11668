import { expect, it } from "vitest";
import { createStartQueue } from "./start-queue.ts";

const never = new AbortController().signal;
const settle = () => new Promise((resolve) => setImmediate(resolve));

function openQueue(most: number) {
  const queue = createStartQueue(most);
  const begun: string[] = [];
  const places: Record<string, number[]> = {};
  const ends: Record<string, { resolve(): void; reject(error: Error): void }> = {};
  const start = (name: string, signal = never) => {
    places[name] = [];
    return queue.run(
      () => {
        begun.push(name);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        ends[name] = { resolve, reject };
        return promise;
      },
      signal,
      (place) => places[name]?.push(place),
    );
  };
  return { start, begun, places, ends };
}

it("starts a few at once, the others in their order, and tells each its place", async () => {
  const { start, begun, places, ends } = openQueue(2);
  const all = ["a", "b", "c", "d"].map((name) => start(name));
  expect(begun).toEqual(["a", "b"]);
  expect(places).toEqual({ a: [], b: [], c: [1], d: [2] });
  ends.b?.resolve();
  await settle();
  expect(begun).toEqual(["a", "b", "c"]);
  expect(places.d).toEqual([2, 1]);
  ends.a?.resolve();
  await settle();
  for (const name of ["c", "d"]) ends[name]?.resolve();
  await Promise.all(all);
  expect(places).toMatchObject({ c: [1, 0], d: [2, 1, 0] });
});

it("a start that fails gives its place on, and its own error to the one who asked", async () => {
  const { start, begun, ends } = openQueue(1);
  const first = start("a");
  const second = start("b");
  ends.a?.reject(new Error("no child"));
  await expect(first).rejects.toThrow("no child");
  await settle();
  expect(begun).toEqual(["a", "b"]);
  ends.b?.resolve();
  await second;
  const third = start("c");
  expect(begun).toEqual(["a", "b", "c"]);
  ends.c?.resolve();
  await third;
});

it("one that is stopped while it waits never starts, and those behind it move up", async () => {
  const { start, begun, places, ends } = openQueue(1);
  const stop = new AbortController();
  const first = start("a");
  const second = start("b", stop.signal);
  const third = start("c");
  stop.abort(new Error("stopped"));
  await expect(second).rejects.toThrow("stopped");
  expect(places.c).toEqual([2, 1]);
  ends.a?.resolve();
  await settle();
  expect(begun).toEqual(["a", "c"]);
  ends.c?.resolve();
  await Promise.all([first, third]);
  await expect(start("d", stop.signal)).rejects.toThrow("stopped");
  const last = start("e");
  expect(begun).toEqual(["a", "c", "e"]);
  ends.e?.resolve();
  await last;
});
