/** Levels that are noted once per day or month and added up over the days. */
import type { Column, Table } from "../../protocol/index.ts";
import { toNode, unwrap } from "../../sql/tree.ts";
import { figure, toCount } from "../ask.ts";
import { amendTable, bare, change, differ, nameOf } from "./amend.ts";
import type { Block } from "./block.ts";
import { columnsIn, isUsed, nodesIn, tablesOf } from "./column-use.ts";
import { asks, hasWord, isDate, isKeyLike, isNumeric, wordSet, wordsOf } from "./column-words.ts";
import type { Trap } from "./trap.ts";

const snapshotWords = wordSet(
  "snapshot snapshots snap eod asof balances stichtag stichtage istantanea instantanea levels inventory stock stocks positions holdings headcount bestand bestaende giacenze saldi saldos soldes existencias",
);
const levelWords = wordSet(
  "balance balances stock stocks level onhand inventory headcount outstanding holdings position backlog occupancy population subscribers members capacity open bestand saldo kontostand lagerbestand giacenza scorte existencias solde encours effectif hand available remaining",
);
const flowWords = wordSet(
  "sales sold revenue visits clicks views orders hours spent paid received shipped delivered consumed produced change delta movement inflow outflow umsatz vendite ventas ventes verkauft",
);
const dayWords = wordSet(
  "date day month week period snapshot asof stichtag datum tag monat giorno data mese fecha dia mes jour mois yearmonth year quarter",
);

const isDay = (column: Column) =>
  isDate(column) ||
  (hasWord(column.name, dayWords) && !/_?id$/i.test(column.name) && (isNumeric(column) || column.kind === "text"));

/** Columns that tell things of one day apart. */
function entityOf(table: Table, day: Column): Column[] {
  const inKey = table.columns.filter((column) => column !== day && table.primaryKey.includes(column.name));
  if (inKey.length > 0 && table.primaryKey.includes(day.name)) return inKey;
  const keys = table.columns.filter(
    (column) =>
      column !== day &&
      isKeyLike(table, column) &&
      !(table.primaryKey.length === 1 && table.primaryKey[0] === column.name),
  );
  return keys.length > 0
    ? keys
    : table.columns.filter((column) => column !== day && column.kind === "text" && !isDate(column)).slice(0, 1);
}

/** The day itself is grouped or fixed, so that each answer holds one day. */
function isFixed(block: Block, table: Table, day: Column): boolean {
  const own = (value: unknown) =>
    columnsIn(value, block).some((column) => column.table === table.name && column.column === day.name.toLowerCase());
  if (block.groups.some((term) => toNode(unwrap(term))?.kind === "column" && own(term))) return true;
  if (block.pairs.some(({ left, right }) => [left, right].some((side) => side.table === table && side.column === day)))
    return true;
  return block.conditions.some(
    (condition) =>
      own(condition) &&
      (/^(eq|in)$/.test(toNode(unwrap(condition))?.kind ?? "") ||
        nodesIn(condition, (kind) => kind === "subquery").length > 0),
  );
}

export const snapshots: Trap = {
  code: "snapshot-summed",
  look(context) {
    const { statement, sql, dialect } = context;
    if (asks(context, /average|avg|durchschnitt|media\b|moyenne|total of all days|person.?days|cumulat/)) return [];
    return tablesOf(statement).flatMap(({ table, block }) => {
      const measures = block.aggregates.filter(({ name }) => name === "sum").flatMap(({ columns }) => columns);
      const measure = measures.find((side) => side.table === table && side.column)?.column;
      if (!measure || isKeyLike(table, measure)) return [];
      const level = hasWord(measure.name, levelWords) || /on_?hand/i.test(measure.name);
      const named =
        wordsOf(table.name).some((word) => snapshotWords.has(word)) ||
        table.columns.some((column) => hasWord(column.name, wordSet("snapshot asof stichtag")));
      if (hasWord(measure.name, flowWords) || !(level || named)) return [];
      const days = table.columns.filter((column) => isDay(column) && column !== measure);
      const day =
        days.find((column) => table.primaryKey.includes(column.name)) ??
        days.find((column) => hasWord(column.name, dayWords)) ??
        days[0];
      if (!day || isFixed(block, table, day)) return [];
      const entity = entityOf(table, day);
      if (entity.length === 0) return [];
      const names = entity.map(({ name }) => dialect.quote(name)).join(", ");
      const date = dialect.quote(day.name);
      const own = nameOf(context, table);
      const counted = `SELECT SUM(n), COUNT(*), MAX(n), SUM(CASE WHEN n > d THEN 1 ELSE 0 END), (SELECT COUNT(DISTINCT ${date}) FROM ${own}) FROM (SELECT ${names}, COUNT(*) AS n, COUNT(DISTINCT ${date}) AS d FROM ${own} GROUP BY ${names}) AS g`;
      const last = `${date} = (SELECT MAX(${date}) FROM ${own})`;
      const ranged = isUsed(statement, table, day, "condition");
      return [
        {
          asks: [counted, bare(sql), amendTable(context, table, last)],
          judge([read, before, after]) {
            const [rows, things, most, twice, dates] = [0, 1, 2, 3, 4].map((at) => toCount(read, at));
            if (!rows || !things || !dates || twice || (most ?? 0) < 2) return undefined;
            // Most things are noted on most days; a list of events is thinner.
            const filled = rows / (things * dates);
            if (filled < 0.5) return undefined;
            const differs = differ(before, after);
            if (differs === false) return undefined;
            const grouped = isUsed(statement, table, day, "group");
            return {
              severity: differs && (!ranged || grouped) && (level || filled > 0.8) ? "warning" : "notice",
              title: `${measure.name} of ${table.name} is added up over its days`,
              body: `${table.name} notes the same ${figure(things)} ${entity.map(({ name }) => name).join(", ")} on ${figure(dates)} different ${day.name}, so a sum over several of them counts each ${figure(most ?? 0)} times.${differs ? change(before, after).replace("it would", `for the last ${day.name} alone it would`) : ""}`,
              waysOut: [
                `Sum ${measure.name} for the last ${day.name} only`,
                `Sum per ${day.name} and take the average`,
              ],
            };
          },
        },
      ];
    });
  },
};
