import { describe, expect, it } from "vitest";
import { toMissingHeading, toMissingSentence } from "./missing-words.ts";

it.each([
  ["profit margin", "Missing: “profit margin”"],
  ["chinook has no cost column", "chinook has no cost column."],
  ["what is asked for", ""],
])("heads the box of the gate with %j", (missing, heading) => {
  expect(toMissingHeading(missing)).toBe(heading);
});

describe("toMissingSentence", () => {
  it.each([
    ["since 2023", "The data is not there: “since 2023”."],
    ["profit margin", "The data is not there: “profit margin”."],
    ["a cost column", "The data is not there: a cost column."],
    ["A way to join Genre.", "The data is not there: a way to join Genre."],
    ["chinook has no cost column.", "The data is not there: chinook has no cost column."],
    ["what is asked for", "The data is not there."],
    ["", "The data is not there."],
  ])("reads well for %j", (missing, sentence) => {
    expect(toMissingSentence(missing)).toBe(sentence);
  });
});
