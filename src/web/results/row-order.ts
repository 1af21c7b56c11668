/**
 * Which rows a grid shows and in what order, as indices into the result: a result of 100,000 rows is never copied.
 * NULL comes last in both directions, since it is no value that could be the smallest or the largest.
 */
import type { Cell, QueryResult } from "../../protocol/results.ts";
import { toColumnShape } from "./result-cells.ts";

export interface Sort {
  column: number;
  descending: boolean;
}

export interface Filter {
  /** Upper and lower case are the same. */
  text: string;
  /** Null looks in every column. */
  column: number | null;
}

export const noFilter: Filter = { text: "", column: null };

/** All rows in the order the database gave them. */
export const toAllRows = (result: QueryResult): Uint32Array =>
  Uint32Array.from({ length: result.rows.length }, (_, index) => index);

/** Remembers the lower-case text of each column it has looked into, so that the next letter typed costs less. */
export function createRowFilter(result: QueryResult): (rows: Uint32Array, filter: Filter) => Uint32Array {
  const texts = new Map<number, string[]>();
  const textsOf = (column: number): string[] => {
    const known = texts.get(column);
    if (known) return known;
    const made = result.rows.map((row) => {
      const cell = row[column] ?? null;
      return cell === null ? "" : String(cell).toLowerCase();
    });
    texts.set(column, made);
    return made;
  };
  return (rows, { text, column }) => {
    const wanted = text.toLowerCase();
    if (wanted === "") return rows;
    const columns = column === null ? result.columns.map((_, index) => textsOf(index)) : [textsOf(column)];
    return rows.filter((row) => columns.some((column) => column[row]?.includes(wanted)));
  };
}

export function sortRows(result: QueryResult, rows: Uint32Array, sort: Sort | null): Uint32Array {
  if (!sort) return rows;
  const compare = createComparison(result, sort.column);
  const cells = result.rows.map((row) => row[sort.column] ?? null);
  const sign = sort.descending ? -1 : 1;
  return rows.slice().sort((a, b) => {
    const [left = null, right = null] = [cells[a], cells[b]];
    if (left === null || right === null) return left === right ? a - b : left === null ? 1 : -1;
    return sign * compare(left, right) || a - b;
  });
}

type Value = Exclude<Cell, null>;

function createComparison(result: QueryResult, column: number): (left: Value, right: Value) => number {
  if (toColumnShape(result, column).numeric) return compareNumbers;
  const collator = new Intl.Collator("en");
  return (left, right) => {
    if (typeof left !== typeof right) return rankOf(left) - rankOf(right);
    if (typeof left === "string" && typeof right === "string")
      return collator.compare(left, right) || (left < right ? -1 : left > right ? 1 : 0);
    return Number(left) - Number(right);
  };
}

/** Columns without a type may hold anything: truth values, then numbers, then text. */
const rankOf = (value: Value): number => (typeof value === "boolean" ? 0 : typeof value === "number" ? 1 : 2);

/** Integers beyond 2^53 and decimals come as text; rounding keeps their order, so only what rounds alike is looked at again. */
function compareNumbers(left: Value, right: Value): number {
  const rounded = Number(left) - Number(right);
  if (rounded !== 0 && !Number.isNaN(rounded)) return rounded;
  return typeof left === "string" || typeof right === "string" ? compareDigits(String(left), String(right)) : 0;
}

const decimal = /^([+-]?)0*(\d*)(?:\.(\d*?)0*)?$/;

function compareDigits(left: string, right: string): number {
  const [a, b] = [decimal.exec(left), decimal.exec(right)];
  if (!a || !b) return 0; // with an exponent: as near as a float can tell
  const [, signA, wholeA = "", partA = ""] = a;
  const [, signB, wholeB = "", partB = ""] = b;
  const sign = (text: string | undefined, whole: string, part: string) =>
    whole === "" && part === "" ? 0 : text === "-" ? -1 : 1;
  const [ofA, ofB] = [sign(signA, wholeA, partA), sign(signB, wholeB, partB)];
  if (ofA !== ofB) return ofA - ofB;
  const size = wholeA.length - wholeB.length || (wholeA === wholeB ? byText(partA, partB) : byText(wholeA, wholeB));
  return ofA * size;
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
