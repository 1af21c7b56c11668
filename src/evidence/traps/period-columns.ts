/** Which of a block's terms are periods, and where they stand in its result. Pure. */
import { nameOf, toNode, unwrap } from "../../sql/tree.ts";
import type { Block } from "./block.ts";
import { positionOf } from "./block-text.ts";
import { columnsIn } from "./column-use.ts";
import { isDate, wordSet, wordsOf } from "./column-words.ts";
import type { TrapContext } from "./trap.ts";

const periodWords = wordSet(
  "date day month quarter year period week yyyymm ym mon yr datum tag monat quartal jahr mese anno giorno data fecha mes ano dia mois annee jour yearmonth orderdate",
);

/** A term over a stored date, or called like a period. */
export function isPeriod(context: TrapContext, block: Block, term: unknown): boolean {
  const stored = columnsIn(term, block).some(({ table, column }) => {
    const found = context.catalog.tables.find((candidate) => candidate.name === table);
    const own = found?.columns.find((candidate) => candidate.name.toLowerCase() === column);
    return own !== undefined && (isDate(own) || wordsOf(own.name).some((word) => periodWords.has(word)));
  });
  const node = toNode(unwrap(term));
  const name = node?.kind === "column" ? (nameOf(node.value.name) ?? "") : "";
  return stored || wordsOf(name).some((word) => periodWords.has(word));
}

/** Positions of the period in the block's result: one, or the year's and the month's; undefined when not shown. */
export function periodColumns(context: TrapContext, block: Block, terms: readonly unknown[]): number[] | undefined {
  const positions = terms
    .filter((term) => isPeriod(context, block, term))
    .map((term) => positionOf(block, term))
    .filter((at) => at >= 0);
  return positions.length === 0 || positions.length > 2 ? undefined : positions;
}
