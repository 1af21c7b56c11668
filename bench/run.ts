/**
 * `npm run bench [-- --quick | --ten-million] [-- --only NAME]`: every row of the design page's budgets and more, each measured against
 * its reference in the same run, as one table. Each bench has a process of its own with a time limit: one that fails or
 * hangs becomes a row that says so, and nothing it started outlives it. A whole run is written to `bench/results/`, a
 * whole run that isn't `--quick` to `docs/performance.md` as well. The end is 0 whatever the figures say.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { type Row, toTable } from "./bench-row.ts";
import { type Results, writePerformancePage } from "./performance-page.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
/** In the order of the budgets; seconds that each may take, quick and whole. */
const benches: Record<string, { quick: number; whole: number }> = {
  activity: { quick: 40, whole: 180 },
  framing: { quick: 20, whole: 60 },
  prestart: { quick: 60, whole: 180 },
  "big-read": { quick: 40, whole: 240 },
  introspection: { quick: 30, whole: 120 },
  "value-index": { quick: 30, whole: 180 },
  ledger: { quick: 20, whole: 60 },
  "page-load": { quick: 40, whole: 120 },
  "page-memory": { quick: 40, whole: 180 },
  "grid-scroll": { quick: 30, whole: 90 },
  "session-list": { quick: 30, whole: 60 },
  growth: { quick: 30, whole: 240 },
  load: { quick: 40, whole: 300 },
  peer: { quick: 0, whole: 150 },
};
/** Seconds for all together; what comes too late isn't begun. */
const whole = { quick: 115, whole: 880 };
/** Seconds more for ten million values. */
const tenMillionSeconds = 1200;

const { values } = parseArgs({
  options: {
    quick: { type: "boolean", default: false },
    "ten-million": { type: "boolean", default: false },
    only: { type: "string", multiple: true },
    /** Where the results go; by default where they are kept. */
    out: { type: "string" },
  },
});
const kind = values.quick ? ("quick" as const) : ("whole" as const);
const chosen = Object.keys(benches).filter((name) => values.only?.includes(name) ?? true);
const unknown = values.only?.filter((name) => !(name in benches)) ?? [];
if (unknown.length > 0) {
  process.stderr.write(`No such bench: ${unknown.join(", ")}. There are ${Object.keys(benches).join(", ")}.\n`);
  process.exit(2);
}

/** In the environment of everything that this run starts, so that what is left can be told from all else. */
const mark = `THOTH_BENCH_RUN=${randomUUID()}`;
const folder = mkdtempSync(join(tmpdir(), "thoth-bench-"));
chmodSync(folder, 0o755); // a database server that isn't root must find its folder in here
let current: ChildProcess | undefined;

interface Process {
  pid: number;
  parent: number;
}

function readProcesses(): (Process & { marked: boolean })[] {
  if (process.platform !== "linux") return [];
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]);
      const marked = readFileSync(`/proc/${name}/environ`, "utf8").split("\0").includes(mark);
      return [{ pid: Number(name), parent, marked }];
    } catch {
      return []; // gone meanwhile, or not ours
    }
  });
}

/** The process, all that descend from it, and all that carry this run's mark: each by its own id. */
function endAll(pid: number | undefined): void {
  const found = readProcesses();
  const ending = new Set(found.filter(({ marked }) => marked).map((one) => one.pid));
  if (pid !== undefined) ending.add(pid);
  for (let before = -1; before !== ending.size; ) {
    before = ending.size;
    for (const one of found) if (ending.has(one.parent)) ending.add(one.pid);
  }
  ending.delete(process.pid);
  for (const one of ending) {
    try {
      process.kill(one, "SIGKILL");
    } catch {
      // gone by itself
    }
  }
}

