/** Relations that the database itself has: keys that it declares, and pairs of columns whose names and values meet. Pure. */
import type { Catalog, RelationEntry, Table } from "../../protocol/index.ts";
import { type Imported, nothingImported } from "./imported.ts";

/** What was found in the data is only proposed: a person confirms it in the file or at a join review. */
export function importKeys({ tables, relations }: Catalog): Imported {
  const entries = relations.map((relation): RelationEntry => {
    const from = tables.find(({ name }) => name === relation.from);
    const isOne = from !== undefined && isUnique(from, relation.fromColumns);
    return {
      from: { table: relation.from, columns: relation.fromColumns },
      to: { table: relation.to, columns: relation.toColumns },
      cardinality: isOne ? "1:1" : "N:1",
      ...(relation.why === undefined ? {} : { when: `Found in the data: ${relation.why}`.slice(0, 2_000) }),
      source: relation.origin === "declared" ? "declared" : "proposed",
      by: "database",
    };
  });
  return { ...nothingImported(), relations: entries };
}

/** A key that is part of the columns makes them unique. */
const isUnique = ({ primaryKey, unique }: Table, columns: readonly string[]): boolean =>
  [primaryKey, ...unique].some((key) => key.length > 0 && key.every((name) => columns.includes(name)));
