/** From clause tree to frame: what is asked, per what, under which conditions. */

import { allPhrases, type NounPhrase, type Sentence } from "../clauses/clause-types.ts";
import { isPeople } from "../linking/people.ts";
import { dateColumns, isDate, isNumeric, sameColumn } from "../schema/schema.ts";
import { emptyNouns } from "../words/lexicon.ts";
import { type Building, emptyFrame } from "./building.ts";
import {
  dropUnknownGroups,
  finishGroups,
  finishOutputs,
  placeRanking,
  settleBareCounts,
  settleMoney,
} from "./finish-frame.ts";
import { type Condition, type Key, keyTable, type Measure, type Output, sameMeasure } from "./frame.ts";
import { columnOutput, populationOf, tableOf, toKey, toMeasure, toScalar } from "./meanings.ts";
import { readClauses } from "./read-clauses.ts";
import { readMoreThan } from "./read-more-than.ts";
import { readOutput, readOutputs } from "./read-outputs.ts";
import { settleGroupColumns, settlePatterns } from "./settle-columns.ts";
import { settleSets } from "./settle-sets.ts";

export function buildFrame(
  sentences: Sentence[],
  parts: Pick<Building, "schema" | "graph" | "resolver" | "linked">,
): Building | undefined {
  const main = sentences[0];
  if (!main) return undefined;
  shareOwners(sentences);
  attachHowLong(main);
  groupByClauses(main);
  namePeople(main, parts);
  const entity = findEntity(main, parts);
  if (!entity) {
    const unknown = main.outputs.map((phrase) => phrase.head).find((head) => head.kind === "unknown");
    const build: Building = {
      ...parts,
      frame: emptyFrame(parts.schema.tables[0]?.name ?? ""),
      main,
      missing: [unknown?.kind === "unknown" ? unknown.text : "what is asked for"],
      notes: [],
      unknownValues: [],
      bareCounts: [],
      bareAmounts: [],
      moneyWords: new Set(),
    };
    return build;
  }
  const build: Building = {
    ...parts,
    frame: emptyFrame(entity),
    main,
    missing: [],
    notes: [],
    unknownValues: [],
    bareCounts: [],
    bareAmounts: [],
    moneyWords: new Set(),
  };
  for (const text of sentences.flatMap((sentence) => sentence.unread))
    build.notes.push(`"${text}" could not be tied to the data.`);
  readGroups(main, build);
  countShorthand(main);
  readOutputs(main, build);
  build.bareAmounts = bareAmounts(main, build);
  readClauses(main, build);
  for (const sentence of sentences.slice(1)) readFollowUp(sentence, build);
  readMoreThan(build);
  settleShare(build);
  settleSets(build);
  settleBareCounts(build);
  placeRanking(build);
  finishGroups(build);
  for (const sentence of sentences) readOrders(sentence, build);
  if (sentences.some((sentence) => sentence.includeNone)) build.frame.keepEmpty = true;
  finishOutputs(build);
  settleMoney(build);
  settleGroupColumns(build);
  settlePatterns(build);
  dropUnknownGroups(build);
  return build;
}

/** The date that "when" asked for. */
const whenColumn = (outputs: Output[]): Output | undefined =>
  outputs.flatMap((output): Output[] =>
    output.kind === "measure" && output.measure.kind === "aggregate"
      ? [{ kind: "column", ref: output.measure.of.column, words: output.measure.words }]
      : [],
  )[0];

/** "the proportion of Italian restaurants": without another condition the values say what the part is. */
function settleShare({ frame, main }: Building): void {
  const { share } = frame;
  const phrase = main.outputs.find((known) => known.head.kind === "share");
  const of = phrase?.head.kind === "share" ? phrase.head.of : undefined;
  if (!share || share.part.length > 0 || frame.groups.length > 0 || !of || of.values.length === 0) return;
  const said = of.values.map((value) => value.text);
  const isPart = (condition: Condition) => said.some((text) => condition.words.includes(text));
  share.part.push(...frame.conditions.filter(isPart));
  frame.conditions = frame.conditions.filter((condition) => !isPart(condition));
}

