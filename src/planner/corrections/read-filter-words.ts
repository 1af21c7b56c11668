/** The reviewer's words about a numbered filter: "Add 'Metal' to filter 1", "Without the filter on Genre.Name". */

import { linkQuestion } from "../linking/linking.ts";
import type { ColumnRef } from "../schema/schema.ts";
import type { CorrectionContext } from "./correct.ts";
import { readName } from "./named-values.ts";
import type { FrameEdit } from "./read-frame-edit.ts";

export type ReadFilter = { ok: true; edit: FrameEdit } | { ok: false; why: string };

export function readFilterWords(text: string, context: CorrectionContext): ReadFilter | undefined {
  const value =
    /^(add)\s+["'‘“](.+)["'’”]\s+to\s+(?:the\s+)?filter\s+#?(\d+)$/i.exec(text) ??
    /^(leave|take|keep)\s+["'‘“](.+)["'’”]\s+out\s+of\s+(?:the\s+)?filter\s+#?(\d+)$/i.exec(text);
  if (value) {
    const column = columnOf(Number(value[3]), context);
    if (!column) return noFilter(Number(value[3]), context);
    const items = linkQuestion(`'${value[2]}'`, context.schema, context.values, context.today).items;
    const kind = /^add$/i.test(value[1] ?? "") ? "add" : "leave-out";
    return { ok: true, edit: { kind, items, column, text: value[2] ?? "", words: text } };
  }
  const dropped =
    /^(?:without|drop|remove|leave out|no|not)\s+(?:the\s+)?(?:filter|condition)\s+(?:on|of|for)\s+(?:the\s+)?(?:column\s+)?["'`]?([\p{L}\p{N}_ ]+)\.([\p{L}\p{N}_ ]+?)["'`]?$/iu.exec(
      text,
    );
  if (dropped) {
    const same = (a: string, b: string | undefined) => a.toLowerCase() === b?.trim().toLowerCase();
    const found = context.schema.tables
      .filter((table) => same(table.name, dropped[1]))
      .flatMap((table) => table.columns)
      .find((column) => same(column.column, dropped[2]));
    return found
      ? { ok: true, edit: { kind: "drop-filter", ref: { table: found.table, column: found.column }, words: text } }
      : { ok: false, why: `There is no column ${dropped[1]}.${dropped[2]}.` };
  }
  const counted =
    /^(?:without|drop|remove|leave out|no)\s+(?:the\s+)?(?:condition|filter)\s+on\s+the\s+number\s+of\s+(.+)$/i.exec(
      text,
    );
  if (counted?.[1]) {
    const table = readName(counted[1], context.schema)?.table;
    return table === undefined
      ? { ok: false, why: `There is no table ${counted[1]}.` }
      : { ok: true, edit: { kind: "drop-having", table, words: text } };
  }
  const numbered = /^(?:without|drop|remove|leave out)\s+(?:the\s+)?filter\s+#?(\d+)$/i.exec(text);
  if (!numbered) return undefined;
  const ref = columnOf(Number(numbered[1]), context);
  return ref ? { ok: true, edit: { kind: "drop-filter", ref, words: text } } : noFilter(Number(numbered[1]), context);
}

function columnOf(n: number, context: CorrectionContext): ColumnRef | undefined {
  const filter = context.filters?.[n - 1];
  return filter ? { table: filter.table, column: filter.column } : undefined;
}

function noFilter(n: number, context: CorrectionContext): ReadFilter {
  const count = context.filters?.length ?? 0;
  return { ok: false, why: `The plan has ${count} ${count === 1 ? "filter" : "filters"}, so there is no filter ${n}.` };
}
