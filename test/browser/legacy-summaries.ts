/** Phase summaries as ledgers have been seen, or could be made, to hold them; with words that must still be readable. */
import fc from "fast-check";

export interface Legacy {
  /** Stands in for the entry's `summary`; `entry` instead gives fields of the entry itself. */
  value?: unknown;
  entry?: Record<string, unknown>;
  /** What the reader must be able to read of it. */
  reads?: string;
}

let nested: unknown = "at the bottom";
for (let depth = 0; depth < 40; depth += 1) nested = depth % 2 ? [nested] : { summary: nested };
const huge = `Start ${"word ".repeat(20_000)}end`;

export const handPicked: Legacy[] = [
  {
    value: { version: 2, phase: "F1", title: "Two", summary: "As today.", open_questions: ["Which year?"] },
    reads: "As today.",
  },
  { value: { version: 1, phase: "F1", text: "The first version." }, reads: "The first version." },
  { value: { version: 1, content: "Content of old.", questions: ["Old question?"] }, reads: "Old question?" },
  { value: "only text", reads: "only text" },
  { value: 42, reads: "42" },
  { value: "0042", reads: "0042" },
  { value: true, reads: "true" },
  { value: null, reads: "This summary is empty." },
  { value: [], reads: "This summary is empty." },
  { value: {}, reads: "This summary is empty." },
  { value: [null, ["in", ["lists"]], 3], reads: "lists" },
  { value: { title: 5, summary: 6 }, reads: "6" },
  { value: { title: ["a", "title"], summary: { text: "wrapped words" } }, reads: "wrapped words" },
  { value: { summary: ["first line", null, { text: "second line" }] }, reads: "second line" },
  {
    value: { summary: "With questions.", open_questions: [null, 7, { question: "Wrapped?" }, [["Deep?"]], ""] },
    reads: "Deep?",
  },
  { value: { summary: "One question.", open_questions: "Alone?" }, reads: "Alone?" },
  { value: { summary: "Questions in an object.", open_questions: { a: "Hidden?" } }, reads: "Hidden?" },
  { value: { version: "2", summary: "A version in words." }, reads: "A version in words." },
  { value: { version: 99, phase: "F9", summary: "From the future." }, reads: "From the future." },
  { value: { phase: { id: "F1" }, summary: "A phase that is an object." }, reads: "A phase that is an object." },
  { value: { summary: "Two\u2028lines\u2029and more" }, reads: "and more" },
  { value: { summary: "\u0000\u0007\u202Eevil\u202C \uFEFF and plain" }, reads: "and plain" },
  { value: { summary: "half \ud800 of a pair" }, reads: "of a pair" },
  { value: { summary: '<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>' }, reads: "<script>" },
  { value: { title: "</textarea><svg onload=alert(1)>", summary: "Markup above." }, reads: "Markup above." },
  { value: { summary: huge }, reads: "Start word" },
  { value: { title: "T".repeat(5000), summary: "Under a long title." }, reads: "Under a long title." },
  { value: { summary: Array.from({ length: 500 }, (_, index) => `part ${index}`) }, reads: "part 7" },
  {
    value: { summary: "Numbered decisions.", decisions: ["1", null, -4, 2.5, { seq: 3 }] },
    reads: "Numbered decisions.",
  },
  { value: nested },
  { value: { $ref: "#", summary: { $ref: "#/summary" } }, reads: "$ref" },
  { value: { summary: "[Circular *1]", self: "[Circular *1]" }, reads: "[Circular *1]" },
  { value: { $$typeof: "Symbol(react.element)", type: "script", props: { children: "harm" }, key: null, ref: null } },
  { value: { toString: "no function", valueOf: null, summary: { toJSON: 1, toString: null } } },
  { value: JSON.parse('{"__proto__": {"summary": "polluted"}, "constructor": {"prototype": 1}}') },
  { value: { length: 3, 0: "like", 1: "a", 2: "list" }, reads: "like" },
  { value: { note: "No field we know", n: 3 }, reads: "No field we know" },
  { value: { summary: "# Heading\n\n- one\n- two\n\n| a | b |\n|---|---|" }, reads: "# Heading" },
  { value: JSON.parse('{"then": "a promise?", "summary": "Not one."}'), reads: "Not one." },
  { entry: { text: "The entry itself has the words." }, reads: "The entry itself has the words." },
  { entry: { gateId: 7, by: { name: "someone" }, summary: "Odd fields around it." }, reads: "Odd fields around it." },
  { entry: { summary: "A time that is none.", at: "last Tuesday" }, reads: "A time that is none." },
];

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
const anything = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.jsonValue({ stringUnit: "binary" }),
    fc.dictionary(key, tie("any"), { noNullPrototype: true }),
    fc.array(tie("any"), { maxLength: 4 }),
  ),
})).any;
export const generated: Legacy[] = fc
  .sample(fc.dictionary(key, anything, { noNullPrototype: true, minKeys: 1 }), { numRuns: 36, seed: 20_251_103 })
  .map((value) => ({ value }));
