/** Joins that go past the declared keys, tables that nothing ties to the rest, and joins in which nothing meets. */
import type { Catalog, Relation } from "../../protocol/index.ts";
import { dialectOf, quoteTable } from "../../sql/dialect.ts";
import { fold, type Origin, type Source } from "../../sql/scope.ts";
import { ask, listing, toCount } from "../ask.ts";
import { same } from "../join-graph.ts";
import { type CheckSubject, columnOf, isKey, isNumeric, tableOf, type Warn } from "./check-subject.ts";
import type { JoinView, Pair } from "./query-view.ts";
import { keyOf } from "./walk-tree.ts";

const nameOf = ({ table, column }: Origin): string => `${table}.${column}`;
const pairText = ({ left, right }: Pair): string => `${nameOf(left)} = ${nameOf(right)}`;

export async function findJoinFaults(subject: CheckSubject, warn: Warn): Promise<void> {
  findLoose(subject, warn);
  const odd: Pair[] = [];
  const said = new Set<string>();
  for (const select of subject.query.selects) {
    for (const join of select.joins) {
      for (const pair of join.pairs) {
        if (said.has(pairText(pair)) || isRelated(subject.catalog, pair)) continue;
        said.add(pairText(pair));
        if (join.pairs.some((other) => other !== pair && isRelated(subject.catalog, other))) continue;
        if (!findWrongKey(subject.catalog, join, pair, warn)) odd.push(pair);
      }
    }
  }
  await findStrangers(subject, odd, warn);
}

/** Tables, or groups of them, that no condition ties to the rest. */
function findLoose({ query }: CheckSubject, warn: Warn): void {
  for (const select of query.selects) {
    const many = select.groups.filter((group) => !group.every((source) => query.singleRow.has(source.output)));
    if (many.length < 2) continue;
    const names = many.slice(1).map((group) => listing(group.map(sourceName)));
    warn(
      "problem",
      "cross-product",
      `No condition ties ${listing(names)} to ${listing((many[0] ?? []).map(sourceName))}: every row meets every other.`,
      "FROM",
    );
  }
}

const sourceName = (source: Source): string => source.table ?? source.alias;

/** A key, declared or found in the rows; two columns that refer to the same one; the same column twice. */
function isRelated(catalog: Catalog, { left, right }: Pair): boolean {
  if (keyOf(left) === keyOf(right)) return true;
  const joins = (relation: Relation, a: Origin, b: Origin) =>
    same(relation.from, a.table) &&
    same(relation.to, b.table) &&
    relation.fromColumns.some((column, at) => same(column, a.column) && same(relation.toColumns[at] ?? "", b.column));
  if (catalog.relations.some((relation) => joins(relation, left, right) || joins(relation, right, left))) return true;
  const [a, b] = [targetsOf(catalog, left), targetsOf(catalog, right)];
  return [...a].some((target) => b.has(target));
}

/** Columns that a column refers to, through any number of keys, and itself. */
function targetsOf(catalog: Catalog, origin: Origin): Set<string> {
  const found = new Set([keyOf(origin)]);
  for (const key of found) {
    for (const relation of catalog.relations)
      relation.fromColumns.forEach((column, at) => {
        if (keyOf({ table: relation.from, column }) === key)
          found.add(keyOf({ table: relation.to, column: relation.toColumns[at] ?? "" }));
      });
  }
  return found;
}

