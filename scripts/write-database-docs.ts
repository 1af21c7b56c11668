/**
 * `npm run databases:docs`: runs the common adapter suite and writes `docs/databases.md` from what each engine kept.
 * An engine that isn't installed here leaves the file as it was, so that no column is lost by chance.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/databases.md");
const marks = ["<!-- suite -->", "<!-- /suite -->"] as const;

interface Report {
  testResults: { assertionResults: { ancestorTitles: string[]; title: string; status: string }[] }[];
}

const folder = mkdtempSync(join(tmpdir(), "thoth-databases-"));
const file = join(folder, "report.json");
const args = ["vitest", "run", "test/adapters/contract.test.ts", "--reporter=json", `--outputFile=${file}`];
spawnSync("npx", args, { cwd: root, stdio: ["ignore", "ignore", "inherit"] });
const report = JSON.parse(readFileSync(file, "utf8")) as Report;
rmSync(folder, { recursive: true, force: true });

const cells = new Map<string, Map<string, string>>();
const engines: string[] = [];
for (const { ancestorTitles, title, status } of report.testResults.flatMap((one) => one.assertionResults)) {
  const [engine = ""] = ancestorTitles;
  if (!engines.includes(engine)) engines.push(engine);
  const row = cells.get(title) ?? new Map<string, string>();
  row.set(engine, status === "passed" ? "✓" : status === "failed" ? "✗" : "not run");
  cells.set(title, row);
}
const missing = engines.filter((engine) => [...cells.values()].every((row) => row.get(engine) === "not run"));
if (missing.length > 0 || engines.length === 0) {
  process.stderr.write(`Not written: ${missing.join(", ") || "the suite"} could not be run here.\n`);
  process.exit(1);
}
const table = [
  `| what is kept | ${engines.join(" | ")} |`,
  `| --- |${" :-: |".repeat(engines.length)}`,
  ...[...cells].map(([title, row]) => `| ${title} | ${engines.map((engine) => row.get(engine) ?? "–").join(" | ")} |`),
].join("\n");
const [head, rest = ""] = readFileSync(page, "utf8").split(marks[0]);
const [, tail = ""] = rest.split(marks[1]);
writeFileSync(page, `${head}${marks[0]}\n${table}\n${marks[1]}${tail}`);
process.stdout.write(`${cells.size} rows for ${engines.join(", ")}: ${page}\n`);
