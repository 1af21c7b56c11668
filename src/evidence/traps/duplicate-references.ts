/** A list of names or codes that holds some of them twice: each row that refers to one of those is counted twice. */
import { figure, rowsOf, toCount } from "../ask.ts";
import { nameOf } from "./amend.ts";
import { additive, pairsOf, tablesOf } from "./column-use.ts";
import { isUnique } from "./column-words.ts";
import { keyCounts, toKeyCounts } from "./key-counts.ts";
import type { Trap } from "./trap.ts";
import { rangeOf } from "./validity-ranges.ts";

export const duplicateReferences: Trap = {
  code: "reference-duplicated",
  look(context) {
    const { statement, catalog, dialect } = context;
    return tablesOf(statement).flatMap(({ table, block, alias }) => {
      if (table.kind === "view" || rangeOf(table)) return [];
      const partners = pairsOf(block, alias).filter(({ other }) => other.table && other.table !== table);
      const [first] = partners;
      if (!first?.other.table) return [];
      const far = first.other.table;
      const pairs = partners.filter(({ other }) => other.alias === first.other.alias);
      const own = pairs.flatMap(({ own: side }) => (side.column ? [side.column.name] : []));
      const theirs = pairs.flatMap(({ other }) => (other.column ? [other.column.name] : []));
      if (own.length !== pairs.length || theirs.length !== pairs.length) return [];
      // A table that is longer, or whose values are added up, is the one that refers.
      const measures = block.aggregates.some(({ columns }) => columns.some((side) => side.alias === alias));
      if (measures || table.rows > far.rows) return [];
      // The other way round it is an ordinary one-to-many join.
      if (isUnique(table, own) || isUnique(far, theirs)) return [];
      const refers = catalog.relations.some(
        (relation) =>
          relation.from === table.name &&
          relation.to === far.name &&
          relation.fromColumns.some((name) => own.includes(name)),
      );
      if (refers || table.foreignKeys.some((key) => key.columns.some((name) => own.includes(name)))) return [];
      if (partners.length > pairs.length) return [];
      const rest = table.columns.filter(
        (column) => own.includes(column.name) || !table.primaryKey.includes(column.name),
      );
      const names = rest.map(({ name }) => dialect.quote(name)).join(", ");
      const same = `SELECT COUNT(*) FROM (SELECT ${names} FROM ${context.from(table, "t")} GROUP BY ${names} HAVING COUNT(*) > 1) AS g`;
      const keys = own.map(dialect.quote);
      const hit = theirs.map(dialect.quote);
      const meets = `SELECT COUNT(*) FROM ${context.from(far, "f")} WHERE ${hit.length === 1 ? hit[0] : `(${hit.join(", ")})`} IN (SELECT ${keys.join(", ")} FROM ${nameOf(context, table)} GROUP BY ${keys.join(", ")} HAVING COUNT(*) > 1)`;
      const measured = additive(block).length > 0;
      return [
        {
          asks: [keyCounts(context, table, own), same, meets],
          judge([read, exact, met]) {
            const counts = toKeyCounts(read);
            if (!counts || counts.repeated === 0) return undefined;
            const repeats = toCount(exact);
            const rows = toCount(met);
            const reference = counts.repeated * (repeats > 0 || table.columns.length <= 4 ? 2 : 4) <= counts.keys;
            // A key that repeats everywhere is no slip but the other side of a many-to-many join.
            if (!reference || rows === 0) return undefined;
            return {
              severity: measured ? "warning" : "notice",
              title: `${table.name} holds some ${own.join(", ")} more than once`,
              body: `${figure(counts.repeated)} of ${figure(counts.keys)} stand there up to ${figure(counts.most)} times, so ${rowsOf(rows)} of ${far.name} that refer to them are repeated${measured ? " and counted again" : ""}.`,
              waysOut: [
                `Join ${table.name} with one row per ${own.join(", ")}`,
                `Find ${own.join(", ")} in ${table.name} with EXISTS`,
              ],
            };
          },
        },
      ];
    });
  },
};
