/** What a join set does to the rows: counted on all of them, or on a sample of the keys where there are too many. */
import type { Database, DatabaseProblem, Read } from "../database/database.ts";
import type { Catalog, Finding, JoinDecision, JoinEvidence, JoinSetEvidence } from "../protocol/index.ts";
import { ask, listing, type Measured, toCount } from "./ask.ts";
import { checkJoins } from "./check-joins.ts";
import { toEstimatedAfter } from "./estimate-after.ts";
import { findJoins, type JoinFacts } from "./find-joins.ts";
import { findColumn, type Join, type JoinGraph, same, toCountParts, toGraph, toTableName } from "./join-graph.ts";
import { type Counts, type JoinQueries, readCounts, toJoinQueries } from "./join-queries.ts";
import { measureDoubles } from "./measure-doubles.ts";
import { toForcedRate, toRate } from "./sample-keys.ts";

export interface Measure {
  alias: string;
  column: string;
  words: string;
  aggregate: string;
}

/** For the rows of the whole set, and for what is counted twice: what takes longer is estimated, or left out. */
const countingMs = 8000;

/**
 * `before` and `after` are the rows of the set joined in the proposal's order, as the types say, without filters.
 * Unknown tables and columns are a problem. A join of very many rows, or one that takes too long to count, is measured
 * on a sample of its keys: then it is marked `estimated` and `exact` is false.
 */
export async function measureJoins(
  database: Database,
  catalog: Catalog,
  joins: JoinDecision[],
  context: { measures?: Measure[] } = {},
): Promise<Measured<{ evidence: JoinSetEvidence; findings: Finding[] }>> {
  const started = performance.now();
  const graph = toGraph(joins, catalog);
  if ("unknown" in graph) return { problem: { code: graph.code, message: graph.unknown } };
  const quote = (name: string) => database.quote(name);

  const tableReads = await ask(
    database,
    graph.tables.map((table) => `SELECT COUNT(*) FROM ${toTableName(table.table, quote)}`),
  );
  const failed = firstProblem(tableReads);
  if (failed) return { problem: failed };
  const rows = new Map(graph.tables.map((table, index) => [table, toCount(tableReads[index])]));
  const rowsOf = (table: Join["left"]) => rows.get(table) ?? 0;
  const largest = (join: Join) => Math.max(rowsOf(join.left), rowsOf(join.right));

  const measured = await readJoins(database, graph, largest);
  if ("problem" in measured) return measured;
  const sampledFrom = measured.plans.findIndex((plan) => plan.rate > 1);
  const sampled = sampledFrom >= 0;

  // Joins one after the other; each prefix in one go.
  const prefixes = graph.joins
    .slice(0, sampled ? sampledFrom : graph.joins.length)
    .map((_, index) => toCountParts(graph.joins.slice(0, index + 1), quote));
  const cumulative = await askPlans(
    database,
    prefixes.map((parts) => parts.map((part) => `SELECT COUNT(*) FROM ${part.from}`)),
    countingMs,
  );
  const facts: JoinFacts[] = [];
  let before = graph.joins[0] ? rowsOf(graph.joins[0].left) : 0;
  for (const [index, join] of graph.joins.entries()) {
    const plan = measured.plans[index];
    const own = measured.reads[index] ?? [];
    if (!plan) continue;
    const counts = readCounts(join, plan, own, rowsOf(join.left), rowsOf(join.right));
    const sums = cumulative[index] ?? [];
    const product = sums.reduce((total, read) => total * toCount(read), 1);
    const counted = sums.length > 0 && sums.every((read) => read.ok) && product <= Number.MAX_SAFE_INTEGER;
    const earlier = graph.joins.slice(0, index);
    const estimate = () => toEstimatedAfter(join, earlier, counts, before, rowsOf(join.left), rowsOf(join.right));
    // Neither a product beyond what is exact nor an estimate may pose as a count.
    const after = Math.min(
      sums.length > 0 && sums.every((read) => read.ok) ? product : estimate(),
      Number.MAX_SAFE_INTEGER,
    );
    const removed = plan.without === undefined ? undefined : toCount(own[plan.without]) - counts.matchedPairs;
    const {
      matchedPairs: _pairs,
      leftRepeated,
      rightRepeated,
      distinct: _distinct,
      found: _found,
      ...figures
    } = counts;
    const evidence: JoinEvidence = {
      n: join.n,
      pairs: toPairs(join, plan, counts, own, rowsOf),
      ...figures,
      leftRows: rowsOf(join.left),
      rightRows: rowsOf(join.right),
      before,
      after,
      ...(counted && plan.rate === 1 ? {} : { estimated: true as const }),
    };
    facts.push({
      join,
      evidence,
      keys: plan.keys,
      repeated: { left: leftRepeated, right: rightRepeated },
      ...(removed === undefined ? {} : { removedByInferred: removed }),
    });
    before = after;
  }
  const doubles = await measureDoubles(database, graph, facts, context.measures ?? [], {
    sampled,
    deadlineMs: countingMs,
  });
  const findings = findJoins(graph, facts, doubles, catalog);
  return {
    evidence: {
      tables: graph.tables.map((table) => ({
        table: table.table.name,
        alias: table.alias,
        ...(table.role ? { role: table.role } : {}),
        rows: rowsOf(table),
      })),
      joins: facts.map((fact) => fact.evidence),
      checks: checkJoins(graph, facts, findings),
      exact: facts.every((fact) => !fact.evidence.estimated),
      ms: Math.round(performance.now() - started),
    },
    findings,
  };
}

