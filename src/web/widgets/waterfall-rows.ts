/** The rows of the waterfall: each step, and above the first step that reads it, each source table. */
import type { StepEvidence } from "../../protocol/evidence.ts";

export type WaterfallRow = { kind: "table"; name: string; rows: number } | { kind: "step"; step: StepEvidence };

export function toWaterfallRows(steps: StepEvidence[]): WaterfallRow[] {
  const seen = new Set<string>();
  return steps.flatMap((step): WaterfallRow[] => {
    const sources = step.inputs.filter((input) => input.table && !seen.has(input.name));
    for (const source of sources) seen.add(source.name);
    return [...sources.map(({ name, rows }) => ({ kind: "table" as const, name, rows })), { kind: "step", step }];
  });
}

/** Rows that the whole width of a bar stands for. */
export const toScale = (rows: WaterfallRow[]): number =>
  Math.max(1, ...rows.map((row) => (row.kind === "table" ? row.rows : Math.max(row.step.rowCount, row.step.base))));

/** Shares of the full width, in percent; their sum never exceeds it. */
export function toBar(step: StepEvidence, scale: number): { kept: number; folded: number; leftOut: number } {
  const share = (rows: number) => (Math.max(0, rows) / scale) * 100;
  const kept = Math.min(100, share(step.rowCount));
  const folded = Math.min(100 - kept, share(step.folded));
  return { kept, folded, leftOut: Math.min(100 - kept - folded, share(step.leftOut)) };
}
