/**
 * Whether two results say the same: the same rows as often, columns in any order, numbers with a tolerance. A number
 * and a text that spells it are equal, since engines and casts differ in that; texts are compared as they are.
 */
/** Numbers are equal when they differ by less than this, or by this share of the larger one. */
const tolerance = 1e-4;
const share = 1e-6;
/** Assignments of columns that are tried before giving up: only columns with equal content are ever exchanged. */
const mostTries = 5000;

type Row = readonly unknown[];

/** Gold's rows that are equal in what gold sorts by stand in one class: their order among each other is free. */
export type TieClasses = readonly number[];

/** `order` holds the class of each gold row and is left out where gold doesn't sort. */
export function sameRows(gold: readonly Row[], got: readonly Row[], order?: TieClasses): boolean {
  if (gold.length !== got.length) return false;
  const width = gold[0]?.length ?? 0;
  if (width === 0 || gold.length === 0) return true;
  if (got[0]?.length !== width) return false;
  const want = gold.map((row) => Array.from({ length: width }, (_, at) => toPlain(row[at])));
  const have = got.map((row) => Array.from({ length: width }, (_, at) => toPlain(row[at])));
  const cells = (rows: Plain[][], at: number) => rows.map((row) => [row[at] as Plain]);
  const known = new Map<number, boolean>();
  // A column may only stand for one with the same content; most answers have all of them in their places.
  const mayBe = (at: number, other: number): boolean => {
    const key = at * width + other;
    const found = known.get(key) ?? sameMultiset(cells(want, at), cells(have, other));
    known.set(key, found);
    return found;
  };
  const places = Array.from({ length: width }, (_, at) => at);
  let tries = 0;
  const assign = (taken: number[]): boolean => {
    const at = taken.length;
    if (at === width) {
      tries += 1;
      const placed = have.map((row) => taken.map((column) => row[column] as Plain));
      return order ? sameInOrder(want, placed, order) : sameMultiset(want, placed);
    }
    return [at, ...places.filter((other) => other !== at)].some(
      (column) => !taken.includes(column) && tries < mostTries && mayBe(at, column) && assign([...taken, column]),
    );
  };
  return assign([]);
}

type Plain = number | string | null;

function toPlain(cell: unknown): Plain {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === "boolean") return cell ? 1 : 0;
  if (typeof cell === "number" || typeof cell === "bigint") return Number(cell);
  // `007` is a code and not a number.
  return /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(String(cell).trim()) ? Number(cell) : String(cell);
}

/** Coarser than the tolerance, so that nearly equal numbers have one key; what is near an edge is compared exactly. */
const keyOf = (value: Plain): string => (typeof value === "number" ? "#" : value === null ? "∅" : `"${value}`);
/** Rows apart from their numbers are grouped; within a group the numbers are compared one by one in sorted order. */
function sameMultiset(want: readonly Plain[][], have: readonly Plain[][]): boolean {
  const [left, right] = [toGroups(want), toGroups(have)];
  if (left.size !== right.size) return false;
  for (const [key, rows] of left) {
    const others = right.get(key);
    if (others?.length !== rows.length) return false;
    const sorted = [rows, others].map((list) => [...list].sort(compareNumbers)) as [number[][], number[][]];
    const pairwise = sorted[0].every((row, index) => row.every((value, at) => isNear(value, sorted[1][index]?.[at])));
    if (!pairwise && !canMatch(sorted[0], sorted[1])) return false;
  }
  return true;
}

function toGroups(rows: readonly Plain[][]): Map<string, number[][]> {
  const groups = new Map<string, number[][]>();
  for (const row of rows) {
    const key = row.map(keyOf).join("\u0001");
    const numbers = row.filter((value): value is number => typeof value === "number");
    const group = groups.get(key);
    if (group) group.push(numbers);
    else groups.set(key, [numbers]);
  }
  return groups;
}

/** Nearly equal first numbers can sort rows otherwise: then each row looks for a partner of its own. */
function canMatch(want: number[][], have: number[][]): boolean {
  const free = new Set(have.keys());
  return want.every((row) => {
    for (const index of free) if (row.every((value, at) => isNear(value, have[index]?.[at]))) return free.delete(index);
    return false;
  });
}

function compareNumbers(a: readonly number[], b: readonly number[]): number {
  for (const [at, value] of a.entries()) {
    const other = b[at] ?? 0;
    if (value !== other) return value < other ? -1 : 1;
  }
  return 0;
}

const isNear = (a: number, b: number | undefined): boolean =>
  b !== undefined && (a === b || Math.abs(a - b) <= Math.max(tolerance, share * Math.max(Math.abs(a), Math.abs(b))));

function sameInOrder(want: readonly Plain[][], have: readonly Plain[][], order: TieClasses): boolean {
  let from = 0;
  while (from < want.length) {
    let to = from + 1;
    while (to < want.length && order[to] === order[from]) to += 1;
    if (!sameMultiset(want.slice(from, to), have.slice(from, to))) return false;
    from = to;
  }
  return true;
}
