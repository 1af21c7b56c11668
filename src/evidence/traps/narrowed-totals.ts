/** Shares whose total was filtered when the groups were not, or the other way round. */
import { listOf } from "../../sql/tree.ts";
import { cellOf, figure } from "../ask.ts";
import { bare } from "./amend.ts";
import { positionOf } from "./block-text.ts";
import { nodesIn } from "./column-use.ts";
import { asks } from "./column-words.ts";
import { type Ratio, ratiosIn } from "./ratios.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

const ofAll = /(of|from) (the )?(grand )?(total|all|overall|entire|whole)|gesamt|totale|complessiv|del total|du total/;

export const narrowedTotals: Trap = {
  code: "total-narrowed",
  look: (context) =>
    context.statement.blocks
      .flatMap((block) => ratiosIn(context, block))
      .flatMap((ratio) => [...narrowed(context, ratio), ...windowed(context, ratio)]),
};

/** A total over a window comes after HAVING and WHERE: it holds only what they left. */
function windowed(context: TrapContext, { block, node }: Ratio): Suspicion[] {
  const over = nodesIn(node.right, (kind) => kind === "window_function").length > 0;
  if (!over || !(block.select.having || (block.conditions.length > 0 && asks(context, ofAll)))) return [];
  return [
    {
      asks: [],
      judge: () => ({
        severity: "notice",
        title: "The total of the shares holds only the rows that the filters leave",
        body: "A window sums what is left after WHERE and HAVING, so what they take away is missing from the whole.",
        waysOut: ["Take the total from all rows in a step of its own", "Say that the shares are of the filtered rows"],
      }),
    },
  ];
}

/** Shares of groups that don't add up to the whole, because only the numerator is filtered. */
function narrowed(context: TrapContext, ratio: Ratio): Suspicion[] {
  const { block, below, node } = ratio;
  const [other] = below;
  if (
    !other ||
    other.block === block ||
    block.groups.length === 0 ||
    block.place !== "top" ||
    block.limit !== undefined
  )
    return [];
  if (
    other.block.place !== "nested" ||
    other.block.conditions.length > 0 ||
    block.conditions.length === 0 ||
    block.select.having
  )
    return [];
  if (
    other.block.pairs.some(({ correlated }) => correlated) ||
    !other.block.tables.some(({ table }) => block.tables.some((own) => own.table === table))
  )
    return [];
  const position = listOf(block.select.expressions).findIndex((expression) =>
    nodesIn(expression, (kind) => kind === "div").some(({ value }) => value === node),
  );
  if (position < 0 || positionOf(block, block.groups[0]) < 0) return [];
  return [
    {
      asks: [bare(context.sql)],
      judge([read]) {
        if (!read?.ok || read.result.truncated || cellOf(read, position) === undefined) return undefined;
        const sum = read.result.rows.reduce((total, row) => total + Number(row[position] ?? 0), 0);
        const whole = sum > 1.5 ? 100 : 1;
        if (read.result.rows.length < 2 || !Number.isFinite(sum) || sum <= 0 || sum >= whole * 0.985) return undefined;
        return {
          severity: "warning",
          title: `The shares add up to ${figure(Math.round((sum / whole) * 100))} % only: their total is not filtered as they are`,
          body: "The groups are counted with a filter and divided by a total without it.",
          waysOut: ["Use the same filter for the total", "Say that the shares are of everything"],
        };
      },
    },
  ];
}
