import { expect, it } from "vitest";
import { toPieces } from "./growing-text.tsx";

const grown = (text: string, step: number): string[][] => {
  const all: string[][] = [];
  for (let at = step; at <= text.length; at += step) all.push(toPieces(text.slice(0, at)));
  return all;
};

it("cuts a long text into pieces that joined are the text, whatever it is made of", () => {
  const texts = [
    "",
    "short",
    "a word ".repeat(3_000),
    "nowhereablank".repeat(2_000),
    "line\n".repeat(4_000),
    "😀".repeat(9_000),
  ];
  for (const text of texts) {
    const pieces = toPieces(text);
    expect(pieces.join("")).toBe(text);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(3_000);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  }
  expect(toPieces("a word ".repeat(3_000)).length).toBeGreaterThan(5);
});

it("never changes a piece that is followed by another, however the text grows", () => {
  for (const text of ["a word ".repeat(3_000), "line of text\n".repeat(1_500), "x".repeat(20_000)]) {
    const steps = grown(text, 777);
    for (const [index, pieces] of steps.entries()) {
      const next = steps[index + 1];
      if (next) expect(next.slice(0, pieces.length - 1)).toEqual(pieces.slice(0, -1));
    }
  }
});
