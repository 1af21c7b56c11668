/** What a reviewer should know about a filter, from its figures. Pure. */
import { foldAccents } from "../catalog/fold-text.ts";
import type { Chip, Column, FilterDecision, FilterEvidence, Finding, Severity, Table } from "../protocol/index.ts";
import { cut, figure, listing, quoteText, rowsOf } from "./ask.ts";
import type { DateReading } from "./date-buckets.ts";
import { sayDivision } from "./find-divisions.ts";

export interface FilterFacts extends Pick<FilterEvidence, "kept" | "of" | "matches" | "range" | "buckets"> {
  filter: FilterDecision;
  table: Table;
  column: Column;
  /** The condition that was counted; undefined when the table alone can't decide it. */
  condition: string | undefined;
  /** Rows whose column is NULL. */
  nulls: number;
  /** Rows of the last day that an upper end without a time of day leaves out. */
  cutAtMidnight?: number;
  /** Divisions in the condition that drop the rest. */
  divisions?: string[];
  dates?: DateReading;
}

type Add = (severity: Severity, code: string, title: string, body: string, waysOut?: string[]) => void;

/** `n` is the filter's 1-based number. */
export function findFilters(facts: FilterFacts, n: number): Finding[] {
  const findings: Finding[] = [];
  const add: Add = (severity, code, title, body, waysOut = []) => {
    const chips: Chip[] = waysOut.map((text) => ({ label: cut(text, 120), text: cut(text, 400) }));
    findings.push({
      id: `${code}-${n}`,
      code,
      severity,
      title: cut(title, 300),
      body: cut(body, 1000),
      waysOut: chips,
      where: n,
    });
  };
  findZero(facts, add);
  findSpellings(facts, add);
  findNulls(facts, add);
  findKinds(facts, add);
  for (const division of facts.divisions ?? []) {
    const { title, body, wayOut } = sayDivision(division);
    add("warning", "integer-division", title, body, [wayOut]);
  }
  findDates(facts, add);
  return findings;
}

const nameOf = (facts: FilterFacts): string => `${facts.table.name}.${facts.column.name}`;

function findZero(facts: FilterFacts, add: Add): void {
  const { filter, kept, of } = facts;
  if (kept === null || of === 0) return;
  if (kept === of) {
    add(
      "info",
      "keeps-all",
      `The filter for “${filter.words}” keeps all ${rowsOf(of)}`,
      `${filter.condition} is true for every row of ${facts.table.name}.`,
    );
    return;
  }
  if (kept > 0) return;
  const near = facts.matches.filter((match) => !match.inFilter && match.rows > 0).slice(0, 4);
  const wanted = filter.values.length > 0 ? listing(filter.values.map((value) => `“${value}”`)) : `“${filter.words}”`;
  if (near.length > 0) {
    add(
      "warning",
      "no-rows",
      `No stored value matches ${wanted}`,
      `Nearest: ${near.map((match) => `${match.value} (${figure(match.rows)})`).join(", ")}.`,
      near.map((match) => `Use ${quoteText(match.value)} for ${nameOf(facts)}`),
    );
    return;
  }
  const span = facts.range ? ` Stored values lie between ${facts.range.min} and ${facts.range.max}.` : "";
  add(
    "warning",
    "no-rows",
    `No row of ${facts.table.name} matches “${filter.words}”`,
    `${filter.condition} keeps 0 of ${rowsOf(of)}.${span}`,
    [`Search the other columns for ${wanted}`],
  );
}

/** The same word in another spelling, stored but not kept. */
function findSpellings(facts: FilterFacts, add: Add): void {
  const { filter } = facts;
  if (!["=", "IN", "LIKE"].includes(filter.operator) || facts.kept === 0) return;
  const kept = new Set(
    [...filter.values.map(String), ...facts.matches.filter((match) => match.inFilter).map((match) => match.value)].map(
      foldAccents,
    ),
  );
  const others = facts.matches.filter(
    (match) => !match.inFilter && match.rows > 0 && kept.has(foldAccents(match.value)),
  );
  if (others.length === 0) return;
  const inside = facts.matches.filter((match) => match.inFilter).slice(0, 3);
  add(
    "notice",
    "spelling-left-out",
    `${others.length === 1 ? "Another spelling is" : `${others.length} other spellings are`} left out`,
    `Left out: ${others.map((match) => `${match.value} (${figure(match.rows)})`).join(", ")}. In the filter: ${inside.map((match) => `${match.value} (${figure(match.rows)})`).join(", ") || "nothing"}.`,
    others.slice(0, 4).map((match) => `Add ${quoteText(match.value)}`),
  );
}

