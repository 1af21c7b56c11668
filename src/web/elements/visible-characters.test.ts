import fc from "fast-check";
import { expect, test } from "vitest";
import { toVisibleParts, toVisibleString } from "./visible-characters.ts";

test("the parts joined are the text, whatever it holds", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.boolean(), (text, keepLayout) => {
      expect(
        toVisibleParts(text, keepLayout)
          .map((part) => part.text)
          .join(""),
      ).toBe(text);
    }),
  );
});

test("acting characters are named, letters of all scripts and emoji are left alone", () => {
  expect(toVisibleString("a\u202Eb\u0000c\u200Bd\uFEFF")).toBe("aU+202EbU+0000cU+200BdU+FEFF");
  expect(toVisibleString("Ro\u200Dck")).toBe("RoU+200Dck");
  expect(toVisibleString("\u{E0041}")).toBe("U+E0041");
  expect(toVisibleString("x\ud800")).toBe("xU+D800");
  for (const fine of ["Ångström", "مرحبا", "日本語", "👩‍🚀 and 😀", "naïve – “quoted”", "می‌خواهم"])
    expect(toVisibleString(fine)).toBe(fine);
});

test("line ends and tabs are shown in values and kept in prose", () => {
  expect(toVisibleString("a\n\tb\r")).toBe("a↵⇥bU+000D");
  expect(toVisibleParts("a\n\tb", true)).toEqual([{ text: "a\n\tb" }]);
});
