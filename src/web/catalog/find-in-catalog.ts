/** What the list of the catalog shows: tables, and with a search the columns that fit below their table. Pure. */
import type { Catalog, Column, Table } from "../../protocol/catalog.ts";

export type CatalogRow = { kind: "table"; table: Table } | { kind: "column"; table: Table; column: Column };

export interface SearchableCatalog {
  tables: { table: Table; name: string; text: string; columns: { column: Column; text: string }[] }[];
}

/** Case and accents apart, as people type. */
const fold = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
const toText = ({ name, comment, described }: Table | Column): string =>
  fold([name, comment, described?.database].filter(Boolean).join("\n"));

/** Once per catalog, so that a stroke of a key only compares. */
export function toSearchable(catalog: Catalog): SearchableCatalog {
  const byName = new Intl.Collator("en", { numeric: true });
  const tables = catalog.tables.toSorted((a, b) => byName.compare(a.name, b.name));
  return {
    tables: tables.map((table) => ({
      table,
      name: fold(table.name),
      text: toText(table),
      columns: table.columns.map((column) => ({ column, text: toText(column) })),
    })),
  };
}

/** Every word must be found: in a table, or in a column and its table's name. A table named so comes first. */
export function findInCatalog({ tables }: SearchableCatalog, search: string): CatalogRow[] {
  const words = fold(search).split(/\s+/).filter(Boolean);
  if (words.length === 0) return tables.map(({ table }) => ({ kind: "table", table }));
  const found = tables.flatMap(({ table, name, text, columns }) => {
    const inTable = words.every((word) => text.includes(word));
    const fitting = columns.filter(
      (one) =>
        words.some((word) => one.text.includes(word)) &&
        words.every((word) => one.text.includes(word) || name.includes(word)),
    );
    if (!inTable && fitting.length === 0) return [];
    const rank = name === words.join(" ") ? 0 : words.every((word) => name.includes(word)) ? 1 : inTable ? 2 : 3;
    const below = fitting.map(({ column }): CatalogRow => ({ kind: "column", table, column }));
    return [{ rank, rows: [{ kind: "table", table } as CatalogRow, ...below] }];
  });
  return found.toSorted((a, b) => a.rank - b.rank).flatMap(({ rows }) => rows);
}
