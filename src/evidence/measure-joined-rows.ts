/** What a filter leaves of the accepted join set: one genre kept of 25 says little, 1,297 tracks of 3,503 says it all. */
import type { Database } from "../database/database.ts";
import type { Catalog, FilterDecision, FilterEvidence, JoinDecision } from "../protocol/index.ts";
import { ask, toCount } from "./ask.ts";
import { same, toCountParts, toGraph } from "./join-graph.ts";

/** One entry per filter; undefined where its alias is not among the joined rows or its condition can't be counted there. */
export async function measureJoinedRows(
  database: Database,
  catalog: Catalog,
  joins: readonly JoinDecision[],
  filters: readonly FilterDecision[],
): Promise<FilterEvidence["joined"][]> {
  const graph = toGraph(joins, catalog);
  if (joins.length === 0 || "unknown" in graph) return filters.map(() => undefined);
  const parts = toCountParts(graph.joins, (name) => database.quote(name));
  const statements = filters.map((filter) => {
    const part = parts.find(({ aliases }) => [...aliases].some(({ alias }) => same(alias, filter.alias ?? "")));
    if (!part) return null;
    return `SELECT COUNT(*), SUM(CASE WHEN (\n${filter.condition}\n) THEN 1 ELSE 0 END) FROM ${part.from}`;
  });
  const reads = await ask(
    database,
    statements.filter((statement) => statement !== null),
    { maxRows: 1 },
  );
  let at = 0;
  return statements.map((statement) => {
    const read = statement === null ? undefined : reads[at++];
    return read?.ok ? { kept: toCount(read, 1), of: toCount(read) } : undefined;
  });
}
