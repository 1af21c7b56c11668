/** The generated part of `docs/performance.md`: the tables of the last whole run, between two marks. */
import { readFileSync, writeFileSync } from "node:fs";
import type { Group, Row } from "./bench-row.ts";

export interface Results {
  kind: "quick" | "whole";
  /** ISO 8601, when the run began. */
  date: string;
  /** `+changes` when sources or benches differed from it. */
  commit: string;
  machine: { processor: string; cores: number; memoryGb: number; platform: string; node: string };
  /** Load average over a minute: above the number of cores, others were at work and the figures are too high. */
  loadAtStart: number;
  loadAtEnd: number;
  seconds: number;
  rows: Row[];
}

const marks = ["<!-- figures -->", "<!-- /figures -->"] as const;
const titles: Record<Group, string> = {
  budget: "Budgets",
  page: "The page",
  growth: "Growth",
  load: "Load and soak",
  peer: "A peer",
};

const toCell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

export function toTables(results: Results): string {
  const { machine, rows } = results;
  const busy = results.loadAtStart > machine.cores / 2 ? " **Others were at work on it: read ratios, not times.**" : "";
  const head =
    `${results.date.slice(0, 16).replace("T", " ")} UTC, commit ${results.commit}, ${machine.cores} × ${machine.processor}, ` +
    `${machine.memoryGb} GB, ${machine.platform}, Node ${machine.node}; load ${results.loadAtStart} at the start, ` +
    `${results.loadAtEnd} at the end; ${results.seconds} s.${busy}`;
  const tables = (Object.keys(titles) as Group[]).flatMap((group) => {
    const found = rows.filter((row) => row.group === group);
    if (found.length === 0) return [];
    const lines = found.map(({ what, budget, figure, reference, ratio, verdict, note }) =>
      [
        what,
        budget,
        reference ? `${figure} (${reference})` : figure,
        ratio === undefined ? "" : String(ratio),
        verdict === "missed" ? "**missed**" : note ? `${verdict}: ${note}` : verdict,
      ]
        .map(toCell)
        .join(" | "),
    );
    const header = "| what | budget | figure (reference) | ratio | verdict |\n| --- | --- | --- | --- | --- |";
    return [`### ${titles[group]}\n\n${header}\n${lines.map((line) => `| ${line} |`).join("\n")}`];
  });
  return [head, ...tables].join("\n\n");
}

/** Replaces what stands between the marks; the rest is written by hand. Throws when the marks are gone. */
export function writePerformancePage(file: string, results: Results): void {
  const text = readFileSync(file, "utf8");
  const [from, to] = marks.map((mark) => text.indexOf(mark));
  if (from === undefined || to === undefined || from < 0 || to < from)
    throw new Error(`${file} has lost its marks ${marks.join(" and ")}.`);
  writeFileSync(file, `${text.slice(0, from + marks[0].length)}\n${toTables(results)}\n${text.slice(to)}`);
}
