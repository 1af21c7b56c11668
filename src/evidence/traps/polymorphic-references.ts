/** A reference whose target depends on a type beside it, joined by its number alone. */
import type { Column, Table } from "../../protocol/index.ts";
import { figure, toCount, toText } from "../ask.ts";
import { nameOf } from "./amend.ts";
import { isUsed, pairsOf, tablesOf } from "./column-use.ts";
import { isUnique, singular, squash, wordsOf } from "./column-words.ts";
import type { Trap } from "./trap.ts";

const typeWord = /^(type|kind|class|table|model|entity|typ|art|tipo|tabelle|tabella|tabla|clase|classe|name|object)$/;
const idWord = /^(id|key|pk|ref|nr|uuid|oid|no)$/;

/** `owner_type` for `owner_id`: the same words before the last, or the only such column. */
function typeOf(table: Table, id: Column): Column | undefined {
  const words = wordsOf(id.name);
  if (!idWord.test(words.at(-1) ?? "")) return undefined;
  const stem = words.slice(0, -1).join("");
  const anyType =
    /^(table|model|entity|object|record|resource|target|subject|ref|reference|parent|owner|source)(name|type|kind|class|table)?$/;
  const anyId =
    /^(record|entity|object|row|resource|target|subject|item|ref|reference|parent|owner|source)(id|pk|key)$/;
  const own = table.columns.find((column) => {
    const parts = wordsOf(column.name);
    const kind = parts.at(-1) ?? "";
    return column !== id && parts.length > 1 && typeWord.test(kind) && parts.slice(0, -1).join("") === stem;
  });
  if (own || !anyId.test(words.join(""))) return own;
  const others = table.columns.filter((column) => column.kind === "text" && anyType.test(squash(column.name)));
  return others.length === 1 ? others[0] : undefined;
}

export const polymorphicReferences: Trap = {
  code: "type-of-reference",
  look(context) {
    const { statement, dialect, catalog } = context;
    return tablesOf(statement).flatMap(({ table, block, alias }) =>
      pairsOf(block, alias).flatMap(({ own, other }) => {
        const id = own.column;
        const type = id ? typeOf(table, id) : undefined;
        if (!id || !type || !other.table || !other.column || other.table === table) return [];
        if (isUsed(statement, table, type, "condition", "join", "group")) return [];
        if (
          isUnique(table, [id.name]) ||
          table.foreignKeys.some(({ columns }) => columns.length === 1 && columns[0] === id.name)
        )
          return [];
        const far = other.table;
        const [key, kind] = [id.name, type.name].map(dialect.quote);
        const met = `SELECT ${kind}, COUNT(*) FROM ${nameOf(context, table)} WHERE ${key} IN (SELECT ${dialect.quote(other.column.name)} FROM ${nameOf(context, far)}) GROUP BY ${kind} ORDER BY COUNT(*) DESC`;
        const mixed = `SELECT COUNT(*) FROM (SELECT ${key} FROM ${nameOf(context, table)} WHERE ${key} IS NOT NULL GROUP BY ${key} HAVING COUNT(DISTINCT ${kind}) > 1) AS g`;
        return [
          {
            asks: [met, mixed],
            judge([read, shared]) {
              if (!read?.ok || read.result.rows.length < 2) return undefined;
              const types = read.result.rows.map(([value, rows]) => ({ name: toText(value), rows: Number(rows) }));
              const called = (name: string, of: Table) => {
                const word = singular(squash(name.split(/[.:\\/]/).at(-1) ?? name));
                return word !== "" && word === singular(squash(of.name));
              };
              const right = types.find(({ name }) => called(name, far));
              const named = types.some(({ name }) => catalog.tables.some((candidate) => called(name, candidate)));
              const alike = toCount(shared) > 0;
              if (!named && !alike) return undefined;
              const total = types.reduce((sum, { rows }) => sum + rows, 0);
              const wrong = total - (right?.rows ?? types[0]?.rows ?? 0);
              return {
                severity: right && (named || alike) ? "warning" : "notice",
                title: `${id.name} of ${table.name} is joined to ${far.name} without ${type.name}`,
                body: `${id.name} points to different things (${types.map(({ name, rows }) => `${name} ${figure(rows)}`).join(", ")}), and ${figure(wrong)} of ${figure(total)} matches meet a row of ${far.name} only because the numbers are equal.`,
                waysOut: right
                  ? [`Join only rows of ${table.name} whose ${type.name} is ${right.name}`]
                  : [`Say which ${type.name} of ${table.name} is meant`],
              };
            },
          },
        ];
      }),
    );
  },
};
