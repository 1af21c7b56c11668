import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { PassThrough } from "node:stream";
import { expect, it } from "vitest";
import { type GateKind, type GatePayload, phaseTitles } from "../protocol/index.ts";
import { type ShownGate, toGateText } from "./gate-text.ts";
import { acceptGate, reviewGate } from "./review-gate.ts";
import { toLine, toPlainText, toTable } from "./terminal-text.ts";

const frame: GatePayload<"question">["frame"] = {
  title: "Is this right?",
  intro: "An intro.",
  writes: [],
  consequence: "Writes it.",
  otherConsequence: "",
  chips: [],
  restsOn: [],
  gatesLeft: 1,
  findings: [
    {
      id: "f1",
      code: "fan-out",
      severity: "warning",
      title: "Rows are counted twice",
      body: "Each invoice meets five lines.",
      waysOut: [],
    },
    { id: "f2", code: "note", severity: "info", title: "An aside", body: "", waysOut: [] },
  ],
};
const result = { columns: [{ name: "n", type: "" }], rows: [[1], [null]], rowCount: 2, truncated: false };
const gate = <K extends GateKind>(kind: K, payload: GatePayload<K>): ShownGate => ({
  gateId: "g1",
  kind,
  phase: "F3",
  payload,
  hash: "h1",
});

const question = gate("question", {
  frame,
  topic: "revenue",
  question: "Which revenue?",
  options: [
    { id: "net", label: "Net" },
    { id: "gross", label: "Gross", proposed: true, detail: "with tax" },
  ],
});
const joins = gate("join-review", {
  frame,
  decisions: [
    {
      kind: "join",
      left: { table: "Invoice", alias: "i" },
      type: "LEFT",
      right: { table: "InvoiceLine", alias: "l" },
      pairs: [{ left: "InvoiceId", right: "InvoiceId" }],
    },
  ],
  evidence: {
    tables: [],
    checks: [],
    exact: true,
    ms: 1,
    joins: [
      {
        n: 1,
        pairs: [],
        cardinality: "1:N",
        maxRight: 9,
        maxLeft: 1,
        leftRows: 412,
        leftMatched: 410,
        leftNullKeys: 0,
        rightRows: 2240,
        rightMatched: 2200,
        rightNullKeys: 0,
        before: 412,
        after: 2242,
      },
    ],
  },
});
const sql = gate("sql-review", {
  frame,
  sql: "SELECT 1 AS n",
  explanation: "Counts.",
  ms: 1,
  checks: [],
  result,
  conformance: {
    rows: [],
    deviations: [
      { id: "d1", title: "One more table", body: "Genre is read.", lines: [1] },
      { id: "d2", title: "No limit", body: "", lines: [] },
    ],
  },
});

it("shows what is asked, the evidence with its counts, warnings, and what Continue does", () => {
  expect(toGateText(joins)).toMatch(
    new RegExp(
      `F3 ${phaseTitles.F3}[\\s\\S]*Is this right\\?[\\s\\S]*Invoice i LEFT InvoiceLine l +InvoiceId = InvoiceId +1:N +410/412 +2200/2240 +412 +2242[\\s\\S]*! warning: Rows are counted twice[\\s\\S]*Continue: Writes it\\.`,
    ),
  );
  expect(toGateText(joins)).not.toContain("An aside");
  expect(toGateText(question)).toContain("  2. Gross (proposed): with tax");
  expect(toGateText(sql)).toMatch(/SELECT 1 AS n[\s\S]*\(2 rows\)[\s\S]*deviation: One more table/);
  expect(
    toGateText(
      gate("cte-review", {
        frame,
        decisions: [],
        sql: "WITH a AS (SELECT 1) SELECT * FROM a",
        checks: [],
        steps: [
          {
            n: 1,
            name: "a",
            purpose: "one row",
            sql: "SELECT 1",
            startLine: 1,
            inputs: [],
            result,
            rowCount: 2,
            base: 5,
            folded: 0,
            leftOut: 3,
            why: "3 left out",
            ms: 1,
          },
        ],
      }),
    ),
  ).toMatch(/Step 1 a: one row\n2 rows of 5; 3 left out[\s\S]*WITH a AS/);
  expect(
    toGateText(
      gate("decision-review", {
        frame,
        decisions: [
          {
            kind: "filter",
            words: "in 2024",
            table: "Invoice",
            column: "InvoiceDate",
            operator: ">=",
            values: [],
            condition: "i.InvoiceDate >= '2024'",
          },
        ],
        filters: [
          {
            n: 1,
            kept: 7,
            of: 412,
            matches: [{ value: "2024-01-01", how: "prefix", rows: 7, inFilter: true }],
            searched: 400,
            partial: false,
          },
        ],
      }),
    ),
  ).toMatch(
    /“in 2024” is i\.InvoiceDate >= '2024'\n {2}filter 1 keeps 7 of 412 rows; stored values: 2024-01-01 \(prefix, 7 rows\)/,
  );
});

it("survives a payload that isn't what its kind says", () => {
  expect(toGateText({ ...joins, payload: { anything: true } })).toContain("can't be shown here");
  expect(acceptGate({ ...sql, payload: null })).toMatchObject({ answer: "continue", hash: "h1" });
});

async function type(shown: ShownGate, lines: string[]) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const terminal = createInterface({ input, output });
  let prompts = 0;
  output.setEncoding("utf8").on("data", (text: string) => {
    const next = /(Your answer|What should change)/.test(text) ? lines[prompts++] : undefined;
    if (next !== undefined) input.write(`${next}\n`);
  });
  try {
    return await reviewGate(shown, terminal, () => undefined, AbortSignal.timeout(5000));
  } finally {
    terminal.close();
  }
}

it("takes only an answer that was meant: continue, a number, or other with words", async () => {
  expect(await type(joins, ["", "yes", "1", "continue"])).toEqual({
    answerId: expect.any(String),
    hash: "h1",
    answer: "continue",
  });
  expect(await type(joins, ["other", "", "o", "  use the billing address  "])).toMatchObject({
    answer: "other",
    text: "use the billing address",
  });
  expect(await type(question, ["3", "1"])).toMatchObject({ answer: "continue", choice: "net" });
  expect(await type(question, ["c"])).not.toHaveProperty("choice");
  expect(await type(sql, ["continue"])).toMatchObject({ answer: "continue", acceptedDeviations: ["d1", "d2"] });
});

it("stops when it is interrupted", async () => {
  const terminal = createInterface({ input: new PassThrough(), output: new PassThrough() });
  const stop = new AbortController();
  const asked = reviewGate(joins, terminal, () => undefined, stop.signal);
  stop.abort();
  await expect(asked).rejects.toThrow();
  const closed = once(terminal, "close");
  terminal.close();
  await closed;
});

it("lets no stored value steer the terminal", () => {
  expect(toPlainText("a\u001b[2Jb\u0007\u009bc\u202ed\r\ne\tf")).toBe("a·[2Jb··c·d\ne\tf");
  expect(toLine("two\nlines  and\u001b more", 12)).toBe("two lines a…");
  expect(
    toTable(
      ["name", "n"],
      [
        ["a\u001b[31m", "10"],
        ["é", "NULL"],
      ],
    ),
  ).toBe("name       n\n──────  ────\na·[31m    10\né       NULL");
});
