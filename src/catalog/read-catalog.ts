/** Reads the catalog from the database itself: structure, counts, samples and relations. */
import type { Database, IntrospectedTable, Read } from "../database/database.ts";
import { type Catalog, type Relation, type Table, ThothError } from "../protocol/index.ts";
import { createCatalogSql } from "./catalog-sql.ts";
import { toChecksum } from "./checksum.ts";
import { type IndexedColumn, measureColumns } from "./measure-columns.ts";
import { findCandidates, toDeclaredRelations, toInferredRelations } from "./relations.ts";

export interface ReadCatalog {
  catalog: Catalog;
  /** Of all tables, for the value index. */
  columns: IndexedColumn[];
}

const countMs = 60_000;
/** For tables of which the engine has an estimate, when that is large. */
const largeMs = 5_000;
const largeEstimate = 1_000_000;
const viewsMs = 10_000;
const overlapMs = 30_000;
/** Distinct values of a referring column that are looked up in its target. */
const overlapSample = 20_000;
const one = { maxRows: 1, maxBytes: 1000 };

/** Throws ThothError when the database can't be read. */
export async function readCatalog(database: Database): Promise<ReadCatalog> {
  const introspected = await database.introspect();
  const tables = await countRows(database, introspected);
  const columns = await measureColumns(database, tables);
  const relations = [...toDeclaredRelations(tables), ...(await inferRelations(database, tables))];
  return { catalog: { engine: database.engine, checksum: toChecksum(introspected), tables, relations }, columns };
}

function toTable({ rowEstimate: _, ...table }: IntrospectedTable): Table {
  return { ...table, rows: 0, columns: table.columns.map((column) => ({ ...column, samples: [] })) };
}

/**
 * A table that can't be counted in time has the engine's estimate, or 0, and says so. A view that fails is no part of
 * the catalog; one that takes too long stays, like such a table.
 */
async function countRows(database: Database, introspected: readonly IntrospectedTable[]): Promise<Table[]> {
  const sql = createCatalogSql(database.engine);
  const counted = new Map<string, Table>();
  const isLarge = ({ rowEstimate = 0 }: IntrospectedTable): boolean => rowEstimate > largeEstimate;
  const groups: [tables: IntrospectedTable[], ms: number][] = [
    [introspected.filter((table) => table.kind === "table" && !isLarge(table)), countMs],
    [introspected.filter((table) => table.kind === "table" && isLarge(table)), largeMs],
    [introspected.filter((table) => table.kind === "view"), viewsMs],
  ];
  for (const [asked, deadlineMs] of groups) {
    if (asked.length === 0) continue;
    const smallFirst = asked.toSorted((a, b) => (a.rowEstimate ?? 0) - (b.rowEstimate ?? 0));
    const tables = smallFirst.map(toTable);
    const reads = await database.readAll(tables.map(sql.countRows), { ...one, deadlineMs });
    tables.forEach((table, index) => {
      const read = reads[index];
      refuseUnreadable(read);
      if (read?.ok) counted.set(table.name, { ...table, rows: Number(read.result.rows[0]?.[0] ?? 0) });
      else if (read?.error.code === "timeout")
        counted.set(table.name, { ...table, rows: smallFirst[index]?.rowEstimate ?? 0, rowsEstimated: true });
    });
  }
  return introspected.flatMap(({ name }) => counted.get(name) ?? []);
}

/** A catalog of a database that went away half-way must not be kept. */
function refuseUnreadable(read: Read | undefined): void {
  if (
    !read ||
    read.ok ||
    !["locked", "connection", "missing", "not-a-database", "permission"].includes(read.error.code)
  )
    return;
  throw new ThothError(
    `database-${read.error.code === "not-a-database" ? "not-sqlite" : read.error.code}`,
    "The database stopped being readable while its catalog was read.",
    "Check that the file is there and not locked by another program, then try again.",
    new Error(read.error.message),
  );
}

async function inferRelations(database: Database, tables: readonly Table[]): Promise<Relation[]> {
  const sql = createCatalogSql(database.engine);
  const find = (name: string, columnName: string) => {
    const table = tables.find((other) => other.name === name);
    const column = table?.columns.find((other) => other.name === columnName);
    return table && column && { table, column };
  };
  const candidates = findCandidates(tables).flatMap((candidate) => {
    const from = find(candidate.from, candidate.fromColumn);
    const to = find(candidate.to, candidate.toColumn);
    return from && to ? [{ candidate, statement: sql.overlap(from, to, overlapSample) }] : [];
  });
  if (candidates.length === 0) return [];
  const reads = await database.readAll(
    candidates.map(({ statement }) => statement),
    { ...one, deadlineMs: overlapMs },
  );
  return toInferredRelations(
    candidates.map(({ candidate }, index) => {
      const read = reads[index];
      const [distinct = 0, found = 0] = read?.ok ? (read.result.rows[0] ?? []).map(Number) : [];
      return { candidate, overlap: { distinct, found } };
    }),
  );
}
