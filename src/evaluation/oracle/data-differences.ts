/** What is asked and which tables and columns hold it: F1 and F2 against gold. */
import type { ReviewedDecision } from "../reviewed.ts";
import { aggregateWords, createSpelling, type Difference, type GoldView, namesOf, toDifference } from "./difference.ts";
import { type Aggregate, type ColumnName, columnKey, type StatementParts, type Value } from "./statement-parts.ts";

const measureWords: [RegExp, Aggregate][] = [
  [/^(number|count)\b/i, "COUNT"],
  [/^(total|sum)\b/i, "SUM"],
  [/^(average|mean)\b/i, "AVG"],
  [/^(highest|largest|maximum|longest|latest|most)\b/i, "MAX"],
  [/^(lowest|smallest|minimum|shortest|earliest|least)\b/i, "MIN"],
];

const aggregatesOf = (values: readonly Value[]): Aggregate[] => [
  ...new Set(values.flatMap((value) => (value.kind === "aggregate" ? [value.fn] : []))),
];

/** F1 has words only: what is measured and how many rows are asked for can be told from them. */
export function questionDifferences(decisions: readonly ReviewedDecision[], { parts }: GoldView): Difference[] {
  const said = (aspect: string) =>
    decisions.flatMap((decision) =>
      decision.kind === "interpretation" && decision.aspect === aspect ? [decision.text] : [],
    );
  const shown = [
    ...new Set(said("measure").flatMap((text) => measureWords.find(([words]) => words.test(text))?.[1] ?? [])),
  ];
  const wanted = aggregatesOf(parts.outputs);
  const differences: Difference[] = [];
  const [only, own] = [wanted[0], shown[0]];
  if (wanted.length === 1 && shown.length === 1 && only && own && only !== own)
    differences.push(toDifference("aggregate", { aggregate: aggregateWords[only] }));
  const limit = /^\d+/.exec(said("limit")[0] ?? "")?.[0];
  if (limit !== undefined && parts.limit !== null && Number(limit) !== parts.limit)
    differences.push(toDifference("top", { count: String(parts.limit) }, [], [parts.limit]));
  return differences;
}

/** F2: tables that gold takes something from and that are not read. */
export function dataDifferences(decisions: readonly ReviewedDecision[], gold: GoldView): Difference[] {
  const used = decisions.flatMap((decision) =>
    decision.kind === "table" && decision.use === "used" ? [decision.table.toLowerCase()] : [],
  );
  const needed = tablesBehind(gold.parts);
  if (used.length === 0 || gold.parts.tables.every((name) => used.includes(name) || !needed.has(name))) return [];
  return tableDifferences(used, gold).filter(({ template }) => template !== "drop-table");
}

/** Tables whose columns are shown, measured, compared, grouped or sorted by; others only lead from one to the next. */
function tablesBehind({ outputs, order, conditions, groups }: StatementParts): ReadonlySet<string> {
  const values = [
    ...outputs,
    ...order.map(({ by }) => by),
    ...conditions.flatMap(({ simple }) => (simple ? [simple.left] : [])),
  ];
  return new Set([
    ...values.flatMap((value) => (value.kind !== "other" && value.of ? [value.of.table] : [])),
    ...groups.map((column) => column.table),
  ]);
}

export function tableDifferences(used: readonly string[], gold: GoldView): Difference[] {
  const { table } = createSpelling(gold);
  const missing = gold.parts.tables.filter((name) => !used.includes(name));
  const extra = used.filter((name) => !gold.parts.tables.includes(name));
  const [wanted, other] = [missing[0], extra[0]];
  return [
    ...(wanted !== undefined && other !== undefined
      ? [toDifference("use-table", { table: table(wanted), other: table(other) }, [wanted, other])]
      : []),
    ...missing.map((name) => toDifference("add-table", { table: table(name) }, [name])),
    ...extra.map((name) => toDifference("drop-table", { table: table(name) }, [name])),
  ];
}

export function outputDifferences(shown: readonly ColumnName[], gold: GoldView): Difference[] {
  const { column: spell, words } = createSpelling(gold);
  const { outputs, groups } = gold.parts;
  const wanted = outputs.flatMap((value) => (value.kind === "column" ? [value.of] : []));
  const keys = new Set(wanted.map(columnKey));
  const own = new Set(shown.map(columnKey));
  const missing = wanted.filter((column) => !own.has(columnKey(column)));
  // What rows are grouped by may be shown to tell them apart.
  const extra = shown.filter((column) => !keys.has(columnKey(column)));
  if (missing.length === 0 && extra.length === 0) return [];
  const [first, other] = [missing[0], extra[0]];
  const differences: Difference[] = [];
  if (missing.length === 1 && extra.length === 1 && first && other)
    differences.push(
      toDifference("use-column", { column: spell(first), other: spell(other) }, [...namesOf(first), ...namesOf(other)]),
    );
  if (
    missing.length + extra.length > 1 &&
    outputs.length > 0 &&
    wanted.length === outputs.length &&
    groups.length === 0
  )
    differences.push(toDifference("show-only", { columns: listed(wanted.map(words)) }, wanted.flatMap(namesOf)));
  for (const column of missing) differences.push(toDifference("show", { column: words(column) }, namesOf(column)));
  for (const column of extra) differences.push(toDifference("hide", { column: words(column) }, namesOf(column)));
  return differences;
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
