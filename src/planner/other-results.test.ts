import { describe, expect, it } from "vitest";
import type { Read } from "../database/database.ts";
import { choiceWithRows } from "./other-results.ts";

const read = (rows: unknown[][]): Read =>
  ({ ok: true, ms: 0, result: { columns: [], rows, rowCount: rows.length, truncated: false } }) as Read;
const tie = {
  key: "value:rome",
  words: "Rome",
  options: [
    { label: "visit.origin = Rome", score: 1 },
    { label: "visit.city = Rome", score: 0.9 },
  ],
  chosen: "visit.origin = Rome",
};
const tables: Record<string, unknown[][]> = { none: [], zero: [[0]], some: [["x"]] };
const run = (statements: string[]) => Promise.resolve(statements.map((sql) => read(tables[sql] ?? [])));
const plan = (sql: string) => () => ({ sql, outcome: sql });

describe("a reading without rows", () => {
  it("gives way to a near tie that has some", async () => {
    expect(await choiceWithRows({ sql: "none", choices: [tie] }, plan("some"), run)).toBe("some");
    expect(await choiceWithRows({ sql: "zero", choices: [tie] }, plan("some"), run)).toBe("some");
  });

  it("stays when it has rows, when the other has none, or when nothing is near", async () => {
    expect(await choiceWithRows({ sql: "some", choices: [tie] }, plan("none"), run)).toBeUndefined();
    expect(await choiceWithRows({ sql: "none", choices: [tie] }, plan("zero"), run)).toBeUndefined();
    const far = { ...tie, options: tie.options.map((option, index) => ({ ...option, score: 1 - index })) };
    expect(await choiceWithRows({ sql: "none", choices: [far] }, plan("some"), run)).toBeUndefined();
  });
});
