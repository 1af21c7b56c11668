/** Reads the distinct values of text columns page by page, so that no more than one page is in memory. */
import type { Database, Read } from "../database/database.ts";
import type { Catalog, Column, Table } from "../protocol/index.ts";
import { type CatalogSql, createCatalogSql } from "./catalog-sql.ts";
import type { StoredColumn } from "./value-store.ts";
import type { Page } from "./value-writer.ts";

export interface ValueCaps {
  /** Distinct values kept of one column, and of all. */
  perColumn: number;
  total: number;
  /** Values read at once. */
  page: number;
}

export const valueCaps: ValueCaps = { perColumn: 10_000_000, total: 20_000_000, page: 200_000 };

const pageMs = 300_000;
/** Columns read by one call, when they are known to be small. */
const columnsAtOnce = 100;

interface Place {
  stored: StoredColumn;
  table: Table;
  column: Column;
}

/** Throws when the database can't be read any more, or the signal says so: what is there stays good. */
export async function* readValues(
  database: Database,
  catalog: Catalog,
  columns: readonly StoredColumn[],
  caps: ValueCaps,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const sql = createCatalogSql(database.engine);
  const places = columns.flatMap((stored): Place[] => {
    const table = catalog.tables.find(({ name }) => name === stored.table);
    const column = table?.columns.find(({ name }) => name === stored.column);
    return stored.done || !table || !column ? [] : [{ stored, table, column }];
  });
  let left = caps.total - columns.reduce((sum, { found }) => sum + found, 0);
  // Small columns first: most questions are about them.
  const expected = ({ column }: Place): number => column.distinct ?? Number.POSITIVE_INFINITY;
  const sorted = places.toSorted((a, b) => expected(a) - expected(b));
  for (let from = 0; from < sorted.length; ) {
    let until = from + 1;
    let sum = expected(sorted[from] as Place);
    while (until < sorted.length && until - from < columnsAtOnce) {
      sum += expected(sorted[until] as Place);
      if (sum > caps.page) break;
      until += 1;
    }
    for await (const page of readGroup(database, sql, sorted.slice(from, until), caps, left, signal)) {
      left -= page.entries.length;
      yield page;
    }
    from = until;
  }
}

async function* readGroup(
  database: Database,
  sql: CatalogSql,
  group: readonly Place[],
  caps: ValueCaps,
  left: number,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  const options = { maxRows: caps.page, maxBytes: 256_000_000, deadlineMs: pageMs, signal };
  const ask = (place: Place, last: string | null): string => sql.page(place.table, place.column, last, caps.page);
  const reads = await database.readAll(
    group.map((place) => ask(place, place.stored.last)),
    options,
  );
  let rest = left;
  for (const [index, place] of group.entries()) {
    let read = reads[index];
    let { found, last } = place.stored;
    for (let more = true; more; ) {
      refuseEnd(read, signal);
      const rows = read?.ok ? read.result.rows : [];
      const most = Math.min(rest, caps.perColumn - found);
      const entries = rows
        .slice(0, Math.max(0, most))
        .map(([value, count]) => ({ column: place.stored.id, value: String(value), rows: Number(count) }));
      const next = entries.at(-1)?.value;
      // A value that doesn't come after the one before would be read again and again.
      const forward = next !== undefined && (last === null || Buffer.compare(Buffer.from(next), Buffer.from(last)) > 0);
      const whole = read?.ok === true && !read.result.truncated && rows.length < caps.page;
      more = !whole && forward && entries.length === rows.length;
      found += entries.length;
      rest -= entries.length;
      if (next !== undefined) last = next;
      const cut = !whole || entries.length < rows.length;
      yield {
        entries,
        progress: [{ column: place.stored.id, found: entries.length, last: next, partial: !more && cut, done: !more }],
      };
      if (more) read = await database.read(ask(place, last), options);
    }
  }
}

/** Not the column's fault: another time it may be read. */
function refuseEnd(read: Read | undefined, signal: AbortSignal): void {
  signal.throwIfAborted();
  if (read?.ok) return;
  if (!read || ["locked", "connection", "missing", "empty", "not-a-database", "stopped"].includes(read.error.code))
    throw new Error(read?.error.message ?? "The database didn't answer.");
}
