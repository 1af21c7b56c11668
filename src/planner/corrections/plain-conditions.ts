/** Conditions as a reviewer types them: "name equal to 'X' or weight greater than 3500", "without any albums", "the highest price". */

import type { Schema } from "../schema/schema.ts";
import type { Operator } from "../words/lexicon.ts";
import { type NamedValue, readName, readNamedValue } from "./named-values.ts";

export type PlainCondition = { words: string } & (
  | {
      kind: "value";
      of: NamedValue;
      operator: Operator | "LIKE" | "NOT LIKE" | "IN" | "NOT IN";
      values: (string | number)[];
    }
  | { kind: "against"; of: NamedValue; operator: Operator; fn: "AVG" | "MIN" | "MAX" }
  | { kind: "null"; of: NamedValue; isNull: boolean }
  | { kind: "columns"; of: NamedValue; operator: Operator; other: NamedValue }
  | { kind: "partners"; table: string; negated: boolean; inner: PlainCondition[]; value?: string }
);

/** Longer words first. */
const signs: [string, Operator | "LIKE" | "NOT LIKE"][] = [
  ["not like", "NOT LIKE"],
  ["not containing", "NOT LIKE"],
  ["like", "LIKE"],
  ["containing", "LIKE"],
  ["at least", ">="],
  ["no less than", ">="],
  ["at most", "<="],
  ["no more than", "<="],
  ["greater than", ">"],
  ["more than", ">"],
  ["larger than", ">"],
  ["higher than", ">"],
  ["over", ">"],
  ["above", ">"],
  ["after", ">"],
  ["less than", "<"],
  ["fewer than", "<"],
  ["smaller than", "<"],
  ["lower than", "<"],
  ["under", "<"],
  ["below", "<"],
  ["before", "<"],
  ["other than", "<>"],
  ["different from", "<>"],
  ["not equal to", "<>"],
  ["equal to", "="],
  ["exactly", "="],
];
const signPattern = signs.map(([words]) => words).join("|");
const operatorOf = (words: string) => signs.find(([known]) => known === words.trim().toLowerCase())?.[1];
const isOperator = (operator: string | undefined): operator is Operator =>
  operator !== undefined && !operator.endsWith("LIKE");

export const starter = "(?:only|just|keep(?:\\s+only)?)\\s+(?:those|the ones|rows|the rows|ones)";

/** All of them hold, or one of them; undefined when a part can't be read. */
export function readPlainConditions(
  text: string,
  schema: Schema,
): { of: PlainCondition[]; either: boolean } | undefined {
  const match = new RegExp(
    `^${starter}\\s+(with|without|that have|that are|whose|where|for which|having)\\s+(?:an?\\s+|the\\s+(?!highest|lowest|most|fewest|largest|smallest|latest|earliest))?(.+)$`,
    "i",
  ).exec(text.trim());
  if (!match) return undefined;
  const rest = (/^without$/i.test(match[1] ?? "") ? "no " : "") + (match[2] ?? "");
  const whole = readCondition(rest, schema);
  if (whole) return { of: [whole], either: false };
  for (const [word, either] of [
    ["or", true],
    ["and", false],
  ] as const) {
    const parts = splitOutsideQuotes(rest, word);
    if (parts.length < 2) continue;
    const read = parts.map((part) =>
      readCondition(
        part.replace(/^(?:either|with|whose|that have|where|those with)\s+(?:an?\s+|the\s+)?/i, ""),
        schema,
      ),
    );
    if (read.every((condition) => condition !== undefined)) return { of: read as PlainCondition[], either };
  }
  return undefined;
}

