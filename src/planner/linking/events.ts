/**
 * What rows of events say of those they belong to: "still out" where an end is missing, "late" where one date passed
 * another, "admitted at least three times" where rows are counted. The words are put as plainer items.
 */
import { isCue } from "../clauses/clause-types.ts";
import { type ColumnInfo, isDate, type Schema, type TableInfo } from "../schema/schema.ts";
import { isDerived } from "../words/word-forms.ts";
import type { Item } from "./linking.ts";
import { isPeople } from "./people.ts";

export function markEvents(items: Item[], schema: Schema): Item[] {
  return markOpen(items, schema) ?? markLate(items, schema) ?? markTimes(items, schema) ?? items;
}

/** How many keys lead from rows of one table to one row of another. */
function keysBetween(schema: Schema, from: string, to: string, most = 3): number | undefined {
  if (from === to) return 0;
  if (most === 0) return undefined;
  const next = schema.relations
    .filter((relation) => relation.from === from && relation.to !== from)
    .map((relation) => keysBetween(schema, relation.to, to, most - 1))
    .filter((length) => length !== undefined);
  return next.length > 0 ? 1 + Math.min(...next) : undefined;
}

/** The nearest of the tables whose rows belong to one row of `to`; none where two are as near. */
function nearestEvent(tables: TableInfo[], to: string, schema: Schema): TableInfo | undefined {
  const near = tables
    .flatMap((table) => {
      const length = keysBetween(schema, table.name, to);
      return length === undefined ? [] : [{ table, length }];
    })
    .sort((a, b) => a.length - b.length);
  return near[0] && near[0].length !== near[1]?.length ? near[0].table : undefined;
}

/** Whoever an event is called to be of: by the key that has the name of what it names. */
function personOf(event: TableInfo, schema: Schema): string | undefined {
  const people = event.columns.filter((column) => column.reference && isPeople(schema.table(column.reference.to)) > 0);
  const named = people.filter((column) => {
    const own = schema.table(column.reference?.to ?? "");
    return column.stems.some((word) => word.length > 2 && own.stems.some((stem) => stem.startsWith(word)));
  });
  const [key, ...more] = named.length > 0 ? named : people;
  return key && more.length === 0 ? key.reference?.to : undefined;
}

const tableItem = (table: string, { start, end }: Item, text = table): Item => ({
  kind: "table",
  table,
  score: 1,
  start,
  end,
  text,
});
const columnItem = (column: ColumnInfo, { start, end }: Item, text = column.column): Item => ({
  kind: "column",
  options: [{ table: column.table, column: column.column, score: 1, owned: true }],
  start,
  end,
  text,
});
const cueItem = (cue: Record<string, unknown>, { start, end }: Item, text: string): Item =>
  ({ kind: "cue", ...cue, start, end, text }) as unknown as Item;

/** Who or what is spoken of, as a table; "people" and "who" are those whom the events belong to. */
function subjectOf(
  items: Item[],
  at: number,
  events: TableInfo[],
  schema: Schema,
): { at: number; table: string } | undefined {
  const table = items.slice(0, at).findLastIndex((item) => item.kind === "table");
  const found = items[table];
  if (found?.kind === "table") return { at: table, table: found.table };
  const who = items
    .slice(0, at)
    .findIndex((item) => /^(who|who is|who are|who has|who have|who was|people|persons|person)$/i.test(item.text));
  const [event, ...more] = events;
  const person = event && more.length === 0 ? personOf(event, schema) : undefined;
  return who >= 0 && person ? { at: who, table: person } : undefined;
}

/** The words before, with the table itself where only "who" stood. */
function lead(items: Item[], subject: { at: number; table: string }): Item[] {
  const item = items[subject.at] as Item;
  if (item.kind === "table") return items.slice(0, subject.at + 1);
  const which = /^who/i.test(item.text) ? [cueItem({ cue: "wh" }, item, "which")] : [];
  return [...items.slice(0, subject.at), ...which, tableItem(subject.table, item, item.text)];
}

