import { expect, it } from "vitest";
import { createRowKeeper } from "../reader/keep-rows.ts";
import { createCellReader, toTexts } from "./cells.ts";
import type { Field } from "./field.ts";

const field = (columnType: number, characterSet = 45): Field => ({
  name: "c",
  columnType,
  characterSet,
  columnLength: 0,
  decimals: 0,
  flags: 0,
});
const types = { bigint: field(8), double: field(5), text: field(253), blob: field(252, 63) };

/** A row as the server writes it, behind some bytes of another. */
function toRow(...cells: (string | Buffer | null)[]) {
  const parts = cells.map((cell) => {
    if (cell === null) return Buffer.from([0xfb]);
    const bytes = Buffer.from(cell as string);
    const size = bytes.length;
    const head =
      size < 0xfb ? Buffer.from([size]) : size < 65_536 ? Buffer.alloc(3, 0xfc) : Buffer.from([0xfd, 0, 0, 0]);
    if (size >= 0xfb && size < 65_536) head.writeUInt16LE(size, 1);
    else if (size >= 65_536) head.writeUIntLE(size, 1, 3);
    return Buffer.concat([head, bytes]);
  });
  const buffer = Buffer.concat([Buffer.from("before"), ...parts, Buffer.from("after")]);
  return { buffer, offset: 6, end: buffer.length - 5 };
}

function read(fields: Field[], row: ReturnType<typeof toRow>, maxBytes = 1e9) {
  const keeper = createRowKeeper({ maxRows: 10, maxBytes });
  return { cells: createCellReader(fields, keeper)(row), truncated: keeper.truncated };
}

it("reads numbers with every digit", () => {
  const integers = ["0", "-7", "999999999999999", "9007199254740991", "9007199254740993", "18446744073709551615"];
  expect(
    read(
      integers.map(() => types.bigint),
      toRow(...integers),
    ).cells,
  ).toEqual([0, -7, 999999999999999, 9007199254740991, "9007199254740993", "18446744073709551615"]);
  const { cells } = read([types.double, types.double], toRow("0.14285714285714285", "1e300"));
  expect(cells).toEqual([0.14285714285714285, 1e300]);
});

it("tells texts apart whatever stands beside them: NULL, two bytes per character, bytes that are no text, long ones", () => {
  const beside = [
    null,
    "é",
    "日本",
    "😀",
    Buffer.from([0xc2]),
    Buffer.from([0x80, 0xff]),
    "x".repeat(194),
    "x".repeat(300),
  ];
  for (const other of [...beside, "y".repeat(70_000)]) {
    const row = toRow("first", other, "", "last");
    const fields = [types.text, Buffer.isBuffer(other) ? types.blob : types.text, types.text, types.text];
    const shown = Buffer.isBuffer(other) ? `x'${other.toString("hex")}'` : other;
    expect(read(fields, row)).toEqual({ cells: ["first", shown, "", "last"], truncated: false });
    if (!Buffer.isBuffer(other)) expect(toTexts(row)).toEqual(["first", other, "", "last"]);
  }
});

it("cuts a long text and says how many characters it had", () => {
  const { cells, truncated } = read([types.text], toRow("é".repeat(500)), 20);
  expect([cells, truncated]).toEqual([[`${"é".repeat(20)}… (500 characters)`], true]);
});
