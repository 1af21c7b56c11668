/** Parts of a frame in plain words, as a person would say them. */
import {
  type Condition,
  type Having,
  type Key,
  type Measure,
  measureTable,
  type Output,
  type Scalar,
  type Series,
} from "../frame/frame.ts";
import { type ColumnRef, isDate, isNumeric, type Schema } from "../schema/schema.ts";
import { nameWords, ownName, plural } from "../words/language.ts";
import type { Figure } from "../words/lexicon.ts";

export const figureWords: Record<Figure, string> = {
  SUM: "total",
  AVG: "average",
  MIN: "lowest",
  MAX: "highest",
  MEDIAN: "median",
};

export const tableWords = (table: string): string => nameWords(ownName(table)).join(" ");
const columnWords = (column: string): string => nameWords(column).join(" ");

export function joinWords(words: string[]): string {
  if (words.length < 2) return words[0] ?? "";
  return `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
}

export function describeKey(key: Key): string {
  if (key.kind === "bucket") return key.unit;
  return key.kind === "entity" ? (key.role ?? tableWords(key.table)) : columnWords(key.ref.column);
}

/** A column in words: a table's only name goes by the table, columns of others by both. */
export function describeColumn(ref: ColumnRef, schema: Schema, entity?: string): string {
  const info = schema.table(ref.table);
  const own = columnWords(ref.column);
  if (ref.role) return `the ${ref.role}'s ${own}`;
  const named = info.display.length === 1 && info.display[0]?.column === ref.column;
  if (ref.table === entity) return own;
  if (named) return tableWords(ref.table);
  return own.startsWith(tableWords(ref.table)) ? own : `${tableWords(ref.table)} ${own}`;
}

export function describeScalar(scalar: Scalar, schema: Schema, entity?: string): string {
  const unit = scalar.divide ? ` in ${scalar.divide.unit}` : "";
  if (scalar.since)
    return `days from ${describeColumn(scalar.since, schema, entity)} to ${describeColumn(scalar.column, schema, entity)}`;
  if (scalar.per)
    return `${describeColumn(scalar.column, schema, entity)} ${scalar.minus ? "minus" : "divided by"} ${describeColumn(scalar.per, schema, entity)}`;
  if (scalar.times)
    return `revenue (${columnWords(scalar.column.column)} × ${columnWords(scalar.times.column)})${unit}`;
  return `${describeColumn(scalar.column, schema, entity)}${unit}`;
}

export const isLength = (ref: ColumnRef, schema: Schema): boolean =>
  schema.column(ref).words.some((word) => /^(milliseconds?|seconds?|duration|runtime|playtime|ms)$/.test(word));

/** Without an article, so that it can stand after "the" and "with the highest". */
export function describeMeasure(measure: Measure, schema: Schema): string {
  const { per, minus, growth, where = [], ...plain } = measure;
  if (per) {
    const over = describeMeasure({ ...plain, where } as Measure, schema);
    if (growth) return `growth in percent of the ${over}, over the ${describeMeasure(per, schema)}`;
    return `${over} ${minus ? "minus" : "divided by"} the ${describeMeasure(per, schema)}`;
  }
  if (where.length > 0) {
    const conditions = where.map((condition) => describeCondition(condition, schema, measureTable(measure)));
    return `${describeMeasure(plain as Measure, schema)} where ${joinWords(conditions)}`;
  }
  if (measure.kind === "count")
    return measure.distinct
      ? `number of different ${plural(describeColumn(measure.distinct, schema, measure.distinct.table))}`
      : `number of ${plural(tableWords(measure.table))}`;
  const scalar = describeScalar(measure.of, schema);
  if (measure.fn === "SUM" && measure.of.times) return scalar;
  if (isLength(measure.of.column, schema)) {
    const kind = { ...figureWords, MIN: "shortest", MAX: "longest" }[measure.fn];
    return `${kind} length${measure.of.divide ? ` in ${measure.of.divide.unit}` : ""} of ${plural(tableWords(measure.of.column.table))}`;
  }
  const name = figureWords[measure.fn];
  if (isDate(schema.column(measure.of.column)) && !measure.of.since)
    return `${measure.fn === "MIN" ? "earliest" : measure.fn === "MAX" ? "latest" : name} ${scalar}`;
  if (measure.fn === "SUM" && /\btotal$/.test(scalar)) return `sum of ${plural(scalar)}`;
  return `${name} ${scalar}`;
}

export const describeSeries = ({ kind }: Series): string =>
  ({
    change: "change from the one before",
    growth: "growth since the one before in percent",
    running: "running total up to it",
  })[kind];

export function describeOutput(output: Output, schema: Schema, entity?: string): string {
  if (output.kind === "measure") return describeMeasure(output.measure, schema);
  if (output.kind === "scalar") return describeScalar(output.of, schema, entity);
  if (output.kind === "key") {
    if (output.key.kind !== "entity") return describeKey(output.key);
    const display = schema.table(output.key.table).display;
    const { table, role } = output.key;
    return joinWords(
      display.map((column) =>
        describeColumn({ table, column: column.column, ...(role ? { role } : {}) }, schema, entity),
      ),
    );
  }
  return `${describeColumn(output.ref, schema, entity)}${output.divide ? ` in ${output.divide.unit}` : ""}`;
}

