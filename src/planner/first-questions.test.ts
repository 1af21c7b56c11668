import { describe, expect, it } from "vitest";
import { openChinook, planned, rows } from "./chinook.fixture.ts";
import { findFirstQuestions } from "./first-questions.ts";

describe("findFirstQuestions", () => {
  it("asks about the tables with most rows, one question of each kind, and each can be answered", async () => {
    const { catalog, values } = await openChinook();
    const found = await findFirstQuestions(catalog, values, 5);
    expect(found.map(({ kind }) => kind)).toEqual(["1 join", "by year", "outer join", "average", "count"]);
    expect(found[0]?.question).toBe("Which album has the most tracks?");
    for (const { question } of found) {
      const { sql } = await planned(question);
      expect(rows(sql).length, question).toBeGreaterThan(0);
    }
  });

  it("goes on to a second question of a kind, and stops when told", async () => {
    const { catalog, values } = await openChinook();
    const many = await findFirstQuestions(catalog, values, 9);
    expect(many).toHaveLength(9);
    expect(new Set(many.map(({ question }) => question)).size).toBe(9);
    let left = 3;
    const few = await findFirstQuestions(catalog, values, 9, () => Promise.resolve(left-- > 0));
    expect(few.length).toBeLessThan(4);
  });

  it("has nothing to ask of a database without rows or words", async () => {
    const { catalog, values } = await openChinook();
    const empty = { ...catalog, tables: catalog.tables.map((table) => ({ ...table, rows: 0 })) };
    expect(await findFirstQuestions(empty, values, 5)).toEqual([]);
    expect(await findFirstQuestions({ ...catalog, tables: [], relations: [] }, values, 5)).toEqual([]);
  });
});
