/** What a noun phrase means in this database: a table, a key to group by, a number of a row, a measure, conditions. */

import type { NounPhrase } from "../clauses/clause-types.ts";
import { flagOf } from "../schema/flags.ts";
import {
  type ColumnRef,
  conceptColumns,
  dateColumns,
  isDate,
  isNumeric,
  lineMoney,
  moneyColumns,
  yearColumns,
} from "../schema/schema.ts";
import { plural, stem } from "../words/language.ts";
import type { Building } from "./building.ts";
import { type Condition, type Key, keyTable, type Measure, type Output, type Scalar } from "./frame.ts";

/** Table of the rows a phrase speaks about. */
export function tableOf(
  phrase: NounPhrase | undefined,
  build: Pick<Building, "schema" | "graph" | "resolver" | "linked">,
  near: string[] = [],
): string | undefined {
  if (!phrase) return undefined;
  const head = phrase.head;
  if (head.kind === "table") return head.table;
  if (head.kind === "count" || head.kind === "share") return tableOf(head.of, build, near);
  if (phrase.of) {
    const owner = ownerOf(phrase.of, build, near);
    // "the ids of members", whatever their key is called
    if (owner && head.kind === "column" && /^(the )?ids?$/i.test(head.item.text)) return owner;
    if (owner && head.kind === "column" && !head.item.options.some((option) => option.table === owner)) {
      return build.resolver.column(head.item, [owner, ...near], phrase.owners).table;
    }
    if (owner) return owner;
  }
  if (head.kind === "column") return build.resolver.column(head.item, near, phrase.owners).table;
  if (head.kind === "concept" && phrase.owners[0]) return phrase.owners[0];
  if (head.kind === "concept" && head.concept !== "money" && head.concept !== "quantity")
    return build.resolver.concept(head.concept, near)?.table;
  if (head.kind === "concept") return build.resolver.money(near, [])?.column.table;
  if (head.kind === "person") return build.resolver.personTable();
  if (head.kind === "boss") return build.schema.tables.find((table) => build.graph.selfRelation(table.name))?.name;
  if (head.kind === "values" && phrase.values[0]) return build.resolver.value(phrase.values[0], near)?.table;
  return undefined;
}

/** Table of the rows that own what is said of them; a foreign key's name stands for the row it refers to. */
export function ownerOf(
  phrase: NounPhrase | undefined,
  build: Pick<Building, "schema" | "graph" | "resolver" | "linked">,
  near: string[] = [],
): string | undefined {
  if (phrase?.head.kind === "column" && !/\bids?\b/i.test(phrase.words)) {
    const ref = build.resolver.column(phrase.head.item, near, phrase.owners);
    const reference = build.schema.column(ref).reference;
    if (reference && reference.to !== ref.table) return reference.to;
  }
  return tableOf(phrase, build, near);
}

/** The key a phrase groups by: a thing, a column, or a stretch of time. */
export function toKey(phrase: NounPhrase, build: Building, near: string[]): Key | undefined {
  const head = phrase.head;
  if (head.kind === "table") return { kind: "entity", table: head.table, words: phrase.words };
  if (head.kind === "count" && head.of) return toKey(head.of, build, near);
  // "per day", of whatever day the rows have
  const day = head.kind === "concept" && head.concept === "date" && /\bdays?$/i.test(phrase.words);
  if (head.kind === "bucket" || day) {
    const ref = build.resolver.date(near, []);
    const unit = head.kind === "bucket" ? head.unit : "day";
    return ref ? { kind: "bucket", ref, unit, words: phrase.words } : undefined;
  }
  if (head.kind === "column") {
    const owner = ownerOf(phrase.of, build, near);
    const ref = build.resolver.column(
      head.item,
      owner ? [owner] : near,
      [...phrase.owners, ...(owner ? [owner] : [])],
      false,
    );
    const info = build.schema.table(ref.table);
    const shown = info.display.some((column) => column.column === ref.column);
    if (shown && info.display.length === 1) return { kind: "entity", table: ref.table, words: phrase.words };
    // A foreign key's name ("support rep") stands for the row it refers to.
    const reference = build.schema.column(ref).reference;
    if (reference && reference.to !== ref.table && !/\bids?\b/i.test(phrase.words))
      return { kind: "entity", table: reference.to, words: phrase.words };
    return { kind: "column", ref, words: phrase.words };
  }
  if (head.kind === "person") return { kind: "entity", table: build.frame.entity, words: phrase.words };
  if (head.kind === "values" && phrase.values[0]) {
    // "each sales support agent": the value's table, limited to the value.
    const value = build.resolver.value(phrase.values[0], near);
    if (!value) return undefined;
    return { kind: "entity", table: value.table, words: phrase.words };
  }
  return undefined;
}