const stopAt = (items: Item[], from: number): number => {
  const stop = items.findIndex((item, at) => at >= from && isCue(item, "stop"));
  return stop < 0 ? items.length : stop;
};

// — still under way —

const open =
  /^((still|currently) (out|away|open|on( the)? \w+|in( the| our)? \w+|at( the| our)? \w+|here|there|with us|under way|underway|running|going on|ongoing|outstanding|pending|active)|(out|away|on loan|under way|underway|in progress|ongoing|outstanding))( at( the)? (moment|present)| right now| now| currently)?$/i;

/** The one column that is empty as long as something lasts: a date behind one that is always there, or what it ends with. */
export function openEnd(table: TableInfo): ColumnInfo | undefined {
  const dates = table.columns.filter((column) => isDate(column) && !column.isKey);
  const empty = (column: ColumnInfo) => (column.info.nulls ?? 0) > 0;
  const [end, ...more] = dates.filter(empty);
  if (end && more.length === 0 && dates.some((column) => !empty(column))) return end;
  return table.columns.find((column) => /^(end|arrival|return|finish)$/.test(column.words[0] ?? "") && empty(column));
}

/** "Which books are out at the moment?", "Who is still in hospital?": what has begun and has no end yet. */
function markOpen(items: Item[], schema: Schema): Item[] | undefined {
  const be = items.findIndex((item) => isCue(item, "be", "relative") && /\b(is|are)$/i.test(item.text));
  const stop = stopAt(items, be);
  const said = items.slice(be + 1, stop);
  const text = said.map((item) => item.text.toLowerCase()).join(" ");
  if (be < 0 || !open.test(text)) return undefined;
  if (said.some((item) => ["table", "column", "value", "number", "period"].includes(item.kind))) return undefined;
  const events = schema.tables.filter((table) => openEnd(table) !== undefined);
  const subject = subjectOf(items, be + 1, events, schema);
  const event = subject && nearestEvent(events, subject.table, schema);
  const end = event && openEnd(event);
  const place = said[0];
  if (!subject || !event || !end || !place) return undefined;
  const through =
    event.name === subject.table ? [] : [cueItem({ cue: "have" }, place, "have"), tableItem(event.name, place)];
  return [
    ...lead(items, subject),
    ...through,
    cueItem({ cue: "preposition", word: "with" }, place, "with"),
    columnItem(end, place, text),
    cueItem({ cue: "null" }, { ...place, start: place.end, end: said.at(-1)?.end ?? place.end }, "missing"),
    ...items.slice(stop),
  ];
}

// — late —

const dueWords = /^(due|deadline|promised|required|expected|planned|scheduled|target|estimated)$/;

/** When rows should have been done, and when they were. */
function dueAndDone(table: TableInfo): { due: ColumnInfo; done: ColumnInfo } | undefined {
  const dates = table.columns.filter((column) => isDate(column) && !column.isKey);
  const [due, ...others] = dates.filter((column) => column.words.some((word) => dueWords.test(word)));
  const done = dates.filter(
    (column) =>
      column !== due &&
      ((column.info.nulls ?? 0) > 0 ||
        column.stems.some((word) =>
          /^(return|finish|fin|deliv|deliveri|deliver|ship|complet|actual|end|paid|close|arriv)$/.test(word),
        )),
  );
  return due && others.length === 0 && done.length === 1 && done[0] ? { due, done: done[0] } : undefined;
}

