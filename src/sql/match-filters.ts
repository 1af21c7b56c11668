/** Holds the conditions of a statement against the accepted filters. */
import type { Accepted, AcceptedFilter } from "./accepted.ts";
import type { ConditionFact, EdgeFact, StatementFacts } from "./statement-facts.ts";

export type FilterMatch =
  | { status: "found"; places: number[] }
  /** A condition on the same column that says something else. */
  | { status: "deviates"; condition: ConditionFact }
  | { status: "missing" };

/** One match per accepted filter, in their order, and the conditions nothing explains. */
export function matchFilters(
  facts: StatementFacts,
  accepted: Accepted,
  unexplainedEdges: readonly EdgeFact[],
  equalText: ReadonlyMap<AcceptedFilter, ConditionFact[]>,
  textInSteps: (filter: AcceptedFilter) => number | undefined,
): { matches: FilterMatch[]; unexplained: ConditionFact[] } {
  const explained = new Set<ConditionFact>();
  /** Of a filter that isn't all there, e.g. one bound of BETWEEN: the conditions that are. */
  const partly = new Map<AcceptedFilter, ConditionFact[]>();
  const first = accepted.filters.map((filter): FilterMatch | undefined => {
    for (const way of filter.ways) {
      const places: number[] = [];
      const hits: ConditionFact[] = [];
      const complete =
        way.length > 0 &&
        way.every((form) => {
          const found = facts.conditions.filter((condition) => sameForm(condition.form, form));
          hits.push(...found);
          places.push(...found.map((condition) => condition.at));
          if (found.length > 0) return true;
          // Steps were accepted as text: there a condition may also stand inside CASE, FILTER or an alternative.
          const loose = [...facts.loose].find(([known]) => sameForm(known, form));
          if (loose) places.push(loose[1]);
          return loose !== undefined;
        });
      if (complete) {
        for (const hit of hits) explained.add(hit);
        return { status: "found", places };
      }
      if (hits.length > (partly.get(filter)?.length ?? 0)) partly.set(filter, hits);
    }
    const equal = equalText.get(filter);
    if (equal) {
      for (const condition of equal) explained.add(condition);
      return { status: "found", places: equal.map((condition) => condition.at) };
    }
    const place = textInSteps(filter);
    return place === undefined ? undefined : { status: "found", places: [place] };
  });
  const open = facts.conditions.filter(
    (condition) =>
      !explained.has(condition) &&
      !condition.trivial &&
      !(condition.edge && !unexplainedEdges.includes(condition.edge)),
  );
  const taken = new Set<ConditionFact>();
  const matches = first.map((match, index): FilterMatch => {
    if (match) return match;
    const filter = accepted.filters[index];
    const columns = new Set((filter?.ways ?? []).flat().flatMap(columnsOf));
    const there = (filter && partly.get(filter)) ?? [];
    const other =
      open.find(
        (condition) =>
          !taken.has(condition) &&
          !there.includes(condition) &&
          columnsOf(condition.form).some((column) => columns.has(column)),
      ) ?? there.find((condition) => !taken.has(condition));
    if (!other) return { status: "missing" };
    for (const condition of [other, ...there]) taken.add(condition);
    return { status: "deviates", condition: other };
  });
  return {
    matches,
    unexplained: open.filter(
      (condition) =>
        !condition.covered && !taken.has(condition) && !(condition.edge && unexplainedEdges.includes(condition.edge)),
    ),
  };
}

/** Accepted filters that no condition's normal form matches → the conditions whose text is the accepted one. */
export function findEqualTexts(
  facts: StatementFacts,
  accepted: Accepted,
  keyOf: (text: string) => string,
  textOf: (condition: ConditionFact) => string,
): Map<AcceptedFilter, ConditionFact[]> {
  const open = accepted.filters.filter(
    (filter) =>
      !filter.ways.some(
        (way) =>
          way.length > 0 && way.every((form) => facts.conditions.some((condition) => sameForm(condition.form, form))),
      ),
  );
  const found = new Map<AcceptedFilter, ConditionFact[]>();
  if (open.length === 0) return found;
  const keys = facts.conditions.map((condition) => keyOf(textOf(condition)));
  for (const filter of open) {
    const key = keyOf(filter.decision.condition);
    // The same words under another outermost sign would be a piece of a longer condition.
    const conditions = facts.conditions.filter(
      (candidate, index) => keys[index] === key && filter.kinds.includes(candidate.kind),
    );
    if (conditions.length > 0) found.set(filter, conditions);
  }
  return found;
}

/** Equal, or equal apart from a role that an alias leaves open. */
export function sameForm(inSql: string, accepted: string): boolean {
  if (inSql === accepted) return true;
  return (inSql.includes("#?") || accepted.includes("#?")) && withoutRoles(inSql) === withoutRoles(accepted);
}

const withoutRoles = (form: string): string => form.replace(/#[^.#(),]*(?=\.)/g, "");

/** `table.column` keys a normal form holds, outside its literals. */
function columnsOf(form: string): string[] {
  return withoutRoles(form.replace(/'(?:[^']|'')*'/g, "")).match(/[a-z_?][\w ]*(?:\.[\w ]+)+/gi) ?? [];
}
