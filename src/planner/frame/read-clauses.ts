/** Clauses to conditions, group conditions, rankings and extra outputs of the frame. */

import type { Clause, NounPhrase, Sentence } from "../clauses/clause-types.ts";
import { flip, isAttribute, mergeNot, negationScope, placeOf, push, refOf, subjectTable } from "./add-condition.ts";
import type { Building } from "./building.ts";
import { type Added, addedSince, combine, isEmpty, isPlain, markFrame } from "./combine-alternatives.ts";
import type { Condition, Measure } from "./frame.ts";
import { readValues, toKey, toMeasure, toScalar, valuesOf } from "./meanings.ts";
import { readAttributeClause } from "./read-attribute-clause.ts";
import { compareScalar, readCompare, readSpokenScalar } from "./read-comparisons.ts";
import { notTheBest, readCountClause, readRankingClause, soldMeasure } from "./read-rankings.ts";
import {
  partPlayed,
  periodColumn,
  readEvent,
  readLike,
  readSame,
  readSelf,
  readSold,
  sharedColumn,
} from "./read-special-clauses.ts";
import { readValueClause } from "./read-value-clauses.ts";

export function readClauses(sentence: Sentence, build: Building): void {
  const done = new Set<Clause>();
  let last: Added = { conditions: [], having: [], required: [] };
  // A period that leads the question is placed once it is known what is measured.
  const leading = sentence.clauses.filter((clause) => clause.period && !clause.subject && !clause.negated);
  for (const clause of [...sentence.clauses.filter((known) => !leading.includes(known)), ...leading]) {
    if (done.has(clause)) continue;
    // Clauses of an object in a negative or existential scope are read with it.
    const inner = clause.object
      ? sentence.clauses.filter(
          (other) =>
            other !== clause &&
            other.subject === clause.object &&
            (other.object?.start ?? other.subject?.end ?? 0) >= (clause.object?.end ?? 0),
        )
      : [];
    const mark = markFrame(build);
    const whole = limitsWhole(clause, sentence) ? build.frame.share : undefined;
    if (whole) delete build.frame.share;
    const merged = clause.or && isPlain(last, build) ? clause : { ...clause, or: false };
    readClause(clause.or && !isEmpty(last) ? merged : clause, inner, sentence, build, done);
    done.add(clause);
    if (whole) build.frame.share = whole;
    const added = addedSince(mark, build);
    if (clause.or && !isEmpty(last) && !isEmpty(added) && !build.frame.share) {
      const kept = build.frame.conditions.includes(last.conditions[0] as Condition) || last.conditions.length === 0;
      if (kept && combine(last, added, build))
        last = { conditions: build.frame.conditions.slice(-1), having: [], required: [] };
      else {
        if (kept && !isPlain(added, build))
          build.notes.push(`"${clause.words}" could not be tied to the other alternative.`);
        last = added;
      }
    } else if (!isEmpty(added)) last = added;
  }
}

/** "the percentage of visits in 2023 that were …": the time is said of all visits, what follows of the part. */
function limitsWhole(clause: Clause, sentence: Sentence): boolean {
  const predicate = sentence.clauses.findIndex((known) =>
    ["be", "have", "verb", "sold", "relative"].includes(known.link.kind),
  );
  const at = sentence.clauses.indexOf(clause);
  return at >= 0 && at < predicate && (clause.link.kind === "preposition" || clause.link.kind === "none");
}

