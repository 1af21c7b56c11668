/** Rows without a key: they match nothing, empty a NOT IN, and are counted or not by the way COUNT is written. */
import { isTree, listOf, toNode, unwrap } from "../../sql/tree.ts";
import { figure, rowsOf, toCount } from "../ask.ts";
import { bare, nameOf } from "./amend.ts";
import type { Block } from "./block.ts";
import { columnsIn, isUsed, nodesIn } from "./column-use.ts";
import { asks, isUnique } from "./column-words.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

export const nullKeys: Trap = {
  code: "null-key",
  look: (context) =>
    context.statement.blocks.flatMap((block) => [...lostRows(context, block), ...nullCounts(context, block)]),
};

export const nullInNotIn: Trap = {
  code: "not-in-null",
  look: (context) => context.statement.blocks.flatMap((block) => notIn(context, block)),
};

export const countedOuter: Trap = {
  code: "outer-row-counted",
  look: (context) => context.statement.blocks.flatMap((block) => outerCount(context, block)),
};

/** An inner join drops rows whose key is NULL. */
function lostRows(context: TrapContext, block: Block): Suspicion[] {
  return block.pairs.flatMap(({ left, right, kind, correlated }) => {
    if (
      correlated ||
      !/inner|implicit|where/i.test(kind) ||
      block.tables.some((table) => /left|right|full/i.test(table.kind))
    )
      return [];
    return [
      [left, right],
      [right, left],
    ].flatMap(([child, parent]) => {
      if (!child?.table || !child.column || !parent?.table || !parent.column) return [];
      const [table, column, far, key] = [child.table, child.column, parent.table, parent.column];
      if (!column.nullable || table.primaryKey.includes(column.name) || !isUnique(far, [key.name])) return [];
      if (
        columnsIn(block.conditions, block).some(
          (used) => used.alias === child.alias && used.column === column.name.toLowerCase(),
        )
      )
        return [];
      // A table that gives nothing and only stands in the join still drops rows.
      const idle =
        block.aggregates.length > 0 &&
        far.columns.every(
          (each) => !isUsed(context.statement, far, each, "condition", "group", "output", "measure", "order"),
        ) &&
        block.tables.filter((each) => each.table === far).length === 1;
      const name = context.dialect.quote(column.name);
      return [
        {
          asks: [`SELECT COUNT(*), SUM(CASE WHEN ${name} IS NULL THEN 1 ELSE 0 END) FROM ${nameOf(context, table)}`],
          judge([read]) {
            const lost = toCount(read, 1);
            if (lost === 0) return undefined;
            return {
              severity: idle ? ("warning" as const) : ("notice" as const),
              title: `${rowsOf(lost)} of ${table.name} ${lost === 1 ? "has" : "have"} no ${column.name} and ${lost === 1 ? "is" : "are"} left out`,
              body: `The join with ${far.name} drops ${figure(lost)} of ${rowsOf(toCount(read))} because their ${column.name} is NULL${idle ? `, and nothing of ${far.name} is used` : ""}.`,
              waysOut: idle ? [`Without ${far.name}`] : [`Keep them with LEFT JOIN ${far.name}`],
            };
          },
        },
      ];
    });
  });
}

/** `x NOT IN (SELECT y …)` is never true once one y is NULL. */
function notIn(context: TrapContext, block: Block): Suspicion[] {
  return block.conditions.flatMap((condition) => {
    let node = toNode(unwrap(condition));
    const negated = node?.kind === "not";
    if (negated) node = toNode(unwrap(node?.value.this));
    if (node?.kind !== "in" || (node.value.not === true) === negated || !isTree(node.value.query)) return [];
    let query = toNode(unwrap(node.value.query));
    if (query?.kind === "subquery") query = toNode(unwrap(query.value.this));
    const inner = context.statement.blockOf.get(query?.value);
    const [origin] = columnsIn(listOf(query?.value.expressions).slice(0, 1), inner ?? block);
    const table = context.catalog.tables.find((candidate) => candidate.name === origin?.table);
    if (!inner || !origin || !table) return [];
    if (columnsIn(inner.conditions, inner).some((used) => used.column === origin.column && used.alias === origin.alias))
      return [];
    const name = context.dialect.quote(
      table.columns.find((column) => column.name.toLowerCase() === origin.column)?.name ?? "",
    );
    return [
      {
        asks: [`SELECT COUNT(*) FROM ${nameOf(context, table)} WHERE ${name} IS NULL`, bare(context.sql)],
        judge([read, answer]) {
          const nulls = toCount(read);
          if (nulls === 0 || !answer?.ok) return undefined;
          const empty = answer.result.rows.every((row) => row.every((cell) => cell === null || cell === 0));
          if (!empty) return undefined;
          return {
            severity: "problem",
            title: `NOT IN finds nothing because ${table.name}.${origin.column} is NULL in ${rowsOf(nulls)}`,
            body: "Compared with NULL nothing is known to be different, so no row passes.",
            waysOut: [`Use NOT EXISTS instead of NOT IN`, `Leave out rows without ${origin.column} inside NOT IN`],
          };
        },
      },
    ];
  });
}

