/** Through Pi's own check as well: what counts is what a tool is given in the end. */
import { validateToolArguments } from "@earendil-works/pi-ai";
import { Type } from "typebox";
import { describe, expect, it } from "vitest";
import { PhaseId, ProposedDecision } from "../../protocol/index.ts";
import { exactly } from "./exact-arguments.ts";

const tool = exactly(
  Type.Object(
    {
      phase: PhaseId,
      decisions: Type.Array(ProposedDecision, { minItems: 1 }),
      summary: Type.Optional(Type.Object({ title: Type.String() }, { additionalProperties: false })),
      rows: Type.Optional(Type.Integer()),
    },
    { additionalProperties: false },
  ),
);

function take(raw: unknown): unknown {
  const prepared = tool.prepareArguments(raw);
  return validateToolArguments(
    { name: "t", description: "", parameters: tool.parameters },
    { type: "toolCall", id: "1", name: "t", arguments: prepared },
  );
}

const filter = {
  kind: "filter",
  words: "in 2009",
  table: "Invoice",
  column: "Year",
  operator: "=",
  values: [2009],
  condition: "Year = 2009",
};
const join = {
  kind: "join",
  left: { table: "A", alias: "a" },
  type: "INNER",
  right: { table: "B", alias: "b" },
  pairs: [{ left: "x", right: "y" }],
};
const of = (...decisions: unknown[]) => ({ phase: "F4", decisions });

describe("arguments that lose nothing by being read", () => {
  it.each([
    ["exact ones", of(filter, join), of(filter, join)],
    ["the list as text", { phase: "F4", decisions: JSON.stringify([filter]) }, of(filter)],
    ["each of the list as text", of(JSON.stringify(filter), JSON.stringify(join)), of(filter, join)],
    ["everything as text", JSON.stringify(of(filter)), of(filter)],
    [
      "objects and lists inside as text",
      of({ ...join, left: JSON.stringify(join.left), pairs: JSON.stringify(join.pairs) }),
      of(join),
    ],
    ["a list of values as text", of({ ...filter, values: "[2009]" }), of(filter)],
    ["one instead of a list of one", { phase: "F4", decisions: filter }, of(filter)],
    ["one value instead of a list of one", of({ ...filter, values: 2009 }), of(filter)],
    ["null for what may be left out", { ...of({ ...filter, alias: null }), summary: null }, of(filter)],
    ["fixed words in other letters", { phase: "f4", decisions: [{ ...join, type: "inner" }] }, of(join)],
    ["a number as text where a number belongs", { ...of(filter), rows: "5" }, { ...of(filter), rows: 5 }],
    [
      "text that only looks like a list",
      of({ ...filter, values: ["[1]", "{}"] }),
      of({ ...filter, values: ["[1]", "{}"] }),
    ],
    [
      "numbers and texts side by side",
      of({ ...filter, values: [1.5, "1.5"] }),
      of({ ...filter, values: [1.5, "1.5"] }),
    ],
  ])("%s", (_what, raw, read) => {
    expect(take(raw)).toEqual(read);
  });
});

describe("arguments that would be changed by being read are refused, with their place", () => {
  it.each([
    ["null as a value", of({ ...filter, values: [null] }), "decisions.0.values.0: must be string or number, not null."],
    [
      "true as a value",
      of({ ...filter, values: [true] }),
      "decisions.0.values.0: must be string or number, not the boolean true.",
    ],
    [
      "a number as a condition",
      of({ ...filter, condition: 5 }),
      "decisions.0.condition: must be text in quotes, not the number 5.",
    ],
    ["null as words", of({ ...filter, words: null }), "decisions.0.words: must be text in quotes, not null."],
    [
      "a number as a table",
      of(join, { ...filter, table: 7 }),
      "decisions.1.table: must be text in quotes, not the number 7.",
    ],
    ["null as a list", of({ ...join, pairs: null }), "decisions.0.pairs: must not be null."],
    ["null as a side", of({ ...join, left: null }), "decisions.0.left: must not be null."],
    ["null as a decision", of(null), "decisions.0: must not be null."],
    ["null as all", null, "The arguments: must not be null."],
    [
      "a number in a list of texts",
      of({ kind: "interpretation", aspect: "limit", text: "one", expressions: 1 }),
      "decisions.0.expressions.0: must be text in quotes, not the number 1.",
    ],
    [
      "another word",
      of({ ...join, type: "NATURAL" }),
      'decisions.0.type: must be one of INNER, LEFT, FULL, CROSS, SEMI, ANTI, not the string "NATURAL".',
    ],
  ])("%s", (_what, raw, words) => {
    expect(() => take(raw)).toThrow(words);
  });

  it.each([
    ["a field that is left out", of({ ...filter, words: undefined }), /decisions\.0\.words: missing/],
    ["a field that isn't known", of({ ...filter, more: 1 }), /decisions\.0\.more: unknown field/],
    ["a kind that isn't known", of({ ...filter, kind: "mood" }), /decisions\.0\.kind/],
    ["text that is no JSON", { phase: "F4", decisions: "[{" }, /decisions\.0/],
  ])("%s is left for Pi's own words", (_what, raw, words) => {
    expect(() => take(JSON.parse(JSON.stringify(raw)))).toThrow(words);
  });
});
