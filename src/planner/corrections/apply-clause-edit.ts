/** The reviewer's plain clauses put into a frame: what is shown, per what, sorted how, with or without duplicates. */

import { type Building, emptyFrame } from "../frame/building.ts";
import type { Condition, Frame, Key, Measure, Output } from "../frame/frame.ts";
import { keyTable, spell } from "../frame/frame.ts";
import { type ColumnRef, sameColumn } from "../schema/schema.ts";
import { applyConditions } from "./apply-conditions.ts";
import {
  finestTable,
  frameTables,
  knownCount,
  type NamedValue,
  nearestColumn,
  toNamedMeasure,
  toNamedOutput,
} from "./named-values.ts";
import type { ClauseEdit } from "./read-clause-edit.ts";

/** Changes the frame; false when nothing in it can be changed that way. */
export function applyClauseEdit(edit: ClauseEdit, build: Building): boolean {
  const { frame } = build;
  switch (edit.kind) {
    case "anew":
      return startAnew(edit.tables, build);
    case "name-outputs":
      return nameOutputs(edit, build);
    case "sort":
      return sort(edit, build);
    case "group-by":
      return groupBy(edit, build);
    case "ungroup":
      return ungroup(edit.values, build);
    case "first":
      return cutAfter(edit.count, edit.words, frame);
    case "repeat":
      frame.repeat = edit.repeat;
      if (edit.repeat) frame.distinct = false;
      return true;
    case "conditions":
      return applyConditions(edit.of, edit.either, build);
    case "connect":
      return connect(edit.either, edit.words, frame);
    case "all-of":
      return allOf(edit, build);
    case "count-of": {
      const measure = toNamedMeasure(edit.value, build);
      return measure !== undefined && swapCount(measure, frame);
    }
  }
}

function startAnew(tables: readonly string[], build: Building): boolean {
  const entity = finestTable(tables, build.graph) ?? build.frame.entity;
  const { frame } = build;
  for (const key of Object.keys(frame)) delete (frame as unknown as Record<string, unknown>)[key];
  Object.assign(frame, emptyFrame(entity));
  frame.required = [...tables];
  build.missing.length = 0;
  build.notes.length = 0;
  build.unknownValues.length = 0;
  return true;
}

function nameOutputs(edit: Extract<ClauseEdit, { kind: "name-outputs" }>, build: Building): boolean {
  const { frame } = build;
  if (edit.how === "show-only" && frame.required.length === 0 && frame.outputs.length === 0)
    frame.entity = entityOf(edit.values, build) ?? frame.entity;
  const made = edit.values.map((value) => toNamedOutput(value, build));
  if (made.some((output) => output === undefined)) return false;
  const outputs = made as Output[];
  if (edit.how === "hide") return hide(outputs, build);
  delete frame.hideKeys;
  if (edit.how === "show-only") {
    frame.outputs = outputs;
    delete frame.share;
    delete frame.over;
    build.missing.length = 0;
  } else
    frame.outputs = [
      ...frame.outputs,
      ...outputs.filter((output) => !frame.outputs.some((known) => isSame(known, output))),
    ];
  settleGroups(edit.how === "show-only", build);
  return true;
}

/** Whose rows are shown, when nothing said so before. */
function entityOf(values: readonly NamedValue[], build: Building): string | undefined {
  const [first] = values;
  return first?.table ?? nearestColumn(first?.columns ?? [], build)?.table;
}

const isSame = (a: Output, b: Output): boolean => spell(a) === spell(b);

const isMeasured = (frame: Frame): boolean =>
  [...frame.outputs, ...frame.order.map((order) => order.by)].some((output) => output.kind === "measure") ||
  frame.having.length > 0 ||
  frame.all !== undefined;

/** Beside a measure every column is one to group by; groups of which nothing is shown any more go. */
function settleGroups(anew: boolean, build: Building): void {
  const { frame, graph, schema } = build;
  if (!isMeasured(frame)) return;
  const columns = frame.outputs.flatMap((output) => (output.kind === "column" ? [output.ref] : []));
  const keys = frame.outputs.flatMap((output) => (output.kind === "key" ? [output.key] : []));
  const covers = (key: Key, ref: ColumnRef): boolean => {
    if (key.kind === "entity") return key.table === ref.table || graph.toOne(key.table, ref.table);
    if (sameColumn(key.ref, ref)) return true;
    // A key stands for its row.
    const { primaryKey } = schema.table(key.ref.table).table;
    const isOwnKey = primaryKey.length === 1 && primaryKey[0] === key.ref.column && key.ref.table === ref.table;
    return isOwnKey || schema.column(key.ref).reference?.to === ref.table;
  };
  if (anew && columns.length + keys.length > 0 && frame.outputs.some((output) => output.kind === "measure"))
    frame.groups = frame.groups.filter(
      (key) =>
        build.namedGroups?.includes(key) ||
        columns.some((ref) => covers(key, ref)) ||
        keys.some((shown) => keyTable(shown) === keyTable(key)),
    );
  for (const key of keys) if (!frame.groups.some((known) => keyTable(known) === keyTable(key))) frame.groups.push(key);
  for (const ref of columns)
    if (!frame.groups.some((key) => covers(key, ref))) frame.groups.push({ kind: "column", ref, words: ref.column });
}

