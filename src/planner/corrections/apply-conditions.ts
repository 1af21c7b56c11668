/** The reviewer's plain conditions put into a frame, in place of what it said about the same columns and numbers. */
import type { Building } from "../frame/building.ts";
import { type Condition, conditionColumns, type Frame, type Having, measureTable } from "../frame/frame.ts";
import { type ColumnRef, sameColumn } from "../schema/schema.ts";
import { nearestColumn, toNamedMeasure } from "./named-values.ts";
import type { PlainCondition } from "./plain-conditions.ts";

/** False when one of them has no place in the frame. */
export function applyConditions(of: readonly PlainCondition[], either: boolean, build: Building): boolean {
  const { frame } = build;
  const havings = of.map((condition) => toHaving(condition, build));
  const isGrouped = frame.groups.length > 0;
  if (!either && havings.some(Boolean) && isGrouped) {
    for (const having of havings) if (having) setHaving(having, frame);
    const rest = of.filter((_, index) => !havings[index]);
    return rest.length === 0 || applyConditions(rest, either, build);
  }
  const made = of.map((condition) => toCondition(condition, build));
  if (made.some((condition) => condition === undefined)) return false;
  const conditions = made as Condition[];
  for (const condition of conditions) dropSame(condition, frame);
  if (!either) frame.conditions.push(...conditions);
  else frame.conditions.push({ kind: "any", of: conditions, words: of.map(({ words }) => words).join(" or ") });
  return true;
}

function toHaving(condition: PlainCondition, build: Building): Having | undefined {
  if (condition.kind !== "value" || !condition.of.fn) return undefined;
  const { operator, values, words } = condition;
  const measure = toNamedMeasure({ ...condition.of, words }, build);
  const [value] = values;
  if (!measure || typeof value !== "number" || operator.endsWith("LIKE") || operator.endsWith("IN")) return undefined;
  return { measure, operator: operator as Having["operator"], value, words };
}

/** A number of rows that is named anew was read otherwise before. */
function setHaving(having: Having, frame: Frame): void {
  const isOtherEnd = (known: Having) => areEnds(known.operator, having.operator) && known.value !== having.value;
  frame.having = frame.having.filter(
    (known) =>
      known.value !== having.value &&
      (known.measure.kind !== having.measure.kind ||
        measureTable(known.measure) !== measureTable(having.measure) ||
        isOtherEnd(known)),
  );
  frame.conditions = frame.conditions.filter(
    (known) =>
      known.kind !== "counted" || (known.value !== having.value && known.target !== measureTable(having.measure)),
  );
  frame.having.push(having);
}

const areEnds = (before: string, now: string): boolean =>
  (/^>/.test(before) && /^<=?$/.test(now)) || (/^<=?$/.test(before) && /^>/.test(now));

function toCondition(condition: PlainCondition, build: Building): Condition | undefined {
  const { frame, schema } = build;
  const { words } = condition;
  if (condition.kind === "partners") {
    const { table, negated } = condition;
    const from = build.graph.toOne(frame.entity, table) || frame.entity !== table ? frame.entity : frame.groups[0];
    if (typeof from !== "string" || from === table) return undefined;
    const inner = condition.inner.map((part) => toCondition(part, { ...build, frame: { ...frame, entity: table } }));
    if (inner.some((part) => part === undefined)) return undefined;
    const place = condition.value === undefined ? undefined : placeOfValue(table, build);
    if (condition.value !== undefined && !place) return undefined;
    const named: Condition[] = place
      ? [{ kind: "compare", ref: place, operator: "=", values: [condition.value ?? ""], words }]
      : [];
    return { kind: "exists", negated, from, target: table, inner: [...(inner as Condition[]), ...named], words };
  }
  if (condition.kind === "value" && condition.of.fn) {
    const measure = toNamedMeasure(condition.of, build);
    const [value] = condition.values;
    if (
      !measure ||
      typeof value !== "number" ||
      condition.operator.endsWith("LIKE") ||
      condition.operator.endsWith("IN")
    )
      return undefined;
    const operator = condition.operator as Having["operator"];
    const target = measureTable(measure);
    if (target === frame.entity) return undefined;
    const fn = measure.kind === "aggregate" ? measure.fn : undefined;
    // A median has no condition of its own.
    if (fn === "MEDIAN") return undefined;
    const figure = measure.kind === "aggregate" && fn ? { fn, of: measure.of } : undefined;
    return {
      kind: "counted",
      from: frame.entity,
      target,
      inner: [],
      ...(figure ? { figure } : {}),
      operator,
      value,
      words,
    };
  }
  const ref = nearestColumn(condition.of.columns, build);
  if (!ref) return undefined;
  switch (condition.kind) {
    case "null":
      return { kind: "null", ref, isNull: condition.isNull, words };
    case "against":
      return { kind: "against", scalar: { column: ref }, operator: condition.operator, fn: condition.fn, words };
    case "columns": {
      const right = nearestColumn(condition.other.columns, build);
      return right && { kind: "columns", left: ref, operator: condition.operator, right, words };
    }
    default: {
      const isPattern = condition.operator.endsWith("LIKE");
      // Numbers that are stored as text are compared as the column has them.
      const isText = schema.column(ref).info.kind === "text";
      const values = condition.values.map((value) =>
        isPattern ? toPattern(String(value)) : isText ? String(value) : value,
      );
      return { kind: "compare", ref, operator: condition.operator, values, words };
    }
  }
}

const toPattern = (text: string): string => (text.includes("%") ? text : `%${text}%`);

function placeOfValue(table: string, { schema }: Building): ColumnRef | undefined {
  const [column] = schema.table(table).display;
  return column && { table, column: column.column };
}

/** What said something else about the same column is what is being corrected; two ends of a range stand together. */
function dropSame(made: Condition, frame: Frame): void {
  const columns = made.kind === "any" ? made.of.flatMap(conditionColumns) : conditionColumns(made);
  const operator = "operator" in made ? made.operator : "";
  const isSaid = (known: Condition): boolean => {
    if (known.kind === "columns" || known.kind === "period") return conditionColumns(known).some(isSameAsMade);
    if (known.kind === "exists" || known.kind === "counted")
      return known.inner.length > 0 && made.kind !== "exists" && known.inner.every(isSaid);
    if (known.kind === "any" || known.kind === "every") return known.of.some(isSaid);
    if (known.kind === "compare" && areEnds(known.operator, operator) && made.kind === "compare")
      return !(known.values[0] !== made.values[0]) && conditionColumns(known).some(isSameAsMade);
    return conditionColumns(known).some(isSameAsMade);
  };
  const isSameAsMade = (ref: ColumnRef) =>
    columns.some((column) => sameColumn(column, { table: ref.table, column: ref.column }));
  frame.conditions = frame.conditions.filter((known) => {
    if (made.kind === "exists" && known.kind === "exists")
      return known.target !== made.target || known.from !== made.from;
    if (made.kind === "counted" && (known.kind === "counted" || known.kind === "exists"))
      return known.target !== made.target;
    return !isSaid(known);
  });
  if (made.kind === "counted") frame.having = frame.having.filter((having) => having.value !== made.value);
}