function splitOutsideQuotes(text: string, word: string): string[] {
  const cuts = [...text.matchAll(new RegExp(`"[^"]*"|'(?:[^']|'(?=\\p{L}))*'|,?\\s+${word}\\s+`, "giu"))].filter(
    (found) => !/^["']/.test(found[0]),
  );
  const parts: string[] = [];
  let from = 0;
  for (const cut of cuts) {
    parts.push(text.slice(from, cut.index));
    from = cut.index + cut[0].length;
  }
  return [...parts, text.slice(from)].map((part) => part.trim()).filter(Boolean);
}

function readCondition(text: string, schema: Schema): PlainCondition | undefined {
  const words = text.trim();
  return (
    readPartners(words, schema) ??
    readExtreme(words, schema) ??
    readCounted(words, schema) ??
    readCompared(words, schema)
  );
}

/** "no albums", "without any concert", "any album with title like 'x'" */
function readPartners(words: string, schema: Schema): PlainCondition | undefined {
  const match = /^(no|not any|any|some)\s+(?:any\s+)?(.+)$/i.exec(words);
  if (!match) return undefined;
  const negated = /^no/i.test(match[1] ?? "");
  const [, name = "", inner] =
    /^(.+?)(?:\s+(?:with|whose|that have)\s+(?:an?\s+|the\s+)?(.+))?$/i.exec(match[2] ?? "") ?? [];
  const quoted = /^(.+?)\s+["'‘“](.+)["'’”]$/.exec(name);
  const table = tableNamed(quoted?.[1] ?? name, schema);
  if (table !== undefined) {
    const read = inner === undefined ? [] : splitOutsideQuotes(inner, "and").map((part) => readCondition(part, schema));
    if (read.some((condition) => condition === undefined)) return undefined;
    const value = quoted?.[2];
    return {
      kind: "partners",
      table,
      negated,
      inner: read as PlainCondition[],
      ...(value === undefined ? {} : { value }),
      words,
    };
  }
  const of = inner === undefined ? readName(name, schema) : undefined;
  return of && of.columns.length > 0 ? { kind: "null", of, isNull: negated, words } : undefined;
}

function tableNamed(text: string, schema: Schema): string | undefined {
  const name = readName(text, schema);
  return name?.table;
}

const extremes: Record<string, "MIN" | "MAX"> = {
  highest: "MAX",
  largest: "MAX",
  latest: "MAX",
  most: "MAX",
  maximum: "MAX",
  lowest: "MIN",
  smallest: "MIN",
  earliest: "MIN",
  fewest: "MIN",
  minimum: "MIN",
};

/** "the lowest year" */
function readExtreme(words: string, schema: Schema): PlainCondition | undefined {
  const match =
    /^(?:the\s+)?(highest|largest|latest|most|maximum|lowest|smallest|earliest|fewest|minimum)\s+(.+)$/i.exec(words);
  const fn = extremes[(match?.[1] ?? "").toLowerCase()];
  const of = match?.[2] ? readName(match[2], schema) : undefined;
  return fn && of && of.columns.length > 0 ? { kind: "against", of, operator: "=", fn, words } : undefined;
}

/** "more than 2 albums" */
function readCounted(words: string, schema: Schema): PlainCondition | undefined {
  const match = new RegExp(`^(${signPattern})\\s+(\\d+)\\s+(different\\s+|distinct\\s+)?(.+)$`, "i").exec(words);
  const operator = operatorOf(match?.[1] ?? "");
  if (!match || !isOperator(operator)) return undefined;
  const of = readName(match[4] ?? "", schema);
  if (!of) return undefined;
  return {
    kind: "value",
    of: { ...of, fn: "COUNT", ...(match[3] ? { distinct: true } : {}) },
    operator,
    values: [Number(match[2])],
    words,
  };
}

/** "age at least 30", "the number of albums more than 2", "price above the average", "score missing" */
function readCompared(words: string, schema: Schema): PlainCondition | undefined {
  const missing = /^(.+?)\s+(?:is\s+)?(not\s+)?(?:missing|empty|unknown)$/i.exec(words);
  if (missing) {
    const of = readName(missing[1] ?? "", schema);
    if (of && of.columns.length > 0) return { kind: "null", of, isNull: missing[2] === undefined, words };
  }
  const match = new RegExp(`^(.+?)\\s+(?:is\\s+|of\\s+)?(${signPattern})\\s+(.+)$`, "i").exec(words);
  const listed = match ? null : /^(.+?)\s+(?:is\s+)?(not\s+)?(?:one of|in)\s+(.+)$/i.exec(words);
  if (listed) {
    const of = readNamedValue(listed[1] ?? "", schema);
    const values = [...(listed[3] ?? "").matchAll(/["'‘“]([^"'’”]+)["'’”]|(-?\d+(?:\.\d+)?)/g)].map(
      (one) => one[1] ?? Number(one[2]),
    );
    if (!of || of.fn || of.columns.length === 0 || values.length === 0) return undefined;
    return { kind: "value", of, operator: listed[2] ? "NOT IN" : "IN", values, words };
  }
  const bareValue = match ? null : /^(.+?)\s+(?:is\s+)?(["'‘“].+["'’”]|-?\d+(?:\.\d+)?)$/.exec(words);
  const [, name = "", sign = "equal to", written = ""] =
    match ?? (bareValue ? [bareValue[0], bareValue[1], "equal to", bareValue[2]] : []);
  if (name === "") return undefined;
  const operator = operatorOf(sign);
  const of = readNamedValue(name, schema);
  if (!operator || !of || (of.columns.length === 0 && !of.fn)) return undefined;
  const figure = /^(?:the\s+)?(average|mean|highest|lowest|maximum|minimum)$/i.exec(written)?.[1]?.toLowerCase();
  if (figure && isOperator(operator)) {
    if (of.fn) return undefined;
    const fn = /^(average|mean)$/.test(figure) ? "AVG" : (extremes[figure] ?? "AVG");
    return { kind: "against", of, operator, fn, words };
  }
  // A closing quotation mark ends the value.
  if (/^["'‘“]/.test(written) && !/^["'‘“](?:[^"'’”]|['’](?=\p{L}))*["'’”]$/u.test(written)) return undefined;
  // Another comparison follows.
  if (!/^["'‘“]/.test(written) && new RegExp(`\\s(?:${signPattern})\\s`, "i").test(written)) return undefined;
  const value = toValue(written);
  if (typeof value === "string" && !/^["'‘“]/.test(written) && isOperator(operator)) {
    const other = readName(written, schema);
    if (other && other.columns.length > 0 && !of.fn) return { kind: "columns", of, operator, other, words };
  }
  if (of.fn && typeof value !== "number") return undefined;
  return { kind: "value", of, operator, values: [value], words };
}

function toValue(written: string): string | number {
  const text = written.trim().replace(/^["'‘“]|["'’”]$/g, "");
  const number = Number(text.replaceAll(",", ""));
  return /^["'‘“]/.test(written) || text === "" || Number.isNaN(number) ? text : number;
}
