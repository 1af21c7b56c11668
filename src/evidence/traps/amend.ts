/** The statement with one of its tables narrowed, to see what the answer would be then. Pure text work. */
import type { Read } from "../../database/database.ts";
import type { Cell, Table } from "../../protocol/index.ts";
import { codePointOffsets } from "../../sql/parser.ts";
import type { TrapContext } from "./trap.ts";

/** Each place that names the table reads `SELECT * FROM it WHERE condition` instead; `condition` has bare columns. */
export function amendTable(context: TrapContext, table: Table, condition: string): string {
  const { sql, dialect, statement } = context;
  const at = codePointOffsets(sql);
  let text = sql;
  const places = statement.references.filter((reference) => reference.table === table);
  for (const { start, end, aliased } of places.sort((a, b) => b.start - a.start)) {
    // A quoted name's span may leave its quotes out.
    let [from, to] = [at(start), at(end)];
    while (/["`[]/.test(text[from - 1] ?? "")) from -= 1;
    while (/["`\]]/.test(text[to] ?? "")) to += 1;
    const own = table.name.slice(table.schema === undefined ? 0 : table.schema.length + 1);
    const narrowed = `(SELECT * FROM ${nameOf(context, table)} WHERE ${condition})`;
    text = `${text.slice(0, from)}${narrowed}${aliased ? "" : ` AS ${dialect.name(own)}`}${text.slice(to)}`;
  }
  return bare(text);
}

export const bare = (sql: string): string => sql.replace(/[\s;]+$/, "");

export const nameOf = ({ dialect }: Pick<TrapContext, "dialect">, table: Table): string =>
  (table.schema === undefined ? [table.name] : [table.schema, table.name.slice(table.schema.length + 1)])
    .map((part) => dialect.quote(part))
    .join(".");

const rowKey = (row: readonly Cell[]): string =>
  JSON.stringify(row.map((cell) => (typeof cell === "number" ? Number(cell.toPrecision(12)) : cell)));

/** Whether two answers differ, whatever the order of their rows; undefined when one of them can't tell. */
export function differ(one: Read | undefined, other: Read | undefined): boolean | undefined {
  if (!one?.ok || !other?.ok || one.result.truncated || other.result.truncated) return undefined;
  const sorted = (read: Extract<Read, { ok: true }>) => read.result.rows.map(rowKey).sort().join("\n");
  return sorted(one) !== sorted(other);
}

/** Rows of `part` that are not in `whole`; undefined when one can't tell. */
export function strangers(part: Read | undefined, whole: Read | undefined): number | undefined {
  if (!part?.ok || !whole?.ok || part.result.truncated || whole.result.truncated) return undefined;
  const known = new Set(whole.result.rows.map(rowKey));
  return part.result.rows.filter((row) => !known.has(rowKey(row))).length;
}

/** ` The answer is 150, it would be 120.` when both are one figure, or the count of rows where that changes. */
export function change(one: Read | undefined, other: Read | undefined): string {
  if (!one?.ok || !other?.ok) return "";
  const [before, after] = [one.result.rows, other.result.rows];
  const show = (cell: Cell | undefined) =>
    typeof cell === "number" ? cell.toLocaleString("en-US", { maximumFractionDigits: 2 }) : String(cell ?? "NULL");
  if (before.length === 1 && after.length === 1) {
    const column = before[0]?.findIndex((cell, index) => cell !== after[0]?.[index]) ?? -1;
    if (column >= 0) return ` The answer now is ${show(before[0]?.[column])}; it would be ${show(after[0]?.[column])}.`;
  }
  if (before.length !== after.length)
    return ` The answer now has ${before.length} ${before.length === 1 ? "row" : "rows"}; it would have ${after.length}.`;
  const wanted = new Set(after.map(rowKey));
  const changed = before.filter((row) => !wanted.has(rowKey(row))).length;
  return changed > 0 ? ` ${changed} of ${before.length} rows of the answer would change.` : "";
}
