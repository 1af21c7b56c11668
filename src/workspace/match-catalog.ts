/** Names in a workspace's files that its database doesn't have. Pure. */
import type { Fault, Knowledge } from "../protocol/index.ts";
import { nearestName } from "./nearest-name.ts";

/** Names are compared as the catalog writes them. */
export function findUnknownNames(knowledge: Knowledge, catalog: { tables: readonly NamedTable[] }): Fault[] {
  const columns = new Map(catalog.tables.map((table) => [table.name, table.columns.map(({ name }) => name)]));
  const tables = [...columns.keys()];
  const faults: Fault[] = [];
  const tell = (at: Place, message: string, near: string | undefined): void => {
    faults.push({
      file: at.file,
      line: at.line,
      message,
      fix: near ? `Did you mean ${near}?` : "Write the name as the catalog shows it, or take these lines out.",
    });
  };
  const look = (at: Place, table: string, named: readonly string[]): void => {
    const known = columns.get(table);
    if (!known) tell(at, `the database has no table ${table}`, nearestName(table, tables));
    else
      for (const column of named)
        if (!known.includes(column))
          tell(at, `the database has no column ${column} in ${table}`, nearestName(column, known));
  };
  for (const piece of knowledge.descriptions) look(piece, piece.table, piece.column === null ? [] : [piece.column]);
  for (const piece of knowledge.relations)
    for (const end of [piece.from, piece.to]) look(piece, end.table, end.columns);
  for (const piece of knowledge.synonyms)
    look(piece, piece.means.table, piece.means.column === undefined ? [] : [piece.means.column]);
  for (const piece of knowledge.evidence) for (const table of piece.tables ?? []) look(piece, table, []);
  for (const piece of knowledge.verified) {
    // What is marked as stale is known to be so.
    if (piece.stale) continue;
    for (const { column } of piece.parameters ?? []) if (column) look(piece, column.table, [column.column]);
    for (const { decision } of piece.decisions)
      if (decision.kind === "table" && decision.use === "used") look(piece, decision.table, []);
      else if (decision.kind === "column") look(piece, decision.table, [decision.column]);
  }
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

interface NamedTable {
  name: string;
  columns: readonly { name: string }[];
}
type Place = Pick<Fault, "file" | "line">;
