import { expect, it } from "vitest";
import { toAspectLine, toAspectText } from "./aspect-words.ts";

const decision = (aspect: "grain" | "limit" | "measure" | "restatement", text: string) => ({
  kind: "interpretation" as const,
  aspect,
  text,
});

it.each([
  ["grain", "One row per artist.", "artist", "One row per artist."],
  ["grain", "artist", "artist", "One row per artist"],
  ["limit", "5, ties broken by name", "5, ties broken by name", "Limit: 5, ties broken by name"],
  ["measure", "the number of tracks.", "The number of tracks.", "Measure: the number of tracks."],
  ["restatement", "the five artists", "The five artists", "the five artists"],
] as const)("%s %j beside its term and on its own", (aspect, text, beside, alone) => {
  expect(toAspectText(decision(aspect, text))).toBe(beside);
  expect(toAspectLine(decision(aspect, text))).toBe(alone);
});
