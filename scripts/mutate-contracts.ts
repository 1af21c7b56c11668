/**
 * `npm run contracts:mutate`: breaks each sentence of the contracts once, in a copy of the project, and sees whether
 * that clause's tests notice. A fault is guarded only when a test fails: no test, a crash before any test, or a run
 * that never ends is not a guard. The verdicts go to `test/contracts/README.md`.
 *
 *   --only C3,C4.1  tries a part and leaves the other lines as they were
 *   --again         tries what was not guarded so far
 *   --trust         skips the run without any fault, for right after a green one
 *   --list          names the faults; --verbose shows what a run said when nothing failed
 */
import { spawn, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Mutation, mutations } from "../test/contracts/mutations/index.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    list: { type: "boolean", default: false },
    verbose: { type: "boolean" },
    trust: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
  },
});
/** Longest run of one fault's tests; a test itself gives up sooner. */
const longestRunMs = 120_000;
const longestUntouchedMs = 900_000;
const testTimeoutMs = 45_000;
const patienceMs = 15_000;

type Verdict = "guarded" | "SURVIVED" | "NO TEST" | "NOT RUN" | "NEVER ENDED" | "TEXT NOT FOUND" | "not tried";
interface Run {
  failed: number;
  passed: number;
  /** Test files that could not even be loaded. */
  broken: number;
  ended: boolean;
  output: string;
}

const clauseOf = (only: string): RegExp => new RegExp(`^(${only.replaceAll(".", "\\.").replaceAll(",", "|")})(\\.|$)`);
const readme = join(root, "test/contracts/README.md");
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const toLine = ({ clause, sentence, fault, file }: Mutation): string =>
  `| ${clause} | ${cell(sentence)} | ${cell(fault)} | \`${file}\` |`;
const before = existsSync(readme) ? readFileSync(readme, "utf8").split("\n") : [];
const lastVerdict = (line: string): string =>
  before
    .find((one) => one.startsWith(`${line} `))
    ?.slice(line.length)
    .replaceAll("|", "")
    .trim() ?? "not tried";
const chosen = mutations.filter(
  (mutation) =>
    (options.only === undefined || clauseOf(options.only).test(mutation.clause)) &&
    !(options.again && lastVerdict(toLine(mutation)) === "guarded"),
);
if (options.list) {
  for (const { clause, file, fault } of chosen) console.log(`${clause.padEnd(6)} ${fault} (${file})`);
  process.exit(0);
}

/** The files that belong to the project, as they stand now; what git ignores is left out, installed packages are linked. */
function copyProject(): string {
  const copy = mkdtempSync(join(tmpdir(), "thoth-mutate-"));
  const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: root, encoding: "utf8" });
  for (const name of listed.stdout.split("\0").filter((file) => file !== "" && existsSync(join(root, file)))) {
    mkdirSync(dirname(join(copy, name)), { recursive: true });
    cpSync(join(root, name), join(copy, name));
  }
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  if (existsSync(join(root, "dist"))) cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true });
  return copy;
}

