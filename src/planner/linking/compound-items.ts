/**
 * Items that only together name something: "the name of the series" is a column called series name, "make ids and names"
 * are two columns of makes, "the release date" is the one date there is. Seen with the schema at hand.
 */
import { isCue } from "../clauses/clause-types.ts";
import { nameScore, toSaid } from "../schema/name-score.ts";
import { isDate, isNumeric, isYearColumn, type Schema, type TableInfo } from "../schema/schema.ts";
import { stem, type Token } from "../words/language.ts";
import type { ColumnOption, Item, ItemOf } from "./linking.ts";

const none: ReadonlySet<string> = new Set();

export function joinCompounds(items: Item[], schema: Schema, tokens: Token[]): Item[] {
  const scoped = dropBetween(limitToAll(items)).flatMap(markShared);
  const named = shareModifier(nameOfThing(inNamedTable(scoped, schema), schema, tokens), schema, tokens);
  return askForVerb(dateOfEvent(dropOwnUnit(doneByEach(moveMeasure(named, schema))), schema), schema);
}

const best = (item: ItemOf<"column">): ColumnOption | undefined => item.options[0];
const isColumn = (item: Item | undefined): item is ItemOf<"column"> => item?.kind === "column";

/** "For all of the 4 cylinder cars, which …": limits the rows, none of which is a group. */
function limitToAll(items: Item[]): Item[] {
  const [lead, number] = items;
  const leads = isCue(lead, "each") && /^for (all|each) (of )?(the )?$|^for all( of)?( the)?$/i.test(lead.text);
  if (!lead || !leads || number?.kind !== "number") return items;
  const { start, end } = lead;
  return [{ kind: "cue", cue: "preposition", word: "among", start, end, text: "among" }, ...items.slice(1)];
}

/** "shared by guides and beginners" is said of both. */
const markShared = (item: Item, at: number, items: Item[]): Item[] => {
  const [by, rest] = [items[at + 1], items.slice(at + 2)];
  const { start, text } = item;
  const shared = item.kind === "word" && /^(shared|common)$/i.test(text) && /^(by|to)\b/i.test(by?.text ?? "");
  const both: Item = { kind: "cue", cue: "both", start, end: start, text };
  return shared && rest.some((known) => isCue(known, "and")) ? [both, item] : [item];
};

/** "between commander A and admiral B": two columns with their values, no range. */
const dropBetween = (items: Item[]): Item[] =>
  items.filter((item, at) => !(isCue(item, "between") && isColumn(items[at + 1]) && items[at + 2]?.kind === "value"));

/** "… are listed in the staff table": words that only nearly name another table are columns of that one. */
function inNamedTable(items: Item[], schema: Schema): Item[] {
  const named = items.find((item, at) => item.kind === "table" && /^table$/i.test(items[at + 1]?.text ?? ""));
  if (named?.kind !== "table") return items;
  const info = schema.table(named.table);
  return items.map((item): Item => {
    if (item.kind !== "table" || item.table === named.table || item.score >= 0.9) return item;
    const said = item.text.toLowerCase().split(/\s+/).map(stem);
    const column = info.columns.find((known) => said.every((word) => known.stems.includes(word)));
    const { start, end, text } = item;
    const options = column ? [{ table: info.name, column: column.column, score: 1, owned: true }] : [];
    return column ? { kind: "column", options, start, end, text } : item;
  });
}

/** "the name of the series" where another table's column is called series name, and no table is called just that. */
function nameOfThing(items: Item[], schema: Schema, tokens: Token[]): Item[] {
  const at = items.findIndex(
    (item, index) =>
      isColumn(item) &&
      isCue(items[index + 1], "preposition") &&
      /^of( the| a| all)?$/i.test(items[index + 1]?.text ?? "") &&
      items[index + 2]?.kind === "table",
  );
  const [own, of, thing] = items.slice(at, at + 3);
  if (at < 0 || !isColumn(own) || thing?.kind !== "table" || thing.score >= 0.9) return items;
  if (own.options.some((option) => option.table === thing.table && option.score >= 0.75)) return items;
  const said = toSaid([...tokens.slice(thing.start, thing.end), ...tokens.slice(own.start, own.end)]);
  const options = schema.tables.flatMap((table) =>
    table.columns
      .filter((column) => column.words.length === said.span.length && nameScore(said, column.spoken, none) >= 0.95)
      .map((column) => ({ table: table.name, column: column.column, score: 1, owned: true })),
  );
  if (options.length === 0 || !of) return items;
  const whole: Item = { kind: "column", options, start: own.start, end: thing.end, text: `${thing.text} ${own.text}` };
  return [...items.slice(0, at), whole, ...items.slice(at + 3)];
}

/** "make ids and names": what stands before the first noun belongs to the second too, where one table has both columns. */
function shareModifier(items: Item[], schema: Schema, tokens: Token[]): Item[] {
  return items.map((item, at): Item => {
    const [first, and] = [items[at - 2], items[at - 1]];
    if (!isColumn(item) || !isColumn(first) || !isCue(and, "and") || item.end !== item.start + 1) return item;
    const option = best(first);
    if (!option || first.end - first.start < 2) return item;
    const table = schema.table(option.table);
    const said = toSaid([...tokens.slice(first.start, first.end - 1), ...tokens.slice(item.start, item.end)]);
    const owns = (known: ColumnOption) => known.table === table.name && known.score >= 0.75;
    if (item.options.some(owns)) return item;
    const column = table.columns.find((known) => nameScore(said, known.spoken, none, true) >= 0.9);
    return column
      ? { ...item, options: [{ table: table.name, column: column.column, score: 1, owned: true }, ...item.options] }
      : item;
  });
}

