import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { sameRows } from "./same-rows.ts";

const rows = [
  ["Rock", 2, 10],
  ["Pop", 1, 20],
  ["Pop", 1, 20],
];

describe("same rows", () => {
  it("counts how often a row is there, not where it stands", () => {
    expect(sameRows(rows, [rows[1], rows[0], rows[2]] as typeof rows)).toBe(true);
    expect(sameRows(rows, [rows[0], rows[0], rows[1]] as typeof rows)).toBe(false);
    expect(sameRows(rows, rows.slice(0, 2))).toBe(false);
    expect(sameRows([], [])).toBe(true);
    expect(sameRows([], rows)).toBe(false);
  });

  it("takes columns in any order, but whole rows", () => {
    expect(
      sameRows(
        rows,
        rows.map(([a, b, c]) => [c, a, b]),
      ),
    ).toBe(true);
    expect(
      sameRows(
        [
          [1, 2],
          [2, 1],
        ],
        [
          [1, 1],
          [2, 2],
        ],
      ),
    ).toBe(false);
    expect(
      sameRows(
        rows,
        rows.map((row) => row.slice(0, 2)),
      ),
    ).toBe(false);
    const wide = [Array.from({ length: 12 }, (_, at) => at % 3), Array.from({ length: 12 }, (_, at) => at)];
    expect(
      sameRows(
        wide,
        wide.map((row) => [...row].reverse()),
      ),
    ).toBe(true);
  });

  it("gives numbers a tolerance and spells them alike, texts none", () => {
    expect(sameRows([[0.1 + 0.2]], [[0.3]])).toBe(true);
    expect(sameRows([[2328.6]], [["2328.60"]])).toBe(true);
    expect(sameRows([[1_000_000_000]], [[1_000_000_500]])).toBe(true);
    expect(sameRows([[1.05]], [[1.06]])).toBe(false);
    expect(sameRows([["007"]], [["7"]])).toBe(false);
    expect(sameRows([["Rock"]], [["rock"]])).toBe(false);
    expect(sameRows([[null]], [[""]])).toBe(false);
    expect(sameRows([[null]], [[0]])).toBe(false);
    expect(sameRows([[true]], [[1]])).toBe(true);
  });

  it("finds partners where nearly equal numbers sort otherwise", () => {
    expect(
      sameRows(
        [
          [1.00001, 5],
          [1, 9],
        ],
        [
          [1, 5],
          [1.00001, 9],
        ],
      ),
    ).toBe(true);
  });

  it("asks for the order outside of ties only", () => {
    const sorted = [
      ["a", 3],
      ["b", 2],
      ["c", 2],
      ["d", 1],
    ];
    const classes = [0, 1, 1, 2];
    expect(
      sameRows(
        sorted,
        [
          ["a", 3],
          ["c", 2],
          ["b", 2],
          ["d", 1],
        ],
        classes,
      ),
    ).toBe(true);
    expect(
      sameRows(
        sorted,
        [
          ["b", 2],
          ["a", 3],
          ["c", 2],
          ["d", 1],
        ],
        classes,
      ),
    ).toBe(false);
    expect(
      sameRows(sorted, [
        ["b", 2],
        ["a", 3],
        ["c", 2],
        ["d", 1],
      ]),
    ).toBe(true);
  });

  it("doesn't mind any order of rows and columns", () => {
    const cell = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom("a", "b", null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 8 }),
      );
    fc.assert(
      fc.property(table, fc.integer(), (made, seed) => {
        const turn = Math.abs(seed) % (made[0]?.length ?? 1);
        const turned = made.map((row) => [...row.slice(turn), ...row.slice(0, turn)]).reverse();
        expect(sameRows(made, turned)).toBe(true);
        // One row more or one cell that is no neighbour: never the same.
        expect(sameRows(made, [...turned, turned[0] ?? []])).toBe(false);
        expect(
          sameRows(
            made,
            turned.map((row, index) => (index === 0 ? ["something else", ...row.slice(1)] : row)),
          ),
        ).toBe(false);
      }),
    );
  });
});
