/**
 * Gold as a person would put it anew, in the plain clauses that the planner's corrections know: for a gate that has nothing
 * to correct, and for when single corrections have not helped. Null where gold has parts without plain words.
 */
import type { GoldView } from "./difference.ts";
import { createSpelling, type Difference, toDifference } from "./difference.ts";
import { joinedTables, joinSpoken, type Spoken, sayCondition, sayValue } from "./spoken-values.ts";
import { type Condition, columnKey, type StatementParts, type Value, valueKey } from "./statement-parts.ts";

export function restate(gold: GoldView, hasDuplicates: boolean): Difference | null {
  const { parts } = gold;
  const { table } = createSpelling(gold);
  const shown = sayOutputs(parts.outputs, gold);
  const rows = sayRows(gold);
  if (!shown || rows === null) return null;
  const tables = joinedTables(parts);
  const clauses = [
    { ...shown, text: `show ${shown.text}` },
    ...sayGroups(gold),
    ...rows,
    ...(sayOrder(parts, gold) ?? []),
    ...sayLimit(parts),
    ...plainly(toDuplicates(gold, hasDuplicates)),
  ];
  const said = joinSpoken(clauses, ", ");
  const names = tables.map(table);
  return toDifference(
    "start-over",
    { tables: listed(names), clauses: said.text },
    [...tables, ...said.names],
    said.values,
  );
}

const plainly = (text: string): Spoken[] => (text === "" ? [] : [{ text, names: [], values: [] }]);

export function sayOutputs(outputs: readonly Value[], gold: GoldView): Spoken | null {
  const keys = new Set<string>();
  const once = outputs.filter((value) => !keys.has(valueKey(value)) && keys.add(valueKey(value)));
  const said = once.map((value) => sayValue(value, gold));
  if (said.length === 0 || said.some((value) => value === null)) return null;
  const all = said as Spoken[];
  return { ...joinSpoken(all, ", "), text: listed(all.map(({ text }) => text)) };
}

export const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

const isTested = ({ joins }: StatementParts): boolean => joins.some(({ kind }) => kind === "SEMI");

function sayGroups(gold: GoldView): Spoken[] {
  const { parts } = gold;
  if (parts.groups.length === 0 || isTested(parts)) return [];
  const said = sayOutputs(
    parts.groups.map((of): Value => ({ kind: "column", of })),
    gold,
  );
  return said ? [{ ...said, text: `for each ${said.text}` }] : [];
}

/** Null when a condition has no words. */
export function sayRows(gold: GoldView): Spoken[] | null {
  const { parts } = gold;
  const { table } = createSpelling(gold);
  const tested = parts.joins.filter(({ kind }) => kind === "ANTI" || kind === "SEMI");
  const inside = (condition: Condition) =>
    tested.find(({ right }) => condition.form.includes(`${right}.`) && !joinedTables(parts).includes(right));
  const sets = new Set(parts.sets);
  if (sets.has("EXCEPT") || sets.size > 1) return sayExcept(gold);
  const both = sets.has("INTERSECT") ? sayBoth(gold) : null;
  if (sets.has("INTERSECT")) return both ? [both] : null;
  const plain = parts.conditions.filter((condition) => !inside(condition));
  const said = plain.map((condition) => sayCondition(condition, gold));
  if (said.some((condition) => condition === null)) return null;
  const spoken = said as Spoken[];
  const rows: Spoken[] = [];
  if (spoken.length > 0) {
    const joined = joinSpoken(spoken, sets.size > 0 ? " or " : " and ");
    // "A or B and C" would be read in another way.
    if (spoken.length > 1 && spoken.some(({ text }) => text.includes(" or "))) {
      rows.push(...spoken.map((one) => ({ ...one, text: `only those with ${one.text}` })));
    } else rows.push({ ...joined, text: `only those with ${joined.text}` });
  }
  for (const join of tested) {
    const inner = parts.conditions
      .filter((condition) => inside(condition) === join)
      .map((condition) => sayCondition(condition, gold));
    if (inner.some((condition) => condition === null)) return null;
    const what = joinSpoken(inner as Spoken[], " and ");
    const word = join.kind === "ANTI" ? "without any" : "with any";
    rows.push({
      text: `only those ${word} ${table(join.right)}${what.text === "" ? "" : ` with ${what.text}`}`,
      names: [join.right, ...what.names],
      values: what.values,
    });
  }
  return rows;
}

/** A, and in another branch B, of one column. */
function sayBoth(gold: GoldView): Spoken | null {
  const [one, other, ...more] = gold.parts.conditions.map(({ simple }) => simple);
  if (!one || !other || more.length > 0 || one.left.kind !== "column" || other.left.kind !== "column") return null;
  const same =
    columnKey(one.left.of) === columnKey(other.left.of) && one.comparison === "=" && other.comparison === "=";
  const [a, b] = [one.values[0], other.values[0]];
  if (!same || typeof a !== "string" || typeof b !== "string") return null;
  const name = sayValue(one.left, gold);
  return name && { text: `only those with both ${name.text} '${a}' and '${b}'`, names: name.names, values: [a, b] };
}

/** What the second branch finds is left out; the first has no condition of its own. */
function sayExcept(gold: GoldView): Spoken[] | null {
  const { parts } = gold;
  const { table } = createSpelling(gold);
  if (parts.sets.length !== 1) return null;
  const [shown] = parts.outputs;
  const away = parts.tables.filter((name) => shown?.kind !== "column" || name !== shown.of.table);
  const [other, ...more] = away;
  if (other === undefined || more.length > 0) return null;
  const inner = parts.conditions.map((condition) => sayCondition(condition, gold));
  if (inner.some((condition) => condition === null)) return null;
  const what = joinSpoken(inner as Spoken[], " and ");
  return [
    {
      text: `only those without any ${table(other)}${what.text === "" ? "" : ` with ${what.text}`}`,
      names: [other, ...what.names],
      values: what.values,
    },
  ];
}

/** Null when a key of the order has no words. */
export function sayOrder(parts: StatementParts, gold: GoldView): Spoken[] | null {
  const said = parts.order.map(({ by, descending }) => {
    const value = sayValue(by, gold);
    return value && { ...value, text: `${value.text.replace(/^the /, "")} ${descending ? "descending" : "ascending"}` };
  });
  if (said.some((term) => term === null)) return null;
  if (said.length === 0) return [];
  const terms = joinSpoken(said as Spoken[], ", then by ");
  return [{ ...terms, text: `sorted by ${terms.text}` }];
}

function sayLimit({ limit }: StatementParts): Spoken[] {
  if (limit === null) return [];
  return [{ text: limit === 1 ? "only the first" : `top ${limit}`, names: [], values: limit === 1 ? [] : [limit] }];
}

function toDuplicates({ parts }: GoldView, hasDuplicates: boolean): string {
  if (parts.outputs.some((value) => value.kind === "aggregate") || parts.groups.length > 0) return "";
  if (hasDuplicates) return parts.joins.length > 0 ? "with duplicates" : "";
  return parts.distinct || parts.sets.length > 0 || isTested(parts) ? "without duplicates" : "";
}
