/** What analysts ask for beside a plain reading, put into the frame once it is built; what finds no place there is said. */

import { isCue } from "../clauses/clause-types.ts";
import { twoYears } from "../clauses/read-contrast.ts";
import type { Analysed } from "../linking/analyst-items.ts";
import { sameColumn } from "../schema/schema.ts";
import { units } from "../words/lexicon.ts";
import type { Asked } from "../words/rephrase.ts";
import type { Building } from "./building.ts";
import { type Condition, conditionColumns, type Key, spell } from "./frame.ts";
import { unitOf } from "./resolve.ts";
import { settleNested } from "./settle-nested.ts";

export function settleAnalysis(build: Building, asked: Asked, analysed: Analysed): void {
  settleNested(build);
  settlePronouns(build);
  if (analysed.compared !== undefined) settleCompared(build, analysed.compared);
  if (analysed.bothEnds !== undefined) settleEnds(build, analysed.bothEnds);
  if (analysed.ranked !== undefined) showRanking(build, analysed.ranked);
  if (asked.series) settleSeries(build, asked);
  settleUnits(build);
}

const untied = (build: Building, words: string): void => {
  build.notes.push(`"${words}" could not be tied to the data.`);
};

/** "Compare revenue of 2023 and 2024": a row for each of what stands side by side. */
function settleCompared(build: Building, words: string): void {
  const { frame, linked } = build;
  if (frame.all) {
    // Side by side, not both at once.
    const { ref } = frame.all;
    delete frame.all;
    frame.outputs = frame.outputs.filter((output) => output.kind === "measure");
    frame.groups = frame.groups.filter((key) =>
      key.kind === "entity" ? key.table !== ref.table : !sameColumn(key.ref, ref),
    );
  }
  if (frame.groups.length > 0 || !frame.outputs.some((output) => output.kind === "measure")) return;
  const key = comparedKey(frame.conditions, build);
  if (!key) {
    if (!linked.items.some((item) => isCue(item, "each", "bucket"))) untied(build, words);
    return;
  }
  frame.groups.push(key);
  frame.outputs.unshift({ kind: "key", key });
}

function comparedKey(conditions: Condition[], build: Building): Key | undefined {
  for (const condition of conditions) {
    const parts = condition.kind === "any" ? condition.of : [condition];
    const [first] = parts;
    if (!first) continue;
    const refs = parts.flatMap(conditionColumns);
    const [ref] = refs;
    if (!ref || !refs.every((other) => sameColumn(other, ref))) continue;
    const [from, to] = first.kind === "period" ? (first.period.years ?? []) : [];
    // "from 2021 to 2023": each year of them.
    if (parts.length === 1 && from !== undefined && to !== undefined && to > from)
      return { kind: "bucket", ref, unit: "year", words: condition.words };
    const years = parts.every((part) => part.kind === "period" && part.period.years);
    const pair =
      first.kind === "period" &&
      build.linked.items.some(
        (item) => item.kind === "period" && item.period.words === first.period.words && twoYears(item),
      );
    if (years && (parts.length > 1 || pair)) return { kind: "bucket", ref, unit: "year", words: condition.words };
    const values = parts.flatMap((part) =>
      part.kind === "compare" && ["=", "IN"].includes(part.operator) ? part.values : [],
    );
    if (values.length < 2) continue;
    const { display } = build.schema.table(ref.table);
    return display.length === 1 && display[0]?.column === ref.column
      ? { kind: "entity", table: ref.table, words: condition.words }
      : { kind: "column", ref, words: condition.words };
  }
  return undefined;
}

/** "the oldest and the youngest": whoever stands at either end, all equals included. */
function settleEnds(build: Building, words: string): void {
  const { frame } = build;
  const [order] = frame.order;
  if (frame.groups.length > 0 || order?.by.kind !== "column" || frame.limit?.count !== 1 || frame.limit.skip) {
    untied(build, words);
    return;
  }
  const { ref } = order.by;
  const inner = frame.conditions;
  const end = (fn: "MIN" | "MAX"): Condition => ({
    kind: "against",
    scalar: { column: ref },
    operator: "=",
    fn,
    ...(inner.length > 0 ? { inner: [...inner] } : {}),
    words,
  });
  frame.conditions = [...inner, { kind: "any", of: [end("MIN"), end("MAX")], words }];
  // What was named first stands first.
  frame.order = [{ by: order.by, direction: order.direction === "ASC" ? "DESC" : "ASC", words }];
  delete frame.limit;
}

