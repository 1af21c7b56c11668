/** How one engine writes what all engines can say: quoting, text literals, conversions. Pure. */
import { type Engine, toTablePath } from "../protocol/index.ts";

export interface Dialect {
  /** The parser's own name of it. */
  parser: string;
  /** An identifier; always quoted. */
  quote(identifier: string): string;
  /** A text literal that no setting of a session reads differently. */
  text(value: string): string;
  /** The expression's value as text. */
  asText(expression: string): string;
  /** The expression as text of which only equal spellings are equal, whatever the column's collation says. */
  exact(expression: string): string;
  /** Texts put together. */
  concat(parts: readonly string[]): string;
  /** What tells the rows of a table without a key apart, for the length of one statement; null where there is nothing. */
  rowNumber: string | null;
  /** Characters of a text expression. */
  length(expression: string): string;
  /** The expression as a number that divides exactly. */
  asNumber(expression: string): string;
}

const doubled = (mark: string) => (name: string) => `${mark}${name.replaceAll(mark, mark + mark)}${mark}`;
const standardText = (value: string) => `'${value.replaceAll("'", "''")}'`;
const joined = (parts: readonly string[]) => parts.join(" || ");
const length = (expression: string) => `length(${expression})`;

const dialects: Record<Engine, Dialect> = {
  sqlite: {
    parser: "sqlite",
    quote: doubled('"'),
    text: standardText,
    asText: (expression) => `CAST(${expression} AS TEXT)`,
    concat: joined,
    rowNumber: "rowid",
    exact: (expression) => `${expression} COLLATE BINARY`,
    length,
    asNumber: (expression) => `CAST(${expression} AS REAL)`,
  },
  duckdb: {
    parser: "duckdb",
    quote: doubled('"'),
    text: standardText,
    asText: (expression) => `CAST(${expression} AS VARCHAR)`,
    concat: joined,
    rowNumber: "rowid",
    // Compares bytes unless a column says otherwise, which a conversion drops.
    exact: (expression) => `CAST(${expression} AS VARCHAR)`,
    length,
    asNumber: (expression) => `CAST(${expression} AS DOUBLE)`,
  },
  postgres: {
    parser: "postgresql",
    quote: doubled('"'),
    // An E string means the same with and without standard_conforming_strings.
    text: (value) => (value.includes("\\") ? `E${standardText(value.replaceAll("\\", "\\\\"))}` : standardText(value)),
    asText: (expression) => `CAST(${expression} AS text)`,
    concat: joined,
    rowNumber: "ctid",
    exact: (expression) => `CAST(${expression} AS text) COLLATE "C"`,
    length,
    asNumber: (expression) => `CAST(${expression} AS numeric)`,
  },
  mysql: {
    parser: "mysql",
    quote: doubled("`"),
    // A backslash means itself only under NO_BACKSLASH_ESCAPES; as hexadecimal digits it always does.
    text: (value) =>
      value.includes("\\")
        ? `CONVERT(x'${Buffer.from(value, "utf8").toString("hex")}' USING utf8mb4)`
        : standardText(value),
    asText: (expression) => `CAST(${expression} AS CHAR)`,
    concat: (parts) => `concat(${parts.join(", ")})`,
    rowNumber: null,
    // As bytes: every collation of texts passes over blanks at their end.
    exact: (expression) => `CAST(CONVERT(${expression} USING utf8mb4) AS BINARY)`,
    length: (expression) => `char_length(${expression})`,
    asNumber: (expression) => `CAST(${expression} AS DECIMAL(65, 10))`,
  },
};

export const dialectOf = (engine: Engine): Dialect => dialects[engine];

/** A table as this engine names it in FROM. */
export const quoteTable = (
  dialect: Pick<Dialect, "quote">,
  table: { schema?: string | undefined; name: string },
): string =>
  toTablePath(table)
    .map((part) => dialect.quote(part))
    .join(".");