const comparisons: Record<string, string> = {
  "=": "is",
  "<>": "is not",
  ">": "over",
  ">=": "at least",
  "<": "under",
  "<=": "at most",
};

/** Milliseconds per unit of a column that holds lengths of time in a stated unit. */
function lengthFactor(ref: ColumnRef, schema: Schema): number | undefined {
  const words = schema.column(ref).words;
  if (words.some((word) => /^(milliseconds?|millis|ms)$/.test(word))) return 1;
  return words.some((word) => /^(seconds?|secs?)$/.test(word)) ? 1000 : undefined;
}

/** 600000 as "10 minutes". */
function sayLength(milliseconds: number): string {
  const units: [number, string][] = [
    [3_600_000, "hour"],
    [60_000, "minute"],
    [1000, "second"],
  ];
  const [size, unit] = units.find(([factor]) => milliseconds % factor === 0) ?? [1, "millisecond"];
  const value = milliseconds / size;
  return `${say(value)} ${value === 1 ? unit : plural(unit)}`;
}

/** "longer than 10 minutes", "longer than the average track": lengths are said without their column. */
export function describeLength(condition: Condition, schema: Schema): string | undefined {
  if (
    condition.kind === "against" &&
    !condition.first &&
    !condition.scalar.times &&
    isLength(condition.scalar.column, schema)
  ) {
    const verb = { ">": "longer than", "<": "shorter than" }[condition.operator as string];
    if (!verb) return undefined;
    const table = condition.scalar.column.table;
    const figure = { AVG: "average", MIN: "shortest", MAX: "longest" }[condition.fn];
    const inner = (condition.inner ?? []).map((part) => describeCondition(part, schema, table));
    return `${verb} the ${figure} ${tableWords(table)}${inner.length > 0 ? ` where ${joinWords(inner)}` : ""}`;
  }
  if (condition.kind !== "compare" || condition.times || typeof condition.values[0] !== "number") return undefined;
  const factor = lengthFactor(condition.ref, schema);
  const verbs: Record<string, string> = {
    ">": "longer than",
    ">=": "at least",
    "<": "shorter than",
    "<=": "at most",
    "=": "exactly",
  };
  const verb = verbs[condition.operator];
  if (factor === undefined || verb === undefined) return undefined;
  return `${verb} ${sayLength(condition.values[0] * factor)}${/^(at|exactly)/.test(verb) ? " long" : ""}`;
}

const say = (value: string | number): string =>
  typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 6 }) : value;

function describePattern(operator: string, pattern: string): string {
  const text = `"${pattern.replace(/^%|%$/g, "")}"`;
  const [front, back] = [pattern.startsWith("%"), pattern.endsWith("%")];
  const verb =
    front && back
      ? ["contains", "does not contain"]
      : back
        ? ["starts with", "does not start with"]
        : ["ends with", "does not end with"];
  return `${operator === "LIKE" ? verb[0] : verb[1]} ${text}`;
}

