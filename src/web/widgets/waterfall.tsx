import type { KeyboardEvent } from "react";
import type { StepEvidence } from "../../protocol/evidence.ts";
import { cn } from "../elements/class-names.ts";
import { toChange, toCount, toDuration } from "../elements/numbers.ts";
import { Prose } from "../elements/prose.tsx";
import { Name } from "../elements/visible-text.tsx";
import { toBar, toScale, toWaterfallRows, type WaterfallRow } from "./waterfall-rows.ts";

export interface WaterfallProps {
  steps: StepEvidence[];
  chosen: number;
  onChoose: (n: number) => void;
  /** Prefix of the ids that tie tabs and panel together. */
  id: string;
}

/** One grid for all rows, so that bars of long and short names start at the same place. */
const columns =
  "grid grid-cols-[minmax(0,132px)_minmax(0,1fr)_52px_56px] gap-x-3 md:grid-cols-[fit-content(34%)_minmax(0,1fr)_64px_68px_252px]";
const rowsOf = "col-span-full grid grid-cols-subgrid";
const grid = `${rowsOf} items-center px-3 text-left tabular-nums`;
const hatched = "bg-[repeating-linear-gradient(135deg,hsl(var(--line-strong))_0_1px,transparent_1px_4px)]";

export function Waterfall({ steps, chosen, onChoose, id }: WaterfallProps) {
  const rows = toWaterfallRows(steps);
  const scale = toScale(rows);
  const choose = (event: KeyboardEvent) => {
    const at = steps.findIndex((step) => step.n === chosen);
    const target = {
      ArrowDown: steps[at + 1],
      ArrowRight: steps[at + 1],
      ArrowUp: steps[at - 1],
      ArrowLeft: steps[at - 1],
      Home: steps[0],
      End: steps.at(-1),
    }[event.key];
    if (!target) return;
    event.preventDefault();
    onChoose(target.n);
    document.getElementById(`${id}-step-${target.n}`)?.focus();
  };
  return (
    <div className={cn("mx-5 overflow-hidden rounded-md border border-line", columns)}>
      <div
        aria-hidden="true"
        className={cn(grid, "border-b border-line bg-sunken py-1 text-2xs font-medium text-ink-3")}
      >
        <span className="pl-5">Step</span>
        <span>Rows kept</span>
        <span className="text-right">Rows</span>
        <span className="text-right">Change</span>
        <span className="hidden md:block">Where the rows went</span>
      </div>
      <div role="tablist" aria-label="Steps" aria-orientation="vertical" onKeyDown={choose} className={rowsOf}>
        {rows.map((row) => (
          <Row
            key={row.kind === "table" ? `table ${row.name}` : row.step.n}
            row={row}
            scale={scale}
            chosen={chosen}
            onChoose={onChoose}
            id={id}
          />
        ))}
      </div>
      <Legend steps={steps} />
    </div>
  );
}

function Row({
  row,
  scale,
  chosen,
  onChoose,
  id,
}: Omit<WaterfallProps, "steps"> & { row: WaterfallRow; scale: number }) {
  if (row.kind === "table") {
    return (
      <div role="presentation" className={cn(grid, "py-[5px]")}>
        <span className="pl-5 font-mono text-xs text-ink-3 [overflow-wrap:anywhere]">
          <Name text={row.name} />
        </span>
        <span className="block h-3.5">
          <span
            className="block h-full min-w-0.5 rounded-sm border border-control bg-surface"
            style={{ width: `${(row.rows / scale) * 100}%` }}
          />
        </span>
        <span className="text-right text-sm text-ink-3">{toCount(row.rows)}</span>
        <span />
        <span className="hidden text-xs text-ink-2 md:block">source table</span>
      </div>
    );
  }
  const { step } = row;
  const bar = toBar(step, scale);
  const isChosen = step.n === chosen;
  const change = step.rowCount - step.base;
  return (
    <button
      type="button"
      role="tab"
      id={`${id}-step-${step.n}`}
      aria-selected={isChosen}
      aria-controls={`${id}-panel`}
      tabIndex={isChosen ? 0 : -1}
      onClick={() => onChoose(step.n)}
      className={cn(
        grid,
        "py-[5px] -outline-offset-2",
        isChosen ? "bg-accent-soft shadow-[inset_3px_0_0_hsl(var(--accent))]" : "hover:bg-hover",
      )}
    >
      <span
        className={cn(
          "flex items-center gap-2 font-mono text-xs",
          isChosen ? "font-semibold text-accent-ink" : "text-ink",
        )}
      >
        <span className="w-3 shrink-0 text-ink-3">{step.n}</span>
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <Name text={step.name} />
        </span>
      </span>
      <span aria-hidden="true" className="flex h-3.5 w-full">
        <span
          className={cn("block h-full rounded-l-sm bg-accent", step.rowCount > 0 && "min-w-0.5")}
          style={{ width: `${bar.kept}%` }}
        />
        <span
          className={cn("block h-full", hatched, bar.folded > 0 && "border-r border-line-strong")}
          style={{ width: `${bar.folded}%` }}
        />
        <span className="block h-full bg-line" style={{ width: `${bar.leftOut}%` }} />
      </span>
      <span className="text-right text-sm font-medium">{toCount(step.rowCount)}</span>
      <span className="whitespace-nowrap text-right text-xs text-ink-2">
        {step.inputs.length === 0 ? "" : toChange(change)}
      </span>
      <span className="text-xs text-ink-2 max-md:col-span-4 max-md:pl-5 [overflow-wrap:anywhere]">
        <Prose text={step.why} />
      </span>
    </button>
  );
}

function Legend({ steps }: { steps: StepEvidence[] }) {
  const ms = steps.reduce((sum, step) => sum + step.ms, 0);
  const mark = (className: string, words: string) => (
    <li className="inline-flex items-center gap-1.5">
      <span aria-hidden="true" className={cn("h-2.5 w-4", className)} />
      {words}
    </li>
  );
  return (
    <div className="col-span-full flex flex-wrap gap-x-4 gap-y-1 border-t border-line bg-sunken px-3 py-1.5 text-2xs tabular-nums text-ink-3">
      <ul aria-label="Legend" className="flex flex-wrap gap-x-4 gap-y-1">
        {mark("rounded-sm border border-control bg-surface", "table")}
        {mark("rounded-sm bg-accent", "kept")}
        {mark(hatched, "folded by GROUP BY")}
        {mark("bg-line", "filtered out or cut")}
      </ul>
      <span className="md:ml-auto">Every step was run on all rows, read-only, {toDuration(ms)}</span>
    </div>
  );
}
