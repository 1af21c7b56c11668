import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import type { OpenGate } from "../../protocol/gates.ts";
import { GateView } from "./gate-view.tsx";
import { normalizeSummary, toSummaryBlocks } from "./normalize-summary.ts";
import { summaryGate } from "./review.fixture.ts";
import { SummaryView } from "./summary-text.tsx";

/** What ledgers have been seen, or could be made, to hold. */
const malformed: unknown[] = [
  null,
  undefined,
  0,
  -1,
  Number.NaN,
  "",
  "just text",
  true,
  [],
  [[]],
  [null, [1, ["deep"]]],
  {},
  { summary: null },
  { summary: 42 },
  { summary: ["a", null, { text: "b" }] },
  { summary: { text: "wrapped" } },
  { summary: { a: 1, b: [2, { c: 3 }] } },
  { title: ["x"] },
  { title: {}, summary: {} },
  { open_questions: null },
  { open_questions: "one?" },
  { open_questions: [null] },
  { open_questions: [[["deep?"]]] },
  { open_questions: [{ question: "wrapped?" }, 7, false, {}] },
  { open_questions: { a: "x?" } },
  { version: 1, text: "old", questions: ["q?"] },
  { version: "2", summary: "s" },
  { version: 3, summary: "future" },
  { decisions: ["1", null, 2.5, -3, 4] },
  { phase: 3, summary: "x" },
  { $$typeof: "Symbol(react.element)", type: "div", props: {} },
  { summary: "\u0000\u202E\ud800" },
  { summary: "x".repeat(50_000) },
  { toString: "no function", summary: { toString: null, valueOf: 1 } },
  JSON.parse('{"__proto__": {"summary": "polluted"}}'),
  { length: 3 },
  { constructor: null, summary: "c" },
  Object.create(null),
  [[[[[[[[[["too deep"]]]]]]]]]],
];
const circular: Record<string, unknown> = { summary: {} };
circular.summary = circular;

const gateWith = (summary: unknown) => ({ ...summaryGate, payload: { ...summaryGate.payload, summary } }) as OpenGate;
const render = (value: unknown) =>
  renderToStaticMarkup(<SummaryView value={value} />) +
  renderToStaticMarkup(<GateView gate={gateWith(value)} live sending={false} onAnswer={() => undefined} />);

describe("C5.2 persisted summaries", () => {
  test.each([...malformed, circular].map((value, index) => [index, value] as const))(
    "hand-picked value %i is readable and renders",
    (_, value) => {
      const summary = normalizeSummary(value);
      expect(typeof summary.title).toBe("string");
      expect(typeof summary.summary).toBe("string");
      expect(summary.openQuestions.every((question) => typeof question === "string" && question !== "")).toBe(true);
      expect(summary.decisions.every((seq) => Number.isSafeInteger(seq) && seq > 0)).toBe(true);
      expect(render(value)).not.toContain("[object Object]");
    },
  );

  test("any JSON renders", () => {
    const key = fc.constantFrom(
      "version",
      "phase",
      "title",
      "summary",
      "text",
      "open_questions",
      "decisions",
      "question",
      "x",
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue(),
        fc.dictionary(key, tie("any")),
        fc.array(tie("any"), { maxLength: 4 }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.oneof(value, fc.dictionary(key, value), fc.anything()), (input) => {
        expect(render(input)).not.toContain("[object Object]");
      }),
      { numRuns: 300 },
    );
  });

  test("a version 2 summary is kept as it is", () => {
    expect(
      normalizeSummary({
        version: 2,
        phase: "F2",
        title: "T",
        summary: "S\n- a",
        decisions: [4, 5],
        open_questions: ["Q?"],
      }),
    ).toEqual({
      version: 2,
      phase: "F2",
      title: "T",
      summary: "S\n- a",
      decisions: [4, 5],
      openQuestions: ["Q?"],
      malformed: false,
    });
  });

  test("what is inside objects and lists is not lost", () => {
    expect(
      normalizeSummary({ summary: { text: "wrapped" }, open_questions: [["a?", [{ question: "b?" }]], 7, null] }),
    ).toMatchObject({
      summary: "wrapped",
      openQuestions: ["a?", "b?", "7"],
      malformed: true,
    });
    expect(normalizeSummary({ version: 1, text: "old", questions: ["q?"] })).toMatchObject({
      version: 1,
      summary: "old",
      openQuestions: ["q?"],
      malformed: false,
    });
    expect(normalizeSummary({ note: "nothing we know", n: 3 }).summary).toBe("note: nothing we know, n: 3");
  });
});

test("summary text becomes paragraphs and lists, and mark-up stays text", () => {
  expect(toSummaryBlocks("One\ntwo\n\n- a\n* b\n1. c\nafter")).toEqual([
    { kind: "paragraph", text: "One\ntwo" },
    { kind: "list", items: ["a", "b", "c"] },
    { kind: "paragraph", text: "after" },
  ]);
  const html = renderToStaticMarkup(<SummaryView value={{ summary: "<script>alert(1)</script> **bold**" }} />);
  expect(html).not.toContain("<script");
  expect(html).toContain("**bold**");
});
