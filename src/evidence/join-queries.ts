/** The statements that count what one join does, and what their figures say. Pure. */
import type { Read } from "../database/database.ts";
import type { Engine, JoinEvidence, Table } from "../protocol/index.ts";
import { toCount } from "./ask.ts";
import { findColumn, type Join, mixedTypes, same, toTableName } from "./join-graph.ts";
import { type KeyUse, toKeyUses } from "./key-use.ts";
import { keepsKey } from "./sample-keys.ts";

export interface JoinQueries {
  /** In the order `readCounts` reads them; overlaps and the count without inferred pairs last. */
  statements: string[];
  /** One in so many keys is looked at; 1 when all rows are counted. */
  rate: number;
  /** Side whose keys are unique, so that only the other side has to be grouped. */
  unique?: "left" | "right";
  keys: KeyUse[];
  declared: KeyUse[];
  overlaps: Map<number, number>;
  without?: number;
}

export function toJoinQueries(join: Join, engine: Engine, quote: (name: string) => string, rate: number): JoinQueries {
  const { decision, left, right } = join;
  const keys = toKeyUses(join);
  const declared = keys.filter((key) => key.complete);
  const overlaps = new Map<number, number>();
  const plan: JoinQueries = { statements: [], rate, keys, declared, overlaps };
  if (decision.pairs.length === 0) return { ...plan, rate: 1 };
  const name = (table: Join["left"]) => toTableName(table.table, quote);
  const found = (table: Join["left"], own: string) => findColumn(table.table, own);
  const lefts = decision.pairs.map((pair) => quote(found(left, pair.left)?.name ?? pair.left));
  const rights = decision.pairs.map((pair) => quote(found(right, pair.right)?.name ?? pair.right));
  const filled = (columns: readonly string[]) => columns.map((own) => `${own} IS NOT NULL`).join(" AND ");
  // Both sides must keep the same keys: an integer beside anything else is hashed as text too.
  const kinds = decision.pairs.map((pair) => {
    const [one, other] = [found(left, pair.left)?.kind, found(right, pair.right)?.kind];
    return one === other ? one : "text";
  });
  const kept = (column: string, at: number) => (rate === 1 ? "" : ` AND ${keepsKey(engine, column, kinds[at], rate)}`);
  const grouped = (table: Join["left"], columns: readonly string[], first: number) =>
    `(SELECT ${columns.map((own, at) => `${own} AS k${at}`).join(", ")}, COUNT(*) AS c FROM ${name(table)} WHERE ${filled(columns)}${kept(columns[0] ?? "", first)} GROUP BY ${columns.join(", ")})`;
  const nulls = (table: Join["left"], columns: readonly string[], names: readonly string[]) =>
    names.every((own) => found(table, own)?.nullable === false)
      ? "SELECT 0"
      : `SELECT COUNT(*) FROM ${name(table)} WHERE NOT (${filled(columns)})`;
  const unique = mixedTypes(join) ? undefined : toUniqueSide(join);
  const met = (indexes: readonly number[]) => {
    const pick = (columns: readonly string[]) => indexes.map((at) => columns[at] ?? "");
    const first = indexes[0] ?? 0;
    return `FROM ${grouped(left, pick(lefts), first)} AS l JOIN ${grouped(right, pick(rights), first)} AS r ON ${indexes.map((_, at) => `l.k${at} = r.k${at}`).join(" AND ")}`;
  };
  const all = decision.pairs.map((_, at) => at);
  const { statements } = plan;
  if (unique) {
    const [many, ones, one, keyed] = unique === "right" ? [left, lefts, right, rights] : [right, rights, left, lefts];
    const there = `p.${keyed[0]} IS NOT NULL`;
    const sum = (value: string, condition = there) => `SUM(CASE WHEN ${condition} THEN ${value} ELSE 0 END)`;
    statements.push(
      `SELECT SUM(m.c), COUNT(*), ${sum("m.c")}, ${sum("1")}, MAX(CASE WHEN ${there} THEN m.c END), ${sum("1", `${there} AND m.c > 1`)} FROM ${grouped(many, ones, 0)} AS m LEFT JOIN ${name(one)} AS p ON ${keyed.map((own, at) => `p.${own} = m.k${at}`).join(" AND ")}`,
    );
  } else {
    statements.push(
      `SELECT SUM(l.c), SUM(r.c), MAX(l.c), MAX(r.c), SUM(l.c * r.c), SUM(CASE WHEN r.c > 1 THEN l.c ELSE 0 END), SUM(CASE WHEN l.c > 1 THEN r.c ELSE 0 END) ${met(all)}`,
    );
  }
  statements.push(
    nulls(
      left,
      lefts,
      decision.pairs.map((pair) => pair.left),
    ),
    nulls(
      right,
      rights,
      decision.pairs.map((pair) => pair.right),
    ),
  );
  if (!unique && rate > 1) {
    // What the sample holds of each side.
    const held = (table: Join["left"], columns: readonly string[]) =>
      `SELECT COUNT(*) FROM ${name(table)} WHERE ${filled(columns)}${kept(columns[0] ?? "", 0)}`;
    statements.push(held(left, lefts), held(right, rights));
  } else if (!unique && mixedTypes(join)) {
    // Values that differ on one side may be equal to one value of the other: then groups would be counted twice.
    const on = lefts.map((own, at) => `a.${own} = b.${rights[at]}`).join(" AND ");
    statements.push(
      `SELECT COUNT(*) FROM ${name(left)} AS a WHERE EXISTS (SELECT 1 FROM ${name(right)} AS b WHERE ${on})`,
      `SELECT COUNT(*) FROM ${name(right)} AS b WHERE EXISTS (SELECT 1 FROM ${name(left)} AS a WHERE ${on})`,
    );
  }
  const inferred = all.filter((at) => !declared.some((key) => key.pairs.includes(at)));
  for (const at of unique && all.length === 1 ? [] : inferred) {
    const [own, other] = [lefts[at] ?? "", rights[at] ?? ""];
    const share = (from: string, value: string, to: string, target: string) =>
      `SELECT COUNT(*) AS n, SUM(CASE WHEN v IN (SELECT ${target} FROM ${to} WHERE ${target} IS NOT NULL${kept(target, at)}) THEN 1 ELSE 0 END) AS f FROM (SELECT DISTINCT ${value} AS v FROM ${from} WHERE ${value} IS NOT NULL${kept(value, at)}) AS own`;
    overlaps.set(at, statements.length);
    statements.push(
      `SELECT a.n, a.f, b.n, b.f FROM (${share(name(left), own, name(right), other)}) AS a CROSS JOIN (${share(name(right), other, name(left), own)}) AS b`,
    );
  }
  const rest = all.filter((at) => !inferred.includes(at));
  if (unique) plan.unique = unique;
  if (inferred.length > 0 && rest.length > 0 && rate === 1) {
    plan.without = statements.length;
    statements.push(`SELECT SUM(l.c * r.c) ${met(rest)}`);
  }
  return plan;
}

