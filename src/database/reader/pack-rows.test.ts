import fc from "fast-check";
import { expect, it } from "vitest";
import type { Cell } from "../../protocol/index.ts";
import { createRowKeeper } from "./keep-rows.ts";
import { createRowPacker, unpackRows } from "./pack-rows.ts";

const caps = { maxRows: 100_000, maxBytes: 1e9 };

function through(rows: unknown[][], width: number, limits = caps) {
  const out: Cell[][] = [];
  const packer = createRowPacker(
    width,
    limits,
    (value) => (typeof value === "boolean" ? value : `? ${String(value)}`),
    (head, payload) => {
      if (head.kind === "rows") unpackRows(head, Buffer.concat([payload ?? Buffer.alloc(0)]), out);
    },
  );
  for (const row of rows) if (!packer.add(row)) break;
  packer.finish();
  return { rows: out, rowCount: packer.rowCount, truncated: packer.truncated };
}

it("gives every cell back as it was, over many blocks", () => {
  const cell = fc.oneof(
    fc.constant(null),
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
    fc.string({ unit: "grapheme", maxLength: 400 }),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell, cell), { maxLength: 60 }), (some) => {
      const rows = Array.from({ length: 20 }, () => some).flat();
      expect(through(rows, 3)).toEqual({ rows, rowCount: rows.length, truncated: false });
    }),
    { numRuns: 30 },
  );
});

it("keeps integers that no number holds as text, and takes no minus before a zero", () => {
  expect(through([[2n ** 53n, 5n, -0, Number.NaN]], 4).rows).toEqual([["9007199254740992", 5, 0, "? NaN"]]);
});

it("keeps the same rows as the row keeper, whatever the caps", () => {
  const text = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: "grapheme", maxLength: 30 }));
  const cell = fc.oneof(fc.constant(null), fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), text);
  const limits = fc.record({ maxRows: fc.integer({ min: 1, max: 60 }), maxBytes: fc.integer({ min: 200, max: 3000 }) });
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { maxLength: 80 }), limits, (found, given) => {
      const rows = found.map((row) => row.map((one) => (typeof one === "number" ? one + 0 : one)));
      const keeper = createRowKeeper(given);
      for (const row of rows) if (!keeper.keep([...row])) break;
      expect(through(rows, 2, given)).toEqual({
        rows: keeper.rows,
        rowCount: keeper.rows.length,
        truncated: keeper.truncated,
      });
    }),
  );
});

it("cuts by bytes, not by characters", () => {
  const rows = Array.from({ length: 100 }, () => ["ééééé"]);
  expect(through(rows, 1, { maxRows: 1000, maxBytes: 55 })).toMatchObject({ rowCount: 5, truncated: true });
  expect(through(rows, 1, { maxRows: 1000, maxBytes: 1000 })).toMatchObject({ rowCount: 100, truncated: false });
});
