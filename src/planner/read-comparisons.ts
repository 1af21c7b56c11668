/** Comparisons of an attribute with a number, or with an aggregate over all rows or groups. */
import { flip, isAttribute, push, subjectTable } from "./add-condition.ts";
import type { Building } from "./building.ts";
import type { Clause, NounPhrase, Sentence } from "./clause-types.ts";
import type { Measure, Scalar } from "./frame.ts";
import { units } from "./lexicon.ts";
import { defaultScalar, tableOf, toMeasure, toScalar, valuesOf } from "./meanings.ts";
import { isDate, isNumeric } from "./schema.ts";
import { isDerived } from "./word-forms.ts";

/** Comparisons of an attribute with a number or with an aggregate. */
export function readCompare(
  clause: Clause,
  sentence: Sentence,
  build: Building,
  subject: string,
  done: Set<Clause>,
  attribute?: NounPhrase,
) {
  const { frame, resolver } = build;
  const compare = clause.compare as NonNullable<Clause["compare"]>;
  const at = sentence.clauses.indexOf(clause);
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
  } else if (compare.concept) {
    const ref = compare.concept === "money" ? undefined : resolver.concept(compare.concept, [subject]);
    if (ref) scalar = { column: ref };
  } else if (compare.unit && units[compare.unit]?.kind === "time") {
    const ref = resolver.concept("duration", [subject]);
    if (ref) scalar = { column: ref };
  } else if (compare.unit && units[compare.unit]?.kind === "size") {
    const ref = resolver.concept("size", [subject]);
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
  } else if (compare.value !== undefined) {
    const own = frame.outputs.find((output) => output.kind === "measure");
    if (own?.kind === "measure" && frame.groups.length > 0) measure = own.measure;
    else scalar = defaultScalar(subject, build);
  } else if (compare.against) scalar = defaultScalar(subject, build);

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
  if (
    (concept === "money" || concept === "quantity") &&
    !(graph.toOne(subject, scalar.column.table) && scalar.column.table === subject)
  ) {
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
): void {
  const { frame } = build;
  const fn =
    against.aggregate === "MIN" || against.aggregate === "MAX"
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
  const inner =
    against.values.length > 0 ? valuesOf(against, build, tableOf(against, build, [subject]) ?? subject) : [];
  push(
    build,
    { kind: "against", scalar: own, operator, fn, ...(inner.length > 0 ? { inner } : {}), words: clause.words },
    clause.or,
  );
}
