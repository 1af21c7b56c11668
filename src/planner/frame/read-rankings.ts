/** Superlatives and counts in clauses: "has the most albums", "with the highest total spending", "by number of tracks". */

import type { Clause, NounPhrase } from "../clauses/clause-types.ts";
import { isNumeric, isYearColumn, yearColumns } from "../schema/schema.ts";
import { placeOf, push } from "./add-condition.ts";
import type { Building } from "./building.ts";
import type { Measure, Output, Scalar } from "./frame.ts";
import { defaultScalar, readValues, setRanking, toMeasure, toScalar } from "./meanings.ts";

/** "has the most albums", "with the highest total spending", "spent the most" */
export function readRankingClause(
  clause: Clause,
  object: NounPhrase,
  build: Building,
  subject: string,
  inner: Clause[],
  done: Set<Clause>,
  read: (clause: Clause) => void,
) {
  const { frame } = build;
  const superlative = object.superlative as NonNullable<NounPhrase["superlative"]>;
  const mainTop = build.main.outputs
    .map(
      (phrase) =>
        phrase.top ??
        phrase.of?.top ??
        [phrase.cardinal, phrase.of?.cardinal].find((cardinal) => cardinal?.operator === "=")?.value,
    )
    .find((top) => top !== undefined);
  const count = object.top ?? mainTop ?? 1;
  const rank = (by: Output | undefined) => {
    build.ranking = { by, direction: superlative.direction, count, words: object.words, of: subject };
  };
  const head = object.head;
  if (head.kind === "table") {
    const table = head.table;
    if (object.values.length > 0) readValues(object, build, table);
    const readInner = (late: boolean) => {
      const isLate = (known: Clause) =>
        known.period !== undefined || (known.object?.head.kind === "none" && known.object.aggregate !== undefined);
      for (const other of inner.filter((known) => isLate(known) === late)) {
        read(other);
        done.add(other);
      }
    };
    readInner(false);
    const ranked = rankedByTable(clause, object, build, table);
    if (ranked) rank(ranked);
    else {
      setRanking(object, build, undefined, table);
      if (build.ranking) build.ranking.count = count;
    }
    // A period is placed by the date of what is ranked, and "on average" changes its figure, so that comes first.
    readInner(true);
    return;
  }
  /** All rows that have the highest or the lowest number, however many. */
  const onlyAtEnd = (scalar: Scalar): void => {
    const fn = superlative.direction === "DESC" ? "MAX" : "MIN";
    frame.conditions.push({ kind: "against", scalar, operator: "=", fn, words: object.words });
  };
  const years =
    head.kind === "bucket" && head.unit === "year" ? yearColumns(build.schema.table(subject))[0] : undefined;
  if (years && count === 1 && !superlative.counting) {
    // "launched in the earliest year", where a column holds years
    const { table, column } = years;
    return onlyAtEnd({ column: { table, column } });
  }
  if (head.kind === "column") {
    const measured = toMeasure(object, build, [subject]);
    if (measured) return rank({ kind: "measure", measure: measured });
    const scalar = toScalar(object, build, [subject]);
    if (!scalar) return;
    const info = build.schema.column(scalar.column);
    if (superlative.counting && !isNumeric(info))
      return rank({
        kind: "measure",
        measure: { kind: "count", table: scalar.column.table, distinct: scalar.column, words: object.words },
      });
    // "produced in the earliest year": everything of that year.
    const within = clause.link.kind === "preposition" && /^(in|on|during)\b/.test(clause.link.word);
    if (within && count === 1 && isYearColumn(info) && build.graph.toOne(subject, scalar.column.table))
      return onlyAtEnd(scalar);
    return rank(rankedScalar(scalar, object, build, superlative.counting ? "SUM" : "MAX"));
  }
  if (head.kind === "concept") {
    const measured = toMeasure(object, build, [frame.entity]);
    if (measured) return rank({ kind: "measure", measure: measured });
    const scalar = toScalar(object, build, [subject]);
    if (scalar) return rank(rankedScalar(scalar, object, build, "SUM"));
  }
  // "the least number of results": of whatever hangs on it.
  if (head.kind === "count" && (!head.of || head.of.head.kind === "unknown" || head.of.head.kind === "none"))
    return rank(undefined);
  if (head.kind === "count" || head.kind === "share") {
    const measure = toMeasure(
      head.kind === "share" ? { ...object, head: { kind: "count", ...(head.of ? { of: head.of } : {}) } } : object,
      build,
      [subject],
    );
    // "the highest average number of tracks per album": the average is taken over the groups' counts.
    if (measure && head.kind === "count" && (object.aggregate === "AVG" || object.aggregate === "MEDIAN"))
      frame.over = { fn: object.aggregate, words: object.words };
    if (measure) return rank({ kind: "measure", measure });
  }
  if (head.kind === "none") {
    // "spent the most": the verb before was the measure; "are the most popular"
    const clauses = build.main.clauses;
    const before = clauses[placeOf(clause, clauses) - 1];
    if (before?.object?.head.kind === "concept") {
      const measure = toMeasure(before.object, build, [frame.entity]);
      if (measure) return rank({ kind: "measure", measure });
    }
    // "whose price is the highest"
    if (before?.object && ["column", "concept"].includes(before.object.head.kind) && !superlative.popular) {
      const attribute = { ...before.object, superlative };
      const measured = before.object.aggregate ? toMeasure(before.object, build, [subject]) : undefined;
      if (measured) return rank({ kind: "measure", measure: measured });
      const scalar = toScalar(before.object, build, [subject]);
      if (scalar && isNumeric(build.schema.column(scalar.column)))
        return rank(rankedScalar(scalar, attribute, build, superlative.counting ? "SUM" : "MAX"));
    }
    if (object.aggregate) {
      const scalar = defaultScalar(subject, build);
      if (scalar)
        return rank({
          kind: "measure",
          measure: {
            kind: "aggregate",
            fn: object.aggregate === "COUNT" ? "SUM" : object.aggregate,
            of: scalar,
            words: object.words,
          },
        });
    }
    setRanking(object, build, undefined, subject);
    if (build.ranking) build.ranking.count = count;
  }
}

