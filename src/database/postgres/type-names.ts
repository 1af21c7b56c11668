/** The engine's own names of a result's types, with their length or precision: `numeric(10,2)`. */
import type { FieldDef } from "pg";
import type { Session } from "./session.ts";

/** By type and modifier; a type's name hardly ever changes, so one map serves an adapter for its life. */
export type TypeNames = Map<string, string>;

const maxKept = 2000;

export async function readTypeNames(
  session: Session,
  fields: readonly FieldDef[],
  known: TypeNames,
): Promise<string[]> {
  const keys = fields.map((field) => `${Number(field.dataTypeID)}, ${Number(field.dataTypeModifier)}`);
  const unknown = [...new Set(keys)].filter((key) => !known.has(key));
  if (unknown.length > 0) {
    const { rows } = await session.client.query<(string | null)[]>({
      text: `SELECT ${unknown.map((key) => `pg_catalog.format_type(${key})`).join(", ")}`,
      rowMode: "array",
    });
    if (known.size > maxKept) known.clear();
    unknown.forEach((key, index) => {
      known.set(key, rows[0]?.[index] ?? "");
    });
  }
  return keys.map((key) => known.get(key) ?? "");
}
