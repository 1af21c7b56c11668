/** Columns chosen early, seen again once the whole frame is known: attributes that two tables hold, parts of values. */

import type { ItemOf } from "../linking/linking.ts";
import { type ColumnRef, sameColumn } from "../schema/schema.ts";
import type { Building } from "./building.ts";
import { type Condition, keyTable, type Measure, measureTable, type Output } from "./frame.ts";

/**
 * "Which countries generated the most revenue?": an attribute that the sale's own tables hold too (the country it was
 * billed to) is read there, with fewer joins, unless the question names the other thing ("customers' countries").
 */
export function settleGroupColumns(build: Building): void {
  const { frame, graph, schema } = build;
  const measure = [...frame.outputs, ...frame.order.map((order) => order.by)]
    .flatMap((output): Measure[] => (output.kind === "measure" ? [output.measure] : []))
    .concat(frame.having.map((having) => having.measure))
    .find((known) => known.kind === "aggregate");
  if (!measure) return;
  const from = measureTable(measure);
  for (const key of frame.groups) {
    if (key.kind !== "column" || key.ref.table === from || isNamed(key.ref.table, build)) continue;
    const old = key.ref;
    const better = build.linked.items
      .filter((item): item is ItemOf<"column"> => item.kind === "column")
      .filter((item) => key.words.includes(item.text) && item.options.some((option) => sameColumn(option, old)))
      .flatMap((item) => item.options)
      .filter(
        (option) =>
          (option.table === from || graph.toOne(from, option.table)) &&
          graph.distance(from, option.table) < graph.distance(from, old.table) &&
          schema.column(option).info.kind === schema.column(old).info.kind &&
          !schema.column(option).isKey &&
          schema.column(option).words.at(-1) === schema.column(old).words.at(-1),
      )
      .sort((a, b) => graph.distance(from, a.table) - graph.distance(from, b.table) || b.score - a.score)[0];
    if (better) replaceColumn(build, old, { table: better.table, column: better.column });
  }
}

/** The question speaks of the table itself, alone or as the owner of something. */
function isNamed(table: string, build: Building): boolean {
  return build.linked.items.some(
    (item) =>
      (item.kind === "table" && item.table === table) ||
      (item.kind === "column" && item.options.some((option) => option.table === table && option.owned)),
  );
}

function replaceColumn(build: Building, old: ColumnRef, next: ColumnRef): void {
  const { frame } = build;
  const swap = (ref: ColumnRef) => (sameColumn(ref, old) ? next : ref);
  const swapOutput = (output: Output): Output => {
    if (output.kind === "column") return { ...output, ref: swap(output.ref) };
    if (output.kind === "key" && output.key.kind === "column")
      return { kind: "key", key: { ...output.key, ref: swap(output.key.ref) } };
    return output;
  };
  frame.outputs = frame.outputs.map(swapOutput);
  frame.groups = frame.groups.map((key) => (key.kind === "column" ? { ...key, ref: swap(key.ref) } : key));
  frame.order = frame.order.map((order) => ({ ...order, by: swapOutput(order.by) }));
  if (frame.winner)
    frame.winner.per = frame.winner.per.map((key) => (key.kind === "column" ? { ...key, ref: swap(key.ref) } : key));
  const used = [...frame.groups.map(keyTable), ...frame.required];
  if (frame.entity === old.table && !used.includes(old.table)) frame.entity = next.table;
}

/** A value that stands for a part of many stored ones is compared with LIKE. */
export function settlePatterns(build: Building): void {
  const patterns = new Map(
    build.linked.items.flatMap((item) =>
      item.kind === "value"
        ? item.options.filter((option) => option.pattern).map((option) => [option.value, item.text] as const)
        : [],
    ),
  );
  if (patterns.size === 0) return;
  const settle = (condition: Condition): Condition => {
    if (condition.kind === "any" || condition.kind === "every") return { ...condition, of: condition.of.map(settle) };
    if (condition.kind === "exists" || condition.kind === "counted")
      return { ...condition, inner: condition.inner.map(settle) };
    if (condition.kind !== "compare" || !condition.values.some((value) => patterns.has(String(value))))
      return condition;
    const parts = condition.values.map((value): Condition => {
      const text = patterns.get(String(value));
      const negative = condition.operator === "<>" || condition.operator === "NOT IN";
      return text === undefined
        ? { ...condition, operator: negative ? "<>" : "=", values: [value] }
        : {
            ...condition,
            operator: negative ? "NOT LIKE" : "LIKE",
            values: [value],
            words: `${negative ? "not " : ""}containing ${text}`,
          };
    });
    const [first] = parts;
    return parts.length === 1 && first ? first : { kind: "any", of: parts, words: condition.words };
  };
  build.frame.conditions = build.frame.conditions.map(settle);
  if (build.frame.share) build.frame.share.part = build.frame.share.part.map(settle);
}
