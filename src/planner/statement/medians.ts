/**
 * Medians, which most engines have no function for: each row gets its place within its group and the group's size, and
 * the one or two rows in the middle are averaged.
 */
import type { Column } from "./joined-tables.ts";

/** A number of the rows with the columns that hold its place and how many there are. */
export interface Placed {
  value: string;
  place: string;
  size: string;
}

/** `mayBeNull`: rows without the number come last, and are not counted. */
export function placeColumns(placed: Placed, value: string, per: readonly string[], mayBeNull: boolean): Column[] {
  const by = per.length > 0 ? `PARTITION BY ${per.join(", ")}` : "";
  const order = `ORDER BY ${mayBeNull ? `CASE WHEN ${value} IS NULL THEN 1 ELSE 0 END, ` : ""}${value}`;
  return [
    { sql: `ROW_NUMBER() OVER (${[by, order].filter(Boolean).join(" ")})`, name: placed.place },
    { sql: `COUNT(${value}) OVER (${by})`, name: placed.size },
  ];
}

/** The average of the rows in the middle. */
export const medianOf = (value: string, place: string, size: string): string =>
  `AVG(CASE WHEN 2 * ${place} BETWEEN ${size} AND ${size} + 2 THEN ${value} END)`;
