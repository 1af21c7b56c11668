import { expect, test } from "vitest";
import { formatJson } from "./format-json.ts";

test("objects and lists are laid out, with every digit and escape as it was", () => {
  expect(formatJson('{"a":[1,{"b":"x, y: {z}"}],"n":9007199254740993.10,"e":{},"l":[ ],"q":"\\"\\u0041"}')).toBe(
    `{
  "a": [
    1,
    {
      "b": "x, y: {z}"
    }
  ],
  "n": 9007199254740993.10,
  "e": {},
  "l": [],
  "q": "\\"\\u0041"
}`,
  );
});

test("anything else is left alone", () => {
  for (const text of ["", "12", '"text"', "{not json}", "[1,", "null"]) expect(formatJson(text)).toBeNull();
});