/** "the 4 cylinder cars" are the cars with 4 cylinders. */
function moveMeasure(items: Item[], schema: Schema): Item[] {
  const made = [...items];
  for (let at = 0; at < made.length - 2; at += 1) {
    const [number, measure, thing] = made.slice(at, at + 3);
    if (number?.kind !== "number" || !isColumn(measure) || thing?.kind !== "table") continue;
    const before = made[at - 1];
    if (isCue(before, "superlative", "top", "popular", "compare", "between", "and", "or") || before?.kind === "column")
      continue;
    const options = measure.options.filter(
      (option) => option.table === thing.table && isNumeric(schema.column(option)) && !schema.column(option).isKey,
    );
    if (options.length === 0 || options[0]?.score !== best(measure)?.score) continue;
    const { start } = number;
    const having: Item = { kind: "cue", cue: "preposition", word: "with", start, end: start, text: "with" };
    made.splice(at, 3, thing, having, number, { ...measure, options });
  }
  return made;
}

/** "films directed by each of the listed directors": the participle says what the column says. */
function doneByEach(items: Item[]): Item[] {
  return items.flatMap((item, at): Item[] => {
    const each = items[at + 1];
    const rest = items.slice(at + 2, at + 5).find((known) => !isCue(known, "set", "filler"));
    const done = (known: Item | undefined) =>
      isColumn(known) && /\w(ed|en|wn) (by|in|at|on|from|to)$/i.test(known.text) ? best(known) : undefined;
    const own = done(item);
    if (own && isCue(each, "each") && isColumn(rest) && best(rest)?.column === own.column) return [];
    const before = items.slice(Math.max(0, at - 2), at);
    const led = before.some((known, index) => isCue(known, "each") && done(items[at - before.length + index - 1]));
    return led && isCue(item, "set") ? [] : [item];
  });
}

/** "speed above 24 knots" for a column called speed knots: its unit, not another column. */
function dropOwnUnit(items: Item[]): Item[] {
  return items.filter((item, at) => {
    const [measured, compare, number] = items.slice(Math.max(0, at - 3), at);
    if (!isColumn(item) || !isCue(compare, "compare") || number?.kind !== "number") return true;
    const words = measured?.text.toLowerCase().split(/\s+/) ?? [];
    const column = best(item)?.column.toLowerCase() ?? "";
    if (measured?.kind === "concept") return !words.some((word) => column.includes(word));
    return !(isColumn(measured) && best(measured)?.column === best(item)?.column);
  });
}

const eventNoun = /(tion|sion|release|ing|ment|al|launch|issue|purchase|print)$/i;

/** "the transcript release date", "production time": the one date that such rows have. */
function dateOfEvent(items: Item[], schema: Schema): Item[] {
  const made = [...items];
  for (let at = 0; at < made.length - 1; at += 1) {
    const [event, date] = [made[at], made[at + 1]];
    if (
      event?.kind !== "word" ||
      !["NOUN", "ADJ", "VERB"].includes(event.token.pos) ||
      !eventNoun.test(event.token.lemma)
    )
      continue;
    const timed = date?.kind === "concept" && /^(time|date)$/i.test(date.text);
    const dated = isColumn(date) && /^dates?$/i.test(date.text);
    if (!date || (!timed && !dated)) continue;
    const known = made.flatMap((item) => (item.kind === "table" ? [schema.table(item.table)] : []));
    const tables = made[at - 1]?.kind === "table" ? known.filter((table) => isOf(table, made[at - 1])) : known;
    const options = [...new Set(tables)].flatMap((table) => onlyDate(table, timed));
    if (options.length !== 1) continue;
    const { start } = event;
    made.splice(at, 2, { kind: "column", options, start, end: date.end, text: `${event.text} ${date.text}` });
  }
  return made;
}

const isOf = (table: TableInfo, item: Item | undefined): boolean => item?.kind === "table" && item.table === table.name;

/** A year is a time, but no date. */
function onlyDate(table: TableInfo, years: boolean): ColumnOption[] {
  const dates = table.columns.filter((column) => (isDate(column) || (years && isYearColumn(column))) && !column.isKey);
  const [column] = dates;
  return column && dates.length === 1 ? [{ table: table.name, column: column.column, score: 1, owned: true }] : [];
}

/** "how much does the car accelerate": the verb is the column asked for. */
function askForVerb(items: Item[], schema: Schema): Item[] {
  const [how, does, ...rest] = items;
  if (!isCue(how, "how-much") || !isCue(does, "do")) return items;
  const at = rest.findIndex((item) => !isCue(item, "filler", "each", "all"));
  const [thing, verb] = rest.slice(at, at + 2);
  if (thing?.kind !== "table" || !isColumn(verb)) return items;
  const options = verb.options.filter((option) => option.table === thing.table && !schema.column(option).isKey);
  if (options.length === 0) return items;
  const { start, end } = does;
  const of: Item = { kind: "cue", cue: "preposition", word: "of", start, end, text: "of" };
  const asked: Item = { kind: "cue", cue: "wh", start: how.start, end: how.end, text: "what" };
  return [asked, { ...verb, options }, of, ...rest.slice(0, at + 1), ...rest.slice(at + 2)];
}
