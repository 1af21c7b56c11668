/** A share that stands on the link between two tables and is ignored while the whole is summed. */
import { figure, rowsOf, toCount } from "../ask.ts";
import { nameOf } from "./amend.ts";
import { isUsed, pairsOf, tablesOf } from "./column-use.ts";
import { asks, hasWord, isKeyLike, isNumeric, isUnique, wordSet } from "./column-words.ts";
import type { Trap } from "./trap.ts";

const shareWords = wordSet(
  "share shares percent percentage pct perc weight weights weighting allocation allocated ratio split quota quote portion proportion fraction factor contribution ownership anteil prozent gewicht gewichtung verteilung percentuale peso ripartizione porcentaje cuota participacion pourcentage part poids repartition fte",
);

export const bridgeWeights: Trap = {
  code: "share-ignored",
  look(context) {
    const { statement, dialect } = context;
    if (asks(context, /full amount|unweighted|regardless|without (the )?(share|weight)/)) return [];
    return tablesOf(statement).flatMap(({ table: bridge, block, alias }) => {
      const shares = bridge.columns.filter(
        (column) => isNumeric(column) && hasWord(column.name, shareWords) && !isKeyLike(bridge, column),
      );
      if (shares.length === 0 || shares.some((column) => isUsed(statement, bridge, column))) return [];
      const links = new Set([
        ...bridge.foreignKeys.flatMap(({ columns }) => columns),
        ...bridge.columns.filter((column) => isKeyLike(bridge, column)).map(({ name }) => name),
      ]);
      if (links.size < 2) return [];
      return pairsOf(block, alias).flatMap(({ own, other }) => {
        const measure = block.aggregates.find(
          ({ name, distinct, columns }) =>
            /^(sum|avg)$/.test(name) && !distinct && columns.some((side) => side.alias === other.alias && side.table),
        );
        const column = measure?.columns.find((side) => side.alias === other.alias)?.column;
        if (!own.column || !other.table || !other.column || !column || !isUnique(other.table, [other.column.name]))
          return [];
        const share = shares[0];
        const key = dialect.quote(own.column.name);
        const whole = other.table;
        const name = own.column.name;
        if (!share) return [];
        const counted = `SELECT COUNT(*), SUM(CASE WHEN n > 1 THEN 1 ELSE 0 END), SUM(CASE WHEN s BETWEEN 0.98 AND 1.02 OR s BETWEEN 98 AND 102 THEN 1 ELSE 0 END), MAX(n) FROM (SELECT ${key}, COUNT(*) AS n, SUM(${dialect.quote(share.name)}) AS s FROM ${nameOf(context, bridge)} WHERE ${key} IS NOT NULL GROUP BY ${key}) AS g`;
        return [
          {
            asks: [counted],
            judge([read]) {
              const [keys, several, wholes, most] = [0, 1, 2, 3].map((at) => toCount(read, at));
              if (!keys || !several) return undefined;
              const complete = (wholes ?? 0) >= keys * 0.6;
              return {
                severity: complete ? "warning" : "notice",
                title: `${column.name} of ${whole.name} is counted in full for each row of ${bridge.name}`,
                body: `${figure(several)} of ${figure(keys)} ${name} are split over up to ${rowsOf(most ?? 0)} of ${bridge.name}, and ${share.name} says how${complete ? ` (it adds up to a whole for ${figure(wholes ?? 0)} of them)` : ""}; without it the parts add up to more than the total.`,
                waysOut: [`Multiply ${column.name} by ${share.name}`, `Count ${column.name} in full for each row`],
              };
            },
          },
        ];
      });
    });
  },
};