/** Counts what each join does on its own. Those that take too long are asked again about a sample of their keys. */
async function readJoins(
  database: Database,
  graph: JoinGraph,
  largest: (join: Join) => number,
): Promise<Measured<{ plans: JoinQueries[]; reads: Read[][] }>> {
  const quote = (name: string) => database.quote(name);
  const planned = (join: Join, rate: number) => toJoinQueries(join, database.engine, quote, rate);
  const plans = graph.joins.map((join) => planned(join, toRate(database.engine, largest(join))));
  const reads = await askPlans(
    database,
    plans.map((plan) => plan.statements),
  );
  const slow = reads.map((own) => own.some((read) => !read.ok && read.error.code === "timeout"));
  if (slow.includes(true)) {
    for (const [index, join] of graph.joins.entries())
      if (slow[index]) plans[index] = planned(join, toForcedRate(largest(join)));
    const again = await askPlans(
      database,
      plans.map((plan, index) => (slow[index] ? plan.statements : [])),
    );
    for (const [index, own] of again.entries()) if (slow[index]) reads[index] = own;
  }
  const problem = firstProblem(reads.flat());
  return problem ? { problem } : { plans, reads };
}

function toPairs(
  join: Join,
  plan: JoinQueries,
  counts: Counts,
  reads: readonly Read[],
  rowsOf: (table: Join["left"]) => number,
): JoinEvidence["pairs"] {
  return join.decision.pairs.map((pair, at) => {
    const left = findColumn(join.left.table, pair.left);
    const right = findColumn(join.right.table, pair.right);
    const declared = plan.declared.some((key) => key.pairs.some((used) => used === at));
    const asked = plan.overlaps.get(at);
    return {
      left: left?.name ?? pair.left,
      leftType: left?.type ?? "",
      right: right?.name ?? pair.right,
      rightType: right?.type ?? "",
      origin: declared ? ("declared" as const) : ("inferred" as const),
      ...(declared
        ? {}
        : {
            why: whyInferred(
              join,
              at,
              asked === undefined ? toOwnOverlap(join, plan, counts, rowsOf) : readOverlap(reads[asked]),
            ),
          }),
    };
  });
}

/** Distinct values of each side, and how many of them the other side has. */
interface Overlap {
  left: [distinct: number, found: number];
  right: [distinct: number, found: number];
}

function readOverlap(read: Read | undefined): Overlap | undefined {
  if (!read?.ok) return undefined;
  return { left: [toCount(read, 0), toCount(read, 1)], right: [toCount(read, 2), toCount(read, 3)] };
}

/** With a unique side the join's own figures say it. */
function toOwnOverlap(
  join: Join,
  plan: JoinQueries,
  counts: Counts,
  rowsOf: (table: Join["left"]) => number,
): Overlap | undefined {
  const many: [number, number] = [counts.distinct ?? 0, counts.found ?? 0];
  if (plan.unique === "right")
    return { left: many, right: [rowsOf(join.right) - counts.rightNullKeys, counts.rightMatched] };
  if (plan.unique === "left")
    return { left: [rowsOf(join.left) - counts.leftNullKeys, counts.leftMatched], right: many };
  return undefined;
}

function whyInferred(join: Join, at: number, overlap: Overlap | undefined): string {
  const pair = join.decision.pairs[at];
  if (!pair) return "";
  const [left, right] = [findColumn(join.left.table, pair.left), findColumn(join.right.table, pair.right)];
  const parts: string[] = [];
  if (same(pair.left, pair.right)) parts.push("same name");
  if (left && right)
    parts.push(
      same(left.type, right.type) ? "same type" : left.kind === right.kind ? "similar type" : "different types",
    );
  if (overlap) {
    const share = ([total, found]: [number, number]) => (total === 0 ? 0 : Math.floor((found / total) * 1000) / 10);
    const [forward, backward] = [share(overlap.left), share(overlap.right)];
    const [percent, from, to] =
      forward >= backward ? [forward, join.left, join.right] : [backward, join.right, join.left];
    parts.push(`${percent} % of the values in ${from.table.name} are in ${to.table.name}`);
  }
  return listing(parts);
}

/** Plans of several statements as one batch, given back plan by plan. */
async function askPlans(
  database: Database,
  plans: readonly (readonly string[])[],
  deadlineMs?: number,
): Promise<Read[][]> {
  const reads = await ask(database, plans.flat(), deadlineMs === undefined ? {} : { deadlineMs });
  let at = 0;
  return plans.map((plan) => {
    const own = reads.slice(at, at + plan.length);
    at += plan.length;
    return own;
  });
}

export function firstProblem(reads: readonly Read[]): DatabaseProblem | undefined {
  for (const read of reads) if (!read.ok) return read.error;
  return undefined;
}
