import { expect, it } from "vitest";
import { holdsSeq } from "./show-decision.ts";

it("finds a number in single numbers, runs and lists", () => {
  const held = (seqs: string) => [3, 4, 5, 11, 13, 16, 17].filter((seq) => holdsSeq(seqs, seq));
  expect(held("#4")).toEqual([4]);
  expect(held("#11–16")).toEqual([11, 13, 16]);
  expect(held("#4, #11–13, #17")).toEqual([4, 11, 13, 17]);
  expect(held("")).toEqual([]);
});
