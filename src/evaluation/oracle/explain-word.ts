/** "gasoline means mpg", "punters means customer": for a word that is said to be missing, when one name in gold alone is not in the question. */
import { stemmer } from "stemmer";
import { createSpelling, type Difference, type GoldView, namesOf, toDifference } from "./difference.ts";
import { columnKey, type Value } from "./statement-parts.ts";

/** What the gate says is missing. */
const missing = /^Missing: a column or table for (.+?)\. /;

export function explainWord(gateQuestion: string, question: string, gold: GoldView): Difference[] {
  const word = missing.exec(gateQuestion)?.[1];
  if (word === undefined || /\b(how|number|many|much)\b/i.test(word)) return [];
  const { parts } = gold;
  if (parts.outputs.some(({ kind }) => kind === "other")) return [];
  const said = new Set(toStems(question.replace(word, "")));
  const isSaid = (name: string) => toStems(spread(name, gold)).every((stem) => said.has(stem));
  const values: Value[] = [
    ...parts.outputs,
    ...parts.order.map(({ by }) => by),
    // A stored value tells its column.
    ...parts.conditions.flatMap(({ simple }) =>
      simple?.values.every((value) => typeof value === "number") ? [simple.left] : [],
    ),
    ...parts.groups.map((of): Value => ({ kind: "column", of })),
  ];
  const columns = new Map(
    values.flatMap((value) => (value.kind !== "other" && value.of ? [[columnKey(value.of), value.of]] : [])),
  );
  const { words, table } = createSpelling(gold);
  const [column, ...others] = [...columns.values()].filter((of) => !isSaid(of.column));
  if (column) return others.length > 0 ? [] : [toDifference("means", { word, column: words(column) }, namesOf(column))];
  const [name, ...more] = parts.tables.filter((known) => !isSaid(known));
  return name === undefined || more.length > 0 ? [] : [toDifference("means", { word, column: table(name) }, [name])];
}

/** A name as it is written, so that its words can be told apart. */
const spread = (name: string, { catalog }: GoldView): string =>
  [...catalog.tables, ...catalog.tables.flatMap((table) => table.columns)].find(
    (known) => known.name.toLowerCase() === name,
  )?.name ?? name;

const toStems = (text: string): string[] =>
  text
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((part) => stemmer(part.toLowerCase()));