/** Runs vitest in the copy; a title filter is a regular expression over the full title. */
async function runTests(copy: string, files: readonly string[], title: string, stopEarly = true): Promise<Run> {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const child = spawn(
    process.execPath,
    [
      vitest,
      "run",
      ...files,
      "-t",
      title,
      ...(stopEarly ? ["--bail", "1"] : []),
      ...(stopEarly ? ["--testTimeout", String(testTimeoutMs)] : []),
      "--reporter",
      "json",
      "--outputFile",
      report,
    ],
    {
      cwd: copy,
      detached: true,
      env: { ...process.env, ...(stopEarly ? { THOTH_TEST_PATIENCE_MS: String(patienceMs) } : {}), CI: "1" },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  let ended = true;
  const timer = setTimeout(
    () => {
      ended = false;
      // The whole group: its workers and their children end with it.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    },
    stopEarly ? longestRunMs : longestUntouchedMs,
  );
  await new Promise((done) => child.once("close", done));
  clearTimeout(timer);
  if (!existsSync(report)) return { failed: 0, passed: 0, broken: 0, ended, output };
  const { numFailedTests, numPassedTests, testResults } = JSON.parse(readFileSync(report, "utf8")) as {
    numFailedTests: number;
    numPassedTests: number;
    testResults: {
      status: string;
      assertionResults: { status: string; fullName: string; failureMessages: string[] }[];
      message?: string;
    }[];
  };
  const broken = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0);
  output += broken.map((file) => file.message ?? "").join("\n");
  for (const { status, fullName, failureMessages } of testResults.flatMap((file) => file.assertionResults))
    if (status === "failed") output += `\n${fullName}\n${failureMessages.join("\n").slice(0, 1500)}`;
  return { failed: numFailedTests, passed: numPassedTests, broken: broken.length, ended, output };
}

const titleOf = ({ title, clause }: Mutation): string => title ?? `${clause.replaceAll(".", "\\.")}(?!\\d)`;

async function tryMutation(copy: string, mutation: Mutation): Promise<{ verdict: Verdict; run?: Run }> {
  const path = join(copy, mutation.file);
  const before = existsSync(path) ? readFileSync(path, "utf8") : "";
  if (before.split(mutation.find).length !== 2) return { verdict: "TEXT NOT FOUND" };
  writeFileSync(
    path,
    before.replace(mutation.find, () => mutation.replace),
  );
  try {
    if (mutation.page) buildPage(copy);
    const run = await runTests(copy, mutation.tests, titleOf(mutation));
    return { verdict: toVerdict(run), run };
  } finally {
    writeFileSync(path, before);
    if (mutation.page) buildPage(copy);
  }
}

function toVerdict({ failed, passed, broken, ended }: Run): Verdict {
  if (failed > 0) return "guarded";
  if (!ended) return "NEVER ENDED";
  if (broken > 0) return "NOT RUN";
  return passed > 0 ? "SURVIVED" : "NO TEST";
}

function buildPage(copy: string): void {
  const vite = join(root, "node_modules/vite/bin/vite.js");
  spawnSync(process.execPath, [vite, "build", "--logLevel", "error"], { cwd: copy, stdio: "inherit" });
}

/** What was tried now, and for the rest what the page said before. */
function toReadme(tried: ReadonlyMap<Mutation, Verdict>): string {
  const rows = mutations.map((mutation) => {
    const line = toLine(mutation);
    return { line, verdict: tried.get(mutation) ?? lastVerdict(line) };
  });
  const guarded = rows.filter((row) => row.verdict === "guarded").length;
  return `# Which faults the tests notice

Made by \`npm run contracts:mutate\`: each line is one small deliberate fault in production code, tried alone in a copy of
the project against the tests that name its clause. It is guarded when at least one of them fails.

${rows.length} faults in ${new Set(mutations.map((mutation) => mutation.clause)).size} clauses, ${guarded} guarded, ${rows.length - guarded} not.

| Clause | Sentence | Fault | In | Verdict |
| --- | --- | --- | --- | --- |
${rows.map(({ line, verdict }) => `${line} ${verdict} |`).join("\n")}
`;
}

const copy = copyProject();
try {
  const files = [...new Set(chosen.flatMap((mutation) => mutation.tests))];
  const untouched = options.trust
    ? null
    : await runTests(copy, files, [...new Set(chosen.map(titleOf))].join("|"), false);
  if (untouched && (untouched.failed > 0 || untouched.broken > 0 || untouched.passed === 0)) {
    console.error(untouched.output.slice(-4000));
    console.error(`Without any fault: ${untouched.passed} passed, ${untouched.failed} failed. Nothing can be said so.`);
    process.exitCode = 2;
  } else {
    if (untouched) console.log(`Without any fault: ${untouched.passed} tests pass.`);
    const tried = new Map<Mutation, Verdict>();
    for (const mutation of chosen) {
      const started = performance.now();
      const { verdict, run } = await tryMutation(copy, mutation);
      tried.set(mutation, verdict);
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      console.log(`${mutation.clause.padEnd(6)} ${verdict.padEnd(11)} ${seconds.padStart(5)} s  ${mutation.fault}`);
      if (options.verbose && verdict !== "guarded" && run) console.log(run.output.slice(-3000));
    }
    const guarded = [...tried.values()].filter((verdict) => verdict === "guarded").length;
    console.log(`${tried.size} faults, ${guarded} guarded, ${tried.size - guarded} not`);
    writeFileSync(readme, toReadme(tried));
    process.exitCode = guarded === tried.size ? 0 : 1;
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}
