/** Rows that hold only for a time, joined by their key alone: every version of a price or contract takes part. */
import type { Column, Table } from "../../protocol/index.ts";
import { figure } from "../ask.ts";
import { amendTable, bare, change, differ, nameOf } from "./amend.ts";
import { additive, isUsed, joinColumns, tablesOf } from "./column-use.ts";
import { asks, hasWord, isDate, isNumeric, wordSet, wordsOf } from "./column-words.ts";
import { keyCounts, toKeyCounts } from "./key-counts.ts";
import type { Trap } from "./trap.ts";

const fromWords = wordSet(
  "from since start starts starting started begin begins beginning begun effective eff valid von ab seit beginn inizio dal desde inicio debut depuis validfrom startdate fromdate datefrom validdate gueltigab gueltigvon",
);
const toWords = wordSet(
  "to until till thru through end ends ending ended expire expires expired expiry expiration expiring bis ende fine al hasta fin jusqua jusque au termination validto validuntil enddate todate dateto gueltigbis",
);
const strong = wordSet(
  "valid validity effective eff gueltig gultig validita valido valida vigente vigencia vigor validite valable validfrom validto dbt scd",
);
const current = wordSet(
  "current latest active actual aktuell attuale vigente actuel version iscurrent iscurrentversion islatest isactive",
);
const changingTables = wordSet(
  "rate rates price prices tariff tariffs fx history historical wechselkurs kurse preise cambio cambi listino prezzi precios tarifa tarifas tarif tarifs prix cours",
);
const history =
  /histor|all (\w+ )?(versions|prices|periods)|over time|ever\b|past|former|previous|storic|frueher|anciens/;
const maxNested = 20_000;

interface Range {
  from: Column;
  to?: Column;
  strong: boolean;
}

export function rangeOf(table: Table): Range | undefined {
  const timed = (column: Column) =>
    isDate(column) ||
    column.samples.length === 0 ||
    (isNumeric(column) && /year|date|jahr|anno|time|ts$/.test(column.name.toLowerCase()));
  const columns = table.columns.filter(timed);
  const tos = columns.filter((column) => hasWord(column.name, toWords));
  const froms = columns.filter((column) => hasWord(column.name, fromWords) && !tos.includes(column));
  const rest = (column: Column, words: ReadonlySet<string>) =>
    wordsOf(column.name)
      .filter((word) => !words.has(word))
      .join(" ");
  const pairs = froms.flatMap((from) => tos.map((to) => ({ from, to })));
  const [pair] = [
    ...pairs.filter(({ from, to }) => rest(from, fromWords) === rest(to, toWords)),
    ...(froms.length === 1 && tos.length === 1 ? pairs : []),
  ];
  if (pair) return { ...pair, strong: hasWord(pair.from.name, strong) || hasWord(pair.to.name, strong) };
  const alone = froms.find((column) => isDate(column) && hasWord(column.name, strong));
  if (alone) return { from: alone, strong: true };
  // One rate per currency and day: the day is part of the key, or the table is called after what changes.
  const dates = table.columns.filter(isDate);
  const inKey = table.primaryKey.length > 1 ? dates.find(({ name }) => table.primaryKey.includes(name)) : undefined;
  const changing = dates.length === 1 && hasWord(table.name, changingTables) ? dates[0] : undefined;
  const day = inKey ?? changing;
  return day ? { from: day, strong: false } : undefined;
}

export const validityRanges: Trap = {
  code: "validity-range",
  look(context) {
    const { statement, dialect, sql } = context;
    if (asks(context, history)) return [];
    return tablesOf(statement).flatMap(({ table, block, alias }) => {
      const range = rangeOf(table);
      const keys = joinColumns(block, alias);
      if (!range || keys.length === 0) return [];
      const dated = [range.from, range.to, ...table.columns.filter((column) => hasWord(column.name, current))];
      if (dated.some((column) => column && isUsed(statement, table, column))) return [];
      const measured = additive(block);
      // Stays, jobs and events have a start and an end too: only what they repeat is doubtful then.
      const others = measured.some((aggregate) => aggregate.columns.some((column) => column.alias !== alias));
      if (!range.strong && !others) return [];
      const own = nameOf(context, table);
      const same = keys.map((key) => `x.${dialect.quote(key)} = ${own}.${dialect.quote(key)}`).join(" AND ");
      const newest = `${own}.${dialect.quote(range.from.name)} = (SELECT MAX(x.${dialect.quote(range.from.name)}) FROM ${own} AS x WHERE ${same})`;
      const amended = table.rows <= maxNested ? [bare(sql), amendTable(context, table, newest)] : [];
      const columns = [range.from.name, ...(range.to ? [range.to.name] : [])];
      return [
        {
          asks: [keyCounts(context, table, keys), ...amended],
          judge([read, before, after]) {
            const counts = toKeyCounts(read);
            const differs = differ(before, after);
            if (!counts || counts.repeated === 0 || differs === false) return undefined;
            const sure = differs === true || (measured.length > 0 && range.strong);
            return {
              severity: sure ? "warning" : "notice",
              title: `${table.name} is joined without its dates ${columns.join(" and ")}`,
              body: `${figure(counts.repeated)} of ${figure(counts.keys)} ${keys.join(", ")} have several periods there (up to ${figure(counts.most)}), so each row meets old and new ones${measured.length > 0 ? " and is counted once for each" : ""}.${differs ? change(before, after).replace("it would be", "with the newest period alone it would be") : ""}`,
              waysOut: [
                `Join ${table.name} also on the date: from ${range.from.name}${range.to ? ` up to ${range.to.name}` : " on, the newest before it"}`,
                `Use only the period of ${table.name} that holds today`,
              ],
            };
          },
        },
      ];
    });
  },
};
