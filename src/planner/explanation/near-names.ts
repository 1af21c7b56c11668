/**
 * What the words of a question came near to: a gate that has no plan shows it, so that a reviewer can say what was meant in
 * names that are there.
 */
import type { Linked } from "../linking/linking.ts";
import type { Plan, Planned } from "../plan.ts";
import type { Schema } from "../schema/schema.ts";

const mostTables = 5;
const mostColumns = 14;

/** Tables that a word leads to, best first, then those that hang on them. */
function nearTables({ items, tokens }: Linked, schema: Schema): string[] {
  const weights = new Map<string, number>();
  const add = (table: string, weight: number) => weights.set(table, (weights.get(table) ?? 0) + weight);
  for (const item of items) {
    if (item.kind === "table") add(item.table, 3 * item.score);
    if (item.kind === "column" || item.kind === "value")
      for (const option of item.options.slice(0, 4)) add(option.table, option.score / Math.min(item.options.length, 4));
  }
  // A table of which a word is said: `song_contents` where the question speaks of songs.
  const said = new Set(tokens.flatMap(({ keys }) => keys));
  for (const table of schema.tables) {
    const count = table.stems.filter((word) => said.has(word)).length;
    if (count > 0) add(table.name, count / table.stems.length);
  }
  const named = [...weights].sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0])).map(([table]) => table);
  const beside = schema.relations.flatMap(({ from, to }) =>
    named.includes(from) ? [to] : named.includes(to) ? [from] : [],
  );
  const near = [...new Set([...named, ...beside])];
  return (near.length > 0 ? near : schema.tables.map((table) => table.name)).slice(0, mostTables);
}

const withColumns = (table: string, schema: Schema, without: ReadonlySet<string> = new Set()): string => {
  const columns = schema
    .table(table)
    .columns.map(({ column }) => column)
    .filter((column) => !without.has(`${table}.${column}`));
  const shown = columns.slice(0, mostColumns);
  return shown.length === 0 ? "" : `${table} (${shown.join(", ")}${columns.length > shown.length ? ", …" : ""})`;
};

/** The same answer, with the names that the reviewer may mean in a paragraph of their own, one table a line. */
export function withNearNames(planned: Planned, linked: Linked, schema: Schema): Planned {
  if (planned.outcome === "plan") return planned;
  const tables = nearTables(linked, schema).map((table) => withColumns(table, schema));
  const near = `Nearest to its words:\n${tables.join("\n")}`;
  return planned.outcome === "ask"
    ? { ...planned, question: `${planned.question}\n\n${near}`.slice(0, 2000) }
    : { ...planned, reason: `${planned.reason}\n\n${near}`.slice(0, 2000) };
}

/** Columns of the tables read that the plan doesn't need. */
export function otherColumns(tables: readonly string[], columns: Plan["columns"], schema: Schema): string {
  const used = new Set(columns.map(({ table, column }) => `${table}.${column}`));
  const left = tables.map((table) => withColumns(table, schema, used)).filter(Boolean);
  return left.length === 0 ? "" : ` Not needed: ${left.join("; ")}.`;
}