/** The number a phrase stands for in one row: a column, a concept's column, money of the right grain. */
export function toScalar(phrase: NounPhrase, build: Building, near: string[]): Scalar | undefined {
  const { resolver, frame } = build;
  const owner = ownerOf(phrase.of, build, near);
  const around = [...(owner ? [owner] : []), ...phrase.owners, ...near].filter(
    (table, index, all) => all.indexOf(table) === index,
  );
  const head = phrase.head;
  if (head.kind === "column") {
    const ref = resolver.column(head.item, around, [...phrase.owners, ...(owner ? [owner] : [])]);
    const divide = resolver.divide(ref, phrase.unit ?? phrase.of?.unit);
    return { column: ref, ...(divide ? { divide } : {}) };
  }
  if (head.kind === "concept") {
    if (head.concept === "money") {
      const grain = [
        ...frame.groups.map(keyTable),
        ...(owner ? [owner] : []),
        ...frame.conditions.flatMap((condition) => ("ref" in condition ? [condition.ref.table] : [])),
      ];
      return resolver.money([...phrase.owners, ...near, ...grain], [...new Set([...grain, ...near])]);
    }
    if (head.concept === "quantity") return resolver.quantity(around);
    const ref = conceptOf(phrase, build) ?? resolver.concept(head.concept, around);
    if (!ref) return undefined;
    const divide = resolver.divide(ref, phrase.unit ?? phrase.of?.unit);
    return { column: ref, ...(divide ? { divide } : {}) };
  }
  return undefined;
}

/** "the cost of round-trip fares": of the columns that hold costs, the one that the words behind it name. */
function conceptOf({ head, of }: NounPhrase, { schema }: Building): ColumnRef | undefined {
  if (head.kind !== "concept" || of?.head.kind !== "column") return undefined;
  const fits = of.head.item.options.filter(({ table, column }) =>
    conceptColumns(schema.table(table), head.concept).some((known) => known.column === column),
  );
  const [best, ...more] = fits;
  return best && more.length === 0 ? { table: best.table, column: best.column } : undefined;
}

export function toMeasure(phrase: NounPhrase, build: Building, near: string[]): Measure | undefined {
  const head = phrase.head;
  const words = phrase.words;
  if (head.kind === "count") {
    const of = head.of;
    if (of?.beside === "quantity") {
      const quantity = build.resolver.quantity([tableOf(of, build, near) ?? build.frame.entity]);
      if (quantity) return { kind: "aggregate", fn: "SUM", of: quantity, words };
    }
    if (!of || of.head.kind === "none") return { kind: "count", table: build.frame.entity, words };
    if (of.head.kind === "column") {
      const owner = ownerOf(of.of, build, near);
      const ref = build.resolver.column(of.head.item, owner ? [owner] : near, [
        ...of.owners,
        ...(owner ? [owner] : []),
      ]);
      // "number of injuries", kept as a number: added up, not counted; "the average number of days" is one of days.
      const folds = phrase.aggregate !== undefined && !["COUNT", "SUM"].includes(phrase.aggregate);
      const counts = folds && isNumeric(build.schema.column(ref)) && !build.schema.column(ref).isKey;
      if (!of.distinct && (counts || isAmount(ref, build))) {
        const fn = phrase.aggregate && phrase.aggregate !== "COUNT" ? phrase.aggregate : "SUM";
        return { kind: "aggregate", fn, of: { column: ref }, words };
      }
      const info = build.schema.table(ref.table);
      const unique = info.table.primaryKey.length === 1 && info.table.primaryKey[0] === ref.column;
      if (unique || (info.display.length === 1 && info.display[0]?.column === ref.column && !of.distinct))
        return { kind: "count", table: ref.table, words };
      return { kind: "count", table: ref.table, distinct: ref, words };
    }
    if (of.head.kind === "unknown" && /^(people|inhabitants|residents)$/i.test(of.head.text)) {
      const inhabitants = populationOf(build);
      if (inhabitants) return { kind: "aggregate", fn: "SUM", of: { column: inhabitants }, words };
    }
    const table = tableOf(of, build, near);
    const named = table && of.distinct ? nearlyNamed(of, table, build) : undefined;
    if (table && named) return { kind: "count", table, distinct: named, words };
    const [key, ...others] = table ? build.schema.table(table).table.primaryKey : [];
    // "how many different donors gave to each campaign": whoever gave twice is one.
    const once = of.distinct && build.main.groups.length > 0 && others.length === 0;
    if (once && table && key) return { kind: "count", table, distinct: { table, column: key }, words };
    return table ? { kind: "count", table, words } : undefined;
  }
  const scalar = toScalar(phrase, build, near);
  if (!scalar) return undefined;
  if (head.kind === "concept" && head.concept === "money") build.moneyWords.add(words);
  const summed = head.kind === "concept" && (head.concept === "money" || head.concept === "quantity");
  const fn = phrase.aggregate === "COUNT" ? undefined : phrase.aggregate;
  if (
    (fn === "AVG" || fn === "SUM" || fn === "MEDIAN") &&
    !scalar.since &&
    isDate(build.schema.column(scalar.column))
  ) {
    // Dates have no sum: "the average age" of people whose birthday is stored.
    build.missing.push(words);
    return undefined;
  }
  if (fn) return { kind: "aggregate", fn, of: scalar, words };
  if (summed) return { kind: "aggregate", fn: "SUM", of: scalar, words };
  return undefined;
}

