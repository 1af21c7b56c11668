/**
 * A chart as a Vega-Lite specification. Names and values are data: columns go by fixed field names, because a dot or a
 * bracket in a column's own name would be read as a path, and no text becomes an expression or an address.
 */
import type { TopLevelSpec } from "vega-lite";
import type { QueryResult } from "../../protocol/results.ts";
import { toVisibleString } from "../elements/visible-characters.ts";
import { type ChartChoice, toRoles, toTime } from "./chart-choice.ts";
import { toCellText } from "./result-cells.ts";

/** Colours as CSS, of the theme that is shown. */
export interface ChartColours {
  surface: string;
  ink: string;
  quiet: string;
  line: string;
  accent: string;
  series: string[];
}

/** Rows that are drawn: more bars can't be read, more points not be told apart. */
const most = { bar: 60, line: 5000, scatter: 5000 };

export const toDrawnRows = (result: QueryResult, { kind }: ChartChoice): number =>
  Math.min(result.rows.length, most[kind]);

const short = (text: string, length = 60): string => {
  const shown = toVisibleString(text);
  return shown.length > length ? `${shown.slice(0, length - 1)}…` : shown;
};
const nameOf = (result: QueryResult, index: number): string =>
  short(result.columns[index]?.name ?? "") || `column ${index + 1}`;

/** `revenue per artist` */
export function toChartTitle(result: QueryResult, { kind, x, y, series }: ChartChoice): string {
  const by = series === null ? "" : `, by ${nameOf(result, series)}`;
  return kind === "scatter"
    ? `${nameOf(result, y)} against ${nameOf(result, x)}${by}`
    : `${nameOf(result, y)} per ${nameOf(result, x)}${by}`;
}

interface Row {
  /** Position in the result. */
  row: number;
  x: string | number | null;
  y: number;
  series: string;
  /** The figure as the database gave it. */
  text: string;
  tip: string;
}

export function toChartSpec(
  result: QueryResult,
  choice: ChartChoice,
  colours: ChartColours,
  width: number,
): TopLevelSpec {
  const { kind } = choice;
  const isTime = toRoles(result)[choice.x] === "time";
  const rows = toRows(result, choice, isTime);
  const hasSeries = choice.series !== null;
  const title = { x: nameOf(result, choice.x), y: nameOf(result, choice.y) };
  const common = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width,
    autosize: { type: "fit-x" as const, contains: "padding" as const },
    background: colours.surface,
    data: { values: rows },
    config: toConfig(colours),
  };
  const colour = hasSeries
    ? {
        color: {
          field: "series",
          type: "nominal" as const,
          sort: null,
          scale: { range: colours.series },
          legend: { title: nameOf(result, choice.series ?? 0), orient: "top" as const, labelLimit: 160 },
        },
      }
    : {};
  const tooltip = { field: "tip", type: "nominal" as const };
  if (kind === "bar") return { ...common, ...toBars(rows, hasSeries, colour, tooltip) };
  const y = { field: "y", type: "quantitative" as const, title: title.y, scale: { zero: false, nice: true } };
  const x = isTime
    ? { field: "x", type: "temporal" as const, title: title.x, scale: { type: "utc" as const } }
    : { field: "x", type: "quantitative" as const, title: title.x, scale: { zero: false, nice: true } };
  // Series differ by more than their colour.
  if (kind === "line")
    return {
      ...common,
      height: 240,
      mark: { type: "line", strokeWidth: 2, point: rows.length <= 80 ? { size: 28 } : false },
      encoding: {
        x,
        y,
        ...colour,
        tooltip,
        ...(hasSeries ? { strokeDash: { field: "series", type: "nominal", sort: null, legend: null } } : {}),
      },
    };
  return {
    ...common,
    height: 260,
    mark: { type: "point", filled: true, opacity: 0.7, size: rows.length > 500 ? 16 : 36 },
    encoding: {
      x,
      y,
      ...colour,
      tooltip,
      ...(hasSeries ? { shape: { field: "series", type: "nominal", sort: null } } : {}),
    },
  };
}

function toRows(result: QueryResult, choice: ChartChoice, isTime: boolean): Row[] {
  return result.rows.slice(0, toDrawnRows(result, choice)).flatMap((cells, row): Row[] => {
    const [xCell = null, yCell = null] = [cells[choice.x], cells[choice.y]];
    const y = Number(yCell ?? Number.NaN);
    const x =
      choice.kind === "bar" ? short(toCellText(xCell), 40) : isTime ? toTime(xCell) : Number(xCell ?? Number.NaN);
    if (!Number.isFinite(y) || x === null || (typeof x === "number" && !Number.isFinite(x))) return [];
    const series = choice.series === null ? "" : short(toCellText(cells[choice.series] ?? null), 40);
    const text = toCellText(yCell);
    const tip = [short(toCellText(xCell), 120), series, text].filter((part) => part !== "").join(": ");
    return [{ row, x, y, series, text, tip }];
  });
}

/** Names on the left, the exact figure behind each bar: no axis to read it from is needed. */
function toBars(rows: Row[], hasSeries: boolean, colour: object, tooltip: { field: string; type: "nominal" }) {
  const longest = Math.max(0, ...rows.map((row) => row.text.length));
  const negative = rows.some((row) => row.y < 0);
  const room = longest * 7 + 10;
  const x = { field: "y", type: "quantitative" as const, axis: null, scale: { zero: true, nice: false } };
  const axis = { title: null, domain: false, ticks: false, labelLimit: 150, labelPadding: 8 };
  // Each row is a bar of its own, also when two have the same name: the names are looked up by position.
  const y = hasSeries
    ? { field: "x", type: "nominal" as const, sort: null, axis }
    : { field: "row", type: "ordinal" as const, axis: { ...axis, labelExpr: "names[datum.value]" } };
  const offset = hasSeries ? { yOffset: { field: "series", type: "nominal" as const, sort: null } } : {};
  return {
    padding: { left: negative ? room : 4, right: room, top: 4, bottom: 4 },
    height: { step: hasSeries ? 16 : 24 },
    params: [{ name: "names", value: Object.fromEntries(rows.map((row) => [row.row, row.x])) }],
    layer: [
      {
        mark: { type: "bar" as const, cornerRadiusEnd: 2, height: { band: hasSeries ? 0.9 : 0.6 } },
        encoding: { x, y, ...offset, ...colour, tooltip },
      },
      {
        mark: {
          type: "text" as const,
          baseline: "middle" as const,
          align: { expr: "datum.y < 0 ? 'right' : 'left'" },
          dx: { expr: "datum.y < 0 ? -6 : 6" },
        },
        encoding: { x, y, ...offset, text: { field: "text", type: "nominal" as const } },
      },
    ],
  };
}

function toConfig(colours: ChartColours) {
  const font = '"Inter Variable", Inter, system-ui, sans-serif';
  return {
    font,
    mark: { color: colours.accent },
    text: { color: colours.ink, fontSize: 12 },
    view: { stroke: null },
    axis: {
      labelColor: colours.quiet,
      labelFontSize: 12,
      titleColor: colours.quiet,
      titleFontSize: 12,
      titleFontWeight: 500 as const,
      domainColor: colours.line,
      tickColor: colours.line,
      gridColor: colours.line,
    },
    axisX: { grid: false },
    legend: { labelColor: colours.ink, labelFontSize: 12, titleColor: colours.quiet, titleFontSize: 12 },
  };
}
