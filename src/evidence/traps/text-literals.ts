/** A column of text compared with a value that is stored in another spelling: '7' for '007', true for 'Y'. */
import type { Column, Table } from "../../protocol/index.ts";
import { resolveColumn } from "../../sql/scope.ts";
import { isTree, listOf, toNode, unwrap } from "../../sql/tree.ts";
import { figure, listing, toText } from "../ask.ts";
import { nameOf } from "./amend.ts";
import type { Block } from "./block.ts";
import { findColumn } from "./column-use.ts";
import { isFalse, isTrue } from "./column-words.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

interface Compared {
  table: Table;
  column: Column;
  values: string[];
}

/** `column = literal` and `column IN (literals)` over stored columns. */
function comparedIn(block: Block, { catalog }: TrapContext): Compared[] {
  const found: Compared[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isTree(value)) return;
    const node = toNode(value);
    if (node && /^(select|union|intersect|except)$/.test(node.kind)) return;
    if (node?.kind === "eq" || node?.kind === "neq" || node?.kind === "in") {
      const sides =
        node.kind === "in" ? [node.value.this, ...listOf(node.value.expressions)] : [node.value.left, node.value.right];
      const origins = sides.map((side) => resolveColumn(side, block.scope)?.origins[0]);
      const origin = origins.find((each) => each !== undefined);
      const values = sides.flatMap((side) => {
        const literal = toNode(unwrap(side));
        if (literal?.kind === "boolean") return [String(literal.value.value)];
        return literal?.kind === "literal" ? [String(literal.value.value)] : [];
      });
      const table = catalog.tables.find((candidate) => candidate.name === origin?.table);
      const column = table && origin ? findColumn(table, origin.column) : undefined;
      if (table && column && values.length > 0) found.push({ table, column, values });
    }
    for (const child of Object.values(value)) if (typeof child === "object") visit(child);
  };
  visit([block.conditions, block.select.expressions]);
  return found;
}

export const textLiterals: Trap = {
  code: "text-spelling",
  look(context) {
    const { dialect } = context;
    return context.statement.blocks.flatMap((block) =>
      comparedIn(block, context).flatMap(({ table, column, values }): Suspicion[] => {
        if (column.kind !== "text") return [];
        const name = dialect.quote(column.name);
        const from = nameOf(context, table);
        const numbers = values.filter((value) => /^\d+$/.test(value));
        const truths = values.filter((value) => isTrue.test(value) || isFalse.test(value));
        const found: Suspicion[] = [];
        if (truths.length > 0 && truths.length === values.length)
          found.push({
            asks: [
              `SELECT ${name}, COUNT(*) FROM ${from} WHERE ${name} IS NOT NULL GROUP BY ${name} ORDER BY COUNT(*) DESC LIMIT 6`,
            ],
            judge([read]) {
              if (!read?.ok) return undefined;
              const stored = read.result.rows.map(([value, rows]) => ({ value: toText(value), rows: Number(rows) }));
              const words = stored.filter(({ value }) => isTrue.test(value.trim()) || isFalse.test(value.trim()));
              if (stored.length === 0 || stored.length > 5 || words.length < stored.length) return undefined;
              const meant = truths.flatMap((value) =>
                words.filter((word) => isTrue.test(word.value.trim()) === isTrue.test(value)),
              );
              const missed = meant.filter((word) => !values.includes(word.value));
              if (missed.length === 0) return undefined;
              const rows = missed.reduce((sum, word) => sum + word.rows, 0);
              return toDraft(
                table,
                column,
                values,
                missed.map(({ value }) => value),
                rows,
              );
            },
          });
        if (numbers.length > 0 && dialect.parser !== "mysql") {
          const bare = numbers.map((value) => dialect.text(value.replace(/^0+/, ""))).join(", ");
          const exact = values.map(dialect.text).join(", ");
          found.push({
            asks: [
              `SELECT ${name}, COUNT(*) FROM ${from} WHERE LTRIM(${name}, '0') IN (${bare}) AND ${name} NOT IN (${exact}) GROUP BY ${name} LIMIT 6`,
            ],
            judge([read]) {
              const missed = read?.ok ? read.result.rows.filter(([value]) => /^\d+$/.test(String(value))) : [];
              if (missed.length === 0) return undefined;
              const rows = missed.reduce((sum, row) => sum + Number(row[1]), 0);
              return toDraft(
                table,
                column,
                values,
                missed.map(([value]) => toText(value)),
                rows,
              );
            },
          });
        }
        return found;
      }),
    );
  },
};

function toDraft(table: Table, column: Column, values: readonly string[], missed: readonly string[], rows: number) {
  const list = listing(missed.slice(0, 4).map((value) => `'${value}'`));
  return {
    severity: "warning" as const,
    title: `${table.name}.${column.name} is text and holds ${list}, which the statement does not compare with`,
    body: `The condition asks for ${listing(values.slice(0, 4))}; ${figure(rows)} rows with ${list} mean the same and are not found.`,
    waysOut: missed.slice(0, 3).map((value) => `Compare ${column.name} with '${value}'`),
  };
}
