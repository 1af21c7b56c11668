/** What the columns hold: counts, distinct values, samples and date formats, read in few batches. */

import type { Database, Read } from "../database/database.ts";
import type { Cell, Column, ColumnKind, Table } from "../protocol/index.ts";
import { type CatalogSql, createCatalogSql } from "./catalog-sql.ts";
import { findDateFormat } from "./date-format.ts";

/** What the value index is to know of a column. */
export interface IndexedColumn {
  table: string;
  column: string;
  /** Its values belong into the index. */
  text: boolean;
  /** Some of its texts can't be in: they are too long, or it could not be found out whether there are any. */
  partial: boolean;
}

const maxSamples = 5;
const maxSampleLength = 80;
/** Columns counted by one statement, and asked for their values by one call. */
const columnsAtOnce = 40;
/** Values that a date format is first looked for in, and those that must bear it out. */
const firstValues = 500;
const dateValues = 50_000;
/** A larger table gets less time, and only its first rows are looked at for samples. */
const largeRows = 1_000_000;
const rowsSampled = 100_000;
const statsMs = 60_000;
const largeMs = 20_000;
/** A view may be any query: it gets little time. */
const viewsMs = 10_000;

interface Stats {
  filled: number;
  /** Undefined where values can't be compared. */
  distinct: number | undefined;
  texts: number;
  long: number;
  integers: number;
  reals: number;
}
interface Place {
  table: Table;
  column: Column;
  /** Absent when counting took too long. */
  stats?: Stats;
}

/** Of a table whose rows nobody could count nothing is known: it may be the largest. */
export const isLarge = (table: Table): boolean => table.rows > largeRows || (table.rowsEstimated ?? false);

/**
 * Fills `distinct`, `nulls`, `samples`, `dateFormat` and, where the declared type doesn't say it, `kind` in place.
 * What can't be read in time stays uncounted. Returns the columns of tables; views have their values from those.
 */
export async function measureColumns(database: Database, tables: readonly Table[]): Promise<IndexedColumn[]> {
  const sql = createCatalogSql(database.engine);
  // Small tables first, so that a huge one can only cost itself the time.
  const real = tables.filter((table) => table.kind === "table").toSorted((a, b) => a.rows - b.rows);
  const groups: [tables: Table[], ms: number][] = [
    [real.filter((table) => !isLarge(table)), statsMs],
    [real.filter(isLarge), largeMs],
    [tables.filter((table) => table.kind === "view"), viewsMs],
  ];
  const indexed: IndexedColumn[] = [];
  for (const [group, deadlineMs] of groups) {
    const places = await readStats(database, sql, group, deadlineMs);
    for (const { table, column, stats } of places) {
      if (!stats) continue;
      // An estimate may be less than what was counted since.
      column.nulls = Math.max(0, table.rows - stats.filled);
      if (table.rowsEstimated) delete column.nulls;
      if (stats.distinct !== undefined) column.distinct = stats.distinct;
      if (column.kind === "other" && database.engine === "sqlite") column.kind = toKind(stats);
    }
    const holdsText = ({ table, column, stats }: Place): boolean =>
      table.kind === "table" && column.kind !== "blob" && (stats ? stats.texts > 0 : column.kind === "text");
    await readTexts(database, sql, places.filter(holdsText), deadlineMs);
    await readSamples(
      database,
      sql,
      places.filter((place) => !holdsText(place)),
      deadlineMs,
    );
    for (const place of places) {
      if (place.table.kind !== "table") continue;
      const text = place.stats ? place.stats.texts > 0 && place.column.kind !== "blob" : isTextual(place.column);
      const partial = place.stats ? text && place.stats.long > 0 : text || database.engine === "sqlite";
      indexed.push({ table: place.table.name, column: place.column.name, text, partial });
    }
  }
  return indexed;
}

/** A text column that holds dates has become one of kind date. */
const isTextual = (column: Column): boolean => column.kind === "text" || column.dateFormat !== undefined;