/** What rows are ranked by when the superlative stands on a table: "the most albums", "the highest total sales". */
function rankedByTable(clause: Clause, object: NounPhrase, build: Building, table: string): Output | undefined {
  const { superlative, words, aggregate } = object;
  if (superlative?.counting && clause.link.kind === "sold")
    return { kind: "measure", measure: soldMeasure(table, build, words) };
  if (superlative?.counting || superlative?.popular)
    return { kind: "measure", measure: { kind: "count", table, words } };
  const of = aggregate ? defaultScalar(table, build) : undefined;
  if (!aggregate || !of) return undefined;
  return { kind: "measure", measure: { kind: "aggregate", fn: aggregate === "COUNT" ? "SUM" : aggregate, of, words } };
}

/** Things sold or bought: pieces on the lines of sales, not the things on offer. */
export function soldMeasure(table: string, build: Building, words: string): Measure {
  const { graph, resolver } = build;
  const quantity = resolver.quantity([table]);
  if (quantity && graph.distance(table, quantity.column.table) < 3)
    return { kind: "aggregate", fn: "SUM", of: quantity, words };
  return { kind: "count", table: resolver.saleTable(table) ?? table, words };
}

/** A column of the ranked row itself orders rows; one of its children must be aggregated first. */
export function rankedScalar(scalar: Scalar, object: NounPhrase, build: Building, fn: "SUM" | "MAX"): Output {
  const { frame, graph } = build;
  const own = graph.toOne(frame.entity, scalar.column.table);
  const key = frame.outputs.some((output) => output.kind === "key" && output.key.kind === "column");
  if (own && !key)
    return scalar.times
      ? { kind: "scalar", of: scalar, words: object.words }
      : { kind: "column", ref: scalar.column, words: object.words };
  return {
    kind: "measure",
    measure: {
      kind: "aggregate",
      fn: object.superlative?.direction === "ASC" && fn === "MAX" ? "MIN" : fn,
      of: scalar,
      words: object.words,
    },
  };
}

export function readCountClause(clause: Clause, object: NounPhrase, build: Building, subject: string): void {
  const { frame } = build;
  const measure = toMeasure(object, build, [subject]);
  if (!measure) return;
  if (/^(by|on|in terms|based)/.test(clause.link.word)) {
    // "the three best-selling genres by number of tracks sold"
    if (build.ranking) {
      build.ranking.by = { kind: "measure", measure };
      return;
    }
    frame.order.push({ by: { kind: "measure", measure }, direction: "DESC", words: object.words });
    return;
  }
  if (/^with|have/.test(clause.link.word) || clause.link.kind === "have" || clause.link.kind === "none")
    frame.outputs.push({ kind: "measure", measure });
}

/** "do not have the lowest price": any other than that. */
export function notTheBest(clause: Clause, object: NounPhrase, build: Building, subject: string): boolean {
  const fn =
    object.aggregate === "MIN" || object.aggregate === "MAX"
      ? object.aggregate
      : object.superlative && !object.superlative.counting
        ? object.superlative.direction === "DESC"
          ? "MAX"
          : "MIN"
        : undefined;
  const scalar = fn ? toScalar(object, build, [subject]) : undefined;
  if (!fn || !scalar || !build.graph.toOne(subject, scalar.column.table)) return false;
  push(build, { kind: "against", scalar, operator: "<>", fn, words: `not ${object.words}` }, clause.or);
  return true;
}
