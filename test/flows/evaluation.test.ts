/** A whole evaluation as a user runs it: the command, its own server and a real Pi child for each question. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import type { Report } from "../../src/evaluation/report.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "evaluation-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Seconds on a quiet machine; a child shares it with whatever else runs there. */
const patience = 900_000;

function start(args: string[]): {
  child: ChildProcess;
  ended: Promise<{ code: number | null; out: string; err: string }>;
} {
  const child = spawn(process.execPath, ["src/cli/main.ts", "eval", ...args], {
    cwd: root,
    env: { ...process.env, THOTH_HOME: join(folder, "home"), THOTH_DEBUG: "" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (said.out += chunk));
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => (said.err += chunk));
  const ended = new Promise<number | null>((done) => child.once("close", done)).then((code) => ({ code, ...said }));
  return { child, ended };
}
const evaluate = (...args: string[]) => start(args).ended;

const lines = (...questions: object[]): string => questions.map((question) => JSON.stringify(question)).join("\n");
function questionFile(name: string, ...questions: object[]): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    lines(...questions.map((question) => ({ db: "chinook", source: "written for this test", ...question }))),
  );
  return path;
}
const readReport = (path: string): Report => JSON.parse(readFileSync(path, "utf8")) as Report;
const outcomes = (report: Report) => Object.fromEntries(report.results.map(({ id, outcome }) => [id, outcome]));

