/** What every check gets to see, and what it says. */
import type { ValueIndex } from "../../catalog/value-index.ts";
import type { Database } from "../../database/database.ts";
import type { Catalog, Column, QueryResult, Severity, Table } from "../../protocol/index.ts";
import { same } from "../join-graph.ts";
import type { QueryView } from "./query-view.ts";

export interface CheckSubject {
  database: Database;
  catalog: Catalog;
  values: ValueIndex;
  sql: string;
  query: QueryView;
  /** The first rows of the statement; absent when it could not be run. */
  result: QueryResult | undefined;
}

/** `where` names the place in the statement or the data that is meant. */
export type Warn = (severity: Severity, code: string, message: string, where?: string) => void;

export function tableOf(catalog: Catalog, name: string): Table | undefined {
  return catalog.tables.find((table) => same(table.name, name));
}

export function columnOf(catalog: Catalog, origin: { table: string; column: string }): Column | undefined {
  return tableOf(catalog, origin.table)?.columns.find((column) => same(column.name, origin.column));
}

export const isNumeric = (column: Column | undefined): boolean =>
  column?.kind === "integer" || column?.kind === "number";

/** Part of a primary, unique or foreign key. */
export function isKey(catalog: Catalog, origin: { table: string; column: string }): boolean {
  const table = tableOf(catalog, origin.table);
  if (!table) return false;
  const keys = [table.primaryKey, ...table.unique, ...table.foreignKeys.map((key) => key.columns)];
  return (
    keys.some((key) => key.some((name) => same(name, origin.column))) ||
    catalog.relations.some(
      ({ to, toColumns, from, fromColumns }) =>
        (same(to, origin.table) && toColumns.some((name) => same(name, origin.column))) ||
        (same(from, origin.table) && fromColumns.some((name) => same(name, origin.column))),
    )
  );
}
