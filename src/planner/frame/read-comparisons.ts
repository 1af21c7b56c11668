/** Comparisons of an attribute with a number, or with an aggregate over all rows or groups. */

import type { Clause, NounPhrase, Sentence } from "../clauses/clause-types.ts";
import { type ColumnRef, isDate, isNumeric, isYearColumn, sameColumn } from "../schema/schema.ts";
import { type ConceptName, type Direction, type Figure, units } from "../words/lexicon.ts";
import { isDerived } from "../words/word-forms.ts";
import { flip, isAttribute, placeOf, push, readApart, subjectTable } from "./add-condition.ts";
import type { Building } from "./building.ts";
import type { Measure, Scalar } from "./frame.ts";
import { defaultScalar, sizeOf, tableOf, toMeasure, toScalar, valuesOf } from "./meanings.ts";

/** Comparisons of an attribute with a number or with an aggregate. */
export function readCompare(
  clause: Clause,
  sentence: Sentence,
  build: Building,
  subject: string,
  done: Set<Clause>,
  read: (clause: Clause) => void,
  attribute?: NounPhrase,
) {
  const { frame, resolver } = build;
  const compare = clause.compare as NonNullable<Clause["compare"]>;
  const at = placeOf(clause, sentence.clauses);
  const previous = sentence.clauses[at - 1];
  let attr = attribute;
  if (
    !attr &&
    previous?.object &&
    isAttribute(previous.object) &&
    !previous.object.cardinal &&
    !previous.object.superlative &&
    previous.compare === undefined &&
    !done.has(previous)
  )
    attr = previous.object;
  if (!attr && clause.subject && isAttribute(clause.subject) && clause.subject.head.kind !== "count")
    attr = clause.subject;
  // "with 'x' in the title are longer than 5 minutes": a title has no length of that kind.
  if (attr?.head.kind === "column" && (compare.unit || compare.concept)) {
    const named = toScalar(attr, build, [subject]);
    if (named && !isNumeric(build.schema.column(named.column)) && !isDate(build.schema.column(named.column)))
      attr = undefined;
    // "years in which cars of 3000 to 4000 pounds were built": no year weighs anything.
    const unit = compare.unit ? measuredIn(compare.unit) : undefined;
    if (named && unit && isYearColumn(build.schema.column(named.column)) && resolver.concept(unit, [subject]))
      attr = undefined;
  }
  const operator = clause.negated ? flip[compare.operator] : compare.operator;
  let scalar: Scalar | undefined;
  let measure: Measure | undefined;
  if (attr) {
    measure =
      attr.head.kind === "count" || (attr.head.kind === "concept" && attr.head.concept === "money") || attr.aggregate
        ? toMeasure(attr, build, [subject])
        : undefined;
    scalar = toScalar(attr, build, [subject]);
    // "earn more than the average salary": the verb says what the noun says.
    const named = compare.against?.head.kind === "column" ? toScalar(compare.against, build, [subject]) : undefined;
    const verb =
      attr.head.kind === "concept" &&
      attr.head.concept === "money" &&
      /^(earn|make|cost|pa(y|id)|get)/i.test(attr.words);
    if (verb && named?.column.table === subject && isNumeric(build.schema.column(named.column))) {
      measure = undefined;
      scalar = named;
    }
    const own = attr.head.kind === "table" && attr.aggregate ? defaultScalar(attr.head.table, build) : undefined;
    if (own) measure = { kind: "aggregate", fn: attr.aggregate as Figure, of: own, words: attr.words };
    // "whose agent is older than 50": the key stands for the agent.
    const reference = scalar && build.schema.column(scalar.column).reference;
    if (reference && compare.concept && compare.concept !== "money") {
      const ref = resolver.concept(compare.concept, [reference.to]);
      scalar = ref ? { column: ref } : undefined;
      attr = undefined;
    }
  } else if (compare.concept) {
    const ref = compare.concept === "money" ? undefined : resolver.concept(compare.concept, [subject]);
    if (ref) scalar = { column: ref };
  } else if (compare.unit && units[compare.unit]?.kind === "time") {
    const ref = resolver.concept("duration", [subject]);
    if (ref) scalar = { column: ref };
  } else if (compare.unit && measuredIn(compare.unit)) {
    const ref = resolver.concept(measuredIn(compare.unit) as ConceptName, [subject]);
    if (ref) scalar = { column: ref };
  } else if (compare.money || compare.unit === "dollar") {
    const spent = clause.hints.some((hint) => /^(spend|spent|pai|pay|earn)/.test(hint));
    scalar = spent
      ? resolver.money([subject], [subject])
      : (defaultScalar(subject, build) ??
        (() => {
          const ref = resolver.concept("price", [subject]);
          return ref ? { column: ref } : undefined;
        })());
  } else if (compare.against?.head.kind === "column" || compare.against?.head.kind === "concept") {
    scalar = toScalar(compare.against, build, [subject]);
  } else if (readSpokenScalar(clause, build, subject)) {
    scalar = readSpokenScalar(clause, build, subject);
  } else if (compare.value !== undefined && comparedBefore(build)) {
    // "one above 40 and one below 30": the same number again.
    scalar = comparedBefore(build);
  } else if (compare.value !== undefined) {
    const own = frame.outputs.find((output) => output.kind === "measure");
    if (own?.kind === "measure" && frame.groups.length > 0) measure = own.measure;
    else scalar = defaultScalar(subject, build);
  } else if (compare.against)
    scalar =
      (/^(larger|bigger|smaller)/i.test(clause.words) ? sizeOf(subject, build) : undefined) ??
      defaultScalar(subject, build);

  if (compare.against)
    return readAgainst(
      clause,
      compare.against,
      scalar,
      measure,
      operator === "BETWEEN" ? ">" : operator,
      build,
      subject,
      attr,
      sentence.clauses.filter(
        (other) => !done.has(other) && (other.subject === compare.against || saysOf(other, compare.against)),
      ),
      read,
      (other) => done.add(other),
    );
  if (compare.value === undefined) return;
  if (
    measure &&
    scalar &&
    build.graph.toOne(subject, scalar.column.table) &&
    !attr?.aggregate &&
    scalar.column.table === subject
  )
    measure = undefined;
  if (measure && clause.negated && deniesTotal(measure, operator, compare.value, clause, build, subject)) return;
  if (measure) {
    const stored = (value: number) =>
      measure?.kind === "aggregate" && !measure.of.divide
        ? resolver.stored(measure.of.column, value, compare.unit)
        : value;
    frame.having.push({
      measure,
      operator,
      value: stored(compare.value),
      ...(compare.upper === undefined ? {} : { upper: stored(compare.upper) }),
      words: clause.words,
    });
    return;
  }
  if (scalar) compareScalar(scalar, attr, clause, build, operator, compare.value, compare.upper, compare.unit);
  else build.notes.push(`"${clause.words}" could not be tied to a number.`);
}

