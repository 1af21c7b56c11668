/** Amounts in several currencies or units, added up as if they were one. */
import type { Column, Table } from "../../protocol/index.ts";
import { figure, toText } from "../ask.ts";
import { amendTable, bare, nameOf, strangers } from "./amend.ts";
import type { Block, Side } from "./block.ts";
import { isUsed, pairsOf } from "./column-use.ts";
import { asks, hasWord, isKeyLike, isUnique, squash, wordSet, wordsOf } from "./column-words.ts";
import type { Trap } from "./trap.ts";

const currencyWords = wordSet(
  "currency currencies curr ccy cur waehrung wahrung valuta divisa moneda moneta devise monnaie currencycode isocurrency",
);
const unitNames = wordSet(
  "unit units uom unitofmeasure measureunit measurementunit unitcode unitname einheit masseinheit mengeneinheit unita unitadimisura unidad unidadmedida unite unitedemesure quantityunit weightunit lengthunit amountunit volumeunit priceunit valueunit resultunit unittype unitmeasure",
);
const countWords = wordSet(
  "quantity qty count anzahl menge quantita cantidad quantite number units pieces id year age rating score",
);
/** Already in one currency. */
const convertedWords = wordSet(
  "eur usd gbp chf jpy euro dollar base converted normalized normalised standard reporting group si kg",
);
const convert = /convert|exchange|in (eur|usd|gbp|chf|euro|dollar)/;

interface Marked {
  table: Table;
  column: Column;
  money: boolean;
}

/** The column that says in what the measure is: in its own table, or in one that the row refers to. */
function markOf(side: Side & { table: Table; column: Column }, block: Block): Marked | undefined {
  const own = findMark(side.table, side.column);
  if (own) return own;
  for (const { own: key, other } of pairsOf(block, side.alias)) {
    if (!key.column || !other.table || !other.column || !isUnique(other.table, [other.column.name])) continue;
    const far = findMark(other.table, side.column);
    if (far?.money) return far;
  }
  return undefined;
}

function findMark(table: Table, measure: Column): Marked | undefined {
  for (const column of table.columns) {
    if (column === measure || /_?id$/i.test(column.name) || column.kind === "date") continue;
    const money = hasWord(column.name, currencyWords) && !/rate|symbol|name$/i.test(column.name);
    const unit =
      unitNames.has(squash(column.name)) &&
      column.kind === "text" &&
      column.samples.every((value) => value.length <= 12);
    const counts = hasWord(measure.name, countWords);
    if ((money && !counts) || unit) return { table, column, money };
  }
  return undefined;
}

export const mixedUnits: Trap = {
  code: "units-mixed",
  look(context) {
    const { statement, sql, dialect } = context;
    if (asks(context, convert)) return [];
    const seen = new Set<Column>();
    return statement.blocks.flatMap((block) =>
      block.aggregates.flatMap(({ name, columns }) =>
        columns.flatMap((side) => {
          const { table, column } = side;
          if (!table || !column || !/^(sum|avg|median)$/.test(name) || isKeyLike(table, column)) return [];
          if (wordsOf(column.name).some((word) => convertedWords.has(word))) return [];
          const mark = markOf({ ...side, table, column }, block);
          if (!mark || seen.has(column) || isUsed(statement, mark.table, mark.column)) return [];
          seen.add(column);
          const quoted = dialect.quote(mark.column.name);
          const values = `SELECT ${quoted}, COUNT(*) FROM ${nameOf(context, mark.table)} WHERE ${quoted} IS NOT NULL GROUP BY ${quoted} ORDER BY COUNT(*) DESC`;
          const most = [...new Set(mark.column.samples)].slice(0, 3);
          const alone = most.map((value) =>
            amendTable(context, mark.table, `${dialect.asText(quoted)} = ${dialect.text(value)}`),
          );
          return [
            {
              asks: [values, bare(sql), ...alone],
              judge([read, whole, ...parts]) {
                if (!read?.ok) return undefined;
                const stored = read.result.rows.map(([value, rows]) => ({ value: toText(value), rows: Number(rows) }));
                const different = new Set(stored.map(({ value }) => value.trim().toLowerCase()));
                if (different.size < 2) return undefined;
                const strange = parts.map((part) => strangers(part, whole));
                // Groups or filters that let only one through: each answer for one alone stands in the whole answer.
                const pure = strange.filter((count, index) => {
                  const part = parts[index];
                  return count === 0 && part?.ok && part.result.rows.length > 0;
                });
                const hollow = strange.every((count, index) => {
                  const part = parts[index];
                  return (
                    count === 0 ||
                    (part?.ok && part.result.rows.every((row) => row.every((cell) => cell === null || cell === 0)))
                  );
                });
                if (parts.length > 0 && pure.length > 0 && hollow) return undefined;
                const proven = parts.some((part, index) => part.ok && (strange[index] ?? 0) > 0);
                return {
                  severity: proven ? "warning" : "notice",
                  title: `${column.name} is added up over ${figure(different.size)} different ${mark.column.name}`,
                  body: `${mark.table.name}.${mark.column.name} holds ${stored
                    .slice(0, 4)
                    .map(({ value, rows }) => `${value} (${figure(rows)})`)
                    .join(
                      ", ",
                    )}${stored.length > 4 ? " and others" : ""}; ${mark.money ? "amounts" : "values"} of different ${mark.money ? "currencies" : "units"} make no sum.`,
                  waysOut: [
                    `Group by ${mark.column.name}`,
                    `Take only ${stored[0]?.value ?? "one"}`,
                    `Convert ${column.name} to one ${mark.money ? "currency" : "unit"} first`,
                  ],
                };
              },
            },
          ];
        }),
      ),
    );
  },
};
