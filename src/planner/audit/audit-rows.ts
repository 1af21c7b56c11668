/**
 * Readings that say too little to be what was asked: every row of a table although the question says something of them
 * that was not understood, and rows shown by nothing but the value that picked them.
 */
import { isCue } from "../clauses/clause-types.ts";
import type { Frame, Output } from "../frame/frame.ts";
import type { Item, ItemOf } from "../linking/linking.ts";
import type { Attempt } from "../plan-question.ts";
import { type ColumnRef, sameColumn } from "../schema/schema.ts";
import { emptyNouns } from "../words/lexicon.ts";

const isContent = (item: Item): item is ItemOf<"word"> =>
  item.kind === "word" &&
  ["NOUN", "VERB", "ADJ", "ADV", "ADP"].includes(item.token.pos) &&
  /\p{L}{3}/u.test(item.text) &&
  !emptyNouns.has(item.token.lemma) &&
  // whoever stands above is shown beside the rows
  !/^(manager|boss|supervisor|superior)s?$/i.test(item.text);

const limits = ({ conditions, having, groups, order, required, limit, winner, share, all, over }: Frame): number =>
  conditions.length +
  having.length +
  groups.length +
  order.length +
  required.length +
  [limit, winner, share, all, over].filter((part) => part !== undefined).length;

/** "Which books are out at the moment?": nothing limits the rows, and a word that should was not understood. */
export function unreadPredicate({ build, linked }: Attempt): string | undefined {
  const { frame } = build;
  if (limits(frame) > 0 || frame.distinct || frame.outputs.some((output) => output.kind === "measure"))
    return undefined;
  // A list with an order says enough; what its verbs tell is told of every row.
  if (linked.items.some((item) => isCue(item, "order", "direction", "alphabetical", "contains", "command")))
    return undefined;
  const noun = linked.items.findIndex(
    (item) => ["table", "column"].includes(item.kind) || (item.kind === "cue" && item.cue === "who"),
  );
  return noun < 0 ? undefined : linked.items.slice(noun + 1).find(isContent)?.text;
}

/** "What did Ann think of it?" answered by Ann: every column shown is one that the question gave the value of. */
export function repeatsQuestion({ build, schema, linked }: Attempt): boolean {
  const { frame } = build;
  const part = linked.items.some(
    (item) => isCue(item, "contains", "starts", "ends") || /^(substring|substr|word)$/i.test(item.text),
  );
  if (part) return false;
  const fixed = frame.conditions.flatMap((condition) =>
    condition.kind === "compare" && condition.operator === "=" && !String(condition.values[0]).includes("%")
      ? [condition.ref]
      : [],
  );
  // The manager's name is not that of whom the question names.
  const isFixed = (ref: ColumnRef) => fixed.some((known) => sameColumn(known, ref) && known.role === ref.role);
  const repeats = (output: Output): boolean => {
    if (output.kind === "column") return isFixed(output.ref);
    if (output.kind !== "key" || output.key.kind === "bucket") return false;
    if (output.key.kind === "column") return isFixed(output.key.ref);
    const { table, role } = output.key;
    const { display } = schema.table(table);
    const ref = (column: string): ColumnRef => ({ table, column, ...(role ? { role } : {}) });
    return display.length > 0 && display.every((column) => isFixed(ref(column.column)));
  };
  return fixed.length > 0 && frame.outputs.length > 0 && frame.groups.length === 0 && frame.outputs.every(repeats);
}