/** "more than the average salary of doctors", "than the average field with loam soil": what follows at once says of which. */
function saysOf(clause: Clause, against: NounPhrase | undefined): boolean {
  const { object, link } = clause;
  if (!against || !object || clause.negated || clause.period || link.kind !== "preposition" || !against.aggregate)
    return false;
  const near = object.start >= against.end && object.start <= against.end + 2;
  return (
    near &&
    (object.head.kind === "values" ? /^of/.test(link.word) : against.head.kind === "table" && object.values.length > 0)
  );
}

function comparedBefore({ frame, schema }: Building): Scalar | undefined {
  const last = frame.conditions.at(-1);
  if (last?.kind !== "compare" || last.times || !/^[<>]=?$/.test(last.operator)) return undefined;
  return isNumeric(schema.column(last.ref)) ? { column: last.ref } : undefined;
}

/** "have not spent more than 40": those who spent nothing haven't either, so it is said of each row and not of groups. */
function deniesTotal(
  measure: Measure,
  operator: keyof typeof flip,
  value: number,
  clause: Clause,
  build: Building,
  subject: string,
): boolean {
  if (measure.kind !== "aggregate" || measure.fn !== "SUM" || measure.per || measure.where) return false;
  const target = measure.of.column.table;
  if (build.frame.groups.length > 0 || target === subject || build.graph.toOne(subject, target)) return false;
  const figure = { fn: measure.fn, of: measure.of };
  push(
    build,
    { kind: "counted", from: subject, target, inner: [], figure, operator, value, words: `not ${clause.words}` },
    clause.or,
  );
  return true;
}

/** "older than 50" where only birthdays are stored. */
function bornIn(
  operator: keyof typeof flip,
  years: number,
  most: number | undefined,
  today: string | undefined,
): { from?: string; to?: string } | undefined {
  if (years > 130 || !today) return undefined;
  const back = (count: number) => `${Number(today.slice(0, 4)) - count}${today.slice(4)}`;
  if (operator === ">" || operator === ">=") return { to: back(years) };
  if (operator === "<" || operator === "<=") return { from: back(years) };
  return operator === "<>" ? undefined : { from: back((most ?? years) + 1), to: back(years) };
}

