/** Days, months, quarters and years in a column of results, and which of them are missing. Pure. */
import type { Cell, QueryResult } from "../../protocol/index.ts";

export type PeriodUnit = "day" | "month" | "quarter" | "year";
export interface Periods {
  unit: PeriodUnit;
  present: number;
  missing: string[];
  last: string;
}

const dayMs = 86_400_000;

/** Reads one cell, or a cell for the year and one for the month. */
function read(unit: PeriodUnit, text: string): number | undefined {
  const parts = /^(\d{4})(?:-?Q?(\d{1,2}))?(?:-(\d{1,2}))?/.exec(text);
  if (!parts) return undefined;
  const [year, second, third] = [Number(parts[1]), Number(parts[2] ?? 1), Number(parts[3] ?? 1)];
  if (unit === "year") return year;
  if (unit === "quarter") return year * 4 + (second - 1);
  if (unit === "month") return second < 1 || second > 12 ? undefined : year * 12 + (second - 1);
  const time = Date.UTC(year, second - 1, third);
  return Number.isNaN(time) ? undefined : Math.round(time / dayMs);
}

function show(unit: PeriodUnit, at: number): string {
  if (unit === "year") return String(at);
  if (unit === "quarter") return `${Math.floor(at / 4)}-Q${(at % 4) + 1}`;
  if (unit === "month") return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, "0")}`;
  return new Date(at * dayMs).toISOString().slice(0, 10);
}

function unitOf(texts: readonly string[]): PeriodUnit | undefined {
  const all = (pattern: RegExp) => texts.every((text) => pattern.test(text));
  if (all(/^(1[5-9]|20|21)\d\d(\.0)?$/)) return "year";
  if (all(/^\d{4}-?Q[1-4]$/)) return "quarter";
  if (all(/^\d{4}-\d{2}$/)) return "month";
  if (!all(/^\d{4}-\d{2}-\d{2}([ T]00:00:00(\.0+)?(Z|\+00(:00)?)?)?$/)) return undefined;
  if (!all(/^\d{4}-\d{2}-01/)) return "day";
  return all(/^\d{4}-(01|04|07|10)-01/) ? (all(/^\d{4}-01-01/) ? "year" : "quarter") : "month";
}

/** `columns`: positions of the period, or of its year and month. */
export function periodsIn(rows: QueryResult["rows"], columns: readonly number[]): Periods | undefined {
  const texts = rows.flatMap((row) => {
    const cells = columns.map((at) => row[at]);
    return cells.some((cell) => cell === null || cell === undefined) ? [] : [join(cells as Cell[])];
  });
  const unit = unitOf(texts);
  if (texts.length < 2 || unit === undefined) return undefined;
  const found = new Set(texts.flatMap((text) => read(unit, text) ?? []));
  const [least, most] = [Math.min(...found), Math.max(...found)];
  if (found.size < 2 || most - least > 4000) return undefined;
  const missing: string[] = [];
  for (let at = least + 1; at < most; at += 1) if (!found.has(at)) missing.push(show(unit, at));
  return { unit, present: found.size, missing, last: show(unit, most) };
}

function join(cells: readonly Cell[]): string {
  const [year, part] = cells.map((cell) => String(cell).replace(/\.0+$/, ""));
  return part === undefined ? (year ?? "") : `${year}-${part.padStart(2, "0")}`;
}
