/** Clauses with a meaning of their own: periods, patterns, sales that happened or never did, self references. */

import type { Clause, NounPhrase, Sentence } from "../clauses/clause-types.ts";
import { isSpoken } from "../relations/key-roles.ts";
import { flagOf } from "../schema/flags.ts";
import { type ColumnRef, dateColumns, isDate, quantityColumn, yearColumns } from "../schema/schema.ts";
import { isDerived } from "../words/word-forms.ts";
import { placeOf, push, readApart, refOf } from "./add-condition.ts";
import type { Building } from "./building.ts";
import { type Condition, measureTable, type Output } from "./frame.ts";
import { tableOf, valuesOf } from "./meanings.ts";

export function periodColumn(
  clause: Clause,
  sentence: Sentence,
  build: Building,
  subject: string,
): ColumnRef | undefined {
  const { frame, resolver, schema } = build;
  // "hired before 2003": the verb names the date; otherwise the date of what is measured.
  const near = clause.object ? tableOf(clause.object, build, [subject]) : undefined;
  const previous = sentence.clauses[placeOf(clause, sentence.clauses) - 1];
  if (previous?.object?.head.kind === "column" && previous.subject === clause.subject) {
    const ref = refOf(previous.object, build, subject);
    if (ref && isDate(schema.column(ref))) return ref;
  }
  if (clause.subject?.head.kind === "column") {
    const ref = refOf(clause.subject, build, subject);
    if (ref && isDate(schema.column(ref))) return ref;
  }
  const measured = frame.outputs.flatMap((output) => (output.kind === "measure" ? [measureTable(output.measure)] : []));
  const ranked = [
    ...(build.ranking?.by?.kind === "measure" ? [measureTable(build.ranking.by.measure)] : []),
    ...frame.having.flatMap((having) => (having.measure.kind === "aggregate" ? [measureTable(having.measure)] : [])),
  ];
  const spoken = clause.hints.some(
    (hint) =>
      hint.length > 3 &&
      schema
        .table(subject)
        .columns.some(
          (column) => isDate(column) && column.stems.some((word) => word.startsWith(hint) || hint.startsWith(word)),
        ),
  );
  const sums = spoken
    ? []
    : [...ranked, ...measured].flatMap((table) => datedTables(table, build)).filter((table) => table !== subject);
  const sale = clause.hints.includes("sold") ? resolver.saleTable(subject) : undefined;
  // The date of what is summed up says when it happened; a person's own dates say something else.
  const dated = spoken || near ? [] : [...ranked, ...measured].flatMap((table) => datedTables(table, build));
  const ref = resolver.date(
    dated.length > 0
      ? [...new Set(dated)]
      : [
          ...(near ? [near] : []),
          ...(sale ? [sale] : []),
          ...sums,
          ...(clause.subject ? [subject] : []),
          ...(sale ? [] : measured),
          frame.entity,
        ].filter((table, index, all) => all.indexOf(table) === index),
    clause.hints,
  );
  if (!ref) return undefined;
  // A date far away says nothing about the rows meant: an album has no date because its tracks were once sold.
  const anchors = [
    subject,
    ...sums,
    ...(near ? [near] : []),
    ...(sale ? [sale] : []),
    ...measured,
    ...ranked,
    ...frame.required,
    ...build.linked.items.flatMap((item) => (item.kind === "table" ? [item.table] : [])),
  ];
  if (anchors.some((table) => table === ref.table || build.graph.distance(table, ref.table) < 1.5)) return ref;
  const withDates = schema.tables.filter((table) => dateColumns(table).length + yearColumns(table).length > 0);
  return withDates.length === 1 && anchors.some((table) => build.graph.distance(table, ref.table) < 3)
    ? ref
    : undefined;
}

/** "the same city as an employee": a partner with an equal value. */
export function readSame(
  clause: Clause,
  object: NounPhrase,
  sameAs: NounPhrase,
  build: Building,
  subject: string,
  said: Clause[],
  read: (clause: Clause) => void,
): void {
  const other = tableOf(sameAs, build, [subject]);
  const own = object.head.kind === "column" ? build.resolver.column(object.head.item, [subject], [subject]) : undefined;
  const theirs =
    object.head.kind === "column" && other ? build.resolver.column(object.head.item, [other], [other]) : undefined;
  const inner = sameAs.values.length > 0 && other ? valuesOf(sameAs, build, other) : [];
  for (const part of said) inner.push(...readApart(part, build, read));
  if (
    !own ||
    !theirs ||
    !other ||
    own.table !== subject ||
    theirs.table !== other ||
    (other === subject && inner.length === 0)
  ) {
    build.notes.push(`"${clause.words}" could not be tied to columns that can be compared.`);
    return;
  }
  push(
    build,
    {
      kind: "exists",
      negated: clause.negated,
      from: subject,
      target: other,
      inner,
      pairs: [{ left: own.column, right: theirs.column }],
      words: clause.words,
    },
    clause.or,
  );
}

