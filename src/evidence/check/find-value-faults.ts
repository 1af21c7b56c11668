/** Literals that are not stored where they are looked for: other spelling, other column, nowhere; and the conditions that can't mean what they say. */
import type { FilterDecision, Severity } from "../../protocol/index.ts";
import { toCondition } from "../../sql/accepted.ts";
import { fold } from "../../sql/scope.ts";
import { quoteText } from "../ask.ts";
import { measureFilters } from "../measure-filters.ts";
import { type CheckSubject, columnOf, isNumeric, type Warn } from "./check-subject.ts";
import type { Comparison } from "./comparisons.ts";
import { keyOf } from "./walk-tree.ts";

interface Tested {
  comparison: Comparison;
  filter: FilterDecision;
}

/**
 * Findings of the filters' evidence that are said as they are, with what they weigh here: a gate asks once about one
 * filter, a check speaks about statements that mostly are right. The others are said here with more.
 */
const passed: Record<string, Severity> = {
  "number-with-text": "warning",
  "text-with-number": "info",
  "date-text-order": "warning",
  "date-edge": "warning",
  "like-without-wildcard": "notice",
  "spelling-left-out": "notice",
  "null-left-out": "info",
};

export async function findValueFaults(subject: CheckSubject, warn: Warn): Promise<void> {
  const { database, catalog, values, query } = subject;
  const tests = query.selects.flatMap((select) => select.comparisons.flatMap((one) => toTested(subject, one) ?? []));
  const seen = new Set<string>();
  const distinct = tests.filter(({ filter }) => {
    const key = `${keyOf(filter)} ${filter.operator} ${JSON.stringify(filter.values)}`;
    return !seen.has(key) && seen.add(key);
  });
  const measured = await measureFilters(
    database,
    catalog,
    values,
    distinct.slice(0, 12).map(({ filter }) => filter),
  );
  if ("problem" in measured) return;
  for (const [index, evidence] of measured.filters.entries()) {
    const test = distinct[index];
    if (!test) continue;
    const { filter, comparison } = test;
    const place = `${filter.table}.${filter.column}`;
    const sought = ["=", "IN", "LIKE"].includes(filter.operator);
    // What leaves nothing out looks for something that isn't there either.
    const idle = (filter.operator === "<>" || filter.operator === "NOT IN") && evidence.kept === evidence.of;
    if (evidence.of > 0 && ((evidence.kept === 0 && sought) || idle))
      findUnstored(subject, filter, comparison.binding, warn);
    else if (evidence.kept === 0 && evidence.of > 0 && comparison.binding)
      warn("warning", "no-rows", `No row of ${filter.table} fits ${filter.condition}.`, place);
    else if (filter.operator === "IN" && evidence.kept !== null) findPartlyStored(subject, filter, warn);
    for (const finding of measured.findings) {
      if (finding.where !== index + 1) continue;
      const most = passed[finding.code];
      if (most)
        warn(finding.severity === "notice" ? "notice" : most, finding.code, `${finding.title}. ${finding.body}`, place);
    }
  }
}

function toTested({ catalog, database }: CheckSubject, comparison: Comparison): Tested | undefined {
  const [origin] = comparison.origins;
  if (!origin || comparison.origins.length !== 1 || !comparison.plain || comparison.clause === "having")
    return undefined;
  const column = columnOf(catalog, origin);
  if (!column || origin.through) return undefined;
  const values = comparison.literals.map(({ text, number }) => (number ? Number(text) : text));
  const filter: FilterDecision = {
    kind: "filter",
    words: comparison.literals.map(({ text }) => text).join(", "),
    table: origin.table,
    column: column.name,
    operator: comparison.operator,
    values,
    condition: "",
  };
  const condition = toCondition(filter, database.engine);
  return condition === undefined ? undefined : { comparison, filter: { ...filter, condition } };
}

const isDay = (text: string): boolean => /^\d{4}-\d\d/.test(text);

/** A text compared for equality that the column doesn't hold. */
function findUnstored(subject: CheckSubject, filter: FilterDecision, binding: boolean, warn: Warn): void {
  for (const value of filter.values) sayWhere(subject, filter, String(value), binding, warn);
}

function findPartlyStored(subject: CheckSubject, filter: FilterDecision, warn: Warn): void {
  const { values, catalog } = subject;
  const column = columnOf(catalog, filter);
  if (column?.kind !== "text" || values.coverage(filter.table, filter.column).partial) return;
  for (const value of filter.values) {
    const held = values
      .search(String(value), { table: filter.table, column: filter.column, limit: 12 })
      .some((match) => match.value === value);
    if (!held) sayWhere(subject, filter, String(value), true, warn);
  }
}

function sayWhere(
  { values, catalog }: CheckSubject,
  filter: FilterDecision,
  text: string,
  binding: boolean,
  warn: Warn,
): void {
  const place = `${filter.table}.${filter.column}`;
  const column = columnOf(catalog, filter);
  const bare = text.replaceAll("%", "");
  const near = values
    .search(bare, { table: filter.table, column: filter.column, limit: 5 })
    .filter((match) => match.value !== text);
  const spelled = near.find((match) => match.how === "exact" || match.how === "case" || match.how === "accent");
  if (spelled && filter.operator !== "LIKE") {
    const body = `${place} holds ${quoteText(spelled.value)} and not ${quoteText(text)}: it is written another way (case, blanks or accents).`;
    warn("problem", "value-spelling", body, place);
    return;
  }
  const elsewhere = values
    .lookup(bare)
    .find((match) => fold(match.table) !== fold(filter.table) || fold(match.column) !== fold(filter.column));
  if (elsewhere) {
    warn(
      "problem",
      "value-elsewhere",
      `${place} holds no ${quoteText(text)}; ${elsewhere.table}.${elsewhere.column} does.`,
      place,
    );
    return;
  }
  const guess = near[0]
    ? ` Nearest: ${near
        .map((match) => quoteText(match.value))
        .slice(0, 3)
        .join(", ")}.`
    : "";
  // A day or a number without rows is an answer; a word that is stored nowhere seldom is, unless it is one pattern of several.
  const soft = (!binding && filter.operator === "LIKE") || isDay(text) || isNumeric(column) || column?.kind === "date";
  warn(soft ? "notice" : "warning", "value-unknown", `${place} holds no ${quoteText(text)}.${guess}`, place);
}