/** Amounts asked for without a noun of their own: they repeat what the rows are ranked by. */
function bareAmounts(main: Sentence, build: Building): Output[] {
  const words = main.outputs
    .slice(1)
    .filter((phrase) => phrase.head.kind === "concept" && !phrase.of && /^how\b/i.test(phrase.words))
    .map((phrase) => phrase.words);
  return build.frame.outputs.filter((output) =>
    words.includes(output.kind === "measure" ? output.measure.words : "words" in output ? output.words : ""),
  );
}

/** "the names and unit prices of the tracks": what follows "of" owns both. */
function shareOwners(sentences: Sentence[]): void {
  for (const sentence of sentences) {
    for (let at = sentence.outputs.length - 2; at >= 0; at -= 1) {
      const [phrase, next] = [sentence.outputs[at], sentence.outputs[at + 1]];
      if (
        phrase?.head.kind === "column" &&
        !phrase.of &&
        phrase.owners.length === 0 &&
        (next?.head.kind === "column" || next?.head.kind === "concept") &&
        next.of &&
        // "for each desk its name and the average salary of its journalists": a figure has rows of its own.
        !(next.aggregate && sentence.groups.length > 0 && at === sentence.outputs.length - 2) &&
        // "each one's name and their supervisor's name": two owners, or it would be asked for twice.
        !(next.head.kind === "column" && next.head.item.text === phrase.head.item.text)
      )
        phrase.of = next.of;
    }
  }
}

/** "How long is the longest track": the attribute belongs to what the verb speaks of. */
function attachHowLong(main: Sentence): void {
  const first = main.outputs[0];
  const be = main.clauses[0];
  if (
    first?.head.kind !== "concept" ||
    first.of ||
    first.aggregate ||
    be?.object?.head.kind !== "table" ||
    (be.link.kind !== "be" && be.link.word !== "by")
  )
    return;
  first.of = be.object;
  const ranked = be.object.superlative;
  // "how long is the longest track" asks for that figure; "how much is the latest bill" for another one of that row.
  const own = ranked && (ranked.concept === undefined || ranked.concept === first.head.concept);
  if (own && !first.superlative) first.superlative = ranked;
  if (own) delete be.object.superlative;
  if (be.object.unit) first.unit ??= be.object.unit;
  for (const clause of main.clauses) if (clause.subject === first) clause.subject = be.object;
  main.clauses = main.clauses.filter((clause) => clause !== be);
}

/** "Trips per month", "orders per customer" without a verb: how many there are. */
function countShorthand(main: Sentence): void {
  const [first, ...more] = main.outputs;
  const per = main.groups.some((group) => /^(per|by|each)\b/i.test(group.words) || group.each);
  const plain =
    first?.head.kind === "table" && !first.aggregate && !first.superlative && !first.cardinal && !first.each;
  if (main.intent !== "none" || !first || !plain || more.length > 0 || !per || first.beside) return;
  main.outputs = [{ ...first, head: { kind: "count", of: { ...first } } }];
  for (const clause of main.clauses) if (clause.subject === first) clause.subject = main.outputs[0] as NounPhrase;
}

/** "how many people …": those that the database keeps, unless it only counts inhabitants. */
function namePeople(main: Sentence, parts: Pick<Building, "schema" | "graph" | "resolver" | "linked">): void {
  for (const output of main.outputs) {
    const phrase = output.head.kind === "count" && output.head.of ? output.head.of : output;
    if (phrase.head.kind !== "unknown" || !/^(people|persons?|individuals?|humans?)$/i.test(phrase.head.text)) continue;
    if (populationOf(parts)) continue;
    const table = parts.resolver.personTable();
    if (table) phrase.head = { kind: "table", table };
  }
}

/** "total sales by media type": known as a group before the measure is chosen. */
function groupByClauses(main: Sentence): void {
  const measured = main.outputs.some(
    (phrase) =>
      phrase.aggregate ||
      phrase.head.kind === "count" ||
      phrase.head.kind === "share" ||
      (phrase.head.kind === "concept" && (phrase.head.concept === "money" || phrase.head.concept === "quantity")),
  );
  if (!measured || main.outputs.some((phrase) => phrase.superlative)) return;
  for (const clause of main.clauses) {
    const object = clause.object;
    if (
      clause.link.kind !== "preposition" ||
      clause.link.agent ||
      /\w{3}(ed|en|wn)$/i.test(clause.subject?.words ?? "") ||
      !/^by/.test(clause.link.word) ||
      !object ||
      object.values.length > 0 ||
      object.cardinal ||
      !["table", "column", "bucket"].includes(object.head.kind)
    )
      continue;
    const said = main.clauses.filter((other) => other.subject === object && other !== clause && !other.period);
    // "by genre for customers in France": what follows "for" limits the whole.
    if (said.some((other) => !/^for/.test(other.link.word))) continue;
    for (const other of said) if (clause.subject) other.subject = clause.subject;
    main.groups.push({ ...object, each: true });
    main.clauses = main.clauses.filter((other) => other !== clause);
  }
}

