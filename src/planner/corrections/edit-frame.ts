/** Edits of the frame that the reviewer's words ask for: filters, groups, outputs, order, limit, aggregates. */

import { parseSentences } from "../clauses/clause-tree.ts";
import type { Building } from "../frame/building.ts";
import {
  type Condition,
  conditionColumns,
  type Frame,
  type Measure,
  measureTable,
  type Output,
} from "../frame/frame.ts";
import { sameKey, toKey, toMeasure, toScalar } from "../frame/meanings.ts";
import type { ItemOf } from "../linking/linking.ts";
import { type ColumnRef, isNumeric, sameColumn } from "../schema/schema.ts";
import { applyClauseEdit } from "./apply-clause-edit.ts";
import { applyCompareEdit } from "./compare-edit.ts";
import type { FrameEdit } from "./read-frame-edit.ts";

/** Changes the frame; false when nothing in it can be changed that way. */
export function editFrame(edit: FrameEdit, build: Building): boolean {
  const { frame } = build;
  switch (edit.kind) {
    case "keep-empty":
      frame.keepEmpty = edit.keep;
      return true;
    case "distinct":
      frame.distinct = true;
      delete frame.repeat;
      return true;
    case "limit":
      if (edit.count === undefined) delete frame.limit;
      else {
        frame.limit = { count: edit.count, words: edit.words };
        if (frame.winner) {
          frame.winner.count = edit.count;
          delete frame.limit;
        } else if (frame.order.length === 0) {
          const measure = frame.outputs.find((output) => output.kind === "measure");
          if (measure) frame.order = [{ by: measure, direction: "DESC", words: edit.words }];
        }
      }
      return true;
    case "aggregate":
      return swapAggregate(edit.fn, build, edit.words);
    case "count-distinct":
      return countDistinct(edit, build);
    case "order":
      return reorder(edit, build);
    case "group":
      return regroup(edit, build);
    case "show":
    case "hide":
    case "show-only":
      return reshow(edit, build);
    case "only":
    case "leave-out":
    case "add":
      return refilter(edit, build);
    case "compare":
      return applyCompareEdit(edit, build);
    case "drop-filter":
      return dropFilter(edit.ref, frame);
    case "drop-having":
      return dropCounts(edit.table, frame);
    case "use-column":
      return swapColumn(edit, build);
    default:
      return applyClauseEdit(edit, build);
  }
}

/** "Without the condition on the number of albums" */
function dropCounts(table: string, frame: Frame): boolean {
  const before = frame.having.length + frame.conditions.length;
  frame.having = frame.having.filter((having) => measureTable(having.measure) !== table);
  frame.conditions = frame.conditions.filter((condition) => condition.kind !== "counted" || condition.target !== table);
  return frame.having.length + frame.conditions.length < before;
}

function eachMeasure(frame: Frame, change: (measure: Measure) => Measure): boolean {
  let changed = false;
  const apply = (measure: Measure) => {
    const made = change(measure);
    if (made !== measure) changed = true;
    return made;
  };
  const output = (part: Output): Output =>
    part.kind === "measure" ? { kind: "measure", measure: apply(part.measure) } : part;
  frame.outputs = frame.outputs.map(output);
  frame.order = frame.order.map((order) => ({ ...order, by: output(order.by) }));
  frame.having = frame.having.map((having) => ({ ...having, measure: apply(having.measure) }));
  if (frame.winner) frame.winner = { ...frame.winner, by: output(frame.winner.by) };
  return changed;
}

function swapAggregate(fn: "SUM" | "AVG" | "MIN" | "MAX" | "COUNT", build: Building, words: string): boolean {
  if (build.frame.over && fn !== "COUNT") {
    build.frame.over = { fn, words };
    return true;
  }
  return eachMeasure(build.frame, (measure) => {
    if (measure.kind === "aggregate")
      return fn === "COUNT" ? { kind: "count", table: measure.of.column.table, words } : { ...measure, fn, words };
    if (fn === "COUNT") return measure;
    const of = build.resolver.money([measure.table], [measure.table]);
    return of ? { kind: "aggregate", fn, of, words } : measure;
  });
}

function countDistinct(edit: Extract<FrameEdit, { kind: "count-distinct" }>, build: Building): boolean {
  const column = edit.items.find((item): item is ItemOf<"column"> => item.kind === "column");
  const table = edit.items.find((item): item is ItemOf<"table"> => item.kind === "table");
  return eachMeasure(build.frame, (measure) => {
    if (measure.kind !== "count" || (measure.distinct && !column)) return measure;
    const target = table?.table ?? measure.table;
    const info = build.schema.table(target);
    const key = info.table.primaryKey[0];
    const ref = column
      ? build.resolver.column(column, [measure.table], [])
      : table && key
        ? { table: target, column: key }
        : info.display[0]
          ? { table: target, column: info.display[0].column }
          : undefined;
    return ref
      ? { kind: "count", table: ref.table, distinct: { table: ref.table, column: ref.column }, words: edit.words }
      : measure;
  });
}

