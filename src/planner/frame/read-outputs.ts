/** The asked-for phrases as outputs of the frame. */

import type { NounPhrase, Sentence } from "../clauses/clause-types.ts";
import type { ItemOf } from "../linking/linking.ts";
import { flagOf } from "../schema/flags.ts";
import { type ColumnRef, isNumeric, moneyColumns, sameColumn } from "../schema/schema.ts";
import { stem } from "../words/language.ts";
import type { Building } from "./building.ts";
import type { Measure, Output, Scalar } from "./frame.ts";
import {
  columnOutput,
  defaultScalar,
  ownerOf,
  readValues,
  setRanking,
  tableOf,
  toKey,
  toMeasure,
  toScalar,
} from "./meanings.ts";
import { readDescription, readWhen } from "./read-when.ts";

export function readOutputs(sentence: Sentence, build: Building): void {
  if (sentence.distinct) build.frame.distinct = true;
  for (const [index, phrase] of sentence.outputs.entries()) readOutput(phrase, sentence, index, build);
  if (sentence.intent === "when" || sentence.intent === "where") readWhen(sentence, build);
  readDescription(build);
}

export function readOutput(phrase: NounPhrase, sentence: Sentence, index: number, build: Building) {
  const { frame, resolver, schema } = build;
  const head = phrase.head;
  const near = [frame.entity];
  if (phrase.distinct) frame.distinct = true;
  const inner = head.kind === "count" || head.kind === "share" ? head.of : phrase;
  if (inner && inner.values.length > 0) {
    const owner = tableOf(inner, build, near) ?? frame.entity;
    readValues(inner, build, owner);
  }
  if (phrase.of) readFlagged(phrase.of, build);
  if (phrase.of && phrase.of.values.length > 0 && phrase.of.head.kind !== "values")
    readValues(phrase.of, build, tableOf(phrase.of, build, near) ?? frame.entity);
  // "the name of the home station of bike 203"
  for (let inside = phrase.of?.of; inside; inside = inside.of)
    if (inside.values.length > 0 && inside.head.kind !== "values")
      readValues(inside, build, tableOf(inside, build, near) ?? frame.entity);
  if (phrase.of?.head.kind === "values") {
    readValues(phrase.of, build, frame.entity);
    // "the weight of the newest van": ranked among the rows of that value.
    const [held] = phrase.of.values;
    const value = held && phrase.of.superlative ? resolver.value(held, near) : undefined;
    if (value) setRanking(phrase.of, build, undefined, value.table);
  }

  if (head.kind === "unknown" || head.kind === "none") {
    if (head.kind === "unknown") build.missing.push(head.text);
    else if (phrase.superlative || phrase.aggregate) readBareAggregate(phrase, build);
    return;
  }
  if (head.kind === "share") {
    const of = head.of;
    const key = of?.each ? toKey(of, build, near) : undefined;
    if (key) frame.groups.push(key);
    const measure = of && !key ? toMeasure(of, build, near) : undefined;
    const percent = sentence.percent || !/\b(ratio|proportion|fraction)\b/i.test(phrase.words);
    frame.share = { part: [], ...(measure ? { of: measure } : {}), perGroup: false, percent };
    return;
  }
  if (head.kind === "count") {
    const measure = toMeasure(phrase, build, near);
    if (!measure) {
      build.missing.push(head.of?.head.kind === "unknown" ? head.of.head.text : phrase.words);
      return;
    }
    const taken = measure.kind === "aggregate" && measure.fn === phrase.aggregate;
    if (phrase.aggregate && phrase.aggregate !== "SUM" && phrase.aggregate !== "COUNT" && !taken)
      frame.over = { fn: phrase.aggregate, words: phrase.words };
    const inside = head.of;
    if (inside?.superlative) setRanking(inside, build, undefined, measure.kind === "count" ? measure.table : undefined);
    if (phrase.superlative) {
      build.ranking = {
        by: { kind: "measure", measure },
        direction: phrase.superlative.direction,
        count: phrase.top ?? 1,
        words: phrase.words,
      };
    }
    const output: Output = { kind: "measure", measure };
    if (!head.of || head.of.head.kind === "none") build.bareCounts.push(output);
    frame.outputs.push(output);
    return;
  }
  if (head.kind === "bucket") {
    const money =
      phrase.beside === "money" || (phrase.superlative && !phrase.superlative.counting)
        ? resolver.money(near, [])
        : undefined;
    const date = resolver.date(money ? [money.column.table] : [frame.entity], []);
    if (date)
      frame.outputs.push({ kind: "key", key: { kind: "bucket", ref: date, unit: head.unit, words: phrase.words } });
    if (money) build.moneyWords.add(phrase.words);
    if (phrase.superlative && money)
      build.ranking = {
        by: { kind: "measure", measure: { kind: "aggregate", fn: "SUM", of: money, words: phrase.words } },
        direction: phrase.superlative.direction,
        count: phrase.top ?? 1,
        words: phrase.words,
      };
    return;
  }
  if (head.kind === "concept") {
    const measure = toMeasure(phrase, build, near);
    if (phrase.superlative && !measure) return readSuperlativeColumn(phrase, build, near);
    if (measure) {
      if (phrase.superlative) {
        if (sentence.outputs.length === 1)
          frame.outputs.push({
            kind: "measure",
            measure:
              measure.kind === "aggregate" && !phrase.aggregate
                ? { ...measure, fn: phrase.superlative.direction === "DESC" ? "MAX" : "MIN" }
                : measure,
          });
        return;
      }
      frame.outputs.push({ kind: "measure", measure });
      return;
    }
    const scalar = toScalar(phrase, build, near);
    if (scalar) frame.outputs.push(columnOutput(scalar, phrase.words));
    else build.missing.push(phrase.words);
    return;
  }
  if (head.kind === "boss") {
    const key = { kind: "entity" as const, table: frame.entity, words: phrase.words, role: "manager" };
    const counted = sentence.clauses.some((clause) => clause.object?.superlative?.counting);
    if (counted) {
      // "Which manager has the most direct reports?"
      frame.groups.push(key);
      build.ranking = {
        by: { kind: "measure", measure: { kind: "count", table: frame.entity, words: phrase.words } },
        direction:
          sentence.clauses.find((clause) => clause.object?.superlative?.counting)?.object?.superlative?.direction ??
          "DESC",
        count: phrase.top ?? 1,
        words: phrase.words,
      };
      sentence.clauses = sentence.clauses.filter((clause) => !clause.object?.superlative?.counting);
      frame.outputs.push({ kind: "key", key });
      return;
    }
    frame.keepUnreferenced = true;
    frame.outputs.push({ kind: "key", key });
    return;
  }
  if (head.kind === "person" || head.kind === "table") {
    const table = head.kind === "table" ? head.table : frame.entity;
    if (phrase.superlative) {
      setRanking(phrase, build, undefined, table);
    } else if (phrase.top !== undefined) frame.limit = { count: phrase.top, words: phrase.words };
    else if (phrase.cardinal?.operator === "=" && phrase.values.length === 0)
      frame.limit = { count: phrase.cardinal.value, words: phrase.words };
    const summed = /^(the )?sum\b/i.test(phrase.words) ? defaultScalar(table, build) : undefined;
    if (head.kind === "table" && phrase.aggregate === "SUM" && summed) {
      // "the sum of its payments": of what they amount to.
      frame.outputs.push({
        kind: "measure",
        measure: { kind: "aggregate", fn: "SUM", of: summed, words: phrase.words },
      });
      return;
    }
    if (head.kind === "table" && phrase.aggregate === "SUM" && !phrase.superlative) {
      // "total invoices": how many of them.
      frame.outputs.push({ kind: "measure", measure: { kind: "count", table, words: phrase.words } });
      return;
    }
    if (head.kind === "table" && (phrase.aggregate === "AVG" || phrase.aggregate === "MEDIAN")) {
      const scalar = defaultScalar(table, build);
      if (scalar) {
        frame.outputs.push({
          kind: "measure",
          measure: { kind: "aggregate", fn: phrase.aggregate, of: scalar, words: phrase.words },
        });
        return;
      }
    }
    if (phrase.beside === "money") {
      const money = resolver.money([table], [table]);
      if (money && moneyColumns(schema.table(table)).length > 0)
        frame.outputs.push({
          kind: "measure",
          measure: { kind: "aggregate", fn: "SUM", of: money, words: phrase.words },
        });
    }
    frame.outputs.push({ kind: "key", key: { kind: "entity", table, words: phrase.words } });
    return;
  }
  if (head.kind === "values" && phrase.values[0]) {
    readValues(phrase, build, frame.entity);
    const value = resolver.value(phrase.values[0], near);
    if (value && phrase.superlative) setRanking(phrase, build, undefined, value.table);
    if (value) frame.outputs.push({ kind: "key", key: { kind: "entity", table: value.table, words: phrase.words } });
    return;
  }
  if (head.kind === "column") {
    const whole = wholeName(phrase, build);
    if (whole) {
      frame.outputs.push({ kind: "column", ref: whole, words: phrase.words });
      const ranked = [phrase.of, phrase.of?.of].find((known) => known?.superlative);
      if (ranked) setRanking(ranked, build, undefined, whole.table);
      return;
    }
    const owner = ownerOf(phrase.of, build, near) ?? groupOwner(phrase, build);
    const around = owner ? [owner, frame.entity] : near;
    const resolved: ColumnRef = head.boss
      ? { ...resolver.column(head.item, around, [frame.entity]), role: "manager" }
      : resolver.column(head.item, around, [...phrase.owners, ...(owner ? [owner] : [])]);
    const ref = head.boss ? resolved : ownKey(resolved, build);
    const named = owner ?? (frame.groups.length === 0 ? undefined : frame.entity);
    const told = owner && !head.boss ? tellingText(head.item, owner, ref, build) : undefined;
    if (told) {
      frame.outputs.push({ kind: "column", ref: told, words: phrase.words });
      return;
    }
    if (named && !head.boss && isNameless(head.item, named, ref, build)) {
      frame.outputs.push({ kind: "key", key: { kind: "entity", table: named, words: phrase.words } });
      return;
    }
    const said = [...phrase.owners, ...(owner ? [owner] : [])];
    const beside = said.length > 0 ? said : besideKey(phrase, sentence, index, build);
    const key = head.boss ? undefined : keyOf(head.item, [...beside, ...(named ? [named] : [])], beside[0], build);
    if (key) {
      frame.outputs.push({ kind: "column", ref: key, words: phrase.words });
      return;
    }
    if (head.boss) frame.keepUnreferenced = true;
    const bossOwner = phrase.of?.head.kind === "boss";
    if (bossOwner) frame.keepUnreferenced = true;
    const person = owner ?? phrase.owners[0] ?? (schema.table(frame.entity).person ? frame.entity : undefined);
    // "the names of the employees": first and last name.
    if (
      (/^(the |full |all )*names?$/i.test(phrase.words.replace(/\b(of|and)\b.*$/i, "").trim()) ||
        isFullName(phrase, ref, build)) &&
      person &&
      schema.table(person).person &&
      !phrase.aggregate
    ) {
      if (bossOwner)
        frame.outputs.push(
          ...schema.table(person).display.map(
            (column): Output => ({
              kind: "column",
              ref: { table: person, column: column.column, role: "manager" },
              words: phrase.words,
            }),
          ),
        );
      else frame.outputs.push({ kind: "key", key: { kind: "entity", table: person, words: phrase.words } });
      if (phrase.of?.superlative) setRanking(phrase.of, build, undefined, owner);
      return;
    }
    if (bossOwner) {
      frame.outputs.push({ kind: "column", ref: { ...ref, role: "manager" }, words: phrase.words });
      return;
    }
    const info = schema.column(ref);
    if (phrase.of?.superlative) setRanking(phrase.of, build, undefined, owner);
    if (
      phrase.aggregate &&
      phrase.aggregate !== "COUNT" &&
      (isNumeric(info) || phrase.aggregate === "MIN" || phrase.aggregate === "MAX")
    ) {
      const scalar = toScalar(phrase, build, near) as Scalar;
      const measure: Measure = {
        kind: "aggregate",
        fn: phrase.aggregate,
        of: { ...scalar, column: ref },
        words: phrase.words,
      };
      if (phrase.superlative)
        build.ranking = {
          by: { kind: "measure", measure },
          direction: phrase.superlative.direction,
          count: phrase.top ?? 1,
          words: phrase.words,
        };
      frame.outputs.push({ kind: "measure", measure });
      return;
    }
    if (phrase.superlative) return readSuperlativeColumn(phrase, build, around);
    if (phrase.top !== undefined || (phrase.cardinal?.operator === "=" && index === 0))
      frame.limit = { count: phrase.top ?? (phrase.cardinal?.value as number), words: phrase.words };
    const divide = resolver.divide(ref, phrase.unit);
    // "Which customer …? List the first name." still asks for customers, not for first names.
    const which = sentence.intent === "list" && index === 0 && isWhich(build);
    const found = which ? toKey(phrase, build, near) : undefined;
    const groupKey = sentence !== build.main && found?.kind === "column" ? undefined : found;
    const refersTo = groupKey?.kind === "entity" && groupKey.table !== ref.table;
    if (groupKey && (groupKey.kind === "column" || refersTo) && !owner)
      frame.outputs.push({ kind: "key", key: groupKey });
    else frame.outputs.push({ kind: "column", ref, words: phrase.words, ...(divide ? { divide } : {}) });
  }
}

