/** How one engine writes what whole queries need beyond names and literals: dates, patterns, orders, conversions. Pure. */
import { type Engine, toTablePath } from "../protocol/index.ts";
import { type Dialect, dialectOf } from "./dialect.ts";
import { reservedWords } from "./reserved-words.ts";

/** `month` and `quarter` with their year, e.g. `2013-05` and `2013-Q2`; `weekday` counts from Sunday, 0. */
export type DateUnit = "year" | "quarter" | "month" | "weekday" | "day";

export interface QueryDialect extends Dialect {
  /** An identifier as it may stand: bare where the engine reads it back letter for letter, otherwise quoted. */
  name(identifier: string): string;
  isReserved(word: string): boolean;
  /** The unit a date or timestamp lies in. */
  dateUnit(unit: DateUnit, date: string): string;
  /** The month of the year, comparable with what `monthNumber` gives. */
  monthOf(date: string): string;
  monthNumber(month: number): string | number;
  /** A date to compare a date or timestamp with, from `YYYY-MM-DD`. */
  date(iso: string): string;
  /** The same units out of a text `YYYY-MM-DD…`, which needn't be a valid date in every row. */
  textUnit(unit: DateUnit, text: string): string;
  /** A text against a pattern without regard to case. */
  like(text: string, pattern: string, negated: boolean): string;
  boolean(value: boolean): string;
  /** `inexact`: the expression is a floating-point number. */
  round(expression: string, digits: number, inexact: boolean): string;
  /** An ORDER BY term; `mayBeNull` when rows without a value must not lead, `ranked` when only the first rows count. */
  order(expression: string, direction: "ASC" | "DESC", mayBeNull: boolean, ranked: boolean): string;
  /** Has FULL OUTER JOIN. */
  fullJoin: boolean;
  /** Compares a number with a text column by itself, as text. */
  looseTypes: boolean;
}

type Own = Omit<QueryDialect, keyof Dialect | "isReserved" | "name">;

const part = (text: string, from: number, length: number) => `substr(${text}, ${from}, ${length})`;
const plainOrder = (expression: string, direction: "ASC" | "DESC") =>
  direction === "DESC" ? `${expression} DESC` : expression;
/** NULLs come last when rising; falling, they would lead. */
const nullsLast: Own["order"] = (expression, direction, mayBeNull) =>
  `${plainOrder(expression, direction)}${direction === "DESC" && mayBeNull ? " NULLS LAST" : ""}`;

/** `year`, `month` and `day` are cut out of the text; a weekday needs the date, a quarter a whole number. */
const textUnits =
  (weekday: (text: string) => string, quarter: (text: string) => string): Own["textUnit"] =>
  (unit, text) => {
    if (unit === "weekday") return weekday(text);
    if (unit === "quarter") return quarter(text);
    return part(text, 1, { year: 4, month: 7, day: 10 }[unit]);
  };
const quarterOf = (text: string) => `(CAST(${part(text, 6, 2)} AS integer) + 2)`;