/** "over 150 hp": the unit says what is measured. */
function measuredIn(unit: string): ConceptName | undefined {
  const kind = units[unit]?.kind;
  return kind === "time" || kind === "money" ? undefined : kind;
}

/** "teachers aged 32", "cars weighing 3000": the verb, or the noun before the number, names the column. */
export function readSpokenScalar(clause: Clause, build: Building, subject: string): Scalar | undefined {
  const { graph, resolver, schema } = build;
  if (clause.subject?.head.kind === "column") {
    const named = toScalar(clause.subject, build, [subject]);
    if (named && isNumeric(schema.column(named.column)) && !schema.column(named.column).isKey) return named;
  }
  const verbs = clause.hints.filter((hint) => hint.length > 3);
  const tables = schema.tables
    .filter((table) => graph.distance(subject, table.name) <= 3)
    .sort((a, b) => graph.distance(subject, a.name) - graph.distance(subject, b.name));
  for (const table of tables) {
    const column = table.columns.find(
      (known) =>
        isNumeric(known) &&
        !known.isKey &&
        known.words.length <= 2 &&
        verbs.some((verb) => known.stems.includes(verb) || known.words.some((word) => isDerived(verb, word))),
    );
    if (column) return { column: { table: table.name, column: column.column } };
  }
  // "who are 32": of whom nothing else is said than a number.
  if (
    (clause.link.kind === "be" || /\b(are|is|were|was)$/.test(clause.link.word)) &&
    clause.object?.head.kind === "none"
  ) {
    const age = resolver.concept("age", [subject]);
    if (age && age.table === subject) return { column: age };
  }
  return undefined;
}

export function compareScalar(
  scalar: Scalar,
  attr: NounPhrase | undefined,
  clause: Clause,
  build: Building,
  operator: keyof typeof flip,
  value: number,
  upper: number | undefined,
  unit: string | undefined,
): void {
  const { frame, graph, resolver, schema } = build;
  const subject = subjectTable(clause, build);
  const words = attr ? `${attr.words} ${clause.words}`.trim() : clause.words;
  const concept = attr?.head.kind === "concept" ? attr.head.concept : undefined;
  // Money of children is summed per thing; a price of the row itself is compared directly.
  // "albums longer than one hour": what their tracks last together.
  const parts =
    clause.compare?.concept === "duration" &&
    !attr &&
    scalar.column.table !== subject &&
    !graph.toOne(subject, scalar.column.table);
  if (parts) {
    const { divide, ...bare } = scalar;
    frame.having.push({
      measure: { kind: "aggregate", fn: "SUM", of: bare, words },
      operator,
      value: resolver.stored(scalar.column, value, unit),
      ...(upper === undefined ? {} : { upper: resolver.stored(scalar.column, upper, unit) }),
      words,
    });
    return;
  }
  // "months with revenue above 40": what a whole month brings.
  const inTime = frame.outputs.some((output) => output.kind === "key" && output.key.kind === "bucket");
  if (
    (concept === "money" || concept === "quantity") &&
    (inTime || !(graph.toOne(subject, scalar.column.table) && scalar.column.table === subject))
  ) {
    const sum: Measure = { kind: "aggregate", fn: "SUM", of: scalar, words };
    if (clause.negated && deniesTotal(sum, operator, value, clause, build, subject)) return;
    frame.having.push({
      measure: { kind: "aggregate", fn: "SUM", of: scalar, words },
      operator,
      value,
      ...(upper === undefined ? {} : { upper }),
      words,
    });
    return;
  }
  const column = schema.column(scalar.column);
  if (!isNumeric(column) && !isDate(column) && attr?.head.kind === "column") {
    frame.having.push({
      measure: {
        kind: "count",
        table: column.table,
        words,
        ...(graph.toOne(subject, column.table) ? {} : { distinct: scalar.column }),
      },
      operator,
      value,
      ...(upper === undefined ? {} : { upper }),
      words,
    });
    return;
  }
  const age = isDate(column) ? bornIn(operator, value, upper, build.linked.today) : undefined;
  if (age) {
    push(build, { kind: "period", ref: scalar.column, period: { ...age, words }, negated: false, words }, clause.or);
    return;
  }
  if (isDate(column)) {
    const year = Number(value);
    const period =
      operator === ">"
        ? { from: `${year + 1}-01-01` }
        : operator === ">="
          ? { from: `${year}-01-01` }
          : operator === "<"
            ? { to: `${year}-01-01` }
            : operator === "<="
              ? { to: `${year + 1}-01-01` }
              : { from: `${year}-01-01`, to: `${(upper ?? year) + 1}-01-01` };
    push(build, { kind: "period", ref: scalar.column, period: { ...period, words }, negated: false, words }, clause.or);
    return;
  }
  const stored = resolver.stored(scalar.column, value, unit);
  const values = upper === undefined ? [stored] : [stored, resolver.stored(scalar.column, upper, unit)];
  push(
    build,
    { kind: "compare", ref: scalar.column, ...(scalar.times ? { times: scalar.times } : {}), operator, values, words },
    clause.or,
  );
}