function cutAfter(count: number | undefined, words: string, frame: Frame): boolean {
  if (count === undefined) {
    if (!frame.limit) return false;
    delete frame.limit;
    return true;
  }
  if (frame.winner) frame.winner.count = count;
  else frame.limit = { count, words };
  const measure = frame.outputs.find((output) => output.kind === "measure");
  if (!frame.winner && frame.order.length === 0 && measure) frame.order = [{ by: measure, direction: "DESC", words }];
  return true;
}

function hide(outputs: readonly Output[], build: Building): boolean {
  const { frame, schema } = build;
  const left = frame.outputs.flatMap((output): Output[] => {
    if (outputs.some((gone) => isSame(gone, output) || (gone.kind === "measure" && output.kind === "measure")))
      return [];
    if (output.kind !== "key" || output.key.kind !== "entity") return [output];
    const { table } = output.key;
    const { display } = schema.table(table);
    if (outputs.some((gone) => gone.kind === "key" && keyTable(gone.key) === table)) return [];
    const kept = display.filter(
      (column) => !outputs.some((gone) => gone.kind === "column" && sameColumn(gone.ref, column)),
    );
    if (kept.length === display.length) return [output];
    return kept.map((column) => ({ kind: "column", ref: { table, column: column.column }, words: column.column }));
  });
  // Something must be shown.
  if (left.length === 0) return false;
  frame.outputs = left;
  return true;
}

function sort(edit: Extract<ClauseEdit, { kind: "sort" }>, build: Building): boolean {
  const { frame } = build;
  const terms = edit.terms.map(({ value, direction }) => {
    const output = toSorted(value, build);
    return output && { by: output, direction, words: edit.words };
  });
  if (terms.length === 0 || terms.some((term) => term === undefined)) return false;
  frame.order = terms as Frame["order"];
  if (frame.winner) {
    // Sorted as a whole: not the best of each.
    frame.limit = { count: frame.winner.count, words: edit.words };
    delete frame.winner;
  }
  if (edit.count !== undefined) frame.limit = { count: edit.count, words: edit.words };
  settleGroups(false, build);
  return true;
}

/** A figure that is shown under the name is meant before a column. */
function toSorted(value: NamedValue, build: Building): Output | undefined {
  const { frame } = build;
  const shown = frame.outputs.find(
    (output) =>
      output.kind === "measure" &&
      output.measure.kind === "aggregate" &&
      value.fn === undefined &&
      value.columns.some((ref) => output.measure.kind === "aggregate" && sameColumn(ref, output.measure.of.column)),
  );
  if (shown) return shown;
  const known = knownCount(value, build);
  return known ? { kind: "measure", measure: known } : toNamedOutput(value, build);
}

function groupBy(edit: Extract<ClauseEdit, { kind: "group-by" }>, build: Building): boolean {
  const { frame } = build;
  const keys = edit.values.map((value): Key | undefined => {
    const { words } = value;
    const near = nearestColumn(value.columns, build);
    if (value.table !== undefined && !(near && frameTables(frame).includes(near.table)))
      return { kind: "entity", table: value.table, words };
    return near && { kind: "column", ref: near, words };
  });
  if (keys.some((key) => key === undefined)) return false;
  const made = keys as Key[];
  const isEmpty = frame.outputs.length === 0;
  frame.groups = edit.replace ? made : [...frame.groups, ...made];
  build.namedGroups = frame.groups;
  if (frame.winner) frame.winner.per = made;
  const shownKeys = made.map((key): Output => ({ kind: "key", key }));
  frame.outputs = [...shownKeys, ...frame.outputs.filter((output) => !edit.replace || output.kind === "measure")];
  if (!isEmpty && !frame.outputs.some((output) => output.kind === "measure"))
    frame.outputs.push({ kind: "measure", measure: { kind: "count", table: frame.entity, words: edit.words } });
  frame.order = frame.order.filter((order) => order.by.kind === "measure");
  return true;
}

