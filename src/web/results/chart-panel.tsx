import { lazy, Suspense, useState } from "react";
import type { QueryResult } from "../../protocol/results.ts";
import { Button } from "../elements/button.tsx";
import { Boundary } from "../elements/error-boundary.tsx";
import { toCount } from "../elements/numbers.ts";
import { toVisibleString } from "../elements/visible-characters.ts";
import { type ChartChoice, type ChartKind, changeKind, chartKinds, toPlaces } from "./chart-choice.ts";
import { toChartTitle, toDrawnRows } from "./chart-spec.ts";
import type { ChartPicture } from "./result-chart.tsx";
import { saveFile } from "./save-file.ts";

const ResultChart = lazy(async () => ({ default: (await import("./result-chart.tsx")).ResultChart }));

export interface ChartPanelProps {
  result: QueryResult;
  choice: ChartChoice;
  onChoice: (choice: ChartChoice) => void;
}

const kindWords: Record<ChartKind, string> = { bar: "Bar", line: "Line", scatter: "Scatter" };

/** A chart with what one changes about it, and its picture to take along. */
export function ChartPanel({ result, choice, onChoice }: ChartPanelProps) {
  const [picture, setPicture] = useState<ChartPicture | null>(null);
  const [axes, setAxes] = useState(false);
  const places = toPlaces(result, choice.kind);
  const drawn = toDrawnRows(result, choice);
  const save = (format: "png" | "svg") => {
    picture?.[format]().then(
      (blob) => saveFile(`${toChartTitle(result, choice).replace(/[^\p{L}\p{N}]+/gu, "-")}.${format}`, blob),
      (cause: unknown) => console.error("The picture could not be saved.", cause),
    );
  };
  const kinds = chartKinds.filter((kind) => changeKind(result, choice, kind) !== null);
  return (
    <figure className="min-w-0 px-3 py-2">
      <figcaption className="flex flex-wrap items-center gap-x-1 gap-y-1 text-xs text-ink-2">
        <span className="mr-auto min-w-0 py-1 [overflow-wrap:anywhere]">{toChartTitle(result, choice)}</span>
        <span className="flex items-center">
          <Select
            label="Kind of chart"
            value={choice.kind}
            options={kinds.map((kind) => ({ value: kind, label: kindWords[kind] }))}
            onPick={(value) => {
              const kind = kinds.find((one) => one === value);
              const next = kind ? changeKind(result, choice, kind) : null;
              if (next) onChoice(next);
            }}
          />
          <Button variant="ghost" size="sm" aria-expanded={axes} onClick={() => setAxes(!axes)}>
            Axes
          </Button>
          <Button
            variant="ghost"
            size="sm"
            blocked={picture ? undefined : "It is not drawn yet."}
            onClick={() => save("png")}
          >
            PNG
          </Button>
          <Button
            variant="ghost"
            size="sm"
            blocked={picture ? undefined : "It is not drawn yet."}
            onClick={() => save("svg")}
          >
            SVG
          </Button>
        </span>
      </figcaption>
      {axes ? (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 pb-1 text-xs text-ink-3">
          <Axis
            label="X"
            result={result}
            columns={places.x}
            value={choice.x}
            onPick={(x) => onChoice({ ...choice, x: x ?? choice.x })}
          />
          <Axis
            label="Y"
            result={result}
            columns={places.y}
            value={choice.y}
            onPick={(y) => onChoice({ ...choice, y: y ?? choice.y })}
          />
          <Axis
            label="Series"
            none
            result={result}
            columns={places.series.filter((index) => index !== choice.x)}
            value={choice.series}
            onPick={(series) => onChoice({ ...choice, series })}
          />
        </div>
      ) : null}
      <Boundary what="this chart" resetKey={JSON.stringify(choice)}>
        <Suspense fallback={<p className="py-6 text-xs text-ink-3">Drawing the chart…</p>}>
          <ResultChart result={result} choice={choice} onPicture={setPicture} />
        </Suspense>
      </Boundary>
      {drawn < result.rows.length ? (
        <p className="num pt-1 text-2xs text-ink-3">
          Drawn from the first {toCount(drawn)} of {toCount(result.rows.length)} rows
        </p>
      ) : null}
    </figure>
  );
}

interface AxisProps {
  label: string;
  result: QueryResult;
  columns: number[];
  value: number | null;
  /** May be left empty. */
  none?: boolean;
  onPick: (column: number | null) => void;
}

const Axis = ({ label, result, columns, value, none, onPick }: AxisProps) => (
  <span className="inline-flex items-center gap-1">
    <span aria-hidden="true">{label}</span>
    <Select
      label={label}
      value={value === null ? "" : String(value)}
      options={[
        ...(none ? [{ value: "", label: "none" }] : []),
        ...columns.map((index) => ({
          value: String(index),
          label: toVisibleString(result.columns[index]?.name ?? "") || `column ${index + 1}`,
        })),
      ]}
      onPick={(text) => onPick(text === "" ? null : Number(text))}
    />
  </span>
);

interface SelectProps {
  label: string;
  value: string;
  options: { value: string; label: string }[];
  onPick: (value: string) => void;
}

const Select = ({ label, value, options, onPick }: SelectProps) => (
  <select
    aria-label={label}
    value={value}
    onChange={(event) => onPick(event.target.value)}
    className="h-7 max-w-40 cursor-pointer rounded-md bg-transparent text-xs font-medium text-ink-2 hover:bg-hover hover:text-ink"
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
);