/** The table itself when it has a date; lines of a sale have that of the sale they belong to. */
function datedTables(table: string, build: Building): string[] {
  const info = build.schema.table(table);
  if (info.columns.some(isDate)) return [table];
  if (!quantityColumn(info)) return [];
  return info.columns.flatMap((column) => {
    const to = column.reference?.to;
    return to && build.schema.table(to).columns.some((other) => isDate(other) && !other.isKey) ? [to] : [];
  });
}

export function readLike(clause: Clause, build: Building, subject: string, sentence: Sentence): void {
  const like = clause.like;
  if (!like) return;
  const previous = sentence.clauses[placeOf(clause, sentence.clauses) - 1];
  const attribute = [previous?.object, clause.subject, ...sentence.outputs].find(
    (phrase) => phrase?.head.kind === "column",
  );
  const ref = attribute ? refOf(attribute, build, subject) : build.schema.table(subject).display.at(-1);
  if (!ref) return;
  const pattern = like.mode === "starts" ? `${like.text}%` : like.mode === "ends" ? `%${like.text}` : `%${like.text}%`;
  push(
    build,
    {
      kind: "compare",
      ref: { table: ref.table, column: ref.column },
      operator: clause.negated ? "NOT LIKE" : "LIKE",
      values: [pattern],
      words: clause.words,
    },
    clause.or,
  );
}

export function readSold(clause: Clause, build: Building, subject: string, sentence: Sentence): void {
  const { frame, resolver } = build;
  const target = resolver.saleTable(subject);
  if (!target) return;
  if (clause.negated) {
    push(
      build,
      {
        kind: "exists",
        negated: true,
        from: subject,
        target,
        inner: [],
        words: `${clause.negated ? "never " : ""}${clause.words}`,
      },
      clause.or,
    );
    return;
  }
  const counted = frame.outputs[0];
  if (
    sentence.intent === "count" &&
    counted?.kind === "measure" &&
    counted.measure.kind === "count" &&
    counted.measure.table === subject
  ) {
    const quantity = resolver.quantity([subject]);
    if (quantity && !counted.measure.distinct && !frame.distinct) {
      frame.outputs[0] = {
        kind: "measure",
        measure: { kind: "aggregate", fn: "SUM", of: quantity, words: counted.measure.words },
      };
      return;
    }
  }
  if (!frame.required.includes(target)) frame.required.push(target);
}

/** Rows of this table record what the verb tells: "rented" a rental, "treated" a treatment. */
export function eventTable(
  hints: string[],
  subject: string,
  { schema, graph }: Building,
  most = 3,
): string | undefined {
  const said = new Set(hints.slice(-most));
  const found = schema.tables
    .filter((table) => table.name !== subject && isSpoken(schema, table.name, said, true))
    .filter((table) => graph.distance(subject, table.name) < 5 && !graph.toOne(subject, table.name))
    .sort((a, b) => graph.distance(subject, a.name) - graph.distance(subject, b.name));
  return found[0]?.name;
}

/** "not shipped yet", "still waiting to be returned": a date that is only there once it was done. */
function doneColumn(clause: Clause, { schema }: Building, subject: string): ColumnRef | undefined {
  const verb = clause.hints.findLast((hint) => !/^(yet|still|ever|alreadi|already)$/.test(hint)) ?? "";
  if (verb.length < 4) return undefined;
  const found = schema
    .table(subject)
    .columns.find(
      (column) =>
        isDate(column) &&
        (column.info.nulls ?? 0) > 0 &&
        column.stems.some(
          (word) => word === verb || isDerived(word, verb) || (word.length > 2 && verb.startsWith(word)),
        ),
    );
  return found ? { table: found.table, column: found.column } : undefined;
}

/** "who can drive", "that are allowed to smoke": a column of the rows that only says yes or no. */
function flagSaid(clause: Clause, { schema }: Building, subject: string): Condition | undefined {
  const said = clause.hints.slice(-2).filter((hint) => hint.length > 3);
  const held = schema
    .table(subject)
    .columns.filter((column) =>
      column.stems.some((word) => said.some((hint) => hint === word || isDerived(hint, word))),
    )
    .flatMap((column) => {
      const flag = flagOf(column);
      return flag ? [{ column, flag }] : [];
    });
  const [only] = held;
  if (!only || held.length > 1) return undefined;
  const { column, flag } = only;
  const value = clause.negated ? flag.no : flag.yes;
  const words = `${clause.negated ? "not " : ""}${clause.words}`;
  return { kind: "compare", ref: { table: subject, column: column.column }, operator: "=", values: [value], words };
}

