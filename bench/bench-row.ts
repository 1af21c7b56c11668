/**
 * The shape that all timing benches share: `measure(options)` gives rows, and a file that is started by itself prints
 * them. `bench/run.ts` starts each of them in a process of its own and puts the rows together.
 */
import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";

export interface BenchOptions {
  /** Smaller sizes and fewer rounds, so that all benches together take less than two minutes. */
  quick: boolean;
  /** Ten million stored values instead of one: minutes, and two gigabytes of disk. */
  tenMillion?: boolean;
  /** Takes the rows so far: they hold even if the time is over before the rest is measured. */
  keep?: (rows: readonly Row[]) => void;
}

export type Group = "budget" | "page" | "growth" | "load" | "peer";

export interface Row {
  group: Group;
  /** What was measured; with `budget` it tells rows of one bench apart. */
  what: string;
  /** In words, as the design page has it; empty when nothing was promised. */
  budget: string;
  /** With its unit, as it is printed. */
  figure: string;
  /** What it was measured against in the same run, with that figure. */
  reference?: string;
  ratio?: number;
  verdict: "met" | "missed" | "told" | "not run here" | "failed";
  /** Why it was not run or failed, or what the reader must know to believe the figure. */
  note?: string;
  /** Raw figures for later comparison, named with their units. */
  values?: Record<string, number | number[]>;
}

export type Measure = (options: BenchOptions) => Promise<{ rows: Row[] }>;

/** A row with a budget: `holds` says whether it was kept. */
export const toRow = ({ holds, ...row }: Omit<Row, "verdict"> & { holds: boolean | null }): Row => ({
  ...row,
  ...(row.ratio === undefined ? {} : { ratio: Number(row.ratio.toPrecision(3)) }),
  verdict: holds === null ? "told" : holds ? "met" : "missed",
});

export const notRun = (row: Pick<Row, "group" | "what" | "budget">, note: string): Row => ({
  ...row,
  figure: "–",
  verdict: "not run here",
  note,
});

/** For a file that is started by itself: `--quick`, `--ten-million`, and `--json FILE` for what started it. */
export async function runAlone(measure: Measure): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      "ten-million": { type: "boolean", default: false },
      json: { type: "string" },
    },
  });
  const keep = (found: readonly Row[]) => {
    if (values.json) writeFileSync(values.json, JSON.stringify(found));
  };
  const { rows } = await measure({ quick: values.quick, tenMillion: values["ten-million"], keep });
  keep(rows);
  if (!values.json) process.stdout.write(`${toTable(rows)}\nmachine load ${(loadavg()[0] ?? 0).toFixed(1)}\n`);
}

export function toTable(rows: readonly Row[]): string {
  const lines = [
    ["what", "budget", "figure", "ratio", "verdict"],
    ...rows.map(({ what, budget, figure, reference, ratio, verdict, note }) => [
      what,
      budget,
      reference ? `${figure} (${reference})` : figure,
      ratio === undefined ? "" : String(ratio),
      note && verdict !== "told" && verdict !== "met" && verdict !== "missed" ? `${verdict}: ${note}` : verdict,
    ]),
  ];
  const widths = [0, 1, 2, 3].map((at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
