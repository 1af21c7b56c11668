/** Days, months and years as tokens name them, and as ISO dates. */
import type { Token } from "./language.ts";

const monthNames = [
  "january",
  "february",
  "march",
  "april",
  "may",
  "june",
  "july",
  "august",
  "september",
  "october",
  "november",
  "december",
];
export interface Moment {
  /** Start of the day, month or year, and of the one after it. */
  from: string;
  to: string;
  years?: [number, number];
}

const pad = (value: number, size = 2) => String(value).padStart(size, "0");
export const iso = (year: number, month = 1, day = 1) => {
  const date = new Date(Date.UTC(year, month - 1, day));
  return `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1)}-${pad(date.getUTCDate())}`;
};
export const isYear = (token: Token | undefined) =>
  token?.number !== undefined &&
  !token.sign &&
  Number.isInteger(token.number) &&
  token.number >= 1800 &&
  token.number <= 2100 &&
  token.text.length === 4;
export const monthOf = (token: Token | undefined): number => {
  if (!token || token.quoted) return 0;
  const at = monthNames.findIndex(
    (name) =>
      name === token.lower ||
      (token.lower.length >= 3 &&
        name.startsWith(token.lower) &&
        (token.lower !== "mar" || token.text === "Mar") &&
        token.lower.length <= 4),
  );
  return at + 1;
};
export const dayOf = (token: Token | undefined): number => {
  const match = token ? /^(\d{1,2})(st|nd|rd|th)?$/.exec(token.lower) : null;
  const day = Number(match?.[1] ?? 0);
  return day >= 1 && day <= 31 ? day : 0;
};

export type DayUnit = "day" | "week" | "month" | "year";
export const unitsBack: Record<string, DayUnit> = {
  day: "day",
  days: "day",
  week: "week",
  weeks: "week",
  month: "month",
  months: "month",
  year: "year",
  years: "year",
};

/** So many units away from a day, as an ISO date. */
export function shift(day: string, count: number, unit: DayUnit): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  if (unit === "year") return iso(year + count, month, date);
  if (unit === "month") return iso(year, month + count, date);
  return iso(year, month, date + count * (unit === "week" ? 7 : 1));
}
