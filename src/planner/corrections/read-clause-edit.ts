/**
 * Corrections in plain clauses, one after the other: "Show only name and age, sorted by age descending, only the first",
 * "for each country", "not for each model", "with duplicates". What names are readable here is taken as it stands; the rest is
 * left to the reading of single corrections.
 */

import type { Schema } from "../schema/schema.ts";
import { type NamedValue, readName, readNamedValue, readNamedValues } from "./named-values.ts";
import { type PlainCondition, readPlainConditions } from "./plain-conditions.ts";

export interface SortTerm {
  value: NamedValue;
  direction: "ASC" | "DESC";
}
export type ClauseEdit = { words: string } & (
  | { kind: "name-outputs"; how: "show" | "hide" | "show-only"; values: NamedValue[] }
  | { kind: "sort"; terms: SortTerm[]; count?: number }
  | { kind: "group-by"; values: NamedValue[]; replace: boolean }
  /** Without values: no groups at all. */
  | { kind: "ungroup"; values: NamedValue[] }
  | { kind: "first"; count: number | undefined }
  | { kind: "repeat"; repeat: boolean }
  | { kind: "conditions"; of: PlainCondition[]; either: boolean }
  /** "or instead of and": the conditions that are there, the other way. */
  | { kind: "connect"; either: boolean }
  | { kind: "all-of"; of: NamedValue | undefined; values: string[] }
  | { kind: "count-of"; value: NamedValue }
  /** Nothing but what these words say; the rows are those of a join of `tables`. */
  | { kind: "anew"; tables: string[] }
);

const superlatives =
  /^(?:only\s+)?(?:the\s+(?:one|row)|the)\s+with\s+(?:the\s+)?(highest|largest|greatest|most|maximum|latest|lowest|smallest|fewest|least|minimum|earliest)\s+(.+)$/i;
const lowest = /^(?:lowest|smallest|fewest|least|minimum|earliest)$/i;

export function readClauseEdit(text: string, schema: Schema): ClauseEdit | undefined {
  const words = text;
  const made =
    readOutputs(text, schema) ?? readOrder(text, schema) ?? readGroups(text, schema) ?? readRows(text, schema);
  return made && ({ ...made, words } as ClauseEdit);
}

type Read = ClauseEdit extends infer E ? (E extends ClauseEdit ? Omit<E, "words"> : never) : never;

