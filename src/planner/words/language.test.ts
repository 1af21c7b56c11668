import { describe, expect, it } from "vitest";
import { looksEnglish, nameWords, plural, stem, tokenize } from "./language.ts";

describe("tokenize", () => {
  it("keeps quoted text, numbers with a sign and ISO dates whole", () => {
    const tokens = tokenize("Tracks on 'Big Ones' over $1,200.50 since 2023-01-31, or 2024, by AC/DC");
    expect(tokens.map((token) => token.text)).toEqual([
      "Tracks",
      "on",
      "Big Ones",
      "over",
      "$1,200.50",
      "since",
      "2023-01-31",
      ",",
      "or",
      "2024",
      ",",
      "by",
      "AC",
      "/",
      "DC",
    ]);
    expect(tokens[2]?.quoted).toBe(true);
    expect(tokens[4]).toMatchObject({ number: 1200.5, sign: "money" });
    expect(tokens[9]?.number).toBe(2024);
  });

  it("gives inflected forms the same key", () => {
    const keys = (text: string) => tokenize(text)[0]?.keys ?? [];
    expect(keys("bought")).toContain(stem("buy"));
    expect(keys("countries")).toContain(stem("country"));
  });
});

describe("names", () => {
  it("cuts camel case, snake case and capitals", () => {
    expect(nameWords("InvoiceLineId")).toEqual(["invoice", "line", "id"]);
    expect(nameWords("support_rep_ID")).toEqual(["support", "rep", "id"]);
    expect(nameWords("HTTPCode")).toEqual(["http", "code"]);
  });

  it("forms plurals", () => {
    expect([plural("country"), plural("class"), plural("day"), plural("track")]).toEqual([
      "countries",
      "classes",
      "days",
      "tracks",
    ]);
  });
});

describe("looksEnglish", () => {
  it("tells English from other languages", () => {
    expect(looksEnglish("How many customers are there?")).toBe(true);
    expect(looksEnglish("Longest track per genre")).toBe(true);
    for (const other of [
      "Wie viele Kunden gibt es?",
      "¿Cuántos clientes hay en cada país?",
      "Combien de clients sont dans chaque pays ?",
      "顧客は何人いますか",
    ])
      expect(looksEnglish(other), other).toBe(false);
  });
});
