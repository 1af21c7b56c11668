/** Different things counted per group and then added up: who is in two groups is counted twice. */
import { fold } from "../../sql/scope.ts";
import { toStepShape } from "../../sql/step-shape.ts";
import { listOf, nameOf, toNode, unwrap } from "../../sql/tree.ts";
import { figure, toCount } from "../ask.ts";
import type { Aggregate, Block } from "./block.ts";
import { columnText, prefixOf, textOf } from "./block-text.ts";
import { columnsIn, nodesIn } from "./column-use.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

export const distinctSums: Trap = {
  code: "distinct-summed",
  look(context) {
    return context.statement.blocks.flatMap((block) =>
      block.aggregates.flatMap((aggregate) => {
        if (aggregate.name !== "sum") return [];
        const inner = innerCount(context, block, aggregate);
        return inner ? [toSuspicion(context, inner)] : [];
      }),
    );
  },
};

interface Inner {
  step: Block;
  count: Aggregate;
}

/** The COUNT(DISTINCT …) that the summed column is, in the step it comes from or within the sum's own window. */
function innerCount({ statement }: TrapContext, block: Block, aggregate: Aggregate): Inner | undefined {
  const own = nodesIn(aggregate.argument, (kind) => kind === "count").some(({ value }) => value.distinct === true);
  if (own) {
    const count = block.aggregates.find((other) => other.name === "count" && other.distinct);
    return count ? { step: block, count } : undefined;
  }
  const [column] = nodesIn(aggregate.argument, (kind) => kind === "column");
  const name = fold(nameOf(column?.value.name) ?? "");
  const qualifier = nameOf(column?.value.table);
  for (const source of block.scope.sources) {
    if (qualifier !== undefined && source.alias !== fold(qualifier)) continue;
    const step = statement.steps.get(block.stepOf.get(source.alias) ?? "");
    const shown = listOf(step?.select.expressions).find((expression) => {
      const node = toNode(unwrap(expression));
      return node?.kind === "alias" && fold(nameOf(node.value.alias) ?? "") === name;
    });
    const [found] = nodesIn(shown, (kind) => kind === "count").filter(({ value }) => value.distinct === true);
    const count = step?.aggregates.find(({ node }) => toNode(node)?.value === found?.value);
    if (step && count && found && step.groups.length > 0) return { step, count };
  }
  return undefined;
}

function toSuspicion(context: TrapContext, { step, count }: Inner): Suspicion {
  const thing = columnsIn(count.argument, step)[0]?.column ?? "value";
  const prefix = prefixOf(context);
  const body = step.place === "top" ? context.sql.slice(prefix === "" ? 0 : prefix.length - 1) : textOf(context, step);
  const from = body === undefined ? undefined : toStepShape(body, context.dialect.parser).from;
  const column = columnText(context, count.argument);
  const terms = step.groups.map((term) => columnText(context, term));
  const measured =
    from !== undefined && column !== undefined && step.groups.length > 0 && terms.every((term) => term !== undefined);
  // Without groups that are plain columns the total alone is counted.
  const asks =
    from === undefined || column === undefined
      ? []
      : [
          `${prefix}SELECT COUNT(DISTINCT ${column}) ${from}`,
          ...(measured
            ? [
                `${prefix}SELECT SUM(n) FROM (SELECT COUNT(DISTINCT ${column}) AS n ${from} GROUP BY ${terms.join(", ")}) AS g`,
              ]
            : body === undefined || step.place === "top"
              ? []
              : [`${prefix}SELECT COUNT(*) FROM (${body}) AS g`]),
        ];
  return {
    asks,
    judge([once, added]) {
      const [real, sum] = [toCount(once), toCount(added)];
      if (once?.ok && added?.ok && measured && real === sum) return undefined;
      const proven = once?.ok === true && added?.ok === true && measured && sum > real;
      return {
        severity: proven ? "warning" : "notice",
        title: `Different ${thing} are counted per group and then added up`,
        body: proven
          ? `There are ${figure(real)} different ${thing}, but the groups add up to ${figure(sum)}: ${figure(sum - real)} are counted in more than one group.`
          : `A ${thing} that is in several groups is counted in each of them${once?.ok ? `; there are ${figure(real)} different ones in all` : ""}.`,
        waysOut: [`Count different ${thing} once over all rows`, `Say that the total counts a ${thing} once per group`],
      };
    },
  };
}
