/** "ports that are the destination of a voyage": a word of the key says which key, and names no column to be shown. */
import { isCue } from "../clauses/clause-types.ts";
import { roleOfKey } from "../relations/key-roles.ts";
import type { Schema } from "../schema/schema.ts";
import type { Token } from "../words/language.ts";
import type { Item } from "./linking.ts";

export function markRoleNouns(items: Item[], tokens: readonly Token[], schema: Schema): Item[] {
  return items.map((item, at) => {
    const token = tokens[item.start];
    if (item.kind !== "column" || item.end !== item.start + 1 || !token) return item;
    let verb = at - 1;
    while (isCue(items[verb], "filler")) verb -= 1;
    const owner = items[at + 2];
    const isPredicate = verb < at - 1 && isCue(items[verb], "be") && /^of\b/i.test(items[at + 1]?.text ?? "");
    if (!isPredicate || owner?.kind !== "table") return item;
    const { start, end, text } = item;
    return item.options.some((option) => option.table === owner.table && leads(option, items.slice(0, verb), schema))
      ? { kind: "word", token, start, end, text }
      : item;
  });
}

/** Whether the key leads to a table that was named before. */
function leads(ref: { table: string; column: string }, before: Item[], schema: Schema): boolean {
  return before.some((item) => item.kind === "table" && roleOfKey(schema, ref, item.table) !== undefined);
}