/** "orders that were late", "brought a book back late", "delivered on time": two dates of one row, compared. */
function markLate(items: Item[], schema: Schema): Item[] | undefined {
  const at = items.findIndex((item, index) => /^(late|too late)$/i.test(item.text) || isOnTime(items, index));
  const place = items[at];
  if (!place) return undefined;
  const to = /late/i.test(place.text) ? at + 1 : at + 2;
  // "late fees", "the latest": said of something else.
  const next = items[to];
  if (next && !isCue(next, "stop", "comma", "preposition", "and", "order", "be", "do") && next.kind !== "period")
    return undefined;
  const events = schema.tables.filter((table) => dueAndDone(table) !== undefined);
  const first = items.findIndex(
    (item) => item.kind === "table" || /^(people|persons|who|who is|who has|who have)$/i.test(item.text),
  );
  const subject = first >= 0 && first < at ? subjectOf(items, first + 1, events, schema) : undefined;
  const event = subject && nearestEvent(events, subject.table, schema);
  const dates = event && dueAndDone(event);
  if (!subject || !event || !dates) return undefined;
  // What stands between is the act itself and what the rows of the event name anyway.
  const between = items.slice(subject.at + 1, at);
  const plain = between.every(
    (item) =>
      item.kind === "word" ||
      isCue(item, "be", "have", "filler", "relative", "do", "command", "not") ||
      (item.kind === "table" && keysBetween(schema, event.name, item.table) !== undefined),
  );
  if (!plain || between.some((item) => isCue(item, "not"))) return undefined;
  const through =
    event.name === subject.table ? [] : [cueItem({ cue: "have" }, place, "have"), tableItem(event.name, place)];
  return [
    ...lead(items, subject),
    ...through,
    cueItem({ cue: "relative", word: "whose" }, place, "whose"),
    columnItem(dates.done, place),
    cueItem({ cue: "be" }, place, "is"),
    cueItem({ cue: "compare", operator: /late/i.test(place.text) ? ">" : "<=" }, place, place.text),
    columnItem(dates.due, place),
    ...items.slice(to),
  ];
}

const isOnTime = (items: Item[], at: number): boolean =>
  /^(on|in)$/i.test(items[at]?.text ?? "") && /^time$/i.test(items[at + 1]?.text ?? "");

// — at least three times —

/** "patients who have been admitted at least three times": with at least three admissions. */
function markTimes(items: Item[], schema: Schema): Item[] | undefined {
  const number = items.findIndex(
    (item, at) =>
      item.kind === "number" && (/^times$/i.test(items[at + 1]?.text ?? "") || /^(once|twice)$/i.test(item.text)),
  );
  const place = items[number];
  if (number < 2 || !place) return undefined;
  const after = /^times$/i.test(items[number + 1]?.text ?? "") ? number + 2 : number + 1;
  const from = isCue(items[number - 1], "compare") ? number - 1 : number;
  const verb = items
    .slice(0, from)
    .findLastIndex((item) => item.kind === "word" && ["VERB", "NOUN"].includes(item.token.pos));
  const said = items[verb];
  if (said?.kind !== "word") return undefined;
  const subject = subjectOf(items, verb, [], schema);
  const object = items.slice(verb + 1, from);
  const named = object.flatMap((item) => (item.kind === "table" ? [item.table] : []));
  if (!subject || !object.every((item) => item.kind === "table" || isCue(item, "filler"))) return undefined;
  const keys = said.token.keys;
  const rows = schema.tables.filter(
    (table) =>
      table.name !== subject.table &&
      keysBetween(schema, table.name, subject.table) !== undefined &&
      named.every((other) => keysBetween(schema, table.name, other) !== undefined),
  );
  const spoken = rows.filter((table) =>
    table.stems.some((word) => keys.some((key) => key === word || isDerived(key, word))),
  );
  const event = nearestEvent(spoken.length > 0 ? spoken : named.length > 0 ? rows : [], subject.table, schema);
  if (!event) return undefined;
  const before = items
    .slice(subject.at + 1, verb)
    .filter((item) => isCue(item, "relative") && !/\b(have|has|had|are|is|was|were)$/i.test(item.text));
  return [
    ...items.slice(0, subject.at + 1),
    ...before,
    cueItem({ cue: "have" }, said, "have"),
    ...items.slice(from, number + 1),
    tableItem(
      event.name,
      place,
      `${said.text} ${items
        .slice(from, after)
        .map((item) => item.text)
        .join(" ")}`,
    ),
    ...items.slice(after),
  ];
}