function findEntity(
  main: Sentence,
  parts: Pick<Building, "schema" | "graph" | "resolver" | "linked">,
): string | undefined {
  const first = main.outputs[0];
  if (first?.head.kind === "person") {
    // "Who is the customer with …", "Who does each employee report to", "Who are the employees who …"
    const be = main.clauses.find(
      (clause) =>
        clause.link.kind === "be" && clause.object && clause.subject === first && tableOf(clause.object, parts),
    );
    if (be?.object) {
      main.outputs[0] = be.object;
      main.clauses = main.clauses.filter((clause) => clause !== be);
      for (const clause of main.clauses) if (clause.subject === first) clause.subject = be.object;
      return tableOf(be.object, parts);
    }
    const self = main.clauses.some((clause) => clause.link.kind === "self");
    const grouped = main.groups.map((group) => tableOf(group, parts)).find(Boolean);
    if (self && grouped) return grouped;
    // "Who was hired first?": whoever has a date for that.
    const hints = main.clauses.flatMap((clause) => clause.hints).filter((hint) => hint.length > 3);
    const dated = parts.schema.tables.find(
      (table) =>
        isPeople(table) > 0 &&
        table.columns.some((column) => isDate(column) && column.stems.some((word) => hints.includes(word))),
    );
    if (dated) {
      const person: NounPhrase = { ...first, head: { kind: "table", table: dated.name } };
      main.outputs[0] = person;
      for (const clause of main.clauses) if (clause.subject === first) clause.subject = person;
      return dated.name;
    }
    return parts.resolver.personTable(hints);
  }
  const mentioned = allPhrases(main).flatMap((phrase) =>
    phrase.head.kind === "table" ? [phrase.head.table] : phrase.owners,
  );
  for (const phrase of main.outputs) {
    if (phrase.head.kind === "bucket" || phrase.head.kind === "unknown" || phrase.head.kind === "none") continue;
    const groupTables =
      phrase.head.kind === "column" && !phrase.of
        ? main.groups.flatMap((group) => (group.head.kind === "table" ? [group.head.table] : []))
        : [];
    const near = [...groupTables, ...mentioned.filter((table) => !groupTables.includes(table))].slice(
      0,
      groupTables.length > 0 ? 1 : 2,
    );
    const found = tableOf(phrase, parts, near);
    if (found) return found;
  }
  const grouped = main.groups.map((group) => tableOf(group, parts, mentioned)).find(Boolean);
  if (main.outputs.some((phrase) => phrase.head.kind === "bucket")) {
    return mentioned[0] ?? parts.resolver.money([], [])?.column.table ?? parts.resolver.date([], [])?.table;
  }
  if (main.outputs.some((phrase) => phrase.head.kind === "unknown")) return undefined;
  return grouped ?? mentioned[0] ?? main.clauses.map((clause) => tableOf(clause.object, parts)).find(Boolean);
}

function valueConditions(phrase: NounPhrase, build: Building, near: string[]): void {
  for (const item of phrase.values) {
    const value = build.resolver.value(item, near);
    if (value)
      build.frame.conditions.push({
        kind: "compare",
        ref: { table: value.table, column: value.column },
        operator: "=",
        values: [value.value],
        words: item.text,
      });
    else build.unknownValues.push(item.text);
  }
}