/** "the names of the smokers": rows whose column says yes. */
function readFlagged(phrase: NounPhrase, build: Building): void {
  if (phrase.head.kind !== "column" || !/(er|or|ist|ee)s?$/i.test(phrase.words)) return;
  const ref = build.resolver.column(phrase.head.item, [build.frame.entity], phrase.owners);
  const flag = flagOf(build.schema.column(ref));
  if (flag === undefined) return;
  build.frame.conditions.push({ kind: "compare", ref, operator: "=", values: [flag.yes], words: phrase.words });
}

/** "For each continent, list its id": what is listed belongs to what the rows stand for, where that has such a column. */
function groupOwner(phrase: NounPhrase, build: Building): string | undefined {
  if (phrase.head.kind !== "column" || phrase.owners.length > 0) return undefined;
  const { options } = phrase.head.item;
  const best = Math.max(...options.map((option) => option.score));
  if (options.some((option) => option.owned)) return undefined;
  const named = /^(names?|ids?)$/i.test(phrase.head.item.text);
  return build.frame.groups
    .flatMap((key) => (key.kind === "entity" && !key.role ? [key.table] : []))
    .find((table) => named || options.some((option) => option.table === table && option.score >= best - 0.2));
}

/** "name" of rows whose only text is called otherwise: what shows such a row. */
function isNameless(item: ItemOf<"column">, table: string, ref: ColumnRef, build: Building): boolean {
  if (!/(^|\s)names?$/i.test(item.text) || ref.table === table || item.options.some((option) => option.owned))
    return false;
  const info = build.schema.table(table);
  // "full name" where a column is called exactly that.
  const exact = /\s/.test(item.text) && item.options.some((option) => sameColumn(option, ref) && option.score >= 0.95);
  return (
    !exact &&
    !item.options.some((option) => option.table === table && option.score >= 0.85) &&
    info.display.length === 1 &&
    !info.display[0]?.isKey
  );
}