function reorder(edit: Extract<FrameEdit, { kind: "order" }>, build: Building): boolean {
  const { frame } = build;
  const phrase = parseSentences(edit.items)[0]?.outputs[0];
  if (phrase) {
    const measure = toMeasure(phrase, build, [frame.entity]);
    const scalar = toScalar(phrase, build, [frame.entity]);
    const key = phrase.head.kind === "table" ? toKey(phrase, build, [frame.entity]) : undefined;
    const shown = scalar
      ? frame.outputs.find(
          (output) =>
            output.kind === "measure" &&
            output.measure.kind === "aggregate" &&
            sameColumn(output.measure.of.column, scalar.column),
        )
      : undefined;
    const by: Output | undefined =
      shown ??
      (measure
        ? { kind: "measure", measure }
        : key
          ? { kind: "key", key }
          : scalar
            ? { kind: "column", ref: scalar.column, words: edit.words }
            : undefined);
    if (by) {
      frame.order = [{ by, direction: edit.direction ?? "ASC", words: edit.words }];
      return true;
    }
  }
  if (edit.alphabetical) {
    const by = frame.outputs.find((output) => output.kind === "key" || output.kind === "column");
    if (!by) return false;
    frame.order = [{ by, direction: edit.direction ?? "ASC", words: edit.words }];
    return true;
  }
  if (!edit.direction) return false;
  const by = frame.order[0]?.by ?? frame.outputs.find((output) => output.kind === "measure") ?? frame.outputs[0];
  if (!by) return false;
  frame.order = [{ by, direction: edit.direction, words: edit.words }];
  if (frame.winner) frame.winner.direction = edit.direction;
  return true;
}

function regroup(edit: Extract<FrameEdit, { kind: "group" }>, build: Building): boolean {
  const { frame } = build;
  const phrase = parseSentences(edit.items)[0]?.outputs[0];
  const key = phrase ? toKey(phrase, build, [frame.entity]) : undefined;
  if (!key) return false;
  const old = frame.groups;
  frame.groups = edit.replace ? [key] : [...old, key];
  frame.outputs = frame.outputs.filter((output) => !edit.replace || output.kind === "measure");
  if (!frame.outputs.some((output) => output.kind === "key" && sameKey(output.key, key)))
    frame.outputs.unshift({ kind: "key", key });
  if (!frame.outputs.some((output) => output.kind === "measure"))
    frame.outputs.push({ kind: "measure", measure: { kind: "count", table: frame.entity, words: edit.words } });
  frame.order = frame.order.filter((order) => order.by.kind === "measure");
  return true;
}

function reshow(edit: Extract<FrameEdit, { kind: "show" | "hide" | "show-only" }>, build: Building): boolean {
  const { frame } = build;
  const made: Output[] = [];
  for (const phrase of parseSentences(edit.items)[0]?.outputs ?? []) {
    const measure = toMeasure(phrase, build, [frame.entity]);
    const scalar = measure ? undefined : toScalar(phrase, build, [frame.entity]);
    if (measure) made.push({ kind: "measure", measure });
    else if (scalar)
      made.push({
        kind: "column",
        ref: scalar.column,
        words: phrase.words,
        ...(scalar.divide ? { divide: scalar.divide } : {}),
      });
    else if (phrase.head.kind === "table")
      made.push({ kind: "key", key: { kind: "entity", table: phrase.head.table, words: phrase.words } });
  }
  if (made.length === 0) return false;
  const grouped = frame.groups.length > 0 || frame.outputs.some((output) => output.kind === "measure");
  if (edit.kind === "show-only") {
    frame.outputs = made;
    return true;
  }
  if (edit.kind === "show") {
    frame.outputs.push(...made);
    if (grouped)
      for (const output of made)
        if (
          output.kind === "column" &&
          !frame.groups.some((key) => key.kind === "entity" && build.graph.toOne(key.table, output.ref.table))
        )
          frame.groups.push({ kind: "column", ref: output.ref, words: output.words });
    return true;
  }
  const before = frame.outputs.length;
  const left = frame.outputs.flatMap((output): Output[] => {
    if (made.some((gone) => JSON.stringify({ ...gone, words: "" }) === JSON.stringify({ ...output, words: "" })))
      return [];
    if (output.kind === "measure" && made.some((gone) => gone.kind === "measure")) return [];
    if (output.kind === "key" && output.key.kind === "entity") {
      const table = output.key.table;
      const display = build.schema.table(table).display;
      const kept = display.filter(
        (column) => !made.some((gone) => gone.kind === "column" && sameColumn(gone.ref, column)),
      );
      if (kept.length < display.length)
        return kept.map((column) => ({ kind: "column", ref: { table, column: column.column }, words: column.column }));
    }
    return [output];
  });
  // Something must be shown.
  if (left.length === 0) return false;
  frame.outputs = left;
  return left.length < before || edit.kind === "hide";
}

