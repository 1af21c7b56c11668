/** Clauses that hold stored values: equality, alternatives, negation in its right scope. */

import type { Clause, NounPhrase } from "../clauses/clause-types.ts";
import { roleFor } from "../relations/key-roles.ts";
import { mergeNot, negationScope, push, sameRef } from "./add-condition.ts";
import type { Building } from "./building.ts";
import type { Condition } from "./frame.ts";
import { readValues } from "./meanings.ts";

export function readValueClause(clause: Clause, object: NounPhrase, build: Building, subject: string): void {
  const { frame, resolver, graph } = build;
  const negated = clause.negated || object.none;
  const near = [subject, frame.entity].filter((table, index, all) => all.indexOf(table) === index);
  if (!negated && object.values.length > 1) {
    readValuesInto(object, clause, build, subject);
    return;
  }
  // "has Iron Maiden released": the value is who did it.
  const agent =
    clause.link.kind === "have" && build.main.intent === "count"
      ? { ...clause, link: { kind: "preposition" as const, word: "by" } }
      : clause;
  const chosen = object.values.map((item) => ({
    item,
    value: item.options.length > 0 ? resolver.value(item, near, agent) : undefined,
  }));
  for (const { item, value } of chosen) {
    if (!value) {
      build.unknownValues.push(item.text);
      continue;
    }
    const role = roleFor(build.schema, value.table, [...near, ...frame.required], clause);
    const ref = { table: value.table, column: value.column, ...(role ? { role } : {}) };
    const first: Condition = {
      kind: "compare",
      ref,
      operator: negated ? "<>" : "=",
      values: [value.value],
      words: `${negated ? "not " : ""}${item.text}`,
    };
    if (!negated) {
      push(build, first, clause.or);
      if (value.and)
        push(
          build,
          {
            kind: "compare",
            ref: { table: value.table, column: value.and.column },
            operator: "=",
            values: [value.and.value],
            words: item.text,
          },
          false,
        );
      continue;
    }
    // "from Oslo but not from Rome": of whom both are said, not of one trip.
    const opposed = frame.conditions.some(
      (known) => known.kind === "compare" && known.operator === "=" && sameRef(known.ref, ref),
    );
    // "do not play at home in round 2": both say which games there were none of.
    const never = frame.conditions.at(-1);
    if (
      !opposed &&
      never?.kind === "exists" &&
      never.negated &&
      !never.self &&
      !graph.toOne(never.from, value.table) &&
      graph.toOne(never.target, value.table)
    ) {
      never.inner.push({ ...first, operator: "=", words: item.text } as Condition);
      continue;
    }
    const from = opposed ? frame.entity : negationScope(value.table, subject, build);
    if (graph.toOne(from, value.table) && !value.and) mergeNot(build, first as Extract<Condition, { kind: "compare" }>);
    else
      push(
        build,
        {
          kind: "exists",
          negated: true,
          from,
          target: value.table,
          inner: [{ ...first, ref: { table: value.table, column: value.column }, operator: "=" } as Condition],
          words: `not ${item.text}`,
        },
        false,
      );
  }
}

function readValuesInto(object: NounPhrase, clause: Clause, build: Building, subject: string): void {
  const share = build.frame.share;
  const before = build.frame.conditions.length;
  readValues(object, build, subject, clause.link.word);
  if (share) share.part.push(...build.frame.conditions.splice(before));
}
