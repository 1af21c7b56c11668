/** What the rows before a reviewer tell about where the difference lies, as they would look at them: too many columns, too many rows, rows twice. */
import { sameRows } from "../same-rows.ts";
import type { DifferencePart } from "./difference.ts";

type Row = readonly unknown[];

export interface RowEvidence {
  /** Parts that can explain the difference. */
  parts: ReadonlySet<DifferencePart>;
  /** The same rows as in gold, but not as often. */
  duplicates: "too-many" | "too-few" | null;
}

const all: DifferencePart[] = ["outputs", "measure", "groups", "filters", "order", "limit", "duplicates", "tables"];

export function readRowEvidence(gold: readonly Row[], got: readonly Row[]): RowEvidence {
  const only = (...parts: DifferencePart[]): RowEvidence => ({ parts: new Set(parts), duplicates: null });
  if (gold.length === 0 || got.length === 0) return only(...all);
  if (gold[0]?.length !== got[0]?.length) return only(...all);
  if (sameRows(gold, got)) return only("order", "limit");
  const [wanted, shown] = [once(gold), once(got)];
  if (sameRows(wanted, shown)) {
    const duplicates = got.length > gold.length ? "too-many" : "too-few";
    return { parts: new Set(["duplicates", "groups", "measure", "tables"]), duplicates };
  }
  const held = new Set(shown.map(spell));
  const has = new Set(wanted.map(spell));
  // Some rows are gold's: what is shown of them is right.
  if (wanted.every((row) => held.has(spell(row))) || shown.every((row) => has.has(spell(row))))
    return only(...all.filter((part) => part !== "outputs" && part !== "measure"));
  return only(...all);
}

const spell = (row: Row): string => JSON.stringify(row.map((cell) => (cell === null ? null : String(cell))).sort());

function once(rows: readonly Row[]): Row[] {
  return [
    ...new Map(
      rows.map((row) => [JSON.stringify(row.map((cell) => (typeof cell === "bigint" ? String(cell) : cell))), row]),
    ).values(),
  ];
}
