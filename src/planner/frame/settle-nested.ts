/**
 * Averages over what groups bring in: "average spending per customer" is what each spends in all, averaged; "which country
 * has the highest average number of invoices per customer" has one such figure for each country.
 */

import { type ColumnRef, sameColumn } from "../schema/schema.ts";
import type { Building } from "./building.ts";
import type { Key, Measure, Output } from "./frame.ts";
import { sameKey } from "./meanings.ts";

export function settleNested(build: Building): void {
  const { frame } = build;
  rankOuter(build);
  if (frame.winner || frame.share || frame.having.length > 0 || frame.groups.length === 0) return;
  const measures = [...frame.outputs, ...frame.order.map((order) => order.by)].flatMap((output) =>
    output.kind === "measure" ? [output.measure] : [],
  );
  const [measure] = measures;
  const fn = measure && (frame.over?.fn ?? averaged(measure, build));
  if (!measure || !fn || new Set(measures.map((known) => JSON.stringify({ ...known, words: "" }))).size > 1) return;
  const said = (key: Key) => isPer(key, build);
  // A country or a genre has a row of its own; of people, orders and months there are many.
  const inner = frame.groups.filter((key) => said(key) && key.kind !== "column");
  const measured = measure.kind === "aggregate" ? measure.of.column.table : undefined;
  // A row of the measured table is no group to add up in.
  const own = inner.some((key) => key.kind === "entity" && key.table === measured);
  const outer = own || inner.length !== 1 ? [] : outerKeys(inner, build);
  if (frame.over ? outer.length === 0 : own || inner.length !== 1) {
    if (frame.over && frame.order.length > 0) build.notes.push(`"${frame.over.words}" could not be tied to the data.`);
    return;
  }
  if (outer.length === 0 && frame.order.length > 0) return;
  const toSum = (output: Output): Output =>
    output.kind === "measure" && output.measure.kind === "aggregate" && !frame.over
      ? { kind: "measure", measure: { ...output.measure, fn: "SUM" } }
      : output;
  const isInner = (output: Output) => output.kind === "key" && inner.some((key) => sameKey(key, output.key));
  frame.outputs = frame.outputs.filter((output) => !isInner(output)).map(toSum);
  frame.order = frame.order.map((order) => ({ ...order, by: toSum(order.by) }));
  frame.over = { fn, words: measure.words, ...(outer.length > 0 ? { outer } : {}) };
  for (const key of outer)
    if (!frame.outputs.some((output) => shows(output, key))) frame.outputs.unshift({ kind: "key", key });
}

/** "per customer", and not "in each country". */
const isPer = (key: Key, { main }: Building): boolean =>
  main.groups.some(
    ({ words }) =>
      (words === key.words || key.words.includes(words)) &&
      /^(per|an?|each|every)\b|ly$/i.test(words) &&
      !/^(in|for|by|of) /i.test(words),
  );

/** "which artist has the highest average number of tracks per album": one artist, not the best one of each album. */
function rankOuter(build: Building): void {
  const { frame } = build;
  const { winner } = frame;
  if (winner?.by.kind !== "measure" || winner.place) return;
  const { measure } = winner.by;
  if (!frame.over && !averaged(measure, build)) return;
  if (!winner.per.every((key) => key.kind !== "column" && isPer(key, build))) return;
  frame.order = [{ by: winner.by, direction: winner.direction, words: winner.words }];
  frame.limit = { count: winner.count, words: winner.words };
  // The figure that a best one of each group is shown with.
  frame.outputs = frame.outputs.filter(
    (output) =>
      output.kind !== "measure" && !(output.kind === "key" && winner.per.some((key) => sameKey(key, output.key))),
  );
  delete frame.winner;
}

const averaged = (measure: Measure, { moneyWords }: Building): "AVG" | "MEDIAN" | undefined =>
  measure.kind === "aggregate" && (measure.fn === "AVG" || measure.fn === "MEDIAN") && moneyWords.has(measure.words)
    ? measure.fn
    : undefined;

/** The other groups, and columns shown that tell the inner things apart into groups: "which country has the highest …". */
function outerKeys(inner: Key[], build: Building): Key[] {
  const { frame, schema } = build;
  const outer = frame.groups.filter((key) => !inner.includes(key));
  for (const [at, output] of frame.outputs.entries()) {
    if (output.kind !== "column" || output.ref.role || !isShared(output.ref, inner, build)) continue;
    const { reference } = schema.column(output.ref);
    const { words } = output;
    const key: Key =
      reference && !/\bids?\b/i.test(words)
        ? { kind: "entity", table: reference.to, words }
        : { kind: "column", ref: output.ref, words };
    outer.push(key);
    frame.groups.unshift(key);
    frame.outputs[at] = { kind: "key", key };
  }
  return outer;
}

/** A column of the inner things, or of what they belong to, that several of them share. */
function isShared(ref: ColumnRef, inner: Key[], { graph, schema }: Building): boolean {
  const [key] = inner;
  if (key?.kind !== "entity" || !graph.toOne(key.table, ref.table)) return false;
  return key.table !== ref.table || !schema.table(ref.table).display.some((column) => column.column === ref.column);
}

const shows = (output: Output, key: Key): boolean =>
  (output.kind === "key" && sameKey(output.key, key)) ||
  (output.kind === "column" &&
    (key.kind === "entity" ? output.ref.table === key.table : sameColumn(output.ref, key.ref)));