/** "…, and that value": what decides the order stands beside what it ranks. */
function showRanking(build: Building, words: string): void {
  const { frame } = build;
  const by = frame.winner?.by ?? frame.order[0]?.by;
  if (!by) untied(build, words);
  else if (!frame.outputs.some((output) => spell(output) === spell(by))) frame.outputs.push(by);
}

/** Growth, change or a running total needs one figure and one row for each stretch of time. */
function settleSeries(build: Building, { series, best }: Asked): void {
  const { frame } = build;
  if (!series) return;
  const measures = frame.outputs.filter((output) => output.kind === "measure");
  const time = frame.groups.find((key) => key.kind === "bucket");
  const plain =
    !frame.over && !frame.winner && !frame.share && !frame.limit && frame.having.length === 0 && !frame.hideKeys;
  if (!plain || measures.length !== 1 || time?.kind !== "bucket" || time.unit === "weekday") {
    untied(build, series.words);
    return;
  }
  frame.series = { ...series, ...(best ? { best } : {}) };
  frame.order = best
    ? []
    : frame.groups.map((key) => ({ by: { kind: "key", key }, direction: "ASC", words: series.words }));
  if (best) frame.limit = { count: 1, words: series.words };
}

/** "the longest track of each album, in seconds": whoever says the unit wants to see the figure. */
function showRanked({ frame, resolver }: Building, unit: string, text: string): boolean {
  const by = frame.winner?.by ?? (frame.groups.length === 0 ? frame.order[0]?.by : undefined);
  const divide = by?.kind === "column" ? resolver.divide(by.ref, unit) : undefined;
  if (by?.kind !== "column" || !divide) return false;
  frame.outputs.push({ ...by, divide, words: `in ${text}` });
  return true;
}

/** "the manager of X and their title": of whom was asked first. */
function settlePronouns({ frame, linked }: Building): void {
  const [first] = frame.outputs;
  const role = first?.kind === "key" && first.key.kind === "entity" ? first.key.role : undefined;
  const said = linked.items.some(
    (item, at) => /^(his|her|their|his or her)$/i.test(item.text) && linked.items[at + 1]?.kind === "column",
  );
  if (!role || !said || first?.kind !== "key" || first.key.kind !== "entity") return;
  const { table } = first.key;
  frame.outputs = frame.outputs.map((output) =>
    output.kind === "column" && output.ref.table === table ? { ...output, ref: { ...output.ref, role } } : output,
  );
}

/** "in minutes" that no output was given in: the column's own unit is unknown, and another figure would be wrong. */
function settleUnits(build: Building): void {
  const { items } = build.linked;
  const asked = items.flatMap((item, at) =>
    item.kind === "unit" && isCue(items[at - 1], "preposition") && /^(in|as)$/i.test(items[at - 1]?.text ?? "")
      ? [item]
      : [],
  );
  const given = JSON.stringify(build.frame);
  const shown = build.frame.outputs.flatMap((output) =>
    output.kind === "column"
      ? [output.ref]
      : output.kind === "measure" && output.measure.kind === "aggregate"
        ? [output.measure.of.column]
        : [],
  );
  const isOwn = (unit: string) => shown.some((ref) => unitOf(build.schema.column(ref))?.factor === units[unit]?.factor);
  for (const { unit, text } of asked)
    if (!given.includes(`"unit":"`) && showRanked(build, unit, text)) continue;
    else if (
      !given.includes(`"unit":"${unit === "mb" ? "megabyte" : unit}`) &&
      !isOwn(unit) &&
      units[unit]?.kind !== "money"
    )
      untied(build, `in ${text}`);
}