function readClause(clause: Clause, inner: Clause[], sentence: Sentence, build: Building, done: Set<Clause>) {
  const { frame } = build;
  const subject = subjectTable(clause, build);
  if (clause.link.kind === "self") return readSelf(clause, build, subject);
  if (clause.period) {
    const never = clause.negated
      ? frame.conditions.findLast((condition) => condition.kind === "exists" && condition.negated)
      : undefined;
    // "have not bought anything since 2024": the date of what there was none of.
    const target = clause.link.kind === "sold" && never?.kind === "exists" ? never.target : undefined;
    const own = target ? build.resolver.date([target], clause.hints) : undefined;
    const ref = own?.table === target && own ? own : periodColumn(clause, sentence, build, subject);
    if (ref && target && never?.kind === "exists") {
      never.inner.push({ kind: "period", ref, period: clause.period, negated: false, words: clause.words });
      never.words = `${never.words} ${clause.words}`;
      return;
    }
    if (ref)
      push(
        build,
        { kind: "period", ref, period: clause.period, negated: clause.negated, words: clause.words },
        clause.or,
      );
    else build.notes.push(`No date was found for "${clause.words}".`);
    return;
  }
  if (clause.like) return readLike(clause, build, subject, sentence);
  const readOther = (other: Clause) => readClause(other, [], sentence, build, done);
  if (clause.compare) return readCompare(clause, sentence, build, subject, done, readOther);
  const object = clause.object;
  if (!object) {
    if (clause.link.kind === "sold" || clause.hints.includes("sold")) readSold(clause, build, subject, sentence);
    else if (clause.link.kind === "verb") readEvent(clause, build, subject);
    return;
  }
  if (clause.sameAs) {
    const said = sentence.clauses.filter((other) => other.subject === clause.sameAs && !done.has(other));
    for (const other of said) done.add(other);
    return readSame(clause, object, clause.sameAs, build, subject, said, readOther);
  }
  if (clause.isNull !== undefined) {
    const ref = refOf(object, build, subject);
    if (ref)
      push(
        build,
        { kind: "null", ref, isNull: clause.isNull, words: `${object.words} ${clause.isNull ? "missing" : "set"}` },
        clause.or,
      );
    // Whoever asks which rows have something set wants to see it.
    if (ref && !clause.isNull && sentence.intent === "list" && !frame.share)
      frame.outputs.push({ kind: "column", ref, words: object.words });
    return;
  }
  // An attribute that the next clause compares: "have a total above the average".
  const next = sentence.clauses[placeOf(clause, sentence.clauses) + 1];
  if (
    next?.compare &&
    !done.has(next) &&
    isAttribute(object) &&
    !object.cardinal &&
    !object.superlative &&
    !object.none &&
    next.subject !== undefined &&
    (next.compare.value !== undefined || next.compare.against)
  ) {
    const sizeOnly = !next.object;
    if (sizeOnly) {
      const compared = { ...next, negated: clause.negated || next.negated };
      readCompare(compared, sentence, build, subject, done, readOther, object);
      done.add(next);
      return;
    }
  }
  const none = object.none || clause.negated;
  const head = object.head;
  const led = partPlayed(clause, object, build, subject);
  if (led)
    return readTableClause(
      { ...clause, link: { kind: "have", word: "have" } },
      led,
      led.table,
      inner,
      build,
      subject,
      led.none || none,
      done,
    );
  if (head.kind === "values" && clause.negated && joinsNever(clause, object, sentence, build)) return;
  if (head.kind === "values") return readValueClause(clause, object, build, subject);
  if (head.kind === "unknown") {
    if (!clause.link.word || !/^(in|as|for|to|with|at)/.test(clause.link.word)) build.missing.push(head.text);
    else build.unknownValues.push(head.text);
    return;
  }
  const isSaid = clause.link.kind === "be" || /\b(is|are|was|were)$/i.test(clause.link.word);
  if (head.kind === "boss" && isSaid && build.graph.selfRelation(subject)) {
    push(
      build,
      {
        kind: "exists",
        negated: clause.negated,
        from: subject,
        target: subject,
        inner: [],
        self: "children",
        words: clause.negated ? `not ${object.words}` : object.words,
      },
      clause.or,
    );
    return;
  }
  if (head.kind === "boss" && isSaid) {
    build.notes.push(`"${clause.link.word} ${object.words}" could not be tied to a column.`);
    return;
  }
  if (head.kind === "boss") {
    const relation = build.graph.selfRelation(subject);
    const column = relation?.fromColumns[0];
    if (column)
      push(
        build,
        {
          kind: "null",
          ref: { table: subject, column },
          isNull: none,
          words: `${none ? "no" : "has a"} ${object.words}`,
        },
        clause.or,
      );
    return;
  }
  if (
    clause.negated &&
    (head.kind === "column" || head.kind === "concept") &&
    notTheBest(clause, object, build, subject)
  )
    return;
  // "has the minimum horsepower": the row with it, not the figure.
  if (
    (object.aggregate === "MIN" || object.aggregate === "MAX") &&
    !object.superlative &&
    !clause.negated &&
    !object.cardinal &&
    head.kind !== "none" &&
    (clause.link.kind === "have" || /^(with|has|have|had|whose)/.test(clause.link.word))
  ) {
    object.superlative = { direction: object.aggregate === "MAX" ? "DESC" : "ASC" };
    delete object.aggregate;
  }
  if (object.superlative && !clause.negated)
    return readRankingClause(clause, object, build, subject, inner, done, (other) =>
      readClause(other, [], build.main, build, done),
    );
  if (head.kind === "none" && object.aggregate === "AVG" && !object.superlative && build.ranking?.by) {
    // "has the longest track on average"
    const { by } = build.ranking;
    const of =
      by.kind === "column"
        ? { column: by.ref }
        : by.kind === "measure" && by.measure.kind === "aggregate"
          ? by.measure.of
          : undefined;
    if (of) build.ranking.by = { kind: "measure", measure: { kind: "aggregate", fn: "AVG", of, words: object.words } };
    return;
  }
  const inWhole = clause.link.kind === "preposition" && frame.groups.length > 0;
  if (frame.share && !frame.share.of && inWhole && head.kind === "concept" && head.concept === "money") {
    // "the share of each genre in total revenue"
    const of = toMeasure(object, build, [frame.entity]);
    if (of) frame.share.of = of;
    return;
  }
  if (head.kind === "count") return readCountClause(clause, object, build, subject);
  if (head.kind === "bucket") {
    const key = toKey(object, build, [frame.entity]);
    if (key && (object.each || /^(by|in|per|for)/.test(clause.link.word))) frame.groups.push(key);
    return;
  }
  if (head.kind === "column" || head.kind === "concept")
    return readAttributeClause(clause, object, sentence, build, subject, none);
  if (head.kind === "table" || head.kind === "person") {
    const table = head.kind === "table" ? head.table : subject;
    return readTableClause(clause, object, table, inner, build, subject, none, done);
  }
  if (head.kind === "none" && object.cardinal) {
    const before = sentence.clauses[placeOf(clause, sentence.clauses) - 1];
    if (
      before?.object &&
      isAttribute(before.object) &&
      before.subject === clause.subject &&
      before.object.head.kind !== "count"
    ) {
      const scalar = toScalar(before.object, build, [subject]);
      if (scalar)
        return compareScalar(
          scalar,
          before.object,
          clause,
          build,
          clause.negated ? flip[object.cardinal.operator] : object.cardinal.operator,
          object.cardinal.value,
          object.cardinal.upper,
          object.cardinal.unit,
        );
    }
    const alternative = clause.or ? frame.conditions.at(-1) : undefined;
    const spoken = readSpokenScalar(clause, build, subject);
    const scalar = alternative?.kind === "compare" && !alternative.times ? { column: alternative.ref } : spoken;
    if (scalar)
      return compareScalar(
        scalar,
        undefined,
        clause,
        build,
        clause.negated ? flip[object.cardinal.operator] : object.cardinal.operator,
        object.cardinal.value,
        object.cardinal.upper,
        object.cardinal.unit,
      );
    // "have more than 5" with the noun said before: compare the counted thing.
    const measure = frame.outputs.find((output) => output.kind === "measure");
    if (measure?.kind === "measure")
      frame.having.push({
        measure: measure.measure,
        operator: object.cardinal.operator,
        value: object.cardinal.value,
        words: object.words,
      });
  }
}

