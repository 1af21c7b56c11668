/** What is asked and which tables and columns hold it: F1 and F2 against gold. */
import type { ReviewedDecision } from "../reviewed.ts";
import { aggregateWords, createSpelling, type Difference, type GoldView, toDifference } from "./difference.ts";
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
  const needed = tablesBehind(gold.parts, used);
  if (used.length === 0 || gold.parts.tables.every((name) => used.includes(name) || !needed.has(name))) return [];
  return tableDifferences(used, gold).filter(({ template }) => template !== "drop-table");
}

/**
 * Tables whose columns are shown, measured, compared, grouped or sorted by and stand in no other table that is used;
 * others only lead from one to the next.
 */
function tablesBehind(
  { outputs, order, conditions, groups, joins }: StatementParts,
  used: readonly string[],
): ReadonlySet<string> {
  const values = [
    ...outputs,
    ...order.map(({ by }) => by),
    ...conditions.flatMap(({ simple }) => (simple ? [simple.left] : [])),
  ];
  const columns = [...values.flatMap((value) => (value.kind !== "other" && value.of ? [value.of] : [])), ...groups];
  const pairs = joins.flatMap((join) => join.pairs);
  const isHeld = (column: ColumnName) =>
    pairs.some(
      ({ left, right }) =>
        (columnKey(left) === columnKey(column) && used.includes(right.table)) ||
        (columnKey(right) === columnKey(column) && used.includes(left.table)),
    );
  return new Set(columns.filter((column) => !isHeld(column)).map(({ table }) => table));
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