/** "the names of the payment methods" that have a code and a description: what tells more than the code. */
function tellingText(item: ItemOf<"column">, owner: string, ref: ColumnRef, build: Building): ColumnRef | undefined {
  const info = build.schema.table(owner);
  const own = item.options.some((option) => option.table === owner && option.score >= 0.45);
  if (!/(^|\s)names?$/i.test(item.text) || own || ref.table === owner || !info.display.every((shown) => shown.isKey))
    return undefined;
  const column = info.columns.find((known) => !known.isKey && known.words.includes("description"));
  return column ? { table: owner, column: column.column } : undefined;
}

/** A key that only refers to the rows asked for is read where it belongs: every row has one there. */
function ownKey(ref: ColumnRef, build: Building): ColumnRef {
  const { reference } = build.schema.column(ref);
  const [column] = reference?.toColumns ?? [];
  const rows = [build.frame.entity, ...build.frame.groups.flatMap((key) => (key.kind === "entity" ? [key.table] : []))];
  return reference && column && rows.includes(reference.to) && !rows.includes(ref.table)
    ? { table: reference.to, column }
    : ref;
}

/** "the name of the song" where one column is called song name. */
function wholeName(phrase: NounPhrase, build: Building): ColumnRef | undefined {
  if (phrase.head.kind !== "column" || phrase.of?.head.kind !== "column" || phrase.aggregate) return undefined;
  const last = (item: ItemOf<"column">) => stem(item.text.toLowerCase().split(/\s+/).at(-1) ?? "");
  const [own, of] = [last(phrase.head.item), last(phrase.of.head.item)];
  return phrase.of.head.item.options
    .map((option) => build.schema.column(option))
    .find((column) => column.words.length > 1 && column.stems.includes(own) && column.stems.includes(of) && own !== of);
}