function allCompares(conditions: Condition[]): Extract<Condition, { kind: "compare" }>[] {
  return conditions.flatMap((condition) =>
    condition.kind === "compare"
      ? [condition]
      : condition.kind === "exists"
        ? allCompares(condition.inner)
        : condition.kind === "any" || condition.kind === "every"
          ? allCompares(condition.of)
          : [],
  );
}

function refilter(edit: Extract<FrameEdit, { kind: "only" | "leave-out" | "add" }>, build: Building): boolean {
  const { frame, resolver } = build;
  const list = frame.share ? frame.share.part : frame.conditions;
  if (edit.column) return refilterColumn(edit, edit.column, list);
  let changed = false;
  for (const item of edit.items) {
    if (item.kind === "period") {
      const old = list.find((condition) => condition.kind === "period");
      const measured = frame.outputs.flatMap((output) =>
        output.kind === "measure"
          ? [output.measure.kind === "count" ? output.measure.table : output.measure.of.column.table]
          : [],
      );
      const ref = old?.kind === "period" ? old.ref : resolver.date([...measured, frame.entity, ...frame.required], []);
      if (!ref) continue;
      if (edit.kind === "only" && old) frame.conditions = frame.conditions.filter((condition) => condition !== old);
      frame.conditions.push({
        kind: "period",
        ref,
        period: item.period,
        negated: edit.kind === "leave-out",
        words: item.text,
      });
      changed = true;
      continue;
    }
    if (item.kind !== "value" || item.options.length === 0) continue;
    const compares = allCompares(list);
    const own = compares.find((condition) =>
      item.options.some((option) => option.table === condition.ref.table && option.column === condition.ref.column),
    );
    const named = own
      ? item.options.find((option) => option.table === own.ref.table && option.column === own.ref.column)
      : resolver.value(item, [
          frame.entity,
          ...frame.groups.map((key) => (key.kind === "entity" ? key.table : key.ref.table)),
        ]);
    if (!named) continue;
    const ref = { table: named.table, column: named.column };
    if (own && (own.operator === "=" || own.operator === "IN" || own.operator === "<>" || own.operator === "NOT IN")) {
      const negative = own.operator === "<>" || own.operator === "NOT IN";
      let values = own.values;
      if (edit.kind === "add" || (edit.kind === "leave-out" && negative))
        values = values.includes(named.value) ? values : [...values, named.value];
      else if (edit.kind === "leave-out")
        values = values.includes(named.value) ? values.filter((value) => value !== named.value) : values;
      else values = [named.value];
      if (values.length === 0) {
        frame.conditions = frame.conditions.filter((condition) => condition !== own);
        changed = true;
        continue;
      }
      own.values = values;
      own.operator = negative ? (values.length > 1 ? "NOT IN" : "<>") : values.length > 1 ? "IN" : "=";
      own.words = values.join(negative ? " and " : " or ");
      changed = true;
      continue;
    }
    if (own?.operator === "LIKE" && edit.kind !== "leave-out") {
      own.operator = "=";
      own.values = [named.value];
      changed = true;
      continue;
    }
    const negated = edit.kind === "leave-out";
    const toOne =
      build.graph.toOne(frame.entity, named.table) ||
      frame.entity === named.table ||
      frame.groups.some((key) => key.kind === "entity" && key.table === named.table);
    if (negated && !toOne)
      list.push({
        kind: "exists",
        negated: true,
        from: frame.entity,
        target: named.table,
        inner: [{ kind: "compare", ref, operator: "=", values: [named.value], words: item.text }],
        words: `not ${item.text}`,
      });
    else
      list.push({
        kind: "compare",
        ref,
        operator: negated ? "<>" : "=",
        values: [named.value],
        words: `${negated ? "not " : ""}${item.text}`,
      });
    changed = true;
  }
  return changed;
}

