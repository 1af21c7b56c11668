/** Which chart a result's shape speaks for, and which ones it allows. Pies are not offered: lengths are read better. */
import type { Cell, QueryResult } from "../../protocol/results.ts";
import { toColumnShape } from "./result-cells.ts";

export const chartKinds = ["bar", "line", "scatter"] as const;
export type ChartKind = (typeof chartKinds)[number];

/** Columns by position. */
export interface ChartChoice {
  kind: ChartKind;
  x: number;
  y: number;
  series: number | null;
}

export type ColumnRole = "number" | "time" | "name";

/** Numbers that name a row rather than measure it. */
const notMeasured = /(^|_)(id|year|month|quarter|week|day|rank|position|number)$|[a-z]Id$/i;
const yearName = /(^|_|[a-z])year$/i;
const timeText =
  /^(\d{4})-(\d{2})(?:-(\d{2})(?:[ T](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}(?::?\d{2})?)?)?)?$/;

/** Milliseconds since 1970 as the clock of the database showed them; null for what is no date. */
export function toTime(cell: Cell): number | null {
  if (typeof cell === "number")
    return Number.isInteger(cell) && cell >= 1000 && cell <= 2999 ? Date.UTC(cell, 0) : null;
  const found = typeof cell === "string" ? timeText.exec(cell.trim()) : null;
  if (!found) return null;
  const [, year, month, day = "1", hour = "0", minute = "0", second = "0"] = found;
  return Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
}

export function toRoles(result: QueryResult): ColumnRole[] {
  return result.columns.map(({ name }, index) => {
    const filled = result.rows.map((row) => row[index] ?? null).filter((cell) => cell !== null);
    const isYear = yearName.test(name);
    const isTime =
      filled.length > 0 && filled.every((cell) => (isYear || typeof cell === "string") && toTime(cell) !== null);
    if (isTime) return "time";
    return toColumnShape(result, index).numeric ? "number" : "name";
  });
}

const mostBars = 24;
const mostGroups = 40;
const mostSeries = 8;

/** Null when a picture would say no more than the rows, or something else than they do. */
export function pickChart(result: QueryResult): ChartChoice | null {
  const { rows, columns } = result;
  if (result.truncated || rows.length < 2) return null;
  const roles = toRoles(result);
  const measures = columns.flatMap(({ name }, index) =>
    roles[index] === "number" && !notMeasured.test(name) && says(result, index) ? [index] : [],
  );
  const [y, second] = measures;
  if (y === undefined) return null;
  const names = roles.flatMap((role, index) => (role === "name" ? [index] : []));
  const time = roles.indexOf("time");
  if (time >= 0 && rows.length > 2) {
    if (isUnique(result, [time])) return { kind: "line", x: time, y, series: null };
    const series = names.find((index) => distinct(result, index) <= mostSeries && isUnique(result, [time, index]));
    if (series !== undefined) return { kind: "line", x: time, y, series };
  }
  // A name on several bars needs another column to tell them apart.
  const x = [...names, ...(time >= 0 ? [time] : [])].find((index) => isUnique(result, [index]));
  if (x !== undefined && rows.length <= mostBars) return { kind: "bar", x, y, series: null };
  const [first, other] = names;
  if (
    first !== undefined &&
    other !== undefined &&
    rows.length <= mostGroups &&
    distinct(result, other) <= mostSeries &&
    isUnique(result, [first, other])
  )
    return { kind: "bar", x: first, y, series: other };
  if (second !== undefined && rows.length > 4) return { kind: "scatter", x: y, y: second, series: null };
  return null;
}

/** What to begin with when somebody wants a chart where none speaks for itself; null without any figure. */
export function beginChart(result: QueryResult): ChartChoice | null {
  const roles = toRoles(result);
  const y = roles.lastIndexOf("number");
  if (result.rows.length < 2 || y < 0) return null;
  const x = roles.findIndex((_, index) => index !== y);
  if (x < 0) return null;
  return { kind: roles[x] === "number" ? "scatter" : roles[x] === "time" ? "line" : "bar", x, y, series: null };
}

/** Columns that each place of a chart may take. */
export function toPlaces(result: QueryResult, kind: ChartKind): { x: number[]; y: number[]; series: number[] } {
  const roles = toRoles(result);
  const all = result.columns.map((_, index) => index);
  const numbers = all.filter((index) => roles[index] === "number");
  const few = all.filter((index) => roles[index] !== "number" && distinct(result, index) <= mostSeries);
  switch (kind) {
    case "bar":
      return { x: all, y: numbers, series: few };
    case "line":
      return { x: all.filter((index) => roles[index] !== "name"), y: numbers, series: few };
    case "scatter":
      return { x: numbers, y: numbers, series: few };
  }
}

/** Another kind with the same columns where they fit, and the first that do where they don't. */
export function changeKind(result: QueryResult, choice: ChartChoice, kind: ChartKind): ChartChoice | null {
  const places = toPlaces(result, kind);
  const y = places.y.includes(choice.y) ? choice.y : places.y[0];
  if (y === undefined) return null;
  const x = places.x.includes(choice.x) ? choice.x : (places.x.find((index) => index !== y) ?? places.x[0]);
  if (x === undefined) return null;
  return { kind, x, y, series: choice.series !== null && places.series.includes(choice.series) ? choice.series : null };
}

/** Bars of one length, or points on one line, say nothing. */
const says = (result: QueryResult, index: number): boolean => distinct(result, index) > 1;

const distinct = (result: QueryResult, index: number): number =>
  new Set(result.rows.map((row) => row[index] ?? null)).size;

const isUnique = (result: QueryResult, columns: number[]): boolean =>
  new Set(result.rows.map((row) => JSON.stringify(columns.map((column) => row[column] ?? null)))).size ===
  result.rows.length;