/** "the id and full name", "name and ids": of the rows that the name beside it is a column of. */
function besideKey(phrase: NounPhrase, sentence: Sentence, index: number, build: Building): string[] {
  const known = [sentence.outputs[index + 1], sentence.outputs[index - 1]];
  return known.flatMap((other) => {
    if (other?.head.kind !== "column" || other.aggregate || phrase.aggregate) return [];
    const { table, column } = build.resolver.column(other.head.item, [build.frame.entity], other.owners);
    return build.schema.table(table).display.some((shown) => shown.column === column) ||
      /name$/i.test(other.head.item.text)
      ? [table]
      : [];
  });
}

/** "id" of rows whose key has another name. */
function keyOf(
  item: ItemOf<"column">,
  tables: string[],
  meant: string | undefined,
  build: Building,
): ColumnRef | undefined {
  if (!/^ids?$/i.test(item.text)) return undefined;
  const own = (name: string) => item.options.some((option) => option.table === name && option.score >= 0.85);
  const table = meant ?? tables.find((name) => !own(name));
  const primary = table ? build.schema.table(table).table.primaryKey : [];
  return table && table === tables[0] && primary.length === 1 ? { table, column: primary[0] as string } : undefined;
}

/** "customer names", "the customer name": no first or last one in particular. */
export function isFullName(phrase: NounPhrase, ref: ColumnRef, build: Building): boolean {
  if (phrase.head.kind !== "column" || !/(^|\s)names?$/i.test(phrase.head.item.text)) return false;
  const info = build.schema.table(ref.table);
  const said = phrase.head.item.text.toLowerCase().split(/\s+/).slice(0, -1).map(stem);
  return (
    info.person &&
    info.display.some((column) => column.column === ref.column) &&
    said.every((word) => info.stems.includes(word) || ["the", "full"].includes(word))
  );
}

