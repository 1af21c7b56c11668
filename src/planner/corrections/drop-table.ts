/** "without table X": what is left of a frame when a table that only names, groups or filters is taken out of it. */
import {
  type Condition,
  conditionColumns,
  type Frame,
  type Key,
  keyTable,
  measureTable,
  type Output,
  spell,
} from "../frame/frame.ts";
import type { ColumnRef, Schema } from "../schema/schema.ts";

/**
 * Changes the frame in place: columns of the table give way to the key that refers to it, its filters go. False, with
 * the frame spoilt, when the table holds what is measured or nothing refers to it: the question needs it then.
 */
export function dropTable(frame: Frame, table: string, schema: Schema): boolean {
  const isDropped = (name: string) => name.toLowerCase() === table.toLowerCase();
  const others = tablesOf(frame).filter((name) => !isDropped(name));
  const key = referringKey(others, isDropped, schema);
  const measured = [...frame.outputs, ...frame.order.map((order) => order.by)].some(
    (output) => (output.kind === "measure" && isDropped(measureTable(output.measure))) || isScalarOf(output, isDropped),
  );
  const filters = (conditions: Condition[]) => conditions.filter((condition) => !touches(condition, isDropped));
  const isNamed = frame.groups.some((group) => isDropped(keyTable(group))) || frame.outputs.some(isNameOf(isDropped));
  if (measured || frame.winner || frame.share || frame.all || (isNamed && !key)) return false;
  if (isDropped(frame.entity)) {
    if (!key) return false;
    frame.entity = key.table;
  }
  const toKey = (group: Key): Key =>
    isDropped(keyTable(group)) && key ? { kind: "column", ref: key, words: group.words } : group;
  frame.groups = frame.groups.map(toKey);
  frame.outputs = once(frame.outputs.map((output) => toOutput(output, isDropped, key, toKey)));
  frame.order = frame.order.map((order) => ({ ...order, by: toOutput(order.by, isDropped, key, toKey) }));
  frame.conditions = filters(frame.conditions);
  frame.having = frame.having.filter((having) => !isDropped(measureTable(having.measure)));
  frame.required = frame.required.filter((name) => !isDropped(name));
  return frame.outputs.length > 0;
}

type Test = (table: string) => boolean;

const isNameOf = (isDropped: Test) => (output: Output) =>
  (output.kind === "key" && isDropped(keyTable(output.key))) ||
  (output.kind === "column" && isDropped(output.ref.table));
const isScalarOf = (output: Output, isDropped: Test): boolean =>
  output.kind === "scalar" && isDropped(output.of.column.table);

function toOutput(output: Output, isDropped: Test, key: ColumnRef | undefined, toKey: (group: Key) => Key): Output {
  if (output.kind === "key") return { kind: "key", key: toKey(output.key) };
  if (output.kind === "column" && isDropped(output.ref.table) && key)
    return { kind: "column", ref: key, words: output.words };
  return output;
}

/** First and last name of the dropped table give way to one key. */
function once(outputs: Output[]): Output[] {
  return outputs.filter((output, index) => outputs.findIndex((other) => spell(other) === spell(output)) === index);
}

function touches(condition: Condition, isDropped: Test): boolean {
  if (condition.kind === "exists" || condition.kind === "counted")
    return isDropped(condition.target) || isDropped(condition.from);
  return conditionColumns(condition).some((ref) => isDropped(ref.table));
}

function tablesOf(frame: Frame): string[] {
  const measures = frame.outputs.flatMap((output) => (output.kind === "measure" ? [measureTable(output.measure)] : []));
  const keys = frame.groups.map(keyTable);
  const columns = frame.conditions.flatMap(conditionColumns).map((ref) => ref.table);
  return [...new Set([frame.entity, ...measures, ...keys, ...frame.required, ...columns])];
}

/** The single column that refers to the dropped table, best one of a table that is in use anyway. */
function referringKey(tables: string[], isDropped: Test, schema: Schema): ColumnRef | undefined {
  const referring = schema.relations.filter(
    ({ from, fromColumns, to }) => isDropped(to) && !isDropped(from) && fromColumns.length === 1,
  );
  const relation = referring.find(({ from }) => tables.includes(from)) ?? referring[0];
  return relation ? { table: relation.from, column: relation.fromColumns[0] as string } : undefined;
}
