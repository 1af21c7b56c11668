/** Values and conditions of a statement as a person says them: "the average age", "weight greater than 3500". */
import { createSpelling, type GoldView, namesOf } from "./difference.ts";
import {
  type ColumnName,
  type Comparison,
  type Condition,
  columnKey,
  splitArguments,
  toCondition,
  toValue,
  type Value,
} from "./statement-parts.ts";

/** Words with the names and values in them that must be read at the gate. */
export interface Spoken {
  text: string;
  names: string[];
  values: (string | number)[];
}

const aggregateNames = { COUNT: "number", SUM: "total", AVG: "average", MIN: "lowest", MAX: "highest" } as const;

export const comparisonWords: Partial<Record<Comparison, string>> = {
  "=": "equal to",
  "<>": "other than",
  "<": "less than",
  "<=": "at most",
  ">": "greater than",
  ">=": "at least",
  LIKE: "like",
  "NOT LIKE": "not like",
};

/** Null for what has no plain name. */
export function sayValue(value: Value, gold: GoldView): Spoken | null {
  const { words, table } = createSpelling(gold);
  if (value.kind === "other") return null;
  if (value.kind === "column") return { text: words(value.of), names: namesOf(value.of), values: [] };
  if (value.fn === "COUNT") {
    const counted = countedTable(value.of, gold);
    if (value.distinct && value.of)
      return { text: `the number of different ${words(value.of)}`, names: namesOf(value.of), values: [] };
    return { text: `the number of ${table(counted)}`, names: [counted], values: [] };
  }
  if (!value.of) return null;
  return { text: `the ${aggregateNames[value.fn]} ${words(value.of)}`, names: namesOf(value.of), values: [] };
}

/** Whose rows a count is about: those of the table that refers to the others. */
export function countedTable(
  of: ColumnName | null,
  { parts, catalog }: GoldView,
  tables = joinedTables(parts),
): string {
  const refersTo = (from: string, to: string) =>
    catalog.relations.some((relation) => relation.from.toLowerCase() === from && relation.to.toLowerCase() === to);
  // A key of one row is counted once for each row it is joined to.
  const finest = tables.find(
    (table) => tables.some((other) => refersTo(table, other)) && !tables.some((other) => refersTo(other, table)),
  );
  return finest ?? of?.table ?? tables[0] ?? "";
}

/** Tables whose rows are joined, without those that only must have a partner or none. */
export function joinedTables({ tables, joins }: GoldView["parts"]): string[] {
  const tested = new Set(joins.flatMap(({ kind, right }) => (kind === "ANTI" || kind === "SEMI" ? [right] : [])));
  return tables.filter((table) => !tested.has(table));
}

/** A condition without "only those with"; null when it has no plain words. */
export function sayCondition(condition: Condition, gold: GoldView): Spoken | null {
  const { form, simple } = condition;
  if (simple) return saySimple(simple, gold);
  const either = /^or\((.*)\)$/s.exec(form);
  if (either) {
    const parts = splitArguments(either[1] ?? "").map((part) => sayCondition(toCondition(part), gold));
    return parts.every((part) => part !== null) ? joinSpoken(parts as Spoken[], " or ") : null;
  }
  return sayAgainst(form, gold);
}

export function joinSpoken(parts: readonly Spoken[], between: string): Spoken {
  return {
    text: parts.map(({ text }) => text).join(between),
    names: parts.flatMap(({ names }) => names),
    values: parts.flatMap(({ values }) => values),
  };
}

function saySimple({ left, comparison, values }: NonNullable<Condition["simple"]>, gold: GoldView): Spoken | null {
  const { words } = createSpelling(gold);
  if (left.kind === "aggregate" && left.fn === "COUNT" && !left.distinct) {
    const counted = sayValue(left, gold);
    const word = comparisonWords[comparison]?.replace("greater", "more").replace("equal to", "exactly");
    if (!counted || word === undefined) return null;
    return { text: `${word} ${values[0]} ${counted.text.replace("the number of ", "")}`, names: counted.names, values };
  }
  if (left.kind === "other") return null;
  const said = left.kind === "column" ? { text: words(left.of), names: namesOf(left.of) } : sayValue(left, gold);
  if (!said) return null;
  const name = said.text.replace(/^the /, "");
  const { names } = said;
  if (comparison === "NULL" || comparison === "NOT NULL")
    return { text: `${name} ${comparison === "NULL" ? "missing" : "not missing"}`, names, values: [] };
  if (comparison === "IN" || comparison === "NOT IN")
    return { text: `${name} ${comparison === "IN" ? "" : "not "}in ${values.map(quote).join(", ")}`, names, values };
  const word = comparisonWords[comparison];
  const [value] = values;
  return word === undefined || value === undefined ? null : { text: `${name} ${word} ${quote(value)}`, names, values };
}

const quote = (value: string | number): string =>
  typeof value === "number" ? String(value) : `'${value.replaceAll("%", "")}'`;

const queryForm = /^query\((?:.*?)\b(avg|min|max)\((.*)\)\)$/s;

/** "year the lowest", "weight above the average", two columns. */
function sayAgainst(form: string, gold: GoldView): Spoken | null {
  const compared = /^(eq|neq|lt|lte)\((.*)\)$/s.exec(form);
  const sides = compared ? splitArguments(compared[2] ?? "") : [];
  const [first, second] = sides.map((side) => ({ side, query: queryForm.exec(side), value: toValue(side) }));
  if (!compared || !first || !second || sides.length !== 2) return null;
  const { words } = createSpelling(gold);
  const own = first.query ? second : first;
  const other = first.query ? first : second;
  if (own.value.kind !== "column") return null;
  const flipped = own === second;
  const sign = compared[1] ?? "";
  const comparison: Comparison =
    sign === "eq" ? "=" : sign === "neq" ? "<>" : sign === "lt" ? (flipped ? ">" : "<") : flipped ? ">=" : "<=";
  const name = words(own.value.of);
  const names = namesOf(own.value.of);
  if (!other.query) {
    if (other.value.kind !== "column") return null;
    const to = words(other.value.of);
    return {
      text: `${name} ${comparisonWords[comparison]} ${to}`,
      names: [...names, ...namesOf(other.value.of)],
      values: [],
    };
  }
  // The figure is one of the same column over all rows of its table.
  if (!new RegExp(`^query\\(${own.value.of.table}/+`).test(other.side) || !other.side.includes(columnKey(own.value.of)))
    return null;
  const fn = other.query[1] ?? "";
  const figure = fn === "avg" ? "average" : fn === "min" ? "lowest" : "highest";
  if (comparison === "=" && fn !== "avg") return { text: `the ${figure} ${name}`, names, values: [] };
  return { text: `${name} ${comparisonWords[comparison]} the ${figure}`, names, values: [] };
}
