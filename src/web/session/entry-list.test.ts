import fc from "fast-check";
import { expect, it } from "vitest";
import { EntryList } from "./entry-list.ts";

type Row = { key: string; text: string };
const keyOf = (row: Row) => (row.key === "none" ? undefined : row.key);

it("does what a copied list does, and leaves every earlier list as it was", () => {
  const step = fc.record({
    key: fc.constantFrom("a", "b", "c", "none"),
    text: fc.string(),
    push: fc.boolean(),
    back: fc.nat(3),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
      const lists = [{ list: EntryList.from<Row>([], keyOf), plain: [] as Row[] }];
      for (const { key, text, push, back } of steps) {
        // Now and then a list is gone on from that isn't the newest.
        const from = lists[Math.max(0, lists.length - 1 - (back === 3 ? 2 : 0))];
        if (!from) continue;
        const place = from.plain.findLastIndex((row) => keyOf(row) === key);
        expect(from.list.placeOf(key)).toBe(place);
        lists.push(
          push || place < 0
            ? { list: from.list.push({ key, text }), plain: [...from.plain, { key, text }] }
            : { list: from.list.with(place, { key, text }), plain: from.plain.with(place, { key, text }) },
        );
      }
      for (const { list, plain } of lists.slice(-5)) {
        expect([...list]).toEqual(plain);
        expect([list.at(0), list.at(-1), list.length]).toEqual([plain.at(0), plain.at(-1), plain.length]);
        expect(list.slice(60, 70)).toEqual(plain.slice(60, 70));
        expect(list.findLast((row) => row.key === "b")).toEqual(plain.findLast((row) => row.key === "b"));
      }
    }),
    { numRuns: 40 },
  );
});

it("keeps the identity of rows that a change isn't about", () => {
  const list = EntryList.from<Row>(
    Array.from({ length: 200 }, (_, n) => ({ key: `${n}`, text: "" })),
    keyOf,
  );
  const changed = list.with(100, { key: "100", text: "changed" });
  expect(changed.slice(0).filter((row, index) => row !== list.at(index))).toEqual([{ key: "100", text: "changed" }]);
});
