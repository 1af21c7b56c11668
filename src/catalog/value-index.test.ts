import { expect, test } from "vitest";
import { createValueIndex, type StoredValue } from "./value-index.ts";

const stored = (column: string, ...values: [string, number][]): StoredValue[] =>
  values.map(([value, rows]) => ({ table: "t", column, value, rows }));
const values = [
  ...stored(
    "city",
    ["Paris", 3],
    ["paris", 2],
    ["PARIS ", 1],
    ["São Paulo", 4],
    ["Sao Paulo", 1],
    ["Straßburg", 1],
    ["New  York", 5],
    ["Berlin", 9],
    ["Łódź", 1],
  ),
  ...stored(
    "band",
    ["AC/DC", 8],
    ["Paris Combo", 1],
    ["The Parisians", 1],
    ["Led Zeppelin", 7],
    ["R.E.M.", 2],
    ["Antônio Carlos Jobim", 3],
  ),
  ...stored("status", ["GERMLINE", 10], ["Germline", 4], ["SOMATIC", 5]),
  ...stored("day", ["2024-01-01", 1], ["2024-01-02", 1]),
];
const index = createValueIndex(values, [
  { table: "t", column: "city", distinct: 9, partial: false },
  { table: "t", column: "band", distinct: 6, partial: true },
]);
const found = (text: string, options?: Parameters<typeof index.search>[1]) =>
  index.search(text, options).map((match) => `${match.value}|${match.how}`);

test("a lookup finds every spelling of the whole value, with its rows", () => {
  expect(index.lookup("paris").map(({ value, how, rows }) => [value, how, rows])).toEqual([
    ["paris", "exact", 2],
    ["Paris", "case", 3],
    ["PARIS ", "case", 1],
  ]);
  expect(index.lookup("Germline").map((match) => [match.value, match.how])).toEqual([
    ["Germline", "exact"],
    ["GERMLINE", "case"],
  ]);
  expect(index.lookup("sao paulo").map((match) => [match.value, match.how])).toEqual([
    ["Sao Paulo", "case"],
    ["São Paulo", "accent"],
  ]);
  expect(index.lookup("strassburg").map((match) => match.value)).toEqual(["Straßburg"]);
  expect(index.lookup("lodz").map((match) => match.value)).toEqual(["Łódź"]);
  expect(index.lookup("new york").map((match) => [match.value, match.how])).toEqual([["New  York", "case"]]);
});

test("a lookup looks past punctuation", () => {
  for (const text of ["acdc", "ac dc", "AC-DC"])
    expect(index.lookup(text).map((match) => match.value)).toEqual(["AC/DC"]);
  expect(index.lookup("rem").map((match) => match.value)).toEqual(["R.E.M."]);
  expect(index.lookup("")).toEqual([]);
  expect(index.lookup("/")).toEqual([]);
});

test("a lookup doesn't find parts or typos", () => {
  expect(index.lookup("pari")).toEqual([]);
  expect(index.lookup("zeppelin")).toEqual([]);
});

test("a search lists the nearest first: exact, case, beginning, containing", () => {
  expect(found("Paris")).toEqual([
    "Paris|exact",
    "paris|case",
    "PARIS |case",
    "Paris Combo|prefix",
    "The Parisians|contains",
  ]);
});

test("a search finds words in another order and words with typos", () => {
  expect(found("zeppelin led")[0]).toBe("Led Zeppelin|contains");
  expect(found("led zepelin")).toEqual(["Led Zeppelin|near"]);
  expect(found("Antonio Carlos Jobin")).toEqual(["Antônio Carlos Jobim|near"]);
  expect(found("Berlni")).toEqual(["Berlin|near"]);
  expect(found("Germlime")).toEqual(["GERMLINE|near", "Germline|near"]);
});

test("short words, numbers and dates have no typos", () => {
  expect(found("par", { column: "status" })).toEqual([]);
  expect(found("2024-01-03")).toEqual([]);
  expect(found("2024-01")).toEqual(["2024-01-01|prefix", "2024-01-02|prefix"]);
});

test("a search keeps to a table, a column and a limit; names without case", () => {
  expect(found("paris", { column: "BAND" })).toEqual(["Paris Combo|prefix", "The Parisians|contains"]);
  expect(found("paris", { table: "other" })).toEqual([]);
  expect(found("paris", { limit: 1 })).toEqual(["paris|exact"]);
});

test("all values are searched, none is a sample", () => {
  const many = Array.from(
    { length: 30_000 },
    (_, n): StoredValue => ({ table: "t", column: "c", value: `value number ${n}`, rows: 1 }),
  );
  const big = createValueIndex(many, []);
  expect(big.search("value number 29999", { limit: 1 })).toMatchObject([{ value: "value number 29999", how: "exact" }]);
  expect(big.search("number 0", { limit: 1 })).toMatchObject([{ value: "value number 0", how: "contains" }]);
  expect(big.search("value").length).toBe(20);
});

test("coverage tells what is indexed and whether some was left out", () => {
  expect(index.coverage("T", "City")).toEqual({ distinct: 9, partial: false });
  expect(index.coverage("t", "band")).toEqual({ distinct: 6, partial: true });
  expect(index.coverage("t", "nowhere")).toEqual({ distinct: 0, partial: true });
});

test("an empty index answers", () => {
  const empty = createValueIndex([], []);
  expect([empty.lookup("x"), empty.search("something")]).toEqual([[], []]);
});
