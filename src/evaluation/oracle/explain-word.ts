/** "gasoline means mpg": for a word that is said to be missing, when one thing in gold alone is named by no word of the question. */
import { stemmer } from "stemmer";
import { createSpelling, type Difference, type GoldView, namesOf, toDifference } from "./difference.ts";
import { columnKey, type Value } from "./statement-parts.ts";

/** What the gate says is missing. */
const missing = /^Missing: a column or table for (.+?)\. /;

export function explainWord(gateQuestion: string, question: string, gold: GoldView): Difference[] {
  const word = missing.exec(gateQuestion)?.[1];
  if (word === undefined || /\b(how|number|many|much)\b/i.test(word)) return [];
  const said = new Set(toStems(question.replace(word, "")));
  const { parts } = gold;
  const values: Value[] = [
    ...parts.outputs,
    ...parts.order.map(({ by }) => by),
    ...parts.conditions.flatMap(({ simple }) => (simple ? [simple.left] : [])),
    ...parts.groups.map((of): Value => ({ kind: "column", of })),
  ];
  const columns = new Map(
    values.flatMap((value) => (value.kind !== "other" && value.of ? [[columnKey(value.of), value.of]] : [])),
  );
  const unsaid = [...columns.values()].filter(
    ({ column }) => !toStems(spread(column, gold)).every((stem) => said.has(stem)),
  );
  const [only, ...more] = unsaid;
  if (!only || more.length > 0) return [];
  const { words } = createSpelling(gold);
  return [toDifference("means", { word, column: words(only) }, namesOf(only))];
}

const spread = (column: string, { catalog }: GoldView): string =>
  catalog.tables.flatMap((table) => table.columns).find((known) => known.name.toLowerCase() === column)?.name ?? column;

const toStems = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((part) => stemmer(part.toLowerCase()));
