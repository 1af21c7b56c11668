/** One condition of the frame as SQL text and as the decision that quotes it. */
import type { Column, FilterDecision } from "../../protocol/index.ts";
import type { Condition } from "../frame/frame.ts";
import { type ColumnRef, isNumeric, isYearColumn, type Schema } from "../schema/schema.ts";
import type { SqlWriter } from "./to-sql.ts";

type Plain = Exclude<Condition, { kind: "exists" } | { kind: "any" } | { kind: "every" } | { kind: "counted" }>;

export function renderCondition(
  condition: Plain,
  schema: Schema,
  write: SqlWriter,
  col: (ref: ColumnRef) => string,
  newAlias: (table: string) => string,
): { text: string; decision: FilterDecision } {
  const decide = (ref: ColumnRef, operator: FilterDecision["operator"], values: (string | number)[], text: string) => ({
    text,
    decision: {
      kind: "filter" as const,
      words: condition.words,
      table: ref.table,
      column: ref.column,
      operator,
      values,
      condition: text,
    },
  });
  switch (condition.kind) {
    case "compare": {
      const left = condition.times ? `${col(condition.ref)} * ${col(condition.times)}` : col(condition.ref);
      const { info } = schema.column(condition.ref);
      const stored = condition.values.map((value) => toNumber(value, info));
      const list = stored.map((value) => write.literal(value, condition.times ? undefined : info));
      const text =
        condition.operator === "IN" || condition.operator === "NOT IN"
          ? `${left} ${condition.operator} (${list.join(", ")})`
          : condition.operator === "BETWEEN"
            ? `${left} BETWEEN ${list[0]} AND ${list[1]}`
            : condition.operator === "LIKE" || condition.operator === "NOT LIKE"
              ? write.like(likeable(left, info, write), list[0] ?? "", condition.operator === "NOT LIKE")
              : `${left} ${condition.operator} ${list[0]}`;
      return decide(condition.ref, condition.times ? "other" : condition.operator, stored, text);
    }
    case "columns": {
      const text = `${col(condition.left)} ${condition.operator} ${col(condition.right)}`;
      return decide(condition.left, "other", [], text);
    }
    case "null": {
      const operator = condition.isNull ? "IS NULL" : "IS NOT NULL";
      return decide(condition.ref, operator, [], `${col(condition.ref)} ${operator}`);
    }
    case "against": {
      const alias = newAlias(condition.scalar.column.table);
      const column = (ref: ColumnRef, at: string) => write.column(at, ref.column);
      const { scalar } = condition;
      const calculated = scalar.times !== undefined || condition.fn === "AVG";
      const product = (at: (ref: ColumnRef) => string) => {
        const read = (ref: ColumnRef) => (calculated ? write.number(at(ref), schema.column(ref).info) : at(ref));
        return scalar.times ? `${read(scalar.column)} * ${read(scalar.times)}` : read(scalar.column);
      };
      const text = `${product(col)} ${condition.operator} (SELECT ${condition.fn}(${product((ref) => column(ref, alias))}) FROM ${write.table(condition.scalar.column.table)} AS ${alias})`;
      return decide(condition.scalar.column, "other", [], text);
    }
    case "period":
      return renderPeriod(condition, schema, write, col, decide);
  }
}

/** A value that people name is read as text; a column of numbers holds it as one. */
const toNumber = (value: string | number, { kind }: Column): string | number =>
  typeof value === "string" && (kind === "integer" || kind === "number") && /^-?\d+(\.\d+)?$/.test(value)
    ? Number(value)
    : value;

function renderPeriod(
  condition: Extract<Condition, { kind: "period" }>,
  schema: Schema,
  write: SqlWriter,
  col: (ref: ColumnRef) => string,
  decide: (
    ref: ColumnRef,
    operator: FilterDecision["operator"],
    values: (string | number)[],
    text: string,
  ) => { text: string; decision: FilterDecision },
) {
  const { ref, period } = condition;
  const column = schema.column(ref);
  const sql = col(ref);
  const wrap = (text: string, operator: FilterDecision["operator"], values: (string | number)[]) =>
    condition.negated ? decide(ref, "other", values, `NOT (${text})`) : decide(ref, operator, values, text);
  const numericYear = isYearColumn(column) || column.info.dateFormat === "YYYY";
  if (numericYear && period.years) {
    const text = !isNumeric(column) ? (year: number) => String(year) : (year: number) => year;
    const year = (value: number) => write.literal(text(value), column.info);
    const [from, to] = period.years;
    if (from !== undefined && from === to) return wrap(`${sql} = ${year(from)}`, "=", [text(from)]);
    if (from !== undefined && to !== undefined)
      return wrap(`${sql} BETWEEN ${year(from)} AND ${year(to)}`, "BETWEEN", [text(from), text(to)]);
    return from !== undefined
      ? wrap(`${sql} >= ${year(from)}`, ">=", [text(from)])
      : wrap(`${sql} <= ${year(to as number)}`, "<=", [text(to as number)]);
  }
  // ISO text sorts like the dates it stands for; other formats are turned into ISO first.
  const stored = column.info.kind === "date" || write.looseTypes;
  const comparable = isoText(sql, column.info.dateFormat, write);
  if (period.months) {
    const months = period.months.map(write.monthNumber);
    const list = months.map((month) => write.literal(stored ? month : String(month).padStart(2, "0")));
    const month = stored ? write.monthOf(sql) : `substr(${comparable}, 6, 2)`;
    return wrap(`${month} ${list.length === 1 ? `= ${list[0]}` : `IN (${list.join(", ")})`}`, "other", months);
  }
  const date = stored ? write.date : write.literal;
  const { from, to } = period;
  if (from && to) return wrap(`${comparable} >= ${date(from)} AND ${comparable} < ${date(to)}`, "other", [from, to]);
  if (from) return wrap(`${comparable} >= ${date(from)}`, ">=", [from]);
  return wrap(`${comparable} < ${date(to ?? "")}`, "<", [to ?? ""]);
}

/** Only text can be held against a pattern. */
const likeable = (sql: string, column: Column, write: SqlWriter): string =>
  write.looseTypes || column.kind === "text" ? sql : write.asText(sql);

/** Dates stored as day-first or month-first text, cut and put together as YYYY-MM-DD. */
export function isoText(sql: string, format: string | undefined, write: SqlWriter): string {
  const part = (from: number, length: number) => `substr(${sql}, ${from}, ${length})`;
  const match = format ? /^(DD|MM)(.)(MM|DD)\2YYYY/.exec(format) : null;
  if (!match) return format === "YYYYMMDD" ? write.concat([part(1, 4), "'-'", part(5, 2), "'-'", part(7, 2)]) : sql;
  const [day, month] = match[1] === "DD" ? [1, 4] : [4, 1];
  return write.concat([part(7, 4), "'-'", part(month, 2), "'-'", part(day, 2)]);
}
