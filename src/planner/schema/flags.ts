/** Columns that only say yes or no: "active members", "which are abandoned", "courses with a lab". */
import { isCue } from "../clauses/clause-types.ts";
import type { Item, ItemOf, ValueOption } from "../linking/linking.ts";
import type { ColumnInfo, Schema } from "./schema.ts";

const yesWords = /^(yes|y|true|t|1)$/i;
const flagWords = /^(yes|no|y|n|true|false|t|f|1|0)$/i;
const opening = /^(is|has|was|can|does|are)$/;
const closing = /^(yn|flag|flg|ind|indicator)$/;

/** Words of a flag's name without those that only mark it as one: `is_active`, `paid_yn`. */
export function flagName(words: string[]): string[] {
  const from = words.length > 1 && opening.test(words[0] ?? "") ? 1 : 0;
  const to = words.length - from > 1 && closing.test(words.at(-1) ?? "") ? -1 : undefined;
  return words.slice(from, to);
}

/** The stored word for yes and for no, where a column holds nothing else; digits only where type or name say so. */
export function flagOf(column: Pick<ColumnInfo, "info" | "isKey">): { yes: string; no: string } | undefined {
  const { samples, distinct, kind, name } = column.info;
  if (column.isKey || samples.length === 0 || (distinct ?? samples.length) > 2) return undefined;
  if (!samples.every((sample) => flagWords.test(sample))) return undefined;
  const named = kind === "boolean" || opening.test(name.split(/[_\W]|(?=\p{Lu})/u)[0]?.toLowerCase() ?? "");
  const marked =
    named || closing.test(name.split(/[_\W]/).at(-1)?.toLowerCase() ?? "") || /bool/i.test(column.info.type);
  const both = samples.includes("0") && samples.includes("1") && !/s$/i.test(name);
  if (!marked && !both && samples.some((sample) => /^[01]$/.test(sample))) return undefined;
  const yes = samples.find((sample) => yesWords.test(sample));
  const no = samples.find((sample) => !yesWords.test(sample));
  return { yes: yes ?? opposite(no ?? ""), no: no ?? opposite(yes ?? "") };
}

const pairs = [
  ["yes", "no"],
  ["y", "n"],
  ["true", "false"],
  ["t", "f"],
  ["1", "0"],
];

function opposite(word: string): string {
  const lower = word.toLowerCase();
  const other = pairs.flatMap((pair) => (pair.includes(lower) ? pair.filter((side) => side !== lower) : []))[0] ?? "";
  return word === lower
    ? other
    : word === word.toUpperCase()
      ? other.toUpperCase()
      : other.charAt(0).toUpperCase() + other.slice(1);
}

/** "unpaid" where a flag is called paid: the flag says no. */
export function negatedFlag(word: string, schema: Schema): ValueOption[] {
  const bare = /^(?:un|in|non)(\w{4,})$/.exec(word.toLowerCase())?.[1];
  if (!bare) return [];
  return schema.tables.flatMap((table) =>
    table.columns.flatMap((column): ValueOption[] => {
      const flag = column.words.join("") === bare ? flagOf(column) : undefined;
      return flag
        ? [{ table: table.name, column: column.column, value: flag.no, rows: 0, score: 1, how: "exact" }]
        : [];
    }),
  );
}

/** A flag that stands before its noun, or is said of it, limits the rows to those where it holds. */
export function markFlags(items: Item[], schema: Schema): Item[] {
  return items.map((item, at) => {
    if (item.kind !== "column") return item;
    const options = flagOptions(item, schema);
    if (options.length === 0) return item;
    const before = items[at - 1];
    const next = items[at + 1];
    let verb = at - 1;
    while (isCue(items[verb], "not") || /^(currently|already|still|ever|yet)$/i.test(items[verb]?.text ?? ""))
      verb -= 1;
    const said =
      (isCue(items[verb], "be") ||
        (isCue(items[verb], "relative") && /\b(is|are|was|were|been)$/i.test(items[verb]?.text ?? ""))) &&
      items.slice(0, verb).some((known) => known.kind === "table");
    const modifies = next?.kind === "table" && !isCue(before, "compare");
    return modifies || said ? { kind: "value", options, start: item.start, end: item.end, text: item.text } : item;
  });
}

function flagOptions(item: ItemOf<"column">, schema: Schema): ValueOption[] {
  const best = Math.max(...item.options.map((option) => option.score));
  return item.options
    .filter((option) => option.score >= best - 0.05 && option.score >= 0.9)
    .flatMap((option) => {
      const flag = flagOf(schema.column(option));
      return flag
        ? [
            {
              table: option.table,
              column: option.column,
              value: flag.yes,
              rows: 0,
              score: option.score,
              how: "exact" as const,
            },
          ]
        : [];
    });
}
