import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { type Results, writePerformancePage } from "./performance-page.ts";

const folder = mkdtempSync(join(tmpdir(), "thoth-page-"));
const file = join(folder, "performance.md");
afterAll(() => rmSync(folder, { recursive: true }));

const results = (loadAtStart: number): Results => ({
  kind: "whole",
  date: "2026-01-05T09:30:00.000Z",
  commit: "abc1234",
  machine: { processor: "A processor", cores: 2, memoryGb: 24, platform: "linux x64", node: "24.21.0" },
  loadAtStart,
  loadAtEnd: 1,
  seconds: 700,
  rows: [
    { group: "budget", what: "one | two", budget: "< 1 ms", figure: "2 ms", ratio: 2, verdict: "missed" },
    { group: "peer", what: "another", budget: "", figure: "–", verdict: "not run here", note: "no registry" },
  ],
});

it("replaces what stands between the marks and nothing else, again and again", () => {
  writeFileSync(file, "# By hand\n<!-- figures -->\nold\n<!-- /figures -->\nmore by hand\n");
  writePerformancePage(file, results(0.2));
  writePerformancePage(file, results(0.2));
  const text = readFileSync(file, "utf8");
  expect(text).toMatch(/^# By hand\n<!-- figures -->\n2026-01-05 09:30 UTC, commit abc1234/);
  expect(text).toMatch(/<!-- \/figures -->\nmore by hand\n$/);
  expect(text).not.toContain("old");
  expect(text.match(/### Budgets/g)).toHaveLength(1);
  expect(text).toContain("| one \\| two | < 1 ms | 2 ms | 2 | **missed** |");
  expect(text).toContain("not run here: no registry");
  expect(text).not.toContain("Others were at work");
});

it("says when others were at work on the machine", () => {
  writeFileSync(file, "<!-- figures --><!-- /figures -->");
  writePerformancePage(file, results(9.5));
  expect(readFileSync(file, "utf8")).toContain("Others were at work");
});

it("writes nothing into a page that has lost its marks; the real one has them", () => {
  writeFileSync(file, "by hand alone");
  expect(() => writePerformancePage(file, results(0))).toThrow(/lost its marks/);
  expect(readFileSync(file, "utf8")).toBe("by hand alone");
  const real = readFileSync(new URL("../docs/performance.md", import.meta.url), "utf8");
  expect(real.indexOf("<!-- figures -->")).toBeGreaterThan(0);
  expect(real.indexOf("<!-- /figures -->")).toBeGreaterThan(real.indexOf("<!-- figures -->"));
});