/** "how many different degrees" of degree programs: rows differ anyway, so the names that share the word are meant. */
function nearlyNamed({ start, end }: NounPhrase, table: string, build: Building): ColumnRef | undefined {
  const item = build.linked.items.find((known) => known.kind === "table" && known.start >= start && known.end <= end);
  const info = build.schema.table(table);
  const [shown, ...more] = info.display;
  if (item?.kind !== "table" || item.score >= 0.85 || !shown || shown.isKey || more.length > 0) return undefined;
  const said = item.text.toLowerCase().split(/\s+/).map(stem);
  const repeats = (shown.info.distinct ?? info.table.rows) < info.table.rows;
  return repeats && said.every((word) => shown.stems.includes(word)) ? { table, column: shown.column } : undefined;
}

/** The year or date in which a thing began. */
function bornColumn(table: string, { schema }: Building): ColumnRef | undefined {
  const info = schema.table(table);
  const column = [...yearColumns(info), ...dateColumns(info)][0];
  return column ? { table, column: column.column } : undefined;
}

/** "the highest mountain": by the one column that says how high. */
function heightOf(words: string, table: string, { schema }: Building): Scalar | undefined {
  if (!/\b(highest|tallest|lowest)\b/i.test(words)) return undefined;
  const [column, ...more] = schema
    .table(table)
    .columns.filter(
      (known) => isNumeric(known) && known.words.some((word) => /^(height|altitude|elevation)$/.test(word)),
    );
  return column && more.length === 0 ? { column: { table, column: column.column } } : undefined;
}

/** What "the largest" speaks of: the one number that says how large a thing is. */
export function sizeOf(table: string, { schema }: Building): Scalar | undefined {
  const sizes = /^(capacity|size|area|population|surface|seats?|tonnage|volume|enrollment|enrolment|inhabitants)$/;
  const [column, ...more] = schema
    .table(table)
    .columns.filter((known) => isNumeric(known) && !known.isKey && known.words.some((word) => sizes.test(word)));
  return column && more.length === 0 ? { column: { table, column: column.column } } : undefined;
}

