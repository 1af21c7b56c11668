/** Tables, views and keys as the catalogue tells them, for the role that asks. */
import type { IntrospectedTable } from "../database.ts";
import {
  type ChildRow,
  type ColumnRow,
  childrenQuery,
  columnsQuery,
  type DomainRow,
  domainsQuery,
  type IndexRow,
  type KeyRow,
  keysQuery,
  type TableRow,
  tablesQuery,
  uniqueIndexesQuery,
} from "./catalogue-queries.ts";
import { isSqlState, type PgFault } from "./classify-error.ts";
import { toColumnKind } from "./column-kind.ts";
import type { Session } from "./session.ts";
import type { Traits } from "./traits.ts";

interface Found {
  table: IntrospectedTable;
  /** Names by their numbers in the catalogue; only of columns that may be read. */
  columns: Map<number, string>;
}

/** Runs inside a transaction. */
export async function introspect(session: Session, traits: Traits): Promise<IntrospectedTable[]> {
  const ask = async <T extends object>(query: string): Promise<T[]> => (await session.client.query<T>(query)).rows;
  const tables = await ask<TableRow>(tablesQuery(traits.columnRights));
  const columns = await ask<ColumnRow>(columnsQuery(traits.columnRights));
  const domains = await ask<DomainRow>(domainsQuery);
  const keys = await ask<KeyRow>(keysQuery);
  const children = await ask<ChildRow>(childrenQuery);
  // Last, for not every server has indexes, and what fails ends the transaction.
  const indexes = await ask<IndexRow>(uniqueIndexesQuery).catch((error: unknown) => {
    if (isSqlState((error as PgFault).code)) return [];
    throw error;
  });
  return toTables({ tables, columns, domains, keys, children, indexes });
}

export interface CatalogueRows {
  tables: TableRow[];
  columns: ColumnRow[];
  domains: DomainRow[];
  keys: KeyRow[];
  children: ChildRow[];
  indexes: IndexRow[];
}

export function toTables(rows: CatalogueRows): IntrospectedTable[] {
  const domains = new Map(rows.domains.map((domain) => [domain.id, domain]));
  const columnsOf = Map.groupBy(rows.columns, (column) => column.id);
  const childrenOf = Map.groupBy(rows.children, (child) => child.parent);
  const found = new Map<string, Found>();
  const taken = new Set<string>();
  // A name with a dot may read like a table of another schema: then the default schema's gets its schema too.
  const outside = new Set(rows.tables.flatMap((row) => (row.plain ? [] : [`${row.schema}.${row.name}`])));
  for (const row of rows.tables) {
    const columns = columnsOf.get(row.id) ?? [];
    const plain = row.plain && !outside.has(row.name);
    const name = plain ? row.name : `${row.schema}.${row.name}`;
    if (columns.length === 0 || taken.has(name)) continue;
    taken.add(name);
    const estimate = row.kind === "v" ? undefined : estimateRows(row, childrenOf);
    const table: IntrospectedTable = {
      ...(plain ? {} : { schema: row.schema }),
      name,
      kind: row.kind === "v" || row.kind === "m" ? "view" : "table",
      ...(row.comment === null ? {} : { comment: row.comment }),
      ...(estimate === undefined ? {} : { rowEstimate: estimate }),
      columns: columns.map((column) => toColumn(column, domains)),
      primaryKey: [],
      unique: [],
      foreignKeys: [],
    };
    found.set(row.id, { table, columns: new Map(columns.map((column) => [column.number, column.name])) });
  }
  addKeys(found, rows.keys);
  addUniqueIndexes(found, rows.indexes);
  return [...found.values()].map(({ table }) => table).sort((a, b) => (a.name < b.name ? -1 : 1));
}

function toColumn(column: ColumnRow, domains: Map<string, DomainRow>): IntrospectedTable["columns"][number] {
  let type = { name: column.typeName, type: column.typeKind };
  for (let domain = domains.get(column.typeId); domain; domain = domains.get(domain.base))
    type = { name: domain.name, type: domain.kind };
  return {
    name: column.name,
    type: column.type,
    kind: toColumnKind(type),
    nullable: !column.required,
    ...(column.comment === null ? {} : { comment: column.comment }),
  };
}

/** Statistics count each table for itself, a query reads its parts as well. Negative or missing: never counted. */
function estimateRows(
  { id, rows, kind }: { id: string; rows: number; kind?: string },
  childrenOf: Map<string, ChildRow[]>,
): number | undefined {
  const children = childrenOf.get(id) ?? [];
  const parts = children.map((child) => estimateRows({ id: child.child, rows: child.rows }, childrenOf));
  // A partitioned table's own number repeats that of its parts.
  if (children.length === 0 || kind === "r") parts.push(rows < 0 ? undefined : Math.round(rows));
  const known = parts.filter((part) => part !== undefined);
  return known.length === 0 ? undefined : known.reduce((sum, part) => sum + part, 0);
}

/** Undefined when one of the columns can't be seen by the role. */
function toNames(columns: Map<number, string>, numbers: string): string[] | undefined {
  const names = numbers.split(" ").map((number) => columns.get(Number(number)));
  return names.every((name) => name !== undefined) ? names : undefined;
}

function addKeys(found: Map<string, Found>, keys: readonly KeyRow[]): void {
  for (const key of keys) {
    const from = found.get(key.id);
    const columns = from && toNames(from.columns, key.columns);
    if (!columns) continue;
    if (key.kind === "p") from.table.primaryKey = columns;
    else if (key.kind === "u") from.table.unique.push(columns);
    else {
      // A key to a partitioned table also stands in the catalogue once per partition, which isn't among our tables.
      const target = found.get(key.target);
      const tableColumns = target && toNames(target.columns, key.targetColumns ?? "");
      if (tableColumns) from.table.foreignKeys.push({ columns, table: target.table.name, tableColumns });
    }
  }
}

function addUniqueIndexes(found: Map<string, Found>, indexes: readonly IndexRow[]): void {
  for (const index of indexes) {
    const from = found.get(index.id);
    const numbers = index.columns.split(" ").slice(0, index.keyColumns ?? undefined);
    const columns = from && toNames(from.columns, numbers.join(" "));
    if (columns && !from.table.unique.some((known) => known.join("\0") === columns.join("\0")))
      from.table.unique.push(columns);
  }
}
