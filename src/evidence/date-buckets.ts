/** Dates stored as text or as dates: how they are written, and an expression that puts them in order. Pure. */
import type { Dialect } from "../sql/dialect.ts";

export interface DateReading {
  /** As found, e.g. `DD/MM/YYYY`. */
  format: string;
  /** SQL over the column that gives `YYYY-MM-DD`, or as much of it as is stored; undefined when there is none. */
  iso?: string;
  /** Comparing the texts compares the dates. */
  textOrder: boolean;
}

/** `column` is quoted SQL that gives text; all values are taken to be padded (`05/03/2024`). */
export function readDates(format: string, column: string, dialect: Dialect): DateReading {
  const part = (from: number, length: number) => `substr(${column}, ${from}, ${length})`;
  const parted = (year: number, month: number, day: number) =>
    dialect.concat([part(year, 4), "'-'", part(month, 2), "'-'", part(day, 2)]);
  if (/^YYYY-MM/.test(format)) return { format, iso: part(1, 10), textOrder: true };
  if (/^YYYY\/MM\/DD/.test(format)) return { format, iso: `replace(${part(1, 10)}, '/', '-')`, textOrder: true };
  if (format === "YYYYMMDD") return { format, iso: parted(1, 5, 7), textOrder: true };
  if (format === "YYYY") return { format, iso: dialect.asText(column), textOrder: true };
  // With two readings there is no order to be sure of.
  if (format.includes(" or ")) return { format, textOrder: false };
  const parts = /^(DD|MM)([/.-])(DD|MM)\2YYYY/.exec(format);
  if (parts) {
    const at = (name: string) => (parts[1] === name ? 1 : 4);
    return {
      format,
      iso: parted(7, at("MM"), at("DD")),
      textOrder: false,
    };
  }
  return { format, textOrder: false };
}