/** `COUNT(x)` leaves out rows where x is NULL. */
function nullCounts(context: TrapContext, block: Block): Suspicion[] {
  if (!asks(context, /how many|number of|count|wie viele|anzahl|quant|cuant|combien/)) return [];
  return block.aggregates.flatMap(({ name, distinct, argument, columns: [side] }) => {
    const { table, column } = side ?? {};
    if (name !== "count" || distinct || toNode(unwrap(argument))?.kind !== "column" || !table || !column) return [];
    const outer = block.tables.find(({ alias }) => alias === side?.alias);
    if (!column.nullable || table.primaryKey.includes(column.name) || /left|right|full/i.test(outer?.kind ?? ""))
      return [];
    const word = column.name.toLowerCase().split(/[_ ]/)[0] ?? "";
    if (
      columnsIn(block.conditions, block).some((used) => used.column === column.name.toLowerCase()) ||
      asks(context, new RegExp(`\\b${word.replace(/\W/g, "")}`))
    )
      return [];
    const quoted = context.dialect.quote(column.name);
    return [
      {
        asks: [`SELECT COUNT(*), COUNT(${quoted}) FROM ${nameOf(context, table)}`],
        judge([read]) {
          const [rows, filled] = [toCount(read, 0), toCount(read, 1)];
          if (!read?.ok || rows === filled) return undefined;
          return {
            severity: "notice" as const,
            title: `COUNT(${column.name}) counts only rows of ${table.name} that have one`,
            body: `${figure(rows - filled)} of ${rowsOf(rows)} have no ${column.name} and are not counted.`,
            waysOut: [`Count all rows of ${table.name} with COUNT(*)`],
          };
        },
      },
    ];
  });
}

/** `COUNT(*)` over LEFT JOIN gives 1 to what has no partner. */
function outerCount(context: TrapContext, block: Block): Suspicion[] {
  const [first, ...others] = block.tables;
  if (!first || block.groups.length === 0 || others.length !== 1) return [];
  const [right] = others;
  if (!right || !/left/i.test(right.kind) || nodesIn(block.conditions, (kind) => kind === "column").length > 0)
    return [];
  if (!block.aggregates.some(({ star, name, window }) => star && name === "count" && !window)) return [];
  const [pair, ...more] = block.pairs;
  const [own, other] = pair?.left.alias === first.alias ? [pair.left, pair.right] : [pair?.right, pair?.left];
  if (more.length > 0 || !own?.column || !other?.column || other.alias !== right.alias) return [];
  const [near, far] = [own.column.name, other.column.name].map(context.dialect.quote);
  return [
    {
      asks: [
        `SELECT COUNT(*) FROM ${nameOf(context, first.table)} WHERE ${near} IS NOT NULL AND ${near} NOT IN (SELECT ${far} FROM ${nameOf(context, right.table)} WHERE ${far} IS NOT NULL)`,
      ],
      judge([read]) {
        const without = toCount(read);
        if (without === 0) return undefined;
        return {
          severity: "warning",
          title: `COUNT(*) gives 1 to ${figure(without)} ${first.table.name} without any ${right.table.name}`,
          body: `LEFT JOIN keeps them as one row with nothing in it, and COUNT(*) counts that row.`,
          waysOut: [`Count ${other.column?.name} of ${right.table.name} instead of rows`],
        };
      },
    },
  ];
}
