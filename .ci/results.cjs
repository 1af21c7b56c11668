// Reads vitest's JSON reports; plain JavaScript, because it runs on the machine's own Node.
const { existsSync, readFileSync } = require("node:fs");
const { relative } = require("node:path");

const filesOf = (path) =>
  new Map(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")).testResults.map((file) => [file.name, file]) : []);
const hasFailed = (file) => file.status !== "passed";

/** Paths of the files in which something failed, one per line. */
function failed(report) {
  for (const [name, file] of filesOf(report)) if (hasFailed(file)) console.log(relative(process.cwd(), name));
}

/** The last line of CI. What ran a second time counts as it ended there. */
function counts(exitCode, first, second) {
  const once = filesOf(first);
  const sum = { passed: 0, failed: 0, pending: 0 };
  for (const file of new Map([...once, ...filesOf(second)]).values()) {
    for (const test of file.assertionResults) sum[test.status in sum ? test.status : "pending"] += 1;
    // A file that broke outside of its tests is a failure as well.
    if (hasFailed(file) && !file.assertionResults.some((test) => test.status === "failed")) sum.failed += 1;
  }
  // So is an error that belongs to no file, and a run that came to no end.
  if (exitCode !== "0" && ![...once.values()].some(hasFailed)) sum.failed += 1;
  console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.pending} skipped`);
  process.exitCode = sum.failed > 0 || sum.passed === 0 ? 1 : 0;
}

const [what, ...rest] = process.argv.slice(2);
if (what === "failed") failed(...rest);
else counts(...rest);
