/** Views look like tables of things; some hold several rows for one thing, which their name doesn't tell. */
import type { Column, Table } from "../../protocol/index.ts";
import { figure, rowsOf, toCount } from "../ask.ts";
import { nameOf } from "./amend.ts";
import type { Block } from "./block.ts";
import { additive, isUsed, pairsOf, tablesOf } from "./column-use.ts";
import { asks, isKeyLike, isNumeric, isUnique, singular, wordsOf } from "./column-words.ts";
import { keyCounts, toKeyCounts } from "./key-counts.ts";
import type { Suspicion, Trap, TrapContext } from "./trap.ts";

export const viewFanOut: Trap = {
  code: "view-fan-out",
  look(context) {
    return tablesOf(context.statement).flatMap(({ table, block, alias }) =>
      table.kind === "view"
        ? [...joined(context, table, block, alias), ...summed(context, table, block), ...counted(context, table, block)]
        : [],
    );
  },
};

/** The view meets a table whose rows it repeats while something of that table is added up. */
function joined(context: TrapContext, view: Table, block: Block, alias: string): Suspicion[] {
  return pairsOf(block, alias).flatMap(({ own, other }) => {
    const far = other.table;
    if (!own.column || !far || !other.column || far.kind === "view" || !isUnique(far, [other.column.name])) return [];
    const measures = additive(block).filter(
      ({ star, columns }) => star || (columns.length > 0 && columns.every((column) => column.alias === other.alias)),
    );
    const [measure] = measures;
    if (!measure) return [];
    const key = own.column.name;
    const what = measure.star ? "a row" : `${measure.columns[0]?.column?.name ?? "a value"} of ${far.name}`;
    // What is counted may be the view's own rows.
    const sure = !measure.star && measure.name !== "count";
    return [
      {
        asks: [keyCounts(context, view, [key])],
        judge([read]) {
          const counts = toKeyCounts(read);
          if (!counts || counts.repeated === 0) return undefined;
          return {
            severity: sure ? "warning" : "notice",
            title: `The view ${view.name} holds several rows per ${key}`,
            body: `${figure(counts.repeated)} of ${figure(counts.keys)} ${key} stand there up to ${figure(counts.most)} times, so ${what} is counted once for each.`,
            waysOut: [`Sum ${view.name} per ${key} before joining it`, `Take ${what} in its own step`],
          };
        },
      },
    ];
  });
}

/** A value of one thing is added up over the view, which repeats it for each row of a joined table. */
function summed(context: TrapContext, view: Table, block: Block): Suspicion[] {
  const measures = additive(block).flatMap(({ name, columns }) =>
    name === "count"
      ? []
      : columns.filter((side) => side.table === view).flatMap(({ column }) => (column ? [column] : [])),
  );
  return measures.flatMap((measure) => {
    if (isKeyLike(view, measure)) return [];
    const owner = ownerOf(context, view, measure);
    if (!owner || isUsed(context.statement, view, owner.key, "condition")) return [];
    const [key, value] = [owner.key.name, measure.name].map(context.dialect.quote);
    const constant = `SELECT COUNT(*), SUM(n), MAX(n), SUM(CASE WHEN n > 1 THEN 1 ELSE 0 END), SUM(CASE WHEN n > 1 AND d > 1 THEN 1 ELSE 0 END), (SELECT COUNT(DISTINCT ${value}) FROM ${nameOf(context, view)}) FROM (SELECT ${key}, COUNT(*) AS n, COUNT(DISTINCT ${value}) AS d FROM ${nameOf(context, view)} WHERE ${key} IS NOT NULL GROUP BY ${key}) AS g`;
    return [
      {
        asks: [constant],
        judge([read]) {
          const counts = toKeyCounts(read);
          const [varied, values] = [toCount(read, 4), toCount(read, 5)];
          if (!counts || counts.repeated === 0 || varied > 0 || values < 2) return undefined;
          // The same column in the thing's own table, or many examples: otherwise equal values may be chance.
          const sure = owner.same || counts.repeated >= 5;
          return {
            severity: sure ? "warning" : "notice",
            title: `The view ${view.name} repeats ${measure.name} for each of its rows`,
            body: `${figure(counts.repeated)} of ${figure(counts.keys)} ${owner.key.name} have up to ${rowsOf(counts.most)} there with the same ${measure.name}, so adding it up counts it again.`,
            waysOut: [
              `Take ${measure.name} from ${owner.table.name}`,
              `Take ${measure.name} once per ${owner.key.name}`,
            ],
          };
        },
      },
    ];
  });
}

/** Rows of the view are counted where the question asks for the things of which it holds several rows. */
function counted(context: TrapContext, view: Table, block: Block): Suspicion[] {
  if (block.tables.length !== 1 || block.groups.length > 0 || !block.aggregates.some(({ star }) => star)) return [];
  return context.catalog.tables.flatMap((table): Suspicion[] => {
    const [only, ...more] = table.primaryKey;
    const word = singular(wordsOf(table.name).at(-1) ?? "");
    const key = view.columns.find((column) => column.name.toLowerCase() === only?.toLowerCase());
    if (table.kind === "view" || !key || more.length > 0 || /^id$/i.test(key.name)) return [];
    if (word === "" || !asks(context, new RegExp(`(how many|number of|count of) (\\w+ )?${word}`))) return [];
    return [
      {
        asks: [keyCounts(context, view, [key.name])],
        judge([read]) {
          const counts = toKeyCounts(read);
          if (!counts || counts.repeated === 0) return undefined;
          return {
            severity: "warning",
            title: `The view ${view.name} holds several rows per ${key.name}`,
            body: `COUNT(*) counts ${rowsOf(counts.rows)}; there are ${figure(counts.keys)} different ${key.name}.`,
            waysOut: [`Count different ${key.name}`, `Count the rows of ${table.name}`],
          };
        },
      },
    ];
  });
}

/** The table whose key the view holds and whose value the measure seems to be. */
function ownerOf(
  context: TrapContext,
  view: Table,
  measure: Column,
): { table: Table; key: Column; same: boolean } | undefined {
  const found = context.catalog.tables.flatMap((table) => {
    const [only, ...more] = table.primaryKey;
    if (table.kind === "view" || only === undefined || more.length > 0) return [];
    const names = [only, `${table.name}_${only}`, `${table.name.replace(/s$/, "")}_${only}`].map((name) =>
      name.toLowerCase(),
    );
    const key = view.columns.find((column) => names.includes(column.name.toLowerCase()) && column !== measure);
    const same = table.columns.some(
      (column) => isNumeric(column) && column.name.toLowerCase() === measure.name.toLowerCase(),
    );
    return key ? [{ table, key, same }] : [];
  });
  return found.find(({ same }) => same) ?? found[0];
}