/** A column that says how many of something a row has; years, grades and codes only look like it. */
export function isAmount(ref: ColumnRef, { schema }: Pick<Building, "schema">): boolean {
  const column = schema.column(ref);
  const label =
    /^(years?|months?|days?|grades?|ratings?|ranks?|ages?|codes?|numbers?|scores?|versions?|levels?|dates?|times?|seasons?|semesters?|id|size|zip|phone)$/;
  // "citation_num", "number_of_reviews" say how many, "house_number" which one.
  const counts =
    /(^(num|number|count|no)_?of|^num|num$|^number_|_count$)/i.test(column.info.name) &&
    !schema.tables.some((table) => table.name !== ref.table && column.stems.includes(table.stems.at(-1) ?? ""));
  return (
    isNumeric(column) &&
    !column.isKey &&
    !isDate(column) &&
    flagOf(column) === undefined &&
    (/^number of\b/.test(column.words.join(" ")) ||
      !column.words.some((word) => label.test(word) && !(counts && /^numbers?$/.test(word)))) &&
    !schema.table(ref.table).display.some((shown) => shown.column === ref.column)
  );
}

/** Where people are counted as a column of the places that the question names. */
export function populationOf({
  schema,
  graph,
  linked,
}: Pick<Building, "schema" | "graph" | "linked">): { table: string; column: string } | undefined {
  const places = linked.items.flatMap((item) =>
    item.kind === "value" ? item.options.map((option) => option.table) : item.kind === "table" ? [item.table] : [],
  );
  const found = schema.tables
    .flatMap((table) => table.columns)
    .filter((column) => isNumeric(column) && !column.isKey && column.words.includes("population"))
    .map((column) => ({
      column,
      distance: Math.min(99, ...places.map((place) => graph.distance(column.table, place))),
    }))
    .sort((a, b) => a.distance - b.distance)[0];
  return found && found.distance < 99 ? { table: found.column.table, column: found.column.column } : undefined;
}

export const columnOutput = (scalar: Scalar, words: string): Output =>
  scalar.times
    ? { kind: "scalar", of: scalar, words }
    : { kind: "column", ref: scalar.column, words, ...(scalar.divide ? { divide: scalar.divide } : {}) };

/** The number one naturally compares rows of a table by: its money, its duration. */
export function defaultScalar(table: string, build: Building): Scalar | undefined {
  const info = build.schema.table(table);
  const money = moneyColumns(info)[0];
  if (money) return { column: { table, column: money.column } };
  const line = lineMoney(info);
  if (line) return { column: { table, column: line.price.column }, times: { table, column: line.quantity.column } };
  const duration = build.resolver.concept("duration", [table]);
  return duration?.table === table ? { column: duration } : undefined;
}

/** Values inside a phrase are conditions on its table. */
export function readValues(phrase: NounPhrase, build: Building, table: string, link = ""): void {
  const { frame, resolver } = build;
  const both = build.linked.items.some((item) => item.kind === "cue" && item.cue === "both" && item.start < phrase.end);
  const clause = { link: { kind: "preposition" as const, word: link }, hints: [] as string[] };
  if (phrase.values.length > 1 && phrase.valueJoin) {
    const first = resolver.value(phrase.values[0] as never, [table], clause);
    if (first) {
      const found = phrase.values
        .map(
          (item) =>
            item.options.find((option) => option.table === first.table && option.column === first.column)?.value,
        )
        .filter((value) => value !== undefined);
      if (found.length === phrase.values.length) {
        const ref = { table: first.table, column: first.column };
        frame.conditions.push({ kind: "compare", ref, operator: "IN", values: found, words: phrase.words });
        // "plays by Ann and Bob": of several partners each must be there.
        const partners = phrase.head.kind === "values" && link !== "" && !/^(in|from|on|at)\b/.test(link);
        if ((both || partners) && phrase.valueJoin === "and" && !build.graph.toOne(frame.entity, first.table))
          frame.all = { ref, values: found, words: phrase.words };
        return;
      }
    }
  }
  for (const item of phrase.values) {
    const value = resolver.value(item, [table, frame.entity], clause);
    if (!value) {
      build.unknownValues.push(item.text);
      continue;
    }
    if (
      frame.conditions.some(
        (known) =>
          known.kind === "compare" &&
          known.ref.table === value.table &&
          known.ref.column === value.column &&
          known.values.includes(value.value),
      )
    )
      continue;
    frame.conditions.push({
      kind: "compare",
      ref: { table: value.table, column: value.column },
      operator: "=",
      values: [value.value],
      words: item.text,
    });
    if (value.and)
      frame.conditions.push({
        kind: "compare",
        ref: { table: value.table, column: value.and.column },
        operator: "=",
        values: [value.and.value],
        words: item.text,
      });
  }
}

