/** "from LAX to ORD": each value belongs to its own end, where one row keeps both. */
import { inward, outward } from "../relations/key-roles.ts";
import type { ColumnInfo, Schema, TableInfo } from "../schema/schema.ts";
import type { Item, ItemOf, ValueOption } from "./linking.ts";

export function splitEnds(items: Item[], schema: Schema): Item[] {
  const made = [...items];
  for (let at = 0; at < made.length - 3; at += 1) {
    const [lead, first, join, last] = made.slice(at, at + 4);
    if (first?.kind !== "value" || last?.kind !== "value") continue;
    if (!/^(from|between)( the)?$/i.test(lead?.text ?? "") || !/^(to|into)( the)?$/i.test(join?.text ?? "")) continue;
    const sides = schema.tables.flatMap(endsOf).flatMap(({ from, to }) => {
      const one = valueIn([from, to], first);
      const other = valueIn([to, from], last);
      return one && other ? [{ one: { ...one, column: from.column }, other: { ...other, column: to.column } }] : [];
    });
    if (sides.length === 0) continue;
    made[at + 1] = { ...first, options: sides.map(({ one }) => one) };
    made[at + 3] = { ...last, options: sides.map(({ other }) => other) };
  }
  return made;
}

/** Two columns of one table that only differ in which end they name. */
function endsOf({ columns }: TableInfo): { from: ColumnInfo; to: ColumnInfo }[] {
  return columns.flatMap((from) =>
    columns
      .filter(
        (to) =>
          from.info.kind === to.info.kind &&
          from.stems.some((word) => outward.has(word)) &&
          to.stems.some((word) => inward.has(word)) &&
          spell(from, outward) === spell(to, inward),
      )
      .map((to) => ({ from, to })),
  );
}

const spell = (column: ColumnInfo, ends: ReadonlySet<string>): string =>
  column.stems.filter((word) => !ends.has(word)).join(" ");

/** A value that stands at one end may stand at the other. */
function valueIn(columns: ColumnInfo[], item: ItemOf<"value">): ValueOption | undefined {
  for (const { table, column } of columns) {
    const found = item.options.find((option) => option.table === table && option.column === column);
    if (found) return { ...found, score: 1 };
  }
  return undefined;
}