/** A side whose joined columns hold all of a declared key: each of its rows has keys of its own. */
function toUniqueSide(join: Join): "left" | "right" | undefined {
  const holds = (table: Table, columns: readonly string[]) =>
    [table.primaryKey, ...table.unique].some(
      (key) => key.length > 0 && key.every((own) => columns.some((column) => same(column, own))),
    );
  const { pairs } = join.decision;
  if (
    holds(
      join.right.table,
      pairs.map((pair) => pair.right),
    )
  )
    return "right";
  return holds(
    join.left.table,
    pairs.map((pair) => pair.left),
  )
    ? "left"
    : undefined;
}

export type Counts = Pick<
  JoinEvidence,
  "cardinality" | "maxLeft" | "maxRight" | "leftMatched" | "rightMatched" | "leftNullKeys" | "rightNullKeys"
> & {
  matchedPairs: number;
  /** Rows of each side that meet more than one row of the other. */
  leftRepeated: number;
  rightRepeated: number;
  /** Distinct keys of the side that is not unique, and those that are found; only with a unique side. */
  distinct?: number;
  found?: number;
};

/** What a sample says is scaled up to all rows with a key. */
export function readCounts(
  join: Join,
  plan: JoinQueries,
  reads: readonly Read[],
  leftRows: number,
  rightRows: number,
): Counts {
  if (join.decision.pairs.length === 0) {
    const some = leftRows > 0 && rightRows > 0;
    return {
      leftMatched: some ? leftRows : 0,
      rightMatched: some ? rightRows : 0,
      maxLeft: some ? leftRows : 0,
      maxRight: some ? rightRows : 0,
      leftNullKeys: 0,
      rightNullKeys: 0,
      matchedPairs: leftRows * rightRows,
      leftRepeated: rightRows > 1 ? leftRows : 0,
      rightRepeated: leftRows > 1 ? rightRows : 0,
      cardinality: toCardinality(some ? leftRows : 0, some ? rightRows : 0),
    };
  }
  const [met, leftNulls, rightNulls] = reads;
  const [leftNullKeys, rightNullKeys] = [toCount(leftNulls), toCount(rightNulls)];
  const [leftFilled, rightFilled] = [leftRows - leftNullKeys, rightRows - rightNullKeys];
  const scaled = (count: number, of: number, most: number) =>
    Math.min(most, plan.rate === 1 || of === 0 ? count : Math.round((count / of) * most));
  if (plan.unique) {
    const [many, ones] = plan.unique === "right" ? [leftFilled, rightFilled] : [rightFilled, leftFilled];
    const held = toCount(met);
    const manyMatched = scaled(toCount(met, 2), held, many);
    const scale = plan.rate === 1 || held === 0 ? 1 : many / held;
    const onesMatched = Math.min(ones, Math.round(toCount(met, 3) * scale));
    const repeated = Math.min(ones, Math.round(toCount(met, 5) * scale));
    const [most, once] = [toCount(met, 4), manyMatched > 0 ? 1 : 0];
    const own = {
      leftNullKeys,
      rightNullKeys,
      matchedPairs: manyMatched,
      distinct: toCount(met, 1),
      found: toCount(met, 3),
    };
    return plan.unique === "right"
      ? {
          ...own,
          leftMatched: manyMatched,
          rightMatched: onesMatched,
          maxLeft: most,
          maxRight: once,
          leftRepeated: 0,
          rightRepeated: repeated,
          cardinality: toCardinality(most, once),
        }
      : {
          ...own,
          leftMatched: onesMatched,
          rightMatched: manyMatched,
          maxLeft: once,
          maxRight: most,
          leftRepeated: repeated,
          rightRepeated: 0,
          cardinality: toCardinality(once, most),
        };
  }
  const mixed = plan.rate === 1 && mixedTypes(join);
  const [maxLeft, maxRight] = [toCount(met, 2), toCount(met, 3)];
  const [heldLeft, heldRight] = plan.rate === 1 ? [0, 0] : [toCount(reads[3]), toCount(reads[4])];
  const ratios = [heldLeft > 0 ? leftFilled / heldLeft : 1, heldRight > 0 ? rightFilled / heldRight : 1];
  return {
    leftMatched: mixed ? toCount(reads[3]) : scaled(toCount(met, 0), heldLeft, leftFilled),
    rightMatched: mixed ? toCount(reads[4]) : scaled(toCount(met, 1), heldRight, rightFilled),
    maxLeft,
    maxRight,
    matchedPairs: Math.round(
      toCount(met, 4) * (plan.rate === 1 ? 1 : ratios.reduce((sum, ratio) => sum + ratio, 0) / 2),
    ),
    leftRepeated: scaled(toCount(met, 5), heldLeft, leftFilled),
    rightRepeated: scaled(toCount(met, 6), heldRight, rightFilled),
    leftNullKeys,
    rightNullKeys,
    cardinality: toCardinality(maxLeft, maxRight),
  };
}

function toCardinality(maxLeft: number, maxRight: number): JoinEvidence["cardinality"] {
  if (maxLeft === 0 || maxRight === 0) return "none";
  if (maxRight > 1) return maxLeft > 1 ? "N:M" : "1:N";
  return maxLeft > 1 ? "N:1" : "1:1";
}
