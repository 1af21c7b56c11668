import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compareReports } from "./compare-reports.ts";
import { type EvaluatedQuestion, type Outcome, type Report, type ReportHead, summarise } from "./report.ts";
import { openReportFile, pageOf, readReport } from "./report-file.ts";
import { toReportPage } from "./report-page.ts";
import { toComparisonText } from "./report-text.ts";

const folder = mkdtempSync(join(tmpdir(), "report-"));
afterAll(() => rmSync(folder, { recursive: true }));

const result = (id: string, outcome: Outcome, more: Partial<EvaluatedQuestion> = {}): EvaluatedQuestion => ({
  id,
  db: "shop",
  question: `Question ${id}?`,
  predicted_sql: "SELECT 1",
  outcome,
  corrections: 0,
  ms: 10,
  tokens: 5,
  ...more,
});
const head: ReportHead = {
  version: 1,
  program: "0",
  model: "thoth/offline",
  reviewer: "none",
  way: "planner",
  questions: { file: "q.jsonl", sha256: "abc", count: 3, left_out: 0 },
  started: "2026-01-01T00:00:00.000Z",
};
const report = (results: EvaluatedQuestion[], more: Partial<Report> = {}): Report => ({
  ...head,
  finished: null,
  summary: summarise(results),
  results,
  ...more,
});

describe("summary", () => {
  it("counts outcomes apart, and what no result can prove beside them", () => {
    const summary = summarise([
      result("1", "right", { source: "a", tags: ["join"] }),
      result("2", "wrong", { source: "a", tags: ["join", "group"] }),
      result("3", "asked", { source: "b", ms: 30 }),
      result("4", "cannot-answer"),
      result("5", "right", { apart: "empty-gold" }),
      result("6", "cannot-answer", { apart: "unanswerable" }),
      result("7", "wrong", { apart: "unanswerable" }),
    ]);
    expect(summary.all).toMatchObject({ questions: 4, right: 1, wrong: 1, asked: 1, cannot_answer: 1, accuracy: 0.25 });
    expect(summary.apart.map(({ name, questions }) => [name, questions])).toEqual([
      ["empty-gold", 1],
      ["unanswerable", 2],
    ]);
    expect(summary.by_source.map(({ name, right }) => [name, right])).toEqual([
      ["a", 1],
      ["b", 0],
      ["no source", 0],
    ]);
    expect(summary.by_tag.map(({ name, questions }) => [name, questions])).toEqual([
      ["group", 1],
      ["join", 2],
    ]);
    expect(summary.unanswerable).toMatchObject({ questions: 2, cannot_answer: 1, wrong: 1 });
    expect(summary.ms).toEqual({ median: 10, p95: 30 });
    expect(summary.tokens).toEqual({ total: 35, per_question: 5 });
  });

  it("draws the curve from what each question came to with so many corrections", () => {
    const summary = summarise([
      result("1", "right", { by_corrections: ["right", "right", "right", "right"] }),
      result("2", "right", { corrections: 2, by_corrections: ["wrong", "asked", "right", "right"] }),
      result("3", "wrong", { corrections: 1, by_corrections: ["right", "wrong", "wrong", "wrong"] }),
    ]);
    expect(summary.curve?.map(({ right }) => right)).toEqual([2, 1, 2, 2]);
  });
});

