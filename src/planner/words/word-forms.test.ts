import { describe, expect, it } from "vitest";
import { isBareSkeleton, isDerived, isOrdinal, isSkeleton, isSlip, isTail, placesOf, rootsOf } from "./word-forms.ts";

describe("word forms", () => {
  it.each([
    ["composer", "composed"],
    ["deliveries", "delivered"],
    ["weighing", "weight"],
  ])("%s and %s have one root", (a, b) => expect(isDerived(a, b)).toBe(true));

  it.each([
    ["genre", "general"],
    ["price", "prince"],
    ["track", "track"],
    ["media", "median"],
  ])("%s and %s have not", (a, b) => expect(isDerived(a, b)).toBe(a === "media"));

  it("knows a word by its tail, but not by a short one", () => {
    expect(isTail("code", "postcode")).toBe(true);
    expect(isTail("no", "piano")).toBe(false);
  });

  it("takes one slip in a long word", () => {
    expect(isSlip("enrollment", "enrolment")).toBe(true);
    expect(isSlip("recieve", "receive")).toBe(true);
    expect(isSlip("customer", "costume")).toBe(false);
    expect(isSlip("track", "truck")).toBe(false);
  });

  it("reads ordinals for digits", () => {
    expect(isOrdinal("second", "2")).toBe(true);
    expect(isOrdinal("second", "3")).toBe(false);
  });

  it("knows a word by its consonants, and no word by another", () => {
    for (const [word, short] of [
      ["material", "mtrl"],
      ["name", "nm"],
      ["vessel", "vsl"],
      ["nationality", "natnlty"],
      ["active", "actv"],
    ] as const)
      expect(isBareSkeleton(word, short), short).toBe(true);
    for (const [word, short] of [
      ["plane", "plan"],
      ["coast", "cost"],
      ["terrain", "train"],
      ["game", "gym"],
    ] as const)
      expect(isBareSkeleton(word, short), short).toBe(false);
    expect(isSkeleton("freight", "frt")).toBe(true);
    expect(isSkeleton("format", "frt")).toBe(true);
    expect(isSkeleton("format", "fat")).toBe(false);
  });

  it("leads from a people to its places, and from a word to its root", () => {
    expect(placesOf("Dutch")).toContain("netherlands");
    expect(placesOf("table")).toEqual([]);
    expect(rootsOf("engineering")).toContain("engineer");
    expect(rootsOf("king")).toEqual([]);
  });
});
