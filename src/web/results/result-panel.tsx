import { type ReactNode, useMemo, useState } from "react";
import type { QueryResult } from "../../protocol/results.ts";
import { Button } from "../elements/button.tsx";
import { cn } from "../elements/class-names.ts";
import { plural, toDuration } from "../elements/numbers.ts";
import { beginChart, type ChartChoice, pickChart } from "./chart-choice.ts";
import { ChartPanel } from "./chart-panel.tsx";
import { CopyMenu } from "./copy-menu.tsx";
import { GridView } from "./result-grid.tsx";
import { RowFilter } from "./row-filter.tsx";
import { useGrid } from "./use-grid.ts";

export interface ResultPanelProps {
  result: QueryResult;
  /** How long the statement ran, when known. */
  ms?: number;
  /** Further controls, e.g. downloads. */
  actions?: ReactNode;
  maxHeight?: number;
  /** As the workspace names it: how SQL that is copied is quoted. */
  engine?: string | undefined;
}

/** Fewer rows than these are read at a glance. */
const filterFrom = 9;
/** More columns than these leave a chart no room beside them. */
const besideUpTo = 5;

/** The region `Result`: rows, and a chart where it says something. */
export function ResultPanel({ result, ms, actions, maxHeight = 420, engine }: ResultPanelProps) {
  const grid = useGrid(result);
  const [picked, begun] = useMemo(() => [pickChart(result), beginChart(result)], [result]);
  const [chosen, setChosen] = useState<{ of: QueryResult; choice: ChartChoice | null } | null>(null);
  const choice = chosen?.of === result ? chosen.choice : picked;
  const beside = choice !== null && result.columns.length <= besideUpTo;
  const count = result.truncated
    ? `First ${plural(result.rows.length, "row")}`
    : `${plural(result.rowCount, "row")}, complete`;
  return (
    <section aria-label="Result" className="mx-5 overflow-hidden rounded-md border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-3 py-1.5">
        <span className="num text-xs text-ink-2">
          {count}
          {ms === undefined ? "" : `, ${toDuration(ms)}`}
        </span>
        {result.rows.length >= filterFrom ? <RowFilter grid={grid} /> : null}
        <span className="ml-auto flex flex-wrap items-center gap-1">
          {begun ? (
            <Button
              variant="ghost"
              size="sm"
              icon="chart"
              aria-pressed={choice !== null}
              className={choice ? "bg-accent-soft text-accent-ink" : undefined}
              onClick={() => setChosen({ of: result, choice: choice ? null : (picked ?? begun) })}
            >
              Chart
            </Button>
          ) : null}
          <CopyMenu grid={grid} engine={engine} />
          {actions}
        </span>
      </div>
      <div className={cn("grid grid-cols-1", beside && "md:grid-cols-[minmax(0,1fr)_minmax(0,.85fr)]")}>
        <div className={cn("min-w-0", choice && "border-b border-line", beside && "md:border-b-0 md:border-r")}>
          <GridView grid={grid} maxHeight={maxHeight} />
        </div>
        {choice ? (
          <ChartPanel result={result} choice={choice} onChoice={(next) => setChosen({ of: result, choice: next })} />
        ) : null}
      </div>
    </section>
  );
}