/** Values of a phrase as conditions that stand apart from those of the question: "the average Jazz track". */
export function valuesOf(phrase: NounPhrase, build: Building, table: string): Condition[] {
  const { frame } = build;
  const outer = frame.conditions;
  frame.conditions = [];
  readValues(phrase, build, table);
  const inner = frame.conditions;
  frame.conditions = outer;
  return inner;
}

/** Turns a superlative on a table phrase into a ranking: by its concept, by money, by how often it occurs. */
export function setRanking(
  phrase: NounPhrase,
  build: Building,
  by: Output | undefined,
  table: string | undefined,
): void {
  const superlative = phrase.superlative;
  if (!superlative) return;
  const of = table ?? build.frame.entity;
  let direction = superlative.direction;
  let ranked = by;
  if (!ranked) {
    if (superlative.popular) ranked = undefined;
    else if (superlative.concept === "quantity" || superlative.concept === "money") {
      if (superlative.concept === "money") build.moneyWords.add(phrase.words);
      const scalar =
        superlative.concept === "quantity" ? build.resolver.quantity([of]) : build.resolver.money([of], [of]);
      if (scalar)
        ranked = { kind: "measure", measure: { kind: "aggregate", fn: "SUM", of: scalar, words: phrase.words } };
    } else if (superlative.concept === "date") {
      // "the most recently hired": the verb names the date.
      const verbs = build.linked.tokens.flatMap((token) => (token.pos === "VERB" ? token.keys : []));
      const spoken = build.resolver.date([of], verbs);
      const ref =
        (spoken?.table === of ? spoken : undefined) ??
        dateColumns(build.schema.table(of))[0] ??
        build.schema.table(of).columns.find((column) => column.words.includes("year")) ??
        build.schema.table(of).columns.find((column) => !column.isKey && column.words.some((word) => word === "date"));
      const age = ref ? undefined : build.schema.table(of).columns.find((column) => column.words.includes("age"));
      if (age) {
        // The newest one is the one of the lowest age.
        ranked = { kind: "column", ref: { table: of, column: age.column }, words: phrase.words };
        direction = direction === "DESC" ? "ASC" : "DESC";
      } else if (!ref) build.missing.push(`a date for ${plural(of.toLowerCase())}`);
      else ranked = { kind: "column", ref: { table: ref.table, column: ref.column }, words: phrase.words };
    } else if (superlative.concept) {
      // "the most expensive invoice" is the one with the highest amount of its own.
      const own = superlative.concept === "price" ? moneyColumns(build.schema.table(of))[0] : undefined;
      const found = build.resolver.concept(superlative.concept, [of]);
      const ref = own && found?.table !== of ? { table: own.table, column: own.column } : found;
      if (ref) {
        // "the longest album": what its tracks last together.
        const parts = ref.table !== of && !build.graph.toOne(of, ref.table);
        ranked = parts
          ? { kind: "measure", measure: { kind: "aggregate", fn: "SUM", of: { column: ref }, words: phrase.words } }
          : { kind: "column", ref, words: phrase.words };
        const info = build.schema.column(ref);
        if (superlative.concept === "age" && !info.words.includes("age"))
          direction = direction === "DESC" ? "ASC" : "DESC";
      } else if (superlative.concept === "age" && bornColumn(of, build)) {
        // A thing is the older, the earlier it came to be.
        ranked = { kind: "column", ref: bornColumn(of, build) as ColumnRef, words: phrase.words };
        direction = direction === "DESC" ? "ASC" : "DESC";
      } else build.missing.push(phrase.words);
    } else {
      const size = superlative.counting ? undefined : (heightOf(phrase.words, of, build) ?? sizeOf(of, build));
      const scalar = size ?? defaultScalar(of, build);
      if (scalar) ranked = columnOutput(scalar, phrase.words);
      else if (!superlative.counting && phrase.head.kind === "none")
        build.notes.push(`"${phrase.words}" could not be tied to a number.`);
    }
  }
  build.ranking = { by: ranked, direction, count: phrase.top ?? 1, words: phrase.words, of };
}

export const sameKey = (a: Key, b: Key): boolean =>
  JSON.stringify({ ...a, words: "" }) === JSON.stringify({ ...b, words: "" });
