/** Numbers kept as text: they sort letter by letter, and what isn't quite a number adds as nothing. */
import type { Column, Table } from "../../protocol/index.ts";
import { resolveColumn } from "../../sql/scope.ts";
import { listOf, toNode, unwrap } from "../../sql/tree.ts";
import { figure, listing } from "../ask.ts";
import { amendTable, bare, differ } from "./amend.ts";
import type { Block } from "./block.ts";
import { rewriteColumns } from "./block-text.ts";
import { findColumn, nodesIn } from "./column-use.ts";
import type { Trap } from "./trap.ts";

type Use = { how: "order" | "extreme" | "sum" | "avg" } | { how: "compare"; kind: string; value: string };
const plain = /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i;
/** Means a number, but reads as another one or none: `1.234,50`, `1,200`, `12 %`, `€5`. */
const dressed = /^\s*([€$£]|eur|usd)?\s*[-+]?\d{1,3}([., ']?\d{3})*([.,]\d+)?\s*(%|[€$£]|[a-z]{1,4})?\s*$/i;

function usesIn(block: Block): { node: unknown; use: Use }[] {
  const found: { node: unknown; use: Use }[] = [];
  const column = (node: unknown) => toNode(unwrap(node))?.kind === "column";
  for (const { term } of block.orders) if (column(term)) found.push({ node: term, use: { how: "order" } });
  for (const { name, argument } of block.aggregates) {
    if (!column(argument)) continue;
    if (name === "min" || name === "max") found.push({ node: argument, use: { how: "extreme" } });
    if (name === "sum" || name === "avg") found.push({ node: argument, use: { how: name } });
  }
  for (const { kind, value } of nodesIn([block.conditions, listOf(block.select.expressions)], (each) =>
    /^(lt|lte|gt|gte)$/.test(each),
  )) {
    const [left, right] = [toNode(unwrap(value.left)), toNode(unwrap(value.right))];
    if (left?.kind === "column" && right?.kind === "literal")
      found.push({ node: value.left, use: { how: "compare", kind, value: String(right.value.value) } });
  }
  return found;
}

export const textNumbers: Trap = {
  code: "text-number",
  look(context) {
    const { catalog, statement, dialect } = context;
    const seen = new Set<string>();
    return statement.blocks.flatMap((block) =>
      usesIn(block).flatMap(({ node, use }) => {
        const origin = resolveColumn(node, block.scope)?.origins[0];
        const table = catalog.tables.find((candidate) => candidate.name === origin?.table);
        const column = table && origin ? findColumn(table, origin.column) : undefined;
        const key = `${table?.name}.${column?.name} ${use.how}`;
        if (!table || !column || column.kind !== "text" || column.dateFormat || seen.has(key)) return [];
        if (column.samples.length > 0 && !column.samples.some((value) => /\d/.test(value))) return [];
        seen.add(key);
        const name = dialect.quote(column.name);
        const added = use.how === "sum" || use.how === "avg";
        const converted = added
          ? amendTable(
              context,
              table,
              `(${name} IS NULL OR (LOWER(${name}) = UPPER(${name}) AND TRIM(${name}) NOT IN ('', '-')))`,
            )
          : rewriteColumns(context, [node], dialect.asNumber);
        return [
          {
            asks: [
              `SELECT DISTINCT ${name} FROM ${context.from(table, "t")} WHERE ${name} IS NOT NULL LIMIT 500`,
              ...(converted === undefined ? [] : [bare(context.sql), converted]),
            ],
            judge([read, before, after]) {
              // The rows that the statement takes may sort and compare the same both ways.
              const same = differ(before, after) === false;
              if (same && !added) return undefined;
              const values = read?.ok ? read.result.rows.map(([value]) => String(value)) : [];
              return judge(table, column, use, values, block, same);
            },
          },
        ];
      }),
    );
  },
};

function judge(table: Table, column: Column, use: Use, values: readonly string[], block: Block, same: boolean) {
  const numbers = values.filter((value) => plain.test(value));
  const name = `${table.name}.${column.name}`;
  const out = [`Convert ${column.name} to a number first`];
  if (use.how === "sum" || use.how === "avg") {
    const odd = values.filter((value) => !plain.test(value) && dressed.test(value));
    const hollow = values.filter((value) => !plain.test(value) && !dressed.test(value));
    if (numbers.length + odd.length < 2 || (odd.length === 0 && (same || hollow.length === 0 || use.how === "sum")))
      return undefined;
    if ((numbers.length + odd.length) * 2 < values.length) return undefined;
    const examples = listing([...odd, ...hollow].slice(0, 3).map((value) => `“${value}”`));
    return {
      severity: "warning" as const,
      title: `${name} is text, and ${examples} ${odd.length + hollow.length === 1 ? "is" : "are"} no plain number`,
      body: `${figure(odd.length + hollow.length)} of ${figure(values.length)} different values would be read as another number or as 0 when they are ${use.how === "sum" ? "added up" : "averaged"}.`,
      waysOut: [...out, `Leave out what is no number in ${column.name}`],
    };
  }
  // Codes with the same number of digits sort the same both ways.
  if (numbers.length < 2 || numbers.length < values.length * 0.9) return undefined;
  const byText = [...numbers].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const byNumber = [...numbers].sort((a, b) => Number(a) - Number(b));
  const sorted = byText.every((value, at) => Number(value) === Number(byNumber[at]));
  if (sorted) return undefined;
  if (use.how === "compare") {
    if (!plain.test(use.value)) return undefined;
    const holds = (order: number) =>
      (/^gt/.test(use.kind) ? order > 0 : order < 0) || (order === 0 && /e$/.test(use.kind));
    const wrong = numbers.filter(
      (value) => holds(value < use.value ? -1 : value > use.value ? 1 : 0) !== holds(Number(value) - Number(use.value)),
    );
    if (wrong.length === 0) return undefined;
    return {
      severity: "warning" as const,
      title: `${name} is text, so it is compared letter by letter with ${use.value}`,
      body: `${figure(wrong.length)} of ${figure(numbers.length)} different values come out on the wrong side, such as ${listing(wrong.slice(0, 3).map((value) => `'${value}'`))}.`,
      waysOut: out,
    };
  }
  const [first, last] = [byText[0], byText.at(-1)];
  const [least, most] = [byNumber[0], byNumber.at(-1)];
  const alike = Number(first) === Number(least) && Number(last) === Number(most);
  if (use.how === "extreme" && alike) return undefined;
  return {
    severity: use.how === "extreme" || block.limit !== undefined ? ("warning" as const) : ("notice" as const),
    title: `${name} is text, so it is ordered letter by letter: '${last}' comes after '${most === last ? byText.at(-2) : most}'`,
    body: `As text the values go from '${first}' to '${last}', as numbers from ${least} to ${most}.`,
    waysOut: out,
  };
}