function readGroups(main: Sentence, build: Building): void {
  for (const phrase of main.groups) {
    const person =
      phrase.head.kind === "unknown" && /^(person|people|individual)s?$/i.test(phrase.head.text)
        ? build.resolver.personTable()
        : undefined;
    // "for all Fords": limits the rows, none of which is a group.
    if (phrase.head.kind === "values" && /^(for|of|in|on|at|across) all\b/i.test(phrase.words)) {
      valueConditions(phrase, build, [build.frame.entity]);
      continue;
    }
    const key: Key | undefined = person
      ? { kind: "entity", table: person, words: phrase.words }
      : toKey(phrase, build, [build.frame.entity]);
    if (!key) {
      if (phrase.head.kind === "unknown" && !emptyNouns.has(phrase.head.text.toLowerCase()))
        build.missing.push(phrase.head.text);
      // "each sales rep" where nothing says who that is: an amount is no group.
      if (phrase.head.kind === "concept" && ["money", "quantity", "price"].includes(phrase.head.concept))
        build.missing.push(phrase.words.replace(/^(?:for |in |of )?(?:each|every|per) /i, ""));
      continue;
    }
    if (phrase.values.length > 0) valueConditions(phrase, build, [keyTable(key)]);
    if (
      !build.frame.groups.some(
        (known) => JSON.stringify({ ...known, words: "" }) === JSON.stringify({ ...key, words: "" }),
      )
    )
      build.frame.groups.push(key);
  }
}

function readOrders(sentence: Sentence, build: Building): void {
  const { frame } = build;
  for (const order of sentence.orders) {
    let by: Output | undefined;
    let direction = order.direction;
    if (order.by) {
      const measure =
        order.by.head.kind === "count" || order.by.superlative?.counting || order.by.aggregate
          ? toOrderMeasure(order.by, build)
          : undefined;
      if (measure) by = { kind: "measure", measure };
      else if (order.by.head.kind === "table")
        by = { kind: "key", key: { kind: "entity", table: order.by.head.table, words: order.words } };
      else if (order.by.head.kind === "bucket") {
        by = frame.outputs.find((output) => output.kind === "key" && output.key.kind === "bucket");
      } else {
        const scalar = toScalar(order.by, build, [frame.entity]);
        const sum =
          order.by.head.kind === "concept" && order.by.head.concept === "money"
            ? frame.outputs.find((output) => output.kind === "measure")
            : undefined;
        if (sum) by = sum;
        else if (scalar) {
          const own = frame.outputs.find(
            (output) =>
              output.kind === "measure" &&
              output.measure.kind === "aggregate" &&
              sameColumn(output.measure.of.column, scalar.column),
          );
          by = own ?? columnOutput(scalar, order.words);
        }
      }
    } else if (order.alphabetical) {
      by = frame.outputs.find((output) => output.kind === "key" || output.kind === "column");
    } else if (/newest|latest|oldest|earliest|recent|chronolog/i.test(order.words) && datedOutput(build)) {
      by = datedOutput(build);
    } else {
      by =
        frame.outputs.find((output) => output.kind === "measure") ??
        frame.order[0]?.by ??
        frame.outputs.find(
          (output) =>
            output.kind === "column" &&
            (isNumeric(build.schema.column(output.ref)) ||
              build.schema.column(output.ref).info.dateFormat !== undefined),
        ) ??
        frame.outputs.at(-1);
    }
    // "in ascending order of popularity", where nothing is called that
    const unknown = order.by?.head.kind === "unknown" ? order.by.head.text.toLowerCase() : undefined;
    if (!by && unknown?.startsWith("alpha")) by = frame.outputs.find((output) => output.kind !== "measure");
    else if (!by && unknown !== undefined && !emptyNouns.has(unknown)) build.missing.push(unknown);
    if (!by) continue;
    if (by.kind === "measure" && frame.groups.length === 0) {
      // ordering rows by a count of their children groups them
      finishGroups(build);
    }
    direction ??= "ASC";
    if (frame.limit && frame.order.length > 0) frame.order.push({ by, direction, words: order.words });
    else
      frame.order = [
        ...frame.order.filter((known) => JSON.stringify(known.by) !== JSON.stringify(by)),
        { by, direction, words: order.words },
      ];
  }
  if (frame.order.some((order) => order.by.kind === "measure") && frame.groups.length === 0) finishGroups(build);
}

/** "newest first": by the date shown, or by that of the rows listed. */
function datedOutput(build: Building): Output | undefined {
  const { frame, schema } = build;
  const shown = frame.outputs.find(
    (output) =>
      (output.kind === "column" && isDate(schema.column(output.ref))) ||
      (output.kind === "key" && output.key.kind === "bucket"),
  );
  if (shown || frame.groups.length > 0) return shown;
  const verbs = build.linked.tokens.flatMap((token) => (token.pos === "VERB" ? token.keys : []));
  const said = build.resolver.date([frame.entity], verbs);
  const column = said?.table === frame.entity ? said : dateColumns(schema.table(frame.entity))[0];
  return column
    ? { kind: "column", ref: { table: column.table, column: column.column }, words: column.column }
    : undefined;
}

