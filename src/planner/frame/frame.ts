/** One typed frame per question: what is asked, of which rows, under which conditions, in which order. */

import type { ColumnRef } from "../schema/schema.ts";
import type { Period } from "../words/dates.ts";
import type { Aggregate, DateUnit, Direction, Figure, Operator } from "../words/lexicon.ts";

/** A number of one row: a column, a product of two, perhaps in another unit. */
export interface Scalar {
  column: ColumnRef;
  times?: ColumnRef;
  /** Divided by this column of the same row, or reduced by it where `minus`. */
  per?: ColumnRef;
  minus?: boolean;
  /** Days from this date of the same row to the one in `column`. */
  since?: ColumnRef;
  /** The column is divided by this to give `unit`. */
  divide?: { by: number; unit: string };
}

interface Measured {
  /** Only rows that meet these are measured; the others stay in their groups. */
  where?: Condition[];
  /** A ratio: the measure is divided by this one, or reduced by it where `minus`. */
  per?: Measure;
  minus?: boolean;
  /** The difference as a percentage of what is taken away. */
  growth?: boolean;
  words: string;
}
export type Measure = Measured &
  ({ kind: "count"; table: string; distinct?: ColumnRef } | { kind: "aggregate"; fn: Figure; of: Scalar });

/** What one row of a grouped result stands for. */
export type Key =
  | { kind: "entity"; table: string; words: string /** The other end of a self reference. */; role?: string }
  | { kind: "column"; ref: ColumnRef; words: string }
  | { kind: "bucket"; ref: ColumnRef; unit: DateUnit; words: string };

export type Output =
  | { kind: "key"; key: Key }
  | { kind: "column"; ref: ColumnRef; divide?: Scalar["divide"]; words: string }
  | { kind: "scalar"; of: Scalar; words: string }
  | { kind: "measure"; measure: Measure };

export type Condition =
  | {
      kind: "compare";
      ref: ColumnRef;
      times?: ColumnRef;
      operator: Operator | "IN" | "NOT IN" | "LIKE" | "NOT LIKE" | "BETWEEN";
      values: (string | number)[];
      words: string;
    }
  | { kind: "columns"; left: ColumnRef; operator: Operator; right: ColumnRef; words: string }
  | { kind: "period"; ref: ColumnRef; period: Period; negated: boolean; words: string }
  | { kind: "null"; ref: ColumnRef; isNull: boolean; words: string }
  /** A row's number against an aggregate over all rows of its table. */
  | {
      kind: "against";
      scalar: Scalar;
      operator: Operator;
      fn: "AVG" | "MIN" | "MAX";
      /** Only rows that meet these are aggregated. */
      inner?: Condition[];
      /** Instead of an aggregate: the number of the row that comes first in this order. */
      first?: {
        by: ColumnRef;
        direction: Direction;
        /** Of all partners together. */
        fn?: Exclude<Aggregate, "MEDIAN">;
      };
      words: string;
    }
  /** How many partners in `target` a row of `from` has; correlated, so it may stand inside `exists`. */
  | {
      kind: "counted";
      from: string;
      target: string;
      inner: Condition[];
      /** A figure over the partners instead of their number. */
      figure?: { fn: Exclude<Figure, "MEDIAN">; of: Scalar };
      operator: Operator | "BETWEEN";
      value: number;
      upper?: number;
      words: string;
    }
  | { kind: "any"; of: Condition[]; words: string }
  | { kind: "every"; of: Condition[]; words: string }
  /** Rows of `from` with or without partners in `target`; `role` marks the other end of a self reference. */
  | {
      kind: "exists";
      negated: boolean;
      from: string;
      target: string;
      inner: Condition[];
      self?: "parents" | "children";
      /** Columns that must be equal, where no key says how the tables meet. */
      pairs?: { left: string; right: string }[];
      words: string;
    };

export interface Having {
  measure: Measure;
  operator: Operator | "BETWEEN";
  /** `average`: over all groups; `than`: another figure of the same group. */
  value: number | "average";
  than?: Measure;
  upper?: number;
  /** All of these values must occur in the group. */
  words: string;
}

/** A figure beside the measure of each stretch of time: its change from the one before, or the sum up to it. */
export interface Series {
  kind: "change" | "growth" | "running";
  /** Only the stretch of time that comes first, or last, by that figure. */
  best?: Direction;
  words: string;
}