describe("report file", () => {
  it("keeps every result at once, goes on after a kill, and ends as one readable file", async () => {
    const path = join(folder, "killed.json");
    const first = await openReportFile(path, head);
    await first.append(result("1", "right"));
    await first.append(result("2", "wrong"));
    // The process is killed while it writes the third.
    appendFileSync(`${path}.partial.jsonl`, '{"id":"3","db":"sh');
    const second = await openReportFile(path, { ...head, started: "2026-02-02T00:00:00.000Z" });
    expect([...second.known.keys()]).toEqual(["1", "2"]);
    await second.append(result("3", "right"));
    await second.close({ finished: true });
    const made = await readReport(path);
    expect(made.results.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["1", "right"],
      ["2", "wrong"],
      ["3", "right"],
    ]);
    expect(made.started).toBe(head.started);
    expect(made.finished).not.toBeNull();
    expect(existsSync(`${path}.partial.jsonl`)).toBe(false);
    expect(readFileSync(pageOf(path), "utf8")).toContain("Not right: 1");
  });

  it("goes on with a report that says it isn't finished", async () => {
    const path = join(folder, "stopped.json");
    const first = await openReportFile(path, head);
    await first.append(result("1", "right"));
    await first.close({ finished: false });
    expect((await readReport(path)).finished).toBeNull();
    expect([...(await openReportFile(path, head)).known.keys()]).toEqual(["1"]);
  });

  it("is not gone on with for other questions, another model or another reviewer", async () => {
    const path = join(folder, "other.json");
    await (await openReportFile(path, head)).close({ finished: true });
    const changed = { ...head, questions: { ...head.questions, sha256: "def" } };
    await expect(openReportFile(path, changed)).rejects.toThrow("The question set has changed");
    await expect(openReportFile(path, { ...head, model: "a/b" })).rejects.toThrow("It was made with thoth/offline");
    await expect(openReportFile(path, { ...head, reviewer: "oracle" })).rejects.toThrow("with the reviewer none");
  });

  it("says what is no report", async () => {
    const path = join(folder, "none.json");
    await expect(readReport(path)).rejects.toThrow("can't be read (ENOENT)");
    writeFileSync(path, "{");
    await expect(readReport(path)).rejects.toThrow("is no JSON");
    writeFileSync(path, '{"model":"x"}');
    await expect(readReport(path)).rejects.toThrow("is no report of `thoth eval`");
    await expect(openReportFile(path, head)).rejects.toThrow("is no report");
  });
});

it("shows every miss, and nothing that was stored or written by a model as anything but text", () => {
  const hostile = `</pre><script>alert(1)</script><img src=x onerror='alert("2")'>\u202Etxt.exe\u0007&amp;`;
  const rows = { columns: [hostile], rows: [[hostile], [null]], rowCount: 2, truncated: false };
  const page = toReportPage(
    report(
      [
        result(hostile, "wrong", {
          question: hostile,
          predicted_sql: hostile,
          gold_sql: hostile,
          gold_rows: rows,
          predicted_rows: rows,
          note: hostile,
          source: hostile,
          tags: [hostile],
          said: [{ phase: "F2", template: "show", text: hostile }],
        }),
        result("2", "right", { question: "Not among the misses?" }),
      ],
      { model: hostile, templates: { [hostile]: { says: hostile, when: hostile } } },
    ),
  );
  expect(page).not.toMatch(/<script|<img/);
  for (const sign of ["\u202E", "\u0007"]) expect(page).not.toContain(sign);
  expect(page.match(/<\/pre>/g)).toHaveLength(2);
  expect(page).toContain("default-src 'none'");
  expect(page).not.toContain("Not among the misses?");
  expect(page).toContain("&#60;script&#62;");
});

it("tells better from worse by question, with the chance of so uneven a split", () => {
  const ids = ["1", "2", "3", "4", "5", "6", "7"];
  const before = report(
    ids.map((id) => result(id, id === "7" ? "right" : "wrong")),
    { model: "a/b" },
  );
  const after = report(
    [...ids.map((id) => result(id, id === "6" ? "asked" : "right")), result("8", "right"), result("0", "right")],
    { model: "c/d" },
  );
  const compared = compareReports(before, after);
  expect(compared).toMatchObject({
    shared: 7,
    only_after: 2,
    only_before: 0,
    right_before: 1,
    right_after: 6,
    unchanged: 1,
  });
  expect(compared.better.map(({ id }) => id)).toEqual(["1", "2", "3", "4", "5"]);
  expect(compared.moved).toMatchObject([{ id: "6", before: "wrong", after: "asked" }]);
  expect(compared.p).toBeCloseTo(2 / 32, 10);
  expect(toComparisonText(compared)).toContain("5 better, 0 worse");
  expect(compareReports(after, before)).toMatchObject({ only_before: 2, better: [], right_after: 1 });
  const reworded = report([result("1", "right", { question: "Another one?" })]);
  expect(compareReports(before, reworded)).toMatchObject({ shared: 0, other_text: 1 });
});
