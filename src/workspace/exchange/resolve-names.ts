/** An import's names as the database writes them; what it doesn't have is left out and told. Pure. */
import type { Imported, NewDescription } from "./imported.ts";

interface NamedTable {
  name: string;
  columns: readonly { name: string }[];
}

/** What was left out, by the name that the database doesn't have. */
export interface Resolved extends Imported {
  unknown: string[];
}

/** Names that differ in case only are the same; a table of another schema also goes by its bare name, if that is clear. */
export function resolveNames(imported: Imported, tables: readonly NamedTable[]): Resolved {
  const unknown = new Set<string>();
  const known = new Map<string, NamedTable | null>();
  const add = (name: string, table: NamedTable): void => {
    const key = name.toLowerCase();
    // Two tables of one bare name: neither is meant for sure.
    known.set(key, known.has(key) && known.get(key) !== table ? null : table);
  };
  for (const table of tables) if (table.name.includes(".")) add(table.name.slice(table.name.indexOf(".") + 1), table);
  for (const table of tables) known.set(table.name.toLowerCase(), table);

  const toTable = (name: string): NamedTable | undefined => {
    const table = known.get(name.toLowerCase());
    if (!table) unknown.add(name);
    return table ?? undefined;
  };
  const toColumn = (table: NamedTable, name: string): string | undefined => {
    const column =
      table.columns.find((one) => one.name === name) ??
      table.columns.find((one) => one.name.toLowerCase() === name.toLowerCase());
    if (!column) unknown.add(`${table.name}.${name}`);
    return column?.name;
  };
  const toEnd = (end: { table: string; columns: string[] }): { table: string; columns: string[] } | undefined => {
    const table = toTable(end.table);
    const columns = table ? end.columns.map((name) => toColumn(table, name)) : [];
    return table && columns.every((name) => name !== undefined) ? { table: table.name, columns } : undefined;
  };
  const descriptions = imported.descriptions.flatMap((description): NewDescription[] => {
    const table = toTable(description.table);
    if (!table) return [];
    if (description.column === null) return [{ ...description, table: table.name }];
    const column = toColumn(table, description.column);
    return column === undefined ? [] : [{ ...description, table: table.name, column }];
  });
  const relations = imported.relations.flatMap((relation) => {
    const [from, to] = [toEnd(relation.from), toEnd(relation.to)];
    return from && to ? [{ ...relation, from, to }] : [];
  });
  // A rule that names a table is about it.
  const evidence = imported.evidence.map(({ front, text }) => {
    const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_.]+/gu));
    const named = tables.map(({ name }) => name).filter((name) => words.has(name.toLowerCase()));
    return { front: named.length > 0 ? { ...front, tables: named.slice(0, 20) } : front, text };
  });
  return { descriptions, relations, evidence, faults: imported.faults, unknown: [...unknown].sort() };
}