/** "genre is Rock", "email contains \"gmail\"", "without any track (genre is Rock)". */
export function describeCondition(condition: Condition, schema: Schema, entity: string): string {
  switch (condition.kind) {
    case "compare": {
      const length = describeLength(condition, schema);
      if (length) return length;
      const column = condition.times
        ? describeScalar({ column: condition.ref, times: condition.times }, schema, entity)
        : describeColumn(condition.ref, schema, entity);
      const { operator, values } = condition;
      if (operator === "LIKE" || operator === "NOT LIKE")
        return `${column} ${describePattern(operator, String(values[0]))}`;
      if (operator === "BETWEEN") return `${column} between ${values.map(say).join(" and ")}`;
      if (operator === "IN") return `${column} is ${values.map(say).join(" or ")}`;
      if (operator === "NOT IN") return `${column} is neither ${values.map(say).join(" nor ")}`;
      return `${column} ${comparisons[operator] ?? operator} ${say(values[0] ?? "")}`;
    }
    case "columns":
      return `${describeColumn(condition.left, schema, entity)} ${comparisons[condition.operator]} ${describeColumn(condition.right, schema, entity)}`;
    case "period": {
      const words = condition.words.trim();
      const led =
        /^(in|on|since|before|after|between|from|during|until|through|by|for|as of|prior|within|throughout)\b/i.test(
          words,
        );
      return `${describeColumn(condition.ref, schema, entity)} ${condition.negated ? "not " : ""}${led ? words.replace(/^for /i, "in ") : `in ${words.replace(/^of /i, "")}`}`;
    }
    case "null":
      return `${describeColumn(condition.ref, schema, entity)} is ${condition.isNull ? "missing" : "known"}`;
    case "against": {
      const length = describeLength(condition, schema);
      if (length) return length;
      const figure = { AVG: "average", MIN: "lowest", MAX: "highest" }[condition.fn];
      const inner = (condition.inner ?? []).map((part) => describeCondition(part, schema, entity));
      if (condition.first) {
        const { by, direction, fn } = condition.first;
        if (fn) {
          const most = direction === "DESC" ? "highest" : "lowest";
          const figures = { COUNT: "number", SUM: "total", AVG: "average", MIN: "minimum", MAX: "maximum" };
          const of = fn === "COUNT" ? `of ${plural(tableWords(by.table))}` : describeColumn(by, schema, entity);
          return `the ${tableWords(condition.scalar.column.table)} is the one with the ${most} ${figures[fn]} ${of}`;
        }
        const where = inner.length > 0 ? ` where ${joinWords(inner)}` : "";
        return `${describeScalar(condition.scalar, schema, entity)} ${comparisons[condition.operator]} that of the ${tableWords(condition.scalar.column.table)} with the ${direction === "DESC" ? "highest" : "lowest"} ${describeColumn(by, schema, entity)}${where}`;
      }
      return `${describeScalar(condition.scalar, schema, entity)} ${comparisons[condition.operator]} the ${figure}${inner.length > 0 ? ` where ${joinWords(inner)}` : ""}`;
    }
    case "counted":
      return condition.figure
        ? describeHaving({ ...condition, measure: { kind: "aggregate", ...condition.figure, words: "" } }, schema)
        : describeCount(condition.operator, condition.value, condition.upper, condition.target);
    case "any":
    case "every":
      return condition.of
        .map((part) => describeCondition(part, schema, entity))
        .join(condition.kind === "any" ? " or " : " and ");
    case "exists": {
      if (condition.self) return condition.negated ? "nobody reports to them" : "somebody reports to them";
      const lengths = condition.inner.flatMap((part) => describeLength(part, schema) ?? []);
      const inner = condition.inner
        .filter((part) => describeLength(part, schema) === undefined)
        .map((part) => describeCondition(part, schema, condition.target));
      const equal = condition.pairs?.map((pair) => `the same ${columnWords(pair.left)}`) ?? [];
      const of = [...equal, ...inner];
      const target = [tableWords(condition.target), ...lengths].join(" ");
      // "no invoice with invoice date since June": a time has no verb of its own.
      const joint = of.length > 0 && condition.inner.every((part) => part.kind === "period") ? "with" : "where";
      return `${condition.negated ? "no" : "some"} ${target}${of.length > 0 ? ` ${joint} ${joinWords(of)}` : ""}`.replace(
        /^(no|some) (.+) where the same (.+)$/,
        "$1 $2 with the same $3",
      );
    }
  }
}

function describeCount(
  operator: Having["operator"],
  value: number | string,
  upper: number | undefined,
  table: string,
): string {
  const things = value === 1 && operator !== ">" ? tableWords(table) : plural(tableWords(table));
  if (operator === "BETWEEN") return `between ${value} and ${upper} ${things}`;
  const words: Record<string, string> = {
    ">": "more than",
    "<": "fewer than",
    ">=": "at least",
    "<=": "at most",
    "=": "exactly",
    "<>": "not exactly",
  };
  return `${words[operator]} ${say(typeof value === "number" ? value : 0)} ${things}`;
}

/** "more than 20 tracks", "total over 40". */
export function describeHaving(having: Having, schema: Schema): string {
  const { measure, operator, value, upper } = having;
  if (having.than)
    return `${describeMeasure(measure, schema)} ${comparisons[operator] ?? operator} the ${describeMeasure(having.than, schema)}`;
  if (value === "average")
    return `${describeMeasure(measure, schema)} ${comparisons[operator] ?? operator} the average of all`;
  if (measure.kind === "count" && !measure.distinct) return describeCount(operator, value, upper, measure.table);
  const name = describeMeasure(measure, schema);
  const measured = `${/^[aeiou]/.test(name) ? "an" : "a"} ${name}`;
  if (operator === "BETWEEN") return `${measured} between ${value} and ${upper}`;
  const factor =
    measure.kind === "aggregate" && !measure.of.divide ? lengthFactor(measure.of.column, schema) : undefined;
  return `${measured} ${comparisons[operator]} ${factor === undefined ? say(value) : sayLength(value * factor)}`;
}

/** "highest first" says nothing of names and dates. */
export function describeDirection(by: Output, direction: "ASC" | "DESC", schema: Schema): string {
  const ref = by.kind === "column" ? by.ref : by.kind === "key" && by.key.kind !== "entity" ? by.key.ref : undefined;
  if (by.kind === "measure" && by.measure.kind === "count") return direction === "DESC" ? "most first" : "fewest first";
  if ((by.kind === "key" && by.key.kind === "bucket") || (ref && isDate(schema.column(ref))))
    return direction === "DESC" ? "latest first" : "earliest first";
  if (by.kind === "key" || (ref && !isNumeric(schema.column(ref)))) return direction === "DESC" ? "Z to A" : "A to Z";
  return direction === "DESC" ? "highest first" : "lowest first";
}
