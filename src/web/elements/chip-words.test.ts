import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addWords, answerWords, hasWords, removeWords, toggleWords } from "./chip-words.ts";

describe("chips and the text", () => {
  test("picks become sentences in the order they were picked", () => {
    const picks = ["Sum InvoiceLine per track before join 4", "Use LEFT JOIN in join 4.", "Without the UnitPrice pair"];
    expect(picks.reduce(addWords, "")).toBe(
      "Sum InvoiceLine per track before join 4. Use LEFT JOIN in join 4. Without the UnitPrice pair.",
    );
  });

  test("words of the reviewer stay when a chip is taken out again", () => {
    expect(toggleWords(toggleWords("Please think again", "Without Genre"), "Without Genre")).toBe(
      "Please think again.",
    );
    expect(removeWords("Before. Without Genre. After.", "Without Genre")).toBe("Before. After.");
    expect(removeWords("Without Genre. After.", "Without Genre")).toBe("After.");
    expect(removeWords("One.\nWithout Genre.\nTwo.", "Without Genre")).toBe("One.\nTwo.");
  });

  test("a phrase is found as whole words only", () => {
    expect(hasWords("Use LEFT JOIN in 12.", "Use LEFT JOIN in 1")).toBe(false);
    expect(hasWords("Use LEFT JOIN in 1, please", "Use LEFT JOIN in 1")).toBe(true);
    expect(hasWords("anything", "  ")).toBe(false);
    expect(addWords("a", "")).toBe("a");
  });

  test("adding twice changes nothing, and adding then removing leaves no trace of the words", () => {
    const words = fc.stringMatching(/^[A-Za-z][A-Za-z0-9 ]{0,20}[A-Za-z0-9]$/);
    fc.assert(
      fc.property(words, words, (text, phrase) => {
        fc.pre(!hasWords(text, phrase));
        const once = addWords(text, phrase);
        expect(hasWords(once, phrase)).toBe(true);
        expect(addWords(once, phrase)).toBe(once);
        expect(removeWords(once, phrase)).toBe(`${text.trimEnd()}.`);
      }),
    );
  });
});

describe("answers to open questions", () => {
  test("typing replaces the sentence that was there, and an emptied answer takes it away", () => {
    const one = answerWords("Keep it short.", "Word or family?", "", "w");
    expect(one).toBe("Keep it short.\n“Word or family?”: w");
    const two = answerWords(one, "Word or family?", "w", "word");
    expect(two).toBe("Keep it short.\n“Word or family?”: word");
    expect(answerWords(two, "Word or family?", "word", "")).toBe("Keep it short.");
  });

  test("an answer that the reviewer has edited in the text is not overwritten", () => {
    expect(answerWords("“Q?”: my own words", "Q?", "word", "words")).toBe("“Q?”: my own words\n“Q?”: words");
  });
});
