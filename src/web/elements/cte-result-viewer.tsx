import { Fragment, type ReactNode } from "react";
import type { StepEvidence } from "../../protocol/evidence.ts";
import { ResultGrid } from "../results/result-grid.tsx";
import { CopyButton } from "./copy-button.tsx";
import { plural, toCount } from "./numbers.ts";
import { SqlViewer } from "./sql-viewer.tsx";
import { VisibleText } from "./visible-text.tsx";

export interface CteResultViewerProps {
  step: StepEvidence;
  /** Further controls beside Copy SQL. */
  controls?: ReactNode;
}

/** One CTE: its slice of the SQL, its first rows, its count. One SQL block, therefore no layout control. */
export function CteResultViewer({ step, controls }: CteResultViewerProps) {
  const shown = step.result.rows.length;
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5 tabular-nums">
        <h3 className="text-sm font-semibold [overflow-wrap:anywhere]">
          <span className="mr-2 text-ink-3">{step.n}</span>
          <span className="font-mono text-xs">
            <VisibleText text={step.name} />
          </span>
        </h3>
        <span className="min-w-0 text-xs text-ink-2 [overflow-wrap:anywhere]">
          {plural(step.rowCount, "row")}, {plural(step.result.columns.length, "column")}
          <Inputs inputs={step.inputs} />
        </span>
        <span className="ml-auto flex items-center gap-1">
          <CopyButton text={step.sql}>Copy SQL</CopyButton>
          {controls}
        </span>
      </div>
      {step.purpose ? (
        <p className="border-b border-line px-3 py-1.5 text-xs text-ink-2">
          <span className="block max-w-[96ch]">
            <VisibleText text={step.purpose} />
          </span>
        </p>
      ) : null}
      <div className="grid grid-cols-1 md:grid-cols-[minmax(0,1.17fr)_minmax(0,1fr)]">
        <div className="min-w-0 border-b border-line bg-sunken md:border-b-0 md:border-r">
          <SqlViewer blocks={[{ sql: step.sql, startLine: step.startLine }]} />
        </div>
        <div className="min-w-0">
          <ResultGrid
            result={{ ...step.result, truncated: false }}
            numbered={false}
            maxHeight={320}
            label={`Rows of ${step.name}`}
          />
        </div>
      </div>
      <p className="border-t border-line px-3 py-1.5 text-xs tabular-nums text-ink-3">
        {shown < step.rowCount
          ? `First ${toCount(shown)} of ${plural(step.rowCount, "row")}, in the order the database gave them`
          : `All ${plural(step.rowCount, "row")}, in the order the database gave them`}
      </p>
    </div>
  );
}

function Inputs({ inputs }: { inputs: StepEvidence["inputs"] }) {
  if (inputs.length === 0) return null;
  return (
    <>
      , from{" "}
      {inputs.map((input, index) => (
        <Fragment key={input.name}>
          {index === 0 ? "" : index === inputs.length - 1 ? " and " : ", "}
          <code className="font-mono text-xs text-ink">
            <VisibleText text={input.name} />
          </code>
        </Fragment>
      ))}
    </>
  );
}