const chinook = readFileSync(join(root, "test/fixtures/chinook-questions.jsonl"), "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line) as { id: string; question: string; gold_sql: string });
const counted = { id: "count", question: "How many albums are there?", gold_sql: "SELECT COUNT(*) FROM Album" };
const rock = {
  id: "rock",
  question: "How many tracks are in the Rock genre?",
  gold_sql: "SELECT COUNT(*) FROM Track t JOIN Genre g ON g.GenreId = t.GenreId WHERE g.Name = 'Rock'",
};
/** Gold keeps artists without an album, which the question's words leave open: one correction of the join says so. */
const withNone = {
  id: "with-none",
  question: "How many albums does each artist have?",
  gold_sql:
    "SELECT ar.Name, COUNT(al.AlbumId) FROM Artist ar LEFT JOIN Album al ON al.ArtistId = ar.ArtistId GROUP BY ar.ArtistId",
};

describe("with a child for each question", () => {
  it(
    "gives the SQL that the planner gives when it is called directly",
    async () => {
      const path = questionFile("parity.jsonl", ...chinook.slice(0, 4));
      const shared = ["--questions", path, "--databases", "demo"];
      const [slow, fast] = ["slow", "fast"].map((name) => join(folder, `parity-${name}.json`)) as [string, string];
      expect((await evaluate(...shared, "--fast", "--report", fast)).code).toBe(0);
      expect((await evaluate(...shared, "--report", slow)).code).toBe(0);
      const [direct, whole] = [readReport(fast), readReport(slow)];
      const statements = ({ results }: Report) =>
        Object.fromEntries(results.map(({ id, predicted_sql: sql }) => [id, sql]));
      expect(Object.values(statements(whole)).every((sql) => sql !== null)).toBe(true);
      expect(statements(whole)).toEqual(statements(direct));
      expect(outcomes(whole)).toEqual(outcomes(direct));
      expect([whole.way, direct.way]).toEqual(["child", "planner"]);
    },
    patience,
  );

  it(
    "lets the reviewer who knows gold correct in words, and tells what each correction brought",
    async () => {
      const path = questionFile("oracle.jsonl", withNone);
      const report = join(folder, "oracle.json");
      const shared = ["--questions", path, "--databases", "demo", "--reviewer", "oracle"];
      expect((await evaluate(...shared, "--report", report)).code).toBe(0);
      const made = readReport(report);
      const [corrected] = made.results;
      expect(corrected).toMatchObject({
        outcome: "right",
        corrections: 1,
        by_corrections: ["wrong", "right", "right", "right"],
      });
      expect(corrected?.said).toEqual([{ phase: "F3", template: "join-type", text: "Use LEFT JOIN in 1." }]);
      expect(made.templates?.["join-type"]?.says).toBe("Use {type} JOIN in {n}.");
      expect(made.summary.curve?.map(({ right }) => right)).toEqual([0, 1, 1, 1]);
      const direct = join(folder, "oracle-fast.json");
      expect((await evaluate(...shared, "--fast", "--report", direct)).code).toBe(0);
      const sayings = ({ results }: Report) => results.map(({ said, by_corrections }) => [said, by_corrections]);
      expect(sayings(readReport(direct))).toEqual(sayings(made));
    },
    patience,
  );

  it(
    "leaves a readable report when it is interrupted, and goes on from there",
    async () => {
      const more = Array.from({ length: 30 }, (_, at) => ({ ...counted, id: `count-${at}` }));
      const path = questionFile("interrupted.jsonl", counted, rock, ...more);
      const report = join(folder, "interrupted.json");
      const args = ["--questions", path, "--databases", "demo", "--concurrency", "1", "--report", report];
      const { child, ended } = start(args);
      const journal = `${report}.partial.jsonl`;
      const found = () => (existsSync(journal) ? readFileSync(journal, "utf8").split("\n").length - 2 : 0);
      while (found() < 1 && child.exitCode === null) await new Promise((done) => setTimeout(done, 50));
      child.kill("SIGINT");
      const { code, err } = await ended;
      expect(code).toBe(1);
      expect(err).toContain("The same command goes on from there.");
      const partial = readReport(report);
      expect(partial.finished).toBeNull();
      expect(partial.results[0]).toMatchObject({ id: "count", outcome: "right" });
      expect(partial.results.length).toBeLessThan(32);
      expect(readFileSync(join(folder, "interrupted.html"), "utf8")).toContain("Not finished");
      // The rest without children: what was found stays as it is.
      const again = await evaluate(...args, "--fast");
      expect(again.code).toBe(2);
      expect(again.err).toContain("with or without --fast");
      const limited = await evaluate(...args, "--limit", String(partial.results.length + 1));
      expect(limited.code).toBe(0);
      expect(limited.err).toContain(`Goes on after ${partial.results.length} of`);
      const whole = readReport(report);
      expect(whole.results).toHaveLength(partial.results.length + 1);
      expect(whole.results[0]).toEqual(partial.results[0]);
      // Changed questions are no longer the same set.
      questionFile("interrupted.jsonl", counted, { ...rock, question: "How many Rock tracks are there?" }, ...more);
      const changed = await evaluate(...args);
      expect(changed.code).toBe(2);
      expect(changed.err).toContain("The question set has changed");
    },
    patience,
  );
});

describe("reports", () => {
  it(
    "are compared question by question",
    async () => {
      const right = questionFile("right.jsonl", counted, rock);
      // The same questions; the second one's gold is another.
      const other = questionFile("other.jsonl", counted, { ...rock, gold_sql: "SELECT 1" });
      const [a, b] = ["a", "b"].map((name) => join(folder, `${name}.json`)) as [string, string];
      expect((await evaluate("--questions", other, "--databases", "demo", "--fast", "--report", a)).code).toBe(0);
      expect((await evaluate("--questions", right, "--databases", "demo", "--fast", "--report", b)).code).toBe(0);
      const { code, out } = await evaluate("--compare", a, b);
      expect(code).toBe(0);
      expect(out).toContain("rock (chinook) wrong → right");
      expect(out).toContain("1 better, 0 worse");
      const machine = await evaluate("--compare", a, b, "--json");
      expect(JSON.parse(machine.out)).toMatchObject({ shared: 2, unchanged: 1, worse: [], p: 1 });
    },
    patience,
  );

  it(
    "put what can't be answered and what has two readings apart",
    async () => {
      const readings = {
        id: "twin",
        question: "List the name and composer of all tracks.",
        ambiguity: "the column stands in two tables",
        gold_sql: "SELECT Name, Composer FROM Track",
        gold_sql_alternatives: [
          "SELECT t.Name, c.Composer FROM Track t JOIN track_composer c ON c.TrackId = t.TrackId",
        ],
        setup_sql: ["CREATE TABLE track_composer AS SELECT TrackId, Composer FROM Track"],
      };
      const none = { id: "margin", question: "What is the profit margin of each album?", expect: "no-answer" };
      const path = questionFile("apart.jsonl", counted, readings, none);
      const { code, out } = await evaluate("--questions", path, "--databases", "demo", "--fast", "--json");
      expect(code).toBe(0);
      const made = JSON.parse(out) as Report;
      expect(made.summary.all).toMatchObject({ questions: 1, right: 1 });
      expect(made.summary.apart.map(({ name }) => name)).toEqual(["ambiguous", "unanswerable"]);
      expect(made.summary.readings?.questions).toBe(1);
      expect(outcomes(made).margin).toMatch(/^(cannot-answer|asked)$/);
      expect(made.summary.unanswerable).toMatchObject({ questions: 1, wrong: 0 });
    },
    patience,
  );
});

it(
  "says what is wrong with its use",
  async () => {
    const good = questionFile("good.jsonl", counted);
    const broken = join(folder, "broken.jsonl");
    writeFileSync(broken, `${readFileSync(good, "utf8")}\n{"id":`);
    const foreign = questionFile("foreign.jsonl", { ...counted, dialect: "postgres" });
    const elsewhere = questionFile("elsewhere.jsonl", { ...counted, db: "nowhere" });
    for (const [args, words] of [
      [[], "which questions are asked"],
      [["--questions", join(folder, "none.jsonl"), "--databases", "demo"], "can't be read (ENOENT)"],
      [["--questions", broken, "--databases", "demo"], "Line 2 is no JSON."],
      [["--questions", elsewhere, "--databases", "demo"], "There is no database nowhere in"],
      [["--questions", foreign, "--databases", "demo"], "None of the questions can be asked here."],
      [["--questions", good, "--databases", "demo", "--reviewer", "me"], "There is no reviewer me."],
      [["--questions", good, "--databases", "demo", "--fast", "--model", "a/b"], "--fast calls the offline planner"],
      [["--questions", good, "--databases", "demo", "--limit", "0"], "A whole number from 1 is needed."],
      [["--questions", good, "--databases", "demo", "--model", "anthropic/claude"], "there is no key for anthropic"],
      [["--compare", good, good], "is no report of"],
      [["--compare", good], "--compare takes two reports"],
    ] as [string[], string][]) {
      const { code, err } = await start(args).ended;
      expect([args, err]).toEqual([args, expect.stringContaining(words)]);
      expect([args, code]).toEqual([args, 2]);
    }
  },
  patience,
);