/** "films that were never rented", "rooms that were booked": whether there is such an event. */
export function readEvent(clause: Clause, build: Building, subject: string): void {
  const { frame } = build;
  const done = doneColumn(clause, build, subject);
  if (done) {
    const pending = clause.hints.some((hint) => /^(wait|await|due|remain)$/.test(hint));
    const isNull = clause.negated || pending;
    push(build, { kind: "null", ref: done, isNull, words: `${isNull ? "not " : ""}${clause.words}` }, clause.or);
    return;
  }
  const flagged = flagSaid(clause, build, subject);
  if (flagged) {
    push(build, flagged, clause.or);
    return;
  }
  const target = eventTable(clause.hints, subject, build);
  if (!target) return;
  if (clause.negated)
    push(
      build,
      { kind: "exists", negated: true, from: subject, target, inner: [], words: `never ${clause.words}` },
      clause.or,
    );
  else if (!frame.required.includes(target)) frame.required.push(target);
}

export function readSelf(clause: Clause, build: Building, subject: string): void {
  const { frame, resolver, schema, graph } = build;
  const table = graph.selfRelation(subject)
    ? subject
    : (schema.tables.find((info) => graph.selfRelation(info.name))?.name ?? subject);
  const object = clause.object;
  if (object?.none || (clause.negated && !object)) {
    const relation = graph.selfRelation(table);
    const column = relation?.fromColumns[0];
    if (column) push(build, { kind: "null", ref: { table, column }, isNull: true, words: clause.words }, false);
    return;
  }
  if (object && (object.head.kind === "boss" || object.head.kind === "table") && object.values.length === 0) {
    // "How many employees report to each manager?"
    frame.entity = table;
    if (object.each || frame.outputs.some((output) => output.kind === "measure"))
      frame.groups.push({ kind: "entity", table, words: object.words, role: "manager" });
    return;
  }
  if (object && object.values.length > 0) {
    for (const item of object.values) {
      const value = resolver.value(item, [table], undefined, table);
      if (!value) {
        build.unknownValues.push(item.text);
        continue;
      }
      const role = { table: value.table, role: "manager" };
      push(
        build,
        {
          kind: "compare",
          ref: { ...role, column: value.column },
          operator: clause.negated ? "<>" : "=",
          values: [value.value],
          words: item.text,
        },
        clause.or,
      );
      if (value.and)
        push(
          build,
          {
            kind: "compare",
            ref: { ...role, column: value.and.column },
            operator: "=",
            values: [value.and.value],
            words: item.text,
          },
          false,
        );
    }
    return;
  }
  // "Who does each employee report to?": show both ends.
  frame.entity = table;
  frame.keepUnreferenced = true;
  const display = schema.table(table).display;
  frame.groups = frame.groups.filter((key) => !(key.kind === "entity" && key.table === table));
  frame.outputs = [
    { kind: "key", key: { kind: "entity", table, words: table } },
    ...display.map(
      (column): Output => ({
        kind: "column",
        ref: { table, column: column.column, role: "manager" },
        words: `manager's ${column.column}`,
      }),
    ),
  ];
}

/** "Which cities have both customers and employees?": the same value in the other thing's own column. */
export function sharedColumn(clause: Clause, table: string, build: Building): Condition | undefined {
  const head = clause.subject?.head;
  // "home to donors but not to volunteers"
  const held = ["have", "relative", "verb"].includes(clause.link.kind) || /^to\b/.test(clause.link.word);
  if (head?.kind !== "column" || !held) return undefined;
  const own = build.frame.outputs.flatMap((output) =>
    output.kind === "column"
      ? [output.ref]
      : output.kind === "key" && output.key.kind === "column"
        ? [output.key.ref]
        : [],
  )[0];
  const theirs = head.item.options.find((option) => option.table === table && option.score >= 0.95);
  if (!own || !theirs || own.table === table || !head.item.options.some((option) => option.table === own.table))
    return undefined;
  // A key names a row: what is said of it is said of the row.
  if (build.schema.column(own).isKey) return undefined;
  return {
    kind: "exists",
    negated: clause.negated || (clause.object?.none ?? false),
    from: own.table,
    target: table,
    inner: [],
    pairs: [{ left: own.column, right: theirs.column }],
    words: clause.object?.words ?? clause.words,
  };
}

/** "are the leader of more than 2 expeditions": those whose key to the subject is called that. */
export function partPlayed(
  clause: Clause,
  { head, of }: NounPhrase,
  { resolver, schema }: Building,
  subject: string,
): (NounPhrase & { table: string }) | undefined {
  const said = clause.link.kind === "be" || /\b(is|are|was|were|been)$/i.test(clause.link.word);
  if (!said || head.kind !== "column" || of?.head.kind !== "table" || of.head.table === subject) return undefined;
  const { table } = of.head;
  const key = schema.column(resolver.column(head.item, [table], [table]));
  return key.table === table && key.reference?.to === subject ? { ...of, table } : undefined;
}
