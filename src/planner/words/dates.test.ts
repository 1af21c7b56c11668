import { describe, expect, it } from "vitest";
import { findDates } from "./dates.ts";
import { tokenize } from "./language.ts";

const period = (text: string, today?: string) => {
  const { from, to, months } = findDates(tokenize(text), text, today)[0]?.period ?? {};
  return months ? { months } : { from, to };
};

describe("findDates", () => {
  it.each([
    ["sales in 2022", "2022-01-01", "2023-01-01"],
    ["invoices issued in March 2023", "2023-03-01", "2023-04-01"],
    ["between 2021 and 2023", "2021-01-01", "2024-01-01"],
    ["from January 2021 to March 2021", "2021-01-01", "2021-04-01"],
    ["hired before 2003", undefined, "2003-01-01"],
    ["hired after 2003", "2004-01-01", undefined],
    ["since 2022-05-01", "2022-05-01", undefined],
    ["on 5 May 2021", "2021-05-05", "2021-05-06"],
    ["on December 31, 2021", "2021-12-31", "2022-01-01"],
    ["in the second quarter of 2024", "2024-04-01", "2024-07-01"],
    ["only 2010", "2010-01-01", "2011-01-01"],
    ["in 2014 or 2015", "2014-01-01", "2016-01-01"],
    ["spent in the 90 days before 2023-07-01", "2023-04-02", "2023-07-01"],
    ["in the 30 days up to and including 2023-12-15", "2023-11-16", "2023-12-16"],
    ["within two weeks after 1 May 2023", "2023-05-02", "2023-05-16"],
    ["trips from March to June 2023", "2023-03-01", "2023-07-01"],
    ["between May and July 2022", "2022-05-01", "2022-08-01"],
  ])("%s", (text, from, to) => {
    expect(period(text)).toEqual({ from, to });
  });

  it("reads a month without a year, and last year only when told the day", () => {
    expect(period("births in May")).toEqual({ months: [5] });
    expect(period("sales last year", "2026-11-30")).toEqual({ from: "2025-01-01", to: "2026-01-01" });
    expect(findDates(tokenize("sales last year"), "sales last year")).toEqual([]);
  });

  it.each([
    ["orders in the past 30 days", "2026-10-31", "2026-12-01"],
    ["within the last 2 weeks", "2026-11-16", "2026-12-01"],
    ["over the past month", "2026-10-30", "2026-12-01"],
    ["in the last 10 years", "2016-11-30", "2026-12-01"],
    ["sold today", "2026-11-30", "2026-12-01"],
    ["in the past 7 days, inclusive of today", "2026-11-23", "2026-12-01"],
  ])("counts back from the day it is told: %s", (text, from, to) => {
    expect(period(text, "2026-11-30")).toEqual({ from, to });
    expect(findDates(tokenize(text), text)).toEqual([]);
  });

  it("leaves numbers alone that are compared", () => {
    for (const text of ["more than 2000 tracks", "a capacity over 1990", "at least 2010 rows"])
      expect(findDates(tokenize(text), text), text).toEqual([]);
  });
});
