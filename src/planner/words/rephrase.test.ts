import { beforeAll, describe, expect, it } from "vitest";
import { openChinook } from "../chinook.fixture.ts";
import { createSchema, type Schema } from "../schema/schema.ts";
import { rephrase } from "./rephrase.ts";

let schema: Schema;
beforeAll(async () => {
  schema = createSchema((await openChinook()).catalog);
});

describe("rephrase", () => {
  it.each([
    ["Which genre sells best in Germany?", "What are the best-selling genre in Germany?"],
    ["Top 5 customers by revenue with their total", "Top 5 customers by revenue with their revenue"],
    ["how many invoices per customer on average", "What is the average number of invoices per customer"],
    ["Who is Jane Peacock's boss?", "Who is the boss of Jane Peacock?"],
    ["Compare sales for 2021, 2022 and 2023", "Compare sales from 2021 to 2023"],
    ["Which country comes third in revenue?", "Which country has the third highest revenue?"],
  ])("%s", (question, plainer) => expect(rephrase(question, schema).text).toBe(plainer));

  it.each([
    ["Sales growth by year", "Sales by year", "growth"],
    [
      "By how much did the number of invoices change from year to year?",
      "What is the number of invoices per year?",
      "change",
    ],
    ["Running total of revenue by month in 2024", "revenue by month in 2024", "running"],
  ])("%s", (question, plainer, kind) =>
    expect(rephrase(question, schema)).toMatchObject({ text: plainer, series: { kind } }),
  );

  it("leaves what is quoted, what is plain and what a column is called", () => {
    for (const question of ['Who wrote "Running Total"?', "How many tracks are there?", "Revenue in 2022 and 2023"])
      expect(rephrase(question, schema)).toEqual({ text: question, said: [] });
    const [table, ...rest] = schema.tables;
    if (!table) throw new Error("no table");
    const [column, ...others] = table.columns;
    if (!column) throw new Error("no column");
    const named = { ...table, columns: [{ ...column, words: ["growth"] }, ...others] };
    const question = "Show growth by year";
    expect(rephrase(question, { ...schema, tables: [named, ...rest] }).text).toBe(question);
  });
});