async function runBench(name: string, seconds: number): Promise<Row[]> {
  const failed = (note: string): Row[] => [
    { group: "budget", what: `bench/${name}.ts`, budget: "", figure: "–", verdict: "failed", note },
  ];
  const own = join(folder, name);
  mkdirSync(own);
  chmodSync(own, 0o755);
  const json = join(own, "rows.json");
  const [key = "", value = ""] = mark.split("=");
  const flags = [values.quick && "--quick", values["ten-million"] && "--ten-million"].filter((flag) => flag !== false);
  const args = ["--expose-gc", `bench/${name}.ts`, "--json", json, ...flags];
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, [key]: value, TMPDIR: own },
    stdio: ["ignore", "ignore", "pipe"],
  });
  current = child;
  let said = "";
  child.stderr.on("data", (chunk: Buffer) => {
    said = (said + chunk.toString("utf8")).slice(-4000);
  });
  let late = false;
  const code = await new Promise<number | null>((resolve) => {
    const timer = setTimeout(() => {
      late = true;
      endAll(child.pid);
    }, seconds * 1000);
    child.once("error", (error) => {
      said += error.message;
      resolve(1);
    });
    child.once("exit", (status) => {
      clearTimeout(timer);
      resolve(status);
    });
  });
  endAll(undefined);
  current = undefined;
  try {
    const reason = late ? `not done within ${Math.round(seconds)} s` : code === 0 ? null : toReason(said, code);
    const rows = existsSync(json) ? (JSON.parse(readFileSync(json, "utf8")) as Row[]) : [];
    return reason === null ? rows : [...rows, ...failed(rows.length > 0 ? `the rest: ${reason}` : reason)];
  } catch (error) {
    return failed(String(error));
  } finally {
    rmSync(own, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** The error's own line, without the stack behind it. */
function toReason(said: string, code: number | null): string {
  const line =
    said.split("\n").findLast((one) => /^\s*(?:\w*Error\b|\w+ \[\w+\]:)/.test(one)) ?? said.trim().split("\n").at(-1);
  return `${line?.trim().slice(0, 200) || "no reason given"} (exit ${code})`;
}

const git = (...args: string[]): string => {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
  } catch {
    return ""; // not a repository, or no git
  }
};

for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.once(signal, () => {
    endAll(current?.pid);
    rmSync(folder, { recursive: true, force: true });
    process.exit(130);
  });

if (values["ten-million"] && benches["value-index"]) {
  benches["value-index"].whole += tenMillionSeconds;
  whole.whole += tenMillionSeconds;
}

const begun = performance.now();
const commit = git("rev-parse", "--short", "HEAD") || "unknown";
const changed = git("status", "--porcelain", "--", "src", "bench").length > 0;
const results: Results = {
  kind,
  date: new Date().toISOString(),
  commit: changed ? `${commit}+changes` : commit,
  machine: {
    processor: cpus()[0]?.model ?? "unknown",
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 1e9),
    platform: `${process.platform} ${process.arch}`,
    node: process.versions.node,
  },
  loadAtStart: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  loadAtEnd: 0,
  seconds: 0,
  rows: [],
};
try {
  for (const name of chosen) {
    const left = whole[kind] - (performance.now() - begun) / 1000;
    const seconds = benches[name]?.[kind] ?? 0;
    const wanted = values.only ? seconds || benches[name]?.whole || 60 : Math.min(seconds, left);
    const at = performance.now();
    const rows: Row[] =
      wanted > 3
        ? await runBench(name, wanted)
        : [
            {
              group: name === "peer" ? "peer" : "budget",
              what: `bench/${name}.ts`,
              budget: "",
              figure: "–",
              verdict: "not run here",
              note: seconds === 0 ? "only in a whole run" : "the run's time was over",
            },
          ];
    results.rows.push(...rows);
    process.stdout.write(`${toTable(rows)}\n${name}: ${((performance.now() - at) / 1000).toFixed(0)} s\n\n`);
  }
} finally {
  endAll(undefined);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
results.loadAtEnd = Math.round((loadavg()[0] ?? 0) * 10) / 10;
results.seconds = Math.round((performance.now() - begun) / 1000);

const of = (verdict: Row["verdict"]) => results.rows.filter((row) => row.verdict === verdict);
process.stdout.write(`${toTable(results.rows)}\n\n`);
process.stdout.write(
  `${of("met").length} budgets met, ${of("missed").length} missed, ${of("failed").length} failed, ${of("not run here").length} not run here, ` +
    `in ${results.seconds} s; machine load ${results.loadAtStart} at the start, ${results.loadAtEnd} at the end\n`,
);
if (!values.only) {
  const out = values.out ?? join(root, "bench/results");
  mkdirSync(out, { recursive: true });
  const file = join(out, `${results.date.slice(0, 10)}-${results.commit}${values.quick ? "-quick" : ""}.json`);
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
  process.stdout.write(`${file}\n`);
  if (kind === "whole" && !values.out) writePerformancePage(join(root, "docs/performance.md"), results);
}
