/**
 * What the catalog asks of a column, as each engine says it. SQLite keeps a type with every value; in other engines
 * the column's kind says it all. Texts are told apart by their bytes, whatever a column's collation takes for equal.
 */
import type { Column, Engine, Table } from "../protocol/index.ts";
import { dialectOf, quoteTable } from "../sql/dialect.ts";

/** Longer ones are left out: a part of a value is no value that a condition could be compared with. */
export const maxValueLength = 200;

export interface CatalogSql {
  /** Six numbers for each: filled, distinct (NULL where it can't be told), texts, long texts, integers, other numbers. */
  stats(table: Table, columns: readonly Column[]): string;
  /** Texts with the number of their rows, most frequent first; `within` looks at so many rows of the table only. */
  frequent(table: Table, column: Column, limit: number, within?: number): string;
  /** The same, in the order of their bytes, after the value given. */
  page(table: Table, column: Column, last: string | null, limit: number): string;
  hasLong(table: Table, column: Column): string;
  samples(table: Table, column: Column, limit: number, options: { allDiffer: boolean; within?: number }): string;
  /** Two numbers: distinct values of the first column, and how many of them the second one has. */
  overlap(from: { table: Table; column: Column }, to: { table: Table; column: Column }, sample: number): string;
  countRows(table: Table): string;
}

export function createCatalogSql(engine: Engine): CatalogSql {
  const dialect = dialectOf(engine);
  const typed = engine !== "sqlite";
  const nameOf = (column: Column): string => dialect.quote(column.name);
  const from = (table: Table, column: Column, within?: number): string =>
    within === undefined
      ? quoteTable(dialect, table)
      : `(SELECT ${nameOf(column)} FROM ${quoteTable(dialect, table)} LIMIT ${within}) AS part`;
  // A binary collation of MySQL still passes over blanks at the end.
  const bytes = (expression: string): string =>
    engine === "mysql" ? `CAST(CONVERT(${expression} USING utf8mb4) AS BINARY)` : dialect.exact(expression);
  const asText = (name: string): string => (typed ? dialect.asText(name) : name);
  const shown = (name: string): string => {
    if (engine === "sqlite") return name;
    return engine === "mysql" ? `MIN(CONVERT(${name} USING utf8mb4))` : dialect.exact(name);
  };
  const isText = (name: string): string => (typed ? `${name} IS NOT NULL` : `typeof(${name}) = 'text'`);
  const isShort = (name: string): string => `${dialect.length(asText(name))} <= ${maxValueLength}`;
  const count = (condition: string): string => `SUM(CASE WHEN ${condition} THEN 1 ELSE 0 END)`;
  // A text literal of SQLite ends at its first NUL.
  const literal = (value: string): string =>
    value.includes("\0") && !typed ? `CAST(x'${Buffer.from(value).toString("hex")}' AS TEXT)` : dialect.text(value);
  /** Values that may not even be compared with each other. */
  const isOpaque = (column: Column): boolean => typed && (column.kind === "other" || column.kind === "blob");

  const countColumn = (table: Table, column: Column): string[] => {
    const name = nameOf(column);
    const filled = `COUNT(${name})`;
    if (!typed) {
      const key = table.primaryKey.length === 1 && table.primaryKey[0] === column.name && column.kind === "integer";
      return [
        filled,
        key ? filled : `COUNT(DISTINCT ${bytes(name)})`,
        count(isText(name)),
        count(`${isText(name)} AND length(${name}) > ${maxValueLength}`),
        count(`typeof(${name}) = 'integer'`),
        count(`typeof(${name}) = 'real'`),
      ];
    }
    if (isOpaque(column)) return [filled, "NULL", "0", "0", "0", "0"];
    if (column.kind !== "text") return [filled, `COUNT(DISTINCT ${name})`, "0", "0", "0", "0"];
    const long = count(`${dialect.length(asText(name))} > ${maxValueLength}`);
    return [filled, `COUNT(DISTINCT ${bytes(name)})`, filled, long, "0", "0"];
  };

  return {
    stats(table, columns) {
      const counts = columns.flatMap((column) => countColumn(table, column));
      return `SELECT ${counts.join(", ")} FROM ${quoteTable(dialect, table)}`;
    },
    frequent(table, column, limit, within) {
      const name = nameOf(column);
      return (
        `SELECT ${shown(name)}, COUNT(*) FROM ${from(table, column, within)} WHERE ${isText(name)} AND ${isShort(name)} ` +
        `GROUP BY ${bytes(name)} ORDER BY 2 DESC, 1 LIMIT ${limit}`
      );
    },
    page(table, column, last, limit) {
      const name = nameOf(column);
      const after = last === null ? "" : ` AND ${bytes(name)} > ${bytes(literal(last))}`;
      return (
        `SELECT ${shown(name)}, COUNT(*) FROM ${from(table, column)} WHERE ${isText(name)} AND ${isShort(name)}${after} ` +
        `GROUP BY ${bytes(name)} ORDER BY ${bytes(name)} LIMIT ${limit}`
      );
    },
    hasLong(table, column) {
      const name = nameOf(column);
      return `SELECT 1 FROM ${from(table, column)} WHERE ${isText(name)} AND ${dialect.length(asText(name))} > ${maxValueLength} LIMIT 1`;
    },
    samples(table, column, limit, { allDiffer, within }) {
      const name = nameOf(column);
      const rows = `FROM ${from(table, column, within)} WHERE ${name} IS NOT NULL`;
      // All values differ: no need to sort a whole table to find the most frequent.
      return allDiffer || isOpaque(column)
        ? `SELECT ${name} ${rows} LIMIT ${limit}`
        : `SELECT ${name} ${rows} GROUP BY ${name} ORDER BY COUNT(*) DESC, 1 LIMIT ${limit}`;
    },
    overlap(referring, target, sample) {
      const number = (column: Column): boolean => column.kind === "integer" || column.kind === "number";
      const alike =
        !typed ||
        (number(referring.column) && number(target.column)) ||
        (referring.column.type === target.column.type && referring.column.kind !== "text");
      const value = (column: Column): string => (alike ? nameOf(column) : asText(nameOf(column)));
      return (
        `SELECT COUNT(*), ${count(`v IN (SELECT ${value(target.column)} FROM ${from(target.table, target.column)})`)} ` +
        `FROM (SELECT DISTINCT ${value(referring.column)} AS v FROM ${from(referring.table, referring.column)} ` +
        `WHERE ${nameOf(referring.column)} IS NOT NULL LIMIT ${sample}) AS referring`
      );
    },
    countRows: (table) => `SELECT COUNT(*) FROM ${quoteTable(dialect, table)}`,
  };
}