export interface Frame {
  /** Table whose rows are counted, summed or listed. */
  entity: string;
  outputs: Output[];
  groups: Key[];
  conditions: Condition[];
  having: Having[];
  order: { by: Output; direction: Direction; words: string }[];
  /** `skip`: so many rows before them are left out. */
  limit?: { count: number; skip?: number; words: string };
  /** Best row, or best group, within each of `per`; `place`: only that place instead of the first `count`. */
  winner?: { per: Key[]; by: Output; direction: Direction; count: number; place?: number; words: string };
  distinct: boolean;
  /** Rows that a join repeats are shown, or counted, as often as they come. */
  repeat?: boolean;
  /** Percentage of rows, or of a sum, that meet `part`. */
  share?: { part: Condition[]; of?: Measure; perGroup: boolean; percent: boolean };
  /** Aggregate over the groups' measure: the average number of tracks per album; one for each of `outer`, if given. */
  over?: { fn: Figure; outer?: Key[]; words: string };
  series?: Series;
  /** Groups without any row are kept with 0. */
  keepEmpty: boolean;
  /** Only the measure is shown, although it is grouped. */
  hideKeys?: boolean;
  /** All of these values of one column must occur: both Rock and Blues. */
  all?: { ref: ColumnRef; values: (string | number)[]; words: string };
  /** Rows of a self reference are kept although the other end is missing. */
  keepUnreferenced: boolean;
  /** Tables that only have to be joined, because the question names them as a condition. */
  required: string[];
}

/** Every column a condition reads, with those of inner conditions. */
export function conditionColumns(condition: Condition): ColumnRef[] {
  switch (condition.kind) {
    case "compare":
      return condition.times ? [condition.ref, condition.times] : [condition.ref];
    case "columns":
      return [condition.left, condition.right];
    case "period":
    case "null":
      return [condition.ref];
    case "against":
      return condition.scalar.times ? [condition.scalar.column, condition.scalar.times] : [condition.scalar.column];
    case "any":
    case "every":
      return condition.of.flatMap(conditionColumns);
    case "exists":
    case "counted":
      return [];
  }
}

export const measureTable = (measure: Measure): string =>
  measure.kind === "count" ? (measure.distinct?.table ?? measure.table) : measure.of.column.table;
/** With the table of a price that the counted rows only refer to. */
export const measuredTables = (measure: Measure): string[] =>
  measure.kind === "aggregate" && measure.of.times
    ? [measure.of.column.table, measure.of.times.table]
    : [measureTable(measure)];
/** A ratio, or a difference, as its two measures. */
export const measureParts = (measure: Measure): Measure[] => (measure.per ? [measure, measure.per] : [measure]);
/** The first of two measures, without what it is divided by or what is taken from it. */
export const plainMeasure = ({ per, minus, growth, ...measure }: Measure): Measure => measure as Measure;
export const measureConditions = (measure: Measure): Condition[] =>
  measureParts(measure).flatMap((part) => part.where ?? []);
/** What a part of a frame says, whatever the words it was read from: equal parts have equal texts. */
export const spell = (part: unknown): string =>
  JSON.stringify(part, (name, value) => (name === "words" ? undefined : value));
export const sameMeasure = (a: Measure, b: Measure): boolean =>
  JSON.stringify({ ...a, words: "" }) === JSON.stringify({ ...b, words: "" });
export const keyTable = (key: Key): string => (key.kind === "entity" ? key.table : key.ref.table);

/** "How many artists have more than 5 albums?" counts the groups that a condition leaves. */
export function countsGroups(frame: Frame): boolean {
  const first = frame.outputs[0];
  const group = frame.groups[0];
  if (
    frame.outputs.length !== 1 ||
    first?.kind !== "measure" ||
    first.measure.kind !== "count" ||
    first.measure.per !== undefined ||
    (frame.having.length === 0 && frame.all === undefined) ||
    frame.groups.length !== 1
  )
    return false;
  const { table, distinct } = first.measure;
  if (group?.kind === "entity") return group.table === table;
  return group?.kind === "column" && distinct?.table === group.ref.table && distinct.column === group.ref.column;
}