function ungroup(values: readonly NamedValue[], build: Building): boolean {
  const { frame } = build;
  const isMeant = (key: Key): boolean =>
    values.length === 0 ||
    values.some(
      (value) =>
        (key.kind === "entity" && value.table === key.table) ||
        (key.kind !== "entity" && value.columns.some((ref) => sameColumn(ref, key.ref))) ||
        (key.kind === "entity" && value.columns.some((ref) => ref.table === key.table)),
    );
  const { winner } = frame;
  if (winner?.per.some(isMeant)) {
    winner.per = winner.per.filter((key) => !isMeant(key));
    if (winner.per.length > 0) return true;
    frame.order = [{ by: winner.by, direction: winner.direction, words: winner.words }];
    frame.limit = { count: winner.count, words: winner.words };
    delete frame.winner;
    return true;
  }
  const left = frame.groups.filter((key) => !isMeant(key));
  if (left.length === frame.groups.length) return false;
  const gone = frame.groups.filter(isMeant);
  frame.groups = left;
  const outputs = frame.outputs.filter(
    (output) =>
      output.kind === "measure" ||
      !gone.some(
        (key) =>
          (output.kind === "key" ? keyTable(output.key) : output.kind === "column" ? output.ref.table : "") ===
          keyTable(key),
      ),
  );
  if (outputs.length > 0) frame.outputs = outputs;
  return true;
}

function connect(either: boolean, words: string, frame: Frame): boolean {
  if (either) {
    if (frame.all) {
      delete frame.all;
      return true;
    }
    const single = frame.conditions.filter((condition) => condition.kind !== "any");
    if (single.length < 2) return false;
    frame.conditions = [
      ...frame.conditions.filter((condition) => condition.kind === "any"),
      { kind: "any", of: single, words },
    ];
    return true;
  }
  const all = frame.conditions.flatMap((condition): Condition[] =>
    condition.kind === "any" ? condition.of : [condition],
  );
  if (all.length === frame.conditions.length) return false;
  frame.conditions = all;
  return true;
}

function allOf(edit: Extract<ClauseEdit, { kind: "all-of" }>, build: Building): boolean {
  const { frame } = build;
  const read = frame.conditions.flatMap((condition) =>
    condition.kind === "compare"
      ? [condition]
      : condition.kind === "exists" || condition.kind === "counted"
        ? condition.inner.flatMap((inner) => (inner.kind === "compare" ? [inner] : []))
        : [],
  );
  const known = read.find((condition) => edit.values.some((value) => condition.values.map(String).includes(value)));
  const ref = edit.of ? nearestColumn(edit.of.columns, build) : (known?.ref ?? frame.all?.ref);
  if (!ref) return false;
  const { values, words } = edit;
  const isAbout = (condition: Condition): boolean =>
    (condition.kind === "compare" && sameColumn(condition.ref, ref)) ||
    (condition.kind === "exists" && condition.inner.some(isAbout)) ||
    (condition.kind === "any" && condition.of.every(isAbout));
  frame.conditions = frame.conditions.filter((condition) => !isAbout(condition));
  frame.conditions.push({ kind: "compare", ref, operator: "IN", values, words });
  frame.all = { ref, values, words };
  if (frame.groups.length === 0) frame.groups = groupsOfAll(ref, build);
  return true;
}

/** Rows that have one of the values each are told together by what is shown of them. */
function groupsOfAll(ref: ColumnRef, { frame, graph }: Building): Key[] {
  const columns = frame.outputs.flatMap((output) => (output.kind === "column" ? [output.ref] : []));
  const [first] = columns;
  const hasOne = (table: string) => table === ref.table || graph.toOne(table, ref.table);
  if (first && hasOne(first.table))
    return columns.map((column) => ({ kind: "column", ref: column, words: column.column }));
  const table = first?.table ?? frame.entity;
  return [{ kind: "entity", table, words: table }];
}

function swapCount(measure: Measure, frame: Frame): boolean {
  let changed = false;
  const swap = (output: Output): Output => {
    if (output.kind !== "measure") return output;
    changed = true;
    return { kind: "measure", measure };
  };
  frame.outputs = frame.outputs.map(swap);
  frame.order = frame.order.map((order) => ({ ...order, by: swap(order.by) }));
  if (frame.winner) frame.winner = { ...frame.winner, by: swap(frame.winner.by) };
  return changed;
}
