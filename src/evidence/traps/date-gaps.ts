/** Months or days in which nothing happened are missing from a series instead of being 0. */
import { figure, listing } from "../ask.ts";
import { runOf } from "./block-text.ts";
import { asks } from "./column-words.ts";
import { periodColumns } from "./period-columns.ts";
import { periodsIn } from "./periods.ts";
import type { Suspicion, Trap } from "./trap.ts";

/** Calls for a value in every period. */
const series =
  /(per|each|every|by|all) (calendar )?(day|month|quarter|week)|monthly|daily|weekly|quarterly|trend|series|over time|(average|avg|mean).*(per|each|a|every) (day|month)|monat|taeglich|mensil|mensual|mensuel|par mois|por mes|al mese/;

export const dateGaps: Trap = {
  code: "period-missing",
  look(context) {
    return context.statement.blocks.flatMap((block): Suspicion[] => {
      if (block.place !== "top" || block.groups.length === 0 || block.limit !== undefined) return [];
      if (block.aggregates.length === 0 || block.tables.length === 0 || block.tables[0] === undefined) return [];
      // A calendar on the left fills the gaps.
      if (block.tables.some(({ kind }) => /left|right|full/i.test(kind))) return [];
      const columns = periodColumns(context, block, block.groups);
      const statement = runOf(context, block);
      if (!columns || statement === undefined) return [];
      return [
        {
          asks: [statement],
          judge([read]) {
            if (!read?.ok || read.result.truncated) return undefined;
            const periods = periodsIn(read.result.rows, columns);
            if (!periods || periods.unit === "year" || periods.missing.length === 0) return undefined;
            const { unit, missing, present } = periods;
            // Where most are missing the rows are single events and no series.
            const dense = missing.length <= present;
            return {
              severity:
                dense && (unit !== "day" || missing.length * 3 <= present) && asks(context, series)
                  ? "warning"
                  : dense
                    ? "notice"
                    : "info",
              title: `${figure(missing.length)} ${unit}${missing.length === 1 ? " is" : "s are"} missing between the first and the last: ${listing(missing.slice(0, 3))}${missing.length > 3 ? " …" : ""}`,
              body: `The answer shows ${figure(present)} ${unit}s that have rows; the others are left out instead of counting as 0, so averages per ${unit} and lines between them are wrong.`,
              waysOut: [`Show every ${unit}, with 0 where there are no rows`, `Leave ${unit}s without rows out`],
            };
          },
        },
      ];
    });
  },
};