const own: Record<Engine, Own> = {
  sqlite: {
    dateUnit: sqliteUnit,
    textUnit: sqliteUnit,
    monthOf: (date) => `strftime('%m', ${date})`,
    monthNumber: (month) => String(month).padStart(2, "0"),
    date: (iso) => `'${iso}'`,
    like: (text, pattern, negated) => `${text} ${negated ? "NOT LIKE" : "LIKE"} ${pattern}`,
    boolean: (value) => (value ? "1" : "0"),
    round: (expression, digits) => `ROUND(${expression}, ${digits})`,
    order: plainOrder,
    fullJoin: true,
    looseTypes: true,
  },
  duckdb: {
    dateUnit(unit, date) {
      if (unit === "year") return `EXTRACT(YEAR FROM ${date})`;
      if (unit === "month") return `strftime(${date}, '%Y-%m')`;
      if (unit === "quarter") return `EXTRACT(YEAR FROM ${date}) || '-Q' || EXTRACT(QUARTER FROM ${date})`;
      return unit === "weekday" ? `EXTRACT(DOW FROM ${date})` : `CAST(${date} AS DATE)`;
    },
    textUnit: textUnits(
      (text) => `EXTRACT(DOW FROM CAST(${part(text, 1, 10)} AS DATE))`,
      (text) => `${part(text, 1, 4)} || '-Q' || divide(${quarterOf(text)}, 3)`,
    ),
    monthOf: (date) => `EXTRACT(MONTH FROM ${date})`,
    monthNumber: (month) => month,
    date: (iso) => `DATE '${iso}'`,
    like: (text, pattern, negated) => `${text} ${negated ? "NOT ILIKE" : "ILIKE"} ${pattern}`,
    boolean: String,
    round: (expression, digits) => `ROUND(${expression}, ${digits})`,
    order: nullsLast,
    fullJoin: true,
    looseTypes: false,
  },
  postgres: {
    dateUnit(unit, date) {
      if (unit === "year") return `EXTRACT(YEAR FROM ${date})`;
      if (unit === "month") return `to_char(${date}, 'YYYY-MM')`;
      if (unit === "quarter") return `to_char(${date}, 'YYYY"-Q"Q')`;
      return unit === "weekday" ? `EXTRACT(DOW FROM ${date})` : `CAST(${date} AS date)`;
    },
    textUnit: textUnits(
      (text) => `EXTRACT(DOW FROM CAST(${part(text, 1, 10)} AS date))`,
      (text) => `${part(text, 1, 4)} || '-Q' || (${quarterOf(text)} / 3)`,
    ),
    monthOf: (date) => `EXTRACT(MONTH FROM ${date})`,
    monthNumber: (month) => month,
    date: (iso) => `DATE '${iso}'`,
    like: (text, pattern, negated) => `${text} ${negated ? "NOT ILIKE" : "ILIKE"} ${pattern}`,
    boolean: String,
    // Only exact numbers can be rounded to digits.
    round: (expression, digits, inexact) =>
      `ROUND(${inexact ? `CAST(${expression} AS numeric)` : expression}, ${digits})`,
    order: nullsLast,
    fullJoin: true,
    looseTypes: false,
  },
  mysql: {
    dateUnit(unit, date) {
      if (unit === "year") return `EXTRACT(YEAR FROM ${date})`;
      if (unit === "month") return `DATE_FORMAT(${date}, '%Y-%m')`;
      if (unit === "quarter") return `CONCAT(EXTRACT(YEAR FROM ${date}), '-Q', EXTRACT(QUARTER FROM ${date}))`;
      return unit === "weekday" ? `(DAYOFWEEK(${date}) - 1)` : `CAST(${date} AS DATE)`;
    },
    textUnit: textUnits(
      (text) => `(DAYOFWEEK(${part(text, 1, 10)}) - 1)`,
      (text) => `CONCAT(${part(text, 1, 4)}, '-Q', (${part(text, 6, 2)} + 2) DIV 3)`,
    ),
    monthOf: (date) => `EXTRACT(MONTH FROM ${date})`,
    monthNumber: (month) => month,
    date: (iso) => `DATE '${iso}'`,
    // The usual collations don't regard case.
    like: (text, pattern, negated) => `${text} ${negated ? "NOT LIKE" : "LIKE"} ${pattern}`,
    boolean: String,
    round: (expression, digits) => `ROUND(${expression}, ${digits})`,
    // NULLs count as lowest and the words NULLS LAST are unknown.
    order: (expression, direction, mayBeNull, ranked) =>
      `${direction === "ASC" && mayBeNull && ranked ? `${expression} IS NULL, ` : ""}${plainOrder(expression, direction)}`,
    fullJoin: false,
    looseTypes: false,
  },
};

function sqliteUnit(unit: DateUnit, date: string): string {
  if (unit === "year") return `strftime('%Y', ${date})`;
  if (unit === "month") return `strftime('%Y-%m', ${date})`;
  if (unit === "quarter")
    return `strftime('%Y', ${date}) || '-Q' || ((CAST(strftime('%m', ${date}) AS INTEGER) + 2) / 3)`;
  return unit === "weekday" ? `strftime('%w', ${date})` : `date(${date})`;
}

const made = new Map<Engine, QueryDialect>();

export function queryDialectOf(engine: Engine): QueryDialect {
  const known = made.get(engine);
  if (known) return known;
  const dialect = dialectOf(engine);
  const reserved = reservedWords(engine);
  // PostgreSQL reads a bare name in lower case; the others keep or ignore its case.
  const plain = engine === "postgres" ? /^[a-z_][a-z0-9_]*$/ : /^[A-Za-z_][A-Za-z0-9_]*$/;
  const isReserved = (word: string) => reserved.has(word.toLowerCase());
  const name = (identifier: string) =>
    plain.test(identifier) && !isReserved(identifier) ? identifier : dialect.quote(identifier);
  const query = { ...dialect, ...own[engine], isReserved, name };
  made.set(engine, query);
  return query;
}

/** A table in FROM, each part of its path quoted only where it must be. */
export const nameTable = (
  dialect: Pick<QueryDialect, "name">,
  table: { schema?: string | undefined; name: string },
): string =>
  toTablePath(table)
    .map((part) => dialect.name(part))
    .join(".");
