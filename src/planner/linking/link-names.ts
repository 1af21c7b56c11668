/** Spans of the question that name tables and columns: by their words, their owner, or what describes them. */
import { describedOptions } from "../knowledge/knowledge.ts";
import { nameScore, type Said, similarity, toSaid } from "../schema/name-score.ts";
import { type ColumnInfo, isDate, isNumeric, type Schema } from "../schema/schema.ts";
import { stem, type Token } from "../words/language.ts";
import { keyWords, numberWords } from "../words/lexicon.ts";
import type { Add, ColumnOption } from "./linking.ts";

/** Words of table names that say nothing: cars_data, model_list. */
const emptyTableWords: ReadonlySet<string> = new Set(
  "data list info information detail details table record records mst master ref reference lookup hdr header dim fact fct stg"
    .split(" ")
    .map(stem),
);
const none: ReadonlySet<string> = new Set();

/** Tables that a span names, as items with their weight. */
export function addTables(schema: Schema, said: Said, start: number, end: number, add: Add, before?: Token): void {
  const { span } = said;
  // "authors wrote papers": the verb, though a table is called writes.
  const follows = before !== undefined && ["NOUN", "PROPN"].includes(before.pos);
  if (span.some((token) => !/[\p{L}\p{N}]/u.test(token.text))) return;
  for (const table of schema.tables) {
    let score = nameScore(said, table.spoken, emptyTableWords);
    if (score < 0.5) continue;
    if (span.length === 1 && (span[0] as Token).pos === "VERB" && (score < 1 || follows)) continue;
    if (table.bridge) score *= 0.8;
    // An order line is a line, a sales order an order.
    const tail = table.stems.filter((word) => !emptyTableWords.has(word)).at(-1) ?? "";
    if (score < 1 && (span.at(-1) as Token).keys.includes(tail)) score = Math.min(1, score + 0.03);
    add(start, end, span.length * (0.25 + 0.9 * score) + (span.length - 1) * 0.2, {
      kind: "table",
      table: table.name,
      score,
    });
  }
}

/** Columns that a span names, best first, as one item. */
export function addColumns(
  schema: Schema,
  said: Said,
  start: number,
  end: number,
  add: Add,
  ranks: boolean,
  after?: Token,
): void {
  const { span } = said;
  if (span.some((token) => !/[\p{L}\p{N}]/u.test(token.text))) return;
  // "more than one" is no column called … On, whatever its stem.
  if (span.every((token) => numberWords[token.lower] !== undefined)) return;
  const options: ColumnOption[] = [];
  for (const table of schema.tables) {
    for (const column of table.columns) {
      const bare = Math.max(
        nameScore(said, column.spoken, table.ownWords, true),
        dateScore(span, column, table.ownWords),
      );
      const owned = nameScore(said, column.owned, none);
      const withOwner =
        span.length > table.words.length &&
        span
          .slice(0, table.words.length)
          .every((token, index) => similarity(token, table.words[index] ?? "", table.stems[index] ?? "") > 0.5)
          ? nameScore(toSaid(span.slice(table.words.length)), column.spoken, table.ownWords)
          : 0;
      const turned = /ed$/.test((span[0] as Token).lower);
      const score = Math.max(bare, span.length > 1 && !turned ? owned * 0.9 : 0, withOwner);
      if (score < 0.42) continue;
      // "employees hired": what was done to them, not a column.
      const last = span.at(-1) as Token;
      if (/^(named|called)$/.test(last.lower)) continue;
      // "films directed by": what was done to them, though a column is called that.
      if (withOwner > 0 && /^(by|for|to|in|on|at)$/.test(last.lower)) continue;
      // "clubs located at": so too where only the column's noun is known.
      if (span.length > 1 && /ed$/.test(last.lower) && /^(by|in|on|at|from)$/.test(after?.lower ?? "")) continue;
      if ((/ed$/.test(last.lower) || last.pos === "VERB") && span.length > 1 && Math.max(bare, withOwner) < 0.9)
        continue;
      const rated = ranks && isNumeric(column) && span.length === 1 && bare >= 0.75;
      if (/ed$/.test(last.lower) && Math.max(bare, withOwner) < 0.95 && !rated) continue;
      if (
        span.length === 1 &&
        score < 0.95 &&
        !rated &&
        ((span[0] as Token).pos === "VERB" || /ed$/.test((span[0] as Token).lower))
      )
        continue;
      if (span.length === 1 && table.stems.includes((span[0] as Token).keys[0] ?? "") && column.isKey) continue;
      if (standsForRow(schema, column, said, score)) continue;
      if (column.isKey && score < 0.7 && onlyBegins(span, column)) continue;
      options.push({ table: table.name, column: column.column, score, owned: withOwner >= bare && withOwner > 0 });
    }
  }
  options.push(...describedOptions(schema, span, options));
  if (options.length === 0) return;
  options.sort((a, b) => b.score - a.score);
  const best = options[0]?.score ?? 0;
  const kept = options.filter((option) => option.score >= best - 0.55);
  const verb = span.length === 1 && (span[0] as Token).pos === "VERB" ? (best >= 1 ? 0.08 : 0.2) : 0;
  // "number of days" word for word is that column, not a count of days.
  const verbatim =
    span.length > 2 &&
    best >= 1 &&
    !ranks &&
    options[0] &&
    schema.column(options[0]).words[1] === "of" &&
    span.at(-1)?.lower !== "of"
      ? 0.5
      : 0;
  add(start, end, span.length * (0.22 + 0.88 * best - verb) + (span.length - 1) * 0.22 + verbatim, {
    kind: "column",
    options: kept,
  });
}

/** "courtrooms" are no courts: a longer word says more than the beginning it shares with a key. */
const onlyBegins = ([token, ...more]: Token[], column: ColumnInfo): boolean =>
  token !== undefined &&
  more.length === 0 &&
  column.words.every((word, at) => {
    const likeness = similarity(token, word, column.stems[at] ?? word);
    // A short beginning may be a shortened word: "cat" for a category.
    return likeness === 0 || (word.length > 4 && token.lower.length >= word.length + 4 && likeness < 0.75);
  });

/** "the hired date" of a column called hired_on. */
function dateScore(span: Token[], column: ColumnInfo, own: ReadonlySet<string>): number {
  const last = span.at(-1)?.lemma ?? "";
  const tail = span.length > 1 && /^(date|day|time)$/.test(last) && /^(on|at)$/.test(column.words.at(-1) ?? "");
  return tail && isDate(column) ? 0.97 * nameScore(toSaid(span.slice(0, -1)), column.spoken, own) : 0;
}

/** A key that is called after the rows it names says no more than the table, unless it is asked for as a key. */
function standsForRow(schema: Schema, column: ColumnInfo, said: Said, score: number): boolean {
  if (!column.isKey || said.span.some((token) => keyWords.ids.has(token.lemma) || token.lemma === "number"))
    return false;
  const named = schema.table(column.reference?.to ?? column.table);
  const own = named.name === column.table && named.display.some((shown) => shown.column === column.column);
  return !own && !named.bridge && nameScore(said, named.spoken, emptyTableWords) >= score - 0.05;
}
