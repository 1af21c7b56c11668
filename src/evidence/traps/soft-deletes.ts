/** Rows that are marked as deleted, void or inactive and still counted. */
import type { Column, Table } from "../../protocol/index.ts";
import { figure, listing, rowsOf, toCount } from "../ask.ts";
import { amendTable, bare, change, differ, nameOf } from "./amend.ts";
import type { Block } from "./block.ts";
import { isUsed, pairsOf, tablesOf } from "./column-use.ts";
import { asks, hasWord, isDate, isFalse, isNumeric, isTrue, isUnique, wordSet, wordsOf } from "./column-words.ts";
import type { Trap } from "./trap.ts";

const deletedWords = wordSet(
  "deleted deletion isdeleted deletedat deletedon removed isremoved removedat archived isarchived archivedat void voided isvoid voidedat purged trashed tombstone tombstoned discarded discardedat deactivated deactivatedat disabled isdisabled inactive isinactive obsolete hidden geloescht geloscht loeschdatum storniert eliminato eliminata cancellato cancellata annullato borrado borrada eliminado eliminada anulado supprime supprimee efface annule",
);
const activeWords = wordSet(
  "active isactive enabled isenabled aktiv istaktiv attivo attiva activo activa actif active_flag",
);
const statusWords = wordSet("status state lifecycle zustand stato estado etat statut recordstatus condition");
const deletedValue =
  /^(soft[ _-]?)?(deleted|delete|del|removed|void|voided|purged|trashed|geloescht|gelöscht|eliminat[oa]|cancellat[oa]|borrad[oa]|eliminad[oa]|supprimée?|supprime)$/i;
const lostValue =
  /^(cancell?ed|refunded|returned|rejected|reversed|storniert|annullat[oa]|anulad[oa]|annulée?|inactive|archived|draft|test)$/i;
const asked =
  /delet|remov|archiv|inactiv|void|purg|disabl|deactivat|cancel|refund|former|includ|geloesch|eliminat|borrad|supprim|regardless|even if/;

interface Mark {
  columns: Column[];
  /** SQL with bare names that keeps what isn't deleted. */
  keep: string;
  word: string;
  /** Deleted beyond doubt, or only set aside. */
  deleted: boolean;
  /** By a column of its own, made for that. */
  flag: boolean;
}

/** Marks of a table, found by name and by the stored values that the catalog kept. */
function marksOf(table: Table, quote: (name: string) => string, text: (value: string) => string): Mark[] {
  return table.columns.flatMap((column): Mark[] => {
    const name = quote(column.name);
    const values = column.samples;
    const list = (of: string[]) => of.map((value) => (isNumeric(column) ? value : text(value))).join(", ");
    const flagged = (pattern: RegExp) => values.filter((value) => pattern.test(value));
    const flag = values.length > 0 && values.every((value) => isTrue.test(value) || isFalse.test(value));
    const truth = (kept: boolean) => `(${name} IS NULL OR ${kept ? "" : "NOT "}${name})`;
    const timed = /(^|[ _])(at|on|date|time|ts|am|il|el|le)$/i.test(wordsOf(column.name).join(" "));
    if (hasWord(column.name, deletedWords)) {
      if (isDate(column) || (timed && !flag))
        return [{ columns: [column], keep: `${name} IS NULL`, word: "deleted", deleted: true, flag: true }];
      if (column.kind === "boolean" && !/char|text|int/i.test(column.type))
        return [{ columns: [column], keep: truth(false), word: "deleted", deleted: true, flag: true }];
      const hits = flagged(isTrue);
      return flag && hits.length > 0
        ? [
            {
              columns: [column],
              keep: `(${name} IS NULL OR ${name} NOT IN (${list(hits)}))`,
              word: "deleted",
              deleted: true,
              flag: true,
            },
          ]
        : [];
    }
    if (hasWord(column.name, activeWords) && !isDate(column)) {
      if (column.kind === "boolean" && !/char|text|int/i.test(column.type))
        return [{ columns: [column], keep: truth(true), word: "inactive", deleted: false, flag: true }];
      const hits = flagged(isFalse);
      return flag && hits.length > 0
        ? [
            {
              columns: [column],
              keep: `(${name} IS NULL OR ${name} NOT IN (${list(hits)}))`,
              word: "inactive",
              deleted: false,
              flag: true,
            },
          ]
        : [];
    }
    if (!hasWord(column.name, statusWords) || column.kind !== "text") return [];
    for (const [pattern, deleted] of [
      [deletedValue, true],
      [lostValue, false],
    ] as const) {
      const hits = flagged(pattern);
      if (hits.length > 0 && hits.length < values.length)
        return [
          {
            columns: [column],
            keep: `(${name} IS NULL OR ${name} NOT IN (${list(hits)}))`,
            word: listing(hits),
            deleted,
            flag: false,
          },
        ];
    }
    return [];
  });
}

/** Joined only to give a name to what is counted: its own deletion needn't matter. */
function isLookup(block: Block, table: Table, alias: string): boolean {
  const partners = pairsOf(block, alias);
  if (partners.length === 0) return false;
  const unique = isUnique(
    table,
    partners.flatMap(({ own }) => (own.column ? [own.column.name] : [])),
  );
  const measured = block.aggregates.some((aggregate) => aggregate.columns.some((column) => column.alias === alias));
  return unique && !measured;
}

export const softDeletes: Trap = {
  code: "soft-deleted",
  look(context) {
    const { statement, sql, dialect } = context;
    if (asks(context, asked)) return [];
    return tablesOf(statement).flatMap(({ table, block, alias }) => {
      const marks = marksOf(table, dialect.quote, dialect.text);
      // One mark that is looked at is enough: the others say the same in other words.
      const [mark] = marks;
      if (!mark || marks.some(({ columns }) => columns.some((column) => isUsed(statement, table, column)))) return [];
      const summed = block.aggregates.length > 0;
      if (!mark.deleted && !summed) return [];
      const counted = `SELECT COUNT(*), SUM(CASE WHEN ${mark.keep} THEN 0 ELSE 1 END) FROM ${nameOf(context, table)}`;
      return [
        {
          asks: [counted, bare(sql), amendTable(context, table, mark.keep)],
          judge([read, before, after]) {
            const [rows, gone] = [toCount(read, 0), toCount(read, 1)];
            const differs = differ(before, after);
            // Where most rows are set aside the word means something else.
            if (gone === 0 || gone === rows || differs === false) return undefined;
            const set = mark.columns[0]?.name ?? "";
            const doubtful = isLookup(block, table, alias) || (!mark.deleted && gone * 2 > rows);
            const flagged = mark.deleted || mark.flag;
            return {
              severity: differs && flagged && !doubtful ? "warning" : "notice",
              title: `${figure(gone)} of ${rowsOf(rows)} of ${table.name} are marked ${mark.word} and take part`,
              body: `Nothing in the statement looks at ${set}.${differs ? change(before, after).replace(/it would/, "without them it would") : ""}`,
              waysOut: [
                `Leave out rows of ${table.name} that ${set} marks as ${mark.word}`,
                `Count ${mark.word} rows too`,
              ],
            };
          },
        },
      ];
    });
  },
};
