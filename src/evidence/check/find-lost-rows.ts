/**
 * Rows that joins leave out, and rows that COUNT(*) meets several times. Both stand in every third right query, so they
 * are information: only a reference that leads nowhere is more, since nobody means to lose such a row.
 */
import { dialectOf, quoteTable } from "../../sql/dialect.ts";
import { ask, figure, rowsOf, toCount } from "../ask.ts";
import { same } from "../join-graph.ts";
import { type CheckSubject, columnOf, tableOf, type Warn } from "./check-subject.ts";
import type { Pair } from "./query-view.ts";

const maxPairs = 8;

export async function findLostRows(subject: CheckSubject, warn: Warn): Promise<void> {
  const { database, catalog } = subject;
  const dialect = dialectOf(database.engine);
  const seen = new Set<string>();
  const sides = subject.query.selects
    .filter(({ role }) => role === "main" || role === "step" || role === "derived")
    .flatMap((select) => select.joins.filter(({ kind, pairs }) => kind === "INNER" && pairs.length === 1))
    .flatMap(({ pairs }) => pairs.flatMap((pair) => [pair, { left: pair.right, right: pair.left }]))
    .flatMap((pair) => {
      const [table, partner] = [tableOf(catalog, pair.left.table), tableOf(catalog, pair.right.table)];
      const key = `${pair.left.table}.${pair.left.column} ${pair.right.table}.${pair.right.column}`;
      if (!table || !partner || pair.left.through || pair.right.through || seen.has(key)) return [];
      seen.add(key);
      return [{ pair, table, partner }];
    })
    .slice(0, maxPairs);
  const statements = sides.map(({ pair, table, partner }) => {
    const column = (origin: Pair["left"]) => dialect.quote(columnOf(catalog, origin)?.name ?? origin.column);
    const [own, other] = [column(pair.left), column(pair.right)];
    return `SELECT COUNT(*), COUNT(${own}) FROM ${quoteTable(dialect, table)} WHERE ${own} IS NULL OR ${own} NOT IN (SELECT ${other} FROM ${quoteTable(dialect, partner)} WHERE ${other} IS NOT NULL)`;
  });
  const reads = await ask(database, statements, { maxRows: 1 });
  for (const [index, read] of reads.entries()) {
    const side = sides[index];
    const lost = toCount(read);
    if (!side || !read.ok || lost === 0) continue;
    const { pair, table, partner } = side;
    const dangling = toCount(read, 1);
    const refers = table.foreignKeys.some(
      ({ columns, table: target }) =>
        columns.length === 1 && same(columns[0] ?? "", pair.left.column) && same(target, partner.name),
    );
    const where = `${pair.left.table}.${pair.left.column} = ${pair.right.table}.${pair.right.column}`;
    if (refers && dangling > 0)
      warn(
        "notice",
        "reference-broken",
        `${rowsOf(dangling)} of ${table.name} refer to no row of ${partner.name}: the join leaves them out.`,
        where,
      );
    else
      warn(
        "info",
        "rows-lost",
        `${figure(lost)} of ${rowsOf(table.rows)} of ${table.name} ${lost === 1 ? "has" : "have"} no partner in ${partner.name} and ${lost === 1 ? "is" : "are"} left out.`,
        where,
      );
  }
}