function toOrderMeasure(phrase: NounPhrase, build: Building): Measure | undefined {
  const { frame } = build;
  const existing = frame.outputs.flatMap((output) => (output.kind === "measure" ? [output.measure] : []));
  if (phrase.head.kind === "table") {
    const table = phrase.head.table;
    return (
      existing.find((measure) => measure.kind === "count" && measure.table === table) ?? {
        kind: "count",
        table,
        words: phrase.words,
      }
    );
  }
  const measure = toMeasure(phrase, build, [frame.entity]);
  if (!measure) return existing[0];
  return existing.find((known) => sameMeasure(known, measure)) ?? measure;
}

/** "Give first name, last name and total spent." replaces what is shown; "Also show …" adds to it. */
function readFollowUp(sentence: Sentence, build: Building) {
  const { frame } = build;
  const before = frame.outputs;
  const measures = before.filter((output) => output.kind === "measure");
  const rankedMeasure = build.ranking?.by?.kind === "measure" ? build.ranking.by : undefined;
  if (sentence.outputs.length > 0) {
    const onlyCount =
      sentence.outputs.length === 1 && sentence.outputs[0]?.head.kind === "count" && !sentence.outputs[0].head.of;
    // "Only show countries with at least 20 cities.": says which, not what.
    const [first] = sentence.outputs;
    const known = (output: Output) =>
      output.kind === "key" && first?.head.kind === "table" && keyTable(output.key) === first.head.table;
    const limits =
      sentence.outputs.length === 1 && sentence.clauses.length > 0 && before.some(known) && before.length > 1;
    const additive = limits || sentence.additive || /^(also|include|add)/i.test(sentence.outputs[0]?.words ?? "");
    // "And how many?": beside what was asked for.
    if (onlyCount && rankedMeasure && /^how many$/i.test(first?.words ?? "")) {
      frame.outputs = [...before, rankedMeasure];
      return readClauses(sentence, build);
    }
    if (onlyCount) {
      frame.outputs = [{ kind: "measure", measure: { kind: "count", table: frame.entity, words: "how many" } }];
      return readClauses(sentence, build);
    }
    frame.outputs = additive ? before : [];
    if (build.rankedWhen) build.ranking = { ...build.rankedWhen, by: build.rankedWhen.by ?? whenColumn(before) };
    for (const [index, phrase] of sentence.outputs.entries()) {
      const bareCount = phrase.head.kind === "count" && (!phrase.head.of || phrase.head.of.head.kind === "unknown");
      const amount =
        (phrase.head.kind === "concept" && (phrase.head.concept === "money" || phrase.head.concept === "quantity")) ||
        (phrase.head.kind === "none" && phrase.aggregate) ||
        /^(the )?(total|amount|sum)$/i.test(phrase.words);
      const known =
        rankedMeasure ??
        (measures[0] as Output | undefined) ??
        frame.having.map((having): Output => ({ kind: "measure", measure: having.measure }))[0];
      if (
        phrase.head.kind === "table" &&
        additive &&
        before.some(
          (output) =>
            output.kind === "key" &&
            output.key.kind === "entity" &&
            output.key.table === (phrase.head as { table: string }).table,
        )
      )
        continue;
      if (bareCount)
        frame.outputs.push(
          known ?? { kind: "measure", measure: { kind: "count", table: frame.entity, words: "the count" } },
        );
      else if (amount && known?.kind === "measure" && known.measure.kind === "aggregate") frame.outputs.push(known);
      else readOutput(phrase, sentence, index, build);
    }
    if (frame.outputs.length === 0) frame.outputs = before;
    // "the average cost for each doctor? Show the doctor's name.": names the groups, the figure stays.
    const plain = !frame.outputs.some((output) => output.kind === "measure");
    const named = sentence.outputs.every((phrase) => phrase.head.kind === "column" || phrase.head.kind === "table");
    if (plain && named && build.main.groups.length > 0 && !build.ranking && frame.having.length === 0)
      frame.outputs.push(...measures);
  }
  readClauses(sentence, build);
}