/** "Add 'Metal' to filter 1": the filter is known, so the value needs no place to be found for it. */
function refilterColumn(
  edit: Extract<FrameEdit, { kind: "only" | "leave-out" | "add" }>,
  column: ColumnRef,
  list: Condition[],
): boolean {
  const text = edit.text ?? "";
  const stored = edit.items
    .flatMap((item) => (item.kind === "value" ? item.options : []))
    .find((option) => option.table === column.table && option.column === column.column && !option.pattern);
  const value = stored?.value ?? text;
  const own = allCompares(list).find((condition) => sameColumn(condition.ref, column));
  if (!own) return false;
  const negative = own.operator === "<>" || own.operator === "NOT IN";
  const listed = negative || own.operator === "=" || own.operator === "IN";
  if (!listed) {
    // A pattern stays; the one value is taken out beside it.
    if (edit.kind !== "leave-out") return false;
    list.push({ kind: "compare", ref: column, operator: "<>", values: [value], words: `not ${value}` });
    return true;
  }
  const takesIn = (edit.kind === "add") !== negative;
  const before = own.values;
  const values = takesIn
    ? [...before.filter((known) => known !== value), value]
    : before.filter((known) => known !== value);
  if (values.length === 0 || (!takesIn && values.length === before.length)) return false;
  own.values = values;
  own.operator = negative ? (values.length > 1 ? "NOT IN" : "<>") : values.length > 1 ? "IN" : "=";
  own.words = `${negative ? "not " : ""}${values.join(" or ")}`;
  return true;
}

/** Takes out every condition on a column, also those inside EXISTS. */
function dropFilter(ref: ColumnRef, frame: Frame): boolean {
  let dropped = false;
  const without = (conditions: Condition[]): Condition[] =>
    conditions.flatMap((condition): Condition[] => {
      if (condition.kind === "exists" || condition.kind === "counted") {
        const inner = without(condition.inner);
        return inner.length === condition.inner.length
          ? [condition]
          : inner.length > 0
            ? [{ ...condition, inner }]
            : [];
      }
      if (condition.kind === "any" || condition.kind === "every") {
        const of = without(condition.of);
        return of.length > 1 ? [{ ...condition, of }] : of;
      }
      if (
        !conditionColumns(condition).some((column) => sameColumn({ table: column.table, column: column.column }, ref))
      )
        return [condition];
      dropped = true;
      return [];
    });
  frame.conditions = without(frame.conditions);
  if (frame.share) frame.share.part = without(frame.share.part);
  const having = frame.having.filter(
    (condition) => condition.measure.kind !== "aggregate" || !sameColumn(condition.measure.of.column, ref),
  );
  if (having.length < frame.having.length) dropped = true;
  frame.having = having;
  return dropped;
}

function swapColumn(edit: Extract<FrameEdit, { kind: "use-column" }>, build: Building): boolean {
  const { frame, schema } = build;
  const used = JSON.stringify(frame);
  const near = [frame.entity, ...frame.groups.map((key) => (key.kind === "entity" ? key.table : key.ref.table))];
  const ordered = [...edit.to].sort(
    (a, b) =>
      Math.min(...near.map((table) => build.graph.distance(table, a.table))) -
      Math.min(...near.map((table) => build.graph.distance(table, b.table))),
  );
  const to = ordered[0];
  if (!to) return false;
  if (
    edit.to.some((ref) => used.includes(`"column":"${ref.column}"`) && used.includes(`"table":"${ref.table}"`)) &&
    edit.from.length === 0
  )
    return true;
  const matches = (ref: ColumnRef) => (edit.from.length > 0 ? edit.from.some((from) => sameColumn(from, ref)) : false);
  let changed = false;
  const swap = (ref: ColumnRef): ColumnRef => {
    if (!matches(ref)) return ref;
    changed = true;
    return to;
  };
  frame.outputs = frame.outputs.flatMap((output): Output[] => {
    if (output.kind === "column") return [{ ...output, ref: swap(output.ref) }];
    if (output.kind === "key" && output.key.kind !== "entity")
      return [{ kind: "key", key: { ...output.key, ref: swap(output.key.ref) } }];
    if (output.kind === "key" && output.key.kind === "entity") {
      const display = schema.table(output.key.table).display;
      if (display.some(matches))
        return display.map((column) => ({
          kind: "column",
          ref: swap({ table: column.table, column: column.column }),
          words: edit.words,
        }));
    }
    return [output];
  });
  frame.groups = frame.groups.map((key) => (key.kind === "entity" ? key : { ...key, ref: swap(key.ref) }));
  frame.conditions = frame.conditions.map((condition) =>
    "ref" in condition ? { ...condition, ref: swap(condition.ref) } : condition,
  );
  const numeric = isNumeric(schema.column(to));
  if (numeric && !changed)
    changed =
      eachMeasure(frame, (measure) =>
        measure.kind === "aggregate" ? { ...measure, of: { column: to }, words: edit.words } : measure,
      ) || changed;
  if (numeric && edit.from.length > 0)
    changed =
      eachMeasure(frame, (measure) =>
        measure.kind === "aggregate" && matches(measure.of.column)
          ? { ...measure, of: { column: to }, words: edit.words }
          : measure,
      ) || changed;
  return changed || edit.to.some((ref) => used.includes(`"column":"${ref.column}"`));
}
