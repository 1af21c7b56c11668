/** Spans of the question that are stored values: as they are written, in another form, or by a code that stands for them. */
import type { ValueIndex, ValueMatch } from "../../catalog/value-index.ts";
import { negatedFlag } from "../schema/flags.ts";
import type { ColumnInfo, Schema } from "../schema/schema.ts";
import type { Token } from "../words/language.ts";
import { isOn } from "../words/parts.ts";
import { phraseIndex } from "../words/phrases.ts";
import { codesOf, placesOf, rootsOf } from "../words/word-forms.ts";
import type { Add, ValueOption } from "./linking.ts";

export function addValues(
  values: ValueIndex,
  schema: Schema,
  span: Token[],
  text: string,
  start: number,
  end: number,
  add: Add,
  before: Token | undefined,
): void {
  const first = span[0] as Token;
  const size = span.length;
  if (first.quoted) {
    const found = toOptions(values.search(first.text, { limit: 12 }), schema);
    add(start, end, 3, { kind: "value", options: found, quoted: true });
    return;
  }
  // A number with a leading zero, or a long one, may be a text that is stored: a telephone number, a code.
  const code = first.number !== undefined && /^(0\d{2,}|\d{6,})$/.test(first.text);
  if (size === 1 && ((first.number !== undefined && !code) || (first.text.length < 2 && !isLetterName(first, before))))
    return;
  if (!/[\p{L}\p{N}]/u.test(first.text) || !/[\p{L}\p{N}.!)]/u.test(span.at(-1)?.text ?? "")) return;
  // A bracket that closes nothing belongs to the sentence.
  if (span.at(-1)?.text === ")" && !span.some((token) => token.text.includes("("))) return;
  const last = span.at(-1) as Token;
  if (size > 1 && last.lower === ".") return;
  const plural = /s$/i.test(text) ? values.lookup(text.slice(0, -1)) : [];
  const exact = values.lookup(text);
  let matches = exact.length > 0 ? exact : plural;
  // A small inflected word ("stars") among thousands of titles is hardly one of them.
  const common = first.lemma !== first.lower || ["VERB", "ADV", "AUX"].includes(first.pos);
  if (size === 1 && first.text === first.lower && common)
    matches = matches.filter((match) => values.coverage(match.table, match.column).distinct <= 300);
  let options = toOptions(matches, schema);
  let loose = 0;
  if (options.length === 0) {
    // "French" for the stored "France", "engineering" for "engineer".
    const derived = [...placesOf(text), ...(size === 1 && first.pos !== "VERB" ? rootsOf(text) : [])];
    options = toOptions(
      derived.flatMap((other) =>
        values.lookup(other).filter((match) => values.coverage(match.table, match.column).distinct <= 500),
      ),
      schema,
    );
    loose = 0.1;
  }
  if (options.length === 0 && size === 1 && isOn("flags")) options = negatedFlag(first.lower, schema);
  if (options.length === 0 && size === 1) {
    const codes = codesOf(first.lemma).flatMap((other) =>
      values.lookup(other).filter((match) => values.coverage(match.table, match.column).distinct <= 3),
    );
    const sexes = codes.filter((match) => schema.column(match).words.some((word) => /^(sex|gender)$/.test(word)));
    options = toOptions(sexes.length > 0 ? sexes : codes, schema);
    loose = 0;
  }
  if (
    options.length === 0 &&
    size === 2 &&
    last.pos === "NOUN" &&
    /^[\p{L}]+$/u.test(first.text) &&
    (first.pos === "NOUN" || first.pos === "ADJ") &&
    last.lower.length > 3
  ) {
    // "sales agent" for the stored "Sales Support Agent": all words stand in one value of a short list.
    const singular = last.lemma.toLowerCase();
    const inside = values.search(singular, { limit: 20 }).filter((match) => {
      const parts = match.value.toLowerCase().split(/[^\p{L}\p{N}]+/u);
      return (
        values.coverage(match.table, match.column).distinct <= 30 &&
        parts.length > 2 &&
        parts.includes(singular) &&
        (parts.includes(first.lower) || parts.includes(first.lemma))
      );
    });
    options = inside.length === 1 ? toOptions(inside, schema) : [];
    loose = 0.25;
  }
  if (options.length === 0) return;
  const capital =
    span.some((token) => /\p{Lu}/u.test(token.text) && token.index > 0) || (size > 1 && /\p{Lu}/u.test(first.text));
  const caseExact = matches.some((match) => match.value === text);
  const cueText = phraseIndex.has(span.map((token) => token.lower).join(" "));
  let weight = capital && caseExact ? 1.22 : capital ? 1.1 : caseExact ? 0.85 : 0.8;
  // Written in capitals as it is stored: the code CAN is no verb.
  if (caseExact && size === 1 && /^[A-Z]{2,}$/.test(text) && before !== undefined) weight = 1.45;
  weight -= loose;
  if (exact.length === 0 && loose === 0) weight -= 0.15;
  // Small words written small ("the client") are words of the question, whatever some title is called.
  const small = !capital && span.some((token) => phraseIndex.get(token.lower)?.cue === "filler");
  if (small) weight -= 0.5;
  else if (size > 1 && !capital) weight += 0.2;
  if (cueText && !capital) weight -= 0.5;
  if (size === 1 && first.pos === "VERB" && !capital) weight -= 0.35;
  // A long number that is stored as such is no amount.
  if (code && exact.length > 0) weight = 1.2;
  add(start, end, size * weight + (size - 1) * 0.35, { kind: "value", options });
}

function toOptions(all: ValueMatch[], schema: Schema): ValueOption[] {
  const matches = all.filter((match) => schema.tables.some((table) => table.name === match.table));
  const best = matches[0]?.score ?? 0;
  return matches
    .filter(
      (match) => match.score >= best - 0.15 || match.how === "exact" || match.how === "case" || match.how === "accent",
    )
    .map((match) => ({
      table: match.table,
      column: match.column,
      value: match.value,
      rows: match.rows,
      how: match.how,
      score: match.score - (isShown(schema, match) ? 0 : 0.08),
    }))
    .sort((a, b) => b.score - a.score || a.table.localeCompare(b.table) || a.column.localeCompare(b.column));
}

/** "section h", "named B": one letter that stands where a name stands. */
const isLetterName = (token: Token, before: Token | undefined): boolean =>
  /^\p{L}$/u.test(token.text) &&
  before !== undefined &&
  !/^(a|i|s|t)$/.test(token.text) &&
  ((/^(an?|of|or)$/.test(before.lower) && /^[A-HJ-Z]$/.test(token.text)) ||
    ["NOUN", "PROPN"].includes(before.pos) ||
    /^(named|called|is|grade|letter)$/.test(before.lower));

const isShown = (schema: Schema, match: { table: string; column: string }) =>
  schema.table(match.table).display.some((column: ColumnInfo) => column.column === match.column);
