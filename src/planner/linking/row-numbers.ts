/** "visit 2", "order no. 1005": a number behind the name of a table is the key of one of its rows. */
import { isCue } from "../clauses/clause-types.ts";
import type { Schema } from "../schema/schema.ts";
import type { Item } from "./linking.ts";

const between = /^(number|no|nr|num|id|#|\.)$/i;

export function markRowNumbers(items: Item[], schema: Schema): Item[] {
  const made = [...items];
  for (let at = 0; at < made.length; at += 1) {
    const noun = made[at];
    if (noun?.kind !== "table" || /s$/i.test(noun.text)) continue;
    let next = at + 1;
    while (next < at + 3 && between.test(made[next]?.text ?? "")) next += 1;
    const number = made[next];
    const key = keyOf(noun.table, schema);
    if (number?.kind !== "number" || !key || number.money || !/^\d+$/.test(number.text)) continue;
    const after = made[next + 1];
    // "the visit 2 days later": an amount of something.
    if (after?.kind === "unit" || after?.kind === "number" || isCue(after, "bucket", "compare")) continue;
    const { start, end } = number;
    const option = { ...key, value: number.text, rows: 1, score: 1.2, how: "exact" as const };
    made.splice(at + 1, next - at, { kind: "value", options: [option], start, end, text: number.text });
  }
  return made;
}

/** "the number and name of each order", where orders are numbered: the key, not how many there are. */
export function markOwnNumbers(items: Item[], schema: Schema): Item[] {
  return items.map((item, at) => {
    const listed = isCue(item, "how-many") && /^(the )?numbers?$/i.test(item.text);
    if (!listed || !isCue(items[at + 1], "and", "comma")) return item;
    const owner = items
      .slice(at + 1)
      .find((next, index, rest) => next.kind === "table" && ofBefore.test(rest[index - 1]?.text ?? ""));
    const key = owner?.kind === "table" ? keyOf(owner.table, schema) : undefined;
    if (!key || !schema.column(key).words.includes("number")) return item;
    const { start, end, text } = item;
    return { kind: "column", options: [{ ...key, score: 1, owned: false }], start, end, text };
  });
}

const ofBefore = /^(of|for)\b/i;

function keyOf(name: string, schema: Schema): { table: string; column: string } | undefined {
  const { table } = schema.table(name);
  const [column, ...more] = table.primaryKey;
  if (column === undefined || more.length > 0) return undefined;
  return schema.column({ table: name, column }).info.kind === "integer" ? { table: name, column } : undefined;
}
