/** Clauses about an attribute: "by country", "with a total over 10", "have no fax", "with their email". */

import type { Clause, NounPhrase, Sentence } from "../clauses/clause-types.ts";
import { roleFor, roleOfKey } from "../relations/key-roles.ts";
import { flagOf } from "../schema/flags.ts";
import { type ColumnRef, isDate, isNumeric } from "../schema/schema.ts";
import { negationScope, push, refOf } from "./add-condition.ts";
import type { Building } from "./building.ts";
import type { Condition } from "./frame.ts";
import { isAmount, toKey, toMeasure, toScalar } from "./meanings.ts";
import { compareScalar } from "./read-comparisons.ts";
import { isFullName } from "./read-outputs.ts";
import { rankedScalar } from "./read-rankings.ts";

export function readAttributeClause(
  clause: Clause,
  object: NounPhrase,
  sentence: Sentence,
  build: Building,
  subject: string,
  none: boolean,
) {
  const { frame, schema, graph } = build;
  const head = object.head;
  if (
    /^by/.test(clause.link.word) &&
    clause.link.kind === "preposition" &&
    object.values.length === 0 &&
    !object.cardinal
  ) {
    const measure = toMeasure(object, build, [subject]);
    if (build.ranking && (measure || head.kind === "concept")) {
      const scalar = toScalar(object, build, [subject]);
      if (measure) build.ranking.by = { kind: "measure", measure };
      else if (scalar) build.ranking.by = rankedScalar(scalar, object, build, "SUM");
      return;
    }
    const measured = frame.outputs.some((output) => output.kind === "measure");
    const key = toKey(object, build, [frame.entity]);
    const limited = sentence.clauses.some((other) => other !== clause && other.subject === object);
    if (measured && key && !limited) {
      frame.groups.push(key);
      return;
    }
    if (measured && limited) return;
    const scalar = toScalar(object, build, [subject]);
    if (scalar && !measured) {
      const numeric = isNumeric(schema.column(scalar.column));
      // "the top 3 films by tickets sold": what all their screenings sold.
      if (build.ranking)
        build.ranking.by = isAmount(scalar.column, build)
          ? rankedScalar(scalar, object, build, "SUM")
          : { kind: "column", ref: scalar.column, words: object.words };
      else
        frame.order.push({
          by: { kind: "column", ref: scalar.column, words: object.words },
          direction: numeric ? "ASC" : "ASC",
          words: object.words,
        });
    }
    return;
  }
  if (object.cardinal) {
    const scalar = toScalar(object, build, [subject]);
    // "with more than 10 total votes": of all partners together
    const figure = scalar && object.aggregate && !graph.toOne(subject, scalar.column.table);
    const measure = figure ? toMeasure(object, build, [subject]) : undefined;
    if (measure) {
      const { operator, value, upper } = object.cardinal;
      const limits = { operator, value, ...(upper === undefined ? {} : { upper }) };
      frame.having.push({ measure, ...limits, words: object.words });
      return;
    }
    if (scalar)
      return compareScalar(
        scalar,
        object,
        clause,
        build,
        object.cardinal.operator,
        object.cardinal.value,
        object.cardinal.upper,
        object.cardinal.unit,
      );
    return;
  }
  if (object.values.length > 0) {
    if (head.kind === "column") {
      const ref = refOf(object, build, subject);
      for (const item of object.values) {
        const own = ref
          ? item.options.find((option) => option.table === ref.table && option.column === ref.column)
          : undefined;
        const led = ref && schema.column(ref).reference?.to;
        const value = own ?? build.resolver.value(item, [subject, frame.entity], clause, led);
        if (!value) {
          build.unknownValues.push(item.text);
          continue;
        }
        const scope = negationScope(value.table, subject, build);
        const role = none
          ? undefined
          : ((ref && roleOfKey(schema, ref, value.table)) ??
            roleFor(schema, value.table, [subject, frame.entity, ...frame.required], clause));
        const condition: Condition = {
          kind: "compare",
          ref: { table: value.table, column: value.column, ...(role ? { role } : {}) },
          operator: none && graph.toOne(scope, value.table) ? "<>" : "=",
          values: [value.value],
          words: `${object.words}`,
        };
        if (none && !graph.toOne(scope, value.table))
          push(
            build,
            {
              kind: "exists",
              negated: true,
              from: scope,
              target: value.table,
              inner: [condition],
              words: `not ${item.text}`,
            },
            false,
          );
        else push(build, condition, clause.or);
        if (value.and && !none)
          push(
            build,
            { ...condition, ref: { table: value.table, column: value.and.column }, values: [value.and.value] },
            false,
          );
      }
    }
    return;
  }
  const ref = refOf(object, build, subject);
  if (!ref) return;
  const some = saysSome(clause, object, ref, build, none);
  if (some) {
    push(build, some, clause.or);
    return;
  }
  if (
    none &&
    flagOf(schema.column(ref)) === undefined &&
    (clause.link.kind === "have" ||
      object.none ||
      clause.link.kind === "preposition" ||
      clause.link.kind === "verb" ||
      clause.link.kind === "none")
  ) {
    const scope = negationScope(ref.table, subject, build);
    if (ref.table === scope || graph.toOne(scope, ref.table))
      push(build, { kind: "null", ref, isNull: true, words: `no ${object.words}` }, clause.or);
    else
      push(
        build,
        { kind: "exists", negated: true, from: scope, target: ref.table, inner: [], words: `no ${object.words}` },
        clause.or,
      );
    return;
  }
  const flag = flagOf(schema.column(ref));
  if (flag !== undefined && !object.aggregate && !/^by/.test(clause.link.word)) {
    // "that has high definition": a column that only says yes or no
    push(
      build,
      {
        kind: "compare",
        ref,
        operator: "=",
        values: [none ? flag.no : flag.yes],
        words: `${none ? "no " : ""}${object.words}`,
      },
      clause.or,
    );
    return;
  }
  if (
    clause.link.kind === "have" &&
    clause.link.word !== "whose" &&
    !/^(with)/.test(clause.link.word) &&
    object.aggregate === undefined &&
    schema.column(ref).info.nullable &&
    ref.table === subject &&
    sentence.intent !== "none"
  ) {
    push(build, { kind: "null", ref, isNull: false, words: `has ${object.words}` }, clause.or);
    return;
  }
  // "with a departure date before May": said to limit it, not to be shown.
  const amount = isDate(schema.column(ref)) || isNumeric(schema.column(ref));
  if (amount && sentence.clauses.some((other) => other !== clause && other.subject === object)) return;
  const shorthand = sentence.intent === "none" && build.ranking !== undefined;
  if (/^with/.test(clause.link.word) && (sentence.intent === "list" || shorthand) && !clause.negated) {
    if (isFullName(object, ref, build))
      frame.outputs.push({ kind: "key", key: { kind: "entity", table: ref.table, words: object.words } });
    else frame.outputs.push({ kind: "column", ref, words: object.words });
  }
}

/** "flights with stops", "without injuries", where a column says how many: some is more than none. */
function saysSome(
  clause: Clause,
  object: NounPhrase,
  ref: ColumnRef,
  build: Building,
  none: boolean,
): Condition | undefined {
  const { frame, graph, schema } = build;
  const column = schema.column(ref);
  const many = none ? /^((no|any|some|an?|the) )?\w+$/i : /^(any |some )?\w+s$/i;
  const plain = !object.aggregate && !object.superlative && !object.of && many.test(object.words);
  const held = clause.link.kind === "have" || /^(with|without)$/.test(clause.link.word) || none;
  const counts = frame.share !== undefined || frame.outputs.every((output) => output.kind === "measure") || none;
  if (!plain || !held || !counts || !isAmount(ref, build) || (column.info.nulls ?? 0) > 0) return undefined;
  if (!graph.toOne(frame.entity, ref.table)) return undefined;
  return {
    kind: "compare",
    ref,
    operator: none ? "=" : ">",
    values: [0],
    words: none && !object.none ? `no ${object.words}` : object.words,
  };
}
