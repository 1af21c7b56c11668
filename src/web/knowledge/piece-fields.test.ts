import { expect, it } from "vitest";
import { check } from "../../protocol/check.ts";
import { KeepPiece } from "../../protocol/knowledge.ts";
import { relationText, toBlocked, toFieldTexts, toPiece } from "./piece-fields.ts";

const pieces: KeepPiece[] = [
  {
    kind: "evidence",
    title: "Revenue",
    words: ["revenue", "sales"],
    tables: ["InvoiceLine"],
    measure: { name: "revenue", expression: "SUM(InvoiceLine.UnitPrice)" },
    text: "On lines.",
  },
  { kind: "evidence", title: "Churn", words: [], text: "A year without an invoice." },
  { kind: "synonym", word: "client", means: { table: "Customer" } },
  { kind: "synonym", word: "the States", means: { table: "Customer", column: "Country", value: "USA" } },
  {
    kind: "relation",
    from: { table: "A", columns: ["x", "y"] },
    to: { table: "B", columns: ["u", "v"] },
    cardinality: "N:1",
    role: "manager",
    when: "For staff.",
  },
  { kind: "description", table: "Customer", text: "Who buys" },
  { kind: "description", table: "Customer", column: "Fax", text: "Not in use" },
];

it.each(pieces)("a $kind comes back from its fields as it went in", (piece) => {
  const back = toPiece(piece, toFieldTexts(piece));
  expect(back).toEqual(piece);
  expect(check(KeepPiece, back)).toMatchObject({ ok: true });
  expect(toBlocked(back)).toBeUndefined();
});

it("an emptied field is absent, and what must not be empty is told", () => {
  const [evidence, , , synonym, relation, , description] = pieces as [KeepPiece, ...KeepPiece[]];
  expect(toPiece(evidence, { title: "T", words: " a ,, b ", expression: " ", text: "x" })).toEqual({
    kind: "evidence",
    title: "T",
    words: ["a", "b"],
    tables: ["InvoiceLine"],
    text: "x",
  });
  expect(toPiece(relation as KeepPiece, { role: "", when: "" })).not.toHaveProperty("role");
  for (const [draft, texts, words] of [
    [evidence, { title: "", text: "x" }, "about"],
    [evidence, { title: "x", text: "" }, "holds"],
    [synonym, { word: "", table: "A" }, "word"],
    [synonym, { word: "a", table: "" }, "table"],
    [synonym, { word: "a", table: "A", value: "v" }, "column"],
    [description, { table: "", text: "x" }, "table"],
    [description, { table: "A", text: "" }, "description"],
  ] as const)
    expect(toBlocked(toPiece(draft as KeepPiece, texts))).toContain(words);
});

it("a relation in one line", () => {
  expect(relationText(pieces[4] as Extract<KeepPiece, { kind: "relation" }>)).toBe("A(x, y) → B(u, v), N:1");
});