function readOutputs(text: string, schema: Schema): Read | undefined {
  const only =
    /^(?:show|give|return|output|display|list)\s+(?:me\s+)?only\s+(.+)$/i.exec(text) ??
    /^only\s+(?:show|give|return|output|display|list)\s+(.+)$/i.exec(text) ??
    /^(?:show|give|return|output|display)\s+(?:just\s+)?(.+?)\s+(?:only|and nothing else)$/i.exec(text);
  const also =
    /^(?:also\s+(?:show|give|return|output|include|display)|show\s+also|add\s+(?:the\s+)?columns?)\s+(.+)$/i.exec(text);
  const hide = /^(?:don'?t show|do not show|hide)\s+(.+)$/i.exec(text);
  const found = only ?? also ?? hide;
  const values = found?.[1] ? readNamedValues(found[1], schema) : undefined;
  if (!values) return undefined;
  return { kind: "name-outputs", how: only ? "show-only" : also ? "show" : "hide", values };
}

function readOrder(text: string, schema: Schema): Read | undefined {
  const best = superlatives.exec(text);
  if (best?.[2]) {
    const direction = lowest.test(best[1] ?? "") ? "ASC" : "DESC";
    const value = readBest(best[1] ?? "", best[2], schema);
    if (value) return { kind: "sort", terms: [{ value, direction }], count: 1 };
  }
  const sorted =
    /^(?:please\s+)?(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?)\s+(?:it\s+|them\s+|the (?:result|rows)\s+)?by\s+(.+)$/i.exec(
      text,
    );
  if (!sorted?.[1]) return undefined;
  const terms = sorted[1]
    .split(/\s*,\s*(?:and\s+)?(?:then\s+)?(?:by\s+)?|\s+(?:and\s+)?then\s+(?:by\s+)?|\s+and\s+(?:by\s+)?/i)
    .map((part): SortTerm | undefined => {
      const direction = /\b(?:desc|descending|(?:highest|largest|most|newest|latest|biggest) first|downwards?)$/i.test(
        part,
      )
        ? "DESC"
        : "ASC";
      const name = part.replace(
        /\s*\(?(?:in\s+)?(?:desc|descending|asc|ascending|(?:highest|largest|most|newest|latest|biggest|lowest|smallest|fewest|oldest|earliest) first)(?:\s+order)?\)?$/i,
        "",
      );
      const value = readNamedValue(name, schema);
      return value && { value, direction };
    });
  return terms.every((term) => term !== undefined) ? { kind: "sort", terms: terms as SortTerm[] } : undefined;
}

/** "the most albums" counts them, "the highest price" reads it. */
function readBest(word: string, name: string, schema: Schema): NamedValue | undefined {
  const value = readNamedValue(name, schema);
  if (!value || value.fn || !/^(?:most|fewest|least)$/i.test(word)) return value;
  return value.table === undefined ? value : { ...value, fn: "COUNT" };
}

function readGroups(text: string, schema: Schema): Read | undefined {
  const not =
    /^(?:not\s+(?:for each|for every|per|by)|don'?t group by|without grouping by|no grouping by)\s+(?:the\s+)?(.+)$/i.exec(
      text,
    );
  if (not?.[1]) {
    const values = readNamedValues(not[1], schema);
    return values && { kind: "ungroup", values };
  }
  if (
    /^(?:all together|over all(?: rows)?|no groups|without groups|not grouped|one figure(?: for all)?|a single row)$/i.test(
      text,
    )
  )
    return { kind: "ungroup", values: [] };
  const also = /^(?:also|and|additionally)\s+(?:group(?:ed)?\s+)?(?:by|per|for each)\s+(.+)$/i.exec(text);
  const each =
    /^(?:group(?:ed)?\s+(?:it\s+|them\s+)?by|(?:(?:show\s+)?(?:one|a)\s+row\s+)?(?:for each|for every|per)|by)\s+(?:the\s+)?(.+?)(?:\s+(?:instead of|rather than|not(?: by)?)\s+(?:by\s+|per\s+)?.+|\s+instead)?$/i.exec(
      text,
    );
  const named = (also ?? each)?.[1];
  const values = named === undefined ? undefined : readNamedValues(named, schema);
  if (!values || values.some((value) => value.fn)) return undefined;
  // "By media type": a thing with a name, read as a question would be.
  return { kind: "group-by", values, replace: !also };
}

function readRows(text: string, schema: Schema): Read | undefined {
  if (/^(?:only|just)\s+(?:the\s+)?(?:first|top|one|first one|top one|best|first row|one row)$/i.test(text))
    return { kind: "first", count: 1 };
  if (/^(?:show\s+)?all(?:\s+of them|\s+rows)?,?\s+(?:and\s+)?not\s+(?:only|just)\s+.+$/i.test(text))
    return { kind: "first", count: undefined };
  if (
    /^(?:with|keep(?:ing)?|include|including|don'?t remove|do not remove|show)\s+(?:the\s+|all\s+)?duplicates?(?: rows)?$/i.test(
      text,
    )
  )
    return { kind: "repeat", repeat: true };
  const connect =
    /^(?:use\s+)?["'‘“]?(or|and)["'’”]?\s+(?:instead of|rather than|not)\s+["'‘“]?(?:or|and)["'’”]?$/i.exec(text);
  if (connect) return { kind: "connect", either: /or/i.test(connect[1] ?? "") };
  const both =
    /^(?:only\s+)?(?:(?:those|the ones)\s+)?(?:with|that have|having|in|by)?\s*both\s+(?:(.+?)\s+)?["'‘“](.+?)["'’”](?:\s*,\s*["'‘“](.+?)["'’”])?,?\s+and\s+["'‘“](.+?)["'’”]$/i.exec(
      text,
    );
  if (both)
    return {
      kind: "all-of",
      of: both[1] === undefined ? undefined : readName(both[1], schema),
      values: [both[2], both[3], both[4]].filter((value) => value !== undefined),
    };
  const counted =
    /^count\s+(?:the\s+|all\s+)?(?:(different|distinct|unique)\s+)?(.+?)(?:\s+instead(?:\s+of\s+.+)?)$/i.exec(text);
  if (counted?.[2]) {
    const of = readName(counted[2], schema);
    if (of) return { kind: "count-of", value: { ...of, fn: "COUNT", ...(counted[1] ? { distinct: true } : {}) } };
  }
  const conditions = readPlainConditions(text, schema);
  return conditions && { kind: "conditions", ...conditions };
}

/** "Start over with singer and concert: show name …": the tables, and the clauses after them. */
export function readAnew(text: string, schema: Schema): { tables: string[]; rest: string } | undefined {
  const begin = "^(?:start over|begin again|start again|anew|from scratch|forget (?:all )?(?:that|this))\\b\\s*";
  // Tables may stand in a list with commas, so that only a colon ends it.
  const match =
    new RegExp(`${begin}(?:with|from|in|using)\\s+(?:the\\s+)?(?:tables?\\s+)?([^:]+?)\\s*:\\s*(.+)$`, "is").exec(
      text.trim(),
    ) ?? new RegExp(`${begin}()[:,.;]\\s*(?:please\\s+)?(.+)$`, "is").exec(text.trim());
  if (!match?.[2]) return undefined;
  const names = (match[1] ?? "").split(/\s*,\s*(?:and\s+)?|\s+and\s+/i).filter(Boolean);
  const tables = names.map((name) => readName(name, schema)?.table);
  return tables.every((table) => table !== undefined) ? { tables: tables as string[], rest: match[2] } : undefined;
}
