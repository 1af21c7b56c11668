import { describe, expect, it } from "vitest";
import type { LedgerEntry, NewEntry, SessionView } from "../../protocol/index.ts";
import { toHtml, toMarkdown } from "./render-report.ts";
import { toReport } from "./report.ts";
import { toVisibleText } from "./visible-text.ts";

const hostile =
  "\u001b[31mred\u001b[0m \u202Elatigid\u202C <img src=x onerror=alert(1)> | [a](javascript:x) `b` https://evil.example";
const frame = (more: object = {}) => ({
  title: "Right?",
  intro: "",
  findings: [],
  writes: [],
  consequence: "",
  otherConsequence: "",
  chips: [],
  restsOn: [],
  gatesLeft: 0,
  ...more,
});
const join = {
  kind: "join" as const,
  left: { table: "Track", alias: "t" },
  type: "INNER" as const,
  right: { table: "Genre", alias: "g" },
  pairs: [{ left: "GenreId", right: "GenreId" }],
};
const measured = {
  n: 1,
  pairs: [{ left: "GenreId", leftType: "INTEGER", right: "GenreId", rightType: "INTEGER", origin: "declared" }],
  cardinality: "N:1",
  maxRight: 1,
  maxLeft: 1297,
  leftRows: 3503,
  leftMatched: 3500,
  leftNullKeys: 3,
  rightRows: 25,
  rightMatched: 24,
  rightNullKeys: 0,
  before: 3503,
  after: 3500,
};
const filter = {
  kind: "filter" as const,
  words: "rock",
  table: "Genre",
  column: "Name",
  operator: "=" as const,
  values: ["Rock"],
  condition: "g.Name = 'Rock'",
};
const sql = "SELECT COUNT(*) AS n FROM Track";

function ledger(): LedgerEntry[] {
  const entries: NewEntry[] = [];
  const gate = (
    gateId: string,
    phase: "F3" | "F4" | "F6",
    kind: "join-review" | "decision-review" | "sql-review",
    payload: object,
    answer: Partial<Extract<NewEntry, { type: "gate-answered" }>>,
  ) => {
    entries.push({ type: "gate-opened", gateId, kind, phase, tool: "t", payload, hash: gateId, proposalHash: gateId });
    entries.push({
      type: "gate-answered",
      gateId,
      phase,
      answerId: gateId,
      answer: "continue",
      closes: answer.answer !== "other",
      by: "reviewer",
      ...answer,
    });
  };
  entries.push({ type: "prompt", text: "How many tracks are rock?", kind: "question" });
  const joins = { decisions: [join], evidence: { tables: [], joins: [measured], checks: [], exact: true, ms: 1 } };
  gate("g1", "F3", "join-review", { frame: frame(), ...joins }, { answer: "other", text: `without Genre ${hostile}` });
  gate("g2", "F3", "join-review", { frame: frame(), ...joins }, {});
  entries.push({ type: "decision", phase: "F3", gateId: "g2", decision: join, by: "reviewer" });
  const kept = {
    n: 1,
    kept: 1,
    of: 25,
    matches: [{ value: "Rock", how: "exact", rows: 1297, inFilter: true }],
    searched: 25,
    partial: false,
  };
  const warning = { id: "w", code: "c", severity: "warning", title: "One word", body: "Two readings.", waysOut: [] };
  gate(
    "g3",
    "F4",
    "decision-review",
    { frame: frame({ findings: [warning] }), decisions: [filter], filters: [kept] },
    {
      by: "policy",
    },
  );
  entries.push({ type: "decision", phase: "F4", gateId: "g3", decision: filter, by: "policy" });
  const final = {
    frame: frame(),
    sql,
    explanation: "Counts.",
    conformance: {
      rows: [{ seq: 6, text: "Track to Genre", status: "deviates", lines: [1] }],
      deviations: [{ id: "d", title: "No join", body: "The join is gone.", lines: [] }],
    },
    result: { columns: [], rows: [], rowCount: 0, truncated: false },
    ms: 1,
    checks: [{ ok: true, text: "1 row, complete" }],
    by: "reviewer",
  };
  gate("g4", "F6", "sql-review", { ...final, by: undefined, sql: "SELECT 1" }, { answer: "other", sql });
  gate("g5", "F6", "sql-review", final, { acceptedDeviations: ["d"] });
  entries.push({
    type: "decision",
    phase: "F6",
    gateId: "g5",
    decision: { kind: "sql", sql, explanation: "Counts." },
    by: "reviewer",
  });
  entries.push({ type: "outcome", outcome: "answered" });
  return entries.map((entry, index) => ({
    ...entry,
    seq: index + 1,
    at: `2026-01-31T14:00:${String(index).padStart(2, "0")}.000Z`,
  }));
}