function findNulls(facts: FilterFacts, add: Add): void {
  const { filter, nulls } = facts;
  const text = filter.condition.replace(/'(?:[^']|'')*'/g, "''");
  const compared = /(=|<>|!=)\s*NULL\b/i.exec(text);
  if (compared) {
    const negated = compared[1] !== "=";
    add(
      "warning",
      "equals-null",
      `${compared[1]} NULL is never true`,
      `A missing value is found with IS ${negated ? "NOT " : ""}NULL.`,
      [`Use IS ${negated ? "NOT " : ""}NULL for ${nameOf(facts)}`],
    );
  }
  if (/\bNOT\s+IN\s*\(\s*SELECT\b/i.test(text) && facts.kept === 0) {
    add(
      "warning",
      "not-in-null",
      "NOT IN keeps nothing",
      "One missing value in the list of the subquery is enough for that.",
      ["Use NOT EXISTS instead of NOT IN"],
    );
  }
  if ((filter.operator === "NOT IN" || filter.operator === "<>" || filter.operator === "NOT LIKE") && nulls > 0) {
    add(
      // With NOT IN people mean everything else, and seldom think of rows without a value.
      filter.operator === "NOT IN" ? "warning" : "notice",
      "null-left-out",
      `${rowsOf(nulls)} without ${facts.column.name} ${nulls === 1 ? "is" : "are"} left out too`,
      `A missing value is neither equal nor different, so ${filter.operator} drops it.`,
      [`Keep rows without ${facts.column.name}`],
    );
  }
}

const isNumeric = (text: string): boolean => text.trim() !== "" && Number.isFinite(Number(text));

function findKinds(facts: FilterFacts, add: Add): void {
  const { filter, column } = facts;
  const ordering = ["<", "<=", ">", ">=", "BETWEEN"].includes(filter.operator);
  if (column.kind === "text" && filter.values.some((value) => typeof value === "number") && !facts.dates) {
    add(
      "warning",
      "text-with-number",
      `${nameOf(facts)} is text and is compared with a number`,
      ordering
        ? "Texts are ordered letter by letter: '9' comes after '10'."
        : "It only matches where the text is written the same way.",
      [`Convert ${nameOf(facts)} to a number`],
    );
  }
  if ((column.kind === "integer" || column.kind === "number") && filter.operator !== "other") {
    const texts = filter.values.filter((value): value is string => typeof value === "string" && !isNumeric(value));
    if (texts.length > 0) {
      add(
        "warning",
        "number-with-text",
        `${nameOf(facts)} is a number and is compared with text`,
        `${listing(texts.map(quoteText))} is no number, so the comparison does not mean what it says.`,
        [`Use a number for ${nameOf(facts)}`],
      );
    }
  }
  if (/LIKE$/.test(filter.operator)) {
    const bare = filter.values.map(String).filter((value) => !/[%_]/.test(value));
    if (bare.length > 0) {
      add(
        "warning",
        "like-without-wildcard",
        "LIKE without % or _",
        `${listing(bare.map(quoteText))} only matches the whole value.`,
        [`Use LIKE ${quoteText(`%${bare[0]}%`)}`, `Use = ${quoteText(bare[0] ?? "")}`],
      );
    }
  }
}

/** The last day of `<= '2023-12-31'` or of BETWEEN, when it is written without a time. */
export function toLastDay(filter: FilterDecision): string | undefined {
  const upper =
    filter.operator === "<=" ? filter.values[0] : filter.operator === "BETWEEN" ? filter.values[1] : undefined;
  return typeof upper === "string" && /^\d{4}-\d\d-\d\d$/.test(upper) ? upper : undefined;
}

function findDates(facts: FilterFacts, add: Add): void {
  const { filter, dates } = facts;
  if (!dates) return;
  const ordering = ["<", "<=", ">", ">=", "BETWEEN"].includes(filter.operator);
  if (ordering && !dates.textOrder) {
    // A condition that converts the text first is right; it names the column inside a function.
    const converts = /\b(substr|substring|date|strftime|julianday|replace|printf)\s*\(/i.test(filter.condition);
    if (!converts) {
      const values = filter.values.map((value) => quoteText(String(value)));
      const right =
        dates.iso === undefined
          ? undefined
          : filter.operator === "BETWEEN"
            ? `${dates.iso} BETWEEN ${values.join(" AND ")}`
            : `${dates.iso} ${filter.operator} ${values[0] ?? ""}`;
      add(
        "warning",
        "date-text-order",
        `${nameOf(facts)} stores dates as ${dates.format}`,
        "Comparing these texts does not compare the dates: the first letters are the day or the month.",
        right === undefined ? [`Convert ${nameOf(facts)} to YYYY-MM-DD first`] : [`Use ${right}`],
      );
    }
    return;
  }
  const timed = /HH:MM/.test(dates.format);
  const upper = toLastDay(filter);
  const lost = facts.cutAtMidnight ?? 0;
  if (timed && upper !== undefined && (lost > 0 || (facts.range && facts.range.max.slice(0, 10) >= upper))) {
    add(
      lost > 0 ? "warning" : "notice",
      "date-edge",
      `The end ${upper} is cut at midnight`,
      lost > 0
        ? `${nameOf(facts)} holds a time of day: ${rowsOf(lost)} on ${upper} ${lost === 1 ? "is" : "are"} left out.`
        : `${nameOf(facts)} holds a time of day, so rows later on ${upper} would be left out; today there are none.`,
      [`Use < the day after ${upper}`],
    );
  }
  if (
    timed &&
    (filter.operator === "=" || filter.operator === "IN") &&
    filter.values.some((value) => /^\d{4}-\d\d-\d\d$/.test(String(value))) &&
    facts.kept === 0
  ) {
    add(
      "notice",
      "date-edge",
      "A day is compared with a moment",
      `${nameOf(facts)} holds a time of day, so = a date matches nothing.`,
      [`Use a range of one day for ${nameOf(facts)}`],
    );
  }
}