/** "never bought by anyone from Canada": says which sales there were none of. */
function joinsNever(clause: Clause, object: NounPhrase, sentence: Sentence, build: Building): boolean {
  const before = sentence.clauses[placeOf(clause, sentence.clauses) - 1];
  const never = build.frame.conditions.at(-1);
  if (before?.link.kind !== "sold" || before.object || !before.negated || before.subject !== clause.subject)
    return false;
  if (never?.kind !== "exists" || !never.negated) return false;
  const inner = valuesOf(object, build, never.target);
  never.inner.push(...inner);
  never.words = `${never.words} ${clause.link.word} ${object.words}`;
  return inner.length > 0;
}

function readTableClause(
  clause: Clause,
  object: NounPhrase,
  table: string,
  inner: Clause[],
  build: Building,
  subject: string,
  none: boolean,
  done: Set<Clause>,
): void {
  const { frame, graph } = build;
  const readInner = () => {
    for (const other of inner) {
      if (!done.has(other)) {
        readClause({ ...other, negated: none ? false : other.negated }, [], build.main, build, done);
        done.add(other);
      }
    }
  };
  if (object.each && frame.groups.every((key) => !(key.kind === "entity" && key.table === table))) {
    frame.groups.push({ kind: "entity", table, words: object.words });
    return;
  }
  if (object.aggregate === "AVG" && build.main.intent === "count" && object.values.length === 0) {
    // "How many albums does the average artist have?"
    frame.groups.push({ kind: "entity", table, words: object.words });
    frame.over = { fn: "AVG", words: object.words };
    return;
  }
  const shared = sharedColumn(clause, table, build);
  if (shared) {
    push(build, shared, clause.or);
    frame.distinct = true;
    return;
  }
  if (object.cardinal && !object.cardinal.unit) {
    readValues(object, build, table);
    readInner();
    const measure: Measure =
      clause.link.kind === "sold" && !object.distinct
        ? soldMeasure(table, build, object.words)
        : { kind: "count", table, words: object.words };
    frame.having.push({
      measure,
      operator: clause.negated ? flip[object.cardinal.operator] : object.cardinal.operator,
      value: object.cardinal.value,
      ...(object.cardinal.upper === undefined ? {} : { upper: object.cardinal.upper }),
      words: object.words,
    });
    return;
  }
  if (none && table === subject && inner.some((other) => other.object?.head.kind === "table")) {
    // "except for stadiums having a concert": what is said of them is what must not hold.
    for (const other of inner) {
      if (done.has(other)) continue;
      done.add(other);
      const deeper = build.main.clauses.filter(
        (known) => known !== other && other.object !== undefined && known.subject === other.object,
      );
      readClause({ ...other, negated: true, subject: clause.subject }, deeper, build.main, build, done);
      for (const known of deeper) done.add(known);
    }
    return;
  }
  if (none) {
    const at = frame.conditions.length;
    const required = [...frame.required];
    const share = frame.share;
    const shareAt = share?.part.length ?? 0;
    const havingAt = frame.having.length;
    const all = frame.all;
    readValues(object, build, table);
    readInner();
    // None of several values is no demand for all of them.
    if (all) frame.all = all;
    else delete frame.all;
    const conditions = share
      ? [...frame.conditions.splice(at), ...share.part.splice(shareAt)]
      : frame.conditions.splice(at);
    // "no albums with more than 15 tracks": the count is of each album, inside the negation.
    for (const having of frame.having.splice(havingAt)) {
      if (having.measure.kind !== "count" || typeof having.value !== "number") {
        build.notes.push(`"${having.words}" could not be tied to "${object.words}".`);
        continue;
      }
      const { operator, value, upper, words, measure } = having;
      conditions.push({
        kind: "counted",
        from: table,
        target: measure.table,
        inner: [],
        operator,
        value,
        ...(upper === undefined ? {} : { upper }),
        words,
      });
    }
    const plain = conditions.every((condition) => condition.kind === "compare" && condition.operator === "=");
    // "countries that have no sculptor below 4": of all rows with that value, not of one row.
    const ofValue = clause.subject?.head.kind === "column" && clause.link.kind !== "be";
    if (table === subject && conditions.length > 0 && plain && !ofValue) {
      for (const condition of conditions)
        if (condition.kind === "compare" && condition.operator === "=")
          mergeNot(build, { ...condition, operator: "<>", words: `not ${condition.words}` });
      return;
    }
    frame.required = required;
    const [only, ...more] = conditions;
    if (table === subject && !ofValue && only?.kind === "compare" && more.length === 0 && only.operator in flip) {
      const operator = flip[only.operator as keyof typeof flip];
      push(build, { ...only, operator, words: `not ${only.words}` }, clause.or);
      return;
    }
    const from = negationScope(table, subject, build);
    // "never sold a track": selling happens in another table than the track's own.
    const sale = clause.link.kind === "sold" ? build.resolver.saleTable(table) : undefined;
    const passes = sale && (graph.path(from, table)?.some((step) => step.to === sale) ?? false);
    if (sale && !passes && sale !== table) {
      push(
        build,
        {
          kind: "exists",
          negated: true,
          from,
          target: sale,
          inner: conditions,
          words: `never ${clause.link.word} ${object.words}`,
        },
        clause.or,
      );
      return;
    }
    const own = graph.path(from, table)?.[0]?.relation.from === from;
    if (own && graph.toOne(from, table) && conditions.length === 0) {
      const key = graph.path(from, table)?.[0]?.pairs[0]?.left;
      if (key) {
        push(
          build,
          { kind: "null", ref: { table: from, column: key }, isNull: true, words: `no ${object.words}` },
          clause.or,
        );
        return;
      }
    }
    if (graph.toOne(from, table) && conditions.length > 0 && plain && !ofValue) {
      for (const condition of conditions)
        if (condition.kind === "compare" && condition.operator === "=")
          mergeNot(build, { ...condition, operator: "<>", words: `not ${condition.words}` });
      return;
    }
    push(
      build,
      {
        kind: "exists",
        negated: true,
        from,
        target: table,
        inner: conditions,
        words: `${clause.negated ? "not" : "no"} ${object.words}`,
      },
      clause.or,
    );
    return;
  }
  const measured = frame.outputs.some((output) => output.kind === "measure");
  if (
    /^by/.test(clause.link.word) &&
    clause.link.kind === "preposition" &&
    !clause.link.agent &&
    object.values.length === 0 &&
    (measured || frame.share) &&
    inner.length === 0
  ) {
    frame.groups.push({ kind: "entity", table, words: object.words });
    return;
  }
  const before = frame.conditions.length;
  readValues(object, build, table);
  readInner();
  if (frame.share) frame.share.part.push(...frame.conditions.splice(before));
  if (table !== subject || clause.link.kind === "have" || clause.link.kind === "verb") {
    if (table !== frame.entity && !frame.required.includes(table)) frame.required.push(table);
  }
}
