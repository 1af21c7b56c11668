/** Shares whose denominator isn't the whole: repeated by a join, narrowed by it, or equal to the numerator. */
import { listOf } from "../../sql/tree.ts";
import { figure, toCount } from "../ask.ts";
import { nameOf } from "./amend.ts";
import { sameText } from "./block-text.ts";
import { nodesIn, pairsOf } from "./column-use.ts";
import { isUnique } from "./column-words.ts";
import { keyCounts, toKeyCounts } from "./key-counts.ts";
import { type Ratio, ratiosIn } from "./ratios.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

export const wrongTotals: Trap = {
  code: "total-wrong",
  look(context) {
    return context.statement.blocks
      .flatMap((block) => ratiosIn(context, block))
      .flatMap((ratio) => [...repeated(context, ratio), ...always(context, ratio)]);
  },
};

/** A sum over rows that a join repeats, or rows counted below and things above. */
function repeated(context: TrapContext, { above, below }: Ratio): Suspicion[] {
  return below.flatMap(({ aggregate, block }) => {
    const things = aggregate.star && above.find(({ distinct, name }) => distinct && name === "count");
    const side = things
      ? things.columns[0]
      : aggregate.name === "sum" && !aggregate.distinct
        ? aggregate.columns[0]
        : undefined;
    if (!side?.table || !side.column) return [];
    const [table, column] = [side.table, side.column];
    return pairsOf(block, side.alias).flatMap(({ own, other }) => {
      if (
        !own.column ||
        !other.table ||
        !other.column ||
        !isUnique(table, [own.column.name]) ||
        isUnique(other.table, [other.column.name])
      )
        return [];
      const far = other.table;
      return [
        {
          asks: [keyCounts(context, far, [other.column.name])],
          judge([read]) {
            const counts = toKeyCounts(read);
            if (!counts || counts.repeated === 0) return undefined;
            return {
              severity: "warning" as const,
              title: things
                ? `The share divides different ${column.name} by all joined rows`
                : `The total below the line adds ${column.name} of ${table.name} once per row of ${far.name}`,
              body: `${figure(counts.repeated)} of ${table.name} meet up to ${figure(counts.most)} rows of ${far.name}, so the denominator is larger than the whole.`,
              waysOut: [
                `Take the total from ${table.name} alone`,
                things ? `Divide by COUNT(DISTINCT ${column.name})` : `Sum ${far.name} per ${table.name} first`,
              ],
            };
          },
        },
      ];
    });
  });
}

/** An inner join leaves only those that the numerator counts, so the share is always the whole. */
function always(context: TrapContext, { block, above, below }: Ratio): Suspicion[] {
  const inner = block.pairs.filter(({ kind }) => /inner|where|implicit/i.test(kind));
  const found: Suspicion[] = [];
  for (const { aggregate, block: where } of below) {
    if (where !== block) continue;
    for (const top of above) {
      const [one, other] = [top.columns[0], aggregate.columns[0]];
      const pair = inner.find(
        ({ left, right }) =>
          [left, right].some((side) => side.alias === one?.alias && side.column === one?.column) &&
          [left, right].some((side) => side.alias === other?.alias && side.column === other?.column),
      );
      if (
        !pair ||
        one?.alias === other?.alias ||
        !other?.table ||
        !other.column ||
        !one?.table ||
        !one.column ||
        !top.distinct
      )
        continue;
      const [whole, key, part, fk] = [other.table, other.column.name, one.table, one.column.name];
      const quote = context.dialect.quote;
      found.push({
        asks: [
          `SELECT COUNT(*) FROM ${nameOf(context, whole)} WHERE ${quote(key)} NOT IN (SELECT ${quote(fk)} FROM ${nameOf(context, part)} WHERE ${quote(fk)} IS NOT NULL)`,
        ],
        judge([read]) {
          const left = toCount(read);
          if (left === 0) return undefined;
          return {
            severity: "warning",
            title: `The share is taken only of ${whole.name} that have ${part.name}`,
            body: `The inner join drops ${figure(left)} of ${whole.name} without ${part.name} from the total too, so the share can't be less than the whole.`,
            waysOut: [`Use LEFT JOIN ${part.name}`, `Take the total from ${whole.name} alone`],
          };
        },
      });
    }
    // CASE counts what WHERE already asks for.
    for (const top of above) {
      const cases = nodesIn(top.argument, (kind) => kind === "case").flatMap(({ value }) =>
        listOf(value.whens).map((when) => listOf(when)[0]),
      );
      if (cases.length !== 1 || !block.conditions.some((condition) => sameText(condition) === sameText(cases[0])))
        continue;
      found.push({
        asks: [],
        judge: () => ({
          severity: "warning",
          title: "The share is taken of the filtered rows only, so it is always the whole",
          body: "WHERE keeps just the rows that the numerator counts; the denominator counts the same rows.",
          waysOut: ["Take the condition out of WHERE", "Take the total from all rows"],
        }),
      });
    }
  }
  return found;
}