function readAgainst(
  clause: Clause,
  against: NounPhrase,
  scalar: Scalar | undefined,
  measure: Measure | undefined,
  operator: ">" | "<" | "=" | "<=" | ">=" | "<>",
  build: Building,
  subject: string,
  attr: NounPhrase | undefined,
  said: Clause[],
  read: (clause: Clause) => void,
  settle: (clause: Clause) => void,
): void {
  const { frame } = build;
  const all = against.all || against.each;
  const fn = all
    ? operator.startsWith(">")
      ? "MAX"
      : "MIN"
    : against.aggregate === "MIN" || against.aggregate === "MAX"
      ? against.aggregate
      : against.superlative
        ? against.superlative.direction === "DESC"
          ? "MAX"
          : "MIN"
        : "AVG";
  const target = toScalar(against, build, [subject]);
  if (against.head.kind === "count" || measure?.kind === "count") {
    const counted = measure ?? toMeasure(against, build, [subject]);
    if (counted) frame.having.push({ measure: counted, operator, value: "average", words: clause.words });
    return;
  }
  if (
    scalar &&
    target &&
    against.head.kind === "column" &&
    !against.aggregate &&
    !against.superlative &&
    target.column.table === scalar.column.table &&
    target.column.column !== scalar.column.column
  ) {
    push(
      build,
      { kind: "columns", left: scalar.column, operator, right: target.column, words: clause.words },
      clause.or,
    );
    return;
  }
  const own = scalar ?? target;
  if (!own) {
    build.notes.push(`"${clause.words}" could not be tied to a number.`);
    return;
  }
  const children = !build.graph.toOne(subject, own.column.table);
  if (children || (measure && measure.kind === "aggregate" && own.column.table !== subject)) {
    frame.having.push({
      measure: measure ?? { kind: "aggregate", fn: "SUM", of: own, words: attr?.words ?? clause.words },
      operator,
      value: "average",
      words: clause.words,
    });
    return;
  }
  const rows = tableOf(against, build, [subject]) ?? subject;
  const inner = against.values.length > 0 ? valuesOf(against, build, rows) : [];
  const ranked = said.find((other) => other.object?.superlative);
  const first = rankedFirst(ranked?.object ?? (against.head.kind === "table" ? against : undefined), own, build, rows);
  for (const other of said.filter((known) => known !== ranked)) {
    inner.push(...readApart(other, build, read));
    settle(other);
  }
  if (ranked) settle(ranked);
  const same = against.head.kind === "column" && target !== undefined && sameColumn(target.column, own.column);
  const chosen = all || against.aggregate !== undefined || against.superlative !== undefined;
  if (same && !chosen && !first && inner.length === 0)
    build.notes.push(`"${clause.words}" could not be tied to one number.`);
  if (ranked && !first) build.notes.push(`"${ranked.words}" could not be tied to a number.`);
  push(
    build,
    {
      kind: "against",
      scalar: own,
      operator,
      fn,
      ...(inner.length > 0 ? { inner } : {}),
      ...(first ? { first } : {}),
      words: first && ranked ? `${clause.words} ${ranked.words}` : clause.words,
    },
    clause.or,
  );
}

/** "the van with the most seats": the row whose own number is compared with. */
function rankedFirst(
  phrase: NounPhrase | undefined,
  own: Scalar,
  build: Building,
  rows: string,
): { by: ColumnRef; direction: Direction } | undefined {
  if (!phrase?.superlative) return undefined;
  const { concept, direction } = phrase.superlative;
  const by =
    phrase.head.kind === "table"
      ? concept && build.resolver.concept(concept, [rows])
      : toScalar(phrase, build, [rows])?.column;
  if (!by || sameColumn(by, own.column)) return undefined;
  const column = build.schema.column(by);
  if (!isNumeric(column) && !isDate(column)) return undefined;
  return build.graph.toOne(own.column.table, by.table) ? { by, direction } : undefined;
}