/** The two tables have a key, directly or through others, and the join compares something else. */
function findWrongKey(catalog: Catalog, join: JoinView, pair: Pair, warn: Warn): boolean {
  const { left, right } = pair;
  if (same(left.table, right.table) || (join.left.table === undefined && left.through && right.through)) return false;
  const direct = catalog.relations.filter(
    ({ from, to }) =>
      (same(from, left.table) && same(to, right.table)) || (same(from, right.table) && same(to, left.table)),
  );
  const [first] = direct;
  const likely = isKey(catalog, left) || isKey(catalog, right);
  if (first) {
    // Two tables may well be compared by something else than their key, such as the city both stand in.
    const alike = fold(left.column) === fold(right.column) && !likely;
    warn(
      alike ? "info" : "warning",
      "key-skipped",
      `${left.table} and ${right.table} are tied by ${relationText(first)}, but the statement compares ${pairText(pair)}.`,
      pairText(pair),
    );
    return true;
  }
  // Only columns that both count things of some table can be mixed up; others may hold a key nobody declared.
  if (!isKey(catalog, left) || !isKey(catalog, right)) return false;
  const path = findPath(catalog, left.table, right.table);
  if (!path || path.length > 3 || sameWord(left.column, right.column)) return false;
  const between = path.slice(0, -1).map((step) => step.table);
  warn(
    "warning",
    "bridge-missing",
    `${left.table} and ${right.table} have no key in common: the declared way goes through ${listing(between)}. ${pairText(pair)} compares numbers of different things.`,
    pairText(pair),
  );
  return true;
}

/** Columns called alike are meant alike, unless the name is what every table calls its key. */
const sameWord = (a: string, b: string): boolean =>
  fold(a).replaceAll("_", "") === fold(b).replaceAll("_", "") && !/^(?:id|key|code|nr|no|number)$/i.test(a);

const relationText = ({ from, fromColumns, to, toColumns }: Relation): string =>
  fromColumns.map((column, at) => `${from}.${column} = ${to}.${toColumns[at]}`).join(" and ");

/** The tables after `from` on a shortest way of keys to `to`. */
function findPath(catalog: Catalog, from: string, to: string): { table: string }[] | undefined {
  const queue: { table: string; path: { table: string }[] }[] = [{ table: from, path: [] }];
  const seen = new Set([fold(from)]);
  for (const { table, path } of queue) {
    if (same(table, to)) return path;
    for (const relation of catalog.relations) {
      const next = same(relation.from, table) ? relation.to : same(relation.to, table) ? relation.from : undefined;
      if (next === undefined || seen.has(fold(next))) continue;
      seen.add(fold(next));
      queue.push({ table: next, path: [...path, { table: next }] });
    }
  }
  return undefined;
}

/** Columns without a key between them: do any of their values meet? */
async function findStrangers({ database, catalog }: CheckSubject, pairs: readonly Pair[], warn: Warn): Promise<void> {
  const dialect = dialectOf(database.engine);
  const known = pairs.flatMap((pair) => {
    const [left, right] = [tableOf(catalog, pair.left.table), tableOf(catalog, pair.right.table)];
    return left && right ? [{ pair, left, right }] : [];
  });
  const statements = known.slice(0, 8).map(({ pair, left, right }) => {
    const column = (origin: Origin) => dialect.quote(columnOf(catalog, origin)?.name ?? origin.column);
    return `SELECT COUNT(*) FROM ${quoteTable(dialect, left)} WHERE ${column(pair.left)} IN (SELECT ${column(pair.right)} FROM ${quoteTable(dialect, right)})`;
  });
  const reads = await ask(database, statements, { maxRows: 1 });
  for (const [index, read] of reads.entries()) {
    const pair = known[index]?.pair;
    if (!pair) continue;
    const [a, b] = [columnOf(catalog, pair.left), columnOf(catalog, pair.right)];
    const mixed = isNumeric(a) !== isNumeric(b);
    if (read.ok && toCount(read) === 0)
      warn(
        "warning",
        "join-meets-nothing",
        `No value of ${nameOf(pair.left)} is in ${nameOf(pair.right)}${mixed ? ": one holds numbers, the other text" : ""}.`,
        pairText(pair),
      );
    else
      warn(
        "info",
        mixed ? "type-mismatch" : "join-undeclared",
        `${pairText(pair)} is no declared key${mixed ? ", and the types differ" : ""}.`,
        pairText(pair),
      );
  }
}