const isWhich = (build: Building): boolean =>
  build.linked.items.some(
    (item) =>
      item.kind === "cue" &&
      item.cue === "wh" &&
      /which|what/i.test(item.text) &&
      build.linked.items.indexOf(item) <= 2,
  ) &&
  !build.linked.items
    .slice(0, /^(in|for|at|on) (which|what)$/i.test(build.linked.items[0]?.text ?? "") ? 2 : 4)
    .some((item) => item.kind === "cue" && (item.cue === "be" || item.cue === "command"));

/** "What is the highest invoice total?", "the three most common job titles" */
function readSuperlativeColumn(phrase: NounPhrase, build: Building, near: string[]): void {
  const { frame } = build;
  const scalar = toScalar(phrase, build, near);
  const superlative = phrase.superlative;
  if (!scalar || !superlative) {
    build.missing.push(phrase.words);
    return;
  }
  const info = build.schema.column(scalar.column);
  if (superlative.counting && !isNumeric(info)) {
    const key = toKey(phrase, build, near) ?? { kind: "column", ref: scalar.column, words: phrase.words };
    frame.outputs.push({ kind: "key", key });
    build.ranking = {
      by: { kind: "measure", measure: { kind: "count", table: scalar.column.table, words: phrase.words } },
      direction: superlative.direction,
      count: phrase.top ?? 1,
      words: phrase.words,
    };
    return;
  }
  if (phrase.top && phrase.top > 1) {
    frame.outputs.push(columnOutput(scalar, phrase.words));
    build.ranking = {
      by: columnOutput(scalar, phrase.words),
      direction: superlative.direction,
      count: phrase.top,
      words: phrase.words,
    };
    return;
  }
  if (superlative.place) {
    // "the second highest price": of the different prices.
    const shown = columnOutput(scalar, phrase.words);
    frame.outputs.push(shown);
    frame.distinct = true;
    build.ranking = {
      by: shown,
      direction: superlative.direction,
      count: 1,
      place: superlative.place,
      words: phrase.words,
    };
    return;
  }
  const direction =
    superlative.concept === "age" && /birth|born|dob/.test(info.words.join(" "))
      ? superlative.direction === "DESC"
        ? "ASC"
        : "DESC"
      : superlative.direction;
  frame.outputs.push({
    kind: "measure",
    measure: { kind: "aggregate", fn: direction === "DESC" ? "MAX" : "MIN", of: scalar, words: phrase.words },
  });
}

/** "most albums first, and the count": refers to the measure already there. */
function readBareAggregate(phrase: NounPhrase, build: Building): void {
  const { frame } = build;
  if (phrase.aggregate) {
    const scalar = defaultScalar(frame.entity, build);
    if (scalar && phrase.aggregate !== "COUNT")
      frame.outputs.push({
        kind: "measure",
        measure: { kind: "aggregate", fn: phrase.aggregate, of: scalar, words: phrase.words },
      });
  }
}
