/** A change against the period before, where the row before is an older period or the last one isn't over yet. */
import { isTree, listOf, toNode, unwrap } from "../../sql/tree.ts";
import { cellOf, figure, listing } from "../ask.ts";
import { nameOf } from "./amend.ts";
import type { Block } from "./block.ts";
import { runOf } from "./block-text.ts";
import { columnsIn, isUsed, nodesIn } from "./column-use.ts";
import { asks, isDate } from "./column-words.ts";
import { isPeriod, periodColumns } from "./period-columns.ts";
import { type Periods, periodsIn } from "./periods.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

const compares =
  /year.over.year|month.over.month|\byoy\b|\bmom\b|growth|compared|versus|\bvs\b|change|increase|decrease|previous (year|month)|prior (year|month)|vorjahr|wachstum|crescita|anno precedente|crecimiento|croissance/;

interface Lag {
  block: Block;
  partitions: number;
  order: unknown[];
}

/** LAG and LEAD over periods. */
function lagsIn(context: TrapContext): Lag[] {
  return context.statement.blocks.flatMap((block) =>
    nodesIn([block.select.expressions], (kind) => kind === "window_function").flatMap(({ value }): Lag[] => {
      const call = toNode(value.this);
      const over = isTree(value.over) ? value.over : {};
      const name = call?.kind === "function" ? String(call.value.name).toLowerCase() : call?.kind;
      const order = listOf(over.order_by).flatMap((item) => (isTree(item) ? [item.this] : []));
      if ((name !== "lag" && name !== "lead") || !order.some((term) => isPeriod(context, block, term))) return [];
      return [{ block, partitions: listOf(over.partition_by).length, order }];
    }),
  );
}

export const periodChanges: Trap = {
  code: "period-before",
  look(context) {
    const lags = lagsIn(context);
    const found = lags.flatMap((lag) => gaps(context, lag));
    return [...found.slice(0, 1), ...unfinished(context, lags)];
  },
};

function gaps(context: TrapContext, { block, partitions, order }: Lag): Suspicion[] {
  const columns = periodColumns(context, block, order);
  const statement = runOf(context, block);
  if (!columns || statement === undefined) return [];
  return [
    {
      asks: [statement],
      judge([read]) {
        if (!read?.ok || read.result.truncated) return undefined;
        const groups = new Map<string, typeof read.result.rows>();
        for (const row of read.result.rows) {
          // Each product has its own row before: texts beside the period tell them apart.
          const key =
            partitions === 0
              ? ""
              : JSON.stringify(row.filter((cell, at) => typeof cell === "string" && !columns.includes(at)));
          groups.set(key, [...(groups.get(key) ?? []), row]);
        }
        const missing = [...groups.values()].flatMap((rows) => {
          const periods = periodsIn(rows, columns);
          return periods && periods.missing.length > 0 ? [periods] : [];
        });
        const [worst] = missing;
        if (!worst) return undefined;
        const all = [...new Set(missing.flatMap((periods) => periods.missing))].sort();
        return {
          severity: worst.unit === "day" ? "notice" : "warning",
          title: `The row before isn't always the ${worst.unit} before: ${listing(all.slice(0, 3))}${all.length > 3 ? " …" : ""} ${all.length === 1 ? "is" : "are"} missing`,
          body: `LAG takes the row before, so what follows a missing ${worst.unit} is compared with an older one (${figure(all.length)} ${worst.unit}${all.length === 1 ? "" : "s"} without rows).`,
          waysOut: [
            `Join each ${worst.unit} with the one exactly before it`,
            `Show every ${worst.unit}, with 0 where there are no rows`,
          ],
        };
      },
    },
  ];
}

/** The last period of the answer is the one in which the data end. */
function unfinished(context: TrapContext, lags: readonly Lag[]): Suspicion[] {
  if (lags.length === 0 && !asks(context, compares)) return [];
  return context.statement.blocks.flatMap((block) => {
    const period = block.groups.find((term) => isPeriod(context, block, term));
    const [origin] = period === undefined ? [] : columnsIn(period, block);
    const table = context.catalog.tables.find((candidate) => candidate.name === origin?.table);
    const column = table?.columns.find((candidate) => candidate.name.toLowerCase() === origin?.column);
    const shown = periodColumns(context, block, block.groups);
    const statement = runOf(context, block);
    if (!table || !column || !isDate(column) || !shown || statement === undefined) return [];
    if (toNode(unwrap(period))?.kind === "column" || isUsed(context.statement, table, column, "condition")) return [];
    const name = context.dialect.quote(column.name);
    return [
      {
        asks: [statement, `SELECT MIN(${name}), MAX(${name}) FROM ${nameOf(context, table)}`],
        judge([read, ends]) {
          if (!read?.ok) return undefined;
          const periods = periodsIn(read.result.rows, shown);
          const last = String(cellOf(ends, 1) ?? "");
          const share = periods ? elapsed(periods, last) : undefined;
          if (!periods || share === undefined || share > 0.9) return undefined;
          return {
            severity: lags.length > 0 ? "warning" : "notice",
            title: `The last ${periods.unit}, ${periods.last}, is not complete: its data end on ${last.slice(0, 10)}`,
            body: `Compared with a whole ${periods.unit} before it looks smaller; ${figure(Math.round(share * 100))} % of it has passed.`,
            waysOut: [`Leave ${periods.last} out`, `Compare with the same days of the ${periods.unit} before`],
          };
        },
      },
    ];
  });
}

/** Part of the last period that lies before the last date. */
function elapsed({ unit, last: period }: Periods, last: string): number | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(last) ?? [];
  if (!year || !month || !day || !period.startsWith(year)) return undefined;
  const inYear = (Number(month) - 1) / 12 + Number(day) / 372;
  if (unit === "year") return inYear;
  if (unit === "quarter") return (inYear * 4) % 1 || 1;
  return unit === "month" ? Number(day) / 30 : undefined;
}