const view: SessionView = {
  id: "s1",
  name: null,
  workspace: "demo",
  question: "How many tracks are rock?",
  provider: "thoth",
  model: "offline",
  thinking: "low",
  thinkingInForce: null,
  review: "every-phase",
  turn: "idle",
  phase: "F6",
  phases: [],
  openGate: null,
  sql,
  explanation: `Counts ${hostile}`,
  outcome: "answered",
  cannotAnswer: null,
  failure: null,
  live: false,
  createdAt: "2026-01-31T14:00:00.000Z",
  updatedAt: "2026-01-31T14:00:20.000Z",
};
const source = {
  view,
  entries: ledger(),
  manifest: { promptVersion: "prompts-9", catalogChecksum: "catalog-9" },
  version: "0.1.0",
  now: "2026-02-01T08:00:00.000Z",
  result: {
    columns: [
      { name: "n", type: "INTEGER" },
      { name: "n", type: "TEXT" },
    ],
    rows: [[3503, hostile]],
    rowCount: 1,
    truncated: false,
  },
};

describe("the report of a session", () => {
  const markdown = toMarkdown(toReport(source));
  const html = toHtml(toReport(source), view.question);

  it("tells every decision with who and when, and the figures it was accepted on", () => {
    expect(markdown).toContain(
      "| #6 | Track as t INNER JOIN Genre as g on t.GenreId = g.GenreId | reviewer | 2026-01-31 14:00:05 UTC |",
    );
    expect(markdown).toMatch(
      /\| 1\. Track as t[^|]*\(declared\) \| N:1 \| 3,500 of 3,503 \| 24 of 25 \| 3 left, 0 right \| 3,503 \| 3,500 \|/,
    );
    expect(markdown).toContain("| #9 | “rock” is g.Name = 'Rock' | passed by policy |");
    expect(markdown).toContain("| g.Name = 'Rock' | 1 | 25 | Rock (1,297, exact) |");
    expect(markdown).toContain("Warning: One word. Two readings.");
    expect(markdown).toContain("| #6 | Track to Genre | deviates | 1 |");
    expect(markdown).toContain("- Accepted deviation: No join. The join is gone.");
    expect(markdown).toContain("The reviewer wrote this SQL in place of the model’s proposal.");
  });

  it("tells what was sent back and with which words, the SQL, the rows and the versions", () => {
    expect(markdown).toMatch(/\| F3 Joins \| join-review \| Sent back: without Genre/);
    expect(markdown).toContain("| F6 Answer | sql-review | Sent back with SQL of their own | reviewer |");
    expect(markdown.match(/```sql\nSELECT COUNT\(\*\) AS n FROM Track\n```/g)).toHaveLength(2);
    expect(markdown).toContain("| n | n |\n| ---: | --- |\n| 3503 |");
    for (const words of ["| ThothII | 0.1.0 |", "| Prompts | prompts-9 |", "| Catalog | catalog-9 |"])
      expect(markdown).toContain(words);
    // The evidence of a gate that was sent back is not what the answer rests on.
    expect(markdown.match(/\| N:1 \|/g)).toHaveLength(1);
  });

  it("hostile text is text: no markup, no link, no escape sequence, no turned direction", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    for (const text of [markdown, html]) expect(text).not.toMatch(/[\u0000-\u0008\u001b\u202a-\u202e]/);
    expect(html).not.toContain("<img");
    expect(html).toContain("⟨U+001B⟩[31mred");
    expect(markdown).toContain("⟨U+202E⟩latigid");
    expect(markdown).toContain(
      "\\<img src=x onerror=alert(1)\\> \\| \\[a\\](javascript:x) \\`b\\` https\\://evil.example",
    );
    expect(html).toContain("default-src 'none'");
    expect(html).toContain("@media print");
    expect(html.match(/<script|<link|src=|href=/g)?.filter((one) => one !== "src=") ?? []).toEqual([]);
  });

  it("a damaged payload costs its figures and nothing else", () => {
    const entries = ledger().map((entry) =>
      entry.type === "gate-opened" ? { ...entry, payload: { frame: null, decisions: "x" } } : entry,
    );
    const damaged = toMarkdown(toReport({ ...source, entries }));
    expect(damaged).toContain("| #6 | Track as t INNER JOIN Genre");
    expect(damaged).not.toContain("| N:1 |");
  });

  it("a follow-up shows what was asked before; what fell with it no longer holds", () => {
    const entries: LedgerEntry[] = [
      ...ledger(),
      {
        type: "superseded",
        seqs: [6, 9, 14],
        reason: "a follow-up was asked",
        phase: "F1",
        seq: 16,
        at: "2026-01-31T15:00:00.000Z",
      },
      { type: "prompt", text: "And jazz?", kind: "follow-up", seq: 17, at: "2026-01-31T15:00:00.000Z" },
    ];
    const text = toMarkdown(toReport({ ...source, entries, view: { ...view, sql: null, outcome: null, phase: "F1" } }));
    expect(text).toContain("Follow-up: And jazz?");
    expect(text).toContain("| 2026-01-31 15:00:00 UTC | Follow-up | And jazz? |");
    expect(text).toMatch(/## No longer holds[\s\S]*\| #6 \| F3 \| Track as t/);
    expect(text).not.toContain("## F3 Joins");
  });
});

it("text that shows itself stays as it is; what acts shows its code", () => {
  expect(toVisibleText("Zoë, 日本, עברית, 👨‍👩‍👧\n\tx")).toBe("Zoë, 日本, עברית, 👨‍👩‍👧\n\tx");
  expect(toVisibleText("a\u200Db\u00ADc\uFEFF\r")).toBe("a⟨U+200D⟩b⟨U+00AD⟩c⟨U+FEFF⟩⟨U+000D⟩");
});
