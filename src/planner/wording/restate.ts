/** The question said again, as a person would: which rows, of what, under which conditions, in which order. */

import { type Condition, countsGroups, type Frame, type Key, type Output } from "../frame/frame.ts";
import { isDate, type Schema } from "../schema/schema.ts";
import { plural } from "../words/language.ts";
import {
  describeColumn,
  describeCondition,
  describeDirection,
  describeHaving,
  describeKey,
  describeLength,
  describeMeasure,
  describeOutput,
  describeScalar,
  describeSeries,
  figureWords,
  isLength,
  joinWords,
  tableWords,
} from "./describe.ts";

const numbers = ["", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const count = (value: number): string => numbers[value] ?? String(value);

/** One sentence; every condition that changes the answer is in it. */
export function restate(frame: Frame, schema: Schema): string {
  const text = `${head(frame, schema)}${havingWords(frame, schema)}${conditionWords(frame.conditions, frame.entity, schema)}`;
  const clean = text.replace(/\s+/g, " ").trim();
  return `${clean.charAt(0).toUpperCase()}${clean.slice(1)}.`;
}

/** What a row shows and how rows are ordered, for the headline of the answer. */
export function rowsInWords(frame: Frame, schema: Schema): string {
  const many = frame.groups.length > 0 || frame.winner || !frame.outputs.some((output) => output.kind === "measure");
  if (!many || frame.share || (frame.over && !frame.over.outer) || countsGroups(frame)) return "";
  const shown = [
    ...frame.outputs.map((output) => describeOutput(output, schema, frame.entity)),
    ...(frame.series ? [describeSeries(frame.series)] : []),
  ];
  const order = frame.order[0];
  const sorted = order && !frame.limit ? `, ${describeDirection(order.by, order.direction, schema)}` : "";
  return shown.length > 1 || sorted ? ` Each row shows ${joinWords([...new Set(shown)])}${sorted}.` : "";
}

const keyNames = (keys: Key[]): string => joinWords([...new Set(keys.map(describeKey))]);

function head(frame: Frame, schema: Schema): string {
  const rows = plural(tableWords(frame.entity));
  const measures = frame.outputs.flatMap((output) => (output.kind === "measure" ? [output.measure] : []));
  const measured = joinWords(measures.map((measure) => `the ${describeMeasure(measure, schema)}`));
  if (frame.share) {
    const of = frame.share.of ? describeMeasure(frame.share.of, schema).replace(/^number of /, "") : rows;
    const part = frame.share.part.map((condition) => describeCondition(condition, schema, frame.entity));
    const per = frame.groups.length > 0 ? ` for each ${keyNames(frame.groups)}` : "";
    const figure = frame.share.percent ? "percentage" : "proportion";
    return part.length > 0
      ? `the ${figure} of ${of} where ${joinWords(part)}${per}`
      : `each ${keyNames(frame.groups)}'s ${figure} of the ${of}`;
  }
  if (frame.over) {
    const figure = figureWords[frame.over.fn];
    const inner = frame.groups.filter((key) => !frame.over?.outer?.includes(key));
    const text = `the ${figure} ${(measured || ranked(frame, schema)).replace(/^the /, "")} per ${keyNames(inner)}`;
    const outer = frame.over.outer ?? [];
    if (outer.length === 0) return text;
    const [order] = frame.order;
    if (!frame.limit || !order) return `${text}, for each ${keyNames(outer)}`;
    const who = frame.limit.count === 1 ? keyNames(outer) : `${count(frame.limit.count)} ${plural(keyNames(outer))}`;
    return `the ${who} with the ${order.direction === "DESC" ? "highest" : "lowest"} ${text.replace(/^the /, "")}`;
  }
  if (frame.series) {
    const text = `${measured} for each ${keyNames(frame.groups)}, with its ${describeSeries(frame.series)}`;
    return frame.series.best
      ? `${text}, and of these only the one with the ${frame.series.best === "DESC" ? "highest" : "lowest"}`
      : text;
  }
  if (frame.winner) {
    const own = frame.groups.filter((key) => !frame.winner?.per.includes(key));
    const noun = own[0] ? describeKey(own[0]) : tableWords(frame.entity);
    return `for each ${keyNames(frame.winner.per)}, ${best(frame.winner.by, frame.winner.direction, frame.winner.count, noun, schema, (frame.winner.place ?? 1) - 1)}`;
  }
  if (countsGroups(frame)) return `the number of ${plural(keyNames(frame.groups))}`;
  const order = frame.order[0];
  if (frame.limit && order && (frame.groups.length > 0 || measures.length === 0)) {
    const noun = frame.groups.length > 0 ? keyNames(frame.groups) : tableWords(frame.entity);
    return best(order.by, order.direction, frame.limit.count, noun, schema, frame.limit.skip);
  }
  const limited = frame.limit ? `the first ${count(frame.limit.count)} of ` : "";
  if (frame.groups.length > 0 && measures.length > 0)
    return `${limited}${measured} for each ${keyNames(frame.groups)}${frame.keepEmpty ? " (those with none too)" : ""}`;
  if (frame.groups.length > 0) return `${limited}the ${plural(keyNames(frame.groups))}`;
  if (measures.length > 0) return measured;
  return `${limited}${listed(frame, schema, rows)}`;
}

/** What rows are ranked by, where it isn't shown. */
const ranked = (frame: Frame, schema: Schema): string =>
  joinWords(
    frame.order.flatMap(({ by }) => (by.kind === "measure" ? [`the ${describeMeasure(by.measure, schema)}`] : [])),
  );

/** "the customers", "the titles of the albums": the entity's own name columns need no mention. */
function listed(frame: Frame, schema: Schema, rows: string): string {
  const plain = frame.outputs.every(
    (output) => output.kind === "key" && output.key.kind === "entity" && output.key.table === frame.entity,
  );
  const different = frame.distinct ? "different " : "";
  if (plain) return `the ${different}${rows}`;
  const shown = [...new Set(frame.outputs.map((output) => describeOutput(output, schema, frame.entity)))];
  return `the ${different}${joinWords(shown)} of the ${rows}`;
}

/** `skip`: so many places come before. */
function best(by: Output, direction: "ASC" | "DESC", limit: number, noun: string, schema: Schema, skip = 0): string {
  if (skip > 0)
    return `${best(by, direction, limit, noun, schema)} after leaving out the first ${skip === 1 ? "one" : count(skip)}`;
  const who = limit === 1 ? `the ${noun}` : `the ${count(limit)} ${plural(noun)}`;
  if (by.kind === "measure" && by.measure.kind === "count" && !by.measure.distinct)
    return `${who} with the ${direction === "DESC" ? "most" : "fewest"} ${plural(tableWords(by.measure.table))}`;
  const date = by.kind === "column" && isDate(schema.column(by.ref));
  const word = date ? (direction === "DESC" ? "latest" : "earliest") : direction === "DESC" ? "highest" : "lowest";
  // "the three longest tracks"
  if (by.kind === "column" && !date && isLength(by.ref, schema))
    return who.replace(
      new RegExp(`${limit === 1 ? noun : plural(noun)}$`),
      (own) => `${direction === "DESC" ? "longest" : "shortest"} ${own}`,
    );
  if (by.kind === "key") return `${who} (${describeDirection(by, direction, schema)})`;
  const measured =
    by.kind === "measure"
      ? describeMeasure(by.measure, schema)
      : by.kind === "scalar"
        ? describeScalar(by.of, schema)
        : describeOutput(by, schema, by.ref.table);
  return `${who} with the ${word} ${measured}`;
}

function havingWords(frame: Frame, schema: Schema): string {
  const parts = frame.having.map((having) => describeHaving(having, schema));
  if (frame.all) parts.push(`all of ${joinWords(frame.all.values.map(String))}`);
  if (parts.length === 0) return "";
  return `${frame.outputs.some((output) => output.kind === "measure") && !countsGroups(frame) ? ", only those" : ""} with ${joinWords(parts)}`;
}

/** " longer than 10 minutes with no track where genre is Rock, where country is USA, since 2023 by invoice date" */
export function conditionWords(conditions: Condition[], entity: string, schema: Schema): string {
  const lengths = conditions.flatMap((condition) => describeLength(condition, schema) ?? []);
  const partners = conditions.filter((condition) => condition.kind === "exists" && !condition.self);
  const periods = conditions.filter((condition) => condition.kind === "period" && !condition.negated);
  const where = conditions
    .filter((condition) => !partners.includes(condition) && !periods.includes(condition))
    .filter((condition) => describeLength(condition, schema) === undefined)
    .map((condition) => describeCondition(condition, schema, entity));
  const having = partners.map((condition) => `with ${describeCondition(condition, schema, entity)}`);
  const when = periods.map((condition) => {
    const column = "ref" in condition ? describeColumn(condition.ref, schema, entity) : "";
    return `${describeCondition(condition, schema, entity).slice(column.length).trim()} by ${column}`;
  });
  return [
    ...(lengths.length > 0 ? [` ${joinWords(lengths)}`] : []),
    ...(having.length > 0 ? [` ${joinWords(having)}`] : []),
    ...(where.length > 0 ? [`, where ${joinWords([...new Set(where)])}`] : []),
    ...(when.length > 0 ? [`, ${joinWords(when)}`] : []),
  ].join("");
}