/** A table without rows has nothing to count. */
async function readStats(
  database: Database,
  sql: CatalogSql,
  tables: readonly Table[],
  deadlineMs: number,
): Promise<Place[]> {
  const places: Place[] = [];
  const asked: { table: Table; columns: Column[] }[] = [];
  const none = { filled: 0, distinct: 0, texts: 0, long: 0, integers: 0, reals: 0 };
  for (const table of tables) {
    if (table.rows === 0 && !table.rowsEstimated) {
      for (const column of table.columns) places.push({ table, column, stats: none });
      continue;
    }
    for (let from = 0; from < table.columns.length; from += columnsAtOnce)
      asked.push({ table, columns: table.columns.slice(from, from + columnsAtOnce) });
  }
  const reads = await readBatch(
    database,
    asked.map(({ table, columns }) => sql.stats(table, columns)),
    { maxRows: 1, maxBytes: 1_000_000, deadlineMs },
  );
  asked.forEach(({ table, columns }, index) => {
    const read = reads[index];
    const row = read?.ok ? read.result.rows[0] : undefined;
    columns.forEach((column, position) => {
      if (!row) {
        places.push({ table, column });
        return;
      }
      const cells = row.slice(position * 6, position * 6 + 6);
      const [filled = 0, , texts = 0, long = 0, integers = 0, reals = 0] = cells.map(Number);
      const distinct = cells[1] === null || cells[1] === undefined ? undefined : Number(cells[1]);
      places.push({ table, column, stats: { filled, distinct, texts, long, integers, reals } });
    });
  });
  return places;
}

function toKind(stats: Stats): ColumnKind {
  if (stats.filled === 0) return "other";
  if (stats.texts === stats.filled) return "text";
  if (stats.integers === stats.filled) return "integer";
  return stats.integers + stats.reals === stats.filled ? "number" : "other";
}

const within = (table: Table): number | undefined => (isLarge(table) ? rowsSampled : undefined);

/** Samples of texts, and whether all of them are dates. */
async function readTexts(
  database: Database,
  sql: CatalogSql,
  places: readonly Place[],
  deadlineMs: number,
): Promise<void> {
  const unsure: Place[] = [];
  const ask = async (asked: readonly Place[], limit: number) => {
    const statements = asked.map(({ table, column }) => sql.frequent(table, column, limit, within(table)));
    return await readBatch(database, statements, { maxRows: limit, maxBytes: limit * 1000, deadlineMs });
  };
  const toFormat = ({ column, stats }: Place, rows: readonly (readonly Cell[])[]): string | undefined => {
    if (!stats || stats.texts !== stats.filled || stats.long > 0) return undefined;
    const texts = rows.map((row) => String(row[0]));
    return findDateFormat(texts, `${column.name} ${column.type}`);
  };
  const hold = ({ column }: Place, format: string | undefined): void => {
    if (format === undefined) return;
    column.dateFormat = format;
    // A bare year compares like a number, whatever its column is called.
    if (column.kind === "text" && format !== "YYYY") column.kind = "date";
  };
  for (let from = 0; from < places.length; from += columnsAtOnce) {
    const part = places.slice(from, from + columnsAtOnce);
    const reads = await ask(part, firstValues);
    part.forEach((place, index) => {
      const read = reads[index];
      if (!read?.ok) return;
      const { rows } = read.result;
      place.column.samples = toSamples(rows);
      const format = toFormat(place, rows);
      if (format === undefined) return;
      if (rows.length < firstValues) hold(place, format);
      else unsure.push(place);
    });
  }
  // Few columns hold dates as text: one by one, so that no more than one column's values are in memory.
  for (const place of unsure) {
    const [read] = await ask([place], dateValues);
    if (read?.ok) hold(place, toFormat(place, read.result.rows));
  }
}

async function readSamples(
  database: Database,
  sql: CatalogSql,
  places: readonly Place[],
  deadlineMs: number,
): Promise<void> {
  const asked = places.filter((place) => place.stats?.filled !== 0 && place.column.kind !== "blob");
  const reads = await readBatch(
    database,
    asked.map(({ table, column, stats }) => {
      const allDiffer = stats !== undefined && stats.distinct === stats.filled;
      const rows = within(table);
      return sql.samples(table, column, maxSamples, { allDiffer, ...(rows === undefined ? {} : { within: rows }) });
    }),
    { maxRows: maxSamples, maxBytes: 10_000, deadlineMs },
  );
  asked.forEach(({ column }, index) => {
    const read = reads[index];
    if (read?.ok) column.samples = toSamples(read.result.rows);
  });
}

function toSamples(rows: readonly (readonly Cell[])[]): string[] {
  return rows.slice(0, maxSamples).map(([value]) => {
    const text = String(value);
    return text.length > maxSampleLength ? `${text.slice(0, maxSampleLength - 1)}…` : text;
  });
}

async function readBatch(
  database: Database,
  statements: readonly string[],
  options: { maxRows: number; maxBytes: number; deadlineMs: number },
): Promise<Read[]> {
  return statements.length === 0 ? [] : await database.readAll(statements, options);
}
